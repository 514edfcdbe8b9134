"""One profile for all property tests: the same examples in every run; the toy game."""

import hypothesis
import pytest

from game_core.registry import GAMES, load_game

hypothesis.settings.register_profile(
    "same_examples", deadline=None, derandomize=True, database=None
)
hypothesis.settings.load_profile("same_examples")


@pytest.fixture
def toy(monkeypatch):
    """Make ``load_game("toy")`` find the game of ``tests/core/toy.py``."""
    for game_id in GAMES:  # so that the stamp of their compiled code is as ever
        load_game(game_id)
    monkeypatch.setitem(GAMES, "toy", "tests.core.toy:make_game")
