"""Roll while the turn's rolls, the next one included, were more likely safe than not.

A rule of thumb of players of Can't Stop. It needs the past of the turn, which the
board does not show, so the agent is an object that remembers.
"""

from typing import Any
from weakref import WeakKeyDictionary

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

    One object can play several seats and games at a time. Rolls of a turn that it did
    not see from its beginning do not count.
    """

    def __init__(self) -> None:
        # The chance of having survived this turn, by seat and game: each has a
        # generator of its own, whose lock, unlike itself, can be a weak key.
        self._survived: WeakKeyDictionary[Any, float] = WeakKeyDictionary()

    def act(self, view: View) -> int:
        """Return the columns that gain most; or whether to roll or to stop."""
        if view.state.choosing:
            self._count_roll(view)
            return max(view.legal_actions.tolist(), key=gain)
        return ROLL if self._rolls_again(view) else STOP

    def _count_roll(self, view: View) -> None:
        """Multiply by the chance that the roll just made had."""
        state, key = view.state, view.rng.bit_generator.lock
        begins = state.free_runners == NUM_RUNNERS
        survived = 1.0 if begins else self._survived.get(key, 1.0)
        self._survived[key] = survived * success_chance(state)

    def _rolls_again(self, view: View) -> bool:
        state = view.state
        if not view.action_mask[STOP]:
            return True
        if stopping_wins(state):
            return False
        columns, runners = movable_columns(state), state.runners.tolist()
        if any(runners[column] == 0 for column in columns):
            return True
        survived = self._survived.get(view.rng.bit_generator.lock, 1.0)
        return survived * chance_of_move(columns) >= ENOUGH


def gain(action: int) -> float:
    """Return the spaces that a choice gains, each as a part of its column's height."""
    return sum(1 / HEIGHTS[column] for column in COLUMNS[action] if column)


fifty_percent = FiftyPercent
