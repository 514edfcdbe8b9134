"""Monte Carlo tree search, for every game."""

import importlib
import importlib.util
from typing import Any

from baselines._search import Budget, Hooks, Search, positive_number
from game_core.agent import View


class Mcts:
    """Search a tree of moves, playing games to their end from its leaves.

    After a fixed number of simulations, or of seconds, it takes the action that was
    tried most. It knows the rules alone, and what ``baselines/<game>/_hooks.py`` adds:
    who plays the games to their end, and for ICECOOL which flicks to try and what
    positions are worth. How it searches is described in ``baselines/_tree.py``.

    An object plays one seat of one game at a time.

    Attributes:
        search: The search, with the figures of its last move; None before the first.
    """

    def __init__(
        self,
        simulations: int = 1000,
        seconds: float | None = None,
        exploration: float = 1.0,
        hooks: bool = True,
    ) -> None:
        """Choose how to search.

        Args:
            simulations: How many for a move.
            seconds: How long for a move, instead.
            exploration: Weight of what is little known against what went well.
            hooks: False to know nothing but the rules.

        Raises:
            ValueError: For settings that are not allowed.
        """
        self.budget = Budget(simulations, seconds)
        self.exploration = positive_number("exploration", exploration)
        self.hooks = hooks
        self.search: Search | None = None

    def act(self, view: View) -> Any:
        """Return the action that was tried most."""
        if self.search is None or self.search.game is not view.game:
            hooks = hooks_of(view.game.id) if self.hooks else Hooks()
            weights = {"exploration": self.exploration, "widening": 4.0, "growth": 0.5}
            self.search = Search(view.game, hooks, self.budget, **weights)
        return self.search.best_action(view)


def hooks_of(game_id: str) -> Hooks:
    """Return what is known of a game beside its rules."""
    name = f"baselines.{game_id}._hooks"
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        found = None
    return importlib.import_module(name).HOOKS if found else Hooks()


mcts = Mcts
