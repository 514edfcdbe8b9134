"""What a board is worth: chances to win, from numbers tuned by self-play.

Each seat has a strength, the sum of what its spaces and its conquered columns count; a
space counts by column and by how many columns its player still needs. The chance of a
seat to win is in proportion to exp(strength), and who is to move next has a bonus.
"""

import math
from typing import Any

from baselines.cant_stop._weights import NEXT, OF_CONQUESTS, OF_SPACE
from cant_stop_env.state import (
    FIRST_COLUMN,
    LAST_COLUMN,
    NOBODY,
    State,
)
from game_core.compiled.jit import jit

MAX_NEEDED = len(OF_CONQUESTS) - 1
"""Columns still needed that are told apart; more count as this many."""


@jit
def needed(state: State, seat: int) -> int:
    """Return how many columns a seat still needs, at least 0."""
    left = state.columns_to_win
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        left -= state.owner[column] == seat
    return max(0, left)


@jit
def of_needed(left: int) -> float:
    """Return what it counts that a seat still needs so many columns."""
    if left <= MAX_NEEDED:
        return OF_CONQUESTS[left]
    step = OF_CONQUESTS[MAX_NEEDED] - OF_CONQUESTS[MAX_NEEDED - 1]
    return OF_CONQUESTS[MAX_NEEDED] + step * (left - MAX_NEEDED)


@jit
def of_space(left: int, column: int, space: int) -> float:
    """Return what a piece on a space counts for a seat that needs so many columns."""
    return OF_SPACE[min(left, MAX_NEEDED), column, space]


@jit
def strength(state: State, seat: int, left: int) -> float:
    """Return the strength of a seat's pieces, as if it needed ``left`` columns."""
    total = of_needed(left)
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        if state.owner[column] == NOBODY:
            total += of_space(left, column, state.pieces[seat, column])
    return total


@jit
def bonus_of_turn(ahead: int, num_players: int) -> float:
    """Return the bonus of who has its turn after ``ahead`` others."""
    return NEXT * (1.0 - ahead / max(1, num_players - 1))


@jit
def chance(strengths: Any, seat: int, num_players: int) -> float:
    """Return the chance of a seat to win, from strengths (players,) with bonuses."""
    total = 0.0
    for other in range(num_players):
        total += math.exp(strengths[other] - strengths[seat])
    return 1.0 / total
