"""Where penguins may be put, against a search of all points of a fine grid."""

import math

import numpy as np
import pytest

from game_core import Position
from icecool_env import rules
from icecool_env.spots import doorway_of, nearest_free_spot, put, red_spot
from tests.games import COMPILED, THOROUGH
from tests.icecool.positions import (
    CLASSROOM,
    KITCHEN,
    LUNCHROOM,
    RECREATION,
    set_up,
    where,
)

pytestmark = [pytest.mark.nojit, pytest.mark.bounds]

TRIALS = 25 * THOROUGH if COMPILED else 10
FREE = 30.01
GRID = 0.75  # mm
REACH = 75.0  # mm; three penguins in a row do not block more
ROUNDING = 1e-6

MIDDLES = {
    "in the middle": (182.5, 117.5),
    "near a wall": (100.0, 30.0),
    "in a corner": (25.0, 25.0),
    "in a doorway, below": (80.0, 225.0),
    "in a doorway, above": (80.0, 243.0),
    "in an upright doorway": (228.0, 520.0),
    "in the doorway of a small room": (300.0, 240.0),
    "at a jamb": (48.0, 252.0),
    "beside a doorway": (235.0 + 19, 480.0),
    "in the small room": (300.0, 300.0),
}


def crowd(middle: tuple[float, float], rng: np.random.Generator) -> Position:
    """Return a position with others about a spot near a middle.

    Seat 0 is off the board, and its x and y are the spot that it wants: free of walls,
    and blocked by another penguin. The others may overlap.
    """
    position = set_up(num_players=4, places={0: None})
    state = position.states[0]
    state.x[:], state.y[:] = -1000, -1000
    wanted = np.zeros((1, 2))
    while not are_free(position, wanted, room_of(position, *wanted[0])).any():
        wanted[0] = middle + rng.uniform(-8, 8, 2)
    others = wanted + rng.uniform(-32, 32, (4, 2))
    others[1] = wanted + rng.uniform(-21, 21, 2)
    state.x[:], state.y[:] = others.T
    state.x[0], state.y[0] = wanted[0]
    return position


def are_free(position: Position, points: np.ndarray, room: int) -> np.ndarray:
    """Tell which points (n, 2) are in a room, and free of walls and of seats 1 to 3."""
    state = position.state
    left, bottom, right, top = state.room[room]
    inside = (points >= (left, bottom)) & (points <= (right, top))
    free = np.logical_and.reduce(inside, axis=1)
    for other in range(1, 4):
        other_point = state.x[other], state.y[other]
        free &= np.hypot(*(points - other_point).T) >= FREE - ROUNDING
    for piece in state.piece[: state.num_pieces]:
        near = np.clip(points, piece[:2], piece[2:])
        free &= np.hypot(*(points - near).T) >= 18 - ROUNDING
    return free


def room_of(position: Position, x: float, y: float) -> int:
    rooms = position.state.room[: position.state.num_rooms]
    inside = (rooms[:, :2] <= (x, y)).all(axis=1) & (rooms[:, 2:] >= (x, y)).all(axis=1)
    return int(np.flatnonzero(inside)[0])


