"""What a tournament comes to: win shares by set of games, and forfeits."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.intervals import Interval, score_interval
from game_core.play import TRUNCATED, GameLog


class Fixture(NamedTuple):
    """One game of a tournament, to be played.

    Attributes:
        match: Number of the match, that is of the combination of agents.
        set: Number of the set in its match; its games have the same seed.
        rotation: Number of the game in its set; the agents move on by as many seats.
        seed: Seed of the game.
        agents: The agents by seat.
    """

    match: int
    set: int
    rotation: int
    seed: int
    agents: tuple[str, ...]


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


class Results:
    """The scores of a tournament, which grow game by game.

    A score is a win share, so that n equal agents have 1 / n each. The unit of
    evidence is the set: games of the same seed with the agents at every seat once.

    Attributes:
        matches: The combinations of agents that play each other.
        games: Number of games played.
        forfeits: All forfeits in the order of play.
    """

    def __init__(self, matches: Sequence[tuple[str, ...]]) -> None:
        self.matches = list(matches)
        self.games = 0
        self.forfeits: list[Forfeit] = []
        self._sums: list[list[np.ndarray]] = [[] for _ in self.matches]

    @property
    def agents(self) -> list[str]:
        """The agents in the order of the command."""
        return list(dict.fromkeys(agent for match in self.matches for agent in match))

    def add(self, fixture: Fixture, log: GameLog) -> None:
        """Count the next game; fixtures of a set come one after the other."""
        self.games += 1
        match, sums = self.matches[fixture.match], self._sums[fixture.match]
        if fixture.rotation == 0:
            sums.append(np.zeros(len(match)))
        for agent, share in zip(fixture.agents, win_shares(log), strict=True):
            sums[-1][match.index(agent)] += share
        if log.forfeit_seat is not None:
            offender = fixture.agents[log.forfeit_seat]
            reason = log.forfeit_reason or ""
            self.forfeits.append(Forfeit(offender, self.games, reason))

    def set_scores(self, agent: str, opponent: str | None = None) -> np.ndarray:
        """Return the scores of an agent in its sets (sets,) float64.

        Args:
            agent: The agent.
            opponent: Count only matches that it plays in, too; None for all.
        """
        scores = [
            np.array(sums)[:, match.index(agent)] / len(match)
            for match, sums in zip(self.matches, self._sums, strict=True)
            if agent in match and (opponent is None or opponent in match) and sums
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
