"""Faults found in public implementations of Azul, which this one must not have."""

import copy
import math
import pickle

import numpy as np
import pytest

from azul_env import azul_v0
from azul_env.game import AzulOptions
from azul_env.state import FLOOR, MARKER, PLACES
from game_core import Game, Position, load_game
from tests.azul.positions import (
    LAST,
    PLAYER_COUNTS,
    SIDES,
    displays_of,
    floor_of,
    legal,
    play,
    scores_of,
    set_up,
    tiles_in,
    tiles_of,
)
from tests.games import COMPILED, any_action, one_action


def floor_only(position: Position) -> int:
    """Return the first action to the floor."""
    actions = position.legal_actions()
    return int(actions[actions % PLACES == FLOOR][0])


@pytest.mark.nojit
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_no_tile_vanishes_past_a_full_floor_line(num_players, side):
    """If tiles vanish, a long game runs out of them and never ends."""
    rounds = 30 if COMPILED else 8
    game = load_game("azul", num_players=num_players, wall=side, max_rounds=rounds)
    position = Position.new(game, 11)
    state = position.states[0]
    dealt, overflowed = 0, False
    while not position.over:
        if state.round_number > dealt:
            dealt = state.round_number
            assert state.sources.sum() == 4 * state.num_displays
        lid = int(state.lid.sum())
        position.step(floor_only(position))
        assert tiles_of(state).tolist() == [20] * 5
        overflowed |= state.round_number == dealt and state.lid.sum() > lid
    assert overflowed
    assert position.truncated
    assert dealt == rounds
    assert scores_of(position) == [0] * num_players


@pytest.mark.nojit
def test_the_lid_gets_what_a_full_floor_line_cannot_hold():
    position = set_up(displays=("bbbb", "rrww"), floors={0: "kkkkkk"})
    play(position, "display 1, blue, line 1", "display 2, white, floor")
    assert floor_of(position, 0) == "kkkkkkb"
    assert tiles_in(position.states[0].lid) == "bb"
    play(position, "centre, red, floor")  # the marker is not in the lid either
    assert tiles_of(position.states[0]).tolist() == [20] * 5


@pytest.mark.nojit
def test_more_tiles_than_a_line_has_free_spaces_can_be_placed():
    position = set_up(displays=("bbbb",), centre="yyyyyyyyy", lines={0: ("", "b")})
    lines = {f"line {line}" for line in range(1, 6)} | {"floor"}
    offered = {tuple(words.split(", ", 1)) for words in legal(position)}
    assert offered == {
        *(("display 1", f"blue, {line}") for line in lines),
        *(("centre", f"yellow, {line}") for line in lines - {"line 2"}),
    }


@pytest.mark.nojit
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_the_marker_on_a_full_floor_is_no_tile_and_not_lost(num_players):
    last = num_players - 1
    position = set_up(
        num_players=num_players,
        displays=("wwww",),
        centre="k",
        player=last,
        floors={last: "rrrrrrr"},
    )
    play(position, "centre, black, line 5")
    assert floor_of(position, last) == "rrrrrrr"
    assert (position.states[0].floor != MARKER).all()
    assert tiles_in(position.states[0].lid) == ""
    play(position, "display 1, white, line 4")
    assert tiles_of(position.states[0]).tolist() == [20] * 5
    assert position.player == last


@pytest.mark.nojit
@pytest.mark.parametrize("before", range(8))
def test_the_owner_starts_wherever_the_marker_lies_on_the_floor(before):
    position = set_up(
        num_players=3, centre="kw", displays=("b",), player=1, floors={1: "r" * before}
    )
    play(position, "centre, black, floor", "display 1, blue, line 1")
    assert position.states[0].round_number == 1
    play(position, "centre, white, line 1")
    assert position.states[0].round_number == 2
    assert position.player == 1


