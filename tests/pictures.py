"""Reads from a picture what it shows, by what can be seen: places, colors and marks."""

import functools
import importlib.resources
import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PIL import ImageFont

from game_core.game import Game
from game_core.position import Position
from game_core.render.svg import GOLD, SEAT_COLORS
from game_core.scene import Scene

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

Element = ET.Element
Spot = tuple[float, float]


LONG_NAMES = ("a_bot_with_a_very_long_name", "W" * 30, "i" * 60, "<&\"'> " * 9)


class Box(NamedTuple):
    """A text or a rectangle, and where it is."""

    element: Element
    left: float
    top: float
    right: float
    bottom: float


class Token(NamedTuple):
    """A piece of a seat, and where its middle is."""

    seat: int
    x: float
    y: float


def scenes(game: Game, seed: int, share: float) -> Iterator[Scene]:
    """Yield positions of a random game, a share of them, with the first and the last.

    Each comes with the action that led to it.
    """
    rng = np.random.default_rng(seed)
    position = Position.new(game, seed)
    yield Scene(position.states.copy())
    while not position.over:
        before, action = position.states.copy(), position.sample_action(rng)
        position.step(action)
        if position.over or rng.random() < share:
            yield Scene(position.states.copy(), before, action)


def read(svg: str) -> Element:
    """Return a picture as elements, no two of which have the same id."""
    root = ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    return root


def part(root: Element, name: str) -> Element:
    """Return the element with an id."""
    found = root.find(f".//*[@id='{name}']")
    assert found is not None, f"no {name}"
    return found


def numbers_of(root: Element, pattern: str) -> set[tuple[int, ...]]:
    """Return the numbers in the ids that match a pattern."""
    ids = (element.get("id", "") for element in root.iter())
    found = (re.fullmatch(pattern, name) for name in ids)
    return {tuple(map(int, match.groups())) for match in found if match}


def head(root: Element) -> Element:
    """Return what stands in no part with an id: who moves, among other things."""
    rest = Element("g")
    rest.extend(child for child in root if child.get("id") is None)
    return rest


def solid(element: Element) -> Iterator[Element]:
    """Yield all in an element that is not faint."""
    if float(element.get("opacity", 1)) >= 0.5:
        yield element
        for child in element:
            yield from solid(child)


def words(element: Element) -> list[str]:
    """Return the lines of text that are not faint."""
    return ["".join(e.itertext()).strip() for e in solid(element) if e.tag == "text"]


def spot(element: Element) -> Spot:
    """Return the middle of a circle, a rectangle, or the corners of a path."""
    if element.tag == "circle":
        return float(element.attrib["cx"]), float(element.attrib["cy"])
    if element.tag == "rect":
        x, y, w, h = (float(element.attrib[k]) for k in ("x", "y", "width", "height"))
        return x + w / 2, y + h / 2
    xs, ys = zip(*corners(element), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def corners(path: Element) -> list[Spot]:
    """Return the points of a path of straight lines."""
    found = [float(number) for number in NUMBER.findall(path.attrib["d"])]
    return list(zip(found[::2], found[1::2], strict=True))


def seat_of_mark(element: Element) -> int:
    """Return whose mark this is: disc, square, triangle or diamond."""
    if element.tag == "circle":
        return 0
    points = corners(element)
    if len(points) == 3:
        return 2
    return 1 if points[0][1] == points[1][1] else 3


def tokens(element: Element) -> list[Token]:
    """Return the pieces of seats; each has the color and the mark of its seat."""
    found = []
    inside = list(solid(element))
    for ring, disc, mark in zip(inside, inside[1:], inside[2:], strict=False):
        if ring.tag == disc.tag == "circle" and disc.get("fill") in SEAT_COLORS:
            if ring.get("fill") != "#fff" or spot(ring) != spot(disc):
                continue
            seat = SEAT_COLORS.index(disc.attrib["fill"])
            assert seat_of_mark(mark) == seat
            found.append(Token(seat, *spot(disc)))
    return found


def framed(element: Element) -> bool:
    """Tell whether a player's sheet has an edge in the color of a seat."""
    panels = [e for e in element.iter("rect") if e.get("stroke-width") == "2.5"]
    return any(panel.get("stroke") in SEAT_COLORS for panel in panels)


def is_gold(element: Element) -> bool:
    """Tell whether something is filled with gold."""
    return element.get("fill") == GOLD


def covers(rect: Element, x: float, y: float) -> bool:
    """Tell whether a point is in a rectangle."""
    left, top, w, h = (float(rect.attrib[k]) for k in ("x", "y", "width", "height"))
    return left <= x <= left + w and top <= y <= top + h


def who(scene: Scene, seats: list[int]) -> list[str]:
    """Return the names that stand beside tokens: that of one seat, none of several."""
    return [scene.name(seats[0])] if len(seats) == 1 else []


@functools.cache
def font(bold: bool) -> ImageFont.FreeTypeFont:
    """Return the font of the pictures."""
    name = "inter-700.ttf" if bold else "inter-500.ttf"
    file = importlib.resources.files("game_core.render") / "fonts" / name
    with importlib.resources.as_file(file) as path:
        return ImageFont.truetype(path, 100)


def length(element: Element, size: float, bold: bool = False) -> float:
    """Return how long a line of text is, the bold parts in it included."""
    bold = bold or element.get("font-weight") == "700"
    own = (element.text or "") + "".join(child.tail or "" for child in element)
    inside = sum(length(child, size, bold) for child in element)
    return font(bold).getlength(own) * size / 100 + inside


def boxes(element: Element, x: float = 0, y: float = 0, scale: float = 1) -> list[Box]:
    """Return all texts and rectangles in an element, and where they are."""
    moved = element.get("transform", "")
    if moved.startswith("translate"):
        dx, dy, shrunk = map(float, NUMBER.findall(moved))
        x, y, scale = x + dx, y + dy, scale * shrunk
    if element.tag not in ("text", "rect"):
        return [box for child in element for box in boxes(child, x, y, scale)]
    left = x + scale * float(element.get("x", 0))
    low = y + scale * float(element.get("y", 0))
    if element.tag == "rect":
        w, h = (scale * float(element.attrib[side]) for side in ("width", "height"))
        return [Box(element, left, low, left + w, low + h)]
    size = scale * float(element.attrib["font-size"])
    long = length(element, size)
    left -= {"middle": long / 2, "end": long}.get(element.get("text-anchor", ""), 0)
    return [Box(element, left, low - 0.7 * size, left + long, low)]


def colliding(root: Element) -> list[tuple[str, str]]:
    """Return the pairs of texts of which one lies on the other."""
    lines = [box for box in boxes(root) if box.element.tag == "text"]
    return [
        ("".join(a.element.itertext()), "".join(b.element.itertext()))
        for a, b in itertools.combinations(lines, 2)
        if a.left < b.right and b.left < a.right and a.top < b.bottom
        if b.top < a.bottom
    ]


def sticking_out(sheet: Element) -> list[str]:
    """Return what crosses the edge of the sheet that it stands on, the second thing."""
    _, panel, *others = boxes(sheet)
    return [
        ET.tostring(box.element, "unicode")
        for box in others
        if box.left < panel.left - 0.5
        or box.right > panel.right + 0.5
        or box.bottom > panel.bottom + 0.5
    ]


def out_of_picture(root: Element) -> list[str]:
    """Return the texts that are cut off by the edge of the picture."""
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    return [
        "".join(box.element.itertext())
        for box in boxes(root)
        if box.element.tag == "text"
        if box.left < 0 or box.right > width or box.top < 0 or box.bottom > height
    ]
