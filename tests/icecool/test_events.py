"""What is noted on the way of a flick: flicks whose outcome is known."""

import math

import numpy as np
import pytest

from icecool_env.physics.slide import Flick, slide
from icecool_env.school import STANDARD
from icecool_env.state import EXIT, PASS, TOUCH
from tests.icecool.poses import flick_by

CIRCLE = (182.5, 117.5)  # R12: the middle of the Classroom
D1, D2, D3, D4, C1, C2, C4 = range(7)
CLEAR = 18.0

pytestmark = pytest.mark.bounds


def kinds(result) -> list[tuple[int, int, int]]:
    """Return the events without their steps."""
    return [event[1:] for event in result.events]


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("number", range(7))
def test_a_straight_flick_passes_a_door_when_it_is_clear(number, side):
    door = STANDARD.doors[number]
    wall = STANDARD.wall_of(door)
    axis = 0 if wall.upright else 1
    start = [door.at, door.at]
    start[axis] = wall.place - side * 60.0
    angle = (0.0 if wall.upright else math.pi / 2) + (math.pi if side < 0 else 0.0)
    result = slide([start], flick_by(0, angle, 0.2))
    assert kinds(result) == [(PASS, 0, number)]
    step = result.events[0][0]
    across = side * (result.path[:, 0, axis] - wall.place)
    assert across[step - 2] < CLEAR <= across[step - 1]


@pytest.mark.parametrize(
    ("angle", "strength", "side", "doors"),
    [
        (2.582, 0.407, 0.832, [D1, D2]),
        (2.582, 0.877, 0.761, [D1, D2, D3]),
        (5.724, 0.895, -0.734, [D4, D3]),
        (5.664, 0.803, -0.798, [D4, D3, D2]),
        (0.386, 0.701, -0.904, [C1, C2]),
    ],
)
def test_a_curve_passes_several_doors_in_one_flick(angle, strength, side, doors):
    result = slide([CIRCLE], flick_by(0, angle, strength, side))
    assert kinds(result) == [(PASS, 0, door) for door in doors]


@pytest.mark.parametrize("y", [80.0, 150.0])
def test_a_jump_over_a_wall_or_a_door_is_no_pass(y):
    result = slide([(250.0, y)], Flick(0, (900.0, 0.0, 1500.0)))
    assert result.poses[0][0] > 365.0 + CLEAR
    assert result.events == []


def test_a_head_meets_the_lintel():
    result = slide([(300.0, 80.0)], Flick(0, (600.0, 0.0, 700.0)))
    x, z = result.path[:, 0, 0], result.path[:, 0, 2]
    near = z[x > 340.0]
    assert 8.0 < near.min() <= near.max() < 65.0
    assert 345.0 < x.max() < 365.0
    assert result.events == []


def test_a_hop_under_the_lintel_is_a_pass():
    """Its head stays below: the apex is at 5 mm."""
    result = slide([(300.0, 80.0)], Flick(0, (900.0, 0.0, 310.0)))
    over = result.path[:, 0, 2] > 0.0
    assert np.any(over & (np.abs(result.path[:, 0, 0] - 365.0) < CLEAR))
    assert kinds(result) == [(PASS, 0, D4)]


def test_who_stops_in_a_doorway_has_not_passed():
    result = slide([(300.0, 80.0)], Flick(0, (333.0, 0.0, 0.0)))
    assert abs(result.poses[0][0] - 365.0) < CLEAR
    assert result.events == []


def test_passing_in_two_flicks_does_not_count():
    half_way = slide([(300.0, 80.0)], Flick(0, (333.0, 0.0, 0.0))).poses
    assert slide(half_way, Flick(0, (400.0, 0.0, 0.0))).events == []


@pytest.mark.parametrize("direction", [-1, 1])
def test_who_starts_stuck_does_not_pass_by_leaving(direction):
    result = slide([(365.0, 80.0)], Flick(0, (direction * 400.0, 0.0, 0.0)))
    assert abs(result.poses[0][0] - 365.0) > CLEAR
    assert result.events == []


def test_who_starts_stuck_and_comes_back_through_passes():
    """The rules decide what that is worth (R33)."""
    result = slide([(365.0, 300.0)], Flick(0, (1500.0, 0.0, 0.0)))
    assert result.poses[0][0] < 365.0 - CLEAR
    assert kinds(result) == [(PASS, 0, C4)]


