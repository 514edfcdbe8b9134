"""The scale of ratings: 400 Elo are odds of ten to one."""

import math

__all__ = ["ELO_PER_NAT", "elo_difference", "expected_score"]

ELO_PER_NAT = 400 / math.log(10)
"""Elo in a difference of 1 between natural logarithms of strengths."""


def expected_score(elo: float) -> float:
    """Return the expected score of an agent that is stronger by that many Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(score: float) -> float:
    """Return by how many Elo an agent with that expected score is the stronger.

    Args:
        score: From 0 to 1, which give minus and plus infinity.
    """
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))
