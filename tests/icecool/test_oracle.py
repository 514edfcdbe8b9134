"""ICECOOL against the slow implementation in ``tests/naive``, decision by decision.

The physics is not in question here: both sides slide as ``icecool_env.physics.flick``
says.
"""

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from game_core import Position, load_game
from icecool_env.physics.slide import Flick, slide
from icecool_env.school import STANDARD, Door, Room, School
from icecool_env.state import MAX_PLAYERS
from tests.games import COMPILED, THOROUGH
from tests.naive import icecool as naive

GAMES = 40 * THOROUGH if COMPILED else 1
POSITIONS = 200 * THOROUGH if COMPILED else 12

FIELDS = (
    "player",
    "terminated",
    "truncated",
    "phase",
    "round_number",
    "catcher",
    "deck",
    "face_down",
    "face_up",
    "endings",
    "flicks",
    "fish_taken",
    "caught",
    "first_flick",
    "reflicks",
    "on_board",
    "flicked",
    "velocity",
    "spin",
    "was_on_board",
)
PLACES = ("x", "y", "was_x", "was_y")
BY_SEAT = (
    "face_down",
    "face_up",
    "fish_taken",
    "caught",
    "first_flick",
    "on_board",
    "was_on_board",
    *PLACES,
)

SAME_PLACE = 1e-6  # of a spot that both sides looked for, in millimetres

COMMON = (
    "touch",
    "pass",
    "exit",
    "again",
    "red line",
    "skates",
    "no skates",
    "restart",
    "restart, own",
    "by fish",
    "by catch",
    "by cap",
)
"""What happens in random games, or they would say little."""
RARE = (
    "free spot",
    "red line, taken",
    "red line after 20",
    "draw, no card",
    "by fish",
    "by catch",
    "by cap",
)
"""What happens in positions that are set up."""

CHOICES: dict[str, tuple] = {
    "deck": ("45", "42", "tournament"),
    "catcher_start": ("chosen", "centre"),
    "reflick": (True, True, False),
    "stuck_move": ("may", "must"),
    "stuck_room": ("choose", "majority"),
    "stuck_strict": (True, False),
    "finish_flick": (False, True),
    "void_on_exit": (False, True),
    "self_catch_next": ("runner", "catcher"),
    "blank_cards": (False, True),
    "reward": ("win", "margin"),
}

TRANSPOSED = School(
    rooms=tuple(Room(r.name, r.bottom, r.left, r.top, r.right) for r in STANDARD.rooms),
    doors=STANDARD.doors,
)
ONE_WALL = School(
    rooms=(
        Room("Classroom", 0.0, 0.0, 200.0, 330.0),
        Room("Kitchen", 200.0, 0.0, 330.0, 330.0),
    ),
    doors=tuple(
        Door(f"D{at:g}", ("Kitchen", "Classroom"), at, fish=True)
        for at in (60.0, 165.0, 280.0)
    ),
)
CROSSING = School(
    rooms=(
        Room("Classroom", 0.0, 0.0, 150.0, 150.0),
        Room("Gym", 150.0, 0.0, 300.0, 150.0),
        Room("Kitchen", 150.0, 150.0, 300.0, 300.0),
        Room("Lunchroom", 0.0, 150.0, 150.0, 300.0),
    ),
    doors=(
        Door("S", ("Classroom", "Gym"), 114.0, fish=True),
        Door("E", ("Gym", "Kitchen"), 186.0),
        Door("N", ("Kitchen", "Lunchroom"), 186.0, fish=True),
        Door("W", ("Lunchroom", "Classroom"), 114.0, fish=True),
    ),
)
"""Doors so near to the middle that a penguin can be stuck in two."""
CRAMPED = School(
    rooms=(
        Room("Classroom", 0.0, 0.0, 86.0, 86.0),
        Room("Kitchen", 86.0, 0.0, 280.0, 280.0),
        Room("Lunchroom", 0.0, 86.0, 86.0, 280.0),
    ),
    doors=(
        Door("E", ("Classroom", "Kitchen"), 43.0, fish=True),
        Door("N", ("Classroom", "Lunchroom"), 43.0, fish=True),
        Door("M", ("Kitchen", "Lunchroom"), 200.0, fish=True),
    ),
)
"""A Classroom whose red line is a point, and that two penguins can fill."""
SCHOOLS = (STANDARD, STANDARD, STANDARD, TRANSPOSED, ONE_WALL, CROSSING, CRAMPED)


