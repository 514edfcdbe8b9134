"""A small process between a tournament and a bot, of which nothing may be left over.

The guard starts the bot's process and waits. When that has ended, or the tournament
has, it kills all that the bot started, and ends as the bot's process did. On Linux it
is their subreaper: a process of the bot's whose parent has ended, a daemon for
instance, becomes a child of the guard instead of getting lost. On macOS such a
process is out of reach.

The bot's parent is the guard, so that one that kills its parent harms no tournament;
but what it started before can then be left over, since nobody is left to find it.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import socket
import sys

from benchmarks.sandbox.process_tree import MEBIBYTE, end_all_below

__all__ = ["main"]

PR_SET_PDEATHSIG = 1  # from linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36

BETWEEN_LOOKS = 1.0
"""Seconds, at most, that a bot lives on after its tournament."""


def main() -> None:
    """Guard a bot: ``sys.argv`` has the socket to it, the tournament's pid and MiB."""
    channel, tournament, memory_limit = map(int, sys.argv[1:])
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    guard = os.getpid()
    worker = os.fork()
    if worker == 0:
        _become_worker(channel, guard, memory_limit)
    os.close(channel)
    status = _wait(worker, tournament)
    end_all_below(guard)
    _end_like(status)


def limit_memory(mebibytes: int) -> None:
    """Limit the data of this process and of each that it starts.

    Not its address space, of which compilers and graphics libraries reserve far more
    than they use. Where the system does not know this limit, nothing happens.
    """
    with contextlib.suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = mebibytes * MEBIBYTE
        limit = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _become_worker(channel: int, guard: int, memory_limit: int) -> None:
    """Be the bot's process until it ends; this does not return."""
    os.setsid()
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != guard:  # it ended before it could take us along
        os._exit(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit_memory(memory_limit)
    status = 1
    try:
        from benchmarks.sandbox.worker import main as work

        work(channel)
        status = 0
    finally:
        os._exit(status)


def _wait(worker: int, tournament: int) -> int:
    """Return the worker's exit status once it has one, or 0 without its tournament.

    A status below zero is the number of the signal that it died of.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # a bot's way to stop its parent
    wake, waker = socket.socketpair()
    wake.setblocking(False)
    waker.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    status = None
    while status is None and os.getppid() == tournament:
        status = _ended_children().get(worker)
        if status is None:
            select.select([wake], [], [], BETWEEN_LOOKS)
        with contextlib.suppress(BlockingIOError):
            wake.recv(1 << 12)
    signal.set_wakeup_fd(-1)
    return 0 if status is None else os.waitstatus_to_exitcode(status)


def _ended_children() -> dict[int, int]:
    """Return the wait status of each child that has ended since the last call."""
    ended: dict[int, int] = {}
    with contextlib.suppress(ChildProcessError):
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            ended.update([child])
    return ended


def _end_like(status: int) -> None:
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError):  # SIGKILL has no handler
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value)
