"""A flick of ICECOOL, written as plainly as the document describes it.

This is an oracle for differential tests: it is slow on purpose, moves the penguins with
the public interface of pymunk and follows "The physical model" of
``docs/rules/icecool.md`` (and its rules A1, A3, A7 and A10) point by point. Of the
implementation it checks it uses the floor plan only.

Results are meant to be the same to the last bit, so the order of every calculation is
part of what is written here. Millimetres, seconds, mass 1.
"""

import itertools
import math
from dataclasses import dataclass, field

import pymunk
from pymunk.constraints import GearJoint, PivotJoint

from icecool_env.school import Door, School, Wall

# What an event is, in the order in which those of one step are told (A1).
TOUCH, PASS, EXIT = 0, 1, 2

# R2: the measures of penguins, walls and doors.
PENGUIN_RADIUS = 15.0
PENGUIN_HEIGHT = 42.0
WALL_RADIUS = 3.0
WALL_HEIGHT = 65.0
LINTEL_HEIGHT = 50.0
OPENING_HALF = 30.0
TOUCHING = 30.0
CLEAR = 18.0

# The physical model: space and time.
DT = 1.0 / 400.0
ITERATIONS = 10
SLOP = 0.05
MAX_STEPS = 3200
QUIET_STEPS = 8
SLOW_SQUARED = 1.0

# The physical model: matter.
MASS = 1.0
MOMENT = 112.5
GRAVITY = 9810.0
FLOOR_FORCE = 0.09 * 9810.0
FLOOR_TORQUE = 45.0 * 112.5
REBOUND = 0.3
SLOWEST_REBOUND = 150.0
CURVE = 0.12

# What collides with what: bits of pymunk's filters.
WALLS, LINTELS, LOW_PENGUINS, HIGH_PENGUINS = 1, 2, 4, 8
ON_THE_GROUND = pymunk.ShapeFilter(categories=LOW_PENGUINS, mask=WALLS | LOW_PENGUINS)
NOWHERE = pymunk.ShapeFilter(categories=0, mask=0)

# After the flick: what overlaps is pushed apart.
MAX_ROUNDS = 100
TOLERANCE = 1e-9

Event = tuple[int, int, int, int]
Place = tuple[float, float, float]


@dataclass
class Slide:
    """The outcome of a flick.

    Attributes:
        x: Where the penguins are in the end, by seat; one that went out is where it
            stopped.
        y: The same, upwards.
        events: What happened, in the order of A1, each as (step from 1, kind, seat,
            other). Of a touch, the seats are clockwise from the flicked one; of a
            pass, the other is the door; of an exit, -1.
        steps: How many steps it took.
        path: For each step, (x, y, z) by seat as the solver left them.
    """

    x: list[float]
    y: list[float]
    events: list[Event]
    steps: int
    path: list[list[Place]]


def slide(
    school: School,
    x: list[float],
    y: list[float],
    on_board: list[bool],
    flicked: int,
    velocity: tuple[float, float, float],
    spin: float,
) -> Slide:
    """Flick a penguin and watch until all are at rest.

    Args:
        school: The floor plan.
        x: Where the penguins stand, by seat.
        y: The same, upwards.
        on_board: Which of them are on the board.
        flicked: The seat of the one that is flicked.
        velocity: What it starts with, in x, y and upwards.
        spin: How fast it turns, counterclockwise.

    Returns:
        Final positions, events and the way there.
    """
    flick = _Flick(school, x, y, on_board, flicked)
    flick.start(velocity, spin)
    while flick.quiet < QUIET_STEPS and flick.steps < MAX_STEPS:
        flick.step()
    final_x = [penguin.x for penguin in flick.penguins]
    final_y = [penguin.y for penguin in flick.penguins]
    seats = [penguin.seat for penguin in flick.playing()]
    push_apart(school.pieces, final_x, final_y, seats)
    return Slide(final_x, final_y, flick.ordered_events(), flick.steps, flick.path)


@dataclass
class _Penguin:
    """A penguin and what holds it to the floor."""

    seat: int
    x: float
    y: float
    on_board: bool
    body: pymunk.Body
    shape: pymunk.Circle
    pivot: PivotJoint
    gear: GearJoint
    z: float = 0.0
    vz: float = 0.0
    in_air: bool = False
    out: bool = False
    doorways: list["_Doorway"] = field(default_factory=list)

    def speed_squared(self) -> float:
        """Return the square of how fast it slides."""
        vx, vy = self.body.velocity
        return vx * vx + vy * vy


