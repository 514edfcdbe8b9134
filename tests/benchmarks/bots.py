"""Bots for the tests; a copy of this file is loaded like a user's own.

``chameleon`` does the deed that stands in the file ``deed.txt`` beside it, so that one
process serves the tests of all deeds: the functions from ``illegal`` on.
"""

import contextlib
import ctypes
import functools
import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

DEED = Path(__file__).with_name("deed.txt")
GRANDCHILD = Path(__file__).with_name("grandchild.txt")
FOREVER = 1000


def chameleon(view):
    """Do the deed: what the function of this name below does."""
    return globals()[DEED.read_text()](view)


def first(view):
    """Play the first legal action."""
    return view.legal_actions[0]


def random_too(view):
    """Play as the baseline ``random`` does."""
    return view.rng.choice(view.legal_actions)


def planner(view, calls=itertools.count()):  # noqa: B008
    """Play the one of three actions after which a short playout looks best.

    Every seventh time, over all its games, take the first of them instead.
    """
    candidates = [view.sample_action() for _ in range(3)]
    if next(calls) % 7 == 6:
        return candidates[0]
    return max(candidates, key=lambda action: _outlook(view, action))


def _outlook(view, action):
    position = view.determinize()
    position.step(action)
    for _ in range(5):
        if not position.over:
            position.step(position.sample_action(view.rng))
    return position.observation(view.seat).sum(), int(view.state.rng) % 101


class Alternating:
    """Plays the first and the last legal action in turn, anew in each game."""

    def __init__(self):
        self.moves = 0

    def act(self, view):
        """Play."""
        self.moves += 1
        return view.legal_actions[0 if self.moves % 2 else -1]


def slow_start(view, calls=[]):  # noqa: B006
    """Take long for the first move of the process; hang later in the game."""
    calls.append(view)
    if len(calls) == 1:
        time.sleep(1.5)
    return slow_later(view)


def slow_later(view):
    """Hang in every game once it has gone on for some turns."""
    if view.state.turns >= 4:
        time.sleep(FOREVER)
    return view.legal_actions[0]


def illegal(view):
    """Play an action that is never legal."""
    return int(np.flatnonzero(view.action_mask == 0)[0])


class Hostile:
    """An answer that fights whoever looks at it."""

    def __index__(self):
        raise RuntimeError("no index for you")

    def __repr__(self):
        raise RuntimeError("no repr for you")

    def __reduce__(self):
        return os._exit, (1,)


class Shy:
    """An answer that is no number and cannot be shown."""

    def __repr__(self):
        raise RuntimeError("no repr for you")


class WordlessError(Exception):
    """An error that cannot be shown."""

    def __str__(self):
        raise RuntimeError("no words for you")


def _channel_fd():
    return int(sys.argv[1])


def returns_none(view):
    return None


def returns_float(view):
    return 3.5


def returns_word(view):
    return "stop"


def returns_array(view):
    return np.array([1, 2])


def returns_true(view):
    return True


def returns_minus_one(view):
    return -1


def returns_huge_number(view):
    return 10**5000


def returns_huge_text(view):
    return "x" * 10**7


def returns_hostile(view):
    return Hostile()


def returns_shy(view):
    return Shy()


def returns_view(view):
    return view


def raises(view):
    raise ValueError("two\nlines \x1b[31m" + "and more " * 10**5)


def raises_wordless(view):
    raise WordlessError


def interrupts(view):
    raise KeyboardInterrupt


def exits(view):
    sys.exit(4)


def reads_input(view):
    return int(input("Your move? "))


def prints(view):
    print("PRINTED")
    print("PRINTED", file=sys.stderr)
    os.write(1, b"PRINTED\n")
    return view.legal_actions[0]


def loops(view):
    while True:
        pass


def loops_in_c(view):
    sum(itertools.repeat(0))


def swallows(view):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(FOREVER)


def ignores_signals(view):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(FOREVER)


def sleeps(view):
    """Sleep, and leave a process of one's own behind."""
    child = subprocess.Popen(["sleep", str(FOREVER)])
    GRANDCHILD.write_text(str(child.pid))
    time.sleep(FOREVER)


def crashes(view):
    os._exit(3)


def segfaults(view):
    ctypes.string_at(0)


