"""The oracle of ICECOOL's flicks against closed forms and the words of the rules."""

import itertools
import math
import random

import pytest

from icecool_env.school import STANDARD

from .icecool_slide import (
    EXIT,
    PASS,
    TOUCH,
    Slide,
    _Doorway,
    _Flick,
    _take_out,
    push_apart,
    slide,
)

CIRCLE = (182.5, 117.5)  # R12: the middle of the Classroom
D1, D4 = 0, 3
FLOOR = 0.09 * 9810.0  # how fast the floor slows down
GRAVITY = 9810.0
DT = 1.0 / 400.0
FASTEST = 2200.0


def flick(*at: tuple[float, float], velocity, flicked=0, spin=0.0) -> Slide:
    """Flick one of some penguins in the standard school, all of them on the board."""
    x, y = [a for a, _ in at], [b for _, b in at]
    return slide(STANDARD, x, y, [True] * len(at), flicked, velocity, spin)


def towards(target: tuple[float, float], speed: float, up: float = 0.0):
    """Return the velocity that leads from the circle to a target."""
    dx, dy = target[0] - CIRCLE[0], target[1] - CIRCLE[1]
    length = math.hypot(dx, dy)
    return speed * dx / length, speed * dy / length, up


def kinds(result: Slide) -> list[tuple[int, int, int]]:
    """Return the events without their steps."""
    return [event[1:] for event in result.events]


@pytest.mark.parametrize("speed", [-500.0, -450.0, 450.0, 500.0])
def test_it_slides_as_far_as_friction_allows(speed):
    result = flick(CIRCLE, velocity=(speed, 0.0, 0.0))
    distance = abs(result.x[0] - CIRCLE[0])
    assert distance == pytest.approx(speed**2 / (2 * FLOOR), rel=0.01)
    # The solver moves first and slows down then, which is half a step more.
    in_steps = speed**2 / (2 * FLOOR) + abs(speed) * DT / 2
    assert distance == pytest.approx(in_steps, abs=0.01)
    assert result.y[0] == CIRCLE[1]
    assert result.events == []


def test_it_takes_as_long_as_friction_needs_and_eight_quiet_steps():
    result = flick(CIRCLE, velocity=(500.0, 0.0, 0.0))
    assert result.steps == math.ceil(500.0 / (FLOOR * DT)) + 7
    assert len(result.path) == result.steps
    assert [place[0][:2] for place in result.path[-7:]] == [
        (result.x[0], result.y[0])
    ] * 7


def test_spin_alone_does_not_move_it():
    result = flick(CIRCLE, velocity=(0.0, 0.0, 0.0), spin=100.0)
    assert (result.x, result.y) == ([CIRCLE[0]], [CIRCLE[1]])
    assert result.steps == 8


@pytest.mark.parametrize("up", [500.0, 1000.0, 2000.0])
def test_it_jumps_as_high_as_gravity_allows(up):
    result = flick(CIRCLE, velocity=(0.0, 0.0, up))
    heights = [places[0][2] for places in result.path]
    assert max(heights) == pytest.approx(up**2 / (2 * GRAVITY), rel=0.001)
    landing = heights.index(0.0) + 1
    assert landing * DT == pytest.approx(2 * up / GRAVITY, abs=1.01 * DT)
    assert max(heights[landing:]) <= 0.3**2 * max(heights) * 1.1


def test_it_flies_without_friction_and_loses_speed_where_it_lands():
    result = flick((300.0, 500.0), velocity=(400.0, 0.0, 400.0))
    x = [300.0, *(places[0][0] for places in result.path)]
    heights = [places[0][2] for places in result.path]
    speeds = [(b - a) / DT for a, b in itertools.pairwise(x)]
    landing = heights.index(0.0)
    assert speeds[:landing] == pytest.approx([400.0] * landing)
    impact = GRAVITY * DT * (landing + 1) - 400.0
    assert speeds[landing] == pytest.approx(400.0 - 0.09 * 1.3 * impact)
    assert 0.3 * impact < 150.0  # so it stays down
    assert set(heights[landing:]) == {0.0}
    # That step still ends with friction: it is on the ground.
    assert speeds[landing + 1] == pytest.approx(speeds[landing] - FLOOR * DT)


