"""What happens on the way of a flick: touches, doors passed, exits (A3, A7, A10).

Physics reports these events without knowing the rules, and the rules judge them
without knowing physics.
"""

from typing import Any

import numpy as np

from game_core.compiled.jit import jit
from icecool_env.geometry import (
    door_view,
    in_opening,
    is_in_doorway,
    room_at,
    side_of,
)
from icecool_env.physics.constants import DT, REST_SPEED_SQUARED
from icecool_env.state import (
    CLEAR_OF_WALL,
    EXIT,
    LINTEL_HEIGHT,
    MAX_DOORS,
    MAX_PLAYERS,
    NONE,
    PASS,
    PENGUIN_HEIGHT,
    TOUCH,
    TOUCHING,
    WALL_HEIGHT,
    State,
)

__all__ = ["MOTION", "note_events", "start_motion"]

MOTION = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("present", np.int8, (MAX_PLAYERS,)),  # on the board, and not out
                ("leaving", np.int8, (MAX_PLAYERS,)),  # went out in this step
                ("airborne", np.int8, (MAX_PLAYERS,)),
                ("x", np.float64, (MAX_PLAYERS,)),
                ("y", np.float64, (MAX_PLAYERS,)),
                ("z", np.float64, (MAX_PLAYERS,)),  # of the base
                ("vx", np.float64, (MAX_PLAYERS,)),
                ("vy", np.float64, (MAX_PLAYERS,)),
                ("up", np.float64, (MAX_PLAYERS,)),  # upward speed
                ("spin", np.float64, (MAX_PLAYERS,)),
                ("was_x", np.float64, (MAX_PLAYERS,)),  # before the last step
                ("was_y", np.float64, (MAX_PLAYERS,)),
                ("touched", np.int8, (MAX_PLAYERS, MAX_PLAYERS)),  # reported already
                ("side", np.int8, (MAX_PLAYERS, MAX_DOORS)),  # last clear on
                ("through", np.int8, (MAX_PLAYERS, MAX_DOORS)),  # the last crossing of
                # the wall's plane was in the opening, under the lintel
                ("passed", np.int8, (MAX_PLAYERS, MAX_DOORS)),  # reported already
            ],
            align=True,
        ),
    )
)
"""Where the penguins are in a flick, and what is known of their ways."""


@jit
def start_motion(state: State, motion: Any) -> None:
    """A7: note on which side of each door each penguin starts."""
    for seat in range(state.num_players):
        if motion.present[seat]:
            for door in range(state.num_doors):
                x, y = motion.x[seat], motion.y[seat]
                if not is_in_doorway(state, door, x, y):
                    across, _ = door_view(state, door, x, y)
                    motion.side[seat, door] = side_of(across)


@jit
def note_events(
    state: State, motion: Any, step: int, events: np.ndarray, num_events: int
) -> int:
    """Append what happened in a step, in the order of A1; return how many there are."""
    num_events = note_touches(state, motion, step, events, num_events)
    n = state.num_players
    for i in range(n):
        seat = (state.flicked + i) % n
        if motion.present[seat] and is_elsewhere(motion, seat):
            for door in range(state.num_doors):
                if passes(state, motion, seat, door):
                    num_events = note(events, num_events, step, PASS, seat, door)
    for i in range(n):
        seat = (state.flicked + i) % n
        if motion.present[seat] and is_out(state, motion, seat):
            motion.leaving[seat] = 1
            num_events = note(events, num_events, step, EXIT, seat, NONE)
    return num_events


@jit
def note(
    events: np.ndarray, num_events: int, step: int, kind: int, seat: int, other: int
) -> int:
    """Append an event; return how many there are now."""
    event = events[num_events]
    event[0] = step
    event[1] = kind
    event[2] = seat
    event[3] = other
    return num_events + 1


@jit
def note_touches(
    state: State, motion: Any, step: int, events: np.ndarray, num_events: int
) -> int:
    """Append the first touches of pairs in a step; return how many events there are."""
    n = state.num_players
    for i in range(n):
        seat = (state.flicked + i) % n
        for j in range(i + 1, n):
            other = (state.flicked + j) % n
            if not motion.touched[seat, other] and touch(motion, seat, other):
                motion.touched[seat, other] = motion.touched[other, seat] = 1
                num_events = note(events, num_events, step, TOUCH, seat, other)
    return num_events


@jit
def touch(motion: Any, seat: int, other: int) -> bool:
    """A3: tell whether two penguins that were not both at rest touch now."""
    if not (motion.present[seat] and motion.present[other]):
        return False
    if not (has_moved(motion, seat) or has_moved(motion, other)):
        return False
    dx, dy = motion.x[seat] - motion.x[other], motion.y[seat] - motion.y[other]
    near = dx * dx + dy * dy <= TOUCHING * TOUCHING
    return near and abs(motion.z[seat] - motion.z[other]) < PENGUIN_HEIGHT


@jit
def has_moved(motion: Any, seat: int) -> bool:
    """Tell whether a penguin moved in the step, pushed or by itself: 1 mm/s or more."""
    dx, dy = motion.x[seat] - motion.was_x[seat], motion.y[seat] - motion.was_y[seat]
    return dx * dx + dy * dy >= REST_SPEED_SQUARED * DT * DT


@jit
def is_elsewhere(motion: Any, seat: int) -> bool:
    """Tell whether a penguin is not exactly where it was before the step."""
    moved_x = motion.x[seat] != motion.was_x[seat]
    return moved_x or motion.y[seat] != motion.was_y[seat]


@jit
def passes(state: State, motion: Any, seat: int, door: int) -> bool:
    """A7: tell whether a penguin has passed a door in this step, the first time."""
    across, along = door_view(state, door, motion.x[seat], motion.y[seat])
    before, along_before = door_view(
        state, door, motion.was_x[seat], motion.was_y[seat]
    )
    if side_of(across) != side_of(before):
        crossed_at = along_before + before / (before - across) * (along - along_before)
        head_is_below = motion.z[seat] + PENGUIN_HEIGHT <= LINTEL_HEIGHT
        inside = in_opening(state, door, crossed_at) and head_is_below
        motion.through[seat, door] = inside
    if abs(across) < CLEAR_OF_WALL:
        return False
    changed = motion.side[seat, door] == -side_of(across)
    passed = changed and motion.through[seat, door] and not motion.passed[seat, door]
    motion.side[seat, door] = side_of(across)
    motion.through[seat, door] = 0
    if passed:
        motion.passed[seat, door] = 1
    return passed


@jit
def is_out(state: State, motion: Any, seat: int) -> bool:
    """A10: tell whether a penguin is outside the school."""
    if motion.z[seat] >= WALL_HEIGHT:
        return False
    return room_at(state, motion.x[seat], motion.y[seat]) == NONE
