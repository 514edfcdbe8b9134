"""Floor plans: what is wrong with them is said, and a good one can be played in."""

import json
import math

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

from game_core import Position, load_game
from icecool_env.school import STANDARD, Door, Room, School, Wall
from icecool_env.state import MAX_DOORS, MAX_PIECES, MAX_ROOMS, NONE
from tests.games import THOROUGH
from tests.icecool.poses import FOUR_ROOMS, HALL, mirrored, turned

NAN = math.nan


def with_room(number: int, **changes) -> School:
    """Return the plan of four rooms with one of them changed."""
    rooms = list(FOUR_ROOMS.rooms)
    rooms[number] = rooms[number]._replace(**changes)
    return School(tuple(rooms), FOUR_ROOMS.doors)


def with_door(number: int, **changes) -> School:
    """Return the plan of four rooms with one door changed."""
    doors = list(FOUR_ROOMS.doors)
    doors[number] = doors[number]._replace(**changes)
    return School(FOUR_ROOMS.rooms, tuple(doors))


def grown(rooms: tuple[Room, ...] = (), doors: tuple[Door, ...] = ()) -> School:
    """Return the plan of four rooms with more of them."""
    return School(FOUR_ROOMS.rooms + rooms, FOUR_ROOMS.doors + doors)


THREE = tuple(
    Door(f"D{at:g}", ("Classroom", "Kitchen"), at, fish=True)
    for at in (36.0, 102.0, 564.0)
)


def moved(dx: float) -> School:
    """Return the plan of four rooms somewhere else."""
    rooms = tuple(
        r._replace(left=r.left + dx, right=r.right + dx) for r in FOUR_ROOMS.rooms
    )
    doors = tuple(
        d if FOUR_ROOMS.wall_of(d).upright else d._replace(at=d.at + dx)
        for d in FOUR_ROOMS.doors
    )
    return School(rooms, doors)


def row_of_rooms(count: int) -> School:
    """Return rooms side by side, each with a door to the next."""
    rooms = [
        Room(f"R{i}", 100.0 * i, 0.0, 100.0 * (i + 1), 100.0) for i in range(count)
    ]
    doors = [
        Door(f"D{i}", (f"R{i}", f"R{i + 1}"), 50.0, fish=i < 3)
        for i in range(count - 1)
    ]
    return School(tuple(rooms), tuple(doors), classroom="R0", kitchen="R1")


def many_doors(count: int) -> School:
    """Return two long rooms with a row of doors between them."""
    length = 100.0 * count
    rooms = (
        Room("Classroom", 0.0, 0.0, length, 100.0),
        Room("Kitchen", 0.0, 100.0, length, 200.0),
    )
    doors = tuple(
        Door(f"D{i}", ("Classroom", "Kitchen"), 100.0 * i + 50.0, fish=i < 3)
        for i in range(count)
    )
    return School(rooms, doors)


