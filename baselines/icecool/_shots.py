"""Shots by geometry: straight ones, and ones that a wall sends back once.

A shot is a row of ``SHOT`` numbers. It has no spin, so its path is straight, and its
strength is what friction takes from it on the way to where it should come to rest.
"""

import math
from typing import Any

from game_core.jit import jit
from icecool_env.materials import (
    CURVE,
    FASTEST,
    FLOOR_FRICTION,
    GRAVITY,
    PENGUIN_ELASTICITY,
    PENGUIN_FRICTION,
    SLOWEST,
    SPIN_LOSS,
    WALL_ELASTICITY,
    WALL_FRICTION,
)
from icecool_env.rules import red_line_room
from icecool_env.spots import red_spot
from icecool_env.state import CLEAR_OF_WALL, NONE, PENGUIN_RADIUS, TOUCHING
from icecool_env.tracking import door_view

# A row: the start, whether that is on a red line, the direction, the strength from -1
# to 1, where it comes to rest, what it aims at, how far from obstacles, and bounces.
FROM_X, FROM_Y, WISH, TO_X, TO_Y, POWER, REST_X, REST_Y, AIM, MARGIN, BOUNCES = range(
    11
)
SHOT = 11
MOST_SHOTS = 4096
"""More than there are from three starts at all doors off all walls in sight."""

DRAG = 2.0 * FLOOR_FRICTION * GRAVITY
"""What sliding takes from the square of the speed, per millimetre."""

BOUNCE = PENGUIN_ELASTICITY * WALL_ELASTICITY
"""Part of the speed into a wall that comes back."""

RUB = PENGUIN_FRICTION * WALL_FRICTION * (1.0 + BOUNCE)
"""Most that a wall takes from the speed along it, per speed into it."""

ROLLING = 2.0 / 3.0
"""Part of the speed along a wall that is left when a disc rolls off it."""

SPIN_OF_RUB = 2.0 / PENGUIN_RADIUS
"""The spin of a disc per speed along a wall that the wall took."""

ROUNDS = 6
"""Of finding the bounce and how far its spin then curves the path, in turn."""

TOLERANCE = 0.05  # mm that penguins at rest may be too near to a wall

THROUGH = 6.0  # mm that a shot through a door is clear beyond it
SLIDES = (10.0, 70.0, 150.0)
"""How far shots at a door slide on beyond it, in millimetres."""
HARD = 150.0  # mm that a shot at a penguin would slide beyond it
ASIDE = (0.0, -11.0, 11.0)
"""Where shots aim beside the middle of a door or penguin, in millimetres."""
BEFORE = 45.0  # mm before a door: a good place to flick from

NOWHERE = -1  # what a shot at a mere place aims at
PENGUINS = 100  # added to the seat of a penguin aimed at
CHOICES = (0.0, 0.5, 1.0)  # of the red line: none, the own room's, the other one's

Point = tuple[float, float]
Line = tuple[float, float, float, float]


@jit
def list_shots(state: Any, seat: int, out: Any) -> int:
    """Write the shots of a seat into ``out`` (``MOST_SHOTS``, ``SHOT``).

    Returns:
        How many there are.
    """
    count = 0
    for choice in range(len(CHOICES)):
        found, x, y = start_of(state, seat, CHOICES[choice])
        if found:
            start = (x, y, CHOICES[choice])
            count = shots_at_doors(state, seat, start, out, count)
            count = shots_at_runners(state, seat, start, out, count)
            count = shots_at_places(state, seat, start, out, count)
    return count


@jit
def start_of(state: Any, seat: int, wish: float) -> tuple[bool, float, float]:
    """Return where a flick with a wish for a red line begins, if it differs."""
    room = red_line_room(state, seat, wish)
    if room == NONE:
        return wish == 0.0, state.x[seat], state.y[seat]
    if wish == 1.0 and room == red_line_room(state, seat, 0.5):
        return False, 0.0, 0.0
    found, x, y = red_spot(state, seat, room)
    if not found:
        return wish == 0.0, state.x[seat], state.y[seat]
    return True, x, y


