"""Ratings of agents: maximum likelihood, with intervals by bootstrap over sets.

The model is R. D. Luce's: of those who play a game, each wins with a probability
proportional to its strength. For two players it is known as Bradley-Terry, for more as
the first place of Plackett-Luce; a rating is 400 log10 of the strength. A shared win
counts in parts. The likelihood depends on the wins alone, added up by match and agent,
and its logarithm is concave: D. R. Hunter, "MM algorithms for generalized Bradley-Terry
models", Annals of Statistics 32 (2004), 384-406.

No record is beyond doubt: half a set (``PRIOR_SETS``) is added to what each agent won,
shared out evenly over its matches, and in each match to all alike. That keeps the
ratings of those finite who won or lost all. Who plays in more matches than those that
it meets, as in a gauntlet, is given more.

Intervals are those of the Bayesian bootstrap, which draws a weight for each set instead
of sets with repetition, and thus knows no resample in which a set is missing: D. B.
Rubin, Annals of Statistics 9 (1981), 130-134. The parts of the prior have weights, too,
so that an agent which won all of n sets against another gets the interval of Jeffreys'
prior: L. Brown, T. Cai and A. DasGupta, "Interval estimation for a binomial
proportion", Statistical Science 16 (2001), 101-133. How often such intervals hold the
truth: ``python -m benchmarks.studies.rating_evidence``.

choix (L. Maystre, MIT licence) fits the same models, and the tests hold this one
against it. It knows no wins in parts where more than two play, and fits one sample at a
time, where a bootstrap has a thousand.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from benchmarks.ratings.elo import ELO_PER_NAT
from benchmarks.ratings.intervals import Interval
from benchmarks.ratings.match import Match
from game_core.validation.text import did_you_mean

__all__ = [
    "MEAN",
    "PRIOR_SETS",
    "QUANTILES",
    "Rating",
    "Ratings",
    "UnconnectedError",
    "rate",
]

PRIOR_SETS = 0.5
"""Sets that every agent is taken to have won beside those that it played."""

QUANTILES = (0.025, 0.975)
"""The ends of a 95 % interval."""

ANCHOR = "random"
"""The agent whose rating is 0, where it takes part and no other is named."""

MEAN = "mean"
"""The anchor by which the mean of all ratings is 0."""

_CHUNK = 1 << 20
"""Numbers in the largest array of a fit; resamples are fitted in as many chunks."""

_MAX_STEPS = 100
_TOLERANCE = 1e-10
"""What the last Newton step was to add to the log-likelihood, times 2."""


class Rating(NamedTuple):
    """How strong an agent is.

    Attributes:
        agent: The agent.
        elo: Its rating.
        low: Lower end of the 95 % interval of the rating relative to the anchor.
        high: Upper end.
        games: Number of its games.
    """

    agent: str
    elo: float
    low: float
    high: float
    games: int


@dataclasses.dataclass(frozen=True)
class Ratings:
    """The ratings of agents, the best first: a sequence of ``Rating``.

    Attributes:
        rows: The ratings, the best first.
        anchor: The agent whose rating is 0, or "mean".
        resamples: Ratings that as good a sample could have given; a row for each
            resample, a column for each row (resamples, agents) float64.
    """

    rows: tuple[Rating, ...]
    anchor: str
    resamples: np.ndarray

    def __iter__(self) -> Iterator[Rating]:
        """Yield the ratings, the best first."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return the number of agents."""
        return len(self.rows)

    def __contains__(self, agent: object) -> bool:
        """Tell whether an agent is rated."""
        return any(row.agent == agent for row in self.rows)

    def __getitem__(self, agent: str) -> Rating:
        """Return the rating of an agent.

        Raises:
            KeyError: If it has none.
        """
        return self.rows[self._column(agent)]

    def difference(self, agent: str, other: str) -> Interval:
        """Return by how much an agent is rated above another, with a 95 % interval.

        Two agents of similar strength are often known much better relative to each
        other than either of them relative to the anchor.
        """
        columns = self._column(agent), self._column(other)
        first, second = (self.resamples[:, column] for column in columns)
        low, high = np.quantile(first - second, QUANTILES)
        elo = self[agent].elo - self[other].elo
        return Interval(elo, float(low), float(high))

    def superiority(self) -> np.ndarray:
        """Return how sure it is that the row is stronger than the column (n, n).

        A likelihood from 0 to 1, that is the part of the resamples in which it is so;
        agents are in the order of ``rows``. The diagonal is 0.5.
        """
        of_row, of_column = self.resamples[:, :, None], self.resamples[:, None, :]
        above, equal = (of_row > of_column), (of_row == of_column)
        return (above + 0.5 * equal).mean(axis=0)

    def _column(self, agent: str) -> int:
        for column, row in enumerate(self.rows):
            if row.agent == agent:
                return column
        raise KeyError(f"{agent!r} has no rating; agents: {_names(self.rows)}")


