"""What a tournament comes to, counted game by game or read from its file."""

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from benchmarks.intervals import Interval, score_interval
from benchmarks.results_file import games_in, headers_in
from benchmarks.schedule import Fixture, Match, labels
from game_core.play import TRUNCATED, GameLog

FORFEITS_TO_DROP = 10
"""An agent that forfeits so many of its games in a row is not asked any more."""


class Forfeit(NamedTuple):
    """A game that an agent lost because it gave no legal action.

    Attributes:
        agent: The agent.
        number: Number of the game in the file of results, from 1.
        reason: Why, in words.
    """

    agent: str
    number: int
    reason: str


def win_shares(log: GameLog) -> list[float]:
    """Return the part of a win that each seat has; the parts sum to 1.

    A win is whole for the highest reward, whatever the game pays, and those who tie
    for it share it. All share a truncated game, which nobody won.
    """
    if log.ended == TRUNCATED:
        return [1 / len(log.rewards)] * len(log.rewards)
    highest = max(log.rewards)
    winners = log.rewards.count(highest)
    return [(reward == highest) / winners for reward in log.rewards]


@dataclasses.dataclass
class _Set:
    """The games of a set that there are, and the sums of their win shares."""

    by_agent: list[float]
    by_seat: list[float]
    rotations: set[int] = dataclasses.field(default_factory=set)
    offenders: list[str | None] = dataclasses.field(default_factory=list)


