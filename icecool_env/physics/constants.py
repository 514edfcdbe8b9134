"""What penguins, walls and floor are made of: the constants of the physical model.

Millimetres, seconds, and a penguin as the unit of mass. Nobody has published measures
of the real pieces; the numbers were chosen for play: most flicks come to rest within a
second, a full one would slide 2.7 m, and curves of full spin have a radius of some 170
mm, so that skill can hit two doors in one flick.
"""

__all__ = [
    "COLLISION_SLOP",
    "CURVE",
    "DT",
    "FLOOR_ELASTICITY",
    "FLOOR_FRICTION",
    "FLOOR_GRIP",
    "FLYING",
    "GRAVITY",
    "ITERATIONS",
    "LINTEL",
    "MASS",
    "MAX_STEPS",
    "MEETS_ALL",
    "MOMENT",
    "PENGUIN",
    "PENGUIN_ELASTICITY",
    "PENGUIN_FRICTION",
    "QUIET_STEPS",
    "REST_SPEED_SQUARED",
    "SLOWEST_BOUNCE",
    "SPIN_GRIP",
    "SPIN_LOSS",
    "WALL",
    "WALL_ELASTICITY",
    "WALL_FRICTION",
]

GRAVITY = 9810.0
DT = 1.0 / 400.0
"""At the highest speed a penguin moves 5.5 mm a step, less than a wall is thick: it
does not reach far enough into one to touch a penguin behind it."""

ITERATIONS = 10
COLLISION_SLOP = 0.05

MASS = 1.0
MOMENT = 112.5  # of a disc of radius 15
FLOOR_FRICTION = 0.09
FLOOR_GRIP = FLOOR_FRICTION * GRAVITY * MASS  # Coulomb friction, a force
SPIN_LOSS = 45.0  # rad/s^2
SPIN_GRIP = SPIN_LOSS * MOMENT

# Where two meet, elasticities and frictions multiply.
PENGUIN_ELASTICITY, PENGUIN_FRICTION = 0.85, 0.5
WALL_ELASTICITY, WALL_FRICTION = 0.65, 0.4

CURVE = 0.12
"""How much of its spin turns the path of a penguin."""

FLOOR_ELASTICITY = 0.3  # of a landing
SLOWEST_BOUNCE = 150.0  # a slower one is none

# Collision categories, and what grounded penguins, walls and lintels meet.
WALL, LINTEL, PENGUIN, FLYING = 1, 2, 4, 8
MEETS_ALL = 0xFFFFFFFF

REST_SPEED_SQUARED = 1.0  # of a penguin at rest: slower than 1 mm/s
QUIET_STEPS = 8  # at rest, until a flick is over
MAX_STEPS = 3200  # 8 s