class _Doorway:
    """What A7 keeps in mind for one penguin and one door."""

    def __init__(self, door: Door, wall: Wall, x: float, y: float) -> None:
        self.door = door
        self.wall = wall
        self.distance, self.along = self._measure(x, y)
        self.through = False
        self.side: bool | None = self.distance < 0
        if abs(self.distance) < CLEAR and self._in_opening(self.along):
            self.side = None  # it starts stuck: no side until it is clear

    def moved(self, x: float, y: float, z: float) -> bool:
        """Take note of where the penguin is now; tell if it has just passed."""
        distance, along = self._measure(x, y)
        if (self.distance < 0) != (distance < 0):
            part = self.distance / (self.distance - distance)
            crossing = self.along + part * (along - self.along)
            below = z + PENGUIN_HEIGHT <= LINTEL_HEIGHT
            self.through = self._in_opening(crossing) and below
        self.distance, self.along = distance, along
        return abs(distance) >= CLEAR and self._is_clear(distance < 0)

    def _is_clear(self, side: bool) -> bool:
        passed = self.side is not None and self.side != side and self.through
        self.side = side
        self.through = False
        return passed

    def _measure(self, x: float, y: float) -> tuple[float, float]:
        """Return the signed distance from the wall's plane and the place along it."""
        if self.wall.upright:
            return x - self.wall.place, y
        return y - self.wall.place, x

    def _in_opening(self, along: float) -> bool:
        return abs(along - self.door.at) <= OPENING_HALF


class _Flick:
    """A flick in motion.

    Attributes:
        penguins: By seat.
        flicked: The one that was flicked.
        clockwise: All of them, clockwise from the flicked one.
        steps: Steps so far.
        quiet: How many of the last steps, in a row, left everything at rest.
        path: Positions after each step.
        events: What happened, in the order in which it was noticed.
    """

    def __init__(
        self,
        school: School,
        x: list[float],
        y: list[float],
        on_board: list[bool],
        flicked: int,
    ) -> None:
        assert on_board[flicked], "a penguin off the board cannot be flicked"
        self.school = school
        self.space = _empty_school(school)
        self.penguins = [
            _put(self.space, seat, x[seat], y[seat], on_board[seat])
            for seat in range(len(x))
        ]
        for penguin in self.penguins:
            penguin.doorways = [
                _Doorway(door, school.wall_of(door), penguin.x, penguin.y)
                for door in school.doors
            ]
        self.flicked = self.penguins[flicked]
        self.clockwise = self.penguins[flicked:] + self.penguins[:flicked]
        self.steps = 0
        self.quiet = 0
        self.path: list[list[Place]] = []
        self.events: list[Event] = []
        self._seen: set[tuple[int, int, int]] = set()

    def playing(self) -> list[_Penguin]:
        """Return the penguins on the board that have not gone out, by seat."""
        return [p for p in self.penguins if p.on_board and not p.out]

    def start(self, velocity: tuple[float, float, float], spin: float) -> None:
        """Flick."""
        vx, vy, vz = velocity
        self.flicked.body.velocity = (vx, vy)
        self.flicked.body.angular_velocity = spin
        self.flicked.vz = vz
        self.flicked.in_air = vz > 0.0

    def step(self) -> None:
        """Do the six points of a step."""
        self.steps += 1
        if self.flicked.in_air:
            _fly(self.flicked)  # 1
        if not self.flicked.out:
            _set_what_it_meets(self.flicked)  # 2
        self.space.step(DT)  # 3
        moving: set[int] = set()
        for penguin in self.playing():
            x, y = penguin.body.position
            dx, dy = x - penguin.x, y - penguin.y
            if dx * dx + dy * dy >= SLOW_SQUARED * DT * DT:
                moving.add(penguin.seat)
            penguin.x, penguin.y = x, y
        self.path.append([(p.x, p.y, p.z) for p in self.penguins])
        self._note_touches(moving)  # 4
        self._note_passes()
        self._note_exits()
        for penguin in self.playing():
            _curve(penguin)  # 5
        self.quiet = self.quiet + 1 if self._at_rest() else 0  # 6

    def ordered_events(self) -> list[Event]:
        """Return the events in the order of A1."""
        return sorted(self.events, key=self._place_in_order)

    def _place_in_order(self, event: Event) -> Event:
        step, kind, seat, other = event
        if kind == TOUCH:
            other = self._rank(other)
        return step, kind, self._rank(seat), other

    def _rank(self, seat: int) -> int:
        """Return how many seats clockwise from the flicked one a seat is."""
        return (seat - self.flicked.seat) % len(self.penguins)

    def _note(self, kind: int, seat: int, other: int) -> None:
        """Write an event down, unless it happened before in this flick."""
        if (kind, seat, other) not in self._seen:
            self._seen.add((kind, seat, other))
            self.events.append((self.steps, kind, seat, other))

    def _note_touches(self, moving: set[int]) -> None:
        """Note touches (A3); ``moving`` are those not at rest in the step."""
        playing = [p for p in self.clockwise if p.on_board and not p.out]
        for first, second in itertools.combinations(playing, 2):
            one_moved = first.seat in moving or second.seat in moving
            if one_moved and _are_touching(first, second):
                self._note(TOUCH, first.seat, second.seat)

    def _note_passes(self) -> None:
        """Note who passed a door (A7)."""
        for penguin in self.playing():
            for number, doorway in enumerate(penguin.doorways):
                if doorway.moved(penguin.x, penguin.y, penguin.z):
                    self._note(PASS, penguin.seat, number)

    def _note_exits(self) -> None:
        """Note who left the school (A10), and take them out of the game."""
        for penguin in self.playing():
            if _has_left(self.school, penguin):
                self._note(EXIT, penguin.seat, -1)
                _take_out(penguin)

    def _at_rest(self) -> bool:
        on_board = [p for p in self.penguins if p.on_board]
        slow = all(p.speed_squared() < SLOW_SQUARED for p in on_board)
        return slow and not self.flicked.in_air