class Oracle(naive.Icecool):
    """The oracle; it notes what happened, and whether it had to look for a spot.

    Its spots are right but for rounding. A slide from a spot that differs by as little
    leads elsewhere, so the oracle goes on from the product's when they agree.

    Attributes:
        state: What the game made of the decision.
        searched: Whether a spot was looked for in this decision.
        seen: What happened.
    """

    state: Any
    searched = False

    def __init__(self, num_players: int, **options: Any) -> None:
        self.seen: Counter[str] = Counter()
        options["slide"] = self._slide_as_product
        super().__init__(num_players, **options)

    def decide(self, action: np.ndarray, state: Any) -> None:
        """Play an action; ``state`` is the record that the game made of it."""
        self.state, self.searched = state, False
        phase, player, flicks = self.phase, self.player, self.flicks
        self.step([float(number) for number in action])
        self.seen["decisions"] += 1
        if phase == naive.SKATES:
            self.seen["skates" if action[0] > 0 else "no skates"] += 1
        elif phase == naive.FLICK and self.flicks > flicks:
            self.seen["again"] += self.player == player and self.phase == naive.FLICK

    def _slide_as_product(self, x, y, on_board, flicked, velocity, spin):
        places = zip(x, y, on_board, strict=True)
        poses = np.array([(a, b) if on else (np.nan, np.nan) for a, b, on in places])
        flick = Flick(flicked, (velocity[0], velocity[1], velocity[2]), spin)
        end = slide(poses, flick, self.school)
        for seat in self._seats():
            if on_board[seat]:
                x[seat], y[seat] = end.poses[seat].tolist()
        self.seen["slides"] += 1
        for _, kind, who, _ in end.events:
            self.seen[("touch", "pass", "exit")[kind]] += 1
            self.seen["pushed"] += kind != naive.TOUCH and who != flicked
        return x, y, end.events

    def _free_spot(self, x, y, others):
        spot = super()._free_spot(x, y, others)
        if spot != (x, y):
            self.searched = True
            self.seen["free spot"] += 1
        elif any(math.dist(spot, other) < 29.9 for other in others):
            self.seen["no free spot"] += 1
        return spot

    def _put_on_red_line(self, seat, room):
        here = self.x[seat], self.y[seat]
        super()._put_on_red_line(seat, room)
        after_20 = self.reflicks == naive.REFLICKS
        self.seen["red line after 20" if after_20 else "red line"] += 1
        left, bottom, right, top = naive.red_line(room)
        foot = min(max(here[0], left), right), min(max(here[1], bottom), top)
        if (self.x[seat], self.y[seat]) in (here, foot):
            return
        self.searched = True
        self.seen["red line, taken"] += 1
        if not after_20:
            spot = float(self.state.was_x[seat]), float(self.state.was_y[seat])
            if math.dist(spot, (self.x[seat], self.y[seat])) < SAME_PLACE:
                self.x[seat], self.y[seat] = spot

    def _put_back(self, gone: list[int]) -> None:
        spots = self.seen["free spot"]
        super()._put_back(gone)
        self.seen["back beside its spot"] += self.seen["free spot"] - spots

    def _restart(self) -> None:
        super()._restart()
        self.seen["restart"] += 1
        self.seen["restart, own"] += self.flicked != self.catcher

    def _draw(self, seat: int) -> None:
        self.seen["draw"] += 1
        self.seen["draw, no card"] += sum(self.deck) == 0
        super()._draw(seat)

    def _end_round(self, ending: int) -> None:
        self.seen[("by fish", "by catch", "by cap")[ending]] += 1
        super()._end_round(ending)


def padded(field: str, value: Any) -> Any:
    """Return what a field of the oracle is in a record."""
    if field not in BY_SEAT:
        return value
    nothing = np.zeros_like(value[0]).tolist()
    return value + [nothing] * (MAX_PLAYERS - len(value))


def differences(state: Any, oracle: Oracle) -> list[str]:
    """List the fields in which record and oracle differ."""
    found = []
    for field in FIELDS:
        record = state[field].tolist()
        expected = False if field == "truncated" else getattr(oracle, field)
        if record != padded(field, expected):
            found.append(f"{field}: {record} != {expected}")
    for field in PLACES:
        record = state[field].tolist()
        expected = padded(field, getattr(oracle, field))
        off = max(abs(a - b) for a, b in zip(record, expected, strict=True))
        if off > (SAME_PLACE if oracle.searched else 0):
            found.append(f"{field}: {record} != {expected}")
    if int(state["rng"]) != oracle.stream:
        found.append("rng")
    return found