class UnconnectedError(ValueError):
    """Agents that cannot be compared, since no chain of games leads between them."""


def rate(
    shares: Mapping[Match, np.ndarray],
    anchor: str | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Ratings:
    """Rate agents by the sets that they played.

    Args:
        shares: For each match the mean part of a win that each of its agents had in
            each set (sets, agents of the match), as ``Results.shares`` returns it.
            Matches without a set are passed over.
        anchor: The agent whose rating is to be 0, or "mean"; None for "random", or
            for the mean where that takes no part.
        seed: Of the bootstrap; the same one gives the same intervals.
        resamples: Number of the bootstrap's ratings.

    Raises:
        UnconnectedError: If no chain of games leads from some agents to others.
        ValueError: If there is no set, or the anchor plays none.
    """
    played = {match: np.asarray(sets) for match, sets in shares.items() if len(sets)}
    if not played:
        raise ValueError("ratings take one set of games or more; there is none")
    field = _Field(played)
    _check_connected(field.agents, list(played))
    anchor = _known_anchor(anchor, field.agents)
    strengths = field.fit(_won(field, played), np.zeros((len(field.agents), 1)))
    drawn = _drawn(field, played, np.random.default_rng(seed), resamples)
    elo = _anchored(strengths, field.agents, anchor)[:, 0]
    samples = _anchored(field.fit(drawn, strengths), field.agents, anchor)
    low, high = np.quantile(samples, QUANTILES, axis=1)
    games = _games(played)
    order = np.argsort(-elo, kind="stable")
    rows = tuple(
        Rating(agent, float(elo[i]), float(low[i]), float(high[i]), games[agent])
        for i, agent in ((i, field.agents[i]) for i in order)
    )
    return Ratings(rows, anchor, samples[order].T)


class _Field:
    """Who plays whom how often, and the model's fit to how often each won.

    Samples are the last axis of all arrays.

    Attributes:
        agents: The agents; those of a match are numbers in this list.
        players: The agents of each match (matches, seats).
        prior: Sets that each agent of a match won beside those played (matches,).
        sets: Sets of each match, those of the prior included (matches,).
    """

    def __init__(self, played: Mapping[Match, np.ndarray]) -> None:
        if len({len(match) for match in played}) > 1:
            raise ValueError("matches are of different numbers of agents")
        self.agents = list(dict.fromkeys(agent for match in played for agent in match))
        index = {agent: i for i, agent in enumerate(self.agents)}
        self.players = np.array([[index[a] for a in match] for match in played])
        # The prior of a match is that of its agent with the fewest matches, so that
        # no agent is left with next to none.
        matches_of = np.bincount(self.players.ravel())
        self.prior = PRIOR_SETS / matches_of[self.players].min(axis=1)
        counts = np.array([len(sets) for sets in played.values()])
        self.sets = counts + self.players.shape[1] * self.prior
        pairs = self.players[:, :, None] * len(self.agents) + self.players[:, None, :]
        self._by_agent = _adder(self.players, len(self.agents))
        self._by_pair = _adder(pairs, len(self.agents) ** 2)

    def total(self, won: np.ndarray) -> np.ndarray:
        """Add up by agent what was won by match (matches, seats, r) -> (agents, r)."""
        return self._by_agent @ won.reshape(-1, won.shape[-1])

    def fit(self, won: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Return the likeliest logarithms of strengths, with mean 0 (agents, r).

        Args:
            won: Sets that each agent won in each of r samples (agents, r).
            start: Where to begin (agents, 1).
        """
        size = max(1, _CHUNK // (self.players.size * self.players.shape[1]))
        chunks = [won[:, i : i + size] for i in range(0, won.shape[1], size)]
        return np.hstack([self._newton(chunk, start) for chunk in chunks])

    def _newton(self, won: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Maximise the likelihood of each sample by damped Newton steps.

        A step of range d, from the agent that it lowers most to the one that it raises
        most, is cut to log(1 + d), which makes every step an ascent: T. Sun and Q.
        Tran-Dinh, "Generalized self-concordant functions: a recipe for Newton-type
        methods", Mathematical Programming 178 (2019), 145-213.
        """
        theta = np.repeat(start, won.shape[1], axis=1)
        for _ in range(_MAX_STEPS):
            gradient, curvature = self._derivatives(won, theta)
            # The same added to all strengths changes nothing: their sum is held.
            step = np.linalg.solve(curvature + 1.0, gradient.T[..., None])[..., 0].T
            length = np.maximum(np.ptp(step, axis=0), np.finfo(float).tiny)
            theta += step * (np.log1p(length) / length)
            if (gradient * step).sum(axis=0).max() < _TOLERANCE:
                return theta
        raise ArithmeticError(f"no maximum of the likelihood in {_MAX_STEPS} steps")

    def _derivatives(
        self, won: np.ndarray, theta: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the gradient (n, r) and the negative second derivative (r, n, n)."""
        n, samples = theta.shape
        power = np.exp(theta)[self.players]
        chance = power / power.sum(axis=1, keepdims=True)
        expected = chance * self.sets[:, None, None]
        products = expected[:, :, None] * chance[:, None, :]
        of_pairs = self._by_pair @ products.reshape(-1, samples)
        curvature = -of_pairs.T.reshape(samples, n, n)
        sums = self.total(expected)
        diagonal = np.arange(n)
        curvature[:, diagonal, diagonal] += sums.T
        return won - sums, curvature


def _adder(places: np.ndarray, size: int) -> csr_array:
    """Return the matrix that adds up entries which belong to one of ``size`` places."""
    columns = np.arange(places.size)
    shape = (size, places.size)
    return csr_array((np.ones(places.size), (places.ravel(), columns)), shape=shape)


def _won(field: _Field, played: Mapping[Match, np.ndarray]) -> np.ndarray:
    """Return the sets won, those of the prior included (agents, 1)."""
    by_match = np.array([sets.sum(axis=0) for sets in played.values()])
    return field.total((by_match + field.prior[:, None])[..., None])


def _drawn(
    field: _Field,
    played: Mapping[Match, np.ndarray],
    rng: np.random.Generator,
    resamples: int,
) -> np.ndarray:
    """Return the sets won in resamples (agents, resamples).

    The weights of the sets in a match are exponential, scaled to sum to their number.
    Those of sets that ended alike sum to a gamma variate, so that a thousand of them
    cost as much as one.
    """
    seats = field.players.shape[1]
    by_match = np.empty((len(played), seats, resamples))
    for match, sets in enumerate(played.values()):
        kinds, counts = _kinds(sets)
        kinds = np.concatenate([kinds, np.eye(seats)])
        shapes = np.concatenate([counts, np.full(seats, field.prior[match])])
        weights = rng.gamma(shapes[:, None], size=(len(shapes), resamples))
        weights *= field.sets[match] / weights.sum(axis=0)
        by_match[match] = kinds.T @ weights
    return field.total(by_match)


def _kinds(sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows and how often each is there.

    As ``np.unique(sets, axis=0, return_counts=True)``, ten times as fast.
    """
    rows = sets[np.lexsort(sets.T)]
    other = np.any(rows[1:] != rows[:-1], axis=1)
    bounds = np.flatnonzero(np.concatenate([[True], other, [True]]))
    return rows[bounds[:-1]], np.diff(bounds)


def _anchored(theta: np.ndarray, agents: list[str], anchor: str) -> np.ndarray:
    """Return logarithms of strengths (agents, r) in Elo, relative to the anchor."""
    zero = theta.mean(axis=0) if anchor == MEAN else theta[agents.index(anchor)]
    return ELO_PER_NAT * (theta - zero)


def _games(played: Mapping[Match, np.ndarray]) -> dict[str, int]:
    """Return the number of games of each agent; a set has one for each seat."""
    games: dict[str, int] = {}
    for match, sets in played.items():
        for agent in match:
            games[agent] = games.get(agent, 0) + len(sets) * len(match)
    return games


def _known_anchor(anchor: str | None, agents: list[str]) -> str:
    if anchor is None:
        return ANCHOR if ANCHOR in agents else MEAN
    if anchor not in (*agents, MEAN):
        problem = f"anchor {anchor!r} plays no set"
        advice = f"take {MEAN!r} or one of: {', '.join(agents)}"
        raise ValueError(did_you_mean(problem, anchor, (*agents, MEAN), advice))
    return anchor


def _check_connected(agents: list[str], matches: list[Match]) -> None:
    reached, more = {agents[0]}, True
    while more:
        found = {a for match in matches if reached & set(match) for a in match}
        more = not found <= reached
        reached |= found
    apart = [agent for agent in agents if agent not in reached]
    if apart:
        together = [agent for agent in agents if agent in reached]
        raise UnconnectedError(
            f"no chain of games leads from {', '.join(together)} "
            f"to {', '.join(apart)}: play matches between them, or rate them apart"
        )


def _names(rows: tuple[Rating, ...]) -> str:
    return ", ".join(row.agent for row in rows)
