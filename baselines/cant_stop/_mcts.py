"""What a tree search knows of Can't Stop: how turns continue, and what they yield.

A simulation ends with the turn, before the luck of the others drowns what it found
out: against rule_of_28, 400 simulations that do win 74 % of 40 pairs of games, give or
take 9, those that end one turn later 50 % (30 pairs, 12), and those that go on to the
end of the game, with an exploration of 0.3, 23 % (15 pairs, 13). Who wins counts,
whatever the game pays.
"""

from typing import Any

import numpy as np

from baselines.cant_stop import glenn_aloi
from baselines.cant_stop._values import bonus_of_turn, chance, needed, strength
from baselines.search.search import Hooks
from cant_stop_env.rules import columns_won
from cant_stop_env.state import (
    MAX_PLAYERS,
    State,
)
from game_core.compiled.jit import jit

DECIDED = 50.0
"""What a column counts once the game is over: it leaves no doubt."""


@jit
def is_cut(state: State, root: Any) -> bool:
    """Tell whether the turn that the search began in has ended."""
    return state.turns != root.turns


@jit
def evaluate(state: State, out: np.ndarray) -> None:
    """Write each seat's chance to win (players,), stretched so that they sum to zero.

    A game that was cut short counts nothing. Who plays alone plays against an empty
    board.
    """
    if state.truncated:
        return
    strengths, n = np.zeros(MAX_PLAYERS), state.num_players
    for seat in range(n):
        if state.terminated:
            strengths[seat] = DECIDED * columns_won(state, seat)
        else:
            ahead = (seat - state.player) % n
            strengths[seat] = strength(state, seat, needed(state, seat))
            strengths[seat] += bonus_of_turn(ahead, n)
    boards = max(2, n)
    for seat in range(n):
        out[seat] = (boards * chance(strengths, seat, boards) - 1.0) / (boards - 1.0)


HOOKS = Hooks(
    choose=glenn_aloi.choose, is_cut=is_cut, evaluate=evaluate, exploration=0.1
)