@jit
def shots_at_doors(state: Any, seat: int, start: Any, out: Any, count: int) -> int:
    """Append the shots through all doors; return how many shots there are."""
    for door in range(state.num_doors):
        across, _ = door_view(state, door, start[0], start[1])
        if abs(across) >= CLEAR_OF_WALL:
            for i in range(len(ASIDE)):
                x, y = place_at_door(state, door, 0.0, ASIDE[i])
                goal = (x, y, door)
                count = direct_shots(state, seat, start, goal, out, count)
                count = bounced_shots(state, seat, start, goal, out, count)
    return count


@jit
def shots_at_runners(state: Any, seat: int, start: Any, out: Any, count: int) -> int:
    """Append the Catcher's shots at Runners it can still catch; return how many."""
    if seat != state.catcher:
        return count
    for runner in range(state.num_players):
        if runner != seat and state.on_board[runner] and can_be_caught(state, runner):
            dx, dy = state.x[runner] - start[0], state.y[runner] - start[1]
            length = max(1.0, math.sqrt(dx * dx + dy * dy))
            for i in range(len(ASIDE)):
                x = state.x[runner] - ASIDE[i] * dy / length
                y = state.y[runner] + ASIDE[i] * dx / length
                goal = (x, y, PENGUINS + runner)
                count = direct_shots(state, seat, start, goal, out, count)
                count = bounced_shots(state, seat, start, goal, out, count)
    return count


@jit
def can_be_caught(state: Any, runner: int) -> bool:
    """Tell whether the Catcher still gains by touching a Runner."""
    most = 2 if state.num_players == 2 else 1
    return state.caught[runner] < most


@jit
def shots_at_places(state: Any, seat: int, start: Any, out: Any, count: int) -> int:
    """Append shots to places in front of the doors; return how many there are."""
    for door in range(state.num_doors):
        for side in (-BEFORE, BEFORE):
            x, y = place_at_door(state, door, side, 0.0)
            goal = (x, y, NOWHERE)
            count = direct_shots(state, seat, start, goal, out, count)
    return count


@jit
def place_at_door(state: Any, door: int, across: float, aside: float) -> Point:
    """Return the point at distances across and along the wall from a door's middle."""
    wall, at = state.door_wall[door] + across, state.door_at[door] + aside
    return (wall, at) if state.door_upright[door] else (at, wall)


@jit
def direct_shots(
    state: Any, seat: int, start: Any, goal: Any, out: Any, count: int
) -> int:
    """Append the straight shots at a goal; return how many shots there are.

    Args:
        state: The record.
        seat: Who shoots.
        start: x, y and the wish for the red line.
        goal: x, y, and what it is: a door, ``PENGUINS`` + seat, or ``NOWHERE``.
        out: Rows of shots.
        count: How many there are already.
    """
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1.0:
        return count
    way = (start[0], start[1], dx / length, dy / length)
    beyond = beyond_goal(state, goal, way)
    if clearance(state, seat, goal, stretch(way, length + beyond)) < -TOLERANCE:
        return count
    margin = margin_at(state, seat, goal, way, length)
    aim = (start[2], goal[2], margin, 0.0)
    for i in range(slides_at(goal)):
        slide = slide_of(goal, i)
        end = stretch(way, length + beyond + slide)
        if slide_is_free(state, seat, goal, end):
            speed = math.sqrt(DRAG * (length + beyond + slide))
            count = append(out, count, way, (speed, end[2], end[3]), aim)
    return count


@jit
def slides_at(goal: Any) -> int:
    """Return how many strengths of shots at a goal are tried."""
    return len(SLIDES) if 0 <= goal[2] < PENGUINS else 1


@jit
def slide_of(goal: Any, i: int) -> float:
    """Return how far a shot slides beyond what it aims at."""
    if goal[2] == NOWHERE:
        return 0.0
    return SLIDES[i] if goal[2] < PENGUINS else HARD


