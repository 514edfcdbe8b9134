"""Rewards on the way to the end of a game that leave the best policy the best one.

A potential says about what a position is worth to each seat. With one, a decision of
the learner pays, beside what the game pays,

    gamma * potential(next position) - potential(position)

Both are positions in which the learner decides, so that whatever others move in between
belongs to the step; where a game ends the potential is 0. Discounted by gamma, what is
added in a whole game is then - potential(first position), which no decision changes:
A. Y. Ng, D. Harada, S. Russell, "Policy invariance under reward transformations", ICML
1999. A game that is cut short is not over to a learner, which goes on from the value
of the last position; so the potential of that one counts.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np

from game_core.agents.find import find_potential

__all__ = ["Shaping", "as_shaping"]

Potential = Callable[[np.ndarray], np.ndarray]
"""States (n,) records -> what they are worth to each seat (n, players)."""


class Shaping(NamedTuple):
    """A potential, and the discount that it is for.

    Attributes:
        potential: A function of states, or its name: see
            ``game_core.agents.find.find_potential``.
        gamma: The learner's discount of later rewards. With another one the best
            policy may change.
    """

    potential: Potential | str
    gamma: float = 1.0

    def of(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Return the potentials of states (n,) for seats (n,); 0 at the end.

        Raises:
            ValueError: If the potential returns an array of another shape.
        """
        potential: Any = self.potential
        worth = np.asarray(potential(states), np.float64)
        if worth.ndim != 2 or len(worth) != len(states) or worth.shape[1] <= max(seats):
            raise ValueError(
                f"potential {self.potential!r} returned {worth.shape} for "
                f"{len(states)} states; it should be (n, players)"
            )
        return np.where(states["terminated"], 0.0, worth[np.arange(len(seats)), seats])

    def ready(self, game_id: str) -> Self:
        """Return the same with the function that a name stands for.

        Raises:
            ValueError: If there is none, or gamma is not from 0 to 1.
        """
        gamma: Any = self.gamma
        if not isinstance(gamma, int | float) or not 0 <= gamma <= 1:
            raise ValueError(f"gamma={gamma!r} is not allowed; give 0 to 1")
        if isinstance(self.potential, str):
            return self._replace(potential=find_potential(self.potential, game_id))
        if not callable(self.potential):
            raise ValueError(
                f"potential={self.potential!r} is not allowed; give a function of "
                "states, or its name"
            )
        return self


def as_shaping(shaping: Any, game_id: str) -> Shaping:
    """Return a shaping that is ready for a game.

    Raises:
        ValueError: If it is none, or one that cannot be.
    """
    if not isinstance(shaping, Shaping):
        raise ValueError(
            f"shaping={shaping!r} is not allowed; give a "
            "game_core.envs.shaping.Shaping, for instance "
            "Shaping('cards', gamma=0.99), or None"
        )
    return shaping.ready(game_id)
