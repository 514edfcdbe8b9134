"""What one process needs to play the games of a tournament.

The game, the agents, and a sandbox for each of the user's own bots, which starts when
it is first asked.
"""

import contextlib
import functools
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.sandbox.sandbox import Sandbox
from benchmarks.tournament.results import FORFEITS_TO_DROP
from benchmarks.tournament.results_file import Times
from benchmarks.tournament.schedule import Fixture, is_own_bot
from game_core.agents.agent import Agent, View, as_agent
from game_core.agents.find import find_agent
from game_core.agents.play import AgentError, GameLog, play
from game_core.registry import load_game
from game_core.streams import Purpose, derive

__all__ = ["DROPPED", "Game", "Order", "Runner", "Setup"]

DROPPED = f"forfeited {FORFEITS_TO_DROP} games in a row and is not asked any more"


class Setup(NamedTuple):
    """What a runner is set up with.

    Attributes:
        game: Game id.
        options: Options of the game.
        agents: The agents: label -> name as it was given.
        limits: Limits for sandboxes, by the names of their parameters.
    """

    game: str
    options: Mapping[str, Any]
    agents: Mapping[str, str]
    limits: Mapping[str, Any]


class Order(NamedTuple):
    """Games to play in one go.

    Attributes:
        fixtures: The games.
        dropped: Agents that are not asked any more, and forfeit instead.
        load: An own bot to start before, for which nothing but that is done.
    """

    fixtures: Sequence[Fixture] = ()
    dropped: frozenset[str] = frozenset()
    load: str | None = None


class Game(NamedTuple):
    """A game that was played.

    Attributes:
        log: What happened in it.
        decisions: How many there were, by seat.
        times: How long agents took: agent -> its times. Those are left out that play
            for the first time in this process, where code is loaded or compiled.
    """

    log: GameLog
    decisions: tuple[int, ...]
    times: Mapping[str, Times]


class Runner:
    """What one process needs to play games; ``close`` ends the bots' processes."""

    def __init__(self, setup: Setup) -> None:
        """Load the game.

        Raises:
            ValueError: If there is no such game.
        """
        self.setup = setup
        self._game = load_game(setup.game, **setup.options)
        self._agents: dict[str, Any] = {}
        self._warm: set[str] = set()
        self._bots = contextlib.ExitStack()

    def carry_out(self, order: Order) -> list[Game]:
        """Play the games of an order.

        Raises:
            ValueError: If a bot does not load that is to be loaded.
        """
        if order.load is not None:
            self._agent(order.load)
        return [self._play(fixture, order.dropped) for fixture in order.fixtures]

    def close(self) -> None:
        """End the bots' processes."""
        self._bots.close()

    def _play(self, fixture: Fixture, dropped: frozenset[str]) -> Game:
        seats = [
            _Clocked(_not_asked if agent in dropped else self._seated(agent, seed))
            for agent, seed in zip(fixture.agents, _seeds(fixture), strict=True)
        ]
        names = fixture.agents
        log = play(self._game, seats, fixture.seed, names=names, forfeits=True)
        of_seats = [seat.times for seat in seats]
        times = {
            name: of_seat
            for name, of_seat in zip(names, of_seats, strict=True)
            if name in self._warm and of_seat.decisions
        }
        self._warm.update(names)
        return Game(log, tuple(of_seat.decisions for of_seat in of_seats), times)

    def _seated(self, label: str, seed: int) -> Any:
        try:
            agent = self._agent(label)
        except ValueError as error:
            return functools.partial(_unable, str(error))
        return agent.player(seed) if isinstance(agent, Sandbox) else agent

    def _agent(self, label: str) -> Any:
        if label not in self._agents:
            spec = self.setup.agents[label]
            if is_own_bot(spec):
                sandbox = Sandbox(spec, self._game, **dict(self.setup.limits))
                agent = self._bots.enter_context(sandbox)
            else:
                agent = find_agent(spec, self._game.id)
            self._agents[label] = agent
        return self._agents[label]


class _Clocked:
    """An agent, made at its first move if it is a class, and its times."""

    def __init__(self, agent: Any) -> None:
        self._given = agent
        self._agent: Agent | None = None
        self.times = Times(0, 0.0, 0.0)

    def act(self, view: View) -> Any:
        begin = time.perf_counter()
        try:
            if self._agent is None:
                self._agent = as_agent(self._given)
            return self._agent.act(view)
        finally:
            seconds = time.perf_counter() - begin
            self.times = self.times.plus(Times(1, seconds, seconds))


def _seeds(fixture: Fixture) -> list[int]:
    seats = range(len(fixture.agents))
    return [derive(fixture.seed, Purpose.AGENT, seat) for seat in seats]


def _not_asked(view: View) -> Any:
    raise AgentError(DROPPED)


def _unable(reason: str, view: View) -> Any:
    raise AgentError(reason)
