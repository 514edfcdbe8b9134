"""A flick, from the hit to rest: a pure function of where the penguins stand.

The model and the order of its steps stand in ``docs/rules/icecool.md``. Each flick has
a world of its own, built in the same order, because Munk2D keeps contacts and impulses
of the past: reused worlds gave other results for up to 8 % of flicks into touching
groups.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from game_core.compiled.jit import jit
from icecool_env.physics import compiled_world, pymunk_world
from icecool_env.physics.constants import (
    CURVE,
    DT,
    FLOOR_ELASTICITY,
    FLOOR_FRICTION,
    FLYING,
    GRAVITY,
    LINTEL,
    MAX_STEPS,
    PENGUIN,
    QUIET_STEPS,
    REST_SPEED_SQUARED,
    SLOWEST_BOUNCE,
    WALL,
)
from icecool_env.physics.events import MOTION, note_events, start_motion
from icecool_env.physics.munk2d import USABLE
from icecool_env.state import (
    CLEAR_OF_WALL,
    LINTEL_HEIGHT,
    MAX_PLAYERS,
    PENGUIN_HEIGHT,
    TOUCHING,
    WALL_HEIGHT,
    State,
)

__all__ = ["flick_code", "run_flick", "world"]

world: Any = compiled_world if USABLE else pymunk_world

MAX_ROUNDS_OF_PUSHING = 100
PUSHED_APART = 1e-9  # mm of overlap that rounding may leave


def flick_code(func: Callable[..., Any]) -> Callable[..., Any]:
    """Compile what runs a world, if worlds can be run by compiled code here."""
    return jit(func) if USABLE else func


@flick_code
def run_flick(state: State, events: Any, path: Any) -> Any:
    """Play the flick that stands in the record, until all penguins are at rest.

    Args:
        state: The record: the school, the penguins, and ``flicked``, ``velocity`` and
            ``spin``. ``x`` and ``y`` become the positions at rest; those of penguins
            that went out are where they stopped.
        events: (``MAX_EVENTS``, 4) int64, written in the order of A1: step from 1,
            kind, seat, and the other seat or the door.
        path: (steps, ``MAX_PLAYERS``, 3) float64, written as far as it reaches: x, y
            and height of the base after each step.

    Returns:
        Number of steps, number of events; nothing happens if the penguin to flick is
        off the board.
    """
    seat = state.flicked
    if not (0 <= seat < state.num_players and state.on_board[seat]):
        return 0, 0
    motions = np.zeros(1, MOTION)  # mentioned below: a record does not keep it alive
    motion = motions[0]
    own_world = world.build(state)
    start(state, motion, own_world)
    num_steps = num_events = quiet_steps = 0
    while quiet_steps < QUIET_STEPS and num_steps < MAX_STEPS:
        num_steps += 1
        rise_and_fall(state.flicked, motion, own_world)
        world.step(own_world)
        look(motion, own_world)
        num_events = note_events(state, motion, num_steps, events, num_events)
        if num_steps <= len(path):
            log(motion, path[num_steps - 1])
        stop_those_out(motion, own_world)
        curve(motion, own_world)
        quiet_steps = quiet_steps + 1 if is_quiet(motion) else 0
    world.free(own_world)
    for seat in range(state.num_players):
        if state.on_board[seat]:
            state.x[seat], state.y[seat] = motion.x[seat], motion.y[seat]
    push_apart(state, motions[0].present)
    return num_steps, num_events


@flick_code
def start(state: State, motion: Any, own_world: Any) -> None:
    """Give the flicked penguin its motion; a jump begins in the air."""
    for seat in range(state.num_players):
        if state.on_board[seat]:
            motion.present[seat] = 1
            motion.x[seat], motion.y[seat] = state.x[seat], state.y[seat]
    seat = state.flicked
    motion.vx[seat], motion.vy[seat] = state.velocity[0], state.velocity[1]
    motion.spin[seat] = state.spin
    world.set_velocity(own_world, seat, state.velocity[0], state.velocity[1])
    world.set_spin(own_world, seat, state.spin)
    if state.velocity[2] > 0.0:
        motion.up[seat] = state.velocity[2]
        motion.airborne[seat] = 1
        world.set_grip(own_world, seat, False)
    start_motion(state, motion)


@flick_code
def rise_and_fall(seat: int, motion: Any, own_world: Any) -> None:
    """Move the flicked penguin up or down, and set what it can meet there."""
    if not motion.airborne[seat]:
        return
    motion.z[seat] += motion.up[seat] * DT - GRAVITY * DT * DT / 2.0
    motion.up[seat] -= GRAVITY * DT
    if motion.z[seat] <= 0.0:
        land(seat, motion, own_world)
    z = motion.z[seat]
    mask = 0
    if z < WALL_HEIGHT:
        mask |= WALL
        if z + PENGUIN_HEIGHT > LINTEL_HEIGHT:
            mask |= LINTEL
    category = FLYING
    if z < PENGUIN_HEIGHT:
        mask |= PENGUIN
        category = PENGUIN
    world.set_filter(own_world, seat, category, mask)


@flick_code
def land(seat: int, motion: Any, own_world: Any) -> None:
    """Bring a penguin to the floor: friction of the impact, and maybe a bounce."""
    impact = abs(motion.up[seat])
    motion.z[seat] = 0.0
    vx, vy = motion.vx[seat], motion.vy[seat]
    speed = math.sqrt(vx * vx + vy * vy)
    if speed > 0.0:
        loss = FLOOR_FRICTION * (1.0 + FLOOR_ELASTICITY) * impact
        kept = max(0.0, speed - loss) / speed
        motion.vx[seat], motion.vy[seat] = vx * kept, vy * kept
        world.set_velocity(own_world, seat, motion.vx[seat], motion.vy[seat])
    rebound = FLOOR_ELASTICITY * impact
    if rebound >= SLOWEST_BOUNCE:
        motion.up[seat] = rebound
    else:
        motion.up[seat] = 0.0
        motion.airborne[seat] = 0
        world.set_grip(own_world, seat, True)


@flick_code
def look(motion: Any, own_world: Any) -> None:
    """Read where the penguins are now, keeping where they were."""
    for seat in range(MAX_PLAYERS):
        if motion.present[seat]:
            motion.was_x[seat], motion.was_y[seat] = motion.x[seat], motion.y[seat]
            motion.x[seat], motion.y[seat] = world.position(own_world, seat)
            motion.vx[seat], motion.vy[seat] = world.velocity(own_world, seat)
            motion.spin[seat] = world.spin(own_world, seat)


@flick_code
def stop_those_out(motion: Any, own_world: Any) -> None:
    """A10: a penguin that has left the school stops, and meets nothing any more."""
    for seat in range(MAX_PLAYERS):
        if motion.leaving[seat]:
            motion.leaving[seat] = motion.present[seat] = 0
            motion.z[seat] = motion.up[seat] = 0.0
            motion.airborne[seat] = 0
            world.set_velocity(own_world, seat, 0.0, 0.0)
            world.set_spin(own_world, seat, 0.0)
            world.set_filter(own_world, seat, 0, 0)
            world.set_grip(own_world, seat, True)


@flick_code
def log(motion: Any, row: Any) -> None:
    """Write positions and heights into ``row`` (seats, 3)."""
    for seat in range(MAX_PLAYERS):
        row[seat, 0] = motion.x[seat]
        row[seat, 1] = motion.y[seat]
        row[seat, 2] = motion.z[seat]


@flick_code
def curve(motion: Any, own_world: Any) -> None:
    """Turn the velocity of what spins and moves on the floor, keeping its speed."""
    for seat in range(MAX_PLAYERS):
        vx, vy = motion.vx[seat], motion.vy[seat]
        if (
            motion.present[seat]
            and motion.spin[seat] != 0.0
            and not motion.airborne[seat]
            and vx * vx + vy * vy > REST_SPEED_SQUARED
        ):
            t = CURVE * motion.spin[seat] * DT / 2.0
            cosine = (1.0 - t * t) / (1.0 + t * t)
            sine = 2.0 * t / (1.0 + t * t)
            motion.vx[seat] = vx * cosine - vy * sine
            motion.vy[seat] = vx * sine + vy * cosine
            world.set_velocity(own_world, seat, motion.vx[seat], motion.vy[seat])


@jit
def is_quiet(motion: Any) -> bool:
    """Tell whether all penguins are at rest on the floor."""
    for seat in range(MAX_PLAYERS):
        if motion.present[seat]:
            vx, vy = motion.vx[seat], motion.vy[seat]
            if motion.airborne[seat] or vx * vx + vy * vy >= REST_SPEED_SQUARED:
                return False
    return True


@jit
def push_apart(state: State, present: Any) -> None:
    """Push apart what overlaps by the solver's tolerance, or after a hard landing."""
    for _ in range(MAX_ROUNDS_OF_PUSHING):
        moved = False
        for seat in range(state.num_players):
            if present[seat]:
                for i in range(state.num_pieces):
                    moved |= push_off_wall(state, seat, state.piece[i])
        for seat in range(state.num_players):
            for other in range(seat + 1, state.num_players):
                if present[seat] and present[other]:
                    moved |= push_off_each_other(state, seat, other)
        if not moved:
            return


