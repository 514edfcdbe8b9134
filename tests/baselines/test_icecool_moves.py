"""What networks know of the flicks of a grid, and how they play without one."""

import itertools

import numpy as np
import pytest

from baselines.icecool._actions import table
from baselines.icecool._moves import FEATURES
from baselines.icecool._on_grid import FINE, masks_seen
from baselines.icecool._teacher import Teacher
from baselines.networks.moves import describe_moves, moves_of, num_features
from baselines.networks.network import Network
from baselines.ppo import network_of
from baselines.training.config import GRID
from game_core import load_game
from game_core.agents.agent import Batch, View
from game_core.agents.policy import new_memories
from game_core.position import Position
from icecool_env.spots import doorway_of
from icecool_env.state import FLICK, NONE

GAMES = 60
MOVES = 40
"""Flicks of each position that are played."""


@pytest.fixture(scope="module")
def game():
    return load_game("icecool", grid=GRID)


@pytest.fixture(scope="module")
def positions(game):
    """Return positions (k,) on the way of random games, of all phases."""
    rng = np.random.default_rng(3)
    states = game.new_states(np.arange(GAMES, dtype=np.uint64))
    found = [states.copy()]
    for _ in range(6):
        masks = game.action_masks(states)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        game.loops.step_all(states, actions)
        found.append(states.copy())
    found[-1]["face_down"][:5, :, 1] = 2
    found[-1]["phase"][:5] = 2
    return np.concatenate(found)


def observations_of(game, states):
    return game.observations(states, states["player"].astype(np.int64))


def test_legal_numbers_follow_from_what_a_seat_sees(game, positions):
    masks = masks_seen(game, observations_of(game, positions))
    assert np.array_equal(masks, game.action_masks(positions))
    assert set(positions["phase"].tolist()) == {0, 1, 2}
    stuck = masks[:, 2 : 2 + 3 * GRID["directions"] : 3].any(axis=1)
    assert stuck.any()  # some have the choice between two rooms


@pytest.fixture(scope="module")
def played(game, positions):
    """Return flicks of Runners: their features, and the states after them."""
    states = positions[positions["phase"] == FLICK][::6]
    moves, features = describe_moves(game, observations_of(game, states))
    rng = np.random.default_rng(4)
    rows = np.sort(rng.choice(len(moves), MOVES * len(states), replace=False))
    before = states[moves[rows, 0]]
    after = before.copy()
    game.loops.step_all(after, moves[rows, 1])
    return FEATURES.split(features[rows]), before, after


def test_straight_ways_to_fish_are_foreseen_and_most_of_those_off_walls(played):
    """Of bounces a part is left to chance: the bounds are far below what it is here."""
    features, before, after = played
    seats, rows = before["player"], np.arange(len(before))
    runner = (seats != before["catcher"]) & (after["round_number"] == 0)
    free = [doorway_of(s, int(s["player"])) == NONE for s in before]
    runner &= np.array(free)  # R33: who is stuck in a door gets none of its fish
    taken = (after["fish_taken"] - before["fish_taken"])[rows, seats].sum(axis=1) > 0
    foreseen = features["fish"][:, 0] > 0
    straight = features["fish"][:, 1] > 0
    assert (runner & straight).sum() > 10
    assert taken[runner & straight].mean() > 0.85
    off_walls = runner & foreseen & ~straight
    assert off_walls.sum() > 10
    assert taken[off_walls].mean() > 0.6
    assert taken[runner & ~foreseen].mean() < 0.1


def test_where_straight_flicks_come_to_rest(played):
    features, before, after = played
    seats, rows = before["player"], np.arange(len(before))
    direct = (features["bounces"][:, 0] > 0) & (after["round_number"] == 0)
    direct &= features["touch"][:, 0] == 0
    direct &= after["caught"].sum(axis=1) == before["caught"].sum(axis=1)
    at = features["at"] * 600
    x, y = after["x"][rows, seats], after["y"][rows, seats]
    assert direct.sum() > 50
    assert np.hypot(at[:, 0] - x, at[:, 1] - y)[direct].max() < 2


def test_only_two_players_on_a_grid_have_moves_to_describe():
    for options in ({}, {"grid": GRID, "num_players": 3}):
        with pytest.raises(ValueError, match="num_players=2 and a grid"):
            moves_of(load_game("icecool", **options))


def policy(game, path) -> Network:
    """Return an untrained network over moves, and write it to a file."""
    rng = np.random.default_rng(7)
    sizes = (game.observation_size + num_features(game), 8, 1)
    layers = tuple(
        (rng.normal(0, 1, (a, b)).astype(np.float32), np.zeros(b, np.float32))
        for a, b in itertools.pairwise(sizes)
    )
    network = Network(layers, rows="moves", sample=False)
    facts = {"game": game.id, "version": game.version, "options": dict(game.options)}
    network.save(path, facts)
    return network


def test_a_policy_of_a_grid_plays_flicks_of_a_finer_one_where_they_are_continuous(
    game, positions, tmp_path
):
    path = tmp_path / "policy.npz"
    numbered = policy(game, path)
    flicks = load_game("icecool")
    fine = load_game("icecool", grid={**game.options["grid"], **FINE})
    states = positions[::9]
    seen, count = observations_of(game, states), len(states)
    numbers = numbered.act_batch(
        Batch(fine, seen, masks_seen(fine, seen), new_memories(fine, count))
    )
    blank = np.zeros((count, 0), np.int8)
    actions = network_of(flicks, str(path), False).act_batch(
        Batch(flicks, seen, blank, new_memories(flicks, count))
    )
    np.testing.assert_array_equal(actions, table(fine)[numbers].astype(np.float32))
    with pytest.raises(ValueError, match="num_players=2 and a grid"):
        network_of(load_game("icecool", num_players=3), str(path), False)


def test_the_teacher_takes_the_best_of_what_it_tried(game):
    position = Position.new(game, 3)
    position.step(int(position.legal_actions()[7]))
    teacher = Teacher()
    action = teacher.act(
        View(game, position.player, position, np.random.default_rng(0))
    )
    assert teacher.search is not None
    visits = teacher.search.visits
    assert visits[action] == max(visits.values()) == 100
    assert set(visits) <= set(position.legal_actions().tolist())
    assert len(visits) > 1
