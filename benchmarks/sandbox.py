"""A process for each of the user's own bots, so that it cannot harm a tournament.

A bot may hang, crash, exit, print or return nonsense: that loses it a game, with the
reason in the log. It runs with the rights of the user, though: this is protection
against mistakes, not against malice. It needs Linux or macOS.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from typing import Self

from benchmarks.protocol import LONGEST_ANSWER, QUESTION, Answer, Channel, read_answer
from game_core.agent import View
from game_core.game import Game
from game_core.play import AgentError

TIME_LIMIT = 1.0
START_LIMIT = 60.0

WORKER = ("-u", "-P", "-m", "benchmarks.sandbox_worker")
"""``-P``: a file of the user's named like a module of ours must not replace it."""

STDERR_FD = 2
SECONDS_TO_END = 1.0
"""How long to wait for the exit status of a process that has hung up."""


class Sandbox:
    """One bot in a process of its own, which a ``with`` block starts and ends.

    The process serves all games of the bot and starts anew only after it had to be
    killed or died. What the bot prints goes to the standard error of this process.
    """

    def __init__(
        self,
        spec: str,
        game: Game,
        *,
        time_limit: float = TIME_LIMIT,
        start_limit: float = START_LIMIT,
    ) -> None:
        """Describe the process.

        Args:
            spec: "file.py:name" or "package.module:name".
            game: The game and its options.
            time_limit: Seconds for a move, by the clock on the wall.
            start_limit: Seconds to start in; and, as code may be compiled then, on
                top for the first move, until one has taken too long.
        """
        self.spec = spec
        self.game = game
        self.time_limit = time_limit
        self.start_limit = start_limit
        self._first_move_extra = start_limit
        self._next_move_extra = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None

    def __enter__(self) -> Self:
        """Start the process.

        Raises:
            ValueError: If the bot does not load.
        """
        try:
            self._start()
        except AgentError as failure:
            raise ValueError(f"agent {self.spec!r} cannot be used: {failure}") from None
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process and all that it started; it can start again."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        if self._channel is not None:
            self._channel.close()
        self._channel = self._process = None

    @property
    def pid(self) -> int | None:
        """Number of the process, or None while there is none."""
        return None if self._process is None else self._process.pid

    def player(self, seed: int) -> "SandboxedPlayer":
        """Return the bot as an agent for one game.

        Args:
            seed: Of the agent's own generator, from ``game_core.agent.agent_seed``.
        """
        return SandboxedPlayer(self, seed)

    def ask(self, question: bytes) -> Answer:
        """Return the answer to a question of ``benchmarks.protocol``.

        Raises:
            AgentError: If there is none, with the reason.
        """
        if self._process is None:
            self._start()
        limit = self.time_limit + self._next_move_extra
        self._next_move_extra = 0.0
        try:
            return self._exchange(question, limit)
        except TimeoutError:
            self._first_move_extra = 0.0
            raise AgentError(f"took longer than {limit:g} s for a move") from None

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
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *WORKER, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=STDERR_FD,
                env=_environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._channel = Channel(ours, LONGEST_ANSWER)

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
            answer = self._channel.receive(limit)
        except TimeoutError:
            self.close()
            raise
        except (EOFError, OSError):
            raise AgentError(self._last_words()) from None
        except ValueError as error:
            self.close()
            raise AgentError(f"sent what is no answer: {error}") from None
        return read_answer(answer)

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
        question = QUESTION.pack(self._begins, self._seed, view.seat)
        self._begins = False
        return self._sandbox.ask(question + view.position.states.tobytes())


def _environment() -> dict[str, str]:
    """Return our environment, with which Python finds the packages that we do."""
    folders = [folder or os.getcwd() for folder in sys.path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