@pytest.mark.nojit
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("num_players", [3, 4])
def test_the_selected_agent_is_the_one_that_moves_after_a_round(num_players, side):
    env = azul_v0.env(num_players=num_players, wall=side)
    rng = np.random.default_rng(num_players)
    rounds_begun = changes_of_start = moves_seen = 0
    for seed in range(10 if COMPILED else 3):
        env.reset(seed=seed)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            before = env.unwrapped.get_state()[0]
            seat = int(env.agent_selection.removeprefix("player_"))
            masks = [env.observe(agent)["action_mask"] for agent in env.agents]
            assert [bool(mask.any()) for mask in masks] == [
                other == seat for other in range(num_players)
            ]
            env.step(one_action(masks[seat], rng))
            after = env.unwrapped.get_state()[0]
            over = any(env.terminations.values())
            if after.round_number > before.round_number:
                rounds_begun += 1
                changes_of_start += after.starting_player != before.starting_player
                assert env.agent_selection == f"player_{after.starting_player}"
            elif not (over or before.tiling or after.tiling):
                # Nothing of the mover's changes if a full floor line is added to.
                assert changed_boards(before, after) <= {seat}
                moves_seen += changed_boards(before, after) == {seat}
    assert moves_seen > rounds_begun > changes_of_start > 0


def changed_boards(before, after) -> set[int]:
    """Return the seats whose lines or floor line are not the same."""
    lines = (before.line_count != after.line_count).any(axis=1)
    floors = before.floor_count != after.floor_count
    return set(np.flatnonzero(lines | floors).tolist())


