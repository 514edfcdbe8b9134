"""Intervals: their coverage, and no certainty from a perfect record."""

import math

import numpy as np
import pytest

from benchmarks.ratings.intervals import score_interval

SIMULATIONS = 4000
COVERAGE = 0.95
# The coverage is estimated to within 4 standard errors: too low by chance in 1 of
# 30 000 cases, and the seeds are fixed.
TOLERANCE = 4 * math.sqrt(COVERAGE * (1 - COVERAGE) / SIMULATIONS)


def covers(interval, truth):
    return interval.low <= truth <= interval.high


@pytest.mark.parametrize("sets", [25, 200])
@pytest.mark.parametrize("truth", [0.02, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("alike", [False, True], ids=["independent", "alike"])
def test_the_interval_holds_the_truth_in_95_of_100_cases(sets, truth, alike):
    """For pairs of games that are independent, and for pairs that end alike."""
    rng = np.random.default_rng([sets, int(1000 * truth), alike])
    games = rng.random((SIMULATIONS, sets, 2)) < truth
    scores = games[:, :, 0] * 1.0 if alike else games.mean(axis=2)
    held = np.mean([covers(score_interval(one), truth) for one in scores])
    # Known of Agresti-Coull: for a few values of n and p up to a point less than 95 %.
    assert held >= COVERAGE - 0.01 - TOLERANCE


@pytest.mark.parametrize("record", [0.0, 1.0])
def test_a_perfect_record_is_not_certain(record):
    interval = score_interval([record] * 50)
    assert interval.mean == record
    assert 0.05 < interval.high - interval.low < 0.15
    assert covers(interval, record)


def test_more_sets_give_a_narrower_interval():
    wide, narrow = score_interval([0, 0.5, 1] * 10), score_interval([0, 0.5, 1] * 1000)
    assert narrow.high - narrow.low < (wide.high - wide.low) / 5
    assert narrow.mean == wide.mean == 0.5


def test_wins_and_losses_give_the_interval_of_agresti_and_coull():
    """7 of 20, worked by hand: p = 9 / 24, 1.96 * sqrt(p * (1 - p) / 24) = 0.1937."""
    interval = score_interval([1] * 7 + [0] * 13)
    assert interval == pytest.approx((0.35, 0.375 - 0.1937, 0.375 + 0.1937), abs=1e-4)


def test_no_sets_give_no_interval():
    with pytest.raises(ValueError, match="one set or more"):
        score_interval([])
