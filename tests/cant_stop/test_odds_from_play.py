"""Chances of Can't Stop, from play, against exact numbers."""

import itertools
import math

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from cant_stop_env.odds import chance_of_move, stopping_wins, success_chance
from cant_stop_env.state import ROLL
from game_core import VectorGame, load_game
from tests.cant_stop.positions import ROLLS, play, set_up
from tests.games import THOROUGH, chi_square, chi_square_limit

TRIPLES = list(itertools.combinations(range(2, 13), 3))

REPEATS = 25 * THOROUGH
ROWS_OF_A_TRIPLE = 1000
ROLLS_OF_A_TRIPLE = REPEATS * ROWS_OF_A_TRIPLE
TOLERANCE = math.sqrt(10 / ROLLS_OF_A_TRIPLE)
"""Hoeffding: n rolls miss the exact chance by t with probability at most
2 exp(-2 n t^2), which is here 2 exp(-20) = 4.1e-9 for any n, and for all 165 triples
together 6.8e-7."""

SUMS_OF_ROLLS = [{a + b for a, b in itertools.combinations(roll, 2)} for roll in ROLLS]


def chance_of_bust(columns) -> float:
    """Return the part of the 1296 rolls of which no pair names one of the columns."""
    return sum(not sums.intersection(columns) for sums in SUMS_OF_ROLLS) / len(ROLLS)


def test_the_tolerance_is_as_strict_as_it_says():
    false_alarm = 2 * math.exp(-2 * ROLLS_OF_A_TRIPLE * TOLERANCE**2)
    assert len(TRIPLES) * false_alarm < 1e-6


@pytest.mark.parametrize(
    ("columns", "made"), [((6, 7, 8), 0.9198), ((2, 3, 12), 0.4383)]
)
def test_the_enumeration_gives_the_public_numbers(columns, made):
    assert round(1 - chance_of_bust(columns), 4) == made


@pytest.mark.nojit
def test_agents_are_told_the_exact_chances():
    for columns in TRIPLES:
        made = 1 - chance_of_bust(columns)
        assert chance_of_move(columns) == pytest.approx(made)
        position = set_up(runners=dict.fromkeys(columns, 1))
        assert success_chance(position.states[0]) == pytest.approx(made)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("board", "movable"),
    [
        ({"runners": {3: 1, 6: 11, 8: 1}}, (3, 8)),  # 6 is on its last space
        (
            {"runners": {2: 1, 7: 2}, "owner": {6: 1, 8: 0}},
            (2, 3, 4, 5, 7, 9, 10, 11, 12),
        ),
        ({"owner": {column: 1 for column in range(3, 13)}}, (2,)),
    ],
)
def test_the_exact_chance_counts_the_columns_that_a_runner_can_move_in(board, movable):
    state = set_up(columns_to_win=11, **board).states[0]
    assert success_chance(state) == pytest.approx(1 - chance_of_bust(movable))


@pytest.mark.nojit
@pytest.mark.parametrize(
    "board",
    [
        {"owner": {2: 0, 3: 0}, "runners": {12: 3}},
        {"owner": {2: 0, 3: 0}, "runners": {12: 2}},
        {"owner": {2: 0, 3: 1}, "runners": {12: 3}},
        {"owner": {2: 0}, "runners": {11: 5, 12: 3}},
        {"owner": {2: 0, 3: 0}},
    ],
)
def test_agents_are_told_whether_stopping_wins(board):
    position = set_up(**board)
    foretold = stopping_wins(position.states[0])
    assert play(position, "stop").terminated == foretold


def test_each_triple_of_columns_busts_as_often_as_it_should():
    starts = [set_up(runners=dict.fromkeys(columns, 1)).states for columns in TRIPLES]
    start = np.concatenate(starts).repeat(ROWS_OF_A_TRIPLE)
    games = VectorGame("cant_stop", len(start), autoreset_mode=AutoresetMode.DISABLED)
    games.reset(seed=20)
    actions = np.full(len(start), ROLL)
    busts = np.zeros(len(TRIPLES))
    for _ in range(REPEATS):
        streams = games.states["rng"].copy()
        games.states[:] = start
        games.states["rng"] = streams
        games.refresh()
        games.step(actions)
        busted = games.states["turns"] > 0
        busts += busted.reshape(len(TRIPLES), ROWS_OF_A_TRIPLE).sum(axis=1)
    expected = np.array([chance_of_bust(columns) for columns in TRIPLES])
    off = np.abs(busts / ROLLS_OF_A_TRIPLE - expected)
    assert off.max() < TOLERANCE, f"{TRIPLES[off.argmax()]} is off by {off.max()}"


def test_each_of_the_1296_rolls_comes_as_often():
    game = load_game("cant_stop", num_players=1)
    states = game.new_states(np.arange(500_000, dtype=np.uint64))
    rolls = (states["dice"].astype(int) - 1) @ np.array([216, 36, 6, 1])
    counts = np.bincount(rolls, minlength=len(ROLLS))
    assert chi_square(counts) < chi_square_limit(len(ROLLS))


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_cs2_each_seat_starts_as_often(num_players):
    game = load_game("cant_stop", num_players=num_players)
    states = game.new_states(np.arange(200_000, dtype=np.uint64))
    counts = np.bincount(states["player"], minlength=num_players)
    assert len(counts) == num_players
    assert chi_square(counts) < chi_square_limit(num_players)