@pytest.mark.parametrize("name", MIDDLES)
def test_a12_no_free_spot_is_nearer(name):
    rng = np.random.default_rng(12)
    offsets = np.arange(-REACH, REACH + GRID, GRID)
    around = np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2)
    found = 0
    for _ in range(TRIALS // 5):
        position = crowd(MIDDLES[name], rng)
        state = position.states[0]
        x, y = wanted = float(state.x[0]), float(state.y[0])
        spot = nearest_free_spot(state, 0, x, y)
        room = room_of(position, x, y)
        points = around + wanted
        points = points[are_free(position, points, room)]
        nearest = np.hypot(*(points - wanted).T).min() if len(points) else math.inf
        if spot == wanted:
            assert nearest > 60, f"{nearest} mm from {wanted} is free: {state}"
            continue
        found += 1
        assert are_free(position, np.array([spot]), room).all(), state
        assert math.dist(spot, wanted) <= nearest + ROUNDING, state
    assert found


def test_a12_a_spot_on_the_edge_of_the_room_is_in_it():
    """A penguin in the doorway of D1, seen from the room above it."""
    position = set_up(places={1: (80, 262)})
    spot = nearest_free_spot(position.states[0], 0, 80.0, 240.0)
    assert spot == pytest.approx((80 - math.sqrt(FREE**2 - 27**2), 235))


def test_a12_put_takes_the_spot_itself_when_it_is_free():
    state = set_up(places={1: (130, 100)}).states[0]
    put(state, 0, 100.0, 100.0)
    assert where(state, 0) == (100, 100)
    put(state, 0, 100.1, 100.0)
    assert where(state, 0) == pytest.approx((130 - FREE, 100))


def test_a12_off_the_board_is_not_in_the_way():
    position = set_up(places={1: (100, 100)})
    position.states[0].on_board[1] = 0
    put(position.states[0], 0, 100.0, 100.0)
    assert where(position.states[0], 0) == (100, 100)


def test_a12_if_there_is_no_free_spot_it_is_the_spot_itself():
    """Three penguins leave nothing free in the smallest room, nor in its doorway."""
    school = {
        "rooms": [
            ["Classroom", 0, 0, 86, 86],
            ["Kitchen", 0, 86, 300, 300],
            ["Gym", 86, 0, 300, 86],
        ],
        "doors": [
            ["A", ["Classroom", "Kitchen"], 43, True],
            ["B", ["Kitchen", "Gym"], 150, True],
            ["C", ["Kitchen", "Gym"], 250, True],
        ],
    }
    places = {0: (43, 43), 1: (30, 36), 2: (56, 36), 3: (43, 70)}
    position = set_up(num_players=4, school=school, places=places)
    inside = np.arange(0, 86.1, 0.25)
    points = np.stack(np.meshgrid(inside, inside), axis=-1).reshape(-1, 2)
    assert not are_free(position, points, CLASSROOM).any()
    assert nearest_free_spot(position.states[0], 0, 43.0, 43.0) == (43, 43)


@pytest.mark.parametrize("room", [CLASSROOM, KITCHEN, LUNCHROOM, RECREATION])
def test_r27_no_free_point_of_the_red_line_is_nearer(room):
    rng = np.random.default_rng(room)
    for _ in range(TRIALS):
        position = set_up(num_players=4)
        state = position.states[0]
        left, bottom, right, top = red = state.room[room] + (43, 43, -43, -43)
        state.x[0] = rng.uniform(left - 40, right + 40)
        state.y[0] = rng.choice((rng.uniform(bottom - 40, bottom), top + 20))
        nearest = np.clip((state.x[0], state.y[0]), red[:2], red[2:])
        for other in range(1, 4):
            state.x[other], state.y[other] = nearest + rng.uniform(-40, 40, 2)
        found, *spot = red_spot(state, 0, room)
        line = perimeter(red)
        gaps = np.stack(
            [np.hypot(*(line - (state.x[o], state.y[o])).T) for o in range(1, 4)]
        )
        line = line[gaps.min(axis=0) >= FREE]
        if not found:
            assert room == RECREATION
            assert len(line) == 0
            continue
        here = np.array([state.x[0], state.y[0]])
        assert math.dist(spot, here) <= np.hypot(*(line - here).T).min() + ROUNDING
        assert any(spot[0] == side for side in (left, right)) or any(
            spot[1] == side for side in (bottom, top)
        )
        assert left <= spot[0] <= right
        assert bottom <= spot[1] <= top
        for other in range(1, 4):
            gap = math.dist(spot, (state.x[other], state.y[other]))
            assert gap >= FREE - ROUNDING


def perimeter(red: np.ndarray) -> np.ndarray:
    """Return points (n, 2) all along a rectangle."""
    left, bottom, right, top = red
    across, up = np.arange(left, right, 0.1), np.arange(bottom, top, 0.1)
    return np.concatenate(
        [
            *(np.stack([across, np.full(len(across), y)], -1) for y in (bottom, top)),
            *(np.stack([np.full(len(up), x), up], -1) for x in (left, right)),
        ]
    )


@pytest.mark.parametrize(
    ("spot", "door"),
    [
        ((80, 235), 0),
        ((235, 520), 1),
        ((365, 80), 3),
        ((300, 235), 4),
        ((300, 200), -1),
    ],
)
def test_r29_the_door_that_a_penguin_is_stuck_in(spot, door):
    assert doorway_of(set_up(places={1: spot}).states[0], 1) == door


def test_r27_a_stuck_penguin_goes_to_the_nearest_free_point_of_the_chosen_room():
    position = set_up(places={1: (80, 230), 0: (70, 195), 2: (95, 278)})
    state = position.states[0]
    own, other = (rules.red_line_room(state, 1, wish) for wish in (0.5, 1.0))
    assert (own, other) == (CLASSROOM, LUNCHROOM)
    across = 70 + math.sqrt(FREE**2 - 9)
    assert red_spot(state, 1, own) == (True, pytest.approx(across), 192)
    assert red_spot(state, 1, other) == (True, pytest.approx(95 - FREE), 278)
