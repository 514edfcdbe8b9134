"""Shots by geometry: straight ones, and ones that a wall sends back once.

A shot is a row of ``SHOT`` numbers. It has no spin, so its path is straight, and its
strength is what friction takes from it on the way to where it should come to rest.
"""

import math
from typing import Any

import numpy as np

from baselines.icecool._bounces import (
    DRAG,
    bounce_point,
    kept_square,
    swerve_after,
)
from baselines.icecool._lines import Line, distance_of_lines, distance_to_line
from game_core.compiled.jit import jit
from icecool_env.geometry import door_view
from icecool_env.rules import CATCHES_OF_TWO, red_line_room
from icecool_env.spots import red_spot
from icecool_env.state import (
    CLEAR_OF_WALL,
    FASTEST,
    NONE,
    SLOWEST,
    TOUCHING,
    State,
)

# A row: the wish for a red line, the direction, the strength from -1 to 1, where it
# comes to rest, what it aims at, how far from obstacles it passes, and the bounces.
WISH, TO_X, TO_Y, POWER, REST_X, REST_Y, AIM, MARGIN, BOUNCES = range(9)
SHOT = 9
MAX_SHOTS = 4096
"""More than there are from three starts at all doors off all walls in sight."""

CLOSEST = 1.0  # mm between start and goal

ROUNDS = 5
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


@jit
def list_shots(state: State, seat: int, out: np.ndarray) -> int:
    """Write the shots of a seat into ``out`` (``MAX_SHOTS``, ``SHOT``).

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
def start_of(state: State, seat: int, wish: float) -> tuple[bool, float, float]:
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
def shots_at_doors(
    state: State, seat: int, start: Any, out: np.ndarray, count: int
) -> int:
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
def shots_at_runners(
    state: State, seat: int, start: Any, out: np.ndarray, count: int
) -> int:
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
def can_be_caught(state: State, runner: int) -> bool:
    """Tell whether the Catcher still gains by touching a Runner."""
    most = CATCHES_OF_TWO if state.num_players == 2 else 1
    return state.caught[runner] < most


@jit
def shots_at_places(
    state: State, seat: int, start: Any, out: np.ndarray, count: int
) -> int:
    """Append shots to places in front of the doors; return how many there are."""
    for door in range(state.num_doors):
        for side in (-BEFORE, BEFORE):
            x, y = place_at_door(state, door, side, 0.0)
            goal = (x, y, NOWHERE)
            count = direct_shots(state, seat, start, goal, out, count)
    return count


@jit
def place_at_door(state: State, door: int, across: float, aside: float) -> Point:
    """Return the point at distances across and along the wall from a door's middle."""
    wall, at = state.door_wall[door] + across, state.door_at[door] + aside
    return (wall, at) if state.door_upright[door] else (at, wall)


@jit
def direct_shots(
    state: State, seat: int, start: Any, goal: Any, out: np.ndarray, count: int
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
    way, length = way_to(start, goal)
    if length <= CLOSEST:
        return count
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
def slide_is_free(state: State, seat: int, goal: Any, line: Line) -> bool:
    """Tell whether nothing stops a penguin on a line, which does not matter at one."""
    return goal[2] >= PENGUINS or clearance(state, seat, goal, line) >= -TOLERANCE


@jit
def beyond_goal(state: State, goal: Any, way: Line) -> float:
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
def append(out: np.ndarray, count: int, way: Line, rest: Any, aim: Any) -> int:
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
    row[TO_X], row[TO_Y] = way[2], way[3]
    row[POWER] = 2.0 * (speed - SLOWEST) / (FASTEST - SLOWEST) - 1.0
    row[REST_X], row[REST_Y] = rest[1], rest[2]
    row[WISH], row[AIM], row[MARGIN], row[BOUNCES] = aim
    return count + 1


@jit
def bounced_shots(
    state: State, seat: int, start: Any, goal: Any, out: np.ndarray, count: int
) -> int:
    """Append the shots at a goal off one wall; arguments as of ``direct_shots``."""
    for i in range(state.num_pieces):
        piece = state.piece[i]
        for side in (-1.0, 1.0):
            count = shots_off(state, seat, (start, goal), (piece, side), out, count)
    return count


@jit
def shots_off(
    state: State, seat: int, ends: Any, wall: Any, out: np.ndarray, count: int
) -> int:
    """Append a shot from a start to a goal off one side of a piece of wall."""
    start, goal = ends
    found, x, y, slope = aim_off(state, start, goal, wall)
    if not found:
        return count
    way, length = way_to(start, (x, y))
    leave, after = way_to((x, y), goal)
    after_goal = after + beyond_goal(state, goal, leave)
    if (
        clearance(state, seat, goal, stretch(way, length)) < -TOLERANCE
        or clearance(state, seat, goal, stretch(leave, after_goal)) < -TOLERANCE
    ):
        return count
    after_all = after_goal + slide_of(goal, 0)
    end = stretch(leave, after_all)
    speed = math.sqrt(DRAG * (after_all / kept_square(slope) + length))
    margin = margin_at(state, seat, goal, leave, after)
    aim = (start[2], goal[2], margin, 1.0)
    return append(out, count, way, (speed, end[2], end[3]), aim)


@jit
def aim_off(
    state: State, start: Any, goal: Any, wall: Any
) -> tuple[bool, float, float, float]:
    """Return where a shot at a goal has to meet a wall, as ``bounce_point`` does."""
    ends = (start[0], start[1]), (goal[0], goal[1])
    swerve = 0.0
    found, x, y, slope = bounce_point(ends, wall, swerve)
    for _ in range(ROUNDS):
        if found:
            leave, after = way_to((x, y), goal)
            beyond = beyond_goal(state, goal, leave) + slide_of(goal, 0)
            swerve = (swerve + swerve_after(slope, after, beyond)) / 2.0
            found, x, y, slope = bounce_point(ends, wall, swerve)
    return found, x, y, slope


@jit
def way_to(start: Any, goal: Any) -> tuple[Line, float]:
    """Return x and y of a start and the direction to a goal, and the distance."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    length = max(math.sqrt(dx * dx + dy * dy), CLOSEST)
    return (start[0], start[1], dx / length, dy / length), length


@jit
def margin_at(state: State, seat: int, goal: Any, way: Line, length: float) -> float:
    """Return how much room there is beside the way at a goal, not before it."""
    close = max(0.0, length - CLEAR_OF_WALL)
    x, y = way[0] + way[2] * close, way[1] + way[3] * close
    at = (x, y, way[2], way[3])
    beyond = max(0.0, beyond_goal(state, goal, way))
    return clearance(state, seat, goal, stretch(at, length - close + beyond))


@jit
def clearance(state: State, seat: int, goal: Any, line: Line) -> float:
    """Return how much room there is beside a path, between walls and penguins.

    A penguin that is the goal is not in the way.
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
