"""Where a flat flick leads, off several walls, in less time than physics takes.

The flicked penguin slides in a straight line until it meets a wall; the spin that the
wall gives it then curves its path, which is followed in short lines. It stops where it
touches another penguin. Direct ways come out as in the physics, and so do most off one
wall; the more walls, the less certain.
"""

import math
from typing import Any

import numpy as np

from baselines.icecool._bounces import BOUNCE, DRAG, ROLLING, RUB, SPIN_OF_RUB
from game_core.compiled.jit import jit
from icecool_env.physics.constants import CURVE, SPIN_LOSS
from icecool_env.school import DOOR_HALF_WIDTH
from icecool_env.state import (
    CLEAR_OF_WALL,
    MAX_DOORS,
    PENGUIN_RADIUS,
    TOUCHING,
    State,
)

FLIGHT = np.dtype(
    (
        np.record,
        [
            ("x", np.float64),  # where the penguin is, and in the end rests
            ("y", np.float64),
            ("to_x", np.float64),  # its direction
            ("to_y", np.float64),
            ("energy", np.float64),  # square of its speed
            ("spin", np.float64),  # counterclockwise, rad/s
            ("bounces", np.int64),
            ("touched", np.int64),  # the seat that it touched, or NOBODY
            ("aside", np.float64),  # how far beside its middle, mm
            ("passed", np.int64, (MAX_DOORS,)),  # 1 for doors that it passed
            ("passes", np.int64),  # how many
            ("bounces_to", np.int64, (MAX_DOORS,)),  # bounces before that
            ("energy_at", np.float64, (MAX_DOORS,)),  # square of the speed behind it
            ("margin", np.float64, (MAX_DOORS,)),  # room beside it in the opening, mm
        ],
    )
)
"""A flick on its way; seats and doors are those of the record."""

MAX_BOUNCES = 3
SHORT = 25.0  # mm, the lines that a curve is made of
MAX_LINES = 100
GRAZING = 0.05  # mm that a penguin at rest may be too near to a wall
BEHIND_DOOR = CLEAR_OF_WALL + 2.0  # mm that a penguin has to get behind its wall
NOBODY = -1
FAR_AWAY = 1e9

Hit = tuple[float, float, float]
"""Distance, and the direction from the wall: FAR_AWAY if there is none."""


@jit
def fly(state: State, seat: int, start: Any, velocity: Any, flight: Any) -> None:
    """Follow a flick to where it comes to rest.

    Args:
        state: The record.
        seat: Who flicks.
        start: x and y.
        velocity: Direction of length 1 to x and to y, and speed.
        flight: A record of ``FLIGHT``, overwritten.
    """
    flight.x, flight.y = start
    flight.to_x, flight.to_y, speed = velocity
    flight.energy, flight.spin = speed * speed, 0.0
    flight.bounces = flight.passes = 0
    flight.touched = NOBODY
    flight.passed[:] = 0
    for _ in range(MAX_LINES):
        reach = flight.energy / DRAG
        if flight.spin != 0.0:
            reach = min(reach, SHORT)
        wall, off_x, off_y = next_wall(state, flight, reach)
        length = min(reach, wall)
        touch = next_touch(state, seat, flight, length)
        note_passes(state, flight, min(length, touch))
        go(flight, min(length, touch))
        if touch < FAR_AWAY or flight.energy <= 1.0:
            return
        if wall <= reach:
            if flight.bounces == MAX_BOUNCES:
                return
            bounce_off(flight, off_x, off_y)


@jit
def go(flight: Any, length: float) -> None:
    """Move on by a length, and turn by what the spin does on the way."""
    speed = math.sqrt(flight.energy)
    flight.energy = max(0.0, flight.energy - DRAG * length)
    flight.x += flight.to_x * length
    flight.y += flight.to_y * length
    if flight.spin != 0.0:
        time = 2.0 * length / (speed + math.sqrt(flight.energy))
        lost = min(abs(flight.spin), SPIN_LOSS * time)
        sign = 1.0 if flight.spin > 0.0 else -1.0
        turn = CURVE * sign * (abs(flight.spin) - lost / 2.0) * time
        if lost == abs(flight.spin):
            turn = CURVE * sign * lost * lost / SPIN_LOSS / 2.0
        flight.spin -= sign * lost
        cosine, sine = math.cos(turn), math.sin(turn)
        to_x, to_y = flight.to_x, flight.to_y
        flight.to_x = to_x * cosine - to_y * sine
        flight.to_y = to_x * sine + to_y * cosine


