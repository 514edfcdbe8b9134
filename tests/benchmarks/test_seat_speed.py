"""The speed of one learning seat is measured against everything that is named."""

import json

import pytest

from benchmarks import seat_speed


def test_everything_is_measured_and_written(tmp_path, capsys):
    out = tmp_path / "speed.json"
    seat_speed.main(num_envs=4, turns=2, steps=3, out=out)
    figures = json.loads(out.read_text())
    for game, opponents in seat_speed.OPPONENTS.items():
        names = [row["name"] for row in figures[game]]
        against = [f"against {opponent}" for opponent in opponents]
        assert names == [seat_speed.YARDSTICK, *against]
        assert all(row["median"] > 0 for row in figures[game])
        assert all(row["ratio"]["median"] > 0 for row in figures[game][1:])
    assert "azul, 4 games" in capsys.readouterr().out


def test_no_steps_are_refused():
    with pytest.raises(SystemExit, match="steps=0"):
        seat_speed.main(steps=0)
