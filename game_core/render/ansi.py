"""Colored text for terminals."""

import re
from collections.abc import Mapping

__all__ = ["FAINT", "GOLD", "SEAT_CODES", "paint_marks", "paint_names", "plain"]

SEAT_CODES = ("38;5;33", "38;5;208", "38;5;35", "38;5;170")
"""Of the seats, near to the colors that they have in pictures (``svg.SEAT_COLORS``)."""

GOLD, FAINT, BOLD = "38;5;220", "38;5;244", "1"

_SEAT = re.compile(r"player_([0-3])\b")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def paint(text: str, code: str) -> str:
    """Return a text in a color, given by its ANSI code."""
    return f"\x1b[{code}m{text}\x1b[0m" if text else text


def paint_marks(text: str, codes: Mapping[str, str]) -> str:
    """Return a text whose characters have colors of their own: character -> code."""
    return "".join(paint(mark, codes[mark]) if mark in codes else mark for mark in text)


def paint_names(text: str) -> str:
    """Return a text in which "player_0" and so on have the colors of their seats."""
    return _SEAT.sub(
        lambda name: paint(name[0], f"{BOLD};{SEAT_CODES[int(name[1])]}"), text
    )


def plain(text: str) -> str:
    """Return a text without its colors."""
    return _ESCAPE.sub("", text)
