"""Search the rest of the round, and weigh the boards that it leaves."""

import math
from typing import Any

from baselines._search import Budget, Hooks, Search
from baselines.azul import greedy
from baselines.azul.planner import is_round_over, value
from game_core.agent import View
from game_core.jit import jit

SCALE = 20.0
"""Points that make about the difference between an even and a decided round."""


@jit
def is_cut(state: Any, root: Any) -> bool:
    """Tell whether the round that the search began in has ended."""
    return is_round_over(state, root.round_number)


@jit
def evaluate(state: Any, out: Any) -> None:
    """Write what the boards are worth to each seat (players,), from -1 to 1."""
    for seat in range(state.num_players):
        out[seat] = math.tanh(value(state, seat) / SCALE)


class RoundSearch:
    """Search the rest of the round, in which there is no chance, to many depths."""

    def __init__(
        self, simulations: int = 10000, seconds: float | None = None, c: float = 0.3
    ) -> None:
        self.budget = Budget(simulations, seconds)
        self.c = c
        self.search: Search | None = None

    def act(self, view: View) -> Any:
        if self.search is None:
            self.search = Search(view.game, HOOKS, self.budget, exploration=self.c)
        return self.search.best_action(view)


HOOKS = Hooks(choose=greedy.choose, is_cut=is_cut, evaluate=evaluate)
round_search = RoundSearch
