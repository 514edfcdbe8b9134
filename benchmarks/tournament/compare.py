"""Two agents, and games in pairs until it is known which of them is the stronger."""

import dataclasses
from typing import NamedTuple

from benchmarks.ratings.bradley_terry import Rating, rate
from benchmarks.ratings.sprt import Decision, SequentialTest
from benchmarks.tournament.results import Results
from benchmarks.tournament.schedule import Tournament, labels

__all__ = ["STOPPED", "Hypotheses", "compared", "in_words"]

STOPPED = (
    "A test stops when a difference looks large: the true one is likely nearer to what "
    "lies between both hypotheses, and in about 90 % of cases within the interval."
)
"""What to think of a rating then; measured by
``benchmarks.studies.rating_evidence``."""


@dataclasses.dataclass(frozen=True)
class Hypotheses:
    """What a sequential test decides between, and how often it may err.

    Attributes:
        elo0: How much stronger the first agent is by H0, in Elo.
        elo1: How much stronger it is by H1.
        alpha: Probability of deciding for H1 where H0 holds.
        beta: Probability of deciding for H0 where H1 holds.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def of(self, tournament: Tournament) -> Tournament:
        """Return a match of two agents that stops when it is decided.

        Raises:
            ValueError: If it is not a match of two, or the test cannot be made.
        """
        settings = dataclasses.asdict(self)
        SequentialTest(**settings)
        if len(tournament.agents) != 2 or tournament.options.get("num_players") != 2:
            raise ValueError(
                "compare takes two agents in games of two players; for more, play a "
                "tournament"
            )
        return dataclasses.replace(tournament, test=settings)


class Comparison(NamedTuple):
    """How two agents compare.

    Attributes:
        first: The first agent.
        second: The second one.
        test: The test with all whole pairs in it up to its decision.
        rating: Of the first agent, where the second has 0; None without a whole pair.
            Its interval is one for a number of games that was fixed beforehand.
    """

    first: str
    second: str
    test: SequentialTest
    rating: Rating | None

    @property
    def decision(self) -> Decision | None:
        """What the test says: "H0", "H1", or None as long as it says nothing."""
        return self.test.decision


def compared(tournament: Tournament, results: Results) -> Comparison:
    """Return how the two agents of a tournament compare.

    Args:
        tournament: From ``Hypotheses.of``.
        results: What it has come to.
    """
    first, second = labels(tournament.agents)
    test = SequentialTest(**dict(tournament.test or {}))
    scores = results.set_scores(first, second)
    for score in scores:
        if test.add(score) is not None:
            break
    shares = results.shares()
    rating = rate(shares, anchor=second)[first] if shares else None
    return Comparison(first, second, test, rating)


def in_words(comparison: Comparison) -> list[str]:
    """Return what a comparison says, a sentence a line."""
    first, second, test, rating = comparison
    lines = [_verdict(comparison)]
    if rating is not None:
        lines.append(
            f"{first} is at {rating.elo:+.0f} Elo from {second} (95 % interval "
            f"{rating.low:+.0f} to {rating.high:+.0f}) in {rating.games} games."
        )
    if rating is not None and test.decision is not None:
        lines.append(STOPPED)
    low, high = test.bounds
    lines.append(
        f"After {test.pairs} pairs the log-likelihood ratio is {test.llr:.2f}; the "
        f"test ends at {low:.2f} (for {test.elo0:+g} Elo) or {high:.2f} (for "
        f"{test.elo1:+g})."
    )
    return lines


def _verdict(comparison: Comparison) -> str:
    first, second, test, _ = comparison
    if test.decision is None:
        return f"Undecided: {first} against {second} needs more games."
    if test.decision == "H1":
        claim, error = _more(first, second, test.elo0), test.alpha
    else:
        claim, error = _less(first, second, test.elo1), test.beta
    return f"{claim} (a test like this errs so in {error:.0%} of cases)."


def _more(first: str, second: str, elo: float) -> str:
    if elo == 0:
        return f"{first} is stronger than {second}"
    if elo > 0:
        return f"{first} is more than {elo:g} Elo stronger than {second}"
    return f"{first} is not {-elo:g} Elo weaker than {second}"


def _less(first: str, second: str, elo: float) -> str:
    if elo == 0:
        return f"{first} is weaker than {second}"
    if elo > 0:
        return f"{first} is not {elo:g} Elo stronger than {second}"
    return f"{first} is more than {-elo:g} Elo weaker than {second}"
