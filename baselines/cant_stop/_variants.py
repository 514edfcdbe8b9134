"""The generalized heuristic with other numbers, as compiled policies."""

from typing import TYPE_CHECKING, Any

import numpy as np

from baselines.cant_stop._heuristic import decide as decide_by
from cant_stop_env.state import State
from game_core.game import Game

if TYPE_CHECKING:  # names that mean something once bound
    decide = decide_by
    WEIGHTS = np.zeros(0)


def choose(state: State, memory: Any) -> int:
    """Return the action, by the numbers that this is bound to."""
    return decide(WEIGHTS[0], state)


def heuristic_policy(game: Game, weights: np.ndarray) -> Any:
    """Return the agent that plays by these numbers, as a compiled policy.

    Args:
        game: Can't Stop, with any options.
        weights: (1,) record, as ``_heuristic.weights`` returns it.
    """
    binding = game.loops.binding.extend(decide=decide_by, WEIGHTS=weights)
    return binding.bind([choose])[0]


def with_enough(weights: np.ndarray, enough: float) -> np.ndarray:
    """Return a copy of some weights by which a turn stops at other points."""
    changed = weights.copy()
    changed["enough"] = enough
    return changed
