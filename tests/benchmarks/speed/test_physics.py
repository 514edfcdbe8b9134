"""The benchmark of flicks, with far too little effort to mean anything."""

import json

import numpy as np
import pytest

from benchmarks.speed import physics
from benchmarks.speed.physics import ALL_IN, BARE_LOOP, ONE_WORKER, TWO_WORKERS
from game_core.envs.vector import VectorGame
from icecool_env.physics.slide import last_flick

pytestmark = pytest.mark.slow

FLICKS = 40


@pytest.fixture(scope="module")
def scenes():
    return physics.collect(FLICKS)


def test_the_scenes_are_the_flicks_of_games(scenes):
    assert len(scenes.before) == len(scenes.actions) == len(scenes.flicked) == FLICKS
    games = VectorGame("icecool", FLICKS, num_players=4)
    games.reset(seed=0)
    games.states[:] = scenes.before
    games.refresh()
    games.step(scenes.actions)
    for i in range(FLICKS):
        result = last_flick(games.states[i : i + 1])
        assert len(result.path) == scenes.steps[i]
        for field in ("flicked", "velocity", "spin", "was_x", "was_y"):
            assert np.array_equal(games.states[field][i], scenes.flicked[field][i])


def test_nothing_that_is_measured_changes_the_scenes(scenes):
    records = scenes.before.tobytes(), scenes.flicked.tobytes()
    for measure in physics.CONTENDERS.values():
        assert measure(scenes) > 0
    assert (scenes.before.tobytes(), scenes.flicked.tobytes()) == records


def test_all_flicks_are_run_to_rest(scenes):
    events, path = np.zeros((58, 4), np.int64), np.zeros((0, 4, 3))
    steps = physics.run_all(scenes.flicked.copy(), events, path)
    assert steps == scenes.steps.sum()


def test_costs_are_compared_with_the_bare_loop_in_each_turn(scenes):
    rows = physics.costs(scenes, turns=2)
    assert [row.name for row in rows] == [*physics.CONTENDERS, BARE_LOOP, ALL_IN]
    assert all(len(row.samples) == 2 for row in rows)
    micros, rate = rows[1], rows[-1]
    assert (micros.unit, rate.unit) == ("us", "flicks/s")
    assert rate.target == pytest.approx(1 / 1.2)
    inverse = [1 / ratio for ratio in micros.ratios]
    assert list(rate.ratios) == pytest.approx(inverse)


def test_two_workers_play_the_games_of_one():
    one, two, *cores = physics.side_by_side(8, steps=3, turns=2)
    assert (one.name, two.name, two.target) == (ONE_WORKER, TWO_WORKERS, 1.7)
    assert len(two.ratios) == 2
    assert [row.name for row in cores] == [ONE_WORKER, TWO_WORKERS]
    assert all(0 < share < 2.5 for row in cores for share in row.samples)


def test_workers_that_play_other_games_are_found_out(monkeypatch):
    play = VectorGame._play

    def play_otherwise_in_threads(games, actions):
        play(games, actions if games.workers == 1 else np.zeros_like(actions))

    monkeypatch.setattr(VectorGame, "_play", play_otherwise_in_threads)
    with pytest.raises(AssertionError, match="other games"):
        physics.side_by_side(4, steps=4, turns=1)


def test_rest_times_are_in_seconds(scenes):
    times = physics.rest_times(scenes)
    assert list(times) == ["mean", "10 %", "50 %", "90 %", "99 %", "100 %"]
    assert times["100 %"] == pytest.approx(scenes.steps.max() / 400)
    assert 8 / 400 <= times["10 %"] <= times["50 %"] <= times["100 %"] <= 8


@pytest.mark.parametrize(("players", "games"), [(2, 2), (4, 2)])
def test_shares_are_of_games_played_to_their_end(players, games):
    share = physics.Share(players, rounds=8).as_json()
    assert (share["games"], share["rounds"]) == (games, 8)
    assert share["decisions_per_game"] > 8
    assert sum(share[name] for name in physics.ENDINGS) == pytest.approx(1)


def test_the_command_writes_what_it_prints(monkeypatch, tmp_path, capsys):
    out = tmp_path / "physics.json"
    physics.main(flicks=20, turns=1, out=out)
    figures = json.loads(out.read_text())
    printed = capsys.readouterr().out
    assert ALL_IN in printed
    assert "by catch" in printed
    assert len(figures["costs"]) == 8
    assert figures["rest_seconds"]["mean"] > 0
    assert [share["players"] for share in figures["rounds"]] == [2, 3, 4]
