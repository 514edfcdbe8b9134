"""Monte Carlo tree search, for every game."""

from typing import Any

from baselines._plugins import search_module
from baselines.search.search import Budget, Hooks, Search, positive_number
from game_core.agents.agent import View
from game_core.game import Game
from game_core.validation import options

__all__ = ["Mcts", "hooks_of", "mcts"]


class Mcts:
    """Monte Carlo tree search; a fixed policy plays on from the leaves.

    After a fixed number of simulations, or of seconds, it takes the action that was
    tried most. It knows the rules alone, and what ``baselines/<game>/_mcts.py`` adds:
    who plays on from the leaves and how far, what positions are worth then, and for
    ICECOOL which flicks to try. How it searches is described in
    ``baselines/search/tree.py``.

    An object plays one seat of one game at a time.

    Attributes:
        search: The search, with the figures of its last move; None before the first.
    """

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        exploration: float | None = None,
        hooks: bool = True,
    ) -> None:
        """Choose how to search.

        Args:
            simulations: How many for a move; None for as many as suit the game.
            seconds: How long for a move, instead.
            exploration: Weight of what is little known against what went well; None
                for the one that suits the game.
            hooks: False to know nothing but the rules.

        Raises:
            ValueError: For settings that are not allowed.
        """
        Budget(1 if simulations is None else simulations, seconds)  # which checks them
        self.simulations = simulations
        self.seconds = seconds
        if exploration is not None:
            positive_number("exploration", exploration, or_else="None")
        self.exploration = exploration
        self.hooks = options.true_or_false("hooks", hooks)
        self.search: Search | None = None

    def act(self, view: View) -> Any:
        """Return the action that was tried most, or the only one there is."""
        if view.game.discrete and len(view.legal_actions) == 1:
            return int(view.legal_actions[0])
        if self.search is None or self.search.game is not view.game:
            self.search = self._new_search(view.game)
        return self.search.best_action(view)

    def _new_search(self, game: Game) -> Search:
        hooks = hooks_of(game.id) if self.hooks else Hooks()
        budget = Budget(self.simulations or hooks.simulations, self.seconds)
        exploration = self.exploration or hooks.exploration
        return Search(
            game, hooks, budget, exploration=exploration, widening=4.0, growth=0.5
        )


def hooks_of(game_id: str) -> Hooks:
    """Return what is known of a game beside its rules."""
    module = search_module(game_id)
    return Hooks() if module is None else module.HOOKS


mcts = Mcts
