"""A process and all that it started: what that holds, and the end of it.

It has to be quick, since what a fork bomb has started competes with it.
"""

import contextlib
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

__all__ = ["MEBIBYTE", "alive_below", "end_all_below", "holds_more"]

MEBIBYTE = 1 << 20

BETWEEN_LOOKS = 0.002
"""Seconds for the kernel to end what was killed."""

PATIENCE = 10.0
"""Seconds until processes that cannot be killed are left alone."""


class Process(NamedTuple):
    """What is said of a process.

    Attributes:
        pid: Its number.
        parent: That of its parent.
        group: That of its process group.
        ended: Whether it is only waiting for its parent to notice.
        resident: Bytes that it has in memory.
    """

    pid: int
    parent: int
    group: int
    ended: bool
    resident: int


def holds_more(processes: list[Process], mebibytes: float) -> bool:
    """Tell whether processes hold more memory together than so many MiB.

    A process shares with its parent what that had when it forked, so what counts at
    first is only how much more it holds. If that is too much, the kernel is asked, as
    some may share with a process that has ended; not always, as it takes long while
    they fork. It divides among processes what they share (on Linux) or leaves it out.
    """
    most = mebibytes * MEBIBYTE
    held = {process.pid: process.resident for process in processes}
    more = (p.resident - held.get(p.parent, 0) for p in processes)
    if sum(max(0, extra) for extra in more) <= most:
        return False
    return sum(map(_own_memory, processes)) > most


def end_all_below(pid: int) -> None:
    """Kill all processes below ``pid`` until none is left.

    Those whose parents have ended are below ``pid`` too if it is a subreaper, which
    only Linux has; elsewhere they are out of reach, unless they are in the process
    group of another.
    """
    deadline = time.monotonic() + PATIENCE
    looks_without = 0  # two, as a list can miss what starts while it is made
    while looks_without < 2 and time.monotonic() < deadline:
        alive = alive_below(pid)
        _kill(alive, spared=os.getpgrp())
        looks_without = 0 if alive else looks_without + 1
        time.sleep(BETWEEN_LOOKS if alive else 0)


def alive_below(pid: int) -> list[Process]:
    """Return the processes that ``pid`` and those below it have started."""
    children: dict[int, list[Process]] = defaultdict(list)
    for process in (
        _linux_processes() if sys.platform == "linux" else psutil_processes()
    ):
        children[process.parent].append(process)
    below = children.pop(pid, [])
    for process in below:  # which grows meanwhile
        below += children.pop(process.pid, [])
    return [process for process in below if not process.ended]


def psutil_processes() -> Iterator[Process]:
    """Yield all processes as psutil knows them, on any system."""
    for process in psutil.process_iter(["ppid", "status", "memory_info"]):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            known = process.info
            ended = known["status"] == psutil.STATUS_ZOMBIE
            resident = known["memory_info"].rss if known["memory_info"] else 0
            group = os.getpgid(process.pid)
            yield Process(process.pid, known["ppid"], group, ended, resident)


def _linux_processes() -> Iterator[Process]:
    """Yield all processes, ten times as fast as psutil: see proc_pid_stat(5)."""
    page = os.sysconf("SC_PAGE_SIZE")
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            stat = Path("/proc", name, "stat").read_bytes()
            state, parent, group, *others = stat.rpartition(b")")[2].split()
            resident = int(others[18]) * page
            ended = state in (b"Z", b"X")
            yield Process(int(name), int(parent), int(group), ended, resident)


def _kill(processes: list[Process], spared: int) -> None:
    """Kill processes: first whole groups, as such a group cannot outrun that."""
    for group in {process.group for process in processes} - {spared}:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, signal.SIGKILL)


def _own_memory(process: Process) -> int:
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        memory = psutil.Process(process.pid).memory_full_info()
        return memory.pss if sys.platform == "linux" else memory.uss
    return 0
