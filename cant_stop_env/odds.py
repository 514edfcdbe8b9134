"""What a player of Can't Stop may want to know before it rolls or stops.

The chances are exact: they count the 1296 ways that four dice can fall.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Iterable

from cant_stop_env.rules import FACES
from cant_stop_env.state import (
    HEIGHT,
    NOBODY,
    NUM_DICE,
    State,
)

__all__ = ["chance_of_move", "movable_columns", "stopping_wins", "success_chance"]

HEIGHTS: list[int] = HEIGHT.tolist()


def chance_of_move(columns: Iterable[int]) -> float:
    """Return the chance that a roll makes at least one of the columns.

    For instance 0.9198 for 6, 7 and 8, and 0.4383 for 2, 3 and 12.
    """
    return _chance(frozenset(columns))


def success_chance(state: State) -> float:
    """Return the chance that a roll in this position does not end the turn (CS8)."""
    return _chance(movable_columns(state))


def movable_columns(state: State) -> frozenset[int]:
    """Return the columns that a runner can enter or go up in (CS4, CS11, CS12)."""
    runners, owner = state.runners.tolist(), state.owner.tolist()
    lowest = 0 if state.free_runners > 0 else 1  # a free runner enters from space 0
    return frozenset(
        column
        for column, space in enumerate(runners)
        if owner[column] == NOBODY and lowest <= space < HEIGHTS[column]
    )


def stopping_wins(state: State) -> bool:
    """Tell whether the player to move would win by stopping (CS14)."""
    runners = state.runners.tolist()
    conquests = sum(0 < space == HEIGHTS[c] for c, space in enumerate(runners))
    if conquests == 0:
        return False
    conquered = state.owner.tolist().count(state.player)
    return bool(conquered + conquests >= state.columns_to_win)


@functools.cache
def _chance(columns: frozenset[int]) -> float:
    rolls = _rolls_by_sums()
    good = sum(count for sums, count in rolls.items() if sums & columns)
    return good / rolls.total()


@functools.cache
def _rolls_by_sums() -> Counter[frozenset[int]]:
    """Count the rolls by the sums that two of their dice can make (CS3)."""
    rolls = itertools.product(range(1, FACES + 1), repeat=NUM_DICE)
    return Counter(
        frozenset(map(sum, itertools.combinations(dice, 2))) for dice in rolls
    )
