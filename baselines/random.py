"""The agent that every other one should beat."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from game_core.agent import View
from game_core.rng import below
from game_core.verbs import Verb

if TYPE_CHECKING:  # names of the game that ``choose`` is bound to
    legal_actions = cast(Verb, None)
    num_actions = 0


def random(view: View) -> Any:
    """Play any legal action, each as likely."""
    return view.sample_action()


def choose(state: Any, memory: Any) -> int:
    """Return any legal action, each as likely: the same agent as a policy."""
    mask = np.zeros(num_actions, np.int8)
    legal_actions(state, mask)
    skip = below(memory, mask.sum())
    action = 0
    while skip > 0 or mask[action] == 0:
        skip -= mask[action]
        action += 1
    return action
