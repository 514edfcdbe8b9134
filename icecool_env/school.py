"""The school's floor plan as data, and what can be wrong with a plan.

Millimetres; x to the right (east), y up (north). Rooms are rectangles between the
middles of their walls, so every edge of a room is a wall, and a door is cut into the
wall that two rooms share.
"""

import itertools
import math
import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self, cast

import numpy as np

from icecool_env.state import FISH_DOORS, MAX_DOORS, MAX_PIECES, MAX_ROOMS, NONE

__all__ = [
    "DOOR_HALF_WIDTH",
    "FARTHEST",
    "RED_INSET",
    "STANDARD",
    "WALL_RADIUS",
    "Door",
    "Room",
    "School",
    "Wall",
]

# R2: decided, as no measures are published beside the size of the assembled board.
WALL_RADIUS = 3.0  # half the thickness of a wall
DOOR_HALF_WIDTH = 30.0
RED_INSET = 43.0  # R27: of the red line from the middle of the walls

BAD_PARTS = (TypeError, AttributeError, LookupError, ValueError, ArithmeticError)
"""What reading parts of the wrong kind raises."""

FARTHEST = 10_000.0  # any wall from the lower left corner
SMALLEST_ROOM = 2 * RED_INSET  # has a red line that is a single point
JAMB = 2 * WALL_RADIUS  # wall that has to be left beside a door


class Room(NamedTuple):
    """A rectangle between the middles of its walls."""

    name: str
    left: float
    bottom: float
    right: float
    top: float

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the room."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


class Door(NamedTuple):
    """A door in the wall that two rooms share.

    Attributes:
        name: For people.
        rooms: Names of the two rooms.
        at: Its middle along the wall: y in an upright wall, x in a level one.
        fish: Whether fish hang on it.
    """

    name: str
    rooms: tuple[str, str]
    at: float
    fish: bool = False


class Wall(NamedTuple):
    """A straight stretch of wall: ``x = place`` if upright, else ``y = place``."""

    upright: bool
    place: float
    start: float
    end: float

    @property
    def ends(self) -> tuple[float, float, float, float]:
        """Its middle line: x and y of its start, x and y of its end."""
        if self.upright:
            return self.place, self.start, self.place, self.end
        return self.start, self.place, self.end, self.place


