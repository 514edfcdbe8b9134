"""The games there are: their ids, and where each one is made.

Games are named here as strings, so that importing one loads no other and the core
knows none.
"""

import importlib
from collections.abc import Callable
from typing import Any

from game_core.validation.text import unknown

__all__ = ["GAMES", "game_packages", "make_game", "maker_of", "package_of"]

GAMES = {
    "azul": "azul_env.game:make_game",
    "cant_stop": "cant_stop_env.game:make_game",
    "icecool": "icecool_env.game:make_game",
}
"""Game id -> "module:function" that makes the ``Game`` from its options.

A module of yours can add its own game: ``GAMES["pig"] = "my_pig:make_game"``.
"""


def game_packages() -> set[str]:
    """Return the top-level packages that the games live in."""
    return set(map(package_of, GAMES))


def package_of(game_id: str) -> str:
    """Return the top-level package that a game lives in.

    Raises:
        ValueError: For an unknown game.
    """
    return _place_of(game_id).partition(".")[0]


def make_game(game_id: str, options: dict[str, Any], place: str | None = None) -> Any:
    """Return the ``Game`` with this id and these options.

    Args:
        game_id: One of ``GAMES``, or any if there is a place.
        options: The game's own.
        place: Where it is made if nobody has added it here, as in a new process.

    Raises:
        ValueError: For an unknown game, an unknown option or a value out of range.
    """
    if place is None or game_id in GAMES:
        place = _place_of(game_id)
    return _function_at(place)(**options)


def maker_of(game_id: str) -> Callable[..., Any]:
    """Return the function that makes the ``Game`` with this id from its options.

    Raises:
        ValueError: For an unknown game.
    """
    return _function_at(_place_of(game_id))


def _function_at(place: str) -> Callable[..., Any]:
    module, _, function = place.partition(":")
    return getattr(importlib.import_module(module), function)


def _place_of(game_id: str) -> str:
    if game_id not in list(GAMES):
        raise ValueError(unknown("game", game_id, GAMES))
    return GAMES[game_id]
