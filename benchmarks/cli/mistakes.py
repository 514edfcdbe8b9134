"""Mistyped subcommands and flags of ``tabletop``, and what was probably meant."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from game_core.validation.text import did_you_mean, unknown

__all__ = ["mistakes"]

FLAG = re.compile(r"--[a-z][\w-]*(?:\.[a-z][\w-]*)*")

SUBCOMMANDS = re.compile(r"^usage: [\w ]+ \[-h\] \{([\w,]+)\}", re.M)
"""In the help of a command, the names of its subcommands."""


def mistakes(args: Sequence[str], help_of: Callable[[list[str]], str]) -> Iterator[str]:
    """Yield what to say of each argument that names no subcommand or flag.

    Args:
        args: The arguments of ``tabletop``.
        help_of: What ``--help`` prints for a subcommand, given as its words.
    """
    path: list[str] = []
    for word in takewhile(lambda word: not word.startswith("-"), args):
        subcommands = SUBCOMMANDS.search(help_of(path))
        if subcommands is None:
            break
        names = subcommands[1].split(",")
        if word not in names:
            yield unknown("subcommand", word, names)
            return
        path.append(word)
    flags = FLAG.findall(help_of(path))
    advice = f"'{' '.join(['tabletop', *path])} --help' lists all"
    for word in args:
        flag = word.partition("=")[0].replace("_", "-")
        if FLAG.fullmatch(flag) and flag not in flags:
            yield did_you_mean(f"unknown flag {word!r}", flag, flags, advice)
