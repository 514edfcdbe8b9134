"""English for messages and boards."""

import re
from collections.abc import Sequence

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory, as Python shows it."""


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: "1 round", "2 rounds"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Return names by seat; those that are there twice have their seat behind them."""
    return tuple(
        f"{name} ({seat})" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    )


def error_words(error: BaseException) -> str:
    """Return what an error says, the same in each run, whatever its author wrote."""
    try:
        return ADDRESS.sub("", str(error))
    except Exception:
        return "(an error without words)"