@pytest.mark.parametrize(
    ("speed", "least", "most"),
    [(1260.0, 383.0, 600.0), (1320.0, 347.0, 383.0), (1500.0, 0.0, 347.0)],
)
def test_who_passed_and_comes_back_has_passed_once(speed, least, most):
    result = slide([(300.0, 300.0)], Flick(0, (speed, 0.0, 0.0)))
    assert least < result.poses[0][0] < most
    assert kinds(result) == [(PASS, 0, C4)]


@pytest.mark.parametrize("up", [0.0, 300.0, 600.0])
def test_a_wall_lies_between_penguins_on_both_sides_of_it(up):
    """However hard one hits it, and however close to it the other one stands."""
    for start in np.arange(43.0, 49.0, 0.25):
        flick = Flick(0, (0.0, float(np.sqrt(2200.0**2 - up**2)), up))
        result = slide([(190.0, start), (190.0, 253.0)], flick)
        assert (TOUCH, 0, 1) not in kinds(result)
        assert result.poses[1].tolist() == [190.0, 253.0]


def test_who_is_only_pressed_against_another_touches_it():
    """A landing between two moves them apart without giving them speed."""
    poses = [(250.314, 114.312), (182.5, 117.5), (152.6377, 120.3812)]
    result = slide(poses, Flick(0, (-396.23, 29.06, 1427.57)))
    touching = {event[1:] for event in result.events if event[1] == TOUCH}
    moved = np.hypot(*(result.poses[1] - poses[1])) > 0.1
    assert moved
    assert {frozenset(pair) for _, *pair in touching} >= {frozenset((1, 2))}


def test_touching_counts_once():
    result = slide([(30.0, 117.5), (60.0, 117.5)], Flick(0, (1500.0, 0.0, 0.0)))
    assert kinds(result).count((TOUCH, 0, 1)) == 1


def test_a_low_hop_touches_and_a_high_one_flies_over():
    places = [(80.0, 117.5), (180.0, 117.5)]
    low = slide(places, Flick(0, (700.0, 0.0, 700.0)))
    ((step, *event),) = low.events
    assert event == [TOUCH, 0, 1]
    assert 0.0 < low.path[step - 1, 0, 2] < 42.0
    high = slide(places, Flick(0, (700.0, 0.0, 1400.0)))
    assert high.events == []
    assert high.poses[0][0] > 210.0
    assert tuple(high.poses[1]) == places[1]


def test_two_at_rest_do_not_touch():
    places = [(100.0, 100.0), (500.0, 500.0), (530.0, 500.0)]
    result = slide(places, Flick(0, (500.0, 0.0, 0.0)))
    assert result.events == []
    assert result.poses[1:].tolist() == [[500.0, 500.0], [530.0, 500.0]]


def test_who_is_pushed_touches_and_passes():
    result = slide([(300.0, 80.0), (340.0, 80.0)], Flick(0, (900.0, 0.0, 0.0)))
    assert kinds(result)[:2] == [(TOUCH, 0, 1), (PASS, 1, D4)]


def test_a_push_is_handed_on():
    places = [(100.0, 117.5), (200.0, 117.5), (150.0, 117.5)]
    result = slide(places, Flick(0, (1200.0, 0.0, 0.0)))
    assert kinds(result)[:2] == [(TOUCH, 0, 2), (TOUCH, 1, 2)]


def test_a_jump_over_the_outer_wall_leaves_the_school():
    result = slide([CIRCLE], Flick(0, (-900.0, 0.0, 1500.0)))
    ((step, *event),) = result.events
    assert event == [EXIT, 0, -1]
    x, y, z = result.path[step - 1, 0]
    assert x < 0.0
    assert z < 65.0 <= result.path[step - 2, 0, 2]
    assert np.all(result.path[step:, 0] == (x, y, 0.0))
    assert result.poses[0].tolist() == [x, y]


def test_who_jumps_out_may_touch_first():
    """It hits the other one on the head as it rises; both are moving then."""
    places = [(150.0, 117.5), (115.0, 117.5)]
    result = slide(places, Flick(0, (-1000.0, 0.0, 1900.0)))
    assert kinds(result)[0] == (TOUCH, 0, 1)


def test_what_is_off_the_board_is_in_nobodys_way():
    nobody = (math.nan, math.nan)
    alone = slide([CIRCLE], Flick(0, (500.0, 0.0, 0.0)))
    result = slide([nobody, CIRCLE, nobody], Flick(1, (500.0, 0.0, 0.0)))
    assert np.array_equal(result.path[:, 1], alone.path[:, 0])
    assert np.isnan(result.path[:, [0, 2]]).all()
    assert np.isnan(result.poses[[0, 2]]).all()
