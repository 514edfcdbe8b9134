"""A test that stops as soon as it knows which of two agents is the stronger.

The generalized sequential probability ratio test on pairs of games, as testers of chess
engines use it (fishtest, OpenBench, fastchess). Two hypotheses are compared: the first
agent is ``elo0`` stronger (H0), or ``elo1`` (H1). After each pair the log-likelihood
ratio (LLR) of H1 to H0 is known; the test ends when it leaves its bounds.

The model of a pair is the *pentanomial* one: its score is 0, 1/4, 1/2, 3/4 or 1 with
probabilities of which nothing is assumed but the mean, so that the games of a pair may
depend on each other. Each hypothesis takes the probabilities that suit the results
best among those with its mean: M. Van den Bergh, "Maximum likelihood estimation of a
multinomial distribution with a given expectation",
http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, Proposition 1.1. That
the bounds of A. Wald, "Sequential tests of statistical hypotheses", Annals of
Mathematical Statistics 16 (1945), 117-186, keep the error rates holds for small
differences: X. Li, J. Liu and Z. Ying, "Generalized sequential probability ratio test
for separate families of hypotheses", Sequential Analysis 33 (2014), 539-563.
"""

import math
from typing import Literal, cast

import numpy as np
from scipy.optimize import brentq

from benchmarks.ratings.elo import expected_score

__all__ = [
    "PAIR_SCORES",
    "Decision",
    "SequentialTest",
    "likeliest_with_mean",
    "log_likelihood_ratio",
]

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""What the first agent can score in two games, each won, shared or lost."""

REGULAR_COUNT = 1e-3
"""Stands for a count of 0, so that every hypothesis is possible; as fishtest has it."""

MAX_ELO = 1000
"""Beyond that an expected score is too near to 0 or 1 to compute with."""

_MARGIN = 1e-13
"""Distance of the bracket of a root from the poles at its ends; see ``REGULAR_COUNT``
for how near to them a root can be, in as many pairs as anybody plays."""

Decision = Literal["H0", "H1"]


class SequentialTest:
    """A sequential test between two agents, to which pairs of games are added.

    ``test.add(0.75)`` for each pair, until ``test.decision`` is no longer None.

    Attributes:
        elo0: How much stronger the first agent is by H0, in Elo.
        elo1: How much stronger it is by H1.
        alpha: Probability of deciding for H1 where H0 holds.
        beta: Probability of deciding for H0 where H1 holds.
        counts: Pairs by score, in the order of ``PAIR_SCORES`` (5,) int64.
        decision: None, "H0" or "H1"; it stays as it was first made.
    """

    def __init__(
        self, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05
    ) -> None:
        """Begin without a pair.

        Raises:
            ValueError: If elo0 is not below elo1, either is beyond ``MAX_ELO``, or
                a probability of error is not above 0 and below 0.5.
        """
        if not elo0 < elo1:
            raise ValueError(f"elo0={elo0:g} is not below elo1={elo1:g}")
        for name, elo in (("elo0", elo0), ("elo1", elo1)):
            if not abs(elo) <= MAX_ELO:
                raise ValueError(
                    f"{name}={elo:g} is not allowed; give a number from -{MAX_ELO} "
                    f"to {MAX_ELO}"
                )
        for name, error in (("alpha", alpha), ("beta", beta)):
            if not 0 < error < 0.5:
                raise ValueError(f"{name}={error} is not above 0 and below 0.5")
        self.elo0, self.elo1, self.alpha, self.beta = elo0, elo1, alpha, beta
        self.counts = np.zeros(len(PAIR_SCORES), np.int64)
        self.decision: Decision | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at or below which H0 is accepted, and at or above which H1 is."""
        lower = math.log(self.beta / (1 - self.alpha))
        return lower, math.log((1 - self.beta) / self.alpha)

    @property
    def pairs(self) -> int:
        """Number of pairs added."""
        return int(self.counts.sum())

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of H1 to H0 given the pairs."""
        return log_likelihood_ratio(self.counts, self.elo0, self.elo1)

    def add(self, pair_score: float) -> Decision | None:
        """Add a pair and return the decision.

        Args:
            pair_score: The first agent's mean score in the two games.

        Raises:
            ValueError: If two games cannot have that score.
        """
        index = round(4 * pair_score) if math.isfinite(pair_score) else -1
        if not (0 <= index <= 4 and math.isclose(index, 4 * pair_score, abs_tol=1e-6)):
            raise ValueError(
                f"a pair of games scores 0, 0.25, 0.5, 0.75 or 1; got {pair_score}"
            )
        self.counts[index] += 1
        if self.decision is None:
            self.decision = self._decide()
        return self.decision

    def _decide(self) -> Decision | None:
        llr, (lower, upper) = self.llr, self.bounds
        if llr >= upper:
            return "H1"
        return "H0" if llr <= lower else None


def log_likelihood_ratio(counts: np.ndarray, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of a difference of elo1 to one of elo0.

    Args:
        counts: Pairs by score (5,).
        elo0: The one difference, in Elo.
        elo1: The other one.
    """
    if not counts.any():
        return 0.0
    counts = np.where(counts == 0, REGULAR_COUNT, counts)
    observed = counts / counts.sum()
    likeliest0, likeliest1 = (
        likeliest_with_mean(observed, expected_score(elo)) for elo in (elo0, elo1)
    )
    return float(counts @ np.log(likeliest1 / likeliest0))


def likeliest_with_mean(observed: np.ndarray, mean: float) -> np.ndarray:
    """Return the likeliest probabilities of pair scores among those with a mean (5,).

    They are ``observed / (1 + x * (score - mean))`` with the x that makes the mean
    right; there is one.

    Args:
        observed: Frequencies of the scores (5,), all above 0, with sum 1.
        mean: The mean that the probabilities are to have, above 0 and below 1.
    """
    deviations = PAIR_SCORES - mean
    # Five numbers are added sooner in Python than in NumPy.
    terms = list(zip(observed.tolist(), deviations.tolist(), strict=True))

    def excess(x: float) -> float:
        return sum(chance * d / (1 + x * d) for chance, d in terms)

    low, high = -1 / deviations[-1], -1 / deviations[0]
    root = brentq(excess, low + _MARGIN, high - _MARGIN, xtol=1e-15)
    return observed / (1 + cast(float, root) * deviations)
