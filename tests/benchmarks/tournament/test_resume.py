"""A tournament that is stopped, killed or extended, and the file it leaves."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from benchmarks.tournament.replay import verify
from benchmarks.tournament.results import Results
from benchmarks.tournament.results_file import ResultsFile, read_times, times_path
from benchmarks.tournament.run import open_run, run_tournament
from benchmarks.tournament.schedule import Tournament
from game_core.streams import STREAMS
from tests.games import REPOSITORY, THOROUGH

pytestmark = pytest.mark.slow

AGENTS = ("random", "rule_of_28", "fifty_percent")
GAMES = 30


def tournament(agents=AGENTS, games=GAMES, seed: int | None = 5, **settings):
    options = {"num_players": 2, "columns_to_win": 2}
    return Tournament("cant_stop", agents, games, seed, options, **settings)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "whole.jsonl"
    run_tournament(tournament(), path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.jsonl"


def command(path, workers):
    words = ["tournament", "cant_stop", "--agents", *AGENTS, "--games", GAMES]
    words += ["--seed", 5, "--option", "columns_to_win=2", "--workers", workers]
    return [sys.executable, "-m", "benchmarks.cli", *map(str, words), "--out", path]


def heed_interrupts():
    """Undo that whoever runs the tests in the background lets processes ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(command, **settings):
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    return subprocess.Popen(
        command,
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
        **settings,
    )


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.0005)


def test_killed_at_random_moments_it_ends_like_an_undisturbed_one(path, undisturbed):
    """SIGKILL at some sizes of the file, drawn with a seed, and at any byte there."""
    rng = random.Random(1)
    sizes = sorted(rng.sample(range(len(undisturbed)), 2 + THOROUGH))
    for number, size in enumerate(sizes):
        process = start(command(path, workers=2 if number == 1 else 1))
        with process:
            wait_for(
                lambda size=size, process=process: (
                    process.poll() is not None
                    or (path.exists() and path.stat().st_size > size)
                )
            )
            process.kill()
        left = path.read_bytes()
        torn = rng.randrange(200)
        path.write_bytes(left[:-torn] if torn else left)
        assert undisturbed.startswith(left)
    run_tournament(tournament(), path)
    assert path.read_bytes() == undisturbed


def test_cut_at_any_byte_it_ends_like_an_undisturbed_one(path, undisturbed):
    rng = random.Random(2)
    ends = [0, 1, 20, len(undisturbed) - 1, *rng.sample(range(len(undisturbed)), 5)]
    for end in ends:
        path.write_bytes(undisturbed[:end])
        run_tournament(tournament(), path)
        assert path.read_bytes() == undisturbed, f"cut at byte {end}"


def test_games_that_are_there_are_not_played_again(path, undisturbed):
    lines = undisturbed.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:51]))
    played = []
    with open_run(tournament(), path) as run:
        assert (run.there, run.missing) == (50, 40)
        played.extend(run)
    assert [log.seed for log in played] == [
        json.loads(line)["seed"] for line in lines[51:]
    ]
    with open_run(tournament(), path) as run:
        assert (run.there, run.missing, list(run)) == (90, 0, [])


def test_without_a_seed_the_file_knows_it(path, undisturbed):
    path.write_bytes(undisturbed[:5000])
    run_tournament(tournament(seed=None), path)
    assert path.read_bytes() == undisturbed


def test_a_seed_that_nobody_gave_is_drawn_and_on_file(tmp_path):
    seeds = set()
    for name in ("a", "b"):
        path = tmp_path / name
        run_tournament(tournament(seed=None, games=2), path)
        seeds.add(json.loads(path.read_text().partition("\n")[0])["tournament"]["seed"])
    assert len(seeds) == 2  # the same one twice: once in 2**64 times


