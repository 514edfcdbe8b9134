"""The sequential test: its errors, its bounds, and what it makes of perfect records."""

import math

import numpy as np
import pytest

from benchmarks.ratings.elo import expected_score
from benchmarks.ratings.sprt import (
    PAIR_SCORES,
    SequentialTest,
    likeliest_with_mean,
    log_likelihood_ratio,
)
from benchmarks.studies.rating_evidence import error_rates, pair_chances


def test_the_bounds_are_walds():
    low, high = SequentialTest(0, 20, alpha=0.05, beta=0.1).bounds
    assert low == pytest.approx(math.log(0.1 / 0.95))
    assert high == pytest.approx(math.log(0.9 / 0.05))


@pytest.mark.parametrize("mean", [0.3, 0.5, 0.62])
def test_the_likeliest_distribution_has_its_mean_and_no_other_is_likelier(mean):
    observed = np.array([0.1, 0.05, 0.4, 0.15, 0.3])
    likeliest = likeliest_with_mean(observed, mean)
    assert likeliest.sum() == pytest.approx(1)
    assert likeliest @ PAIR_SCORES == pytest.approx(mean)
    # Directions that change neither the sum nor the mean.
    for direction in ([1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1]):
        for step in (1e-3, -1e-3):
            other = likeliest + step * np.array(direction)
            assert observed @ np.log(other) < observed @ np.log(likeliest)


def test_the_mean_of_the_results_changes_nothing():
    observed = pair_chances(30)
    assert likeliest_with_mean(observed, expected_score(30)) == pytest.approx(observed)


def test_two_outcomes_have_the_closed_form():
    """Of 100 pairs that are won or lost whole, 60 are won: a binomial likelihood.

    The other outcomes stand in with a thousandth of a pair each.
    """
    ratio = log_likelihood_ratio(np.array([40, 0, 0, 0, 60]), 0, 60)
    p0, p1 = expected_score(0), expected_score(60)
    exact = 60 * math.log(p1 / p0) + 40 * math.log((1 - p1) / (1 - p0))
    assert ratio == pytest.approx(exact, abs=0.02)


def test_many_pairs_have_the_ratio_of_a_normal_mean():
    """N (s1 - s0) (2 s - s0 - s1) / (2 variance), for small differences."""
    counts = np.array([600, 900, 2000, 1000, 700])
    s0, s1 = expected_score(0), expected_score(5)
    observed = counts / counts.sum()
    mean = observed @ PAIR_SCORES
    variance = observed @ (PAIR_SCORES - mean) ** 2
    normal = counts.sum() * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert log_likelihood_ratio(counts, 0, 5) == pytest.approx(normal, rel=0.02)


@pytest.fixture(scope="module")
def errors():
    """What 300 tests of 0 against 100 Elo say where each of the two is true."""
    return {elo: error_rates(elo, 0, 100, tests=300) for elo in (0, 100)}


def test_errors_are_as_rare_as_promised(errors):
    """4 standard errors are allowed: one false alarm in 30,000."""
    chance = 4 * math.sqrt(0.05 * 0.95 / 300)
    assert errors[0].for_h1 <= 0.05 + chance
    assert errors[100].for_h1 >= 0.95 - chance


def test_intervals_hold_the_truth_less_often_once_a_test_has_stopped(errors):
    """About 90 %, as ``compare`` says; 4 standard errors are allowed on both sides."""
    for elo in (0, 100):
        assert abs(errors[elo].held - 0.91) < 4 * math.sqrt(0.91 * 0.09 / 300)


def test_what_is_far_from_the_other_hypothesis_is_decided_for_sure():
    assert error_rates(-80, 0, 80, tests=50).for_h1 == 0
    assert error_rates(160, 0, 80, tests=50).for_h1 == 1


def test_it_stops_about_when_wald_expects_it_to(errors):
    """Wald's mean number of pairs at H0, without what overshoots the bounds.

    The mean of 300 tests is within 15 % of its own; overshooting adds some 20 %.
    """
    chances = pair_chances(0)
    s0, s1 = expected_score(0), expected_score(100)
    variance = chances @ (PAIR_SCORES - 0.5) ** 2
    drift = -((s1 - s0) ** 2) / (2 * variance)
    low, high = SequentialTest(0, 100).bounds
    expected = (0.95 * low + 0.05 * high) / drift
    assert 0.85 < errors[0].pairs / expected < 1.4


@pytest.mark.parametrize(("score", "decision"), [(1.0, "H1"), (0.0, "H0")])
def test_a_perfect_record_decides_soon_but_not_at_once(score, decision):
    test = SequentialTest(0, 20)
    while test.add(score) is None:
        assert test.pairs < 100
    assert test.decision == decision
    assert test.pairs > 5


def test_a_decision_stays():
    test = SequentialTest(0, 50)
    while test.add(1.0) is None:
        pass
    for _ in range(300):
        test.add(0.0)
    assert test.decision == "H1"
    assert test.llr < test.bounds[0]


def test_a_hundred_million_pairs_are_no_trouble():
    assert log_likelihood_ratio(np.array([0, 0, 0, 0, 10**8]), 0, 20) > 1e6


def test_shared_pairs_alone_speak_against_a_difference():
    test = SequentialTest(0, 20)
    assert test.llr == 0
    while test.add(0.5) is None:
        assert test.pairs < 1000
    assert test.decision == "H0"


@pytest.mark.parametrize("score", [0.3, -0.25, 1.25, math.nan, math.inf])
def test_a_score_that_no_pair_has_is_refused(score):
    test = SequentialTest(0, 20)
    with pytest.raises(ValueError, match=r"0, 0\.25, 0\.5, 0\.75 or 1; got"):
        test.add(score)
    assert test.pairs == 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ((20, 0), "elo0=20 is not below elo1=0"),
        ((0, math.inf), "elo1=inf is not allowed; give a number from -1000 to 1000"),
        ((0, 20, 0), "alpha=0 is not above 0 and below 0.5"),
        ((0, 20, 0.05, 0.5), "beta=0.5"),
    ],
)
def test_tests_that_cannot_be_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        SequentialTest(*settings)