@pytest.mark.nojit
@pytest.mark.parametrize("in_the_bag", [20, 21, 13, 1])
def test_the_lid_stays_apart_until_the_bag_is_empty(in_the_bag):
    bag, lid = "w" * min(20, in_the_bag) + "k" * (in_the_bag - 20), 9 * "y" + 9 * "r"
    position = set_up(displays=LAST, bag=bag, lid=lid)
    play(position, "display 1, blue, line 5")
    state = position.states[0]
    dealt = "".join(displays_of(position))
    if in_the_bag >= 20:
        assert set(dealt) <= set(bag)
        assert tiles_in(state.lid) == lid
    else:
        # All that was in the bag is dealt before anything from the lid is.
        assert dealt.count("w") == in_the_bag
        assert displays_of(position)[: in_the_bag // 4] == ["wwww"] * (in_the_bag // 4)
        assert tiles_in(state.lid) == ""


def copies_of(position: Position) -> dict[str, Position]:
    """Return copies made in all the ways there are."""
    env = azul_v0.env(**position.game.options)
    env.reset(seed=0)
    env.unwrapped.set_state(position.states)
    again = azul_v0.raw_env(**position.game.options)
    again.reset(seed=0)
    again.set_state(env.unwrapped.get_state())
    return {
        "copy": position.copy(),
        "determinize": position.determinize(position.player, 0),
        "deepcopy": copy.deepcopy(position),
        "pickle": pickle.loads(pickle.dumps(position)),
        "clone": env.clone().unwrapped.position,
        "clone with a seed": env.clone(seed=3).unwrapped.position,
        "deepcopy of the environment": copy.deepcopy(env).unwrapped.position,
        "pickle of the environment": pickle.loads(pickle.dumps(env)).unwrapped.position,
        "set_state": again.position,
    }


@pytest.mark.nojit
def test_a_copy_knows_what_the_bonuses_at_the_end_need():
    wall = (".yr..", "w.y..", "kw...", "rk.by", "..k.b")
    lines = ("b", "bb", "bbb", "", "yyyyy")
    walls = {0: wall, 1: ("byrkw",)}
    position = set_up(displays=("w",), lines={0: lines}, walls=walls)
    copies = copies_of(position)
    play(position, "display 1, white, floor")
    assert position.terminated
    column, color = 7, 10
    assert scores_of(position) == [7 + 7 + 6 + 5 - 1 + column + color, 2]
    for name, other in copies.items():
        play(other, "display 1, white, floor")
        assert scores_of(other) == scores_of(position), name
        assert other.rewards.tolist() == position.rewards.tolist(), name


@pytest.mark.nojit
def test_a_copy_in_mid_game_ends_as_the_game_it_was_made_of():
    game = load_game("azul", num_players=3, wall="grey")
    position = Position.new(game, 4)
    rng = np.random.default_rng(4)
    for _ in range(80):
        position.step(any_action(position, rng))
    copies = copies_of(position)
    del copies["determinize"], copies["clone with a seed"]  # are dealt other tiles
    actions = []
    while not position.over:
        actions.append(any_action(position, rng))
        position.step(actions[-1])
    assert position.terminated
    for name, other in copies.items():
        for action in actions:
            other.step(action)
        assert other.states.tobytes() == position.states.tobytes(), name


@pytest.mark.nojit
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_scores_over_127_do_not_overflow(reward):
    position = set_up(
        reward=reward,
        displays=LAST,
        lines={0: ("w",)},
        walls={0: ("byrk.",)},
        scores=(125, 32_767),
    )
    play(position, "display 1, blue, line 5")
    assert scores_of(position) == [125 + 5 + 2, 32_767]
    margin = (132 - 32_767) / 100
    paid = {"win": [-1, 1], "margin": [margin, -margin]}[reward]
    assert position.rewards == pytest.approx(paid)
    assert position.observation(1).max() == 1


@pytest.mark.nojit
def test_each_reset_deals_other_tiles():
    """Two of the 12 deals are the same by chance less than once in 50 million runs.

    No content of a display can be had in more than 20^4 ways, out of C(100 - 4 k, 4)
    for the k-th display from 0: two deals of nine displays are the same with a chance
    below 2.5e-10, and any of 66 pairs below 1.7e-8.
    """
    chances = [20**4 / math.comb(100 - 4 * k, 4) for k in range(9)]
    assert math.comb(12, 2) * math.prod(chances) < 1 / 50e6
    options: AzulOptions = {"num_players": 4, "starting_player": 0}
    env = azul_v0.env(**options)
    deals = []
    for _ in range(6):
        env.reset()
        deals.append(env.unwrapped.get_state()[0].sources.tobytes())
    for _ in range(6):
        other = azul_v0.env(**options)
        other.reset()
        deals.append(other.unwrapped.get_state()[0].sources.tobytes())
    assert len(set(deals)) == len(deals)


@pytest.mark.nojit
def test_each_seed_deals_other_tiles():
    game = load_game("azul", starting_player=0)
    deals = {Position.new(game, seed).states["sources"].tobytes() for seed in range(50)}
    assert len(deals) == 50


def play_at_random(game: Game, states: np.ndarray, seed: int) -> None:
    """Play all games on until they are over, or for 10,000 decisions."""
    rng = np.random.default_rng(seed)
    for _ in range(10_000):
        masks = game.action_masks(states)
        if not masks.any():
            break
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        assert game.loops.step_all(states, actions) == -1


@pytest.mark.parametrize("side", SIDES)
def test_each_random_game_of_four_ends(side):
    """Almost all with a complete row; in these 1000, one on the grey side cannot.

    Every line there can take black only, and all 20 black tiles lie in lines that are
    not complete: the cap on rounds cuts it short.
    """
    game = load_game("azul", num_players=4, wall=side)
    states = game.new_states(np.arange(1000, dtype=np.uint64))
    play_at_random(game, states, seed=1)
    assert (states["terminated"] != states["truncated"]).all()
    assert states["truncated"].sum() == (1 if side == "grey" else 0)
    assert (states["round_number"][states["truncated"]] == 100).all()
    rows = np.all(states["wall"] >= 0, axis=3)
    assert (np.any(rows, axis=(1, 2)) == states["terminated"]).all()
