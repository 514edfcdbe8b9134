"""A process for each of the user's own bots, so that it cannot harm a tournament.

A bot may hang, crash, exit, fork, flood the terminal, eat memory or return nonsense:
that loses it a game at most, with the reason in the log. It runs with the rights of
the user, though: this is protection against mistakes, not against malice. What it does
to files, or to processes that it did not start, is not prevented.

It needs Linux or macOS. On macOS the memory is limited by what is measured alone, at
most twenty times a second, and a daemon that a bot has started is not found again.
"""

import contextlib
import json
import math
import os
import select
import signal
import socket
import subprocess
import sys
import time
from typing import Self

from benchmarks.sandbox.limits import (
    MEMORY_LIMIT,
    PROCESS_LIMIT,
    START_LIMIT,
    TIME_LIMIT,
)
from benchmarks.sandbox.output import BotOutput
from benchmarks.sandbox.process_tree import alive_below, end_all_below, holds_more
from benchmarks.sandbox.protocol import (
    LONGEST_ANSWER,
    QUESTION,
    Answer,
    Channel,
    OutOfMemoryError,
    read_answer,
)
from game_core.agents.agent import View
from game_core.agents.play import AgentError
from game_core.game import Game

__all__ = ["Sandbox"]

GUARD = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); "
    "from benchmarks.sandbox.guard import main; main()"
)
"""Runs in a new Python. It is to find the packages that we do, and no file of the
user's named like a module of ours (``-P``)."""

SECONDS_TO_END = 1.0
"""How long to wait for the exit status of a process that has hung up."""

FIRST_LOOK = 0.05
"""Seconds of thinking after which we look what a bot's processes use."""

BETWEEN_MOVES = 1.0
"""Seconds after which we look even at a bot that answers at once."""

LOOKING_SHARE = 10
"""A look that took so long is followed by a pause so many times as long."""

PIPES_FULL = 4
"""How much output to take in after an answer, as a thread may print on and on."""


class ExcessError(Exception):
    """A bot has more processes or memory than it may."""