def _empty_school(school: School) -> pymunk.Space:
    """Return a space with the walls and lintels of a school."""
    space = pymunk.Space()
    space.gravity = (0.0, 0.0)
    space.damping = 1.0
    space.iterations = ITERATIONS
    space.collision_slop = SLOP
    for piece in school.pieces:
        _build(space, piece, WALLS)
    for lintel in school.lintels:
        _build(space, lintel, LINTELS)
    return space


def _build(space: pymunk.Space, wall: Wall, category: int) -> None:
    """Put up a piece of wall or a lintel."""
    start, end = (wall.start, wall.place), (wall.end, wall.place)
    if wall.upright:
        start, end = (wall.place, wall.start), (wall.place, wall.end)
    segment = pymunk.Segment(space.static_body, start, end, WALL_RADIUS)
    segment.elasticity = 0.65
    segment.friction = 0.4
    segment.filter = pymunk.ShapeFilter(categories=category)
    space.add(segment)


def _put(
    space: pymunk.Space, seat: int, x: float, y: float, on_board: bool
) -> _Penguin:
    """Make a penguin and, if it is on the board, put it into the space."""
    body = pymunk.Body(MASS, MOMENT)
    body.position = (x, y)
    shape = pymunk.Circle(body, PENGUIN_RADIUS)
    shape.elasticity = 0.85
    shape.friction = 0.5
    shape.filter = ON_THE_GROUND
    pivot = PivotJoint(space.static_body, body, (0.0, 0.0), (0.0, 0.0))
    pivot.max_bias = 0.0
    pivot.max_force = FLOOR_FORCE
    gear = GearJoint(space.static_body, body, 0.0, 1.0)
    gear.max_bias = 0.0
    gear.max_force = FLOOR_TORQUE
    if on_board:
        space.add(body)
        space.add(shape)
        space.add(pivot)
        space.add(gear)
    return _Penguin(seat, x, y, on_board, body, shape, pivot, gear)


def _fly(penguin: _Penguin) -> None:
    """Do point 1 of a step: a penguin in the air rises, falls or lands."""
    penguin.z = penguin.z + (penguin.vz * DT - GRAVITY * DT * DT / 2)
    penguin.vz = penguin.vz - GRAVITY * DT
    if penguin.z <= 0.0:
        _land(penguin)


def _land(penguin: _Penguin) -> None:
    impact = abs(penguin.vz)
    penguin.z = 0.0
    vx, vy = penguin.body.velocity
    speed = math.sqrt(vx * vx + vy * vy)
    loss = (0.09 * (1.0 + REBOUND)) * impact
    if speed > 0.0:
        scale = max(0.0, speed - loss) / speed
        penguin.body.velocity = (vx * scale, vy * scale)
    rebound = REBOUND * impact
    penguin.in_air = rebound >= SLOWEST_REBOUND
    penguin.vz = rebound if penguin.in_air else 0.0


def _set_what_it_meets(penguin: _Penguin) -> None:
    """Do point 2 of a step: what collides with a penguin, and what holds it."""
    penguin.shape.filter = (
        _filter_in_air(penguin.z) if penguin.in_air else ON_THE_GROUND
    )
    penguin.pivot.max_force = 0.0 if penguin.in_air else FLOOR_FORCE
    penguin.gear.max_force = 0.0 if penguin.in_air else FLOOR_TORQUE


