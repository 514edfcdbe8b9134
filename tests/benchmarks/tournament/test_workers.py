"""Games played here, in processes or on Ray: the same files, whatever goes wrong."""

import os
import signal
import sys

import psutil
import pytest

from benchmarks.tournament.replay import verify
from benchmarks.tournament.results import FORFEITS_TO_DROP
from benchmarks.tournament.run import Place, open_run, run_tournament
from benchmarks.tournament.runner import DROPPED
from benchmarks.tournament.schedule import Tournament
from benchmarks.tournament.workers import WorkerDiedError

pytestmark = pytest.mark.slow


def play(path, place, agents, **settings):
    options = {"num_players": 2, "columns_to_win": 2}
    wanted = Tournament("cant_stop", agents, options=options, **settings)
    return run_tournament(wanted, path, place=place)


@pytest.fixture(scope="module")
def agents(bot_file):
    """Agents, of which one forfeits every game."""
    return ("random", "rule_of_28", f"{bot_file}:illegal")


@pytest.fixture(scope="module")
def settings():
    return {"games": 16, "seed": 4}


@pytest.fixture(scope="module")
def played(agents, settings, tmp_path_factory):
    """The results of that tournament, played in this process, and their file."""
    path = tmp_path_factory.mktemp("here") / "here.jsonl"
    return play(path, Place(), agents, **settings), path


def test_an_agent_that_never_plays_is_soon_not_asked_any_more(played, agents):
    results, path = played
    assert results.dropped == {agents[2]}
    reasons = [forfeit.reason for forfeit in results.forfeits_of(agents[2])]
    asked = [reason for reason in reasons if reason != DROPPED]
    assert len(asked) == FORFEITS_TO_DROP
    assert reasons == asked + [DROPPED] * (32 - len(asked))
    assert verify(path) == (48, 48, ())


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_writes_the_same_bytes(
    played, agents, settings, workers, tmp_path
):
    path = tmp_path / "results.jsonl"
    results = play(path, Place(workers), agents, **settings)
    assert path.read_bytes() == played[1].read_bytes()
    assert vars(results) == vars(played[0])


def test_a_run_that_is_continued_drops_the_same_agents(
    played, agents, settings, tmp_path
):
    path = tmp_path / "results.jsonl"
    lines = played[1].read_bytes().splitlines(keepends=True)
    drops = next(i for i, line in enumerate(lines) if DROPPED.encode() in line)
    for kept in (drops - 1, drops + 1, drops + 4):
        path.write_bytes(b"".join(lines[:kept]))
        play(path, Place(), agents, **settings)
        assert path.read_bytes() == played[1].read_bytes()


def test_a_ray_cluster_writes_the_same_bytes(
    played, agents, settings, tmp_path, monkeypatch
):
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    path = tmp_path / "results.jsonl"
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    try:
        play(path, Place(ray=True), agents, **settings)
        assert path.read_bytes() == played[1].read_bytes()
        with pytest.raises(ValueError, match=r"no\.py:me' cannot be used: .*no file"):
            play(None, Place(ray=True), ("random", "no.py:me"))
        assert ray.is_initialized()
    finally:
        ray.shutdown()


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"pip install 'tabletop-marl\[distributed\]'"):
        play(None, Place(ray=True), ("random", "rule_of_28"), games=2)


def test_a_bot_that_does_not_load_is_refused_before_anything_happens(tmp_path):
    path = tmp_path / "results.jsonl"
    with pytest.raises(ValueError, match=r"'no\.py:me' cannot be used: .*no file"):
        play(path, Place(2), ("random", "no.py:me"))
    assert not path.exists()
    assert no_workers()


def no_workers():
    """Tell whether none is left but the process that tidies up after others."""
    names = [" ".join(p.cmdline()) for p in psutil.Process().children(recursive=True)]
    return all("resource_tracker" in name for name in names)


def run_and_kill_workers(run):
    for number, _ in enumerate(run):
        if number == 20:
            for process in psutil.Process().children():
                if "resource_tracker" not in " ".join(process.cmdline()):
                    os.kill(process.pid, signal.SIGKILL)


def test_a_worker_that_is_killed_is_an_error_and_the_file_can_be_continued(
    tmp_path, agents
):
    path = tmp_path / "results.jsonl"
    wanted = Tournament("cant_stop", agents[:2], games=200, seed=1)
    with (
        open_run(wanted, path, Place(2)) as run,
        pytest.raises(WorkerDiedError, match="a process that played games died"),
    ):
        run_and_kill_workers(run)
    assert no_workers()
    run_tournament(wanted, path)
    run_tournament(wanted, tmp_path / "whole.jsonl")
    assert path.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_no_workers_is_refused():
    with pytest.raises(ValueError, match="workers=0 is not at least 1"):
        play(None, Place(0), ("random", "rule_of_28"))
