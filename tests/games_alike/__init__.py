"""Tests that are the same for each game; ``<game>.py`` says what to try with it."""

import importlib

from game_core.catalog import GAMES
from tests.games_alike.case import Case

CASES: dict[str, Case] = {
    game_id: importlib.import_module(f"{__name__}.{game_id}").CASE for game_id in GAMES
}
"""Game id -> what to try with it."""
