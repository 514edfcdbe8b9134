"""What a tournament comes to, counted game by game or read from its file."""

import dataclasses
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from benchmarks.ratings.intervals import Interval, score_interval
from benchmarks.ratings.match import Match
from benchmarks.tournament.results_file import games_in, headers_in
from benchmarks.tournament.schedule import Fixture, labels
from game_core.agents.play import TRUNCATED, GameLog

__all__ = ["FORFEITS_TO_DROP", "Forfeit", "Results", "win_shares"]

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
class _Sets:
    """The sets of a match, in arrays, since there may be a million of them.

    Attributes:
        size: Number of agents in the match, and of games in a whole set.
        rows: Number of a set -> its row, in the order of play.
        rotations: Bits of the rotations that are there, by row.
        by_agent: Sums of win shares by row and agent.
        by_seat: Sums of win shares by row and seat.
    """

    size: int
    rows: dict[int, int] = dataclasses.field(default_factory=dict)
    rotations: "array[int]" = dataclasses.field(default_factory=lambda: array("Q"))
    by_agent: "array[float]" = dataclasses.field(default_factory=lambda: array("d"))
    by_seat: "array[float]" = dataclasses.field(default_factory=lambda: array("d"))

    def row_of(self, number: int) -> int:
        """Return the row of a set, a new one if it has none."""
        if number not in self.rows:
            self.rows[number] = len(self.rotations)
            self.rotations.append(0)
            self.by_agent.extend([0.0] * self.size)
            self.by_seat.extend([0.0] * self.size)
        return self.rows[number]

    def has(self, number: int, rotation: int) -> bool:
        """Tell whether a game is there."""
        row = self.rows.get(number)
        return row is not None and bool(self.rotations[row] >> rotation & 1)

    def is_whole(self, row: int) -> bool:
        """Tell whether all games of a set are there."""
        return self.rotations[row] == (1 << self.size) - 1

    def games(self, below: int) -> int:
        """Return how many games there are in sets below a number."""
        return sum(
            self.rotations[row].bit_count()
            for number, row in self.rows.items()
            if number < below
        )

    def means(self, sums: "array[float]", below: int | None = None) -> np.ndarray:
        """Return means of sums over the games of each whole set (sets, size)."""
        chosen = np.array(self.rotations) == (1 << self.size) - 1
        if below is not None:
            chosen &= np.array([number < below for number in self.rows], bool)
        return np.array(sums).reshape(-1, self.size)[chosen] / self.size


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
        self._sets: dict[Match, _Sets] = {}
        self._offenders: dict[tuple[Match, int], list[str | None]] = {}
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
        match, number = fixture.match, fixture.set
        sets = self._know(match)
        row = sets.row_of(number)
        sets.rotations[row] |= 1 << fixture.rotation
        for seat, share in enumerate(win_shares(log)):
            agent = fixture.agents[seat]
            sets.by_seat[row * sets.size + seat] += share
            sets.by_agent[row * sets.size + match.index(agent)] += share
            self.wins[agent] += share
        self._offenders.setdefault((match, number), []).append(offender)
        if sets.is_whole(row):
            self._drop_hopeless(match, self._offenders.pop((match, number)))

    def has(self, fixture: Fixture) -> bool:
        """Tell whether a game is among those played."""
        sets = self._sets.get(fixture.match)
        return sets is not None and sets.has(fixture.set, fixture.rotation)

    def games_among(self, matches: Sequence[Match], below: int) -> int:
        """Return how many games there are of some matches, in sets below a number."""
        return sum(self._sets[match].games(below) for match in matches)

    def set_score(self, match: Match, number: int, agent: str) -> float:
        """Return the score of an agent in one whole set."""
        sets = self._sets[match]
        place = sets.rows[number] * sets.size + match.index(agent)
        return sets.by_agent[place] / sets.size

    def shares(self, below: int | None = None) -> dict[Match, np.ndarray]:
        """Return the mean win shares in each whole set.

        Args:
            below: Count only sets with lower numbers; None for all.

        Returns:
            Match -> (sets, agents of the match) float64, in the match's order. Matches
            without a whole set are left out.
        """
        means = {m: sets.means(sets.by_agent, below) for m, sets in self._sets.items()}
        return {match: rows for match, rows in means.items() if len(rows)}

    def seat_shares(self) -> dict[Match, np.ndarray]:
        """Return the mean win shares of the seats in each whole set.

        As each agent sits at each seat once in a set, they tell what a seat is worth.

        Returns:
            Match -> (sets, seats) float64.
        """
        means = {m: sets.means(sets.by_seat) for m, sets in self._sets.items()}
        return {match: rows for match, rows in means.items() if len(rows)}

    def set_scores(self, agent: str, opponent: str | None = None) -> np.ndarray:
        """Return the scores of an agent in its sets (sets,) float64.

        Args:
            agent: The agent.
            opponent: Count only matches that it plays in, too; None for all.
        """
        scores = [
            sets.means(sets.by_agent)[:, match.index(agent)]
            for match, sets in self._sets.items()
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

    def _know(self, match: Match) -> _Sets:
        if match not in self._sets:
            self._sets[match] = _Sets(len(match))
            self.matches.append(match)
            self.agents += [agent for agent in match if agent not in self.agents]
        return self._sets[match]

    def _count_endings(
        self, fixture: Fixture, log: GameLog, offender: str | None
    ) -> None:
        for agent in fixture.agents:
            others = offender not in (None, agent)
            ending = f"{log.ended} of another" if others else log.ended
            self.endings.setdefault(agent, Counter())[ending] += 1
            self.played[agent] += 1

    def _drop_hopeless(self, match: Match, offenders: list[str | None]) -> None:
        """Count forfeits in a row; a game that another forfeits says nothing."""
        for offender in offenders:
            if offender is None:
                for agent in match:
                    self._in_a_row[agent] = 0
            else:
                self._in_a_row[offender] += 1
                if self._in_a_row[offender] >= FORFEITS_TO_DROP:
                    self.dropped.add(offender)
