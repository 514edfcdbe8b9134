"""The process that a bot lives in; ``benchmarks.sandbox.guard`` starts and ends it.

What a bot forks in a move is a copy of this process too; such a copy ends when it
comes back from the bot, and answers nothing.
"""

import contextlib
import faulthandler
import json
import operator
import os
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sandbox.protocol import (
    QUESTION,
    Answer,
    Channel,
    action_answer,
    failure_answer,
    memory_answer,
)
from game_core.agents.agent import View, as_agent
from game_core.agents.find import find_agent
from game_core.agents.play import AgentError
from game_core.compiled.record import copy_records
from game_core.game import Game
from game_core.position import Position
from game_core.registry import load_game
from game_core.validation.arrays import as_reals

__all__ = ["Worker", "main"]

READY = 0
"""The answer to an order that was carried out."""

SHOWN_LENGTH = 80


class Worker:
    """A bot and the game it is in."""

    def __init__(self) -> None:
        self._handle = self.start
        self._shown = False
        self._pid = os.getpid()

    def start(self, order: bytes) -> int:
        """Load the game and the bot that a JSON order names.

        Raises:
            AgentError: If there is no such bot.
            BaseException: Whatever the bot's file raises.
        """
        wanted = json.loads(order)
        self._game = load_game(wanted["game"], **wanted["options"])
        _compile(self._game)
        sys.path.insert(0, _folder_of(wanted["agent"]))
        try:
            self._bot = find_agent(wanted["agent"], self._game.id)
            if not isinstance(self._bot, type):
                as_agent(self._bot)
        except ValueError as error:
            raise AgentError(_words(error)) from error
        return READY

    def move(self, question: bytes) -> Answer:
        """Return the bot's action for a question.

        Raises:
            AgentError: If the bot returns another kind of thing.
            BaseException: Whatever the bot raises.
        """
        begins, seed, seat = QUESTION.unpack_from(question)
        if begins:
            self._agent = as_agent(self._bot)
            self._rng = np.random.default_rng(seed)
        game = self._game
        record = np.frombuffer(question, game.state_dtype, offset=QUESTION.size)
        position = Position(game, copy_records(record))
        answer = self._agent.act(View(game, seat, position, self._rng))
        return as_number(answer) if game.discrete else as_floats(answer, game)

    def answer(self, frame: bytes) -> bytes:
        """Return the answer to a frame, whatever the bot does short of ending us."""
        handle, self._handle = self._handle, self.move
        try:
            return self._answer(handle, frame)
        finally:
            if os.getpid() != self._pid:
                os._exit(0)

    def _answer(self, handle: Callable[[bytes], Answer], frame: bytes) -> bytes:
        try:
            return action_answer(handle(frame))
        except AgentError as failure:
            return failure_answer(str(failure))
        except MemoryError as error:
            self._show_once(error)
            return memory_answer()
        except BaseException as error:
            self._show_once(error)
            return failure_answer(f"raised {type(error).__name__}: {_words(error)}")

    def _show_once(self, error: BaseException) -> None:
        """Show its author where a bot first went wrong, but not in every game."""
        if not self._shown:
            self._shown = True
            with contextlib.suppress(BaseException):
                traceback.print_exception(error)


def main(fd: int) -> None:
    """Answer frames from a socket until its other end is closed."""
    faulthandler.enable()
    channel = Channel(socket.socket(fileno=fd))
    worker = Worker()
    with contextlib.suppress(EOFError, OSError):
        while True:
            channel.send(worker.answer(channel.receive()))


def as_number(answer: Any) -> int:
    """Return what a bot returned as ``int``.

    Raises:
        AgentError: If it is no whole number from -2**63 to 2**63 - 1.
    """
    try:
        number = operator.index(answer)
    except TypeError:
        number = None
    is_bool = isinstance(answer, (bool, np.bool_))
    if number is None or is_bool or not -(2**63) <= number < 2**63:
        kind = type(answer).__name__
        raise AgentError(
            f"returned {_shown(answer)} ({kind}); an action is a whole number, one of "
            "view.legal_actions"
        )
    return number


def as_floats(answer: Any, game: Game) -> tuple[float, ...]:
    """Return what a bot returned as the floats of a continuous action.

    Raises:
        AgentError: If it is no array of as many numbers.
    """
    try:
        array = as_reals(answer, game.action_bounds[0].shape)
    except ValueError as what:
        kind = type(answer).__name__
        raise AgentError(
            f"returned {_shown(answer)} ({kind}), which is {what}; an action is "
            f"{game.action_kind}"
        ) from None
    return tuple(map(float, array))


def _compile(game: Game) -> None:
    """Call all that is compiled, or loaded from disk, when it is first called."""
    position = Position.new(game, 0)
    position.determinize(0, 0).observation(0)
    position.step(position.sample_action(np.random.default_rng(0)))
    _ = position.rewards


def _folder_of(spec: str) -> str:
    """Return the folder that a bot's imports are to find its neighbours in."""
    place = spec.rpartition(":")[0]
    return str(Path(place).resolve().parent) if place.endswith(".py") else os.getcwd()


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return "(an error without words)"


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except BaseException:
        return "what has no repr"
    return text if len(text) <= SHOWN_LENGTH else f"{text[:SHOWN_LENGTH]}..."
