"""The agent that every other one should beat."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from game_core.agents.agent import View
from game_core.compiled.rng import below, unit_float
from game_core.compiled.rules import Rule

__all__ = ["choose", "choose_vector", "random"]

if TYPE_CHECKING:  # names of the game that policies are bound to
    legal_actions = cast(Rule, None)
    low = high = np.zeros(0)


def random(view: View) -> Any:
    """Play a uniformly random legal action."""
    return view.sample_action()


def choose(state: Any, memory: Any) -> int:
    """Return any legal action, each as likely: the same agent as a policy."""
    mask = np.zeros(memory.num_actions, np.int8)
    legal_actions(state, mask)
    skip = below(memory, mask.sum())
    action = 0
    while skip > 0 or mask[action] == 0:
        skip -= mask[action]
        action += 1
    return action


def choose_vector(state: Any, memory: Any) -> Any:
    """The same where actions are continuous; return a new array (k,) float32."""
    action = np.empty(len(low), np.float32)
    for k in range(len(low)):
        action[k] = low[k] + (high[k] - low[k]) * unit_float(memory)
    return action
