"""The exact odds of Can't Stop, against counting by the rules themselves."""

import itertools

import numpy as np
import pytest

from cant_stop_env import rules
from cant_stop_env.odds import (
    chance_of_move,
    movable_columns,
    stopping_wins,
    success_chance,
)
from cant_stop_env.state import STOP
from game_core import Position
from tests.cant_stop.positions import ROLLS, set_up
from tests.games import VARIANTS
from tests.naive.cant_stop import SPACES

COLUMNS = range(2, 13)
TRIPLES = list(itertools.combinations(COLUMNS, 3))


def counted_success_chance(position: Position) -> float:
    """Return the part of all rolls that the rules allow a move for."""
    good = 0
    for dice in ROLLS:
        state = position.copy().states[0]
        state.dice[:] = dice
        rules.find_choices(state)
        good += state.num_choices > 0
    return good / len(ROLLS)


def random_position(rng: np.random.Generator, occupied: str) -> Position:
    """Return a position with any conquered columns and runners, tops included."""
    columns = rng.permutation(COLUMNS).tolist()
    conquered, placed = rng.integers(9), rng.integers(4)
    return set_up(
        owner={column: column % 4 for column in columns[:conquered]},
        runners={
            column: int(rng.integers(1, SPACES[column] + 1))
            for column in columns[8 : 8 + placed]
        },
        num_players=4,
        columns_to_win=5,
        occupied=occupied,
    )


@pytest.mark.parametrize(
    ("columns", "chance"), [((6, 7, 8), 0.9198), ((2, 3, 12), 0.4383)]
)
def test_the_published_chances(columns, chance):
    assert round(chance_of_move(columns), 4) == chance


def test_a_chance_counts_the_rolls_that_make_one_of_the_columns():
    for columns in ((7,), (2, 12), (4, 6, 8), (2, 3, 11, 12)):
        good = sum(
            any(a + b in columns for a, b in itertools.combinations(dice, 2))
            for dice in ROLLS
        )
        assert chance_of_move(columns) == good / 1296


def test_all_triples_are_between_the_best_and_the_worst():
    chances = [chance_of_move(columns) for columns in TRIPLES]
    assert len(chances) == 165
    assert max(chances) == chance_of_move({6, 7, 8})
    assert min(chances) == chance_of_move({2, 3, 12}) == chance_of_move({2, 11, 12})


def test_another_column_never_lowers_a_chance():
    for columns, another in itertools.product(TRIPLES, COLUMNS):
        more = chance_of_move({*columns, another})
        assert (more > chance_of_move(columns)) or another in columns


def test_dice_mirrored_have_the_same_chances():
    for columns in TRIPLES:
        mirrored = {14 - column for column in columns}
        assert chance_of_move(columns) == chance_of_move(mirrored)


def test_no_column_and_all_columns():
    assert chance_of_move(()) == 0.0
    assert chance_of_move(COLUMNS) == 1.0


@pytest.mark.parametrize("occupied", VARIANTS)
def test_the_chance_of_a_position_is_what_the_rules_allow(occupied):
    rng = np.random.default_rng(3)
    chances = set()
    for _ in range(15):
        position = random_position(rng, occupied)
        chance = success_chance(position.states[0])
        assert chance == counted_success_chance(position)
        chances.add(chance)
    assert len(chances) > 10


def test_columns_to_move_in():
    position = set_up(runners={2: 3, 6: 4, 7: 13}, owner={12: 0})
    assert movable_columns(position.states[0]) == {6}
    position = set_up(runners={2: 3, 6: 4}, owner={12: 0, 8: 1})
    assert movable_columns(position.states[0]) == {3, 4, 5, 6, 7, 9, 10, 11}


@pytest.mark.parametrize(
    ("owner", "runners", "columns_to_win"),
    [
        ({}, {2: 3, 3: 5, 12: 3}, 3),
        ({}, {2: 3, 3: 5, 12: 2}, 3),
        ({6: 0, 7: 0}, {2: 3}, 3),
        ({6: 0, 7: 0}, {2: 2}, 3),
        ({6: 0, 7: 1}, {2: 3}, 3),
        ({6: 0, 7: 0}, {2: 3}, 4),
    ],
)
def test_stopping_wins_when_the_rules_say_so(owner, runners, columns_to_win):
    position = set_up(owner=owner, runners=runners, columns_to_win=columns_to_win)
    foretold = stopping_wins(position.states[0])
    position.step(STOP)
    assert foretold == position.terminated