FAULTS = {
    "twice a room": (with_room(2, name="Pool"), "there are two rooms Pool"),
    "no classroom": (with_room(0, name="Attic"), "there is no room Classroom"),
    "no kitchen": (with_room(1, name="Attic"), "there is no room Kitchen"),
    "one room for both": (
        School(FOUR_ROOMS.rooms, FOUR_ROOMS.doors, kitchen="Classroom"),
        "the Catcher's kitchen is the classroom",
    ),
    "no number": (with_room(0, left=NAN), "Classroom has a side that is no number"),
    "infinite": (with_room(3, right=math.inf), "Pool has a side that is no number"),
    "narrow": (
        with_room(2, right=85.9),
        "Library has no room for its red line: it needs 86 mm in each direction",
    ),
    "inside out": (
        with_room(2, left=200.0, right=0.0),
        "Library has no room for its red line",
    ),
    "far away": (
        with_room(3, right=10_000.1),
        "Pool is farther than 10000 mm from the origin",
    ),
    "overlap": (with_room(2, bottom=299.0), "Classroom and Library overlap"),
    "twice a door": (with_door(1, name="A"), "there are two doors A"),
    "unknown room": (
        with_door(0, rooms=("Classroom", "Attic")),
        r"door A does not lead from a room to another: \('Classroom', 'Attic'\)",
    ),
    "into itself": (
        with_door(0, rooms=("Pool", "Pool")),
        "door A does not lead from a room to another",
    ),
    "no wall": (
        with_door(0, rooms=("Classroom", "Kitchen")),
        "door A: Classroom and Kitchen share no wall",
    ),
    "off its wall": (
        with_door(0, at=35.9),
        "door A is off its wall: its middle is at 35.9, and may be from 36 to 164",
    ),
    "nowhere": (with_door(0, at=NAN), "door A is off its wall"),
    "two fish": (
        with_door(0, fish=False),
        r"there have to be 3 doors with fish, and there are 2 \(B, C\)",
    ),
    "four fish": (with_door(3, fish=True), r"there are 4 \(A, B, C, D\)"),
    "no fish": (
        School(FOUR_ROOMS.rooms, ()),
        r"there have to be 3 doors with fish, and there are 0 \(none\)",
    ),
    "elsewhere": (moved(10.0), r"the lower left corner is at \(10\.0, 0\.0\)"),
    "close doors": (
        grown(doors=(Door("E", ("Classroom", "Library"), 125.0),)),
        "the wall between two doors that start at 30 and 95 is less than 6 mm",
    ),
    "unreached": (
        grown(rooms=(Room("Attic", 0.0, 600.0, 400.0, 700.0),)),
        "no way leads through doors from Classroom to Attic",
    ),
    "many rooms": (row_of_rooms(9), "9 rooms are more than 8"),
    "many doors": (many_doors(13), "13 doors are more than 12"),
}


