"""One turn of Can't Stop as an obvious, slow expectimax: an oracle for `_turn.py`.

Which choices there are, where runners go and what stopping leads to is asked of the
rules; what the board is worth then, of ``_values.py``.
"""

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np

from baselines.cant_stop._values import bonus_of_turn, chance, needed, strength
from cant_stop_env import rules
from game_core import Position
from game_core.compiled.record import copy_records

ROLLS = Counter(tuple(sorted(d)) for d in itertools.product(range(1, 7), repeat=4))


class NaiveTurn:
    """The turn that a position is in the middle of."""

    def __init__(self, position: Position) -> None:
        self.states = position.states
        self.seat = position.player
        self.before = self._strengths(position.state)
        self.bust = self._worth(position.state)
        self.known: dict[tuple[int, ...], float] = {}

    def value_of_choices(self) -> dict[int, float]:
        """Return action -> value, for a position in which columns are chosen."""
        state = self.states[0]
        actions = state.choices[: state.num_choices].tolist()
        return {action: self._value_after(self.states, action) for action in actions}

    def value_of_stop(self, states: Any) -> float:
        """Return what the board is worth once the rules have placed the pieces."""
        after = copy_records(states)[0]
        rules.stop(after)
        if rules.columns_won(after, self.seat) >= after.columns_to_win:
            return 1.0
        return self._worth(after)

    def value_of_roll(self, states: Any) -> float:
        """Return the mean over all rolls of what the best choice is worth."""
        rolled = copy_records(states)
        state = rolled[0]
        after: dict[int, float] = {}
        total = 0.0
        for dice, count in ROLLS.items():
            state.dice[:] = dice
            rules.find_choices(state)
            actions = state.choices[: state.num_choices].tolist()
            for action in actions:
                if action not in after:
                    after[action] = self._value_after(states, action)
            total += count * max((after[a] for a in actions), default=self.bust)
        return total / ROLLS.total()

    def _value_after(self, states: Any, action: int) -> float:
        moved = copy_records(states)
        rules.move_runners(moved[0], action)
        return self._value(moved)

    def _value(self, states: Any) -> float:
        runners = tuple(states[0].runners.tolist())
        if runners not in self.known:
            best = self.value_of_roll(states)
            if rules.may_stop(states[0]):
                best = max(best, self.value_of_stop(states))
            self.known[runners] = best
        return self.known[runners]

    def _strengths(self, state: Any) -> np.ndarray:
        """Return what each board counts, and who plays earlier more."""
        n = state.num_players
        return np.array(
            [
                strength(state, seat, needed(state, seat))
                + bonus_of_turn((seat - self.seat - 1) % n, n)
                for seat in range(n)
            ]
        )

    def _worth(self, state: Any) -> float:
        """Return the chance to win; alone, against the board before the turn."""
        strengths = self._strengths(state)
        if len(strengths) == 1:
            return 1 / (1 + math.exp(self.before[0] - strengths[0]))
        return chance(strengths, self.seat, len(strengths))
