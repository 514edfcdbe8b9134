"""The sandbox: what a bot starts, takes and prints harms nobody and ends with it."""

import os
import subprocess
import sys
import threading
import time

import psutil
import pytest

from benchmarks.sandbox.output import BEFORE_FAILURE, ENOUGH, FIRST_LINES, LAST_LINES
from benchmarks.sandbox.sandbox import Sandbox
from game_core import play
from tests.benchmarks.bots import first
from tests.games import REPOSITORY

pytestmark = pytest.mark.slow

TIME_LIMIT = 3.0
"""For bots that take for ever. The others have all the time of a busy machine."""

MEMORY_LIMIT = 1024
TOO_MUCH_MEMORY = r"^used more than 1024 MiB of memory$"
TOO_LONG = r"^took longer than 3 s for a move$"
DIED = r"^its process exited with status 3$"


@pytest.fixture(scope="module")
def new_chameleon(bot_file, short_game):
    """``new_chameleon(seconds)``: a process of a bot that does the deed in a file."""

    def new_chameleon(seconds):
        spec = f"{bot_file}:chameleon"
        limits = {"time_limit": seconds, "memory_limit": MEMORY_LIMIT}
        return Sandbox(spec, short_game, **limits)

    return new_chameleon


@pytest.fixture(scope="module")
def chameleon(new_chameleon):
    with new_chameleon(60) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def hurried(new_chameleon):
    """One with little time."""
    with new_chameleon(TIME_LIMIT) as sandbox:
        yield sandbox


@pytest.fixture
def newcomer(new_chameleon):
    """One of which nothing was shown yet."""
    with new_chameleon(60) as sandbox:
        yield sandbox


@pytest.fixture
def straight(short_game):
    """The game that a bot plays which always takes the first action."""
    return play(short_game, [first, first], 5)


@pytest.fixture
def daemon(bot_file):
    """``daemon()`` returns the pid that a bot has left in a file."""
    return lambda: int(bot_file.with_name("grandchild.txt").read_text())


def is_running(pid):
    """Tell whether a process runs; one that has ended may still have to be reaped."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


@pytest.mark.parametrize(
    "deed",
    [
        "forks",
        "forks_and_fails",
        "uses_a_pool",
        "leaves_a_thread",
        "plays_beside_a_daemon",
        "shares_memory",
        "floods",
        "floods_from_a_thread",
        "closes_output",
        "changes_folder",
        "terminates_parent",
    ],
)
def test_odd_deeds_that_harm_nobody_change_no_game(chameleon, do_in, straight, deed):
    """Two games in the same process: it answers each question once, and in step."""
    do_in(chameleon, "first")
    pid = chameleon.pid
    for _ in "12":
        assert do_in(chameleon, deed).actions == straight.actions
    assert chameleon.pid == pid


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("forks_and_dies", DIED),
        ("bombs", "^started more than 32 processes$"),
        ("starts_many", "^started more than 32 processes$"),
        ("eats", TOO_MUCH_MEMORY),
        ("eats_at_once", TOO_MUCH_MEMORY),
        ("eats_in_children", TOO_MUCH_MEMORY),
        ("floods_on", TOO_LONG),
        ("kills_parent", r"^its process died of Killed"),
    ],
)
def test_excess_forfeits_one_game_and_nothing_is_left(
    chameleon, hurried, do_in, straight, assert_forfeits, deed, reason
):
    sandbox = hurried if reason == TOO_LONG else chameleon
    do_in(sandbox, "first")
    pid = sandbox.pid
    others = [child for child in psutil.Process().children() if child.pid != pid]
    assert_forfeits(do_in(sandbox, deed), reason)
    assert sandbox.pid is None
    assert not is_running(pid)
    assert psutil.Process().children() == others
    assert do_in(sandbox, "first").actions == straight.actions


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("sleeps", TOO_LONG),
        ("leaves_a_daemon", TOO_LONG),
        ("leaves_a_daemon_and_dies", DIED),
        ("stops_parent", TOO_LONG),
    ],
)
def test_what_a_bot_started_ends_with_it(
    chameleon, hurried, do_in, daemon, assert_forfeits, deed, reason
):
    sandbox = hurried if reason == TOO_LONG else chameleon
    assert_forfeits(do_in(sandbox, deed), reason)
    assert not is_running(daemon())


def test_what_a_bot_started_ends_with_the_sandbox(newcomer, do_in, daemon):
    do_in(newcomer, "plays_beside_a_daemon")
    assert is_running(daemon())
    newcomer.close()
    assert not is_running(daemon())


HANGING_TOURNAMENT = """
import sys
from benchmarks.sandbox.sandbox import Sandbox
from game_core import load_game, play

