"""What a player of Can't Stop may want to know before it rolls or stops.

The chances are exact: they count the 1296 ways that four dice can fall.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Iterable
from typing import Any

from cant_stop_env.rules import FACES
from cant_stop_env.state import HEIGHT, NOBODY, NUM_DICE

HEIGHTS = HEIGHT.tolist()


def chance_of_move(columns: Iterable[int]) -> float:
    """Return the chance that a roll makes at least one of the columns.

    For instance 0.9198 for 6, 7 and 8, and 0.4383 for 2, 3 and 12.
    """
    return _chance(frozenset(columns))


def success_chance(state: Any) -> float:
    """Return the chance that a roll in this position does not end the turn (CS8)."""
    return _chance(movable_columns(state))


def movable_columns(state: Any) -> frozenset[int]:
    """Return the columns that a runner can enter or go up in (CS4, CS11, CS12)."""
    owner = state.owner.tolist()
    free = state.free_runners > 0
    return frozenset(
        column
        for column, space in enumerate(state.runners.tolist())
        if owner[column] == NOBODY and (0 < space < HEIGHTS[column] or free > space)
    )


def stopping_wins(state: Any) -> bool:
    """Tell whether the player to move would win by stopping now (CS14)."""
    conquests = state.owner.tolist().count(state.player)
    for space, top in zip(state.runners.tolist(), HEIGHTS, strict=True):
        conquests += 0 < space == top
    return bool(conquests >= state.columns_to_win)


@functools.cache
def _chance(columns: frozenset[int]) -> float:
    rolls = _rolls_by_sums()
    good = sum(count for sums, count in rolls.items() if sums & columns)
    return good / rolls.total()


@functools.cache
def _rolls_by_sums() -> Counter[frozenset[int]]:
    """Count the rolls by the sums that two of their dice can make (CS3)."""
    faces = range(1, FACES + 1)
    return Counter(
        frozenset(map(sum, itertools.combinations(dice, 2)))
        for dice in itertools.product(faces, repeat=NUM_DICE)
    )
