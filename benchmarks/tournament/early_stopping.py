"""When a tournament has seen enough before all its games are played.

A rule is asked at the beginning of each set number, before the first game of it, and
looks at the whole sets below that number alone. So it decides the same in a tournament
that was stopped there and continued.
"""

from collections.abc import Callable

from benchmarks.tournament.results import Results
from benchmarks.tournament.schedule import Tournament, labels

__all__ = ["IntervalsNarrow", "StopRule", "never", "stop_rule"]

StopRule = Callable[[Results, int], bool]
"""The results, and the number of sets in each match that it may look at -> stop?"""

FIRST_LOOK = 16
GROWTH = 1.25
"""Sets before the first look at the intervals, and how many times as many before the
next: each look costs a bootstrap."""


def never(results: Results, number: int) -> bool:
    """Play all games."""
    return False


def stop_rule(tournament: Tournament) -> StopRule:
    """Return the rule that a tournament is to follow."""
    if tournament.test is not None:
        return TestDecided(tournament)
    if tournament.until is not None:
        return IntervalsNarrow(tournament.until)
    return never


class IntervalsNarrow:
    """Stop once each rating's interval is narrower than some number of Elo.

    Intervals that no number of games would narrow are not waited for; see
    ``benchmarks.ratings.connectivity``.
    """

    def __init__(self, elo: float) -> None:
        self._elo = elo
        self._next_look = FIRST_LOOK

    def __call__(self, results: Results, number: int) -> bool:
        """Tell whether to stop."""
        while self._next_look < number:
            self._next_look = int(self._next_look * GROWTH)
        return number == self._next_look and self._narrow(results, number)

    def _narrow(self, results: Results, number: int) -> bool:
        from benchmarks.ratings.bradley_terry import rate
        from benchmarks.ratings.connectivity import all_known

        shares = results.shares(number)
        return all_known(shares, rate(shares), self._elo)


class TestDecided:
    """Stop once the sequential test between two agents has decided."""

    __test__ = False  # a test of strength, not one for pytest

    def __init__(self, tournament: Tournament) -> None:
        from benchmarks.ratings.sprt import SequentialTest

        self._test = SequentialTest(**dict(tournament.test or {}))
        names = tuple(labels(tournament.agents))
        self._agent = names[0]
        self._match = tuple(sorted(names))
        self._sets = 0

    def __call__(self, results: Results, number: int) -> bool:
        """Tell whether to stop."""
        while self._sets < number and self._test.decision is None:
            score = results.set_score(self._match, self._sets, self._agent)
            self._test.add(score)
            self._sets += 1
        return self._test.decision is not None