def follow(oracle: Oracle, state: Any) -> None:
    """Take over the positions of a record that are the same but for rounding."""
    for field in PLACES:
        setattr(oracle, field, state[field].tolist()[: oracle.num_players])


def compare(position: Position, oracle: Oracle, action: np.ndarray, name: str) -> None:
    """Play an action on both sides and fail if they differ afterwards."""
    position.step(action)
    oracle.decide(action, position.state)
    found = differences(position.state, oracle)
    if found:
        number = oracle.seen["decisions"]
        pytest.fail(f"{name}, decision {number}, {action.tolist()}: {'; '.join(found)}")
    follow(oracle, position.state)
    paid = oracle.rewards(oracle.options["reward"])
    assert position.rewards.tolist() == pytest.approx(paid, abs=1e-12), name


# Ways to play that make things happen.


def anything(oracle: Oracle, rng: random.Random) -> list[float]:
    """Any action."""
    return [rng.uniform(-1, 1) for _ in range(6)]


def on_the_edge(oracle: Oracle, rng: random.Random) -> list[float]:
    """Numbers at which the meaning of an action changes."""
    return [rng.choice((-1, -0.5, -0.05, 0, 0.05, 0.5, 1)) for _ in range(6)]


def from_red_line(oracle: Oracle, rng: random.Random) -> list[float]:
    """From the red line of either room."""
    red = rng.choice((rng.uniform(0, 1), 0.5, 0.6, 0.0))
    return [*anything(oracle, rng)[:4], rng.choice((-1, -1, 0.5)), red]


def jump(oracle: Oracle, rng: random.Random) -> list[float]:
    """High and far."""
    strength, height = rng.uniform(rng.choice((0, 0.8)), 1), rng.uniform(0.5, 1)
    return [*anything(oracle, rng)[:2], strength, 0, height, rng.uniform(-1, 1)]


def weak(oracle: Oracle, rng: random.Random) -> list[float]:
    """Hardly at all."""
    return [*anything(oracle, rng)[:2], rng.uniform(-1, -0.9), 0, -1, -1]


def aim(oracle: Oracle, x: float, y: float, rng: random.Random) -> list[float]:
    """At a point, so fast that the flick may end near it."""
    dx, dy = x - oracle.x[oracle.player], y - oracle.y[oracle.player]
    v = math.sqrt(2 * 883 * math.hypot(dx, dy)) * rng.uniform(1.0, 1.8)
    strength = min(1.0, (v - 150) / 1025 - 1)
    return [dx / 600, dy / 600, strength, 0, -1, rng.choice((-1, -1, -1, 1))]


def to_a_door(oracle: Oracle, rng: random.Random) -> list[float]:
    """At a door."""
    door = rng.choice(oracle._doors)
    at = door.at + rng.uniform(-10, 10)
    x, y = (door.wall, at) if door.upright else (at, door.wall)
    return aim(oracle, x, y, rng)


def to_a_penguin(oracle: Oracle, rng: random.Random) -> list[float]:
    """At another penguin."""
    others = oracle._others(oracle.player)
    if not others:
        return anything(oracle, rng)
    x, y = rng.choice(others)
    return aim(oracle, x + rng.uniform(-10, 10), y + rng.uniform(-10, 10), rng)


def straight(oracle: Oracle, rng: random.Random) -> list[float]:
    """At a right angle to walls, so that it comes back the same way."""
    direction = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
    return [*direction, rng.uniform(-0.8, 1), 0, -1, rng.uniform(-1, 0.1)]


def to_the_circle(oracle: Oracle, rng: random.Random) -> list[float]:
    """To the middle of the red circle, so slowly that it may stay on it."""
    x, y = oracle._circle()
    return [*aim(oracle, x, y, rng)[:2], -1, 0, -1, rng.uniform(-1, 0.1)]


WAYS = (
    anything,
    on_the_edge,
    from_red_line,
    jump,
    weak,
    to_a_door,
    to_a_penguin,
    straight,
    to_the_circle,
)


def choose(oracle: Oracle, habits: list[int], rng: random.Random) -> np.ndarray:
    """Return an action for the player to move."""
    (way,) = rng.choices(WAYS, habits)
    action = way(oracle, rng)
    if oracle.phase == naive.SKATES:
        action[0] = rng.choice((-1, 0, 0.1, 1))
    elif oracle.phase == naive.PLACE:
        action = anything(oracle, rng)
    return np.clip(np.array(action, np.float32), -1, 1)


