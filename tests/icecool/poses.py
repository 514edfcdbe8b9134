"""Scenes and flicks to test physics with, all from a seed, and other floor plans.

Flicks are made from the numbers in ``docs/rules/icecool.md``, not by the rules' code.
"""

import math
from typing import NamedTuple

import numpy as np

from icecool_env.physics.slide import Flick
from icecool_env.school import STANDARD, Door, Room, School
from icecool_env.state import MAX_PLAYERS, STATE

FASTEST = 2200.0
TOUCHING, CLEAR = 30.0, 18.0
ROUNDING = 1e-9

PLACES = ("free", "wall", "corner", "doorway", "group")
TRIES = 1000

HALL = School(
    rooms=(
        Room("Classroom", 0.0, 0.0, 4000.0, 2000.0),
        Room("Kitchen", 4000.0, 0.0, 4200.0, 2000.0),
    ),
    doors=tuple(
        Door(f"D{at:g}", ("Classroom", "Kitchen"), at, fish=True)
        for at in (100.0, 300.0, 500.0)
    ),
)
"""A school with a hall in which nothing is in the way."""

FOUR_ROOMS = School(
    rooms=(
        Room("Classroom", 0.0, 0.0, 200.0, 300.0),
        Room("Kitchen", 200.0, 300.0, 400.0, 600.0),
        Room("Library", 0.0, 300.0, 200.0, 600.0),
        Room("Pool", 200.0, 0.0, 400.0, 300.0),
    ),
    doors=(
        Door("A", ("Classroom", "Library"), 60.0, fish=True),
        Door("B", ("Library", "Kitchen"), 450.0, fish=True),
        Door("C", ("Kitchen", "Pool"), 340.0, fish=True),
        Door("D", ("Pool", "Classroom"), 150.0),
    ),
)
"""Two by two rooms around a crossing of walls."""


class Scene(NamedTuple):
    """Where penguins stand and what is flicked."""

    poses: np.ndarray
    flick: Flick
    kind: str

    @property
    def jumps(self) -> bool:
        return self.flick.velocity[2] > 0.0


def flick_by(
    seat: int, angle: float, strength: float, side: float = 0.0, height: float = 0.0
) -> Flick:
    """Return a flick; strength and height from 0 to 1, side from -1 to 1."""
    speed = 150.0 + 2050.0 * strength
    elevation = math.radians(75.0) * height
    forward = speed * math.cos(elevation)
    return Flick(
        seat,
        (
            forward * math.cos(angle),
            forward * math.sin(angle),
            speed * math.sin(elevation),
        ),
        -110.0 * side * speed / FASTEST,
    )


def record(poses: np.ndarray, flick: Flick, school: School = STANDARD) -> np.ndarray:
    """Return the record (1,) in which a flick stands, as ``run_flick`` takes it."""
    states = np.zeros(1, STATE)
    for name, value in school.fields().items():
        states[name] = value
    place(states, poses, flick)
    return states


def place(states: np.ndarray, poses: np.ndarray, flick: Flick) -> None:
    """Write a scene into a record (1,) that has a school."""
    players = len(poses)
    states["num_players"] = players
    states["on_board"] = states["x"] = states["y"] = 0
    states["on_board"][0, :players] = ~np.isnan(poses[:, 0])
    states["x"][0, :players], states["y"][0, :players] = np.nan_to_num(poses).T
    states["flicked"], states["spin"] = flick.seat, flick.spin
    states["velocity"] = flick.velocity


def scenes(
    seed: int, count: int, school: School = STANDARD, full: bool = False
) -> list[Scene]:
    """Return scenes of all kinds, half of them breaks of groups that touch.

    Every other flick jumps. Penguins off the board are among them.

    Args:
        seed: Of the random generator.
        count: How many.
        school: The floor plan.
        full: Whether all flicks are at full strength.
    """
    rng = np.random.default_rng(seed)
    return [_scene(rng, i, school, full) for i in range(count)]


