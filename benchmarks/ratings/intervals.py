"""How far a score can be trusted: 95 % intervals over sets of games."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["Z_95", "Interval", "score_interval"]

Z_95 = 1.96
"""Half-width of a 95 % interval in standard errors."""

PSEUDO_SETS = np.array([0.0, 0.0, 1.0, 1.0])


class Interval(NamedTuple):
    """A mean, and where the true one is in about 95 of 100 cases.

    Attributes:
        mean: The plain mean of the sample.
        low: Lower end of the interval.
        high: Upper end of the interval.
    """

    mean: float
    low: float
    high: float


def score_interval(scores: Sequence[float] | np.ndarray) -> Interval:
    """Return the mean of set scores with an interval that trusts no perfect record.

    Two sets of score 1 and two of score 0 are added before the usual interval, mean
    +- 1.96 standard errors, is taken: Agresti and Coull, "Approximate is better than
    'exact' for interval estimation of binomial proportions", The American Statistician
    52 (1998), 119-126. They treat scores of 0 and 1; a set may score between. In
    simulations with 25 and 200 sets the interval held the truth in 94.5 to 99 % of
    cases: see ``tests/benchmarks/ratings/test_intervals.py``.

    Args:
        scores: One for each set, from 0 to 1, independent of each other.

    Raises:
        ValueError: If there is none.
    """
    if not len(scores):
        raise ValueError("an interval takes the scores of one set or more; got none")
    adjusted = np.concatenate([scores, PSEUDO_SETS])
    centre = float(adjusted.mean())
    margin = Z_95 * float(adjusted.std()) / math.sqrt(len(adjusted))
    return Interval(
        mean=float(np.mean(scores)),
        low=max(0.0, centre - margin),
        high=min(1.0, centre + margin),
    )
