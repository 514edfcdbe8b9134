"""The games there are: their ids, and where each one is made.

Games are named here as strings, so that importing one loads no other and the core
knows none.
"""

import importlib
from typing import Any

GAMES = {
    "azul": "azul_env.game:make_game",
    "cant_stop": "cant_stop_env.game:make_game",
    "icecool": "icecool_env.game:make_game",
}
"""Game id -> "module:function" that makes the ``Game`` from its options."""


def game_packages() -> set[str]:
    """Return the top-level packages that the games live in."""
    return set(map(package_of, GAMES))


def package_of(game_id: str) -> str:
    """Return the top-level package that a game lives in."""
    return GAMES[game_id].partition(".")[0]


def make_game(game_id: str, options: dict[str, Any]) -> Any:
    """Return the ``Game`` with this id and these options.

    Raises:
        ValueError: For an unknown game, an unknown option or a value out of range.
    """
    if game_id not in list(GAMES):
        raise ValueError(f"unknown game {game_id!r}; known games: {', '.join(GAMES)}")
    module, _, function = GAMES[game_id].partition(":")
    return getattr(importlib.import_module(module), function)(**options)