@jit
def slide_is_free(state: Any, seat: int, goal: Any, line: Line) -> bool:
    """Tell whether nothing stops a penguin on a line, which does not matter at one."""
    return goal[2] >= PENGUINS or clearance(state, seat, goal, line) >= -TOLERANCE


@jit
def beyond_goal(state: Any, goal: Any, way: Line) -> float:
    """Return how far beyond a goal a shot has to be free; before one if negative."""
    if goal[2] >= PENGUINS:
        return -TOUCHING
    if goal[2] == NOWHERE:
        return 0.0
    across = abs(way[2] if state.door_upright[goal[2]] else way[3])
    return (CLEAR_OF_WALL + THROUGH) / max(across, 0.1)


@jit
def stretch(way: Line, length: float) -> Line:
    """Return the line of a length from a start in a direction."""
    return way[0], way[1], way[0] + way[2] * length, way[1] + way[3] * length


@jit
def append(out: Any, count: int, way: Line, rest: Any, aim: Any) -> int:
    """Append a shot if it is not too fast; return how many there are.

    Args:
        out: Rows of shots.
        count: How many there are already.
        way: x and y of the start, and the direction.
        rest: The speed, and x and y of where it comes to rest.
        aim: The wish for the red line, what it aims at, margin and bounces.
    """
    speed = max(rest[0], SLOWEST)
    if speed > FASTEST or count == len(out):
        return count
    row = out[count]
    row[FROM_X], row[FROM_Y], row[TO_X], row[TO_Y] = way
    row[POWER] = 2.0 * (speed - SLOWEST) / (FASTEST - SLOWEST) - 1.0
    row[REST_X], row[REST_Y] = rest[1], rest[2]
    row[WISH], row[AIM], row[MARGIN], row[BOUNCES] = aim
    return count + 1


@jit
def bounced_shots(
    state: Any, seat: int, start: Any, goal: Any, out: Any, count: int
) -> int:
    """Append the shots at a goal off one wall; arguments as of ``direct_shots``."""
    for i in range(state.num_pieces):
        piece = state.piece[i]
        for side in (-1.0, 1.0):
            count = shots_off(state, seat, (start, goal), (piece, side), out, count)
    return count


@jit
def shots_off(state: Any, seat: int, ends: Any, wall: Any, out: Any, count: int) -> int:
    """Append the shots from a start to a goal off one side of a piece of wall."""
    start, goal = ends
    places = (start[0], start[1]), (goal[0], goal[1])
    swerve = 0.0
    for _ in range(ROUNDS):
        found, bx, by, slope = bounce_point(places, wall, swerve)
        if not found:
            return count
        ox, oy = goal[0] - bx, goal[1] - by
        after = math.sqrt(ox * ox + oy * oy)
        if after < 1.0:
            return count
        leave = (bx, by, ox / after, oy / after)
        beyond = beyond_goal(state, goal, leave)
        swerve += swerve_after(slope, after, beyond + slide_of(goal, 0))
        swerve /= 2.0
    length = math.sqrt((bx - start[0]) ** 2 + (by - start[1]) ** 2)
    before = (start[0], start[1], (bx - start[0]) / length, (by - start[1]) / length)
    if clearance(state, seat, goal, stretch(before, length)) < -TOLERANCE:
        return count
    if clearance(state, seat, goal, stretch(leave, after + beyond)) < -TOLERANCE:
        return count
    margin = margin_at(state, seat, goal, leave, after)
    slide = slide_of(goal, 0)
    end = stretch(leave, after + beyond + slide)
    left = DRAG * (after + beyond + slide) / kept_square(slope)
    rest = (math.sqrt(left + DRAG * length), end[2], end[3])
    return append(out, count, before, rest, (start[2], goal[2], margin, 1.0))


