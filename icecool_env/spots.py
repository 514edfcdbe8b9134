"""Where a penguin stands, and where it may be put: rooms, doorways, free spots.

Distances are in millimetres. Of several spots the nearest is taken, then the one of
lower x, then of lower y; distances and coordinates that differ by less than
``SAME`` count as equal, so that rounding decides nothing.
"""

import math

from game_core.compiled.jit import jit
from icecool_env.geometry import (
    LOWER,
    door_view,
    is_in_doorway,
    is_in_room,
    room_at,
    side_of,
)
from icecool_env.school import RED_INSET
from icecool_env.state import (
    CLEAR_OF_WALL,
    NONE,
    TOUCHING,
    State,
)

__all__ = [
    "can_choose_room",
    "distance_to_walls",
    "doorway_of",
    "is_close_to_wall",
    "is_on_circle",
    "middle_of",
    "nearest_free_spot",
    "put",
    "red_rectangle",
    "red_spot",
    "room_of_side",
]

FREE = TOUCHING + 0.01  # R27: least distance from every other penguin
VISIBLE_ON_BOTH_SIDES = 12.0  # R32: less than this from the plane of the wall
SAME = 1e-9

Spot = tuple[bool, float, float]
"""Whether there is such a spot, its x and its y."""


@jit
def doorway_of(state: State, seat: int) -> int:
    """R29: return the door that a penguin is stuck in, or NONE."""
    for door in range(state.num_doors):
        if is_in_doorway(state, door, state.x[seat], state.y[seat]):
            return door
    return NONE


@jit
def can_choose_room(state: State, seat: int, door: int) -> bool:
    """R32: tell whether a penguin stuck in a door may go to either room."""
    across, _ = door_view(state, door, state.x[seat], state.y[seat])
    return abs(across) < VISIBLE_ON_BOTH_SIDES and not state.stuck_majority


@jit
def room_of_side(state: State, seat: int, door: int, other: bool) -> int:
    """R32: return the room on a stuck penguin's side of a door, or the ``other``."""
    across, _ = door_view(state, door, state.x[seat], state.y[seat])
    lower = (side_of(across) == LOWER) != other
    return state.door_room[door, 0 if lower else 1]


@jit
def is_close_to_wall(state: State, seat: int) -> bool:
    """R27: tell whether a penguin's centre is outside the red rectangle of its room."""
    room = room_at(state, state.x[seat], state.y[seat])
    if room == NONE:
        return False
    left, bottom, right, top = red_rectangle(state, room)
    inside_x = left <= state.x[seat] <= right
    return not (inside_x and bottom <= state.y[seat] <= top)


@jit
def red_rectangle(state: State, room: int) -> tuple[float, float, float, float]:
    """R27: return left, bottom, right and top of the red rectangle of a room."""
    sides = state.room[room]
    return (
        sides[0] + RED_INSET,
        sides[1] + RED_INSET,
        sides[2] - RED_INSET,
        sides[3] - RED_INSET,
    )


@jit
def middle_of(state: State, room: int) -> tuple[float, float]:
    """Return the middle of a room."""
    sides = state.room[room]
    return (sides[0] + sides[2]) / 2.0, (sides[1] + sides[3]) / 2.0


@jit
def is_on_circle(state: State, seat: int, radius: float) -> bool:
    """R14: tell whether a penguin's centre is within ``radius`` of the red circle's."""
    x, y = middle_of(state, state.classroom)
    dx, dy = state.x[seat] - x, state.y[seat] - y
    return dx * dx + dy * dy < radius * radius


@jit
def distance_to_others(state: State, seat: int, x: float, y: float) -> float:
    """Return the distance of a spot to the nearest other penguin on the board."""
    nearest = math.inf
    for other in range(state.num_players):
        if other != seat and state.on_board[other]:
            dx, dy = state.x[other] - x, state.y[other] - y
            nearest = min(nearest, math.sqrt(dx * dx + dy * dy))
    return nearest


