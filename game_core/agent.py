"""Agents: whatever maps a ``View`` of the game to an action.

A plain function is an agent::

    def first_legal(view):
        return view.legal_actions[0]

So is any object with a method ``act(view)``, and a class of such objects.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np

from game_core.game import Game
from game_core.position import Position
from game_core.rng import MAX_SEED


class View:
    """All that one seat may know when it has to decide, and nothing else.

    The position in it is a fair copy: what the seat can see is as in the game, the
    random stream is another one, and what the seat cannot see is dealt anew.
    Simulating on it is planning; it foretells no dice. ``print(view.position)`` draws
    the board.

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
        self._fair = position

    @cached_property
    def position(self) -> Position:
        """A fair copy of the game, to look at or to play on."""
        return self._fair.copy()

    @property
    def state(self) -> Any:
        """The record of the fair copy, field by field.

        The fields are described in the game's ``state.py``. Most are small integers
        (int8), which overflow: take ``int(...)`` or ``.tolist()`` before you multiply.
        """
        return self._fair.states[0]

    @cached_property
    def legal_actions(self) -> np.ndarray:
        """Actions to choose from, ascending (k,) int64.

        Raises:
            ValueError: If actions are continuous; see ``sample_action``.
        """
        return self._fair.legal_actions()

    @cached_property
    def action_mask(self) -> np.ndarray:
        """The same as a mask (actions,) int8.

        Raises:
            ValueError: If actions are continuous; see ``sample_action``.
        """
        return self._fair.action_mask()

    @cached_property
    def observation(self) -> np.ndarray:
        """What a policy network sees (size,) float32."""
        return self._fair.observation(self.seat)

    def sample_action(self) -> Any:
        """Draw a legal action with ``rng``, each as likely.

        Returns:
            ``int``; or for continuous actions (k,) float32.
        """
        return self._fair.sample_action(self.rng)

    def fair_copy(self) -> Position:
        """Return another fair copy, with other chance to come and other hidden things.

        The copies are the same again when the same game is played again.
        """
        return self._fair.fair_copy(self.seat, draw_seed(self.rng))


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
    raise ValueError(
        f"{agent!r} is no agent: an agent is a function of a view, or an object with a "
        "method act(view), that returns an action"
    )


def draw_seed(rng: np.random.Generator) -> int:
    """Return a seed for a random stream."""
    return int(rng.integers(0, MAX_SEED, dtype=np.uint64, endpoint=True))