def some_options(rng: random.Random) -> dict[str, Any]:
    """Return options, all of them common."""
    n = rng.choice((2, 2, 3, 4))
    return {
        "num_players": n,
        "school": rng.choice(SCHOOLS),
        "max_flicks": rng.choice((None, None, None, rng.randrange(1, 60))),
        "first_catcher": rng.choice(("random", rng.randrange(n))),
        **{name: rng.choice(choices) for name, choices in CHOICES.items()},
    }


def start(options: dict[str, Any], seed: int) -> tuple[Position, Oracle]:
    """Return a new game on both sides."""
    position = Position.new(load_game("icecool", **options), seed)
    return position, Oracle(seed=seed, **options)


def play(seed: int) -> Counter[str]:
    """Play a random game with random options; return what happened."""
    rng = random.Random(seed)
    options = some_options(rng)
    name = f"seed {seed}: {options}"
    position, oracle = start(options, seed)
    assert differences(position.state, oracle) == [], name
    habits = [rng.choice((0, 1, 1, 5)) for _ in WAYS]
    habits[0] = max(1, habits[0])
    while not position.over:
        compare(position, oracle, choose(oracle, habits, rng), name)
    return oracle.seen


# Positions that are rare in games.


def beside(door: naive.Opening, depth: float, along: float) -> naive.Point:
    """Return a point by its place in front of a door."""
    across, along = door.wall + depth, door.at + along
    return (across, along) if door.upright else (along, across)


def in_a_doorway(oracle: Oracle, rng: random.Random) -> naive.Point:
    """In a doorway, or just in front of it; in two at once where that can be."""
    if oracle.school is CROSSING and rng.random() < 0.5:
        middle = 150.0
        return (
            middle + rng.choice((-1, 1)) * rng.uniform(11, 18),
            middle + rng.choice((-1, 1)) * rng.uniform(11, 18),
        )
    depth = rng.choice((rng.uniform(-20, 20), rng.uniform(-20, 20), 0, -12, 12, 18))
    along = rng.choice((rng.uniform(-28, 28), 0, 0))
    return beside(rng.choice(oracle._doors), depth, along)


def at_a_wall(oracle: Oracle, rng: random.Random) -> naive.Point:
    """At a wall or within the red line's reach of it."""
    room = rng.choice(oracle.school.rooms)
    off = rng.choice((18, 43, rng.uniform(18, 60)))
    x = rng.choice((room.left + off, room.right - off))
    return x, rng.uniform(room.bottom + 18, room.top - 18)


def by_the_circle(oracle: Oracle, rng: random.Random) -> naive.Point:
    """On the red circle or beside it, now and then on lines through its middle."""
    x, y = oracle._circle()
    off = rng.choice((0, 10, 30))
    if rng.random() < 0.5:
        return x + rng.choice((-off, 0, off)), y + rng.choice((-off, 0, off))
    return x + rng.uniform(-off, off), y + rng.uniform(-off, off)


def by_another(oracle: Oracle, rng: random.Random) -> naive.Point:
    """Touching another penguin, or hardly."""
    others = oracle._others(oracle.player) or [oracle._circle()]
    x, y = rng.choice(others)
    off = rng.choice((30 - 1e-8, 30 - 5e-10, 30, 30, 30.005, 30.01, 31))
    angle = rng.choice((0, math.pi / 2, math.pi, rng.uniform(0, 2 * math.pi)))
    return x + off * math.cos(angle), y + off * math.sin(angle)


Way = Callable[[Oracle, random.Random], naive.Point]

SPOTS: tuple[Way, ...] = (in_a_doorway, at_a_wall, by_the_circle, by_another)


def set_down(
    oracle: Oracle, seat: int, spots: tuple[Way, ...], rng: random.Random
) -> None:
    """Put a penguin somewhere where it can be, if such a spot is found soon."""
    oracle.player = seat
    where = rng.choice(spots)
    for _ in range(20):
        x, y = where(oracle, rng)
        clear = naive.is_free(oracle._clear_of_walls((x, y)))
        inside = any(naive.is_in(room, x, y) for room in oracle.school.rooms)
        others = oracle._others(seat)
        if clear and inside and all(math.dist((x, y), o) >= 29.99 for o in others):
            oracle._put(seat, x, y)
            return