game = load_game("cant_stop")
with Sandbox(sys.argv[1] + ":leaves_a_daemon", game, time_limit=1000) as sandbox:
    play(game, [sandbox.player(1)] * 2, 1)
"""


def test_everything_ends_when_the_tournament_is_killed(bot_file, daemon):
    noted = bot_file.with_name("grandchild.txt")
    noted.unlink(missing_ok=True)
    tournament = subprocess.Popen(
        [sys.executable, "-c", HANGING_TOURNAMENT, str(bot_file)], cwd=REPOSITORY
    )
    try:
        assert wait_until(lambda: noted.exists() and noted.read_text())
        started = psutil.Process(tournament.pid).children(recursive=True)
    finally:
        tournament.kill()
        tournament.wait()
    assert daemon() in [process.pid for process in started]
    assert wait_until(lambda: not any(is_running(p.pid) for p in started))


def test_the_time_for_a_game_runs_out_and_begins_anew(
    bot_file, short_game, assert_forfeits
):
    spec = f"{bot_file}:dawdles"
    with Sandbox(spec, short_game, time_limit=60, game_limit=2) as sandbox:
        for _ in "12":
            log = play(short_game, [sandbox.player(1), first], 1, forfeits=True)
            assert_forfeits(log, r"^took longer than 2 s for its game$")
            assert len(log.actions) > 5


def test_of_a_flood_the_first_lines_are_shown(newcomer, do_in, capfd):
    do_in(newcomer, "floods")
    newcomer.close()
    out, err = capfd.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert len(lines) == FIRST_LINES + 1
    assert lines[-1] == ENOUGH
    assert lines[0] == "FLOOD" * 19 + "?[2J"


def test_how_a_bot_first_failed_is_shown_whatever_it_printed(newcomer, do_in, capfd):
    do_in(newcomer, "floods")
    for _ in range(3):
        do_in(newcomer, "raises_wordless")
    newcomer.close()
    lines = capfd.readouterr().err.splitlines()
    assert lines.count(BEFORE_FAILURE) == 1
    assert len(lines) <= FIRST_LINES + LAST_LINES + 2
    assert sum("in raises_wordless" in line for line in lines) == 1


def test_prints_of_all_kinds_are_shown_on_standard_error(newcomer, do_in, capfd):
    do_in(newcomer, "prints")
    newcomer.close()
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("PRINTED\n") == FIRST_LINES


def test_sandboxes_work_in_threads_that_end(bot_file, short_game, straight):
    """As those of Ray and of thread pools do; the bot's process outlives the thread."""
    sandbox = Sandbox(f"{bot_file}:first", short_game)
    logs = []

    def play_one():
        logs.append(play(short_game, [sandbox.player(1), first], 5))

    for _ in "12":
        thread = threading.Thread(target=play_one)
        thread.start()
        thread.join()
    sandbox.close()
    assert [log.actions for log in logs] == [straight.actions] * 2


def test_a_colon_in_the_path_of_the_packages_does_no_harm(tmp_path):
    folder = tmp_path / "a:b"
    folder.mkdir()
    for package in ("benchmarks", "game_core", "cant_stop_env", "baselines"):
        os.symlink(REPOSITORY / package, folder / package)
    (tmp_path / "mine.py").write_text("def bot(view): return view.legal_actions[0]")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from benchmarks.sandbox.sandbox import Sandbox\n"
        "from game_core import load_game, play\n"
        "game = load_game('cant_stop', max_turns=5)\n"
        "with Sandbox('mine.py:bot', game) as sandbox:\n"
        "    print(play(game, [sandbox.player(1)] * 2, 1).ended)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(folder)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": "", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "truncated", done.stderr