def test_a_strong_flick_passes_the_door_it_is_aimed_at():
    result = flick(CIRCLE, velocity=towards((365.0, 80.0), FASTEST))
    assert kinds(result) == [(PASS, 0, D4)]
    step = result.events[0][0]
    before, after = result.path[step - 2][0][0], result.path[step - 1][0][0]
    assert before < 365.0 + 18.0 <= after


def test_a_penguin_that_is_pushed_through_a_door_passes():
    result = flick((300.0, 80.0), (340.0, 80.0), velocity=(900.0, 0.0, 0.0))
    assert (TOUCH, 0, 1) in kinds(result)
    assert (PASS, 1, D4) in kinds(result)


def test_the_wall_beside_a_door_is_no_way():
    result = flick(CIRCLE, velocity=towards((365.0, 180.0), FASTEST))
    assert result.events == []
    assert result.x[0] <= 365.0 - 18.0


@pytest.mark.parametrize("target", [(365.0, 180.0), (365.0, 80.0)])
def test_a_jump_over_the_wall_or_the_lintel_is_no_pass(target):
    result = flick(CIRCLE, velocity=towards(target, 900.0, up=1500.0))
    assert result.x[0] > 365.0 + 18.0
    assert result.events == []


def test_a_head_meets_the_lintel():
    result = flick((300.0, 80.0), velocity=(600.0, 0.0, 700.0))
    heights = [z for places in result.path for x, _, z in places if x > 340.0]
    assert heights
    assert all(8.0 < z < 65.0 for z in heights)
    assert max(places[0][0] for places in result.path) < 365.0
    assert result.events == []


def test_it_stops_stuck_in_a_door_and_has_not_passed():
    result = flick((300.0, 80.0), velocity=(333.0, 0.0, 0.0))
    assert abs(result.x[0] - 365.0) < 18.0
    assert result.events == []


@pytest.mark.parametrize("direction", [-1, 1])
def test_a_penguin_that_was_stuck_does_not_pass_by_leaving(direction):
    result = flick((365.0, 80.0), velocity=(direction * 400.0, 0.0, 0.0))
    assert abs(result.x[0] - 365.0) > 18.0
    assert result.events == []


def test_close_to_the_wall_but_not_in_the_opening_has_a_side():
    (door,) = [door for door in STANDARD.doors if door.name == "D4"]
    wall = STANDARD.wall_of(door)
    assert _Doorway(door, wall, 350.0, 80.0).side is None
    assert _Doorway(door, wall, 350.0, 110.0).side is None
    assert _Doorway(door, wall, 350.0, 111.0).side is True
    assert _Doorway(door, wall, 365.0, 111.0).side is False
    assert _Doorway(door, wall, 347.0, 80.0).side is True
    assert _Doorway(door, wall, 383.0, 80.0).side is False


@pytest.mark.parametrize(
    ("places", "passes"),
    [
        ([(340, 80, 0), (390, 80, 0)], [False, True]),
        # And back: told here each time, by a flick once.
        ([(390, 80, 0), (340, 80, 0)], [True, True]),
        # Its head is as high as the lintel; its head is in it.
        ([(340, 80, 0), (390, 80, 8)], [False, True]),
        ([(340, 80, 0), (390, 80, 8.1)], [False, False]),
        # It only becomes clear later, when it may jump.
        ([(360, 80, 0), (370, 80, 0), (383, 80, 40)], [False, False, True]),
        # In and back out, and in once more.
        ([(370, 80, 0), (340, 80, 0), (390, 80, 0)], [False, False, True]),
        # Around through other doors, and back through this one.
        ([(390, 200, 0), (390, 80, 0), (340, 80, 0)], [False, False, True]),
        # Through, and back around through other doors.
        ([(390, 80, 0), (390, 200, 0), (340, 200, 0)], [True, False, False]),
        # Where the way crosses the plane counts: 360 to 370 at 100 to 120 is at 110.
        ([(360, 100, 0), (370, 120, 0), (390, 120, 0)], [False, False, True]),
        ([(360, 100, 0), (370, 121, 0), (390, 121, 0)], [False, False, False]),
        # The last crossing decides.
        ([(370, 80, 0), (360, 80, 0), (370, 80, 9), (390, 80, 0)], [False] * 4),
        (
            [(370, 80, 9), (360, 80, 0), (370, 80, 0), (390, 80, 0)],
            [False] * 3 + [True],
        ),
    ],
)
def test_a7_passing_a_door(places, passes):
    (door,) = [door for door in STANDARD.doors if door.name == "D4"]
    doorway = _Doorway(door, STANDARD.wall_of(door), 300.0, 80.0)
    assert [doorway.moved(*place) for place in places] == passes


