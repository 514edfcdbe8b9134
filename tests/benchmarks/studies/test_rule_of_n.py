"""The study of Can't Stop: the right figures, the same however it is played."""

import functools
import json
import math

import numpy as np
import pytest

from baselines.cant_stop import rule_of_28
from baselines.cant_stop._heuristic import decide
from baselines.cant_stop._variants import with_enough
from benchmarks.studies import rule_of_n as command
from benchmarks.studies.round_robin import (
    FIELD,
    Order,
    Study,
    Tally,
    find,
    play_pairs,
    run,
)
from benchmarks.studies.rule_of_n import find_out, standings, verdict
from game_core import load_game, play
from game_core.agents.policy import play_policies

pytestmark = pytest.mark.slow

FEW = ("rule_of_28", "glenn_aloi", "rule_of_36")

LONG_RUN, LONG_RUN_MARGIN = 0.640, 0.005
"""Score of glenn_aloi against rule_of_28, from far more games, and how sure it is."""


def figures(study, workers):
    tallies, clock = run(study, workers)
    assert clock.seconds > 0 < clock.used
    findings = find_out(study, tallies)
    counts = {match: of.tolist() for match, of in findings.counts.items()}
    return counts, findings.ratings.rows, findings.scores, findings.decisions


def test_any_number_of_processes_and_any_batch_give_the_same_figures():
    here = figures(Study(300, seed=5, field=FEW), workers=1)
    small_batches = Study(300, seed=5, field=FEW, pairs_at_once=7)
    assert figures(small_batches, workers=1) == here
    assert figures(small_batches, workers=2) == here
    assert figures(Study(300, seed=6, field=FEW), workers=1) != here


def test_a_known_match_comes_out_as_it_should():
    """The mean of n pairs is off by more than 4.9 standard errors once in a million."""
    pairs = 8000
    match = ("glenn_aloi", "rule_of_28")
    study = Study(2 * pairs, seed=1, field=match, pairs_at_once=pairs)
    findings = find_out(study, run(study, workers=1)[0])
    assert findings.counts[match].sum() == pairs
    deviation = 0.5  # of a pair's score, which is from 0 to 1, at most
    margin = LONG_RUN_MARGIN + 4.9 * deviation / math.sqrt(pairs)
    assert abs(findings.scores["glenn_aloi"].mean - LONG_RUN) < margin


def test_the_seats_of_a_pair_are_swapped():
    """A strategy against itself wins one game of each pair: they are the same game."""
    tally = play_pairs(Order(("rule_of_28", "rule_of_28"), 0, 20, seed=3))
    assert tally.counts.tolist() == [0, 0, 20, 0, 0]
    assert tally.decisions[0] == tally.decisions[1]


def test_a_rule_of_n_stops_at_n():
    game, weights = load_game("cant_stop"), with_enough(rule_of_28.WEIGHTS, 36)
    assert rule_of_28.WEIGHTS["enough"] == 28

    def rule_of_36(view):
        return int(decide(weights[0], view.state))

    logs = [play(game, [rule_of_36] * 2, seed) for seed in range(3)]
    seats, seeds = np.zeros((3, 2), np.int64), np.arange(3, dtype=np.uint64)
    played = play_policies(game, [find("rule_of_36")], seats, seeds)
    assert played.decisions.sum(axis=1).tolist() == [len(log.actions) for log in logs]
    assert played.rewards.tolist() == [list(log.rewards) for log in logs]


def tally(match, counts, decisions=(10, 20)):
    return Tally(match, np.array(counts), np.array(decisions))


def test_scores_are_means_over_pairs():
    study = Study(24, field=("random", "rule_of_28", "rule_of_36"))
    findings = find_out(
        study,
        [
            tally(("random", "rule_of_28"), [3, 0, 1, 0, 0]),
            tally(("random", "rule_of_36"), [4, 0, 0, 0, 0], (0, 40)),
            tally(("rule_of_28", "rule_of_36"), [0, 0, 1, 0, 0]),
            tally(("rule_of_28", "rule_of_36"), [0, 1, 0, 0, 2]),
        ],
    )
    assert findings.cross["random", "rule_of_28"].mean == 1 / 8
    assert findings.cross["rule_of_36", "rule_of_28"].mean == 1 - 2.75 / 4
    assert findings.scores["random"].mean == 1 / 16
    assert findings.decisions["random"] == 10 / 16
    assert findings.decisions["rule_of_28"] == (20 + 10 + 10) / 16
    assert findings.ratings["rule_of_28"].elo == 0
    assert "28 is the best" in verdict(findings)
    assert standings(findings).row_count == 3


def test_what_beats_28_is_said():
    study = Study(8, field=("rule_of_28", "rule_of_36"))
    won = find_out(study, [tally(("rule_of_28", "rule_of_36"), [4, 0, 0, 0, 0])])
    assert "rule_of_36 is the best" in verdict(won)
    assert "100.0 %" in verdict(won)


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 0},
        {"games": 10, "seed": -1},
        {"games": 10, "pairs_at_once": 0},
        {"games": 10, "field": ("random",)},
        {"games": 10, "field": ("random", "random")},
        {"games": 10, "field": ("random", "rule_of_27")},
    ],
)
def test_what_cannot_be_played_is_refused(wrong):
    with pytest.raises(ValueError, match=r"not allowed; give|not a whole number"):
        Study(**wrong)


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"games": 0}, {"seed": -1}])
def test_the_command_says_what_is_wrong_with_its_options(wrong):
    with pytest.raises(SystemExit, match=f"study: {next(iter(wrong))}"):
        command.main(**wrong)


def test_games_are_rounded_up_to_pairs():
    study = Study(100, field=FIELD)
    assert len(study.matches) == len(FIELD) * (len(FIELD) - 1) / 2 == 105
    assert (study.pairs, study.all_games) == (1, 210)


def test_the_command_writes_what_it_prints(monkeypatch, tmp_path, capsys):
    few = functools.partial(Study, field=FEW)
    monkeypatch.setattr(command, "Study", few)
    out = tmp_path / "study.json"
    command.main(games=60, seed=2, workers=1, out=out)
    printed, written = capsys.readouterr().out, json.loads(out.read_text())
    assert written["games"] == 60
    assert "60 games in" in printed
    assert "256 games/s" in printed
    assert {row["strategy"] for row in written["strategies"]} == set(FEW)
    assert all(row["strategy"] in printed for row in written["strategies"])
    assert [sum(m["pairs_by_score"]) for m in written["matches"]] == [10, 10, 10]