@jit
def push_off_wall(state: State, seat: int, piece: Any) -> bool:
    """Move a penguin off a piece of wall; tell whether it had to move."""
    x0, y0, x1, y1 = piece[0], piece[1], piece[2], piece[3]
    near_x = min(max(state.x[seat], x0), x1)
    near_y = min(max(state.y[seat], y0), y1)
    dx, dy = state.x[seat] - near_x, state.y[seat] - near_y
    distance = math.sqrt(dx * dx + dy * dy)
    if distance >= CLEAR_OF_WALL - PUSHED_APART:
        return False
    if distance == 0.0:
        dx, dy = (1.0, 0.0) if x0 == x1 else (0.0, 1.0)
        distance = 1.0
    state.x[seat] = near_x + dx / distance * CLEAR_OF_WALL
    state.y[seat] = near_y + dy / distance * CLEAR_OF_WALL
    return True


@jit
def push_off_each_other(state: State, seat: int, other: int) -> bool:
    """Move two penguins apart, half each; tell whether they had to move."""
    dx, dy = state.x[other] - state.x[seat], state.y[other] - state.y[seat]
    distance = math.sqrt(dx * dx + dy * dy)
    if distance >= TOUCHING - PUSHED_APART:
        return False
    shift = (TOUCHING - distance) / 2.0
    if distance == 0.0:
        dx, distance = 1.0, 1.0
    state.x[seat] -= dx / distance * shift
    state.y[seat] -= dy / distance * shift
    state.x[other] += dx / distance * shift
    state.y[other] += dy / distance * shift
    return True