def test_a_flat_penguin_cannot_leave():
    rng = random.Random(7)
    for _ in range(60):
        room = rng.choice(STANDARD.rooms)
        at = (
            rng.uniform(room.left + 18, room.right - 18),
            rng.uniform(room.bottom + 18, room.top - 18),
        )
        angle = rng.uniform(0.0, math.tau)
        velocity = FASTEST * math.cos(angle), FASTEST * math.sin(angle), 0.0
        result = flick(at, velocity=velocity, spin=rng.uniform(-110.0, 110.0))
        assert EXIT not in [kind for _, kind, _, _ in result.events]
        assert 18.0 - 1e-9 <= result.x[0] <= 582.0 + 1e-9
        assert 18.0 - 1e-9 <= result.y[0] <= 582.0 + 1e-9
        assert result.steps < 3200


def test_a_strong_jump_over_the_outer_wall_leaves_the_school():
    result = flick(CIRCLE, velocity=(-900.0, 0.0, 1500.0))
    ((step, kind, seat, other),) = result.events
    assert (kind, seat, other) == (EXIT, 0, -1)
    x, y, z = result.path[step - 1][0]
    assert x < 0.0
    assert z < 65.0
    assert result.path[step - 2][0][2] >= 65.0
    # It stops there, on the ground, and what overlaps a wall is not pushed.
    assert (result.x, result.y) == ([x], [y])
    assert result.path[step][0] == (x, y, 0.0)
    assert result.steps == step + 7


def test_a_penguin_that_is_out_meets_nothing_any_more():
    """It jumps over another and comes down less than 30 mm behind it."""
    out = flick(CIRCLE, (25.0, 117.5), velocity=(-730.0, 0.0, 1500.0))
    assert kinds(out) == [(EXIT, 0, -1)]
    assert -18.0 < out.x[0] < 0.0
    assert out.x[0] == out.path[out.events[0][0] - 1][0][0]
    assert (out.x[1], out.y[1]) == (25.0, 117.5)


def test_nobody_bumps_into_one_that_is_out():
    flick = _Flick(STANDARD, [100.0, 150.0], [117.5, 117.5], [True, True], 0)
    _take_out(flick.penguins[1])
    flick.start((500.0, 0.0, 0.0), 0.0)
    for _ in range(100):
        flick.step()
    alone = slide(STANDARD, [100.0], [117.5], [True], 0, (500.0, 0.0, 0.0), 0.0)
    assert flick.events == []
    assert [places[0] for places in flick.path] == [p[0] for p in alone.path[:100]]
    assert {places[1] for places in flick.path} == {(150.0, 117.5, 0.0)}


def test_a_curve_bends_right_for_negative_spin():
    right = flick((117.5, 300.0), velocity=(0.0, 500.0, 0.0), spin=-30.0)
    left = flick((117.5, 300.0), velocity=(0.0, 500.0, 0.0), spin=30.0)
    assert right.x[0] - 117.5 > 30.0
    assert right.x[0] - 117.5 == pytest.approx(117.5 - left.x[0])
    assert right.y == pytest.approx(left.y)


def test_a_curve_turns_by_as_much_as_the_spin_says():
    spin = -20.0
    result = flick((100.0, 300.0), velocity=(0.0, 600.0, 0.0), spin=spin)
    (x0, y0, _), (x1, y1, _) = result.path[25][0], result.path[24][0]
    angle = math.atan2(y0 - y1, x0 - x1) - math.pi / 2
    spins = [spin + 45.0 * DT * step for step in range(1, 26)]
    assert angle == pytest.approx(sum(0.12 * w * DT for w in spins), rel=0.001)


def test_spin_falls_on_the_ground_only():
    flick = _Flick(STANDARD, [100.0], [300.0], [True], 0)
    flick.start((0.0, 400.0, 400.0), 30.0)
    while flick.flicked.in_air:
        assert flick.flicked.body.angular_velocity == 30.0
        flick.step()
    assert flick.flicked.body.angular_velocity == pytest.approx(30.0 - 45.0 * DT)


