"""Roll while the turn's rolls, the next one included, were more likely safe than not.

A rule of thumb of players of Can't Stop. It needs the past of the turn, which the
board does not show, so the agent is an object that remembers.
"""

from typing import Any

from cant_stop_env.odds import (
    HEIGHTS,
    chance_of_move,
    movable_columns,
    stopping_wins,
    success_chance,
)
from cant_stop_env.state import COLUMNS_OF_ACTION, NUM_RUNNERS, ROLL, STOP
from game_core.agent import View

ENOUGH = 0.5
COLUMNS: list[list[int]] = COLUMNS_OF_ACTION.tolist()


class FiftyPercent:
    """Roll while the chance of surviving the whole turn is at least one half.

    That is the product of the exact chances that each roll of this turn had, and the
    next one has, to allow a move. As long as a free runner has a column to enter the
    agent rolls; a turn that has won stops. Of the choices of columns it takes the one
    that gains most, where a space counts as its part of the column's height.

    An object can play all seats, but one game at a time.
    """

    def __init__(self) -> None:
        self._survived = 1.0  # the chance of having survived this turn's rolls

    def act(self, view: View) -> int:
        """Return the columns that gain most; or whether to roll or to stop."""
        if view.state.choosing:
            self._count_roll(view.state)
            return max(view.legal_actions.tolist(), key=gain)
        return ROLL if self._rolls_again(view) else STOP

    def _count_roll(self, state: Any) -> None:
        """Multiply by the chance that the roll just made had."""
        if state.free_runners == NUM_RUNNERS:  # the first roll of the turn
            self._survived = 1.0
        self._survived *= success_chance(state)

    def _rolls_again(self, view: View) -> bool:
        state = view.state
        if not view.action_mask[STOP]:
            return True
        if stopping_wins(state):
            return False
        columns, runners = movable_columns(state), state.runners.tolist()
        if any(runners[column] == 0 for column in columns):
            return True
        return self._survived * chance_of_move(columns) >= ENOUGH


def gain(action: int) -> float:
    """Return the spaces that a choice gains, each as a part of its column's height."""
    return sum(1 / HEIGHTS[column] for column in COLUMNS[action] if column)


fifty_percent = FiftyPercent
