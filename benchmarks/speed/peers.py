"""Games of other libraries, played at random, that speeds are compared with."""

import importlib
import importlib.util
import os
import random
import warnings
from collections.abc import Callable
from typing import Any

__all__ = ["CONNECT_FOUR", "make_connect_four", "random_spiel_games"]

CONNECT_FOUR = "connect_four_v3.env()"
SPIEL_GAMES = ("connect_four", "pig")


def make_connect_four() -> Any:
    """Return PettingZoo's connect_four, or None where pygame is missing."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            module = importlib.import_module("pettingzoo.classic.connect_four_v3")
        except ImportError:
            return None
    return module.env()


def random_spiel_games() -> dict[str, Callable[[], int]]:
    """Return what plays a random game of OpenSpiel from Python, by name.

    Each returns the number of decisions. There is none where OpenSpiel is missing.
    """
    if importlib.util.find_spec("pyspiel") is None:
        return {}
    pyspiel: Any = importlib.import_module("pyspiel")
    return {
        f"OpenSpiel's {name}": _random_games(pyspiel.load_game(name))
        for name in SPIEL_GAMES
    }


def _random_games(game: Any) -> Callable[[], int]:
    rng = random.Random(0)

    def play() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
                continue
            legal = state.legal_actions()
            state.apply_action(legal[rng.randrange(len(legal))])
            decisions += 1
        return decisions

    return play