def test_there_is_no_curve_in_the_air():
    result = flick((100.0, 300.0), velocity=(0.0, 400.0, 400.0), spin=-30.0)
    landing = [places[0][2] for places in result.path].index(0.0)
    assert {places[0][0] for places in result.path[:landing]} == {100.0}
    assert result.x[0] > 100.0


def speed_after(result: Slide, seat: int, step: int) -> float:
    """Return how fast a penguin moves east in the step after one."""
    return (result.path[step][seat][0] - result.path[step - 1][seat][0]) / DT


# In the two steps after a collision the solver also moves apart what overlaps.
APART = 2


def test_restitution_against_a_wall():
    result = flick((70.0, 117.5), velocity=(-800.0, 0.0, 0.0))
    speeds = [speed_after(result, 0, step) for step in range(1, result.steps)]
    turn = next(i for i, speed in enumerate(speeds) if speed > 0)
    bounced = speeds[turn + APART] + APART * FLOOR * DT
    assert bounced == pytest.approx(-0.5525 * speeds[turn - 1])


def test_restitution_between_penguins():
    result = flick((100.0, 117.5), (150.0, 117.5), velocity=(800.0, 0.0, 0.0))
    ((step, kind, seat, other),) = result.events
    assert (kind, seat, other) == (TOUCH, 0, 1)
    before = speed_after(result, 0, step - 1)
    first, second = (speed_after(result, seat, step + APART) for seat in (0, 1))
    assert second - first == pytest.approx(0.7225 * before)
    friction = 2 * (APART + 1) * FLOOR * DT  # on both, in the step they meet as well
    assert first + second + friction == pytest.approx(before)


def test_friction_of_a_wall_slows_down_along_it():
    """By 0.4 x 0.5 times what it does across, while the penguin slips."""
    result = flick((80.0, 40.0), velocity=(800.0, -500.0, 0.0))
    places = [(80.0, 40.0), *(places[0][:2] for places in result.path)]
    moves = [(d - a, e - b) for (a, b), (d, e) in itertools.pairwise(places)]
    turn = next(i for i, (_, dy) in enumerate(moves) if dy > 0)
    lost = (moves[turn - 1][0] - moves[turn][0]) / DT
    across = -moves[turn - 1][1] / DT
    assert lost == pytest.approx(0.2 * 1.5525 * across, rel=0.03)


def test_the_space_is_set_up_as_the_document_says():
    flick = _Flick(STANDARD, [100.0, 200.0], [117.5, 117.5], [True, True], 0)
    space = flick.space
    assert (space.gravity, space.damping) == ((0.0, 0.0), 1.0)
    assert (space.iterations, space.collision_slop) == (10, 0.05)
    walls, lintels = len(STANDARD.pieces), len(STANDARD.lintels)
    categories = [shape.filter.categories for shape in space.shapes]
    assert categories == [1] * walls + [2] * lintels + [4, 4]
    matter = [(shape.elasticity, shape.friction) for shape in space.shapes]
    assert matter == [(0.65, 0.4)] * (walls + lintels) + [(0.85, 0.5)] * 2
    assert {(body.mass, body.moment) for body in space.bodies} == {(1.0, 112.5)}
    forces = [(joint.max_bias, joint.max_force) for joint in space.constraints]
    assert forces == [(0.0, 0.09 * 9810.0), (0.0, 45.0 * 112.5)] * 2


def test_touches_are_told_clockwise_from_the_flicked_seat():
    at = [(150.0, 117.5), (200.0, 117.5), (100.0, 117.5)]
    result = flick(*at, flicked=2, velocity=(900.0, 0.0, 0.0))
    assert kinds(result) == [(TOUCH, 2, 0), (TOUCH, 0, 1)]
    at = [(200.0, 117.5), (150.0, 117.5), (100.0, 117.5)]
    result = flick(*at, flicked=2, velocity=(900.0, 0.0, 0.0))
    assert kinds(result) == [(TOUCH, 2, 1), (TOUCH, 0, 1)]


def test_events_of_a_step_come_in_the_order_of_a1():
    """Seat 1 is flicked at 3 and 0, which stand the same way to both of its sides."""
    at = [(180.0, 135.0), (140.0, 117.5), (500.0, 500.0), (180.0, 100.0)]
    result = flick(*at, flicked=1, velocity=(500.0, 0.0, 0.0))
    assert kinds(result)[:2] == [(TOUCH, 1, 3), (TOUCH, 1, 0)]
    assert result.events[0][0] == result.events[1][0]