class Sandbox:
    """One bot in a process of its own, which a ``with`` block starts and ends.

    The process serves all games of the bot and starts anew only after it had to be
    killed or died. What it started lives until then too. Of what the bot prints, some
    lines go to the standard error of this process: see ``benchmarks.sandbox.output``.
    """

    def __init__(
        self,
        spec: str,
        game: Game,
        *,
        time_limit: float = TIME_LIMIT,
        game_limit: float | None = None,
        start_limit: float = START_LIMIT,
        memory_limit: int = MEMORY_LIMIT,
    ) -> None:
        """Describe the process.

        Args:
            spec: "file.py:name" or "package.module:name".
            game: The game and its options.
            time_limit: Seconds for a move, by the clock on the wall.
            game_limit: Seconds for all its moves of a game together; None for no limit.
            start_limit: Seconds to start in; and, as code may be compiled then, on
                top for the first move, until one has taken too long.
            memory_limit: MiB for each of its processes, and for all of them together.
        """
        self.spec = spec
        self.game = game
        self.time_limit = time_limit
        self.game_limit = game_limit
        self.start_limit = start_limit
        self.memory_limit = memory_limit
        self._first_move_extra = start_limit
        self._next_move_extra = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._printed_fd: int | None = None
        self._output = BotOutput()
        self._game_left = math.inf
        self._looked = -math.inf

    def __enter__(self) -> Self:
        """Start the process.

        Raises:
            ValueError: If the bot does not load.
        """
        try:
            self._start()
        except AgentError as failure:
            self._output.failed()
            raise ValueError(f"agent {self.spec!r} cannot be used: {failure}") from None
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process and all that it started; it can start again."""
        if self._process is not None:
            end_all_below(self._process.pid)
            self._process.kill()
            self._process.wait()
        if self._channel is not None:
            self._channel.close()
        if self._printed_fd is not None:
            self._drain()
            os.close(self._printed_fd)
        self._channel = self._process = self._printed_fd = None

    @property
    def pid(self) -> int | None:
        """Number of the process that guards the bot's, or None while there is none."""
        return None if self._process is None else self._process.pid

    def player(self, seed: int) -> "SandboxedPlayer":
        """Return the bot as an agent for one game.

        Args:
            seed: Of the agent's own generator; see
                ``game_core.streams.Purpose.AGENT``.
        """
        return SandboxedPlayer(self, seed)

    def ask(self, question: bytes, begins: bool) -> Answer:
        """Return the answer to a question of ``benchmarks.sandbox.protocol``.

        Args:
            question: The question.
            begins: Whether it is the first one in a game.

        Raises:
            AgentError: If there is none, with the reason.
        """
        if begins:
            self._game_left = math.inf if self.game_limit is None else self.game_limit
        try:
            if self._process is None:
                self._start()
            return self._ask_in_time(question)
        except AgentError:
            self._output.failed()
            raise

    def _ask_in_time(self, question: bytes) -> Answer:
        extra, self._next_move_extra = self._next_move_extra, 0.0
        limit = min(self.time_limit, self._game_left) + extra
        asked = time.monotonic()
        try:
            return self._exchange(question, limit)
        except TimeoutError:
            self._first_move_extra = 0.0
            if self._game_left < self.time_limit:
                words = f"{self.game_limit:g} s for its game"
            else:
                words = f"{self.time_limit:g} s for a move"
            raise AgentError(f"took longer than {words}") from None
        finally:
            thought = time.monotonic() - asked
            self._game_left -= max(0.0, thought - extra)

    def _start(self) -> None:
        """Start the process, and the bot in it.

        Raises:
            AgentError: If it does not start.
        """
        self._spawn()
        try:
            self._exchange(self._order(), self.start_limit)
        except TimeoutError:
            limit = f"{self.start_limit:g} s"
            raise AgentError(f"took longer than {limit} to start") from None
        except BaseException:
            self.close()
            raise
        self._next_move_extra = self._first_move_extra

    def _spawn(self) -> None:
        ours, theirs = socket.socketpair()
        self._printed_fd, printing_fd = os.pipe()
        os.set_blocking(self._printed_fd, False)
        self._channel = Channel(ours, LONGEST_ANSWER)
        numbers = (theirs.fileno(), os.getpid(), self.memory_limit)
        folders = json.dumps([folder or os.getcwd() for folder in sys.path])
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-u", "-P", "-c", GUARD, *map(str, numbers), folders],
                stdin=subprocess.DEVNULL,
                stdout=printing_fd,
                stderr=printing_fd,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        finally:
            theirs.close()
            os.close(printing_fd)

    def _order(self) -> bytes:
        game = self.game
        order = {"game": game.id, "options": dict(game.options), "agent": self.spec}
        return json.dumps(order).encode()

    def _exchange(self, frame: bytes, limit: float) -> Answer:
        """Send a frame and return the answer; without one the process ends.

        Raises:
            TimeoutError: If there is no answer within ``limit`` seconds.
            AgentError: If there is another answer than an action.
        """
        assert self._channel is not None
        try:
            self._channel.send(frame)
            answer = self._wait(self._channel, limit)
            return read_answer(answer)
        except TimeoutError:
            self.close()
            raise
        except (EOFError, OSError):
            raise AgentError(self._last_words()) from None
        except ValueError as error:
            self.close()
            raise AgentError(f"sent what is no answer: {error}") from None
        except OutOfMemoryError:
            self.close()
            raise AgentError(self._too_much_memory()) from None
        except ExcessError as excess:
            self.close()
            raise AgentError(str(excess)) from None
        finally:
            self._drain()

    def _wait(self, channel: Channel, limit: float) -> bytes:
        """Return the next frame; meanwhile take in what the bot prints, and watch it.

        Raises:
            TimeoutError, EOFError, OSError, ValueError: As ``Channel.receive`` does.
            ExcessError: If the bot has too many processes or too much memory.
        """
        now = time.monotonic()
        deadline = now + limit
        look = min(now + FIRST_LOOK, self._looked + BETWEEN_MOVES)
        poll = self._poll(channel)
        while now < deadline:
            wait = max(0.0, min(look, deadline) - now)
            ready = dict(poll.poll(math.ceil(wait * 1000)))
            if channel.fileno() in ready:
                frame = channel.receive_part()
                if frame is not None:
                    return frame
            if self._printed_fd in ready and not self._drain_some():
                poll.unregister(self._printed_fd)  # nobody is left to print
            now = time.monotonic()
            if look <= now < deadline:
                self._look()
                self._looked = time.monotonic()
                pause = max(FIRST_LOOK, LOOKING_SHARE * (self._looked - now))
                now, look = self._looked, self._looked + pause
        raise TimeoutError

    def _poll(self, channel: Channel) -> select.poll:
        poll = select.poll()
        poll.register(channel.fileno(), select.POLLIN)
        if self._printed_fd is not None:
            poll.register(self._printed_fd, select.POLLIN)
        return poll

    def _look(self) -> None:
        """Look what the bot's processes use.

        Raises:
            ExcessError: If it is more than they may.
        """
        assert self._process is not None
        processes = alive_below(self._process.pid)
        if len(processes) - 1 > PROCESS_LIMIT:
            raise ExcessError(f"started more than {PROCESS_LIMIT} processes")
        if holds_more(processes, self.memory_limit):
            raise ExcessError(self._too_much_memory())

    def _too_much_memory(self) -> str:
        return f"used more than {self.memory_limit} MiB of memory"

    def _drain_some(self) -> bool:
        return self._printed_fd is not None and self._output.drain(self._printed_fd)

    def _drain(self) -> None:
        """Take in what the bot has printed, a few pipes full of it at most."""
        for _ in range(PIPES_FULL):
            if not self._drain_some():
                break

    def _last_words(self) -> str:
        """End the process, which has hung up, and say how it came to that."""
        assert self._process is not None
        status = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = self._process.wait(SECONDS_TO_END)
        self.close()
        if status is None:
            return "hung up"
        if status < 0:
            return f"its process died of {signal.strsignal(-status)}"
        return f"its process exited with status {status}"


class SandboxedPlayer:
    """A bot in its sandbox as an agent for one game."""

    def __init__(self, sandbox: Sandbox, seed: int) -> None:
        self._sandbox = sandbox
        self._seed = seed
        self._begins = True

    def act(self, view: View) -> Answer:
        """Return the bot's action.

        Raises:
            AgentError: If it gives none, with the reason.
        """
        begins, self._begins = self._begins, False
        question = QUESTION.pack(begins, self._seed, view.seat)
        return self._sandbox.ask(question + view.position.states.tobytes(), begins)
