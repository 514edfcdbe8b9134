"""The solitaire benchmark: whether the engine agrees with figures of others."""

from baselines.cant_stop.fifty_percent import fifty_percent
from benchmarks.studies.solitaire import main, mean_interval, turns_alone


def test_fifty_percent_alone_takes_about_as_many_turns_as_published():
    # Published: 11.3 with its own choice of columns; here 10.8, with a standard
    # deviation of 3.0 a game. The mean of 300 games is below 10.0 with a chance of
    # 1e-6, were the seeds not fixed.
    turns = turns_alone(fifty_percent, games=300, seed=0)
    assert 10.0 < mean_interval(turns).mean < 12.5


def test_an_interval_is_the_mean_and_two_standard_errors():
    mean, low, high = mean_interval([1.0, 3.0] * 50)
    assert mean == 2.0
    assert 0.19 < mean - low < 0.20  # 1.96 * 1.005 / 10
    assert high - mean == mean - low


def test_the_command_prints_both_figures(capsys):
    main(games=3, seed=1)
    printed = capsys.readouterr().out
    assert "3 games" in printed
    assert "11.3" in printed
