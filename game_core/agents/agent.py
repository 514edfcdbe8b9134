"""Agents: whatever maps a ``View`` of the game to an action.

A plain function is an agent::

    def first_legal(view):
        return view.legal_actions[0]

So is any object with a method ``act(view)``, and a class of such objects.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from game_core.deprecation import renamed_method, warn_of_renaming
from game_core.game import Game
from game_core.position import Position
from game_core.streams import Purpose, derive
from game_core.validation.seeds import MAX_SEED

__all__ = [
    "Agent",
    "Batch",
    "BatchAgent",
    "View",
    "agent_seed",
    "as_agent",
    "draw_seed",
]


class View:
    """All that one seat may know when it has to decide, and nothing else.

    The position in it is a determinized copy: what the seat can see is as in the game,
    the random stream is another one, and what the seat cannot see is dealt anew.
    Simulating on it is planning: it does not reveal the dice.
    ``print(view.position)`` draws the board.

    Attributes:
        game: The game and its options, with the meaning of actions in words.
        seat: The seat that has to decide.
        rng: The agent's own generator, the same for the same game and seat.
    """

    def __init__(
        self, game: Game, seat: int, position: Position, rng: np.random.Generator
    ) -> None:
        self.game = game
        self.seat = seat
        self.rng = rng
        self._determinized = position

    @cached_property
    def position(self) -> Position:
        """A determinized copy of the game, to look at or to play on."""
        return self._determinized.copy()

    @property
    def state(self) -> Any:
        """The record of the determinized copy, field by field.

        The fields are described in the game's ``state.py``. Most are small integers
        (int8), which overflow: take ``int(...)`` or ``.tolist()`` before you multiply.
        """
        return self._determinized.states[0]

    @cached_property
    def legal_actions(self) -> np.ndarray:
        """Actions to choose from, ascending (k,) int64.

        Raises:
            ValueError: If actions are continuous; see ``sample_action``.
        """
        return self._determinized.legal_actions()

    @cached_property
    def action_mask(self) -> np.ndarray:
        """The same as a mask (actions,) int8.

        Raises:
            ValueError: If actions are continuous; see ``sample_action``.
        """
        return self._determinized.action_mask()

    @cached_property
    def observation(self) -> np.ndarray:
        """What a policy network sees (size,) float32."""
        return self._determinized.observation(self.seat)

    def sample_action(self) -> Any:
        """Draw a legal action with ``rng``, each as likely.

        Returns:
            ``int``; or for continuous actions (k,) float32.
        """
        return self._determinized.sample_action(self.rng)

    def determinize(self) -> Position:
        """Return another determinized copy: other chance, other hidden things.

        The copies are the same again when the same game is played again.
        """
        return self._determinized.determinize(self.seat, draw_seed(self.rng))

    fair_copy = renamed_method("fair_copy", "determinize")


@runtime_checkable
class Agent(Protocol):
    """A player; it may keep what it likes between decisions."""

    def act(self, view: View) -> Any:
        """Return a legal action for ``view``."""
        ...


class FunctionAgent:
    """A plain function as an agent."""

    def __init__(self, function: Callable[[View], Any]) -> None:
        self.function = function

    def act(self, view: View) -> Any:
        """Return what the function returns."""
        return self.function(view)


def as_agent(agent: Any) -> Agent:
    """Return an agent for an object with ``act``, a class of them, or a function.

    Raises:
        ValueError: For anything else.
    """
    if isinstance(agent, type):
        agent = agent()
    if isinstance(agent, Agent):
        return agent
    if callable(agent):
        return FunctionAgent(agent)
    advice = (
        f"; find_agent({agent!r}, game) finds one" if isinstance(agent, str) else ""
    )
    raise ValueError(
        f"{agent!r} is no agent: an agent is a function of a view, or an object with a "
        f"method act(view), that returns an action{advice}"
    )


def draw_seed(rng: np.random.Generator) -> int:
    """Return a seed for a random stream."""
    return int(rng.integers(0, MAX_SEED, dtype=np.uint64, endpoint=True))


def agent_seed(game_seed: int, seat: int) -> int:
    """Return the seed of the agent at a seat; deprecated."""
    old, new = "agent_seed(seed, seat)", "derive(seed, Purpose.AGENT, seat)"
    warn_of_renaming(old, new, stacklevel=2)
    return derive(game_seed, Purpose.AGENT, seat)


class Batch(NamedTuple):
    """Decisions to take in k games, each by the seat to move.

    Attributes:
        game: The game and its options.
        observations: What the seats see, (k, size) float32.
        masks: Legal actions, (k, actions) int8; (k, 0) if actions are continuous.
        memories: What the agent keeps in each game, (k,) records of
            ``game_core.agents.policy.MEMORY``; their streams are for its random
            numbers.
    """

    game: Game
    observations: np.ndarray
    masks: np.ndarray
    memories: np.ndarray


@runtime_checkable
class BatchAgent(Protocol):
    """A player that decides in many games at once, for instance a network."""

    def act_batch(self, batch: Batch) -> np.ndarray:
        """Return legal actions: (k,) whole numbers, or (k, size) continuous ones.

        What it draws comes from ``batch.memories``, so that an action does not depend
        on the games beside it.
        """
        ...
