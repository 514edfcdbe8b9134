"""The tables of a tournament as numbers, for whatever shows them."""

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from benchmarks.ratings.bradley_terry import Rating, Ratings, rate
from benchmarks.ratings.connectivity import Separation, separations
from benchmarks.ratings.intervals import Interval, score_interval
from benchmarks.tournament.results import Results
from benchmarks.tournament.results_file import Times

__all__ = ["Standing", "Tables", "seat_scores", "tabulate"]


class Standing(NamedTuple):
    """An agent's line in the standings.

    Attributes:
        agent: The agent.
        rating: Its rating; None where agents cannot be rated.
        ahead: By how many Elo it is above the next in the table; None for the last.
        sure: Likelihood that it is stronger than the next; None for the last.
        score: Its mean part of a win, over whole sets; None without one.
        sets: Number of its whole sets.
        games: Number of its games.
        decisions: Its decisions in a game on average; None without a game.
        times: How long it took for its moves; None if that is not known.
        forfeits: Number of games that it forfeited.
    """

    agent: str
    rating: Rating | None
    ahead: Interval | None
    sure: float | None
    score: Interval | None
    sets: int
    games: int
    decisions: float | None
    times: Times | None
    forfeits: int

    @property
    def seconds(self) -> float | None:
        """Seconds for a move on average; None if they are not known."""
        if self.times is None or not self.times.decisions:
            return None
        return self.times.seconds / self.times.decisions


@dataclasses.dataclass(frozen=True)
class Tables:
    """What a tournament comes to.

    Attributes:
        standings: The agents, the best first.
        cross: (Agent, opponent) -> the agent's score in their sets. In games of more
            than two it is the part of the win that went to the agent, not to the
            opponent or a third.
        ratings: The ratings; None if there can be none.
        unrated: Why there are none, in words; "" if there are.
        separated: Between whom one side lost no game to the other.
        equal: The score of equal agents.
    """

    standings: tuple[Standing, ...]
    cross: Mapping[tuple[str, str], Interval]
    ratings: Ratings | None
    unrated: str
    separated: tuple[Separation, ...]
    equal: float

    @property
    def agents(self) -> list[str]:
        """The agents, the best first."""
        return [standing.agent for standing in self.standings]

    @property
    def anchor(self) -> str | None:
        """The agent whose rating is 0, or "mean"; None without ratings."""
        return None if self.ratings is None else self.ratings.anchor


def tabulate(
    results: Results,
    times: Mapping[str, Times] | None = None,
    anchor: str | None = None,
) -> Tables:
    """Return the tables of a tournament, whether or not it is finished.

    Args:
        results: Its results.
        times: How long the agents took, as ``read_times`` returns it.
        anchor: The agent whose rating is 0; see ``rate``.
    """
    shares = results.shares()
    ratings, unrated, separated = None, "", []
    try:
        ratings = rate(shares, anchor)
        separated = separations(shares, ratings)
    except ValueError as error:
        unrated = str(error)
    scores, cross = _scores(shares)
    forfeits = _count_forfeits(results)
    order = _order(results, ratings, scores)
    ahead, sure = _ahead(ratings)
    standings = [
        Standing(
            agent=agent,
            rating=ratings[agent] if ratings and agent in ratings else None,
            ahead=ahead.get(agent),
            sure=sure.get(agent),
            score=score_interval(scores[agent]) if agent in scores else None,
            sets=len(scores.get(agent, ())),
            games=results.played[agent],
            decisions=_per_game(results, agent),
            times=(times or {}).get(agent),
            forfeits=forfeits[agent],
        )
        for agent in order
    ]
    seats = len(results.matches[0]) if results.matches else 2
    rows, equal = tuple(standings), 1 / seats
    return Tables(rows, cross, ratings, unrated, tuple(separated), equal)


def seat_scores(results: Results) -> list[Interval]:
    """Return what each seat scored in whole sets, where each agent sat there once."""
    rows = list(results.seat_shares().values())
    if not rows:
        return []
    return [score_interval(seat) for seat in np.concatenate(rows).T]


def _order(
    results: Results, ratings: Ratings | None, scores: Mapping[str, np.ndarray]
) -> list[str]:
    if ratings is not None:
        unrated = [agent for agent in results.agents if agent not in ratings]
        return [*(row.agent for row in ratings), *unrated]
    return sorted(
        results.agents,
        key=lambda agent: -scores[agent].mean() if agent in scores else 1.0,
    )


def _ahead(
    ratings: Ratings | None,
) -> tuple[dict[str, Interval], dict[str, float]]:
    """Return by how much each agent is above the next, and how sure that is."""
    if ratings is None:
        return {}, {}
    agents = [row.agent for row in ratings]
    pairs = list(itertools.pairwise(agents))
    likelihoods = ratings.superiority().diagonal(1).tolist()
    ahead = {agent: ratings.difference(agent, following) for agent, following in pairs}
    return ahead, dict(zip(agents, likelihoods, strict=False))


def _per_game(results: Results, agent: str) -> float | None:
    games = results.played[agent]
    return results.decisions[agent] / games if games else None


def _count_forfeits(results: Results) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for forfeit in results.forfeits:
        counts[forfeit.agent] += 1
    return counts


def _scores(
    shares: Mapping[tuple[str, ...], np.ndarray],
) -> tuple[dict[str, np.ndarray], dict[tuple[str, str], Interval]]:
    """Return the set scores of each agent, and the scores of each pair of agents."""
    of_agents: dict[str, list[np.ndarray]] = defaultdict(list)
    of_pairs: dict[tuple[str, str], list[np.ndarray]] = defaultdict(list)
    for match, sets in shares.items():
        for agent, column in zip(match, sets.T, strict=True):
            of_agents[agent].append(column)
            for opponent in match:
                if opponent != agent:
                    of_pairs[agent, opponent].append(column)
    scores = {agent: np.concatenate(parts) for agent, parts in of_agents.items()}
    cross = {
        pair: score_interval(np.concatenate(parts)) for pair, parts in of_pairs.items()
    }
    return scores, cross
