"""What networks are told of Azul's moves, against what the moves then do."""

import dataclasses

import numpy as np
import pytest

from azul_env.state import (
    ACTIONS_PER_SOURCE,
    FLOOR,
    FLOOR_COST,
    FLOOR_SPACES,
    NONE,
    PLACES,
)
from baselines.azul._moves import FEATURES
from baselines.networks.moves import describe_moves, moves_of
from game_core import load_game


def positions(game, count: int, seed: int):
    """Return positions of random games in which a player takes tiles."""
    rng = np.random.default_rng(seed)
    states = game.new_states(rng.integers(0, 2**60, count, dtype=np.uint64))
    kept = []
    for _ in range(80):
        kept.append(states[rng.random(len(states)) < 0.15].copy())
        masks = game.action_masks(states)
        going = masks.any(axis=1)
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        states = states[going]
        game.loops.step_all(states, actions[going])
    together = np.concatenate(kept)
    return together[game.action_masks(together).any(axis=1)]


def described(game, states):
    seats = states["player"].astype(np.int64)
    moves, features = describe_moves(game, game.observations(states, seats))
    return moves, FEATURES.split(features)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_features_say_what_a_move_does(num_players):
    game = load_game("azul", num_players=num_players)
    states = positions(game, 40, seed=num_players)
    moves, features = described(game, states)
    assert np.array_equal(moves, np.argwhere(game.action_masks(states)))
    before = states[moves[:, 0]]
    seats = before["player"].astype(np.int64)
    rows = np.arange(len(moves))
    after = before.copy()
    assert game.loops.step_all(after, moves[:, 1].copy()) < 0
    same_round = after["round_number"] == before["round_number"]
    same_round &= ~(after["terminated"] | after["truncated"])
    assert same_round.mean() > 0.5
    lines = moves[:, 1] % PLACES

    in_line = same_round & (lines != FLOOR)
    held = after["line_count"][rows, seats, lines % FLOOR]
    np.testing.assert_allclose(
        features["fill"][in_line], (held / (lines + 1))[in_line], atol=1e-6
    )
    complete = held == lines + 1
    assert np.array_equal(features["complete"][in_line] > 0, complete[in_line])
    floor = after["floor_count"][rows, seats]
    paid = FLOOR_COST[floor] - FLOOR_COST[before["floor_count"][rows, seats]]
    np.testing.assert_allclose(
        (features["cost"] * 10)[same_round], paid[same_round], atol=1e-5
    )
    took = (after["marker_owner"] != NONE) & (before["marker_owner"] == NONE)
    assert np.array_equal(features["marker"][same_round] > 0, took[same_round])
    centre = after["sources"][:, game.template["num_displays"][0]]
    np.testing.assert_allclose(
        (features["centre_after"] * 5)[same_round],
        centre[same_round],
        atol=1e-5,
    )
    left = after["sources"].sum(axis=(1, 2))
    np.testing.assert_allclose(
        (features["tiles_left"] * 20)[same_round], left[same_round], atol=1e-4
    )
    colors = moves[:, 1] % ACTIONS_PER_SOURCE // PLACES
    assert np.array_equal(features["color"].argmax(axis=1), colors)


def test_points_are_those_of_the_tiling():
    """The last move of a round shows what its complete line scores, alone."""
    game = load_game("azul")
    states = positions(game, 300, seed=9)
    moves, features = described(game, states)
    before, seats = states[moves[:, 0]], states["player"][moves[:, 0]].astype(np.int64)
    rows = np.arange(len(moves))
    after = before.copy()
    game.loops.step_all(after, moves[:, 1].copy())
    tiled = after["round_number"] > before["round_number"]
    full = before["line_count"] == np.arange(1, 6)
    alone = tiled & ~full[rows, seats].any(axis=1)
    gained = (after["score"] - before["score"])[rows, seats]
    scored = features["scored"] * 10
    cost = features["cost"] * 10
    held = FLOOR_COST[before["floor_count"][rows, seats]]
    expected = np.maximum(before["score"][rows, seats] + scored - cost - held, 0)
    sure = alone & (before["floor_count"][rows, seats] < FLOOR_SPACES)
    assert (sure & (scored > 0)).sum() >= 10
    np.testing.assert_allclose(
        gained[sure], (expected - before["score"][rows, seats])[sure], atol=1e-4
    )


def test_features_do_not_depend_on_the_seat_of_the_table():
    game = load_game("azul", num_players=3, starting_player=0)
    turned = load_game("azul", num_players=3, starting_player=1)
    states = game.new_states(np.arange(5, dtype=np.uint64))
    others = states.copy()
    others["first_seat"] = turned.template["first_seat"]
    others["player"] = others["starting_player"] = 1
    here, there = described(game, states)[1], described(turned, others)[1]
    assert [n for n in FEATURES.names if (here[n] != there[n]).any()] == []


def test_the_grey_side_and_other_games_are_refused():
    with pytest.raises(ValueError, match=r"wall='grey' .* give 'colored'"):
        moves_of(load_game("azul", wall="grey"))
    with pytest.raises(ValueError, match="no networks over the moves of nim"):
        moves_of(dataclasses.replace(load_game("azul"), id="nim"))