def arrange(oracle: Oracle, rng: random.Random) -> None:
    """Set up any position in which somebody has to flick."""
    n = oracle.num_players
    oracle.phase = naive.FLICK
    oracle.round_number = rng.randrange(n)
    oracle.catcher = rng.randrange(n)
    oracle.on_board, oracle.x, oracle.y = [0] * n, [0.0] * n, [0.0] * n
    oracle.first_flick = [0] * n
    for seat in range(n):
        if seat != oracle.catcher and rng.random() < 0.3:
            continue
        first = seat != oracle.catcher and rng.random() < 0.5
        set_down(oracle, seat, (by_the_circle,) if first else SPOTS, rng)
        oracle.first_flick[seat] = int(first and oracle.on_board[seat])
    oracle.player = rng.choice([s for s in range(n) if oracle.on_board[s]] or [0])
    if not oracle.on_board[oracle.player]:
        oracle._put(oracle.player, *oracle._circle())
    if oracle.first_flick[oracle.player]:
        oracle.reflicks = rng.choice((0, 18, 19, 19))
    arrange_cards(oracle, rng)
    oracle.flicks = oracle._most_flicks() - rng.choice((1, 3, 5))


def arrange_cards(oracle: Oracle, rng: random.Random) -> None:
    """Deal out cards, fish and ID cards so that the round goes on."""
    n = oracle.num_players
    runners = [seat for seat in range(n) if seat != oracle.catcher]
    for seat in range(n):
        oracle.face_down[seat] = [0, rng.randrange(5), rng.randrange(3), 0]
    for seat in runners:
        oracle.caught[seat] = rng.randrange(2)
        oracle.fish_taken[seat] = rng.choice(([0, 0, 0], [0, 1, 1], [1, 0, 1]))
    if n > 2:
        oracle.caught[rng.choice(runners)] = 0
    oracle.deck = rng.choice(([0, 0, 0, 0], [0, 1, 0, 1], [0, 10, 5, 5]))


def line_up(oracle: Oracle, rng: random.Random) -> None:
    """Put a Runner and the Catcher on the two sides of a door.

    The Runner passes it in the step in which it touches a Catcher at 48 mm.
    """
    oracle.player = rng.choice([s for s in oracle._seats() if s != oracle.catcher])
    oracle.on_board = [0] * oracle.num_players
    oracle.first_flick = [0] * oracle.num_players
    oracle.reflicks = 0
    door = rng.choice(oracle._doors)
    side = rng.choice((-1, 1))
    oracle._put(oracle.player, *beside(door, side * rng.choice((-17, -50, -40)), 0))
    depth = rng.choice((48, 48, 48, 35, 49, 60))
    oracle._put(oracle.catcher, *beside(door, side * depth, 0))
    if oracle.num_players > 2:
        oracle.caught = [
            int(s not in (oracle.player, oracle.catcher)) for s in oracle._seats()
        ]


def across(oracle: Oracle, rng: random.Random) -> list[float]:
    """From where a Runner was lined up, at the Catcher."""
    x, y = oracle.x[oracle.catcher], oracle.y[oracle.catcher]
    return [*aim(oracle, x, y, rng)[:2], rng.uniform(-0.8, 1), 0, -1, -1]


def write(state: Any, oracle: Oracle) -> None:
    """Make a record what the oracle says."""
    for field in (*FIELDS, *PLACES):
        if field != "truncated":
            state[field] = padded(field, getattr(oracle, field))


def play_from_anywhere(seed: int) -> Counter[str]:
    """Play a few decisions from any position; return what happened."""
    rng = random.Random(seed)
    options = some_options(rng)
    name = f"seed {seed}: {options}"
    position, oracle = start(options, seed)
    arrange(oracle, rng)
    lined_up = rng.random() < 0.3
    if lined_up:
        line_up(oracle, rng)
    write(position.states[0], oracle)
    for number in range(3):
        action = choose(oracle, [2, 1, 3, 4, 1, 2, 2, 3, 3], rng)
        if lined_up and number == 0:
            action = np.clip(np.array(across(oracle, rng), np.float32), -1, 1)
        compare(position, oracle, action, name)
        if position.over:
            break
    return oracle.seen


def all_of(play_one: Callable[[int], Counter[str]], games: int) -> Counter[str]:
    """Play games with the seeds 0, 1, ...; return what happened."""
    seen: Counter[str] = Counter()
    for seed in range(games):
        seen += play_one(seed)
    return seen


@pytest.mark.slow
def test_random_games():
    seen = all_of(play, GAMES)
    if COMPILED:
        assert [what for what in COMMON if seen[what] < GAMES / 4] == [], seen


@pytest.mark.nojit
def test_rare_positions():
    seen = all_of(play_from_anywhere, POSITIONS)
    if COMPILED:
        assert [what for what in RARE if seen[what] < 1] == [], seen