@dataclass(frozen=True)
class School:
    """A floor plan.

    Attributes:
        rooms: At most 8; the lower left corner of the school is (0, 0).
        doors: At most 12, three of them with fish.
        classroom: Room with the red circle in its middle, where Runners start.
        kitchen: Room where the Catcher starts.
    """

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    classroom: str = "Classroom"
    kitchen: str = "Kitchen"

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as lists, numbers and strings, as JSON has them."""
        plan = asdict(self)
        plan["rooms"] = [[name, *map(float, sides)] for name, *sides in self.rooms]
        plan["doors"] = [
            [name, list(rooms), float(at), fish] for name, rooms, at, fish in self.doors
        ]
        return plan

    @classmethod
    def from_dict(cls, plan: Mapping[str, Any]) -> Self:
        """Return the plan that ``to_dict`` wrote down.

        Raises:
            ValueError: If it is not of that shape, or has faults (see ``faults``).
        """
        try:
            rest = {key: plan[key] for key in plan if key not in ("rooms", "doors")}
            school = cls(
                rooms=tuple(
                    Room(_word(name), *map(_number, sides))
                    for name, *sides in plan["rooms"]
                ),
                doors=tuple(
                    Door(_word(name), _two(rooms), _number(at), _switch(fish))
                    for name, rooms, at, fish in plan["doors"]
                ),
                **rest,
            )
        except BAD_PARTS as error:
            raise ValueError(
                "a school is a dict of 'rooms', a list of [name, left, bottom, right, "
                "top], and 'doors', a list of [name, [room, room], at, fish], as "
                f"School.to_dict() writes it; got {reprlib.repr(error)}"
            ) from None
        school.check()
        return school

    def check(self) -> None:
        """Raise ``ValueError`` with all faults of the plan, if there are any."""
        try:
            faults = self.faults()
        except BAD_PARTS as error:
            faults = [f"a part of it is not of its type ({reprlib.repr(error)})"]
        if faults:
            raise ValueError(f"no school to play in: {'; '.join(faults)}")

    def faults(self) -> list[str]:
        """Return what is wrong with the plan, in words; empty if nothing is."""
        for check in (
            self._too_many,
            self._faults_of_rooms,
            self._faults_of_doors,
            self._faults_of_the_whole,
        ):
            faults = [*check()]
            if faults:
                return faults
        return []

    @cached_property
    def room_by_name(self) -> dict[str, Room]:
        """The rooms by their names."""
        return {room.name: room for room in self.rooms}

    @cached_property
    def walls(self) -> tuple[Wall, ...]:
        """All walls: the edges of the rooms, those in one line and touching joined.

        The level ones first, then by place and start.
        """
        edges = sorted(edge for room in self.rooms for edge in _edges(room))
        walls: list[Wall] = []
        for edge in edges:
            last = walls[-1] if walls else None
            if last and last[:2] == edge[:2] and edge.start <= last.end:
                walls[-1] = last._replace(end=max(last.end, edge.end))
            else:
                walls.append(edge)
        return tuple(walls)

    @cached_property
    def pieces(self) -> tuple[Wall, ...]:
        """The walls without the doors' openings, each as its middle line.

        A piece ends 3 mm beside an opening, so that its round end stops at the edge.
        """
        pieces: list[Wall] = []
        for wall in self.walls:
            start = wall.start
            for low, high in sorted(self._openings_in(wall)):
                pieces.append(wall._replace(start=start, end=low - WALL_RADIUS))
                start = high + WALL_RADIUS
            pieces.append(wall._replace(start=start))
        return tuple(pieces)

    @cached_property
    def lintels(self) -> tuple[Wall, ...]:
        """The middle lines of the walls over the doors, in the order of the doors."""
        return tuple(
            self.wall_of(door)._replace(
                start=door.at - DOOR_HALF_WIDTH, end=door.at + DOOR_HALF_WIDTH
            )
            for door in self.doors
        )

    def wall_of(self, door: Door) -> Wall:
        """Return the stretch of wall that the rooms of a door share.

        Raises:
            ValueError: If they share none.
        """
        first, second = (self.room_by_name[name] for name in door.rooms)
        for one, other in itertools.product(_edges(first), _edges(second)):
            start, end = max(one.start, other.start), min(one.end, other.end)
            if one[:2] == other[:2] and start < end:
                return one._replace(start=start, end=end)
        raise ValueError(f"{first.name} and {second.name} share no wall")

    def rooms_of(self, door: Door) -> tuple[str, str]:
        """Return the rooms at a door, that of lower x or y first."""
        first, second = (self.room_by_name[name] for name in door.rooms)
        ordered = sorted(
            (first, second), key=lambda room: room.middle[self._axis(door)]
        )
        return ordered[0].name, ordered[1].name

    def fields(self) -> dict[str, Any]:
        """Return the plan as the fields of a record that hold it (see ``state.py``)."""
        index = {room.name: i for i, room in enumerate(self.rooms)}
        walls = [self.wall_of(door) for door in self.doors]
        fish = itertools.count()
        return {
            "num_rooms": len(self.rooms),
            "room": _rows([room[1:] for room in self.rooms], MAX_ROOMS),
            "classroom": index[self.classroom],
            "kitchen": index[self.kitchen],
            "num_doors": len(self.doors),
            "door_upright": _rows([int(wall.upright) for wall in walls], MAX_DOORS),
            "door_wall": _rows([wall.place for wall in walls], MAX_DOORS),
            "door_at": _rows([door.at for door in self.doors], MAX_DOORS),
            "door_room": _rows(
                [[index[name] for name in self.rooms_of(door)] for door in self.doors],
                MAX_DOORS,
            ),
            "door_fish": _rows(
                [next(fish) if door.fish else NONE for door in self.doors], MAX_DOORS
            ),
            "num_pieces": len(self.pieces),
            "piece": _rows([piece.ends for piece in self.pieces], MAX_PIECES),
        }

    def _axis(self, door: Door) -> int:
        return 0 if self.wall_of(door).upright else 1

    def _openings_in(self, wall: Wall) -> Iterator[tuple[float, float]]:
        for lintel in self.lintels:
            same_line = lintel[:2] == wall[:2]
            if same_line and wall.start <= lintel.start and lintel.end <= wall.end:
                yield lintel.start, lintel.end

    def _too_many(self) -> Iterator[str]:
        counts = (("rooms", self.rooms, MAX_ROOMS), ("doors", self.doors, MAX_DOORS))
        for things, given, most in counts:
            if len(given) > most:
                yield f"{len(given)} {things} are more than {most}"

    def _faults_of_rooms(self) -> Iterator[str]:
        names = [room.name for room in self.rooms]
        yield from (f"there are two rooms {n}" for n in _twice(names))
        for name in (self.classroom, self.kitchen):
            if name not in names:
                yield f"there is no room {name}"
        if self.classroom == self.kitchen:
            yield "the Catcher's kitchen is the classroom"
        for room in self.rooms:
            if not all(map(math.isfinite, room[1:])):
                yield f"{room.name} has a side that is no number"
            elif min(room.right - room.left, room.top - room.bottom) < SMALLEST_ROOM:
                yield (
                    f"{room.name} has no room for its red line: it needs "
                    f"{SMALLEST_ROOM:g} mm in each direction"
                )
            elif max(map(abs, room[1:])) > FARTHEST:
                yield f"{room.name} is farther than {FARTHEST:g} mm from the origin"
        for one, other in itertools.combinations(self.rooms, 2):
            if _overlap(one, other):
                yield f"{one.name} and {other.name} overlap"

    def _faults_of_doors(self) -> Iterator[str]:
        yield from (
            f"there are two doors {n}" for n in _twice(d.name for d in self.doors)
        )
        for door in self.doors:
            yield from self._faults_of(door)
        fish = [door.name for door in self.doors if door.fish]
        if len(fish) != FISH_DOORS:
            yield (
                f"there have to be {FISH_DOORS} doors with fish, and there are "
                f"{len(fish)} ({', '.join(fish) or 'none'})"
            )

    def _faults_of(self, door: Door) -> Iterator[str]:
        unknown = [name for name in door.rooms if name not in self.room_by_name]
        if unknown or door.rooms[0] == door.rooms[1]:
            yield f"door {door.name} does not lead from a room to another: {door.rooms}"
            return
        try:
            wall = self.wall_of(door)
        except ValueError as error:
            yield f"door {door.name}: {error}"
            return
        edge = DOOR_HALF_WIDTH + JAMB
        if not wall.start + edge <= door.at <= wall.end - edge:
            yield (
                f"door {door.name} is off its wall: its middle is at {door.at:g}, and "
                f"may be from {wall.start + edge:g} to {wall.end - edge:g}"
            )

    def _faults_of_the_whole(self) -> Iterator[str]:
        corner = min(r.left for r in self.rooms), min(r.bottom for r in self.rooms)
        if corner != (0.0, 0.0):
            yield f"the lower left corner is at {corner}; move the plan to (0, 0)"
        for one, other in itertools.combinations(self.lintels, 2):
            gap = abs(one.start - other.start) - 2 * DOOR_HALF_WIDTH
            if one[:2] == other[:2] and gap < JAMB:
                yield (
                    f"the wall between two doors that start at {one.start:g} and "
                    f"{other.start:g} is less than {JAMB:g} mm"
                )
        yield from self._unreached()

    def _unreached(self) -> Iterator[str]:
        reached = {self.classroom}
        for _ in self.rooms:
            for door in self.doors:
                if reached.intersection(door.rooms):
                    reached.update(door.rooms)
        for room in self.rooms:
            if room.name not in reached:
                yield f"no way leads through doors from {self.classroom} to {room.name}"


def _rows(rows: list[Any], count: int) -> np.ndarray:
    """Return rows as an array, followed by rows of zeros up to ``count``."""
    array = np.array(rows)
    return np.concatenate([array, np.zeros((count - len(rows), *array.shape[1:]))])


def _two(rooms: Any) -> tuple[str, str]:
    if not isinstance(rooms, list | tuple):
        raise TypeError(f"{rooms!r} is no pair of rooms")
    first, second = cast(list[Any], rooms)
    return _word(first), _word(second)


def _word(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{given!r} is no name")
    return given


def _number(given: Any) -> float:
    if isinstance(given, str | bytes | bool):
        raise TypeError(f"{given!r} is no number")
    return float(given)


def _switch(given: Any) -> bool:
    if not isinstance(given, bool):
        raise TypeError(f"{given!r} is neither True nor False")
    return given


def _edges(room: Room) -> tuple[Wall, ...]:
    return (
        Wall(False, room.bottom, room.left, room.right),
        Wall(False, room.top, room.left, room.right),
        Wall(True, room.left, room.bottom, room.top),
        Wall(True, room.right, room.bottom, room.top),
    )


def _overlap(one: Room, other: Room) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.bottom < other.top
        and other.bottom < one.top
    )


def _twice(names: Any) -> list[str]:
    ordered = sorted(names)
    return sorted({a for a, b in itertools.pairwise(ordered) if a == b})


STANDARD = School(
    rooms=(
        Room("Classroom", 0.0, 0.0, 365.0, 235.0),
        Room("Kitchen", 235.0, 365.0, 600.0, 600.0),
        Room("Lunchroom", 0.0, 235.0, 235.0, 600.0),
        Room("Gym", 365.0, 0.0, 600.0, 365.0),
        Room("Recreation", 235.0, 235.0, 365.0, 365.0),
    ),
    doors=(
        Door("D1", ("Classroom", "Lunchroom"), 80.0, fish=True),
        Door("D2", ("Lunchroom", "Kitchen"), 520.0, fish=True),
        Door("D3", ("Kitchen", "Gym"), 520.0),
        Door("D4", ("Gym", "Classroom"), 80.0, fish=True),
        Door("C1", ("Recreation", "Classroom"), 300.0),
        Door("C2", ("Recreation", "Kitchen"), 300.0),
        Door("C4", ("Recreation", "Gym"), 300.0),
    ),
)
"""Four near-equal rooms around a small one, the only simple plan that fits what is
known: square, not its own mirror image, four joints of the outer boxes and a centre
box without one, seven doors. The clockwise lap from the Classroom passes all fish."""
