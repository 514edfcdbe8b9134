"""Bots for games with continuous actions: in a sandbox, in a tournament, in words."""

import math
import re

import numpy as np
import pytest

from benchmarks.sandbox import sandbox as sandboxes
from benchmarks.sandbox.sandbox import Sandbox
from benchmarks.tournament.replay import in_words, verify
from benchmarks.tournament.run import run_tournament
from benchmarks.tournament.schedule import Tournament
from game_core import find_agent, load_game, play
from game_core.streams import Purpose, derive

BOTS = """
from pathlib import Path

import numpy as np

def random_too(view):
    return view.sample_action()

def in_doubles(view):
    return tuple(view.rng.uniform(-1, 1, 2).tolist())

class Broken:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("on the graphics card")

    def __repr__(self):
        return "Broken()"

ANSWERS = {
    "none": None,
    "number": 3,
    "float": 0.5,
    "word": "east",
    "words": ["0.5", "0.5"],
    "short": [0.5],
    "long": np.zeros(10**6),
    "bools": [True, 0.5],
    "complex": np.zeros(2, complex),
    "nan": [0.5, float("nan")],
    "outside": np.array([0, 1.0000000001]),
    "huge": [10**400, 0],
    "broken": Broken(),
}

def chameleon(view):
    return ANSWERS[Path(__file__).with_name("deed.txt").read_text()]
"""

GUARD = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop())
from game_core.catalog import GAMES
GAMES["toy"] = "tests.core.toy:make_game"
from benchmarks.sandbox.guard import main
main()
"""
"""Starts a bot's process, with the toy game in it."""

KIND = r"; an action is an array of 2 numbers from -1 to 1 \(east, north\)$"


@pytest.fixture(scope="module")
def bots(tmp_path_factory):
    path = tmp_path_factory.mktemp("bots") / "mine.py"
    path.write_text(BOTS)
    return path


@pytest.fixture(autouse=True)
def toy_in_sandboxes(toy, monkeypatch):
    """Make the processes of bots know the toy game too."""
    monkeypatch.setattr(sandboxes, "GUARD", GUARD)


@pytest.mark.parametrize("bot", ["random_too", "in_doubles"])
def test_a_bot_plays_the_same_games_in_a_sandbox(bots, bot):
    game, opponent = load_game("toy"), find_agent("random", "toy")
    spec = f"{bots}:{bot}"
    with Sandbox(spec, game) as sandbox:
        for seed in range(3):
            player = sandbox.player(derive(seed, Purpose.AGENT, 1))
            log = play(game, [opponent, player], seed)
            here = play(game, [opponent, find_agent(spec, "toy")], seed)
            assert log.actions == here.actions
            assert len(log.actions) > 2


def test_a_bot_that_gives_no_action_forfeits_in_words(bots):
    says = {
        "none": r"^returned None \(NoneType\), which is object of shape \(\)" + KIND,
        "number": r"^returned 3 \(int\), which is int64 of shape \(\)" + KIND,
        "float": r"^returned 0\.5 \(float\), which is float64 of shape \(\)" + KIND,
        "word": r"^returned 'east' \(str\), which is str" + ".*" + KIND,
        "words": r"^returned \['0\.5', '0\.5'\] \(list\), which is str.*" + KIND,
        "short": r"^returned \[0\.5\] \(list\), which is .*\(1,\)" + KIND,
        "long": r"^returned array\(.* \(ndarray\), which is .*\(1000000,\)" + KIND,
        "bools": r"^returned \[True, 0\.5\] .* is in part True or False" + KIND,
        "complex": r"^returned array\(.*\), which is complex128 .*" + KIND,
        "nan": r"^illegal action: .*component 1 \(north\) is nan; an action of toy",
        "outside": r"^illegal action: .*component 1 \(north\) is 1\.0000000001; an",
        "huge": r"^returned \[1000.*\.\.\. \(list\), which is object",
        "broken": r"^returned Broken\(\) .* is no array \(RuntimeError: on the gra",
    }
    game, opponent = load_game("toy"), find_agent("random", "toy")
    with Sandbox(f"{bots}:chameleon", game) as sandbox:
        pid = sandbox.pid
        for name, reason in says.items():
            bots.with_name("deed.txt").write_text(name)
            log = play(game, [opponent, sandbox.player(1)], 1, forfeits=True)
            assert (log.ended, log.forfeit_seat) == ("forfeit", 1)
            assert log.forfeit_reason is not None
            assert re.search(reason, log.forfeit_reason), log.forfeit_reason
            assert sandbox.pid == pid  # such a mistake costs no new process


def test_a_tournament_is_played_replayed_and_shown_in_words(bots, tmp_path):
    path = tmp_path / "played.jsonl"
    wanted = Tournament("toy", ("random", f"{bots}:random_too"), games=6)
    logs = []
    results = run_tournament(wanted, path, lambda log, _: logs.append(log))
    assert math.isfinite(results.score("random").mean)
    assert verify(path).faults == ()
    lines = list(in_words(logs[0]))
    east, north = np.array(logs[0].actions[0], np.float32)
    start = rf": {east:.2f} east and {north:.2f} north from \(-?\d\.\d\d, -?\d\.\d\d\)$"
    assert re.search(start, lines[2]), lines[:3]
    assert len([line for line in lines if " from (" in line]) == len(logs[0].actions)
