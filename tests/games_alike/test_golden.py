"""The golden games replay line for line, to the last bit; see ``tests.golden``."""

import json
from collections import Counter

import pytest

from game_core.catalog import GAMES
from tests.games import COMPILED
from tests.games_alike import CASES
from tests.golden import FOLDER, first_difference

SLOW_IN_PYTHON = "icecool"
"""The game whose physics takes long in plain Python: one short game is enough there."""

FILES = [
    file
    for game_id in GAMES
    for file in sorted((FOLDER / game_id).glob("*.txt"))
    if COMPILED or game_id != SLOW_IN_PYTHON or file.name == "2-players-3.txt"
]


@pytest.mark.nojit
@pytest.mark.bounds
@pytest.mark.parametrize(
    "file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}"
)
def test_golden_game_replays_line_for_line(file):
    difference = first_difference(file.read_text(encoding="utf-8"))
    assert difference is None, f"{file.name}, {difference}"


@pytest.mark.parametrize("game_id", GAMES)
def test_each_kind_of_game_has_enough_golden_ones(game_id):
    case, games = CASES[game_id], Counter()
    for file in (FOLDER / game_id).glob("*.txt"):
        options = json.loads(file.read_text(encoding="utf-8").splitlines()[1])
        games[case.golden_kind(options)] += 1
    assert case.golden
    too_few = [kind for kind, least in case.golden.items() if games[kind] < least]
    assert too_few == []


CHANGED = {
    "azul": "grey-2-players-1.txt",
    "cant_stop": "share-1-players-1.txt",
    "icecool": "2-players-1.txt",
}
"""Files that the tests below change."""


def difference_after(game_id, old, new):
    """Return how a game differs from its file once ``old`` in it is ``new``."""
    text = (FOLDER / game_id / CHANGED[game_id]).read_text(encoding="utf-8")
    assert old in text
    return first_difference(text.replace(old, new, 1))


CHANGES = [
    ("cant_stop", "seed 11", "seed 12", "line 5: "),
    ("cant_stop", "version 0", "version 7", "line 1: "),
    ("cant_stop", "turn 2, player_0", "turn 2, player_1", "turn 2, player_1, dice"),
    ("cant_stop", ": stop\n", ": roll\n", "the game now"),
    ("cant_stop", "rewards 1", "rewards 2", "'rewards 2'"),
    ("cant_stop", " 2 | .", " 2 | 0", "' 2 | 0"),
    ("azul", "seed 121", "seed 122", "line 5: "),
    ("azul", "round 2, player_0", "round 2, player_1", "line 21: "),
    ("azul", "points 0 6", "points 0 7", "points 0 6"),
    ("azul", "bykk bbrr", "bykk bbry", "bykk bbrr"),
    ("azul", ": column 3", ": column 4", "the game now"),
    ("azul", "rewards -1 1", "rewards 1 -1", "'rewards -1 1'"),
    ("azul", "B12 Y11", "B12 Y10", "'bag: B0 "),
    ("icecool", "seed 21", "seed 22", "line 5: "),
    ("icecool", "round 2, ", "round 3, ", "round 2, "),
    ("icecool", "rewards ", "rewards 0", "the game now 'rewards "),
]


@pytest.mark.parametrize(
    ("game_id", "old", "new", "says"),
    [
        pytest.param(*row, marks=[] if row[0] == SLOW_IN_PYTHON else pytest.mark.nojit)
        for row in CHANGES
    ],
)
def test_a_changed_file_is_noticed_and_its_first_differing_line_named(
    game_id, old, new, says
):
    difference = difference_after(game_id, old, new)
    assert difference is not None
    assert says in difference


@pytest.mark.nojit
def test_an_action_that_cannot_be_played_is_named():
    difference = difference_after("cant_stop", ": roll\n", ": 12 and 12\n")
    assert difference is not None
    assert "cannot be played: player_0 cannot play '12 and 12'" in difference
