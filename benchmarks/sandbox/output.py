"""What a bot prints: some of it is shown, and none of it holds anybody up."""

import collections
import contextlib
import os
import sys

__all__ = ["BEFORE_FAILURE", "ENOUGH", "FIRST_LINES", "LAST_LINES", "BotOutput"]

FIRST_LINES = 20
"""Of what a bot prints, over all its games."""

LAST_LINES = 20
"""Of what it printed before it first failed, a traceback for instance."""

LONGEST_LINE = 300
_CHUNK = 1 << 16

ENOUGH = "(further output of this bot is not shown)"
BEFORE_FAILURE = "(the last lines before it first failed)"


class BotOutput:
    """Shows, on standard error, how a bot's output begins and how it first fails."""

    def __init__(self) -> None:
        self._lines_left = FIRST_LINES
        self._last: collections.deque[bytes] = collections.deque(maxlen=LAST_LINES)
        self._unfinished = b""
        self._has_failed = False

    def drain(self, fd: int) -> bool:
        """Take what a non-blocking descriptor has, 64 KiB at most.

        Returns:
            Whether there was anything.
        """
        chunk = b""
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(fd, _CHUNK)
        *lines, rest = (self._unfinished + chunk).split(b"\n")
        self._unfinished = rest[-LONGEST_LINE:]
        for line in lines:
            self._take(line)
        return bool(chunk)

    def failed(self) -> None:
        """Show what was not shown of the last lines, at the first failure."""
        if self._unfinished:
            self._take(self._unfinished)
            self._unfinished = b""
        if self._last and not self._has_failed:
            _show(BEFORE_FAILURE)
            for line in self._last:
                _show(_printable(line))
        self._has_failed = True
        self._last.clear()

    def _take(self, line: bytes) -> None:
        if self._lines_left:
            self._lines_left -= 1
            _show(_printable(line))
            return
        if not self._last and not self._has_failed:
            _show(ENOUGH)
        self._last.append(line[:LONGEST_LINE])


def _show(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _printable(line: bytes) -> str:
    """Return a line that does nothing to a terminal."""
    text = line[:LONGEST_LINE].decode("utf-8", "backslashreplace").expandtabs(4)
    return "".join(char if char.isprintable() else "?" for char in text)
