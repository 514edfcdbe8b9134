"""The golden games of ICECOOL, to the last bit; see ``tests.golden``."""

import json
from collections import Counter

import pytest

from tests.games import COMPILED
from tests.golden import FOLDER, first_difference
from tests.icecool.positions import PLAYER_COUNTS

FILES = sorted((FOLDER / "icecool").glob("*.txt"))
SHORT = [file for file in FILES if file.name == "2-players-3.txt"]


@pytest.mark.nojit
@pytest.mark.bounds
@pytest.mark.parametrize(
    "file", FILES if COMPILED else SHORT, ids=lambda file: file.stem
)
def test_golden_game_replays_line_for_line(file):
    difference = first_difference(file.read_text(encoding="utf-8"))
    assert difference is None, f"{file.name}, {difference}"


def test_each_number_of_players_has_three_games_and_one_on_a_grid():
    games: Counter[tuple[int, bool]] = Counter()
    for file in FILES:
        options = json.loads(file.read_text(encoding="utf-8").splitlines()[1])
        games[options["num_players"], options["grid"] is not None] += 1
    for num_players in PLAYER_COUNTS:
        assert games[num_players, False] >= 3
        assert games[num_players, True] >= 1


@pytest.mark.parametrize(
    ("old", "new"),
    [("seed 21", "seed 22"), ("round 2, ", "round 3, "), ("rewards ", "rewards 0")],
)
def test_a_changed_file_is_noticed(old, new):
    text = (FOLDER / "icecool" / "2-players-1.txt").read_text(encoding="utf-8")
    assert old in text
    assert first_difference(text.replace(old, new, 1)) is not None
