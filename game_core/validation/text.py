"""English for messages and boards."""

import re
from collections.abc import Sequence

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory, as Python shows it."""

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

FOLDERS = re.compile(r"^[^(]*/(?=[^(/]*\.py:)")
"""Of the file in the name of an agent."""


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: "1 round", "2 rounds"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Return short names by seat: without folders, and with the seat if there twice."""
    short = [printable(FOLDERS.sub("", name)) for name in names]
    return tuple(
        f"{name} ({seat})" if short.count(name) > 1 else name
        for seat, name in enumerate(short)
    )


def printable(text: str) -> str:
    """Return a text in which what terminals act on, or no file can hold, is marked."""
    return UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def error_words(error: BaseException) -> str:
    """Return what an error says, the same in each run, whatever its author wrote."""
    try:
        return ADDRESS.sub("", str(error))
    except Exception:
        return "(an error without words)"
