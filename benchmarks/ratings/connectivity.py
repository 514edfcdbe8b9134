"""Groups of agents one of which lost no game to the other: a rating is then a bound.

The likelihood has a maximum only among agents of which each has taken part of a win
from each other one, if by way of others: L. R. Ford, "Solution of a ranking problem
from binary comparisons", American Mathematical Monthly 64 (1957), 28-33. Where an
agent wins every game, more of them move it up for ever, and its interval stays wide.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

from benchmarks.ratings.bradley_terry import QUANTILES, Ratings
from benchmarks.ratings.match import Match

__all__ = ["Separation", "all_known", "separations"]

FAR = 400.0
"""Elo: where so much surely lies between two groups, it is known well enough."""


class Separation(NamedTuple):
    """A group of agents, and those to which no part of a win against it went.

    Attributes:
        upper: The group, the best first.
        lower: Agents that met one of it, the best first.
        elo: Lower end of the 95 % interval of the smallest difference between two that
            met.
    """

    upper: tuple[str, ...]
    lower: tuple[str, ...]
    elo: float

    def __str__(self) -> str:
        """Return it as a sentence."""
        one = len(self.upper) == 1
        return (
            f"{_listed(self.upper)} lost no game to {_listed(self.lower)}: how "
            f"far above {'it is' if one else 'they are'} has only a lower bound "
            f"({round(self.elo)} Elo)."
        )


def separations(
    shares: Mapping[Match, np.ndarray], ratings: Ratings
) -> list[Separation]:
    """Return between whom one side lost no game to the other, the best first.

    Args:
        shares: What the ratings were made of; see ``rate``.
        ratings: The ratings.
    """
    beat, groups = _groups(shares, ratings)
    return list(_separations(beat, groups, ratings))


def all_known(shares: Mapping[Match, np.ndarray], ratings: Ratings, elo: float) -> bool:
    """Tell whether all that can be known of ratings is known well enough.

    In each group the 95 % intervals have to be narrower than ``elo``: relative to the
    anchor if it is one of them, or else to the mean of the group. Between two groups
    that met it has to be sure that ``FAR`` Elo or more lie.
    """
    beat, groups = _groups(shares, ratings)
    agents = [row.agent for row in ratings]
    for members in map(np.flatnonzero, groups):
        samples = ratings.resamples[:, members]
        among = [agents[member] for member in members]
        anchored = ratings.anchor in among
        zero = samples[:, among.index(ratings.anchor)] if anchored else samples.mean(1)
        low, high = np.quantile(samples - zero[:, None], QUANTILES, axis=0)
        if (high - low >= elo).any():
            return False
    return all(gap.elo > FAR for gap in _separations(beat, groups, ratings))


def _groups(
    shares: Mapping[Match, np.ndarray], ratings: Ratings
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return who took part of a win from whom (n, n) bool, and the groups (n,) bool.

    Agents are in the order of the ratings, and groups in that of their best.
    """
    place = {row.agent: number for number, row in enumerate(ratings)}
    beat = np.zeros((len(place), len(place)), bool)
    for match, sets in shares.items():
        if len(sets):
            players = np.array([place[agent] for agent in match])
            winners = players[np.asarray(sets).sum(axis=0) > 0]
            beat[winners[:, None], players] = True
    _, labels = connected_components(beat, connection="strong")
    return beat, [labels == label for label in dict.fromkeys(labels.tolist())]


def _separations(
    beat: np.ndarray, groups: list[np.ndarray], ratings: Ratings
) -> Iterator[Separation]:
    agents = np.array([row.agent for row in ratings], object)
    for group in groups:
        won = beat & group[:, None] & ~group
        lower = won.any(axis=0)
        if lower.any():
            first, second = np.nonzero(won)
            between = ratings.resamples[:, first] - ratings.resamples[:, second]
            elo = float(np.quantile(between, QUANTILES[0], axis=0).min())
            yield Separation(tuple(agents[group]), tuple(agents[lower]), elo)


def _listed(names: tuple[str, ...]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