@jit
def distance_to_walls(state: State, x: float, y: float) -> float:
    """Return the distance of a spot to the middle of the nearest piece of wall."""
    nearest = math.inf
    for i in range(state.num_pieces):
        piece = state.piece[i]
        dx = x - min(max(x, piece[0]), piece[2])
        dy = y - min(max(y, piece[1]), piece[3])
        nearest = min(nearest, math.sqrt(dx * dx + dy * dy))
    return nearest


@jit
def put(state: State, seat: int, x: float, y: float) -> None:
    """A12: put a penguin on the nearest free spot to (x, y)."""
    if distance_to_others(state, seat, x, y) < TOUCHING - SAME:
        x, y = nearest_free_spot(state, seat, x, y)
    state.on_board[seat] = 1
    state.x[seat], state.y[seat] = x, y


@jit
def nearest_free_spot(
    state: State, seat: int, x: float, y: float
) -> tuple[float, float]:
    """A12: return the nearest spot free of penguins and walls, else (x, y).

    It lies on the edge of what a penguin blocks: nearest to (x, y) there, or where
    that edge meets the edge of what another penguin or a wall blocks, or of the room.
    """
    wanted = (x, y)
    best = (False, x, y)
    for other in range(state.num_players):
        if other != seat and state.on_board[other]:
            best = best_beside(state, seat, other, wanted, best)
            for third in range(other + 1, state.num_players):
                if third != seat and state.on_board[third]:
                    third_spot = (state.x[third], state.y[third], FREE)
                    best = best_between(state, seat, (other, third_spot), wanted, best)
            best = best_at_walls(state, seat, other, wanted, best)
    return best[1], best[2]


@jit
def best_beside(
    state: State, seat: int, other: int, wanted: tuple[float, float], best: Spot
) -> Spot:
    """Try the spot beside another penguin, in the direction of the spot wanted."""
    x, y = state.x[other], state.y[other]
    dx, dy = wanted[0] - x, wanted[1] - y
    distance = math.sqrt(dx * dx + dy * dy)
    if distance == 0.0:  # all directions are as near: ties go to the lower x
        dx, distance = -1.0, 1.0
    spot = (x + dx / distance * FREE, y + dy / distance * FREE)
    return better_spot(state, seat, spot, wanted, best)


@jit
def best_between(
    state: State,
    seat: int,
    circles: tuple[int, tuple[float, float, float]],
    wanted: tuple[float, float],
    best: Spot,
) -> Spot:
    """Try the spots that are as near to another penguin as is free, and on a circle.

    ``circles`` are the seat of the other penguin, and x, y and radius of the circle.
    """
    other, (x, y, radius) = circles
    dx, dy = x - state.x[other], y - state.y[other]
    between = math.sqrt(dx * dx + dy * dy)
    if between == 0.0:
        return best
    along = (between * between + FREE * FREE - radius * radius) / (2.0 * between)
    if abs(along) > FREE:
        return best
    height = math.sqrt(FREE * FREE - along * along)
    ux, uy = dx / between, dy / between
    for sign in (-1.0, 1.0):
        spot = (
            state.x[other] + along * ux - sign * height * uy,
            state.y[other] + along * uy + sign * height * ux,
        )
        best = better_spot(state, seat, spot, wanted, best)
    return best


@jit
def best_at_walls(
    state: State, seat: int, other: int, wanted: tuple[float, float], best: Spot
) -> Spot:
    """Try the spots as near to another penguin as is free, and to a wall or its end."""
    for i in range(state.num_pieces):
        piece = state.piece[i]
        upright = piece[0] == piece[2]
        for offset in (-CLEAR_OF_WALL, CLEAR_OF_WALL):
            line = (upright, (piece[0] if upright else piece[1]) + offset)
            best = best_on_line(state, seat, (other, line), wanted, best)
        for end in (0, 2):
            circle = (piece[end], piece[end + 1], CLEAR_OF_WALL)
            best = best_between(state, seat, (other, circle), wanted, best)
    sides = state.room[room_at(state, wanted[0], wanted[1])]
    for side in range(4):
        line = (side % 2 == 0, sides[side])
        best = best_on_line(state, seat, (other, line), wanted, best)
    return best


