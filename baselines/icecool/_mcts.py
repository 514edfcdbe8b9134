"""What a tree search knows of ICECOOL: which flicks to try, and what they lead to."""

import math
from typing import Any

import numpy as np

from baselines.icecool._shots import (
    MAX_SHOTS,
    POWER,
    SHOT,
    TO_X,
    TO_Y,
    WISH,
    list_shots,
)
from baselines.icecool._value import write_value
from baselines.icecool._weights import WEIGHTS
from baselines.icecool.aimer import score
from baselines.search.search import Hooks
from game_core.compiled.jit import jit
from game_core.compiled.rng import unit_float
from icecool_env.state import (
    FLICK,
    MAX_ROOMS,
    NUM_COMPONENTS,
    RED_LINE,
    SKATES,
    STRENGTH,
    State,
    X,
    Y,
)

SCALE = 4.0
"""Cards that make about the difference between an even and a decided game."""

AIMED = 0.7
"""Part of the flicks that are aimed after the best shot; the others are any."""

SHAKE = 0.06
"""How far an aimed flick is varied, at most, in direction and strength."""


@jit
def is_cut(state: State, root: Any) -> bool:
    """Tell whether the round that the search began in has ended."""
    return state.round_number != root.round_number


@jit
def evaluate(state: State, out: np.ndarray) -> None:
    """Write what a position is worth to each seat (players,), from -1 to 1."""
    write_value(state, state.round_number, WEIGHTS, out)
    for seat in range(state.num_players):
        out[seat] = math.tanh(out[seat] / SCALE)


@jit
def propose(state: State, tried: int, memory: Any, action: Any) -> None:
    """Write a flick: the best shot that geometry knows, then one of the others, or any.

    In answer to whether another turn on skates is wanted it is yes first, then no.
    """
    for k in range(NUM_COMPONENTS):
        action[k] = 2.0 * unit_float(memory) - 1.0
    if state.phase == SKATES:
        action[X] = 1.0 if tried % 2 == 0 else -1.0
    elif state.phase == FLICK and (tried == 0 or unit_float(memory) < AIMED):
        aim(state, tried, memory, action)


@jit
def aim(state: State, tried: int, memory: Any, action: Any) -> None:
    """Write the best shot, or another one the likelier the more it is worth."""
    shots = np.zeros((MAX_SHOTS, SHOT))
    shots = shots[: list_shots(state, state.player, shots)]
    if len(shots) == 0:
        return
    scores = np.zeros(len(shots))
    score(state, state.player, shots, scores, np.zeros(MAX_ROOMS), np.zeros((1, SHOT)))
    shake = SHAKE if tried > 0 else 0.0
    if tried > 0:
        for i in range(len(scores)):  # the Gumbel trick: a draw by exp(score)
            scores[i] -= 0.3 * math.log(-math.log(1.0 - unit_float(memory)) + 1e-12)
    shot = shots[scores.argmax()]
    action[:] = 0.0
    action[X] = shot[TO_X] + shake * (2.0 * unit_float(memory) - 1.0)
    action[Y] = shot[TO_Y] + shake * (2.0 * unit_float(memory) - 1.0)
    action[STRENGTH] = shot[POWER] + shake * (2.0 * unit_float(memory) - 1.0)
    action[RED_LINE] = shot[WISH]
    for k in range(NUM_COMPONENTS):
        action[k] = min(1.0, max(-1.0, action[k]))


HOOKS = Hooks(
    is_cut=is_cut, evaluate=evaluate, propose=propose, longest=0, simulations=200
)
