"""SVG as text, and the marks that all games share: seats, dice, panels, buttons.

Each function returns the text of an element. Lengths are in units of the picture, whose
``viewBox`` is some 600 wide, so that a unit is a pixel and a half on a screen and text
of 14 units can still be read in a picture of 400 pixels.
"""

import functools
import html
from collections.abc import Iterable
from typing import Any

from game_core.scene import Scene

__all__ = [
    "FAINT",
    "FRAMES_PER_SECOND",
    "GOLD",
    "INK",
    "LINE",
    "PALE_GOLD",
    "PANEL",
    "RED",
    "SEAT_COLORS",
    "WIDTHS",
    "circle",
    "die",
    "fitting",
    "group",
    "line",
    "number",
    "of_text",
    "panel",
    "path",
    "picture",
    "player_head",
    "polyline",
    "rect",
    "seat_mark",
    "text",
    "tile",
    "token",
    "who",
    "width_of",
]

FONT = "Inter, Helvetica, Arial, sans-serif"
WIDTHS = (
    *(24, 34, 55, 65, 65, 102, 67, 34, 38, 38, 56, 68, 33, 47, 33, 39),
    *(67, 43, 63, 65, 68, 62, 65, 58, 65, 65, 33, 34, 68, 68, 68, 56),
    *(102, 75, 66, 74, 72, 61, 59, 75, 75, 28, 58, 72, 57, 93, 76, 77),
    *(65, 78, 66, 65, 67, 73, 75, 104, 74, 73, 66, 38, 39, 38, 49, 48),
    *(37, 58, 63, 59, 63, 60, 40, 63, 62, 27, 27, 58, 27, 91, 62, 61),
    *(63, 63, 41, 56, 37, 62, 60, 85, 58, 60, 57, 47, 37, 47, 68),
)
"""Of the characters from the space on, in hundredths of the size of bold Inter."""

PAPER, PANEL, INK, FAINT, LINE = "#f4efe4", "#fffdf8", "#22303c", "#66717b", "#d9d0bd"
GOLD, PALE_GOLD, RED = "#f2a900", "#fde7ae", "#b3261e"

FRAMES_PER_SECOND = 25
"""Of what moves."""

SEAT_COLORS = ("#1f6fb5", "#d1581b", "#12805f", "#8f4a9e")
"""Of the pieces of the seats; each has its mark too, for those who see no colors."""


def number(value: float) -> str:
    """Return a length as short as can be: a tenth of a unit is seen by nobody."""
    return f"{round(float(value), 1) + 0.0:g}"


def element(name: str, *content: str, **attributes: Any) -> str:
    """Return an element.

    Args:
        name: Of its kind.
        *content: What stands in it, as SVG.
        **attributes: With underscores for hyphens, and ``class_`` for class; those
            that are None are left out.
    """
    inside = "".join(_attribute(key, value) for key, value in attributes.items())
    return (
        f"<{name}{inside}>{''.join(content)}</{name}>"
        if content
        else f"<{name}{inside}/>"
    )


@functools.lru_cache(maxsize=8192, typed=True)
def _attribute(key: str, value: Any) -> str:
    if value is None:
        return ""
    text = number(value) if isinstance(value, float) else html.escape(f"{value}")
    return f' {key.rstrip("_").replace("_", "-")}="{text}"'


def group(*content: str, **attributes: Any) -> str:
    """Return elements as one, for instance with an ``id`` to be clicked."""
    return element("g", "".join(content), **attributes)


def rect(x: float, y: float, w: float, h: float, **attributes: Any) -> str:
    """Return a rectangle."""
    return element(
        "rect", x=float(x), y=float(y), width=float(w), height=float(h), **attributes
    )


@functools.lru_cache(maxsize=4096)
def tile(
    x: float, y: float, side: float, fill: str, edge: str, thickness: float = 0.045
) -> str:
    """Return a square with round corners and an edge, as thick as a part of a side.

    It is drawn as one square on another, which costs rasterizers a fifth of a stroke.
    """
    r, thin = side * 0.18, max(1.0, side * thickness)
    inner = side - 2 * thin
    return rect(x, y, side, side, rx=r, fill=edge) + rect(
        x + thin, y + thin, inner, inner, rx=r - thin / 2, fill=fill
    )


def circle(x: float, y: float, r: float, **attributes: Any) -> str:
    """Return a circle."""
    return element("circle", cx=float(x), cy=float(y), r=float(r), **attributes)


def line(x0: float, y0: float, x1: float, y1: float, **attributes: Any) -> str:
    """Return a straight line."""
    ends = {"x1": float(x0), "y1": float(y0), "x2": float(x1), "y2": float(y1)}
    return element("line", **ends, **attributes)


def path(d: str, **attributes: Any) -> str:
    """Return a path."""
    return element("path", d=d, **attributes)


def polyline(points: Iterable[tuple[float, float]], closed: bool = False) -> str:
    """Return the ``d`` of a path through points."""
    spots = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{spots}{'Z' if closed else ''}"


