"""English for messages and boards."""

import difflib
import re
from collections.abc import Iterable, Sequence

__all__ = [
    "ADDRESS",
    "best_seats",
    "counted",
    "did_you_mean",
    "error_words",
    "printable",
    "told_apart",
    "unknown",
    "who_wins",
]

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory, as Python shows it."""

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

FOLDERS = re.compile(r"^[^(]*/(?=[^(/]*\.py:)")
"""Of the file in the name of an agent."""


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: "1 round", "2 rounds"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def best_seats(standings: Sequence[int]) -> list[int]:
    """Return the seats that stand best, from the standings of all by seat."""
    best = max(standings)
    return [seat for seat, standing in enumerate(standings) if standing == best]


def who_wins(names: Sequence[str]) -> str:
    """Return in words that these win: "Ann wins", "Ann and Ben win"."""
    return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}"


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """Return what to say of a name that does not exist.

    Args:
        kind: What it is a name of, for instance "game".
        name: What was given.
        known: The names that exist.
    """
    names = list(known)
    advice = f"known {kind}s: {', '.join(names) or 'none'}"
    return did_you_mean(f"unknown {kind} {name!r}", name, names, advice)


def did_you_mean(
    problem: str, given: object, allowed: Iterable[str], advice: str
) -> str:
    """Return a problem and an advice, with the word between them that was meant.

    Args:
        problem: What is wrong, for instance "unknown game 'azull'".
        given: The word that is wrong.
        allowed: The words that would be right; with none like it, none is proposed.
        advice: What to do or what is allowed.
    """
    near = _closest(given, allowed)
    if near is None:
        return f"{problem}; {advice}"
    return f"{problem}; did you mean {near!r}? {advice[:1].upper()}{advice[1:]}"


def _closest(given: object, allowed: Iterable[str]) -> str | None:
    if not isinstance(given, str):
        return None
    by_small_letters = {word.lower(): word for word in allowed}
    near = difflib.get_close_matches(given.lower(), by_small_letters, n=1)
    return by_small_letters[near[0]] if near else None


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
