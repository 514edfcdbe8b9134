"""What a tournament and a bot in its sandbox say to each other.

The tournament asks and the bot's process answers, one frame of bytes each. The first
frame is the order: game, options and agent as JSON. Each later one asks for a move:
``QUESTION``, then the record of a determinized copy. An answer is an action, which is a
number or the numbers of a continuous one, or words that say why there is none, or word
that there is no memory left; it is parsed here and nothing in it is trusted.
"""

import socket
import struct
import time

from game_core.agents.play import AgentError
from game_core.validation.text import ADDRESS

__all__ = [
    "LONGEST_ANSWER",
    "LONGEST_REASON",
    "QUESTION",
    "Answer",
    "Channel",
    "OutOfMemoryError",
    "action_answer",
    "failure_answer",
    "memory_answer",
    "read_answer",
]

QUESTION = struct.Struct("<?QB")
"""Whether a new game begins; the agent's seed; its seat."""

Answer = int | tuple[float, ...]
"""An action that is a number, or a continuous one."""

LONGEST_ANSWER = 4096
LONGEST_REASON = 300

_LENGTH = struct.Struct("<I")
_ACTION = struct.Struct("<q")
_COMPONENT = struct.Struct("<d")
_ACTION_MARK, _COMPONENTS_MARK, _FAILURE_MARK, _MEMORY_MARK = b"A", b"C", b"F", b"M"
_CHUNK = 1 << 16


class OutOfMemoryError(Exception):
    """A bot had no memory left, so that its process is better not used again."""


class Channel:
    """Frames of bytes over a socket, with a time limit for each."""

    def __init__(self, end: socket.socket, longest: int | None = None) -> None:
        """Take over one end of a socket pair.

        Args:
            end: A connected stream socket.
            longest: Most bytes that a received frame may have.
        """
        self._socket = end
        self._longest = longest
        self._received = bytearray()

    def send(self, frame: bytes) -> None:
        """Send a frame.

        Raises:
            OSError: If the other end is gone.
        """
        self._socket.sendall(_LENGTH.pack(len(frame)) + frame)

    def receive(self, seconds: float | None = None) -> bytes:
        """Return the next frame.

        Args:
            seconds: Time limit for the whole frame; None for none.

        Raises:
            TimeoutError: If it takes longer.
            EOFError: If the other end was closed.
            OSError: If the other end is gone.
            ValueError: If the frame is too long.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while (frame := self._whole_frame()) is None:
            self._socket.settimeout(_seconds_until(deadline))
            self._take_in()
        return frame

    def receive_part(self) -> bytes | None:
        """Take in what has arrived, and return the next frame once it is whole.

        Waits if nothing has arrived; ``fileno`` is for whoever waits for that.

        Raises:
            EOFError, OSError, ValueError: As ``receive`` does.
        """
        self._socket.settimeout(None)
        self._take_in()
        return self._whole_frame()

    def fileno(self) -> int:
        """Return the descriptor of this end."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close this end."""
        self._socket.close()

    def _take_in(self) -> None:
        chunk = self._socket.recv(_CHUNK)
        if not chunk:
            raise EOFError
        self._received += chunk

    def _whole_frame(self) -> bytes | None:
        start = _LENGTH.size
        if len(self._received) < start:
            return None
        (length,) = _LENGTH.unpack_from(self._received)
        if self._longest is not None and length > self._longest:
            raise ValueError(f"a frame of {length} bytes is too long")
        if len(self._received) < start + length:
            return None
        frame = bytes(self._received[start : start + length])
        del self._received[: start + length]
        return frame


def action_answer(action: Answer) -> bytes:
    """Return an action, a number from -2**63 to 2**63 - 1 or floats, as a frame."""
    if isinstance(action, int):
        return _ACTION_MARK + _ACTION.pack(action)
    return _COMPONENTS_MARK + b"".join(map(_COMPONENT.pack, action))


def failure_answer(reason: str) -> bytes:
    """Return the reason why there is no action as a frame."""
    words = reason.encode("utf-8", "backslashreplace")
    return (_FAILURE_MARK + words)[:LONGEST_ANSWER]


def memory_answer() -> bytes:
    """Return word that there is no memory left as a frame."""
    return _MEMORY_MARK


def read_answer(frame: bytes) -> Answer:
    """Return the action in an answer.

    Raises:
        AgentError: If it holds none, with its reason as one line of plain text.
        OutOfMemoryError: If the bot had no memory left.
    """
    mark, content = frame[:1], frame[1:]
    if mark == _ACTION_MARK and len(content) == _ACTION.size:
        return _ACTION.unpack(content)[0]
    if mark == _COMPONENTS_MARK and len(content) % _COMPONENT.size == 0:
        return tuple(value for (value,) in _COMPONENT.iter_unpack(content))
    if frame == _MEMORY_MARK:
        raise OutOfMemoryError
    if mark == _FAILURE_MARK:
        raise AgentError(_one_line(content.decode("utf-8", "replace")))
    raise AgentError("sent what is no answer")


def _seconds_until(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _one_line(text: str) -> str:
    text = ADDRESS.sub("", text)
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.split())[:LONGEST_REASON] or "gave no reason"
