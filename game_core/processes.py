"""What processes that work together need: to end together, and to share files."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Generator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import IO, Any

__all__ = ["end_with", "holding_ctrl_c", "lock", "outlive_ctrl_c"]


@contextlib.contextmanager
def holding_ctrl_c() -> Generator[None, None, None]:
    """Let processes that are started in this block not notice Ctrl-C yet.

    They inherit that it is held back, and would die of it before they come to call
    ``outlive_ctrl_c``. This process takes it after the block, or at once where it has
    other threads. Nothing is held back where the system cannot.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which lets Ctrl-C in again, if it starts later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def outlive_ctrl_c() -> None:
    """Let Ctrl-C do nothing to this process, started while ``holding_ctrl_c``.

    Ctrl-C reaches all processes; the one that it is meant for ends the others.
    """
    # A handler, since what is started here would inherit that a signal is ignored.
    signal.signal(signal.SIGINT, lambda number, frame: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def end_with(alive: Connection, close: Callable[[], Any] | None = None) -> None:
    """Let this process end at once when ``alive`` is closed.

    Args:
        alive: An end of a pipe, the other end of which closes with its process.
        close: What is to be done at the end.
    """
    threading.Thread(target=_end_with, args=(alive, close), daemon=True).start()


def _end_with(alive: Connection, close: Callable[[], Any] | None) -> None:
    with contextlib.suppress(EOFError, OSError):
        alive.recv()
    try:
        if close is not None:
            close()
    finally:
        os._exit(0)


def lock(file: IO[Any]) -> None:
    """Lock a file for as long as it is open, where the system has such locks.

    Raises:
        BlockingIOError: If it is open and locked elsewhere.
    """
    with contextlib.suppress(ImportError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
