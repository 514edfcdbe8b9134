"""The sandbox: whatever a bot does costs it one game at most, and nobody else any."""

import functools
import json
import subprocess
import sys

import pytest

from benchmarks.sandbox.protocol import read_answer
from benchmarks.sandbox.sandbox import Sandbox
from benchmarks.sandbox.worker import Worker
from game_core import find_agent, load_game, play
from game_core.agents.play import AgentError
from game_core.catalog import GAMES
from game_core.streams import Purpose, derive
from tests.benchmarks.bots import first
from tests.games import THOROUGH

pytestmark = pytest.mark.slow

TIME_LIMIT = 0.5
"""For bots that take for ever. The others have all the time of a busy machine."""

TOO_LONG = r"^took longer than 0\.5 s for a move$"


@pytest.fixture(scope="module")
def game(short_game):
    return short_game


@pytest.fixture(scope="module")
def chameleon(bot_file, game):
    """The process of a bot that does the deed in a file."""
    with Sandbox(f"{bot_file}:chameleon", game, time_limit=60) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def hurried(bot_file, game):
    """The same, with little time."""
    with Sandbox(f"{bot_file}:chameleon", game, time_limit=TIME_LIMIT) as sandbox:
        yield sandbox


@pytest.fixture
def do(do_in, chameleon):
    """``do(deed)`` returns the log of a game in which the bot does it at seat 0."""
    return functools.partial(do_in, chameleon)


def is_running(pid):
    """Tell whether a process runs; one that has ended may still have to be reaped."""
    status = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True
    )
    return status.stdout.strip()[:1] not in ("", "Z")


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("illegal", r"^illegal action: player_0 cannot play '2 and 2' \(0\) now"),
        (
            "returns_none",
            r"^returned None \(NoneType\); an action is a whole number, one of",
        ),
        ("returns_float", r"^returned 3\.5 \(float\)"),
        ("returns_word", r"^returned 'stop' \(str\)"),
        ("returns_array", r"^returned array\(\[1, 2\]\) \(ndarray\)"),
        ("returns_true", r"^returned True \(bool\)"),
        ("returns_minus_one", r"^illegal action: action -1"),
        ("returns_huge_number", r"^returned .* \(int\)"),
        ("returns_huge_text", r"^returned 'xxx.*\.\.\. \(str\)"),
        ("returns_hostile", r"^raised RuntimeError: no index for you$"),
        ("returns_shy", r"^returned what has no repr \(Shy\)"),
        ("returns_view", r"^returned <.*View object.*\(View\)"),
        ("raises", r"^raised ValueError: two lines \[31mand more"),
        ("raises_wordless", r"^raised WordlessError: \(an error without words\)$"),
        ("interrupts", r"^raised KeyboardInterrupt"),
        ("exits", r"^raised SystemExit: 4$"),
        ("reads_input", r"^raised EOFError"),
    ],
)
def test_a_bot_that_gives_no_action_forfeits_and_goes_on(
    do, deed, reason, assert_forfeits
):
    assert_forfeits(do(deed), reason)


@pytest.mark.parametrize(
    "deed", ["loops", "loops_in_c", "swallows", "ignores_signals", "sends_half"]
)
def test_a_bot_that_takes_for_ever_forfeits_and_starts_again(
    do_in, hurried, deed, assert_forfeits
):
    assert_forfeits(do_in(hurried, deed), TOO_LONG)
    assert hurried.pid is None


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("crashes", r"^its process exited with status 3$"),
        ("segfaults", r"^its process died of Segmentation fault"),
        ("hangs_up", r"^hung up$"),
        ("babbles", r"^sent what is no answer: a frame of 4294967295 bytes"),
    ],
)
def test_a_bot_that_dies_or_hangs_up_forfeits_and_starts_again(
    do, chameleon, deed, reason, assert_forfeits
):
    assert_forfeits(do(deed), reason)
    assert chameleon.pid is None


def test_a_bot_that_does_not_start_again_forfeits(
    do, chameleon, monkeypatch, assert_forfeits
):
    do("crashes")
    monkeypatch.setattr(chameleon, "spec", "gone.py:bot")
    log = play(chameleon.game, [chameleon.player(1), first], 5, forfeits=True)
    assert_forfeits(log, "^there is no file 'gone.py'$")
    assert chameleon.pid is None


def test_a_bot_keeps_its_process_after_an_error(do, chameleon):
    do("first")
    pid = chameleon.pid
    do("raises")
    assert chameleon.pid == pid


