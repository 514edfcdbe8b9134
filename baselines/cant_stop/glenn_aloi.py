"""The Rule of 28 with numbers that a genetic algorithm found.

J. Glenn, C. Aloi, "A Generalized Heuristic for Can't Stop", FLAIRS 2009: the champion
of their search for few turns in the solitaire game, which takes 19 % fewer than the
Rule of 28. A choice counts the spaces moved, less 6 for each runner that enters, and
the turn goes on while a free runner has a column to enter, as in the public programs
that play it. What they leave open is decided in ``_heuristic.py``.
"""

from typing import Any

from baselines.cant_stop._heuristic import decide, weights
from cant_stop_env.state import State
from game_core.agents.agent import View
from game_core.compiled.jit import jit

__all__ = ["WEIGHTS", "choose", "glenn_aloi"]

# By column, 2 to 12.
PROGRESS = (7, 7, 3, 2, 2, 1, 2, 2, 3, 7, 7)
CHOICE = (7, 0, 2, 0, 4, 3, 4, 0, 2, 0, 7)

WEIGHTS = weights(
    progress=PROGRESS,
    choice=CHOICE,
    difficulty=(7, 1, 5, 6),
    marker=6,
    enough=29,
    uses_all=True,
)


def glenn_aloi(view: View) -> int:
    """Play the Rule of 28 with weights that a genetic algorithm found."""
    return int(decide(WEIGHTS[0], view.state))


@jit
def choose(state: State, memory: Any) -> int:
    """Return the action: the same agent as a policy."""
    return decide(WEIGHTS[0], state)
