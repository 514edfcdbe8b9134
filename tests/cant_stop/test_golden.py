"""The golden games of Can't Stop; see ``tests.golden``."""

import json
from collections import Counter

import pytest

from tests.games import PLAYER_COUNTS, VARIANTS
from tests.golden import FOLDER, first_difference

pytestmark = pytest.mark.nojit

FILES = sorted((FOLDER / "cant_stop").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_golden_game_replays_line_for_line(file):
    difference = first_difference(file.read_text(encoding="utf-8"))
    assert difference is None, f"{file.name}, {difference}"


def test_each_variant_and_number_of_players_has_three_games():
    games: Counter[tuple[str, int]] = Counter()
    for file in FILES:
        options = json.loads(file.read_text(encoding="utf-8").splitlines()[1])
        games[options["occupied"], options["num_players"]] += 1
    lacking = [
        (occupied, num_players)
        for occupied in VARIANTS
        for num_players in PLAYER_COUNTS
        if games[occupied, num_players] < 3
    ]
    assert not lacking


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("seed 11", "seed 12", "line 5: "),
        ("version 0", "version 7", "line 1: "),
        ("turn 2, player_0", "turn 2, player_1", "turn 2, player_1, dice"),
        (": stop\n", ": roll\n", "the game now"),
        ("rewards 1", "rewards 2", "'rewards 2'"),
        (" 2 | .", " 2 | 0", "' 2 | 0"),
    ],
)
def test_a_changed_file_is_noticed_and_its_first_differing_line_named(old, new, says):
    text = (FOLDER / "cant_stop" / "share-1-players-1.txt").read_text(encoding="utf-8")
    assert old in text
    difference = first_difference(text.replace(old, new, 1))
    assert difference is not None
    assert says in difference


def test_an_action_that_cannot_be_played_is_named():
    text = (FOLDER / "cant_stop" / "share-1-players-1.txt").read_text(encoding="utf-8")
    first, _, rest = text.partition(": roll\n")
    difference = first_difference(f"{first}: 12 and 12\n{rest}")
    assert difference is not None
    assert "cannot be played: player_0 cannot play '12 and 12'" in difference