@jit
def best_on_line(
    state: State,
    seat: int,
    crossing: tuple[int, tuple[bool, float]],
    wanted: tuple[float, float],
    best: Spot,
) -> Spot:
    """Try the spots that are as near to another penguin as is free, and on a line.

    ``crossing`` are the seat of the other penguin, and whether the line is upright and
    its x, or y.
    """
    other, (upright, line) = crossing
    x, y = state.x[other], state.y[other]
    across = line - (x if upright else y)
    if abs(across) <= FREE:
        half = math.sqrt(FREE * FREE - across * across)
        for along in (-half, half):
            spot = (line, y + along) if upright else (x + along, line)
            best = better_spot(state, seat, spot, wanted, best)
    return best


@jit
def better_spot(
    state: State,
    seat: int,
    spot: tuple[float, float],
    wanted: tuple[float, float],
    best: Spot,
) -> Spot:
    """Return a spot as the best if it is free, in the room wanted, and nearer."""
    x, y = spot
    if (
        distance_to_others(state, seat, x, y) < FREE - SAME
        or distance_to_walls(state, x, y) < CLEAR_OF_WALL - SAME
        or not is_in_room(state, room_at(state, wanted[0], wanted[1]), x, y)
    ):
        return best
    return nearer(spot, wanted, best)


@jit
def nearer(spot: tuple[float, float], wanted: tuple[float, float], best: Spot) -> Spot:
    """Return the nearer of two spots to the one wanted; ties as this file says."""
    x, y = spot
    if best[0]:
        gained = distance(best[1], best[2], wanted) - distance(x, y, wanted)
        lower_x = x < best[1] - SAME
        lower_y = abs(x - best[1]) <= SAME and y < best[2] - SAME
        if gained < -SAME or (gained <= SAME and not (lower_x or lower_y)):
            return best
    return True, x, y


@jit
def distance(x: float, y: float, wanted: tuple[float, float]) -> float:
    """Return the distance of two spots."""
    dx, dy = x - wanted[0], y - wanted[1]
    return math.sqrt(dx * dx + dy * dy)


@jit
def red_spot(state: State, seat: int, room: int) -> Spot:
    """R27: return the nearest free point of the red line of a room to a penguin.

    On each side of the rectangle it is the nearest point, or one where the side
    leaves what another penguin blocks.
    """
    left, bottom, right, top = red_rectangle(state, room)
    best = (False, 0.0, 0.0)
    for line in (bottom, top):
        best = best_on_side(state, seat, (line, left, right), False, best)
    for line in (left, right):
        best = best_on_side(state, seat, (line, bottom, top), True, best)
    return best


@jit
def best_on_side(
    state: State,
    seat: int,
    side: tuple[float, float, float],
    upright: bool,
    best: Spot,
) -> Spot:
    """Try the points of one side of a red rectangle: its place, start and end."""
    line, start, end = side
    own = state.y[seat] if upright else state.x[seat]
    best = better_on_side(state, seat, side, (upright, min(max(own, start), end)), best)
    for other in range(state.num_players):
        if other != seat and state.on_board[other]:
            x, y = state.x[other], state.y[other]
            across, along = (line - x, y) if upright else (line - y, x)
            if abs(across) <= FREE:
                half = math.sqrt(FREE * FREE - across * across)
                for place in (along - half, along + half):
                    best = better_on_side(state, seat, side, (upright, place), best)
    return best


@jit
def better_on_side(
    state: State,
    seat: int,
    side: tuple[float, float, float],
    point: tuple[bool, float],
    best: Spot,
) -> Spot:
    """Return a point of a side as the best if it is on it, free and nearer."""
    line, start, end = side
    upright, place = point
    x, y = (line, place) if upright else (place, line)
    on_side = start <= place <= end
    if not on_side or distance_to_others(state, seat, x, y) < FREE - SAME:
        return best
    return nearer((x, y), (state.x[seat], state.y[seat]), best)