def _filter_in_air(z: float) -> pymunk.ShapeFilter:
    """Return what collides with a penguin in the air."""
    mask = 0
    if z < WALL_HEIGHT:
        mask |= WALLS
    if z < WALL_HEIGHT and z + PENGUIN_HEIGHT > LINTEL_HEIGHT:
        mask |= LINTELS
    if z < PENGUIN_HEIGHT:
        mask |= LOW_PENGUINS
    category = LOW_PENGUINS if z < PENGUIN_HEIGHT else HIGH_PENGUINS
    return pymunk.ShapeFilter(categories=category, mask=mask)


def _are_touching(one: _Penguin, other: _Penguin) -> bool:
    """Tell if two penguins touch (A3), whether they move or not."""
    dx, dy = other.x - one.x, other.y - one.y
    near = dx * dx + dy * dy <= TOUCHING**2
    return near and abs(other.z - one.z) < PENGUIN_HEIGHT


def _has_left(school: School, penguin: _Penguin) -> bool:
    """Tell if a penguin is out of the school (A10)."""
    in_a_room = any(
        room.left <= penguin.x <= room.right and room.bottom <= penguin.y <= room.top
        for room in school.rooms
    )
    return not in_a_room and penguin.z < WALL_HEIGHT


def _take_out(penguin: _Penguin) -> None:
    """Stop a penguin that is out, so that it meets nothing any more.

    The solver may still shift its body a little in the next step, to get it out of what
    it overlapped. That is not looked at: its position is the one in which it went out.
    """
    penguin.out = True
    penguin.z = 0.0
    penguin.vz = 0.0
    penguin.in_air = False
    penguin.body.velocity = (0.0, 0.0)
    penguin.body.angular_velocity = 0.0
    penguin.shape.filter = NOWHERE
    penguin.pivot.max_force = FLOOR_FORCE
    penguin.gear.max_force = FLOOR_TORQUE


def _curve(penguin: _Penguin) -> None:
    """Do point 5 of a step: a penguin on the ground that spins runs in a curve."""
    spin = penguin.body.angular_velocity
    if penguin.in_air or spin == 0.0 or not penguin.speed_squared() > SLOW_SQUARED:
        return
    vx, vy = penguin.body.velocity
    t = (CURVE * spin * DT) / 2
    c = (1 - t * t) / (1 + t * t)
    q = 2 * t / (1 + t * t)
    penguin.body.velocity = (vx * c - vy * q, vx * q + vy * c)


def push_apart(
    pieces: tuple[Wall, ...], x: list[float], y: list[float], seats: list[int]
) -> None:
    """Push apart, in place, what overlaps after a flick.

    Args:
        pieces: The pieces of wall, in their order.
        x: Positions of all penguins.
        y: The same, upwards.
        seats: Those that take part, the lowest first.
    """
    for _ in range(MAX_ROUNDS):
        moved = False
        for seat in seats:
            for piece in pieces:
                moved |= _leave_piece(piece, x, y, seat)
        for first, second in itertools.combinations(seats, 2):
            moved |= _part(x, y, first, second)
        if not moved:
            return


def _leave_piece(piece: Wall, x: list[float], y: list[float], seat: int) -> bool:
    """Move a penguin away from a piece of wall; tell if it had to."""
    near_x, near_y = _clamp(x[seat], piece), piece.place
    if piece.upright:
        near_x, near_y = piece.place, _clamp(y[seat], piece)
    dx, dy = x[seat] - near_x, y[seat] - near_y
    d = math.sqrt(dx * dx + dy * dy)
    if d >= CLEAR - TOLERANCE:
        return False
    if d == 0.0:
        dx, dy, d = (1.0, 0.0, 1.0) if piece.upright else (0.0, 1.0, 1.0)
    x[seat] = near_x + dx / d * CLEAR
    y[seat] = near_y + dy / d * CLEAR
    return True


def _clamp(coordinate: float, piece: Wall) -> float:
    return min(max(coordinate, piece.start), piece.end)


def _part(x: list[float], y: list[float], first: int, second: int) -> bool:
    """Move two penguins apart; tell if they had to."""
    dx, dy = x[second] - x[first], y[second] - y[first]
    d = math.sqrt(dx * dx + dy * dy)
    if d >= TOUCHING - TOLERANCE:
        return False
    shift = (TOUCHING - d) / 2
    ux, uy = (dx / d, dy / d) if d > 0.0 else (1.0, 0.0)
    x[first] -= ux * shift
    y[first] -= uy * shift
    x[second] += ux * shift
    y[second] += uy * shift
    return True
