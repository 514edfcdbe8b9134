"""Agents that win or lose every game: bounds instead of ratings, and no waiting."""

import numpy as np
import pytest

from benchmarks.ratings.bradley_terry import rate
from benchmarks.ratings.connectivity import all_known, separations
from benchmarks.ratings.match import Match
from benchmarks.tournament.early_stopping import IntervalsNarrow
from benchmarks.tournament.results import Results
from benchmarks.tournament.schedule import Tournament, set_of_games
from game_core import GameLog
from tests.benchmarks.ratings.test_bradley_terry import won

EVEN = ("even_a", "even_b")


def field(sets: int) -> dict[Match, np.ndarray]:
    """Two even agents, one that beats them always, and one that never wins."""
    shares: dict[Match, np.ndarray] = {EVEN: won(sets // 2, sets - sets // 2)}
    for even in EVEN:
        shares[even, "top"] = won(0, sets)
        shares[even, "random"] = won(sets, 0)
    shares["random", "top"] = won(0, sets)
    return shares


def found(shares):
    return [(s.upper, s.lower) for s in separations(shares, rate(shares))]


def test_who_won_every_game_against_whom_is_found():
    assert found(field(20)) == [
        (("top",), ("even_a", "even_b", "random")),
        (("even_a", "even_b"), ("random",)),
    ]


def test_part_of_one_win_is_enough_for_a_rating():
    shares = field(20)
    shares["even_b", "top"] = won(0, 19, shared=1)
    assert found(shares) == [(("top", "even_b", "even_a"), ("random",))]
    shares["even_b", "random"] = won(19, 1)
    assert found(shares) == []


def test_of_four_players_one_may_win_every_game():
    """Of the others nothing is known then, so they are not told apart."""
    shares = {("a", "b", "c", "d"): np.eye(4)[[1] * 30]}
    assert found(shares) == [(("b",), ("a", "c", "d"))]
    shares = {("a", "b", "c", "d"): np.eye(4)[[1, 2, 3, 0] * 9]}
    assert found(shares) == []


def test_a_bound_is_told_in_a_sentence():
    shares = field(100)
    ratings = rate(shares)
    top, even = separations(shares, ratings)
    assert 600 < even.elo < 1500
    assert str(top) == (
        "top lost no game to even_a, even_b and random: how far above it is has "
        f"only a lower bound ({round(top.elo)} Elo)."
    )
    several = "even_a and even_b lost no game to random: how far above they are"
    assert str(even).startswith(several)


def test_intervals_that_games_do_not_narrow_are_not_waited_for():
    """Of 400 sets the even ones are known to about 35 Elo, and others to hundreds."""
    shares = field(400)
    ratings = rate(shares)
    assert max(row.high - row.low for row in ratings) > 300
    assert all_known(shares, ratings, 60)
    assert not all_known(shares, ratings, 20)


def test_a_short_perfect_record_is_waited_for():
    shares = {("random", "top"): won(0, 4)}
    assert not all_known(shares, rate(shares), 10_000)
    shares = {("random", "top"): won(0, 60)}
    assert all_known(shares, rate(shares), 1)


def test_a_tournament_that_one_agent_wins_throughout_ends():
    wanted = Tournament("cant_stop", ("random", "top"), seed=1, until=20.0)
    results, rule = Results([wanted.agents]), IntervalsNarrow(20.0)
    number = 0
    for number in range(1, 200):
        for fixture in set_of_games(1, wanted.agents, number - 1):
            names = fixture.agents
            rewards = tuple(1.0 if name == "top" else -1.0 for name in names)
            log = GameLog("cant_stop", 1, {}, 1, names, (), rewards, "terminated")
            results.add(fixture, log)
        if rule(results, number):
            break
    assert 16 <= number < 60


@pytest.mark.parametrize("anchor", ["random", "mean"])
def test_without_perfect_records_the_ratings_decide(anchor):
    shares = {("a", anchor.replace("mean", "b")): won(300, 100)}
    ratings = rate(shares)
    width = max(row.high - row.low for row in ratings)
    assert all_known(shares, ratings, width * 1.01)
    assert not all_known(shares, ratings, width * 0.99)