def text(x: float, y: float, words: Any, size: float = 15, **attributes: Any) -> str:
    """Return a line of text that stands on ``y``; ``anchor`` is its place at ``x``."""
    attributes.setdefault("fill", INK)
    anchor = attributes.pop("anchor", None)
    return element(
        "text",
        html.escape(str(words), quote=False),
        x=float(x),
        y=float(y),
        font_size=float(size),
        text_anchor=anchor,
        **attributes,
    )


def fitting(words: str, size: float, width: float) -> str:
    """Return as much of a text as fits a width, with an ellipsis for the rest."""
    if width_of(words, size) <= width:
        return words
    ellipsis = "\N{HORIZONTAL ELLIPSIS}"
    while words and width_of(words + ellipsis, size) > width:
        words = words[:-1]
    return words + ellipsis


def width_of(words: str, size: float) -> float:
    """Return how wide a bold text is, or is at most."""
    places = (ord(character) - ord(" ") for character in words)
    parts = (WIDTHS[i] if 0 <= i < len(WIDTHS) else 100 for i in places)
    return sum(parts) * size / 100


def picture(width: float, height: float, title: str, *content: str) -> str:
    """Return a whole picture on paper.

    Args:
        width: Of the picture.
        height: Of the picture.
        title: What it shows, for those who cannot see it.
        *content: What stands on it.
    """
    return element(
        "svg",
        element("title", html.escape(title, quote=False)),
        rect(0, 0, width, height, fill=PAPER),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=float(width),
        height=float(height),
        font_family=FONT,
        font_weight=500,
        role="img",
    )


def panel(x: float, y: float, w: float, h: float, **attributes: Any) -> str:
    """Return a panel with a shadow."""
    look = {"rx": 8, "fill": PANEL, "stroke": LINE, **attributes}
    shadow = rect(x + 1, y + 2.5, w, h, rx=8, fill=INK, opacity=0.1)
    return shadow + rect(x, y, w, h, **look)


def seat_mark(seat: int, x: float, y: float, r: float, fill: str = "#fff") -> str:
    """Return the mark of a seat: disc, square, triangle or diamond."""
    if seat == 0:
        return circle(x, y, r * 0.85, fill=fill)
    corners = (
        [(-0.78, -0.78), (0.78, -0.78), (0.78, 0.78), (-0.78, 0.78)],
        [(0, -1.0), (1.0, 0.75), (-1.0, 0.75)],
        [(0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)],
    )[seat - 1]
    spots = [(x + r * dx, y + r * dy) for dx, dy in corners]
    return path(polyline(spots, closed=True), fill=fill)


@functools.lru_cache(maxsize=1024)
def token(seat: int, x: float, y: float, r: float) -> str:
    """Return a piece of a seat: a disc in its color, with its mark."""
    disc = circle(x, y, r * 1.08, fill="#fff") + circle(
        x, y, r * 0.92, fill=SEAT_COLORS[seat]
    )
    return disc + seat_mark(seat, x, y, r * 0.5)


PIPS = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)
"""Where the pips of a die are, by its number."""


def die(x: float, y: float, size: float, pips: int, edge: str = INK) -> str:
    """Return a die whose upper left corner is at a place."""
    half, step = size / 2, size * 0.25
    dots = [
        circle(x + half + step * dx, y + half + step * dy, size * 0.095, fill=INK)
        for dx, dy in PIPS[pips]
    ]
    thickness = 0.05 if edge == INK else 0.1
    return tile(x, y, size, "#fff", edge, thickness) + "".join(dots)


def player_head(scene: Scene, seat: int, x: float, y: float, width: float) -> str:
    """Return a seat's token and name; ``y`` is the middle of the line."""
    words = fitting(scene.name(seat), 15, width - 26)
    return token(seat, x + 10, y, 10) + text(
        x + 26, y + 5.3, words, 15, font_weight=700
    )


def who(
    scene: Scene, seats: list[int], words: str, x: float, y: float, width: float
) -> str:
    """Return a line about seats: their tokens, the name of one alone, and words."""
    tokens = [token(seat, x + 10 + 24 * i, y, 10) for i, seat in enumerate(seats)]
    left = x + 24 * len(seats) + 2
    line = html.escape(words, quote=False)
    if len(seats) == 1:
        room = x + width - left - width_of(f" {words}", 15)
        name = html.escape(fitting(scene.name(seats[0]), 15, room), quote=False)
        line = f"{element('tspan', name, font_weight=700)} {line}"
    look = {"x": left, "y": y + 5.3, "font_size": 15.0, "fill": INK}
    return "".join(tokens) + element("text", line, **look)


def of_text(words: str, title: str) -> str:
    """Return lines of text as a picture, for games that have no other."""
    lines = words.splitlines()
    width = 24 + 9.2 * max(map(len, lines), default=0)
    look = {"font_family": "monospace"}
    return picture(
        max(width, 300.0),
        24.0 + 20 * len(lines),
        title,
        *(text(12, 30 + 20 * i, line, 15, **look) for i, line in enumerate(lines)),
    )