def test_a_pair_touches_once_in_a_flick():
    result = flick((30.0, 117.5), (60.0, 117.5), velocity=(1500.0, 0.0, 0.0))
    assert kinds(result).count((TOUCH, 0, 1)) == 1


def test_two_at_rest_do_not_touch():
    at = [(100.0, 100.0), (500.0, 500.0), (530.0, 500.0)]
    result = flick(*at, velocity=(500.0, 0.0, 0.0))
    assert result.events == []
    assert (result.x[1:], result.y[1:]) == ([500.0, 530.0], [500.0, 500.0])


def test_a_penguin_that_jumps_over_another_does_not_touch_it():
    result = flick((80.0, 117.5), (180.0, 117.5), velocity=(700.0, 0.0, 1400.0))
    assert result.events == []
    assert result.x[0] > 210.0
    assert result.x[1] == 180.0


def test_a_penguin_in_the_air_bumps_into_a_head():
    result = flick((80.0, 117.5), (180.0, 117.5), velocity=(700.0, 0.0, 700.0))
    ((step, *touch),) = result.events
    assert touch == [TOUCH, 0, 1]
    assert 0.0 < result.path[step - 1][0][2] < 42.0
    assert result.x[1] > 200.0


def test_one_that_is_off_the_board_takes_no_part():
    at = [(100.0, 117.5), (150.0, 117.5)]
    x, y = [a for a, _ in at], [b for _, b in at]
    result = slide(STANDARD, x, y, [True, False], 0, (500.0, 0.0, 0.0), 0.0)
    alone = flick(at[0], velocity=(500.0, 0.0, 0.0))
    assert result.events == []
    assert (result.x, result.y) == ([alone.x[0], 150.0], [alone.y[0], 117.5])
    assert [places[1] for places in result.path] == [(150.0, 117.5, 0.0)] * result.steps


def test_the_same_flick_gives_the_same_bits_and_leaves_its_input_alone():
    x, y, on_board = [100.0, 200.0, 250.0], [117.5, 120.0, 60.0], [True] * 3
    velocity = (2000.0, 100.0, 0.0)
    first = slide(STANDARD, x, y, on_board, 0, velocity, 40.0)
    flick(CIRCLE, velocity=(FASTEST, 0.0, 0.0))
    assert slide(STANDARD, x, y, on_board, 0, velocity, 40.0) == first
    assert (x, y) == ([100.0, 200.0, 250.0], [117.5, 120.0, 60.0])


def pushed(*at: tuple[float, float], seats: list[int] | None = None):
    x, y = [a for a, _ in at], [b for _, b in at]
    everybody = list(range(len(at)))
    push_apart(STANDARD.pieces, x, y, everybody if seats is None else seats)
    return list(zip(x, y, strict=True))


def test_pushing_apart():
    assert pushed((100.0, 100.0), (100.0, 100.0)) == [(85.0, 100.0), (115.0, 100.0)]
    assert pushed((100.0, 110.0), (100.0, 90.0)) == [(100.0, 115.0), (100.0, 85.0)]
    assert pushed((100.0, 100.0), (130.0, 100.0)) == [(100.0, 100.0), (130.0, 100.0)]
    assert pushed((100.0, 17.0), seats=[]) == [(100.0, 17.0)]


def test_pushing_away_from_walls():
    assert pushed((100.0, 17.0)) == [(100.0, 18.0)]
    assert pushed((17.0, 100.0)) == [(18.0, 100.0)]
    assert pushed((200.0, 235.0)) == [(200.0, 253.0)]  # on a level wall
    assert pushed((365.0, 200.0)) == [(383.0, 200.0)]  # on an upright wall
    assert pushed((365.0, 80.0)) == [(365.0, 80.0)]  # in a door
    assert pushed((365.0, 60.0)) == [(365.0, 65.0)]  # at the round end of a piece


def test_pushing_from_a_wall_onto_another_penguin_settles():
    ((x0, y0), (x1, y1)) = pushed((10.0, 100.0), (40.0, 100.0))
    assert x0 == pytest.approx(18.0, abs=1e-6)
    assert x1 - x0 >= 30.0 - 1e-9
    assert (y0, y1) == (100.0, 100.0)