@jit
def bounce_point(
    places: Any, wall: Any, swerve: float
) -> tuple[bool, float, float, float]:
    """Return where a shot has to meet a wall to be sent to a goal, and how aslant.

    Args:
        places: x and y of the start, x and y of the goal.
        wall: The piece, and the side of it.
        swerve: How far the path will curve towards the wall on the way to the goal.

    Returns:
        Whether there is such a point, its x and y, and the speed along the wall for
        each speed into it.
    """
    (start, goal), (piece, side) = places, wall
    upright = piece[0] == piece[2]
    n, t = (0, 1) if upright else (1, 0)
    plane = piece[n] + side * CLEAR_OF_WALL
    near, far = side * (start[n] - plane), side * (goal[n] - plane)
    if near < 1.0 or far < 1.0:
        return False, 0.0, 0.0, 0.0
    along = goal[t] - start[t]
    sign = 1.0 if along >= 0.0 else -1.0
    slope = slope_into(near, far, max(0.0, abs(along) - swerve))
    place = start[t] + sign * near * slope
    found = piece[t] <= place <= piece[t + 2]
    return found, plane if upright else place, place if upright else plane, slope


@jit
def slope_into(near: float, far: float, along: float) -> float:
    """Return the slope of a path to a wall that leads off it to a distance along it.

    Args:
        near: Distance of the start from the wall.
        far: Distance of the goal from the wall.
        along: Between the two, along the wall.
    """
    rolled = along / (near + far * ROLLING / BOUNCE)
    if rolled * (1.0 - ROLLING) <= RUB:
        return rolled
    return (along + far * RUB / BOUNCE) / (near + far / BOUNCE)


@jit
def kept_along(slope: float) -> float:
    """Return the speed along a wall after a bounce, per speed into the wall."""
    return slope - min(slope * (1.0 - ROLLING), RUB)


@jit
def kept_square(slope: float) -> float:
    """Return the part of the square of the speed that a bounce leaves."""
    kept = kept_along(slope)
    return (kept * kept + BOUNCE * BOUNCE) / (slope * slope + 1.0)


@jit
def swerve_after(slope: float, after: float, beyond: float) -> float:
    """Return how far along the wall the spin from a bounce curves the path off it.

    Args:
        slope: Of the path to the wall.
        after: Length of the way from the wall to the goal.
        beyond: Length of the rest of the way.
    """
    kept = kept_along(slope)
    out = math.sqrt(kept * kept + BOUNCE * BOUNCE)  # per speed into the wall
    first, last = math.sqrt(DRAG * (after + beyond)), math.sqrt(DRAG * max(0.0, beyond))
    speed = (first + last) / 2.0
    into = first / out
    spin = SPIN_OF_RUB * (slope - kept) * into
    time = after / speed
    spinning = min(time, spin / SPIN_LOSS)
    turn = CURVE * spinning * (spin - SPIN_LOSS * spinning / 2.0)
    aside = CURVE * spinning * spinning * (spin / 2.0 - SPIN_LOSS * spinning / 6.0)
    return (aside + turn * (time - spinning)) * speed * out / BOUNCE


@jit
def margin_at(state: Any, seat: int, goal: Any, way: Line, length: float) -> float:
    """Return how much room there is beside the way at a goal, not before it."""
    close = max(0.0, length - CLEAR_OF_WALL)
    x, y = way[0] + way[2] * close, way[1] + way[3] * close
    at = (x, y, way[2], way[3])
    beyond = max(0.0, beyond_goal(state, goal, way))
    return clearance(state, seat, goal, stretch(at, length - close + beyond))


@jit
def clearance(state: Any, seat: int, goal: Any, line: Line) -> float:
    """Return how much room there is beside a path between walls and penguins.

    Penguins on the board are in the way unless they are the goal; so is nothing behind
    a start that touches it.
    """
    least = 1e9
    for i in range(state.num_pieces):
        piece = state.piece[i]
        wall = (piece[0], piece[1], piece[2], piece[3])
        least = min(least, distance_of_lines(line, wall) - CLEAR_OF_WALL)
        if least < -TOLERANCE:
            return least
    for other in range(state.num_players):
        if other not in (seat, goal[2] - PENGUINS) and state.on_board[other]:
            distance = distance_to_line(state.x[other], state.y[other], line)
            least = min(least, distance - TOUCHING)
    return least


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