def hangs_up(view):
    os.close(_channel_fd())
    time.sleep(FOREVER)


def babbles(view):
    os.write(_channel_fd(), b"\xff" * 100)


def sends_half(view):
    os.write(_channel_fd(), b"\x09")
    time.sleep(FOREVER)


def once(deed):
    """Make a deed be done at one move of the process only."""
    done = []

    @functools.wraps(deed)
    def act(view):
        if done:
            return first(view)
        done.append(view)
        return deed(view)

    return act


def forks(view):
    """Return twice; and leave a dead child behind."""
    os.fork()
    return view.legal_actions[0]


def forks_and_fails(view):
    """Fail in a child, and play in the parent."""
    if os.fork() == 0:
        raise ValueError("in the child")
    return view.legal_actions[0]


def forks_and_dies(view):
    """Leave the channel to a child, and end."""
    if os.fork() == 0:
        time.sleep(FOREVER)
    os._exit(3)


@once
def uses_a_pool(view):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return view.legal_actions[sum(pool.map(abs, [0, 0, 0]))]


@once
def leaves_a_thread(view):
    threading.Thread(target=time.sleep, args=(FOREVER,)).start()
    return view.legal_actions[0]


def _start_daemon():
    """Start a process that nobody is the parent of, in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            GRANDCHILD.write_text(str(os.getpid()))
            time.sleep(FOREVER)
        os._exit(0)
    os.wait()


def leaves_a_daemon(view):
    """Start a daemon, and hang."""
    _start_daemon()
    time.sleep(FOREVER)


def leaves_a_daemon_and_dies(view):
    _start_daemon()
    os._exit(3)


@once
def plays_beside_a_daemon(view):
    _start_daemon()
    return view.legal_actions[0]


def bombs(view):
    """Start far more processes than a bot may, but not more than a machine bears."""
    for _ in range(7):
        os.fork()
    time.sleep(FOREVER)


def starts_many(view):
    children = [subprocess.Popen(["sleep", str(FOREVER)]) for _ in range(40)]
    children[0].wait()


def eats(view):
    """Take ever more memory."""
    held = []
    while True:
        held.append(np.ones(2**24))


def eats_at_once(view):
    return np.ones(2**40)


def eats_in_children(view):
    """Take more memory than there may be, in four processes that each stay below."""
    for _ in range(4):
        if os.fork() == 0:
            held = np.ones(50 * 2**20)
            time.sleep(FOREVER + held[0])
    time.sleep(FOREVER)


@once
def shares_memory(view):
    """Take half of the memory, and show it to four other processes."""
    held = np.ones(50 * 2**20)
    children = []
    for _ in range(4):
        children.append(os.fork())
        if not children[-1]:
            time.sleep(0.3 + 0 * held.sum())
            os._exit(0)
    for child in children:
        os.waitpid(child, 0)
    return view.legal_actions[0]


@once
def floods(view):
    """Print ten megabytes, in lines and in one."""
    for _ in range(50_000):
        os.write(1, b"FLOOD" * 19 + b"\x1b[2J\n")
    os.write(2, b"FLOOD" * 10**6)
    return view.legal_actions[0]


def floods_on(view):
    """Print for ever."""
    while True:
        os.write(1, b"FLOOD\n" * 1000)


@once
def floods_from_a_thread(view):
    """Print for ever, and play."""
    threading.Thread(target=floods_on, args=(view,), daemon=True).start()
    return view.legal_actions[0]


def closes_output(view):
    """Close the standard descriptors."""
    for fd in range(3):
        with contextlib.suppress(OSError):
            os.close(fd)
    return view.legal_actions[0]


def changes_folder(view):
    os.chdir("/")
    return view.legal_actions[0]


def kills_parent(view):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(FOREVER)


def stops_parent(view):
    """Stop the parent, and hang beside a daemon."""
    os.kill(os.getppid(), signal.SIGSTOP)
    _start_daemon()
    time.sleep(FOREVER)


def terminates_parent(view):
    """Ask the parent to end, and play."""
    os.kill(os.getppid(), signal.SIGTERM)
    return view.legal_actions[0]


def dawdles(view):
    """Take a tenth of a second for each move."""
    time.sleep(0.1)
    return view.legal_actions[0]