@pytest.mark.parametrize(("plan", "message"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_with_a_plan_is_said(plan, message):
    with pytest.raises(ValueError, match=message):
        plan.check()
    with pytest.raises(ValueError, match=message):
        load_game("icecool", school=plan)
    with pytest.raises(ValueError, match=message):
        School.from_dict(plan.to_dict())


@pytest.mark.parametrize(
    "plan",
    [
        STANDARD,
        FOUR_ROOMS,
        HALL,
        mirrored(STANDARD),
        turned(STANDARD),
        row_of_rooms(8),
        many_doors(12),
        with_door(0, at=36.0),
        School(
            (Room("Classroom", 0, 0, 600, 86), Room("Kitchen", 0, 86, 600, 172)), THREE
        ),
    ],
)
def test_nothing_is_wrong_with_a_good_plan(plan):
    assert plan.faults() == []
    assert School.from_dict(plan.to_dict()) == plan
    assert School.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


def test_doors_may_be_six_millimetres_apart():
    assert grown(doors=(Door("E", ("Classroom", "Library"), 126.0),)).faults() == []


def test_the_standard_school_is_that_of_the_rules():
    """R2, and the plan in the digest of the rules."""
    assert len(STANDARD.rooms) == 5
    assert [door.name for door in STANDARD.doors if door.fish] == ["D1", "D2", "D4"]
    assert STANDARD.walls == (
        Wall(False, 0.0, 0.0, 600.0),
        Wall(False, 235.0, 0.0, 365.0),
        Wall(False, 365.0, 235.0, 600.0),
        Wall(False, 600.0, 0.0, 600.0),
        Wall(True, 0.0, 0.0, 600.0),
        Wall(True, 235.0, 235.0, 600.0),
        Wall(True, 365.0, 0.0, 365.0),
        Wall(True, 600.0, 0.0, 600.0),
    )
    assert len(STANDARD.pieces) == 15
    assert STANDARD.lintels == (
        Wall(False, 235.0, 50.0, 110.0),
        Wall(True, 235.0, 490.0, 550.0),
        Wall(False, 365.0, 490.0, 550.0),
        Wall(True, 365.0, 50.0, 110.0),
        Wall(False, 235.0, 270.0, 330.0),
        Wall(False, 365.0, 270.0, 330.0),
        Wall(True, 365.0, 270.0, 330.0),
    )


def test_pieces_end_three_millimetres_beside_the_openings():
    upright = [piece for piece in STANDARD.pieces if piece[:2] == (True, 365.0)]
    assert upright == [
        Wall(True, 365.0, 0.0, 47.0),
        Wall(True, 365.0, 113.0, 267.0),
        Wall(True, 365.0, 333.0, 365.0),
    ]


def test_pieces_and_lintels_cover_every_wall():
    for plan in (STANDARD, FOUR_ROOMS, HALL, row_of_rooms(8), many_doors(12)):
        solid = sum(piece.end - piece.start for piece in plan.pieces)
        walls = sum(wall.end - wall.start for wall in plan.walls)
        assert solid == pytest.approx(walls - len(plan.doors) * (60.0 + 2 * 3.0))


def test_the_fields_of_the_record():
    fields = STANDARD.fields()
    assert (fields["num_rooms"], fields["classroom"], fields["kitchen"]) == (5, 0, 1)
    assert fields["room"].shape == (MAX_ROOMS, 4)
    assert fields["room"][2].tolist() == [0.0, 235.0, 235.0, 600.0]
    assert not fields["room"][5:].any()
    assert fields["num_doors"] == 7
    assert fields["door_upright"].tolist() == [0, 1, 0, 1, 0, 0, 1] + [0] * 5
    assert fields["door_wall"][:7].tolist() == [235, 235, 365, 365, 235, 365, 365]
    assert fields["door_at"][:7].tolist() == [80, 520, 520, 80, 300, 300, 300]
    assert fields["door_fish"][:7].tolist() == [0, 1, NONE, 2, NONE, NONE, NONE]
    # Classroom 0, Kitchen 1, Lunchroom 2, Gym 3, Recreation 4: lower or left first.
    rooms = [[0, 2], [2, 1], [3, 1], [0, 3], [0, 4], [4, 1], [4, 3]]
    assert fields["door_room"][:7].tolist() == rooms
    assert (fields["num_pieces"], fields["piece"].shape) == (15, (MAX_PIECES, 4))
    assert len(fields["door_at"]) == MAX_DOORS


def test_the_order_of_a_doors_rooms_does_not_matter():
    swapped = tuple(d._replace(rooms=d.rooms[::-1]) for d in STANDARD.doors)
    other = School(STANDARD.rooms, swapped)
    for name, value in STANDARD.fields().items():
        assert np.array_equal(other.fields()[name], value)


@pytest.mark.parametrize("plan", [FOUR_ROOMS, HALL, row_of_rooms(8), many_doors(12)])
def test_other_plans_can_be_played_in(plan):
    position = Position.new(load_game("icecool", num_players=4, school=plan), 3)
    rng = np.random.default_rng(3)
    for _ in range(60):
        if not position.over:
            position.step(rng.uniform(-1, 1, 6).astype(np.float32))
    assert int(position.states["flicks"][0]) > 0 or position.over


def changed(**changes) -> dict:
    return FOUR_ROOMS.to_dict() | changes


ROOMS, DOORS = FOUR_ROOMS.to_dict()["rooms"], FOUR_ROOMS.to_dict()["doors"]

MALFORMED = [
    None,
    7,
    "rooms",
    b"rooms",
    {1, 2},
    [],
    ["rooms", "doors"],
    {},
    {"rooms": ROOMS},
    {"doors": DOORS},
    changed(walls=[]),
    changed(**{"0": 1}),
    {**FOUR_ROOMS.to_dict(), 3: 4},
    changed(rooms=None),
    changed(rooms=5),
    changed(rooms="Classroom"),
    changed(rooms={}),
    changed(rooms=[]),
    changed(rooms=[5]),
    changed(rooms=[[]]),
    changed(rooms=[["Classroom"], *ROOMS[1:]]),
    changed(rooms=[["Classroom", 0, 0, 200], *ROOMS[1:]]),
    changed(rooms=[["Classroom", 0, 0, 200, 300, 1], *ROOMS[1:]]),
    changed(rooms=[["Classroom", "a", 0, 200, 300], *ROOMS[1:]]),
    changed(rooms=[["Classroom", None, 0, 200, 300], *ROOMS[1:]]),
    changed(rooms=[["Classroom", [0], 0, 200, 300], *ROOMS[1:]]),
    changed(rooms=[["Classroom", 1j, 0, 200, 300], *ROOMS[1:]]),
    changed(rooms=[["Classroom", 10**400, 0, 200, 300], *ROOMS[1:]]),
    changed(rooms=[[["Classroom"], 0, 0, 200, 300], *ROOMS[1:]]),
    changed(rooms=[b"abcde", *ROOMS[1:]]),
    changed(rooms=[*ROOMS, *[["Attic", 0, 600, 400, 700]] * 10**5]),
    changed(doors=[*DOORS, *[DOORS[3]] * 10**5]),
    changed(doors=None),
    changed(doors=[]),
    changed(doors=[None] * 3),
    changed(doors=[["A", ["Classroom"], 60, True], *DOORS[1:]]),
    changed(doors=[["A", "Classroom", 60, True], *DOORS[1:]]),
    changed(doors=[["A", None, 60, True], *DOORS[1:]]),
    changed(doors=[["A", {"Classroom": 1, "Library": 2}, 60, True], *DOORS[1:]]),
    changed(doors=[["A", ["Classroom", "Library"], 60], *DOORS[1:]]),
    changed(doors=[["A", ["Classroom", "Library"], "x", True], *DOORS[1:]]),
    changed(doors=[["A", ["Classroom", "Library"], {}, True], *DOORS[1:]]),
    changed(doors=[["A", ["Classroom", ["Library"]], 60, True], *DOORS[1:]]),
    changed(rooms=[["Classroom", "0", 0, "200", 300], *ROOMS[1:]]),
    changed(rooms=[["Classroom", False, False, 200, 300], *ROOMS[1:]]),
    changed(rooms=[[None, 0, 0, 200, 300], *ROOMS[1:]], classroom="None"),
    changed(doors=[["A", ["Classroom", "Library"], "60", True], *DOORS[1:]]),
    changed(doors=[["A", ["Classroom", "Library"], 60, "yes"], *DOORS[1:]]),
    changed(doors=[["A", ["Classroom", "Library"], 60, 2], *DOORS[1:]]),
    changed(classroom=None),
    changed(classroom=0),
    changed(classroom=[]),
    changed(classroom={}),
    changed(kitchen=["Kitchen"]),
    changed(kitchen=NAN),
]


@pytest.mark.parametrize("plan", MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_dict_is_a_value_error(plan):
    with pytest.raises(ValueError, match=r"school|room"):
        School.from_dict(plan)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["Classroom", "Kitchen", "A", ""]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["rooms", "doors", "kitchen"]), inner)
    ),
    max_leaves=12,
)


@hypothesis.settings(max_examples=50 * THOROUGH)
@hypothesis.given(st.sampled_from(sorted(changed())), json_values)
def test_rubbish_in_a_dict_is_a_value_error(key, value):
    if value == FOUR_ROOMS.to_dict()[key]:
        return
    with pytest.raises(ValueError, match=r"school|room"):
        School.from_dict(changed(**{key: value}))


@hypothesis.settings(max_examples=50 * THOROUGH)
@hypothesis.given(
    st.sampled_from(["rooms", "doors"]),
    st.integers(0, 3),
    st.integers(0, 4),
    json_values,
)
def test_rubbish_in_a_room_or_a_door_never_ends_in_another_error(key, row, at, value):
    plan = FOUR_ROOMS.to_dict()
    entry = plan[key][row]
    entry[at % len(entry)] = value
    try:
        school = School.from_dict(plan)
    except ValueError:
        return
    assert school.faults() == []
    assert School.from_dict(school.to_dict()) == school