def test_no_process_is_left(do, chameleon):
    do("first")
    pid = chameleon.pid
    assert is_running(pid)
    chameleon.close()
    assert not is_running(pid)


@pytest.mark.parametrize(
    ("game_id", "bot"),
    [("cant_stop", "Alternating"), *((game_id, "planner") for game_id in GAMES)],
)
def test_a_bot_plays_the_same_games_in_a_sandbox(bot_file, game_id, bot):
    """A class, and a function that draws, plans on copies and remembers."""
    game = load_game(game_id, num_players=2)
    spec = f"{bot_file}:{bot}"
    opponent = find_agent("random", game_id)

    def games(agent_of):
        for seed in range(THOROUGH):
            yield play(game, [agent_of(derive(seed, Purpose.AGENT, 0)), opponent], seed)
            yield play(game, [opponent, agent_of(derive(seed, Purpose.AGENT, 1))], seed)

    found = find_agent(spec, game_id)
    expected = [log.actions for log in games(lambda seed: found)]
    with Sandbox(spec, game) as sandbox:
        assert [log.actions for log in games(sandbox.player)] == expected


def test_the_first_move_has_extra_time_until_one_takes_too_long(
    bot_file, game, assert_forfeits
):
    spec, too_long = f"{bot_file}:slow_start", "^took longer than 1 s for a move$"
    with Sandbox(spec, game, time_limit=1) as sandbox:
        logs = [play(game, [sandbox.player(1), first], 1, forfeits=True) for _ in "12"]
    assert_forfeits(logs[0], too_long)
    assert len(logs[0].actions) > 1
    assert_forfeits(logs[1], too_long)
    assert logs[1].actions == ()


def test_the_reason_does_not_depend_on_extra_time(
    bot_file, game, assert_forfeits, monkeypatch
):
    """Which game is the first in a process depends on how many there are."""
    with Sandbox(f"{bot_file}:sleeps", game, time_limit=TIME_LIMIT) as sandbox:
        monkeypatch.setattr(sandbox, "_next_move_extra", 0.2)
        log = play(game, [sandbox.player(1), first], 1, forfeits=True)
    assert_forfeits(log, TOO_LONG)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (None, "there is no file"),
        ("x = 1", "has no 'bot'"),
        ("bot = 7", "7 is no agent"),
        ("def bot(view:", "raised SyntaxError"),
        ("import no_such_module", "raised ModuleNotFoundError: .*no_such_module"),
    ],
)
def test_a_bot_that_does_not_load_says_why(tmp_path, monkeypatch, source, reason):
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "mine.py"
    if source is not None:
        file.write_text(source)
    order = {"game": "cant_stop", "options": {}, "agent": f"{file}:bot"}
    with pytest.raises(AgentError, match=reason):
        read_answer(Worker().answer(json.dumps(order).encode()))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import time; time.sleep(1000)", "took longer than 1 s to start"),
        ("import os; os._exit(5)", "its process exited with status 5"),
    ],
)
def test_a_bot_that_does_not_start_is_refused(tmp_path, game, source, reason):
    file = tmp_path / "mine.py"
    file.write_text(source)
    sandbox = Sandbox(f"{file}:bot", game, start_limit=1 if "sleep" in source else 60)
    with pytest.raises(ValueError, match=f"'{file}:bot' cannot be used: {reason}"):
        sandbox.__enter__()
    assert sandbox.pid is None


def test_a_bot_imports_its_neighbours_and_replaces_no_module(tmp_path, game):
    (tmp_path / "my_helper.py").write_text("CHOICE = -1")
    (tmp_path / "game_core.py").write_text("raise RuntimeError")
    file = tmp_path / "random.py"
    file.write_text(
        "import dataclasses\n"
        "from my_helper import CHOICE\n"
        "@dataclasses.dataclass\n"
        "class bot:\n"
        "    choice: 'int' = CHOICE\n"
        "    def act(self, view):\n"
        "        return view.legal_actions[self.choice]\n"
    )
    with Sandbox(f"{file}:bot", game) as sandbox:
        log = play(game, [sandbox.player(1), first], 1)
    assert log.ended == "truncated"


def test_a_module_in_the_working_folder_is_found(tmp_path, game, monkeypatch):
    (tmp_path / "some_module.py").write_text("def bot(view): return view.seat")
    (tmp_path / "benchmarks.py").write_text("raise RuntimeError")
    monkeypatch.chdir(tmp_path)
    with Sandbox("some_module:bot", game) as sandbox:
        assert sandbox.pid is not None