def test_a_finished_tournament_takes_more_games_and_agents(path, undisturbed):
    """The games are those of a larger tournament from the start, in another order."""
    run_tournament(tournament(AGENTS[:2], games=20), path)
    run_tournament(tournament(AGENTS[:2]), path)
    run_tournament(tournament(), path)
    lines = path.read_bytes().splitlines()
    headers = [line for line in lines if line.startswith(b'{"tournament"')]
    about = [json.loads(line)["tournament"] for line in headers]
    assert [header["games_in_all"] for header in about] == [20, 30, 90]
    assert headers[-1] == undisturbed.splitlines()[0]
    assert sorted(set(lines) - set(headers[:2])) == sorted(undisturbed.splitlines())
    assert verify(path) == (90, 90, ())


def test_a_gauntlet_joins_those_who_have_played_each_other(path):
    run_tournament(tournament(AGENTS[:2]), path)
    results = run_tournament(tournament(AGENTS[:2], gauntlet=AGENTS[2:]), path)
    assert results.games == 3 * GAMES
    assert results.agents == list(AGENTS)


def test_the_order_of_the_agents_does_not_matter(path, undisturbed):
    path.write_bytes(undisturbed)
    results = run_tournament(tournament(AGENTS[::-1]), path)
    assert results.games == 3 * GAMES
    assert path.read_bytes() == undisturbed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 6}, "seed is 5 there, not 6"),
        ({"time_limit": 2.0}, "time_limit is 1.0 there, not 2.0"),
        ({"game_time_limit": 9.0}, "game_time_limit is None there, not 9.0"),
        ({"options": {"num_players": 2}}, "options is .* there, not"),
    ],
)
def test_another_tournament_is_refused(path, undisturbed, change, message):
    path.write_bytes(undisturbed)
    other = Tournament(**(vars(tournament()) | change))
    with pytest.raises(ValueError, match=f"another tournament: {message}.*give anot"):
        run_tournament(other, path)
    assert path.read_bytes() == undisturbed


def test_games_that_do_not_follow_from_the_seed_are_refused(path, undisturbed):
    lines = undisturbed.splitlines(keepends=True)
    for wrong in (
        [*lines[:4], lines[2]],
        [*lines[:4], lines[4].replace(b'"set": 0', b'"set": 7')],
        [*lines[:4], lines[4].replace(b"fifty_percent", b"planner")],
        [*lines[:4], b"{}\n"],
    ):
        path.write_bytes(b"".join(wrong))
        with pytest.raises(ValueError, match=r"game 4 has seed|line 5 holds no game"):
            run_tournament(tournament(), path)
        assert path.read_bytes() == b"".join(wrong)


@pytest.mark.parametrize("content", ["precious", "precious\n", '{"a": 1}\n{', "{}"])
def test_a_file_of_another_kind_is_never_touched(path, content):
    path.write_text(content)
    with pytest.raises(ValueError, match="no file of results"):
        run_tournament(tournament(), path)
    assert path.read_text() == content


def test_two_cannot_write_the_same_file(path, undisturbed):
    path.write_bytes(undisturbed[:5000])
    with (
        ResultsFile(path),
        pytest.raises(ValueError, match="is being written by another tournament"),
    ):
        run_tournament(tournament(), path)
    run_tournament(tournament(), path)
    assert path.read_bytes() == undisturbed


def test_results_with_other_random_streams_replay_and_are_not_continued(
    path, undisturbed
):
    old = undisturbed.replace(b'"streams": %d, ' % STREAMS, b"", 1)
    assert old != undisturbed
    path.write_bytes(old)
    message = f"version 0 of the agents' random streams; this is version {STREAMS}"
    with pytest.raises(ValueError, match=message):
        run_tournament(tournament(), path)
    assert path.read_bytes() == old
    assert not verify(path).faults


def test_a_bot_that_has_changed_is_another_one(path, tmp_path):
    bot = tmp_path / "bots (old)" / "mine.py"
    bot.parent.mkdir()
    bot.write_text("def mine(view):\n    return view.legal_actions[0]\n")
    wanted = tournament(("random", f"{bot}:mine"), games=2)
    run_tournament(wanted, path)
    bot.write_text("def mine(view):\n    return view.legal_actions[-1]\n")
    with pytest.raises(ValueError, match=r"mine\.py:mine has changed since it played"):
        run_tournament(tournament(("random", f"{bot}:mine"), games=4), path)