@jit
def next_wall(state: State, flight: Any, reach: float) -> Hit:
    """Return how far a penguin gets until it meets a wall that is within reach."""
    best = (FAR_AWAY, 0.0, 0.0)
    x, y, to_x, to_y = flight.x, flight.y, flight.to_x, flight.to_y
    low_x, high_x = min(x, x + to_x * reach), max(x, x + to_x * reach)
    low_y, high_y = min(y, y + to_y * reach), max(y, y + to_y * reach)
    around = CLEAR_OF_WALL + GRAZING
    for i in range(state.num_pieces):
        x0, y0, x1, y1 = state.piece[i]
        if (
            x0 > high_x + around
            or x1 < low_x - around
            or y0 > high_y + around
            or y1 < low_y - around
        ):
            continue
        if x0 == x1:
            distance, side = meet_side(x - x0, y, to_x, to_y, (y0, y1))
            if distance < best[0]:
                best = (distance, side, 0.0)
        else:
            distance, side = meet_side(y - y0, x, to_y, to_x, (x0, x1))
            if distance < best[0]:
                best = (distance, 0.0, side)
        for end in (0, 2):
            hit = meet_end(
                x - state.piece[i, end], y - state.piece[i, end + 1], to_x, to_y
            )
            if hit[0] < best[0]:
                best = hit
    return best


@jit
def meet_side(
    across: float, along: float, into: float, beside: float, ends: Any
) -> tuple[float, float]:
    """Return the distance to a side of a piece of wall, and on which side that is."""
    side = 1.0 if across > 0.0 else -1.0
    gap = side * across - CLEAR_OF_WALL
    closing = -side * into
    if closing <= 0.0 or gap < -GRAZING:
        return FAR_AWAY, side
    distance = max(0.0, gap) / closing
    place = along + beside * distance
    return (distance if ends[0] <= place <= ends[1] else FAR_AWAY), side


@jit
def meet_end(x: float, y: float, to_x: float, to_y: float) -> Hit:
    """Return the distance to the round end of a wall; x and y are from its middle."""
    closing = -(x * to_x + y * to_y)
    gap = x * x + y * y - CLEAR_OF_WALL * CLEAR_OF_WALL
    root = closing * closing - gap
    if closing <= 0.0 or root <= 0.0:
        return FAR_AWAY, 0.0, 0.0
    distance = max(0.0, closing - math.sqrt(root))
    off_x, off_y = x + to_x * distance, y + to_y * distance
    length = math.sqrt(off_x * off_x + off_y * off_y)
    return distance, off_x / length, off_y / length


@jit
def bounce_off(flight: Any, off_x: float, off_y: float) -> None:
    """Leave a wall that lies against a direction: slower, turned, and spinning.

    The wall stops the contact point, or takes as much of its speed as friction can.
    """
    speed = math.sqrt(flight.energy)
    along_x, along_y = -off_y, off_x
    into = -speed * (flight.to_x * off_x + flight.to_y * off_y)
    along = speed * (flight.to_x * along_x + flight.to_y * along_y)
    slip = along - flight.spin * PENGUIN_RADIUS
    rub = min(abs(slip) * (1.0 - ROLLING), RUB * into)
    rub = rub if slip > 0.0 else -rub
    flight.spin += SPIN_OF_RUB * rub
    out_x = off_x * into * BOUNCE + along_x * (along - rub)
    out_y = off_y * into * BOUNCE + along_y * (along - rub)
    flight.energy = out_x * out_x + out_y * out_y
    speed = max(math.sqrt(flight.energy), 1e-6)
    flight.to_x, flight.to_y = out_x / speed, out_y / speed
    flight.bounces += 1


@jit
def next_touch(state: State, seat: int, flight: Any, length: float) -> float:
    """Return how far a penguin gets until it touches another one, and note which."""
    nearest = FAR_AWAY
    for other in range(state.num_players):
        if other == seat or not state.on_board[other]:
            continue
        dx, dy = state.x[other] - flight.x, state.y[other] - flight.y
        ahead = dx * flight.to_x + dy * flight.to_y
        aside = dx * flight.to_y - dy * flight.to_x
        if ahead <= 0.0 or abs(aside) >= TOUCHING:
            continue
        distance = max(0.0, ahead - math.sqrt(TOUCHING * TOUCHING - aside * aside))
        if distance <= length and distance < nearest:
            nearest = distance
            flight.touched, flight.aside = other, aside
    return nearest


@jit
def note_passes(state: State, flight: Any, length: float) -> None:
    """Note the doors in the middle of whose openings the next line crosses a wall."""
    for door in range(state.num_doors):
        upright = state.door_upright[door]
        across = (flight.x if upright else flight.y) - state.door_wall[door]
        into = flight.to_x if upright else flight.to_y
        if across * into >= 0.0 or flight.passed[door]:
            continue
        distance = -across / into
        place = (
            flight.y + flight.to_y * distance
            if upright
            else flight.x + flight.to_x * distance
        )
        aside = abs(place - state.door_at[door])
        left = flight.energy - DRAG * (distance + BEHIND_DOOR / abs(into))
        if distance <= length and aside < DOOR_HALF_WIDTH and left > 0.0:
            flight.passed[door] = 1
            flight.passes += 1
            flight.bounces_to[door] = flight.bounces
            flight.energy_at[door] = left
            flight.margin[door] = DOOR_HALF_WIDTH - PENGUIN_RADIUS - aside
