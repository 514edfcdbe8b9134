"""Tournaments and comparisons that end as soon as they know enough."""

import json

import pytest

from benchmarks.ratings.bradley_terry import rate
from benchmarks.tournament.compare import STOPPED, Hypotheses, compared, in_words
from benchmarks.tournament.results import Results
from benchmarks.tournament.run import Place, open_run, run_tournament
from benchmarks.tournament.schedule import Tournament

pytestmark = pytest.mark.slow

EVEN = ("fifty_percent", "rule_of_28")
UNTIL = 70.0


def tournament(agents=EVEN, games=1000, seed=1, **settings):
    options = {"num_players": 2, "columns_to_win": 1}
    return Tournament("cant_stop", agents, games, seed, options, **settings)


def widest(results, sets):
    return max(rating.high - rating.low for rating in rate(results.shares(sets)))


@pytest.fixture(scope="module")
def narrowed(tmp_path_factory):
    """A tournament played until its ratings are narrow: results and file."""
    path = tmp_path_factory.mktemp("narrow") / "narrow.jsonl"
    return run_tournament(tournament(until=UNTIL), path), path


def test_a_tournament_stops_when_all_intervals_are_narrow(narrowed):
    results, path = narrowed
    sets = results.games // 2
    assert 16 < sets < 500
    assert widest(results, None) < UNTIL <= widest(results, int(sets / 1.25))
    header = json.loads(path.read_text().partition("\n")[0])["tournament"]
    assert (header["until"], header["games"]) == (UNTIL, 1000)


def test_where_it_stops_does_not_depend_on_workers_or_interruptions(narrowed, tmp_path):
    path, (_, whole) = tmp_path / "results.jsonl", narrowed
    run_tournament(tournament(until=UNTIL), path, place=Place(2))
    assert path.read_bytes() == whole.read_bytes()
    lines = whole.read_bytes().splitlines(keepends=True)
    for games in (20, 32, 40, len(lines) - 2):
        path.write_bytes(b"".join(lines[: 1 + games]))
        run_tournament(tournament(until=UNTIL), path)
        assert path.read_bytes() == whole.read_bytes()


def test_one_that_has_seen_enough_plays_on_for_narrower_intervals(narrowed, tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(narrowed[1].read_bytes())
    with open_run(tournament(until=UNTIL), path) as run:
        assert list(run) == []
    assert path.read_bytes() == narrowed[1].read_bytes()
    results = run_tournament(tournament(until=UNTIL / 1.2), path)
    assert results.games > narrowed[0].games
    assert widest(results, None) < UNTIL / 1.2


def test_games_are_the_limit_of_both(tmp_path):
    assert run_tournament(tournament(until=1.0, games=50)).games == 50
    wanted = Hypotheses(0, 1).of(tournament(games=6))
    results = run_tournament(wanted)
    assert results.games == 6
    comparison = compared(wanted, results)
    assert comparison.decision is None
    words = in_words(comparison)
    assert words[0].startswith("Undecided: fifty_percent against rule_o")
    assert STOPPED not in words


@pytest.mark.parametrize(
    ("agents", "decision", "verdict"),
    [
        (("rule_of_28", "random"), "H1", "rule_of_28 is stronger than random ("),
        (("random", "rule_of_28"), "H0", "random is not 100 Elo stronger than rule_"),
    ],
)
def test_a_comparison_stops_at_the_pair_that_decides(agents, decision, verdict):
    wanted = Hypotheses(0, 100).of(tournament(agents))
    results = run_tournament(wanted)
    comparison = compared(wanted, results)
    assert comparison.decision == decision
    assert comparison.test.pairs == results.games / 2 < 100
    words = in_words(comparison)
    assert words[0].startswith(verdict)
    assert words[0].endswith("(a test like this errs so in 5% of cases).")
    assert f"Elo from {agents[1]} (95 % interval " in words[1]
    assert words[2] == STOPPED
    assert comparison.rating is not None
    assert (comparison.rating.elo > 0) == (agents[0] == "rule_of_28")


def test_a_comparison_does_not_depend_on_workers_or_interruptions(tmp_path):
    wanted = Hypotheses(0, 100).of(tournament())
    whole, path = tmp_path / "whole.jsonl", tmp_path / "results.jsonl"
    run_tournament(wanted, whole)
    run_tournament(wanted, path, place=Place(2))
    assert path.read_bytes() == whole.read_bytes()
    lines = whole.read_bytes().splitlines(keepends=True)
    for games in (1, 8, len(lines) - 2, len(lines) - 1):
        path.write_bytes(b"".join(lines[: 1 + games]))
        run_tournament(wanted, path)
        assert path.read_bytes() == whole.read_bytes()
    read = compared(wanted, Results.read(path))
    assert read.decision is not None
    assert read.test.pairs == (len(lines) - 1) / 2


def test_an_agent_can_be_compared_with_itself():
    wanted = Hypotheses(-400, 400).of(tournament(("random", "random"), games=40))
    comparison = compared(wanted, run_tournament(wanted))
    assert comparison[:2] == ("random", "random (2)")
    assert comparison.test.pairs > 0


@pytest.mark.parametrize(
    ("hypotheses", "decision", "claim"),
    [
        (Hypotheses(0, 20), "H1", "a is stronger than b"),
        (Hypotheses(10, 20), "H1", "a is more than 10 Elo stronger than b"),
        (Hypotheses(-10, 20), "H1", "a is not 10 Elo weaker than b"),
        (Hypotheses(0, 20), "H0", "a is not 20 Elo stronger than b"),
        (Hypotheses(-20, 0), "H0", "a is weaker than b"),
        (Hypotheses(-20, -10), "H0", "a is more than 10 Elo weaker than b"),
    ],
)
def test_a_verdict_says_who_is_stronger(hypotheses, decision, claim):
    wanted = hypotheses.of(tournament(("a", "b")))
    comparison = compared(wanted, Results([("a", "b")]))
    comparison.test.decision = decision
    assert in_words(comparison)[0].startswith(f"{claim} (a test ")


@pytest.mark.parametrize(
    ("hypotheses", "settings", "message"),
    [
        (Hypotheses(20, 0), {}, "elo0=20 is not below elo1=0"),
        (Hypotheses(alpha=0.7), {}, r"alpha=0\.7 is not above 0"),
        (Hypotheses(), {"agents": ("a", "b", "c")}, "compare takes two agents"),
        (Hypotheses(), {"options": {"num_players": 3}}, "compare takes two agents"),
    ],
)
def test_a_comparison_that_cannot_be_made(hypotheses, settings, message):
    wanted = Tournament(**(vars(tournament()) | settings))
    with pytest.raises(ValueError, match=message):
        hypotheses.of(wanted)
