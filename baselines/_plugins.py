"""What a game adds to agents that play every game: modules found by its name.

``baselines/<game>/`` may hold a module of each kind below. Agents load them by name, so
that nothing here imports a game; ``_plugin_types.py`` lists them for type checkers,
which compare each with its protocol.
"""

import importlib
import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from game_core.agents.agent import BatchAgent
from game_core.game import Game
from game_core.layout import Layout

if TYPE_CHECKING:  # so that networks load no search
    from baselines.search.search import Hooks


class MovesModule(Protocol):
    """``_moves.py``: what legal moves do, for networks over moves.

    ``baselines/networks/moves.py`` puts the parts together.
    """

    @property
    def FEATURES(self) -> Layout:  # noqa: N802
        """What is told of a move."""
        ...

    @property
    def restore(self) -> Callable[[Any, Any], None]:
        """``restore`` of the game's ``observe.py``: fills a record from what is seen.

        The observer becomes seat 0.
        """
        ...

    def check(self, game: Game) -> None:
        """Raise ``ValueError`` unless the moves of a game can be described."""
        ...

    def legal_moves(
        self, game: Game, observations: np.ndarray, boards: np.ndarray
    ) -> np.ndarray:
        """Return the legal moves of positions (k, actions) int8.

        Args:
            game: The game.
            observations: (k, size) float32 of the seats to move.
            boards: (k,) records, restored from them.
        """
        ...

    def describe_all(self, boards: Any, moves: Any, features: Any) -> None:
        """Write what moves do; compiled.

        Args:
            boards: (k,) records; the seat to move is 0.
            moves: (m, 2) int64, the row of the position and the action, ordered by
                both.
            features: (m, ``FEATURES.size``) float32, zeroed; written.
        """
        ...


class SearchModule(Protocol):
    """``_mcts.py``: what a tree search knows beside the rules."""

    @property
    def HOOKS(self) -> "Hooks":  # noqa: N802
        """The functions and figures for this game."""
        ...


class GridModule(Protocol):
    """``_on_grid.py``: numbered actions, played where actions are continuous."""

    @property
    def FINE(self) -> dict[str, int]:  # noqa: N802
        """Options of the grid on which networks over moves play."""
        ...

    @property
    def OnGrid(self) -> Callable[[BatchAgent, Game], BatchAgent]:  # noqa: N802
        """Makes an agent from one with numbered actions, and the game of those."""
        ...


def moves_module(game_id: str) -> MovesModule | None:
    """Return what describes the moves of a game, or None if nothing does."""
    return _module(game_id, "_moves")


def search_module(game_id: str) -> SearchModule | None:
    """Return what a search knows of a game, or None if that is the rules alone."""
    return _module(game_id, "_mcts")


def grid_module(game_id: str) -> GridModule | None:
    """Return what plays numbered actions of a continuous game, or None."""
    return _module(game_id, "_on_grid")


def _module(game_id: str, name: str) -> Any:
    """Return ``baselines/<game>/<name>.py``, or None if there is none."""
    full_name = f"baselines.{game_id}.{name}"
    try:
        found = importlib.util.find_spec(full_name)
    except ModuleNotFoundError:  # no agents for this game
        return None
    return importlib.import_module(full_name) if found else None
