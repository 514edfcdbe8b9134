"""Lines between two points, and how near they come to others."""

import math

from game_core.compiled.jit import jit

Line = tuple[float, float, float, float]
"""x and y of a point, x and y of another."""


@jit
def distance_of_lines(one: Line, other: Line) -> float:
    """Return the least distance of two lines, zero if they cross."""
    ax, ay, bx, by = one
    cx, cy, dx, dy = other
    a = turn_of(other, ax, ay)
    b = turn_of(other, bx, by)
    c = turn_of(one, cx, cy)
    d = turn_of(one, dx, dy)
    if a * b < 0.0 and c * d < 0.0:
        return 0.0
    return min(
        distance_to_line(ax, ay, other),
        distance_to_line(bx, by, other),
        distance_to_line(cx, cy, one),
        distance_to_line(dx, dy, one),
    )


@jit
def turn_of(line: Line, x: float, y: float) -> float:
    """Return on which side of a line a point is: its sign."""
    return (line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])


@jit
def distance_to_line(x: float, y: float, line: Line) -> float:
    """Return the distance of a point from a line between two points."""
    x0, y0, x1, y1 = line
    dx, dy = x1 - x0, y1 - y0
    square = dx * dx + dy * dy
    part = 0.0
    if square > 0.0:
        part = min(max(((x - x0) * dx + (y - y0) * dy) / square, 0.0), 1.0)
    ex, ey = x - x0 - part * dx, y - y0 - part * dy
    return math.sqrt(ex * ex + ey * ey)
