"""The generalized heuristic: points for moves, and for a turn until it is enough.

J. Glenn, C. Aloi, "A Generalized Heuristic for Can't Stop", FLAIRS 2009: Keller's Rule
of 28 with other numbers in it. What the paper leaves to the player is ours: the first
of equal choices is taken; a turn that has won stops; a player who may not stop, in the
variant "no rest", rolls; and in the variant "jump" the spaces that a runner skipped
count as advanced.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cant_stop_env.rules import may_stop
from cant_stop_env.state import (
    COLUMNS_OF_ACTION,
    FIRST_COLUMN,
    HEIGHT,
    LAST_COLUMN,
    NOBODY,
    NUM_RUNNERS,
    ROLL,
    STOP,
    State,
)
from game_core.compiled.jit import jit

MIDDLE = 7

WEIGHTS = np.dtype(
    (
        np.record,
        [
            ("progress", np.float64, (LAST_COLUMN + 1,)),  # of a space, by column
            ("choice", np.float64, (LAST_COLUMN + 1,)),  # of a space to move to
            ("marker", np.float64),  # what a runner that enters costs a choice
            ("odds", np.float64),  # added for three odd columns
            ("evens", np.float64),  # for three even ones
            ("lows", np.float64),  # for three up to 7
            ("highs", np.float64),  # for three from 7 on
            ("enough", np.float64),  # points of a turn that stops
            ("uses_all", np.bool_),  # whether it rolls while a runner can enter
        ],
    )
)


def weights(
    progress: Sequence[float],
    choice: Sequence[float],
    difficulty: tuple[float, float, float, float],
    *,
    marker: float,
    enough: float,
    uses_all: bool,
) -> np.ndarray:
    """Return the numbers of a heuristic as a record (1,).

    Args:
        progress: Points of a space advanced, for the columns 2 to 12.
        choice: Points of a space when columns are chosen, for the columns 2 to 12.
        difficulty: Added for three odd, even, low and high columns.
        marker: Taken off for each runner that enters, when columns are chosen.
        enough: Points of a turn that stops.
        uses_all: Whether it rolls as long as a free runner has a column to enter.
    """
    record = np.zeros(1, WEIGHTS)
    record["progress"][0, FIRST_COLUMN:] = progress
    record["choice"][0, FIRST_COLUMN:] = choice
    for name, points in zip(
        ("odds", "evens", "lows", "highs"), difficulty, strict=True
    ):
        record[name] = points
    record["marker"], record["enough"] = marker, enough
    record["uses_all"] = uses_all
    return record


@jit
def decide(weights: Any, state: State) -> int:
    """Return the choice with the most points; or whether to roll or to stop."""
    if state.choosing:
        return best_choice(weights, state)
    if not may_stop(state):
        return ROLL
    if stopping_wins(state):
        return STOP
    if weights.uses_all and can_enter(state):
        return ROLL
    return STOP if points_of_turn(weights, state) >= weights.enough else ROLL


@jit
def best_choice(weights: Any, state: State) -> int:
    """Return the choice with the most points, the lowest of equals."""
    best, most = -1, -np.inf
    for k in range(state.num_choices):
        action = state.choices[k]
        points = points_of_choice(weights, state, action)
        if points > most or (points == most and action < best):
            best, most = action, points
    return best


@jit
def points_of_choice(weights: Any, state: State, action: int) -> float:
    """Count the spaces gained, a double twice, less what runners that enter cost."""
    first, second = COLUMNS_OF_ACTION[action]
    points = weights.choice[first]
    if state.runners[first] == 0:
        points -= weights.marker
    if second != 0:
        points += weights.choice[second]
        if second != first and state.runners[second] == 0:
            points -= weights.marker
    return points


@jit
def points_of_turn(weights: Any, state: State) -> float:
    """Count the spaces advanced, one more for each runner, and the difficulty."""
    points, placed, odd, low, high = 0.0, 0, 0, 0, 0
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        space = state.runners[column]
        if space > 0:
            advanced = space - state.pieces[state.player, column]
            points += (advanced + 1) * weights.progress[column]
            placed += 1
            odd += column % 2
            low += column <= MIDDLE
            high += column >= MIDDLE
    if placed == NUM_RUNNERS:
        if odd == NUM_RUNNERS:
            points += weights.odds
        if odd == 0:
            points += weights.evens
        if low == NUM_RUNNERS:
            points += weights.lows
        if high == NUM_RUNNERS:
            points += weights.highs
    return points


@jit
def stopping_wins(state: State) -> bool:
    """Tell whether the player to move would win by stopping (CS14)."""
    conquered, conquests = 0, 0
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        conquered += state.owner[column] == state.player
        conquests += state.runners[column] == HEIGHT[column]
    return conquests > 0 and conquered + conquests >= state.columns_to_win


@jit
def can_enter(state: State) -> bool:
    """Tell whether a free runner has a column to enter (CS4)."""
    if state.free_runners == 0:
        return False
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        if state.owner[column] == NOBODY and state.runners[column] == 0:
            return True
    return False