def _scene(rng: np.random.Generator, number: int, school: School, full: bool) -> Scene:
    kind = "break" if number % 2 == 0 else PLACES[number // 2 % len(PLACES)]
    jumps = number // 4 % 2 == 1
    players = int(rng.integers(3 if kind == "break" else 1, MAX_PLAYERS + 1))
    order = rng.permutation(players)
    placed: list[tuple[float, float]] = []
    if kind == "break":
        for _ in range(players - 1):
            placed.append(_spot(rng, school, placed, "group"))
        placed.append(_near(rng, school, placed))
    else:
        for _ in range(players):
            placed.append(_spot(rng, school, placed, kind))
    poses = np.empty((players, 2))
    poses[order] = placed
    seat = int(order[-1])
    angle = rng.uniform(0.0, math.tau)
    if kind in ("break", "group") and players > 1:
        target = placed[int(rng.integers(players - 1))]
        dx, dy = target[0] - placed[-1][0], target[1] - placed[-1][1]
        angle = math.atan2(dy, dx) + rng.normal(0.0, 0.1)
    if kind != "break" and players > 1 and rng.random() < 0.2:
        poses[order[0]] = np.nan
    flick = flick_by(
        seat,
        angle,
        strength=1.0 if full else rng.random(),
        side=rng.uniform(-1.0, 1.0) * (rng.random() < 0.7),
        height=rng.random() if jumps else 0.0,
    )
    return Scene(poses, flick, kind)


def is_free(
    x: float, y: float, others: list[tuple[float, float]], school: School
) -> bool:
    """Tell whether a penguin can stand at a place."""
    inside = any(
        r.left <= x <= r.right and r.bottom <= y <= r.top for r in school.rooms
    )
    if not inside:
        return False
    for a, b in others:
        if math.hypot(x - a, y - b) < TOUCHING - ROUNDING:
            return False
    for piece in school.pieces:
        x0, y0, x1, y1 = piece.ends
        near_x, near_y = min(max(x, x0), x1), min(max(y, y0), y1)
        if math.hypot(x - near_x, y - near_y) < CLEAR - ROUNDING:
            return False
    return True


def _spot(
    rng: np.random.Generator,
    school: School,
    others: list[tuple[float, float]],
    kind: str,
) -> tuple[float, float]:
    """Return a free place; where there is none of that kind, any."""
    for attempt in range(TRIES):
        x, y = _try(rng, school, others, kind if attempt < TRIES // 2 else "free")
        if is_free(x, y, others, school):
            return x, y
    raise AssertionError("the school is full")


def _try(
    rng: np.random.Generator,
    school: School,
    others: list[tuple[float, float]],
    kind: str,
) -> tuple[float, float]:
    if kind == "group" and others:
        a, b = others[int(rng.integers(len(others)))]
        angle = rng.uniform(0.0, math.tau)
        return a + TOUCHING * math.cos(angle), b + TOUCHING * math.sin(angle)
    if kind == "doorway":
        door = school.doors[int(rng.integers(len(school.doors)))]
        across, along = rng.uniform(-17.9, 17.9), door.at + rng.uniform(-15.0, 15.0)
        wall = school.wall_of(door)
        across += wall.place
        return (across, along) if wall.upright else (along, across)
    room = school.rooms[int(rng.integers(len(school.rooms)))]
    left, bottom, right, top = (
        room.left + CLEAR,
        room.bottom + CLEAR,
        room.right - CLEAR,
        room.top - CLEAR,
    )
    x, y = rng.uniform(left, right), rng.uniform(bottom, top)
    if kind in ("wall", "corner"):
        x = float(rng.choice([left, right]))
    if kind == "corner":
        y = float(rng.choice([bottom, top]))
    return (x, y)


def _near(
    rng: np.random.Generator, school: School, others: list[tuple[float, float]]
) -> tuple[float, float]:
    """Return a free place from which a group is hit soon."""
    for _ in range(TRIES):
        a, b = others[int(rng.integers(len(others)))]
        angle, distance = rng.uniform(0.0, math.tau), rng.uniform(30.0, 150.0)
        x, y = a + distance * math.cos(angle), b + distance * math.sin(angle)
        if is_free(x, y, others, school):
            return x, y
    return _spot(rng, school, others, "free")


def mirrored(school: School) -> School:
    """Return a plan with left and right exchanged."""
    width = max(room.right for room in school.rooms)
    return School(
        rooms=tuple(
            Room(r.name, width - r.right, r.bottom, width - r.left, r.top)
            for r in school.rooms
        ),
        doors=tuple(
            d if school.wall_of(d).upright else d._replace(at=width - d.at)
            for d in school.doors
        ),
        classroom=school.classroom,
        kitchen=school.kitchen,
    )


def turned(school: School) -> School:
    """Return a plan after a quarter turn to the left, in its first quadrant."""
    height = max(room.top for room in school.rooms)
    return School(
        rooms=tuple(
            Room(r.name, height - r.top, r.left, height - r.bottom, r.right)
            for r in school.rooms
        ),
        doors=tuple(
            d._replace(at=height - d.at) if school.wall_of(d).upright else d
            for d in school.doors
        ),
        classroom=school.classroom,
        kitchen=school.kitchen,
    )
