"""What a decision does: the rules, with physics between setting up and judging."""

from typing import Any

import numpy as np

from icecool_env import grid, rules
from icecool_env.physics.flick import flick_code, run_flick
from icecool_env.state import (
    FLICK,
    MAX_EVENTS,
    NUM_COMPONENTS,
    NUM_EVENT_FIELDS,
    PLACE,
    State,
)

__all__ = ["step", "step_on_grid"]


@flick_code
def step(state: State, action: Any) -> None:
    """Play a decision: six numbers from -1 to 1, of which the phase takes its own."""
    if state.phase == PLACE:
        rules.place(state, np.float64(action[0]), np.float64(action[1]))
    elif state.phase == FLICK:
        rules.set_up_flick(state, action)
        events = np.empty((MAX_EVENTS, NUM_EVENT_FIELDS), np.int64)
        _, num_events = run_flick(state, events, np.empty((0, 0, 0)))
        rules.judge(state, events[:num_events])
    else:
        rules.decide_on_skates(state, action[0] > 0.0)
    rules.put_on_circle(state)


@flick_code
def step_on_grid(state: State, number: int) -> None:
    """Play a decision of the discrete game."""
    action = np.empty(NUM_COMPONENTS, np.float32)
    grid.write_action(state, number, action)
    step(state, action)
