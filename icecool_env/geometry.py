"""Where a point is in the school: its room, and its place at a door."""

from typing import Any

from game_core.compiled.jit import jit
from icecool_env.school import DOOR_HALF_WIDTH
from icecool_env.state import CLEAR_OF_WALL, NONE, State

__all__ = [
    "LOWER",
    "door_view",
    "in_opening",
    "is_in_doorway",
    "is_in_room",
    "room_at",
    "side_of",
]

UPPER, UNKNOWN, LOWER = 1, 0, -1  # sides of a door, by the coordinate across it


@jit
def room_at(state: State, x: float, y: float) -> int:
    """Return the first room that a point is in, its edges included, or NONE."""
    for room in range(state.num_rooms):
        if is_in_room(state, room, x, y):
            return room
    return NONE


@jit
def is_in_room(state: State, room: int, x: float, y: float) -> bool:
    """Tell whether a point is in a room, its edges included; NONE is no room."""
    if room == NONE:
        return False
    sides = state.room[room]
    return sides[0] <= x <= sides[2] and sides[1] <= y <= sides[3]


@jit
def door_view(state: State, door: int, x: float, y: float) -> Any:
    """Return a point's distance across the wall of a door, and its place along it."""
    if state.door_upright[door]:
        return x - state.door_wall[door], y
    return y - state.door_wall[door], x


@jit
def in_opening(state: State, door: int, along: float) -> bool:
    """Tell whether a place along the wall of a door is within its opening."""
    return abs(along - state.door_at[door]) <= DOOR_HALF_WIDTH


@jit
def is_in_doorway(state: State, door: int, x: float, y: float) -> bool:
    """Tell whether a penguin at a point is in an opening, not clear of its wall."""
    across, along = door_view(state, door, x, y)
    return abs(across) < CLEAR_OF_WALL and in_opening(state, door, along)


@jit
def side_of(across: float) -> int:
    """Return the side of a distance across a wall; the plane itself is upper."""
    return LOWER if across < 0.0 else UPPER
