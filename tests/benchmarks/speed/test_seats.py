"""The speed of one learning seat is measured against everything that is named."""

import json

import pytest

from benchmarks.speed import seats


def test_everything_is_measured_and_written(tmp_path, capsys):
    out = tmp_path / "speed.json"
    seats.main(num_envs=4, turns=2, steps=3, out=out)
    figures = json.loads(out.read_text())
    for game, opponents in seats.OPPONENTS.items():
        names = [row["name"] for row in figures[game]]
        against = [f"against {opponent}" for opponent in opponents]
        assert names == [seats.YARDSTICK, *against]
        assert all(row["median"] > 0 for row in figures[game])
        assert all(row["ratio"]["median"] > 0 for row in figures[game][1:])
    assert "azul, 4 games" in capsys.readouterr().out


def test_no_steps_are_refused():
    with pytest.raises(SystemExit, match="steps=0"):
        seats.main(steps=0)
