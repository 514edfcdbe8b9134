"""The speed benchmark, with far too little effort to mean anything."""

import json

import pytest

from benchmarks.speed import environments
from benchmarks.speed.environments import Effort, Start
from benchmarks.speed.measure import (
    Row,
    as_table,
    compare,
    per_second,
    spread,
    take_turns,
)
from cant_stop_env import cant_stop_v0

pytestmark = pytest.mark.slow

GAME = "cant_stop"
TINY = Effort(
    seconds=0.01,
    turns=2,
    starts=1,
    batch_sizes=(8,),
    player_counts=(2, 4),
    worker_steps=2,
)


def test_contenders_take_turns():
    order = []

    def contender(name):
        def measure():
            order.append(name)
            return float(len(order))

        return measure

    samples = take_turns({"a": contender("a"), "b": contender("b")}, turns=2)
    assert order == ["a", "b", "a", "b"]
    assert samples == {"a": [1.0, 3.0], "b": [2.0, 4.0]}


def test_ratios_are_taken_within_each_turn():
    samples = {"other": [1.0, 2.0], "own": [3.0, 8.0]}
    other, own = compare(samples, "s", "other", {"own": 3.0})
    assert (other.yardstick, other.ratios, other.target) == ("", (), None)
    assert (own.yardstick, own.ratios, own.target) == ("other", [3.0, 4.0], 3.0)


def test_without_the_yardstick_nothing_is_compared():
    (row,) = compare({"own": [3.0]}, "s", "other", {"own": 3.0})
    assert row == Row("own", "s", [3.0])


def test_a_spread_is_the_median_and_the_ends():
    assert spread([5.0, 1.0, 2.0]) == (2.0, 1.0, 5.0)


def test_a_rate_counts_what_was_done():
    calls = []
    rate = per_second(lambda: calls.append(0) or 10, seconds=0.02)
    assert 0 < rate <= 10 * len(calls) / 0.02


@pytest.mark.parametrize(("target", "verdict"), [(2.0, "met"), (9.0, "missed")])
def test_a_table_tells_whether_a_target_is_met(target, verdict):
    table = as_table("title", [Row("own", "s", [1.0], "other", [5.0], target)])
    assert verdict in next(iter(table.columns[-1].cells))


@pytest.mark.parametrize("game_id", ["azul", "cant_stop"])
def test_playing_measures_the_peer_the_environments_and_the_batches(game_id):
    rows = {row.name: row for row in environments.playing(game_id, TINY)}
    batches = {name for name in rows if name.startswith("batch of 8, ")}
    assert len(batches) == 4
    assert set(rows) - batches == {
        "connect_four_v3.env()",
        f"{game_id}_v0.env()",
        f"{game_id}_v0.raw_env()",
    }
    assert all(value > 0 for row in rows.values() for value in row.samples)
    compared = [row for row in rows.values() if row.name != environments.CONNECT_FOUR]
    assert all(len(row.ratios) == TINY.turns and row.target for row in compared)


def test_without_pygame_there_are_no_ratios(monkeypatch):
    monkeypatch.setattr(environments, "make_connect_four", lambda: None)
    rows = environments.playing(GAME, TINY)
    assert len(rows) == 6
    assert all(row.ratios == () for row in rows)


def test_random_games_are_played_to_the_end_and_counted():
    env = cant_stop_v0.raw_env(columns_to_win=1)
    decisions = environments.random_games(env)()
    assert decisions >= 3 * 2  # three spaces at least, each chosen and left
    assert env.position.over


def test_copies_cost_more_one_by_one():
    rows = environments.copying(GAME, TINY)
    in_batch, position, *_ = [spread(row.samples).median for row in rows]
    assert len(rows) == 4
    assert 0 < in_batch < position


def test_a_start_is_measured_in_a_new_process(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "old").touch()
    start = Start("time.sleep(0.05)", setup="import os")
    assert 0.05 <= start.seconds(str(cache)) < 60
    assert (cache / "old").exists()
    start.seconds_cold(str(cache))
    assert not (cache / "old").exists()


def test_two_workers_play_what_they_are_told():
    one, two, cores = environments.side_by_side(GAME, TINY)
    assert len(one.samples) == len(two.ratios) == TINY.turns
    assert two.target == 1.8
    assert all(0 < share < 2.1 for share in cores.samples)


def test_a_worker_that_does_not_start_is_reported():
    with pytest.raises(RuntimeError, match="did not start"):
        environments.side_by_side("no_such_game", TINY)


def test_the_command_writes_what_it_prints(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(environments, "QUICK", TINY)
    monkeypatch.setattr(environments, "SECTIONS", {"Copying": environments.copying})
    environments.main(out=tmp_path / "environments.json", quick=True)
    figures = json.loads((tmp_path / "environments.json").read_text())
    assert "Position.copy()" in capsys.readouterr().out
    assert figures["machine"]["numpy"]
    assert [row["unit"] for row in figures["copying"]] == ["us"] * 4
