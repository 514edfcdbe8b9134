"""A flick's world through pymunk's public objects: ``munk`` in plain Python.

It is used without the compiler and where ``munk`` cannot be, and gives the same bits.
The functions are those of ``munk``, where they are described.
"""

import pymunk
from pymunk.constraints import GearJoint, PivotJoint

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
from icecool_env.state import PENGUIN_RADIUS, State

__all__ = ["build", "set_spin", "set_velocity"]


class World:
    """A space, and the parts of its penguins by seat."""

    def __init__(self) -> None:
        self.space = pymunk.Space()
        self.space.iterations = ITERATIONS
        self.space.collision_slop = COLLISION_SLOP
        self.bodies: dict[int, pymunk.Body] = {}
        self.shapes: dict[int, pymunk.Circle] = {}
        self.joints: dict[int, tuple[PivotJoint, GearJoint]] = {}

    def add_wall(
        self, start: tuple[float, float], end: tuple[float, float], category: int
    ) -> None:
        """Add a piece of wall, or a lintel, by its middle line."""
        shape = pymunk.Segment(self.space.static_body, start, end, WALL_RADIUS)
        shape.elasticity, shape.friction = WALL_ELASTICITY, WALL_FRICTION
        shape.filter = pymunk.ShapeFilter(0, category, MEETS_ALL)
        self.space.add(shape)

    def add_penguin(self, seat: int, x: float, y: float) -> None:
        """Add a penguin at rest."""
        static = self.space.static_body
        self.bodies[seat] = body = pymunk.Body(MASS, MOMENT)
        body.position = x, y
        self.shapes[seat] = shape = pymunk.Circle(body, PENGUIN_RADIUS)
        shape.elasticity, shape.friction = PENGUIN_ELASTICITY, PENGUIN_FRICTION
        shape.filter = pymunk.ShapeFilter(0, PENGUIN, WALL | PENGUIN)
        pivot = PivotJoint(static, body, (0, 0), (0, 0))
        gear = GearJoint(static, body, 0, 1)
        pivot.max_bias = gear.max_bias = 0
        self.joints[seat] = pivot, gear
        set_grip(self, seat, True)
        self.space.add(body, shape, pivot, gear)


def build(state: State) -> World:
    """Return the world of a record."""
    world = World()
    for i in range(state.num_pieces):
        x0, y0, x1, y1 = state.piece[i].tolist()
        world.add_wall((x0, y0), (x1, y1), WALL)
    for door in range(state.num_doors):
        wall, at = float(state.door_wall[door]), float(state.door_at[door])
        start, end = at - DOOR_HALF_WIDTH, at + DOOR_HALF_WIDTH
        if state.door_upright[door]:
            world.add_wall((wall, start), (wall, end), LINTEL)
        else:
            world.add_wall((start, wall), (end, wall), LINTEL)
    for seat in range(state.num_players):
        if state.on_board[seat]:
            world.add_penguin(seat, float(state.x[seat]), float(state.y[seat]))
    return world


def step(world: World) -> None:
    """Simulate one step."""
    world.space.step(DT)


def position(world: World, seat: int) -> tuple[float, float]:
    """Return x and y of a penguin."""
    return world.bodies[seat].position


def velocity(world: World, seat: int) -> tuple[float, float]:
    """Return the velocity of a penguin."""
    return world.bodies[seat].velocity


def spin(world: World, seat: int) -> float:
    """Return the spin of a penguin."""
    return world.bodies[seat].angular_velocity


def set_velocity(world: World, seat: int, vx: float, vy: float) -> None:
    """Set the velocity of a penguin."""
    world.bodies[seat].velocity = float(vx), float(vy)


def set_spin(world: World, seat: int, value: float) -> None:
    """Set the spin of a penguin."""
    world.bodies[seat].angular_velocity = float(value)


def set_filter(world: World, seat: int, categories: int, mask: int) -> None:
    """Set what a penguin is and what it meets."""
    world.shapes[seat].filter = pymunk.ShapeFilter(0, categories, mask)


def set_grip(world: World, seat: int, on: bool) -> None:
    """Let the floor brake a penguin, or not."""
    pivot, gear = world.joints[seat]
    pivot.max_force = FLOOR_GRIP if on else 0
    gear.max_force = SPIN_GRIP if on else 0


def free(world: World) -> None:
    """Nothing to do: pymunk frees what nobody holds any more."""
