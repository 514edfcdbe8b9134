"""The Rule of 28: stop a turn of Can't Stop once its progress counts 28 points.

From Michael Keller, "Can't Stop? Try the Rule of 28", 1986
(http://www.solitairelaboratory.com/cantstop.html), as James Glenn and Christian Aloi
describe it in "A Generalized Heuristic for Can't Stop", FLAIRS 2009.

Keller's are the points of a space, the points of a turn and when to stop. He leaves
the choice of columns to the player; counting the points of the moves, less 6 for each
runner that enters, is how Glenn plays it. What neither says is decided in
``_heuristic.py``, where the points are counted.
"""

from typing import Any

from baselines.cant_stop._heuristic import decide, weights
from cant_stop_env.state import State
from game_core.agents.agent import View
from game_core.compiled.jit import jit

__all__ = ["WEIGHTS", "choose", "rule_of_28"]

# By column, 2 to 12: 1 for 7, 2 for 6 and 8, and so on to 6 for 2 and 12.
POINTS = (6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6)

WEIGHTS = weights(
    progress=POINTS,
    choice=POINTS,
    difficulty=(2, -2, 4, 4),
    marker=6,
    enough=28,
    uses_all=False,
)


def rule_of_28(view: View) -> int:
    """Choose the columns with most points, and roll until the turn is worth 28."""
    return int(decide(WEIGHTS[0], view.state))


@jit
def choose(state: State, memory: Any) -> int:
    """Return the action: the same agent as a policy."""
    return decide(WEIGHTS[0], state)
