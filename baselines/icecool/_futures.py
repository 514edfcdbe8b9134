"""What a position leads to, some flicks further on: replies, and the next own flick.

For each turn the best shots of the aimer's are tried, and a narrow fan; whoever is to
move takes the flick that is worth most to it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from baselines.icecool._actions import nearest
from baselines.icecool._value import write_values
from baselines.icecool._weights import WEIGHTS
from baselines.icecool.planner import SKATES_GAIN, flicks
from game_core.compiled.jit import jit
from game_core.compiled.record import copy_records
from game_core.game import Game
from game_core.position import Position
from icecool_env.rules import decide_on_skates, put_on_circle
from icecool_env.state import CARDS_FOR_SKATES, FISH_DOORS, NONE, SKATES

SAME_PLACE = 12.0
"""Positions are alike if no penguin is farther off in x or y, in millimetres."""

DIRECTIONS = 8
"""Of the fan: of the seat's own next flick, and of the replies of all others."""


class Futures:
    """Looks ahead for one seat, in one round.

    Attributes:
        flicks: How many were played so far.
    """

    def __init__(self, position: Position, seat: int, rng: np.random.Generator) -> None:
        """Look ahead for a seat from a position; ``rng`` turns the fans of flicks."""
        self.flicks = 0
        self._game: Game = position.game
        self._seat = seat
        self._rng = rng
        self._round = int(position.state.round_number)
        ones = int(position.state.face_down[seat, 1])
        self._skater = seat if ones >= CARDS_FOR_SKATES else NONE

    def play(
        self, states: np.ndarray, actions: np.ndarray, asked: int = NONE
    ) -> np.ndarray:
        """Return what flicks (k,) or (k, 6) lead to from a position (1,).

        Args:
            states: The position.
            actions: The flicks.
            asked: A seat that will be asked about skates. All others decline: whether
                they hold the cards is not known.
        """
        copies = np.repeat(states, len(actions))
        self._game.loops.step_all(copies, actions)
        decline_skates(copies, asked)
        self.flicks += len(actions)
        return copies

    def first(self, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Return what flicks of the seat's lead to; it is asked if it has skates now.

        A card that it may draw on the way is not counted on.
        """
        return self.play(states, actions, asked=self._skater)

    def values(self, states: np.ndarray) -> np.ndarray:
        """Return what positions (k,) are worth to each seat (k, players), in cards."""
        out = np.zeros((len(states), self._game.num_players))
        write_values(states, self._round, WEIGHTS, out)
        return out

    def worth(self, states: np.ndarray) -> float:
        """Return what a position (1,) leads to by the seat's next flick, in cards."""
        state = states[0]
        if state.terminated or int(state.round_number) != self._round:
            return float(self.values(states)[0, self._seat])
        if state.phase == SKATES:
            declined, accepted = copy_records(states), copy_records(states)
            decline_skates(declined, NONE)
            accept_skates(accepted)
            again = self.worth(accepted) - SKATES_GAIN
            return max(self.worth(declined), again)
        mover = int(state.player)
        copies = self.play(states, self._few_flicks(states))
        values = self.values(copies)
        best = int(values[:, mover].argmax())
        if mover == self._seat:
            return float(values[best, mover])
        return self.worth(copies[best : best + 1])

    def _few_flicks(self, states: np.ndarray) -> np.ndarray:
        """Return flicks to try for the player to move: the aimer's best, and a fan."""
        player, others = int(states[0].player), self._game.num_players - 1
        directions = DIRECTIONS if player == self._seat else DIRECTIONS // others
        actions = flicks(states[0], player, self._rng, directions)
        if not self._game.discrete:
            return actions
        return np.unique(nearest(Position(self._game, states), actions))


def unlike(states: np.ndarray, values: np.ndarray) -> Iterator[int]:
    """Yield the rows of best values, but none whose position is like one before."""
    yielded: list[int] = []
    for i in np.argsort(-values, kind="stable").tolist():
        if not any(alike(states[i], states[j]) for j in yielded):
            yielded.append(i)
            yield i


@jit
def alike(one: Any, other: Any) -> bool:
    """Tell whether two positions differ by little, and only in where penguins are."""
    if one.player != other.player or one.round_number != other.round_number:
        return False
    for seat in range(one.num_players):
        if (
            abs(one.x[seat] - other.x[seat]) > SAME_PLACE
            or abs(one.y[seat] - other.y[seat]) > SAME_PLACE
            or one.caught[seat] != other.caught[seat]
        ):
            return False
        for fish in range(FISH_DOORS):
            if one.fish_taken[seat, fish] != other.fish_taken[seat, fish]:
                return False
    return True


@jit
def decline_skates(states: np.ndarray, asked: int) -> None:
    """Pass the turn on where another seat than ``asked`` is asked about skates."""
    for i in range(len(states)):
        state = states[i]
        over = state.terminated or state.truncated
        if state.phase == SKATES and state.player != asked and not over:
            decide_on_skates(state, False)
            put_on_circle(state)


@jit
def accept_skates(states: np.ndarray) -> None:
    """Take another turn in all positions (k,), in which somebody is asked."""
    for i in range(len(states)):
        decide_on_skates(states[i], True)
        put_on_circle(states[i])