def test_results_are_read_from_the_file(path):
    played = run_tournament(tournament(), path)
    read = Results.read(path)
    assert vars(read) == vars(played)
    assert read.score("rule_of_28") == played.score("rule_of_28")
    assert sum(read.played.values()) == 2 * 90 == 2 * sum(read.lengths.values())
    assert sum(read.decisions.values()) == sum(n * k for n, k in read.lengths.items())
    assert read.endings["random"] == {"terminated": 60}
    for match, shares in read.shares().items():
        assert shares.shape == (GAMES // 2, 2)
        assert (shares.sum(axis=1) == 1).all()
        assert (read.seat_shares()[match].sum(axis=1) == 1).all()


def test_times_are_kept_but_those_of_first_games_in_a_process(path):
    """In the first game of an agent its code is loaded, or even compiled."""
    games = []
    results = run_tournament(tournament(), path, lambda log, _: games.append(log))
    with times_path(path).open("a") as file:
        file.write('{"random": [1, ')
    times = read_times(path)
    lines = map(json.loads, path.read_text().splitlines()[1:])
    first = {}
    for log, line in zip(games, lines, strict=True):
        for agent, decisions in zip(log.agents, line["decisions"], strict=True):
            first.setdefault(agent, decisions)
    for agent, of in times.items():
        assert of.decisions == results.decisions[agent] - first[agent] > 0
    assert set(times) == set(AGENTS)
    for of in times.values():
        assert 0 < of.longest < of.seconds < 100
    assert read_times(path.with_name("none")) == {}


def test_a_rotation_that_no_set_has_is_no_game(path, undisturbed):
    path.write_bytes(undisturbed.replace(b'"rotation": 1', b'"rotation": 2', 1))
    with pytest.raises(ValueError, match=r"line 3 holds no game: .*rotation 2 of 2"):
        Results.read(path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_interrupted_it_ends_its_processes_and_keeps_its_games(
    path, bot_file, tmp_path, number
):
    """The bot has started a process of its own, which sleeps."""
    words = ["tournament", "cant_stop", "--agents", "random", f"{bot_file}:sleeps"]
    words += ["--time-limit", "500", "--workers", "2", "--games", "40", "--seed", "1"]
    grandchild = bot_file.with_name("grandchild.txt")
    grandchild.unlink(missing_ok=True)
    process = start([sys.executable, "-m", "benchmarks.cli", *words, "--out", path])
    with process:
        try:
            wait_for(lambda: grandchild.exists() and grandchild.read_text())
            pid = int(grandchild.read_text())
            family = descendants(process.pid)
            assert pid in family
            process.send_signal(number)
            _, errors = process.communicate(timeout=120)
        finally:  # else a failure would wait for ever
            process.kill()
    assert process.returncode == 130
    assert errors.endswith(f"interrupted; the games so far are in {path}\n")
    wait_for(lambda: not any(map(is_alive, family)))


def descendants(pid):
    children = [
        int(child)
        for task in os.listdir(f"/proc/{pid}/task")
        for child in read(f"/proc/{pid}/task/{task}/children").split()
    ]
    return children + [grand for child in children for grand in descendants(child)]


def is_alive(pid):
    return read(f"/proc/{pid}/stat").rpartition(")")[2].split()[:1] not in ([], ["Z"])


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"decisions": ["a", "b"]},
        {"decisions": [1]},
        {"rewards": [None, None]},
        {"rewards": [float("nan"), 1.0]},
        {"rewards": [1, 0, 0]},
        {"forfeit_seat": 7},
        {"forfeit_seat": "x"},
        {"actions": None},
        {"ended": 3},
    ],
)
def test_a_game_that_was_edited_is_named_and_not_counted(path, undisturbed, wrong):
    header, game = undisturbed.splitlines()[:2]
    edited = json.dumps(json.loads(game) | wrong).encode()
    path.write_bytes(b"\n".join([header, edited, b""]))
    with pytest.raises(ValueError, match="line 2 holds no game"):
        run_tournament(tournament(), path)
