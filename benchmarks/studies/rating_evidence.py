"""How well the ratings and the sequential test do where the truth is known.

``python -m benchmarks.studies.rating_evidence`` simulates tournaments between agents of
known strengths and prints how often the 95 % intervals hold them; and matches, and
prints how often the sequential test errs and how long it takes. It runs for some
minutes.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import tyro

from benchmarks.ratings.bradley_terry import rate
from benchmarks.ratings.elo import ELO_PER_NAT, expected_score
from benchmarks.ratings.match import Match
from benchmarks.ratings.sprt import PAIR_SCORES, SequentialTest

__all__ = ["coverage", "error_rates", "main", "pair_chances", "simulated_shares"]

FIELDS = ((0, 50), (0, 400), (0, 50, 100, 150), (0, 100, 200, 300, 400, 500, 600, 700))
"""Strengths of the agents in simulated tournaments, in Elo."""

SETS = (10, 30, 200)
"""Sets in each match of a simulated tournament."""

TOURNAMENTS = 300
TESTS = 500


class Errors(NamedTuple):
    """The results of simulated sequential tests.

    Attributes:
        for_h1: Part of the tests that decided for H1.
        pairs: Pairs that a test took, on average.
        held: Part of the tests whose 95 % interval of the rating held the truth.
    """

    for_h1: float
    pairs: float
    held: float


def simulated_shares(
    elos: Sequence[float],
    seats: int,
    sets: int,
    rng: np.random.Generator,
    alike: bool = False,
) -> dict[Match, np.ndarray]:
    """Return win shares of a simulated tournament, as ``Results.shares`` has them.

    Args:
        elos: Strengths of the agents, which are called "0", "1" ...
        seats: Agents in a game.
        sets: Sets in each match.
        rng: Draws the winners.
        alike: Whether all games of a set end alike; else they are independent.
    """
    strengths = np.exp(np.array(elos) / ELO_PER_NAT)
    shares = {}
    for match in itertools.combinations(range(len(elos)), seats):
        chances = strengths[list(match)] / strengths[list(match)].sum()
        games = 1 if alike else seats
        won = rng.multinomial(games, chances, size=sets)
        shares[tuple(str(agent) for agent in match)] = won / games
    return shares


def coverage(
    elos: Sequence[float], seats: int, sets: int, tournaments: int, seed: int = 0
) -> float:
    """Return how often the intervals of ratings hold the truth, relative to agent 0.

    Args:
        elos: Strengths of the agents.
        seats: Agents in a game.
        sets: Sets in each match.
        tournaments: How many are simulated.
        seed: Of the simulation.
    """
    rng = np.random.default_rng([seed, seats, sets, len(elos)])
    held = []
    for number in range(tournaments):
        shares = simulated_shares(elos, seats, sets, rng, alike=number % 2 == 0)
        ratings = rate(shares, anchor="0", seed=number, resamples=400)
        for agent, elo in enumerate(elos[1:], start=1):
            rating = ratings[str(agent)]
            held.append(rating.low <= elo - elos[0] <= rating.high)
    return float(np.mean(held))


def pair_chances(elo: float, shared: float = 0.3) -> np.ndarray:
    """Return the probabilities of pair scores of two independent games (5,).

    Args:
        elo: By how much the first agent is the stronger.
        shared: Part of the games in which the win is shared.
    """
    win = expected_score(elo) - shared / 2
    game = np.array([1 - win - shared, shared, win])
    return np.convolve(game, game)


def error_rates(
    elo: float, elo0: float, elo1: float, tests: int, seed: int = 0
) -> Errors:
    """Return what becomes of sequential tests with alpha and beta 0.05.

    Args:
        elo: The true difference.
        elo0: That of H0.
        elo1: That of H1.
        tests: How many are simulated.
        seed: Of the simulation.
    """
    rng = np.random.default_rng([seed, int(1000 + elo), int(1000 + elo1)])
    ends = np.cumsum(pair_chances(elo)[:-1])
    decided, pairs, held = [], [], []
    for number in range(tests):
        test = SequentialTest(elo0, elo1)
        while test.decision is None:
            drawn = np.searchsorted(ends, rng.random(), side="right")
            test.add(PAIR_SCORES[drawn])
        decided.append(test.decision == "H1")
        pairs.append(test.pairs)
        scores = np.repeat(PAIR_SCORES, test.counts)
        shares = {("a", "b"): np.stack([scores, 1 - scores], axis=1)}
        rating = rate(shares, "b", seed=number, resamples=400)["a"]
        held.append(rating.low <= elo <= rating.high)
    return Errors(*(float(np.mean(values)) for values in (decided, pairs, held)))


def main() -> None:
    """Print the evidence."""
    print(f"Intervals that hold the truth, in % of {TOURNAMENTS} tournaments")
    for seats in (2, 4):
        for elos in FIELDS:
            if len(elos) < seats:
                continue
            for sets in SETS:
                held = coverage(elos, seats, sets, TOURNAMENTS)
                field = " ".join(f"{elo:g}" for elo in elos)
                print(
                    f"  {seats} players, {sets:3} sets, Elo {field}: {100 * held:.1f}"
                )
    print(f"Sequential tests of 0 and 50 Elo, {TESTS} each")
    for elo in (-50, 0, 25, 50, 100):
        errors = error_rates(elo, 0, 50, TESTS)
        said = f"{100 * errors.for_h1:5.1f} % say H1 after {errors.pairs:.0f} pairs"
        print(f"  {elo:4} Elo: {said}; {100 * errors.held:.1f} % of intervals hold it")


if __name__ == "__main__":
    tyro.cli(main)
