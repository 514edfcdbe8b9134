"""How a flat hit without spin slides, and how a wall sends it back.

Between hits the path is straight. A wall gives back part of the speed into it, takes
some of the speed along it, and makes a spin of that, which then curves the path.
"""

import math
from typing import Any

from game_core.compiled.jit import jit
from icecool_env.physics.constants import (
    CURVE,
    FLOOR_FRICTION,
    GRAVITY,
    PENGUIN_ELASTICITY,
    PENGUIN_FRICTION,
    SPIN_LOSS,
    WALL_ELASTICITY,
    WALL_FRICTION,
)
from icecool_env.state import CLEAR_OF_WALL, PENGUIN_RADIUS

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
