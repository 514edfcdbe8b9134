"""Roll while the turn's rolls, the next one included, were more likely safe than not.

A rule of thumb of players of Can't Stop. It needs the past of the turn, which the
board does not show, so the agent is an object that remembers.
"""

from typing import Any

import numpy as np

from baselines.cant_stop._heuristic import can_enter, stopping_wins
from baselines.cant_stop._rolls import CHANCE
from cant_stop_env.rules import can_move_in, may_stop
from cant_stop_env.state import (
    COLUMNS_OF_ACTION,
    FIRST_COLUMN,
    HEIGHT,
    LAST_COLUMN,
    NUM_RUNNERS,
    ROLL,
    STOP,
    State,
)
from game_core.agents.agent import View
from game_core.agents.policy import MEMORY
from game_core.compiled.jit import jit

__all__ = ["FiftyPercent", "fifty_percent", "gain"]

ENOUGH = 0.5

SURVIVED = 0
"""Place in the memory: the chance of having survived this turn's rolls."""


class FiftyPercent:
    """Roll while the chance of surviving the whole turn is at least 50 %.

    That is the product of the exact chances that each roll of this turn had, and the
    next one has, to allow a move. As long as a free runner has a column to enter the
    agent rolls; a turn that has won stops. Of the choices of columns it takes the one
    that gains most, where a space counts as its part of the column's height.

    An object can play all seats, but one game at a time.
    """

    def __init__(self) -> None:
        self._memory = np.zeros(1, MEMORY)[0]

    def act(self, view: View) -> int:
        """Return the columns that gain most; or whether to roll or to stop."""
        return int(choose(view.state, self._memory))


@jit
def choose(state: State, memory: Any) -> int:
    """Return the action: the same agent as a policy."""
    if state.choosing:
        count_roll(state, memory)
        return best_choice(state)
    return ROLL if rolls_again(state, memory) else STOP


@jit
def count_roll(state: State, memory: Any) -> None:
    """Multiply by the chance that the roll just made had."""
    if state.free_runners == NUM_RUNNERS:  # the first roll of the turn
        memory.numbers[SURVIVED] = 1.0
    memory.numbers[SURVIVED] *= success_chance(state)


@jit
def rolls_again(state: State, memory: Any) -> bool:
    """Tell whether to roll."""
    if not may_stop(state):
        return True
    if stopping_wins(state):
        return False
    if can_enter(state):
        return True
    survived = memory.numbers[SURVIVED]
    if survived == 0.0:  # it has not seen this turn's rolls
        survived = 1.0
    return survived * success_chance(state) >= ENOUGH


@jit
def best_choice(state: State) -> int:
    """Return the choice that gains most, the lowest of equals."""
    best, most = -1, 0.0
    for k in range(state.num_choices):
        action = state.choices[k]
        gained = gain(action)
        if gained > most or (gained == most and action < best):
            best, most = action, gained
    return best


@jit
def gain(action: int) -> float:
    """Return the spaces that a choice gains, each as a part of its column's height."""
    gained = 0.0
    for k in range(2):
        column = COLUMNS_OF_ACTION[action, k]
        if column != 0:
            gained += 1.0 / int(HEIGHT[column])
    return gained


@jit
def success_chance(state: State) -> float:
    """Return the chance that a roll in this position does not end the turn (CS8)."""
    columns = 0
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        columns |= can_move_in(state, column) << column
    return CHANCE[columns]


fifty_percent = FiftyPercent
