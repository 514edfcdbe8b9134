"""A flick's world in compiled code: a Munk2D space, built and stepped without Python.

So a flick never enters the interpreter and leaves the GIL free. Where that cannot be,
``pymunk_world`` does the same through pymunk's public objects, to the last bit.

A world is an array of addresses: see the constants below.
"""

from typing import Any

import numpy as np

from game_core.compiled.jit import jit
from icecool_env.physics import munk2d as cp
from icecool_env.physics.constants import (
    COLLISION_SLOP,
    DT,
    FLOOR_GRIP,
    ITERATIONS,
    LINTEL,
    MASS,
    MEETS_ALL,
    MOMENT,
    PENGUIN,
    PENGUIN_ELASTICITY,
    PENGUIN_FRICTION,
    SPIN_GRIP,
    WALL,
    WALL_ELASTICITY,
    WALL_FRICTION,
)
from icecool_env.school import DOOR_HALF_WIDTH, WALL_RADIUS
from icecool_env.state import (
    MAX_DOORS,
    MAX_PIECES,
    MAX_PLAYERS,
    PENGUIN_RADIUS,
    State,
)

__all__ = [
    "build",
    "free",
    "position",
    "set_filter",
    "set_grip",
    "set_spin",
    "set_velocity",
    "spin",
    "step",
    "velocity",
]

# Places in a world's array of addresses: the space, then by seat the bodies, shapes
# and joints of the penguins, then the walls and lintels.
SPACE = 0
BODY = 1
SHAPE = BODY + MAX_PLAYERS
PIVOT = SHAPE + MAX_PLAYERS
GEAR = PIVOT + MAX_PLAYERS
NUM_FIXED = GEAR + MAX_PLAYERS  # here stands how many walls and lintels follow
FIXED = NUM_FIXED + 1
WORLD_SIZE = FIXED + MAX_PIECES + MAX_DOORS


@jit
def build(state: State) -> Any:
    """Return the world of a record: walls, lintels, and the penguins on the board."""
    world = np.zeros(WORLD_SIZE, np.intp)
    world[SPACE] = cp.space_new()
    cp.set_iterations(world[SPACE], np.int32(ITERATIONS))
    cp.set_collision_slop(world[SPACE], COLLISION_SLOP)
    for i in range(state.num_pieces):
        piece = state.piece[i]
        _add_wall(world, piece[0], piece[1], piece[2], piece[3], WALL)
    for door in range(state.num_doors):
        wall, at = state.door_wall[door], state.door_at[door]
        start, end = at - DOOR_HALF_WIDTH, at + DOOR_HALF_WIDTH
        if state.door_upright[door]:
            _add_wall(world, wall, start, wall, end, LINTEL)
        else:
            _add_wall(world, start, wall, end, wall, LINTEL)
    for seat in range(state.num_players):
        if state.on_board[seat]:
            _add_penguin(world, seat, state.x[seat], state.y[seat])
    return world


@jit
def _add_wall(
    world: Any, x0: float, y0: float, x1: float, y1: float, category: int
) -> None:
    space = world[SPACE]
    shape = cp.segment_new(cp.get_static_body(space), x0, y0, x1, y1, WALL_RADIUS)
    cp.set_elasticity(shape, WALL_ELASTICITY)
    cp.set_friction(shape, WALL_FRICTION)
    _set_filter(shape, category, MEETS_ALL)
    cp.add_shape(space, shape)
    world[FIXED + world[NUM_FIXED]] = shape
    world[NUM_FIXED] += 1


@jit
def _add_penguin(world: Any, seat: int, x: float, y: float) -> None:
    space = world[SPACE]
    static = cp.get_static_body(space)
    world[BODY + seat] = body = cp.body_new(MASS, MOMENT)
    cp.set_position(body, x, y)
    cp.add_body(space, body)
    world[SHAPE + seat] = shape = cp.circle_new(body, PENGUIN_RADIUS, 0.0, 0.0)
    cp.set_elasticity(shape, PENGUIN_ELASTICITY)
    cp.set_friction(shape, PENGUIN_FRICTION)
    _set_filter(shape, PENGUIN, WALL | PENGUIN)
    cp.add_shape(space, shape)
    world[PIVOT + seat] = cp.pivot_new(static, body, 0.0, 0.0, 0.0, 0.0)
    world[GEAR + seat] = cp.gear_new(static, body, 0.0, 1.0)
    for joint in (world[PIVOT + seat], world[GEAR + seat]):
        cp.set_max_bias(joint, 0.0)
        cp.add_constraint(space, joint)
    set_grip(world, seat, True)


@jit
def _set_filter(shape: int, categories: int, mask: int) -> None:
    """Set a filter without a group; categories and mask share one word."""
    cp.set_shape_filter(shape, 0, categories | (mask << 32))


@jit
def step(world: Any) -> None:
    """Simulate one step."""
    cp.space_step(world[SPACE], DT)


@jit
def position(world: Any, seat: int) -> Any:
    """Return x and y of a penguin."""
    return cp.get_body_position(world[BODY + seat])


@jit
def velocity(world: Any, seat: int) -> Any:
    """Return the velocity of a penguin to x and to y."""
    return cp.get_body_velocity(world[BODY + seat])


@jit
def spin(world: Any, seat: int) -> float:
    """Return the spin of a penguin."""
    return cp.get_body_spin(world[BODY + seat])


@jit
def set_velocity(world: Any, seat: int, vx: float, vy: float) -> None:
    """Set the velocity of a penguin."""
    cp.set_body_velocity(world[BODY + seat], vx, vy)


@jit
def set_spin(world: Any, seat: int, value: float) -> None:
    """Set the spin of a penguin."""
    cp.set_body_spin(world[BODY + seat], value)


@jit
def set_filter(world: Any, seat: int, categories: int, mask: int) -> None:
    """Set what a penguin is and what it meets."""
    _set_filter(world[SHAPE + seat], categories, mask)


@jit
def set_grip(world: Any, seat: int, on: bool) -> None:
    """Let the floor brake a penguin, or not."""
    cp.set_max_force(world[PIVOT + seat], FLOOR_GRIP if on else 0.0)
    cp.set_max_force(world[GEAR + seat], SPIN_GRIP if on else 0.0)


@jit
def free(world: Any) -> None:
    """Give the world's memory back."""
    cp.space_free(world[SPACE])
    for i in range(world[NUM_FIXED]):
        cp.shape_free(world[FIXED + i])
    for seat in range(MAX_PLAYERS):
        if world[BODY + seat]:
            cp.constraint_free(world[GEAR + seat])
            cp.constraint_free(world[PIVOT + seat])
            cp.shape_free(world[SHAPE + seat])
            cp.body_free(world[BODY + seat])
