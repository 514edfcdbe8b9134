"""Search the rest of the round, and weigh the boards that it leaves."""

import math
from typing import Any

from baselines._search import Budget, Hooks, Search, positive_number
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


HOOKS = Hooks(choose=greedy.choose, is_cut=is_cut, evaluate=evaluate)


class RoundSearch:
    """Search the rest of the round as a tree, and weigh the boards that it leaves.

    Within a round Azul has no chance and nothing hidden. From each new leaf greedy
    plays the round out for all players; what boards are then worth is the planner's.
    How it searches is described in ``baselines/_tree.py``.

    An object plays one seat of one game at a time.

    Attributes:
        search: The search, with the figures of its last move; None before the first.
    """

    def __init__(
        self,
        simulations: int = 10_000,
        seconds: float | None = None,
        exploration: float = 0.12,
    ) -> None:
        """Choose how to search.

        Args:
            simulations: How many for a move.
            seconds: How long for a move, instead.
            exploration: Weight of what is little known against what went well.

        Raises:
            ValueError: For settings that are not allowed.
        """
        self.budget = Budget(simulations, seconds)
        self.exploration = positive_number("exploration", exploration)
        self.search: Search | None = None

    def act(self, view: View) -> Any:
        """Return the action that was tried most."""
        if self.search is None or self.search.game is not view.game:
            self.search = Search(
                view.game, HOOKS, self.budget, exploration=self.exploration
            )
        return self.search.best_action(view)


round_search = RoundSearch
