"""Bots for the tests; a copy of this file is loaded like a user's own.

``chameleon`` does the deed that stands in the file ``deed.txt`` beside it, so that one
process serves the tests of all deeds: the functions from ``illegal`` on.
"""

import contextlib
import ctypes
import itertools
import os
import signal
import subprocess
import sys
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
    position = view.fair_copy()
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
    """Take a second for the first move of the process; hang later in the game."""
    calls.append(view)
    if len(calls) == 1:
        time.sleep(1)
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
