"""Results on the terminal."""

import itertools

import pytest
from rich.console import Console

from benchmarks.cli.tables import print_results
from benchmarks.tournament.results import Results
from benchmarks.tournament.schedule import set_of_games
from game_core import GameLog


def results_of(agents, sets=4, seats=2, seed=0):
    """Results in which the one that is named first wins."""
    matches = [tuple(sorted(m)) for m in itertools.combinations(agents, seats)]
    results = Results(matches, agents)
    for number in range(sets):
        for match in matches:
            for fixture in set_of_games(seed, match, number):
                best = min(agents.index(agent) for agent in fixture.agents)
                rewards = [1.0 if agents.index(a) == best else -1.0 for a in match]
                by_agent = dict(zip(match, rewards, strict=True))
                log = GameLog(
                    "x",
                    0,
                    {},
                    1,
                    fixture.agents,
                    (0,) * 6,
                    tuple(by_agent[agent] for agent in fixture.agents),
                    "terminated",
                )
                results.add(fixture, log, [3] * seats)
    return results


def printed(results, path, capsys, width=160):
    print_results(Console(width=width), results, path)
    return capsys.readouterr().out


def test_standings_tell_rating_score_and_decisions(tmp_path, capsys):
    out = printed(results_of(["good", "random"]), tmp_path / "some.jsonl", capsys)
    good, random = (
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in out.splitlines()
        if line.startswith("│")
    )
    assert good[:2] == ["1", "good"]
    assert random[:4] == ["2", "random", "0", "fixed"]
    assert good[4] == "100.0 %"
    assert good[6:] == ["4", "3.0", "-", "0"]
    assert "Elo is relative to random at 0" in out
    assert str(tmp_path) in out


def test_the_mean_is_the_anchor_where_random_does_not_play(tmp_path, capsys):
    out = printed(results_of(["a", "b"]), tmp_path / "some.jsonl", capsys)
    assert "Elo is relative to their mean at 0" in out


@pytest.mark.parametrize("count", [3, 7, 12])
def test_a_cross_table_fits_in_160_columns(count, tmp_path, capsys):
    agents = [f"a_long_name_{i}" for i in range(count)]
    out = printed(results_of(agents, sets=1), tmp_path / "some.jsonl", capsys)
    assert "Score of the row against the column" in out
    assert max(map(len, out.split("A score is")[0].splitlines())) <= 160
    assert out.count("100.0") >= count * (count - 1) / 2


def test_a_cross_table_that_is_too_wide_is_in_the_report(tmp_path, capsys):
    agents = [f"agent_{i}" for i in range(15)]
    out = printed(results_of(agents, sets=1), tmp_path / "some.jsonl", capsys)
    assert "Score of the row" not in out
    assert "--report FOLDER" in out


def test_results_without_a_whole_set_have_tables_all_the_same(tmp_path, capsys):
    out = printed(Results([("a", "b")]), tmp_path / "some.jsonl", capsys)
    assert "There are no ratings" in out
