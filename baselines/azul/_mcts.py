"""What a tree search knows of Azul: how a round goes on, and what boards are worth.

Within a round Azul has no chance and nothing hidden, so a simulation ends with it.
From each new leaf greedy plays the round out for all players; what boards are then
worth is the planner's.
"""

import math
from typing import Any

import numpy as np

from azul_env.state import State
from baselines.azul import greedy
from baselines.azul.planner import is_round_over, value
from baselines.search.search import Hooks
from game_core.compiled.jit import jit

SCALE = 20.0
"""Points that make about the difference between an even and a decided round."""


@jit
def is_cut(state: State, root: Any) -> bool:
    """Tell whether the round that the search began in has ended."""
    return is_round_over(state, root.round_number)


@jit
def evaluate(state: State, out: np.ndarray) -> None:
    """Write by how much a seat's board is above the average (players,), from -1 to 1.

    Taken as they are, values of an even position come to 0.7 on this scale, where more
    points hardly show: searches of 1,000 simulations that take them so lost 64 % of 115
    pairs of games against these (95 % interval 57 to 70).
    """
    n, total = state.num_players, 0.0
    for seat in range(n):
        out[seat] = value(state, seat)
        total += out[seat]
    for seat in range(n):
        out[seat] = math.tanh((out[seat] - total / n) / SCALE)


HOOKS = Hooks(choose=greedy.choose, is_cut=is_cut, evaluate=evaluate, exploration=0.12)
