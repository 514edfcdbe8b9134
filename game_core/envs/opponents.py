"""Opponents: what plays the seats that the learner does not, many games at a time.

There are three kinds, and ``as_opponent`` finds the quickest for what it is given: a
baseline that has a compiled policy (see ``game_core.agents.policy``), an agent that
decides for many games at once (``BatchAgent``), or any agent, a view at a time.
"""

from typing import Any, Protocol, cast

import numpy as np

from game_core.agents.agent import Batch, BatchAgent, View, as_agent
from game_core.agents.find import find_agent, find_policy
from game_core.agents.policy import bind_turns
from game_core.compiled.record import copy_records
from game_core.compiled.rng import next_bits
from game_core.game import Game, IllegalActionError
from game_core.position import Position
from game_core.streams import Purpose, derive, generator

__all__ = ["BatchOpponent", "Opponent", "PolicyOpponent", "ViewOpponent", "as_opponent"]


class Games(Protocol):
    """What opponents use of ``SeatGames``, which describes it."""

    game: Game
    states: np.ndarray
    seating: np.ndarray
    memories: np.ndarray
    decisions: np.ndarray

    def rows_to_play(self, number: int) -> np.ndarray:
        """Return the rows (k,) int64 where opponent ``number`` is to move."""
        ...


class Opponent(Protocol):
    """One player of seats in ``Games``."""

    name: str

    def play_on(self, games: Games, number: int) -> None:
        """Play, where opponent ``number`` is to move, one decision at least.

        Raises:
            IllegalActionError: For an illegal action.
        """
        ...

    def forget(self, rows: np.ndarray) -> None:
        """Forget the games of these rows (k,) int64; others begin in them."""
        ...


class PolicyOpponent:
    """A compiled policy."""

    def __init__(self, policy: Any, name: str) -> None:
        self.policy = policy
        self.name = name

    def play_on(self, games: Games, number: int) -> None:
        """Play until others are to move."""
        play_turns = bind_turns(games.game, self.policy)
        row = play_turns(
            games.states, games.seating, number, games.memories, games.decisions
        )
        if row >= 0:
            raise IllegalActionError(f"its action is illegal in row {row}")

    def forget(self, rows: np.ndarray) -> None:
        """Nothing is kept but memories."""


class BatchOpponent:
    """An agent that decides for many games at once."""

    def __init__(self, agent: BatchAgent, name: str) -> None:
        self.agent = agent
        self.name = name

    def play_on(self, games: Games, number: int) -> None:
        """Play one decision."""
        rows = games.rows_to_play(number)
        if not len(rows):
            return
        game, states = games.game, games.states[rows]
        seats = states["player"].astype(np.int64)
        memories = games.memories[rows, seats]
        masks = np.zeros((len(rows), 0), np.int8)
        if game.discrete:
            masks = game.action_masks(states)
        batch = Batch(game, game.observations(states, seats), masks, memories)
        nobody = np.zeros(len(rows), np.bool_)
        actions = game.as_actions(self.agent.act_batch(batch), nobody)
        row = game.loops.step_all(states, actions)
        if row >= 0:
            game.refuse(states[row : row + 1], actions[row].tolist())
        games.states[rows] = states
        games.memories[rows, seats] = memories

    def forget(self, rows: np.ndarray) -> None:
        """Nothing is kept but memories."""


class ViewOpponent:
    """Any agent, which gets a view of one game at a time."""

    def __init__(self, agent: Any, name: str) -> None:
        self.agent = agent
        self.name = name
        self._agents: dict[tuple[int, int], Any] = {}

    def play_on(self, games: Games, number: int) -> None:
        """Play one decision in each game, one after the other."""
        game = games.game
        for row in games.rows_to_play(number).tolist():
            states = games.states[row : row + 1]
            seat = int(states["player"][0])
            memory = games.memories[row, seat]
            seed = int(next_bits(memory))
            seeds = np.array([derive(seed, Purpose.DETERMINIZATION)], np.uint64)
            copies = game.determinize(states, game.seats[seat : seat + 1], seeds)
            # A new generator each time: then the memory is all there is to restore.
            rng = generator(seed, Purpose.AGENT, seat)
            if (row, seat) not in self._agents:
                self._agents[row, seat] = as_agent(self.agent)
            agent = self._agents[row, seat]
            action = agent.act(View(game, seat, Position(game, copies), rng))
            position = Position(game, copy_records(states))
            position.step(action)
            games.states[row] = position.states[0]

    def forget(self, rows: np.ndarray) -> None:
        """Let new agents play the games that begin in these rows."""
        gone = set(rows.tolist())
        for place in [place for place in self._agents if place[0] in gone]:
            del self._agents[place]


def as_opponent(agent: Any, game: Game) -> Opponent:
    """Return what plays seats for an agent.

    Args:
        agent: The name of an agent (see ``game_core.find_agent``); a ``BatchAgent``,
            or a class of them; or an agent as ``game_core.play`` takes it: of a
            class every game has an object of its own, any other object plays all games.
            One that has a method ``check(game)`` is asked whether it can play.
        game: The game that it is to play.

    Raises:
        OSError: If a file that it needs is not there.
        ValueError: If there is no such agent, this is none, or it cannot play.
    """
    if isinstance(agent, str):
        name, found = agent, find_agent(agent, game.id)
        if ":" not in agent and "(" not in agent:
            policy = find_policy(agent, game.id, game.discrete)
            if policy is not None:
                return PolicyOpponent(policy, name)
    else:
        name, found = getattr(agent, "__name__", type(agent).__name__), agent
    if isinstance(found, type) and issubclass(found, BatchAgent):
        found = found()
    player = found if isinstance(found, BatchAgent) else as_agent(found)
    if hasattr(player, "check"):
        cast(Any, player).check(game)
    if isinstance(found, BatchAgent):
        return BatchOpponent(found, name)
    return ViewOpponent(found, name)
