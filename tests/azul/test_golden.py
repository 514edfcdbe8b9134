"""The golden games of Azul; see ``tests.golden``."""

import json
from collections import Counter

import pytest

from tests.azul.positions import PLAYER_COUNTS, SIDES
from tests.golden import FOLDER, first_difference

pytestmark = pytest.mark.nojit

FILES = sorted((FOLDER / "azul").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_golden_game_replays_line_for_line(file):
    difference = first_difference(file.read_text(encoding="utf-8"))
    assert difference is None, f"{file.name}, {difference}"


def test_each_side_and_number_of_players_has_three_games():
    games: Counter[tuple[str, int]] = Counter()
    for file in FILES:
        options = json.loads(file.read_text(encoding="utf-8").splitlines()[1])
        games[options["wall"], options["num_players"]] += 1
    needed = [(side, num_players) for side in SIDES for num_players in PLAYER_COUNTS]
    assert [kind for kind in needed if games[kind] < 3] == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("seed 121", "seed 122", "line 5: "),
        ("round 2, player_0", "round 2, player_1", "line 21: "),
        ("points 0 6", "points 0 7", "points 0 6"),
        ("bykk bbrr", "bykk bbry", "bykk bbrr"),
        (": column 3", ": column 4", "the game now"),
        ("rewards -1 1", "rewards 1 -1", "'rewards -1 1'"),
        ("B12 Y11", "B12 Y10", "'bag: B0 "),
    ],
)
def test_a_changed_file_is_noticed_and_its_first_differing_line_named(old, new, says):
    text = (FOLDER / "azul" / "grey-2-players-1.txt").read_text(encoding="utf-8")
    assert old in text
    difference = first_difference(text.replace(old, new, 1))
    assert difference is not None
    assert says in difference