class Results:
    """The scores of a tournament, which grow game by game.

    A score is a win share, so that n equal agents have 1 / n each. The unit of
    evidence is the set: games of the same seed with the agents at every seat once.
    Scores and shares count whole sets only.

    Attributes:
        agents: The agents in the order of the command.
        matches: The combinations of agents that play each other.
        games: Number of games played.
        forfeits: All forfeits in the order of play.
        dropped: Agents that are not asked any more; see ``FORFEITS_TO_DROP``.
        decisions: Agent -> number of its decisions.
        endings: Agent -> how many of its games ended how: "terminated", "truncated",
            "forfeit" (its own) or "forfeit of another".
        lengths: Number of decisions in a game -> number of such games.
        wins: Agent -> sum of its win shares over all games.
        played: Agent -> number of its games.
    """

    def __init__(self, matches: Sequence[Match], agents: Sequence[str] = ()) -> None:
        """Begin with no game.

        Args:
            matches: The combinations of agents; others may follow.
            agents: All agents in the order wanted; by default that of the matches.
        """
        self.agents: list[str] = list(agents)
        self.matches: list[Match] = []
        self.games = 0
        self.forfeits: list[Forfeit] = []
        self.dropped: set[str] = set()
        self.decisions: Counter[str] = Counter()
        self.endings: dict[str, Counter[str]] = {}
        self.lengths: Counter[int] = Counter()
        self.wins: dict[str, float] = defaultdict(float)
        self.played: Counter[str] = Counter()
        self._sets: dict[Match, dict[int, _Set]] = {}
        self._in_a_row: Counter[str] = Counter()
        for match in matches:
            self._know(match)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the results in a file, whether or not its tournament is finished.

        Raises:
            OSError: If it cannot be read.
            ValueError: If it is no file of results.
        """
        agents: dict[str, str] = {}
        for header in headers_in(path):
            agents |= labels(header["agents"], header.get("gauntlet", ()))
        results = cls((), list(agents))
        for game in games_in(path):
            results.add(game.fixture, game.log, game.decisions)
        return results

    def add(
        self, fixture: Fixture, log: GameLog, decisions: Sequence[int] = ()
    ) -> None:
        """Count the next game.

        Args:
            fixture: Its place in the schedule; the games of a set come one after the
                other.
            log: What happened in it.
            decisions: How many there were, by seat.
        """
        self.games += 1
        self.lengths[len(log.actions)] += 1
        self.decisions.update(dict(zip(fixture.agents, decisions, strict=False)))
        offender = None
        if log.forfeit_seat is not None:
            offender = fixture.agents[log.forfeit_seat]
            reason = log.forfeit_reason or ""
            self.forfeits.append(Forfeit(offender, self.games, reason))
        self._count_endings(fixture, log, offender)
        played = self._set_of(fixture)
        played.rotations.add(fixture.rotation)
        played.offenders.append(offender)
        for seat, share in enumerate(win_shares(log)):
            agent = fixture.agents[seat]
            played.by_seat[seat] += share
            played.by_agent[fixture.match.index(agent)] += share
            self.wins[agent] += share
        if len(played.rotations) == len(fixture.match):
            self._drop_hopeless(fixture.match, played)

    def has(self, fixture: Fixture) -> bool:
        """Tell whether a game is among those played."""
        played = self._sets.get(fixture.match, {}).get(fixture.set)
        return played is not None and fixture.rotation in played.rotations

    def games_among(self, matches: Sequence[Match], below: int) -> int:
        """Return how many games there are of some matches, in sets below a number."""
        return sum(
            len(played.rotations)
            for match in matches
            for number, played in self._sets.get(match, {}).items()
            if number < below
        )

    def set_score(self, match: Match, number: int, agent: str) -> float:
        """Return the score of an agent in one whole set."""
        return self._sets[match][number].by_agent[match.index(agent)] / len(match)

    def shares(self, below: int | None = None) -> dict[Match, np.ndarray]:
        """Return the mean win shares in each whole set.

        Args:
            below: Count only sets with lower numbers; None for all.

        Returns:
            Match -> (sets, agents of the match) float64, in the match's order. Matches
            without a whole set are left out.
        """
        return self._means("by_agent", below)

    def seat_shares(self) -> dict[Match, np.ndarray]:
        """Return the mean win shares of the seats in each whole set.

        As each agent sits at each seat once in a set, they tell what a seat is worth.

        Returns:
            Match -> (sets, seats) float64.
        """
        return self._means("by_seat", None)

    def set_scores(self, agent: str, opponent: str | None = None) -> np.ndarray:
        """Return the scores of an agent in its sets (sets,) float64.

        Args:
            agent: The agent.
            opponent: Count only matches that it plays in, too; None for all.
        """
        scores = [
            self._mean(match, "by_agent")[:, match.index(agent)]
            for match in self.matches
            if agent in match and (opponent is None or opponent in match)
        ]
        return np.concatenate([np.zeros(0), *scores])

    def score(self, agent: str, opponent: str | None = None) -> Interval:
        """Return the mean of ``set_scores`` with its 95 % interval.

        Over several opponents it counts as chance, too, how they differ, and is the
        wider for it.
        """
        return score_interval(self.set_scores(agent, opponent))

    def forfeits_of(self, agent: str) -> list[Forfeit]:
        """Return the forfeits of an agent in the order of play."""
        return [forfeit for forfeit in self.forfeits if forfeit.agent == agent]

    def _know(self, match: Match) -> dict[int, _Set]:
        if match not in self._sets:
            self._sets[match] = {}
            self.matches.append(match)
            self.agents += [agent for agent in match if agent not in self.agents]
        return self._sets[match]

    def _set_of(self, fixture: Fixture) -> _Set:
        sets, size = self._know(fixture.match), len(fixture.match)
        if fixture.set not in sets:
            sets[fixture.set] = _Set([0.0] * size, [0.0] * size)
        return sets[fixture.set]

    def _count_endings(
        self, fixture: Fixture, log: GameLog, offender: str | None
    ) -> None:
        for agent in fixture.agents:
            others = offender not in (None, agent)
            ending = f"{log.ended} of another" if others else log.ended
            self.endings.setdefault(agent, Counter())[ending] += 1
            self.played[agent] += 1

    def _drop_hopeless(self, match: Match, played: _Set) -> None:
        """Count forfeits in a row; a game that another forfeits says nothing."""
        for offender in played.offenders:
            if offender is None:
                for agent in match:
                    self._in_a_row[agent] = 0
            else:
                self._in_a_row[offender] += 1
                if self._in_a_row[offender] >= FORFEITS_TO_DROP:
                    self.dropped.add(offender)

    def _means(self, sums: str, below: int | None) -> dict[Match, np.ndarray]:
        means = {match: self._mean(match, sums, below) for match in self.matches}
        return {match: rows for match, rows in means.items() if len(rows)}

    def _mean(self, match: Match, sums: str, below: int | None = None) -> np.ndarray:
        rows = [
            getattr(played, sums)
            for number, played in self._sets[match].items()
            if len(played.rotations) == len(match) and (below is None or number < below)
        ]
        return np.array(rows).reshape(-1, len(match)) / len(match)
