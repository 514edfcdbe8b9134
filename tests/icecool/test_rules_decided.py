"""What the rules of ICECOOL leave open: the decisions A1 to A15.

They are numbered as in ``docs/rules/icecool.md``; those that stand there under the
rule that they belong to have their number of the list that the rules were written from.
A16 to A22 are in ``test_rules_game.py``.
"""

import math

import pytest

from icecool_env.physics.slide import Flick, slide
from icecool_env.state import FLICK, PLACE
from tests.icecool.positions import (
    C1,
    CIRCLE,
    D1,
    D2,
    D4,
    FROM_RED_LINE,
    flick,
    hand,
    has_fish,
    leaves,
    num_cards,
    passes,
    set_up,
    touch,
    turn,
    walk,
    where,
)

pytestmark = pytest.mark.nojit

STAND = (300.0, 150.0)
"""Where another penguin stands in the way."""


def test_a1_in_a_step_touches_come_first_then_doors_then_exits():
    """The one penguin leaves while another passes a door and a third is hit."""
    position = set_up(
        num_players=4,
        places={0: (80, 216), 1: (20, 300), 2: (320, 70), 3: (349.9, 70)},
    )
    ways = {
        1: [(10, 300), (-1, 300)],
        0: [(80, 240), (80, 253)],
        3: [(349.8, 70), (349, 70)],
    }
    assert walk(position, ways) == [
        (1, 0, 2, 3),
        (2, 1, 0, D1),
        (2, 2, 1, -1),
    ]


def test_a1_within_a_kind_by_seat_clockwise_from_the_player_who_flicked():
    spots = {seat: (50 + 31 * seat, 150) for seat in range(4)}
    position = set_up(num_players=4, places=spots)
    closer = {seat: [(50 + 30 * seat, 150)] for seat in (2, 3, 1)}
    events = walk(position, closer)
    assert [event[2:] for event in events] == [(2, 3), (2, 1), (0, 1)]
    ways = {seat: [(80, 240), (80, 253)] for seat in (2, 0, 3, 1)}
    doors = {seat: (80, 217) for seat in range(4)}
    passed = walk(set_up(num_players=4, places=doors), ways)
    order = [seat for _, kind, seat, _ in passed if kind == 1]
    assert order == [2, 3, 0, 1]
    out = walk(set_up(num_players=4), {seat: [(-1, 9)] for seat in (3, 0, 1, 2)})
    assert [event[2] for event in out if event[1] == 2] == [3, 0, 1, 2]


def test_a1_who_draws_first_gets_the_first_card():
    position = set_up(left="2")
    state = flick(position, passes(4, 1, D1), passes(4, 2, D1))
    assert (hand(state, 1), hand(state, 2)) == ("2", "")
    assert has_fish(state, 2) == [D1]


@pytest.mark.parametrize("finish", [False, True])
def test_a2_events_after_the_end_of_a_round_do_not_count(finish):
    position = set_up(caught={2: 1}, left="3" * 20, finish_flick=finish)
    state = flick(position, touch(4, 1, 0), passes(5, 2, D1), passes(6, 1, D2))
    assert num_cards(state) == ([3, 1, 1] if finish else [3, 0, 0])


def test_a2_a_third_fish_after_the_last_catch_is_an_end_by_catch():
    position = set_up(caught={2: 1}, fish={1: (D1, D2)})
    state = flick(position, touch(4, 1, 0), passes(5, 1, D4))
    assert state.endings.tolist() == [0, 1, 0]


# A3 to A6: contact


@pytest.mark.parametrize(("x", "touches"), [(270.0, True), (269.99, False)])
def test_a3_discs_touch_at_30_mm(x, touches):
    position = set_up(places={0: STAND})
    assert walk(position, {1: [(200, 150), (x, 150)]}) == (
        [touch(2, 1, 0)] if touches else []
    )


@pytest.mark.parametrize(("height", "touches"), [(0, True), (41.9, True), (42, False)])
def test_a3_flying_over_a_penguin_is_no_touch(height, touches):
    position = set_up(places={0: STAND})
    events = walk(position, {1: [(270, 150, height), (300, 181, 0)]})
    assert events == ([touch(1, 1, 0)] if touches else [])


def test_a3_landing_beside_a_penguin_is_a_touch():
    position = set_up(places={0: STAND})
    assert walk(position, {1: [(280, 150, 50), (290, 150, 0)]}) == [touch(2, 1, 0)]


def test_a3_penguins_at_rest_against_each_other_do_not_touch():
    position = set_up(num_players=4, places={0: STAND, 2: (330, 150)})
    assert walk(position, {1: [(100, 100), (101, 100)]}) == []
    assert walk(position, {2: [(330, 150)]}) == []
    assert walk(position, {2: [(329.99, 150)]}) == [touch(1, 2, 0)]


def test_a3_a_pair_touches_once_in_a_flick():
    position = set_up(places={0: STAND})
    ways = [(270, 150), (240, 150), (270, 150)]
    assert walk(position, {1: ways}) == [touch(1, 1, 0)]


def test_a4_runners_that_touch_each_other_are_no_event_of_the_rules():
    state = flick(set_up(num_players=4), touch(3, 1, 2), touch(4, 1, 3))
    assert not state.caught.any()
    assert turn(state) == (2, FLICK)


def test_a5_in_a_chain_only_who_touches_the_catcher_is_caught():
    position = set_up(num_players=4)
    state = flick(position, touch(3, 1, 2), touch(4, 0, 2))
    assert state.caught.tolist() == [0, 0, 1, 0]


def test_a6_caught_once_a_round():
    position = set_up(num_players=4, player=0)
    state = flick(position, touch(3, 0, 1), touch(9, 0, 1))
    assert state.caught.tolist() == [0, 1, 0, 0]
    state = flick(position, touch(3, 1, 0))
    assert state.caught.tolist() == [0, 1, 0, 0]
    assert state.endings.sum() == 0


# A7 to A9: doors


def d1(*across: float, x: float = 80.0) -> list[tuple[float, float]]:
    """Return a way by its distances from the wall of D1."""
    return [(x, 235 + distance) for distance in across]


@pytest.mark.parametrize(
    ("across", "passed_at"),
    [
        ((-17, 17, 18), [3]),
        ((-17, 17.9, 17.9), []),
        ((17, -1, 18), [3]),
        ((18, 0, -18), [1]),
        ((18, -18, 18), [1]),
        ((0, -18), []),
        ((-1, 1, -1, 1, -18), []),
        ((-1, 1, -1, 1, 18), [5]),
    ],
)
def test_a7_clear_on_the_other_side_is_a_pass_the_first_time(across, passed_at):
    position = set_up(places={1: (80, 210)})
    assert walk(position, {1: d1(*across)}) == [passes(s, 1, D1) for s in passed_at]


def test_a7_downwards_as_well():
    position = set_up(places={1: (80, 260)})
    assert walk(position, {1: d1(10, -10, -18)}) == [passes(3, 1, D1)]


def test_a7_an_upright_door():
    position = set_up(places={1: (210, 520)})
    way = [(x, 520.0) for x in (230, 240, 253)]
    assert walk(position, {1: way}) == [passes(3, 1, D2)]


def test_a7_where_it_crosses_the_plane_decides():
    position = set_up(places={1: (80, 210)})
    into = [(45.0, 230.0), (54.0, 239.0), (54.0, 260.0)]
    beside = [(45.0, 230.0), (54.0, 240.1), (54.0, 260.0)]
    assert walk(position, {1: into}) == [passes(3, 1, D1)]
    assert walk(position, {1: beside}) == []


def test_a7_the_last_crossing_counts():
    over, under = 70.0, 0.0
    position = set_up(places={1: (80, 210)})
    crossings = [(80, 236), (80, 234), (80, 236)]
    for heights, passed in (((over, over, under), 1), ((under, under, over), 0)):
        way = [(*p, h) for p, h in zip(crossings, heights, strict=True)]
        assert len(walk(position, {1: [*way, (80, 260, 0)]})) == passed


def test_a7_it_may_have_come_around_through_other_doors():
    """Above the plane of D1 through C1, and back below it through D1."""
    position = set_up(places={1: (300, 200)})
    way = [(300, y) for y in (230, 240, 260)]
    events = walk(position, {1: [*way, (80, 300), (80, 240), (80, 230), (80, 210)]})
    assert events == [passes(3, 1, C1), passes(7, 1, D1)]


def test_a7_a_pass_over_two_flicks_never_counts():
    first = walk(set_up(places={1: (80, 210)}), {1: d1(0)})
    second = walk(set_up(places={1: (80, 235)}), {1: d1(10, 30)})
    assert (first, second) == ([], [])


def test_a7_a_penguin_near_the_plane_but_beside_the_opening_is_on_a_side():
    position = set_up(places={1: (112.5, 217.5)})
    way = [(100.0, 230.0), (90.0, 240.0), (80.0, 260.0)]
    assert walk(position, {1: way}) == [passes(3, 1, D1)]


def test_a7_a_pushed_penguin_passes_as_well():
    position = set_up(places={1: (80, 210)})
    ways = {0: [(417, 480), (417, 470), (417, 460)], 1: d1(-10, 10, 18)}
    assert walk(position, ways) == [passes(3, 1, D1)]


@pytest.mark.parametrize("start", [-17.9, 0.0, 17.9])
def test_a8_a_penguin_that_starts_stuck_has_no_side_until_it_is_clear(start):
    position = set_up(places={1: (80, 235 + start)})
    assert walk(position, {1: d1(-18)}) == walk(position, {1: d1(18)}) == []
    assert walk(position, {1: d1(-18, -1, 1, 18)}) == [passes(4, 1, D1)]


@pytest.mark.parametrize("strict", [True, False])
def test_a8_and_by_an_option_it_gets_the_fish_once_it_has_been_clear(strict):
    position = set_up(places={1: (80, 235)}, stuck_strict=strict)
    state = flick(position, *walk(position, {1: d1(-18, -1, 1, 18)}))
    assert has_fish(state, 1) == ([] if strict else [D1])


def test_a9_simulated_under_the_lintel_it_passes_and_in_a_hop_it_hits_it():
    start = [(80.0, 150.0)]
    flat = slide(start, Flick(0, (0.0, 600.0, 0.0)))
    assert [event[1:] for event in flat.events] == [(1, 0, D1)]
    hop = slide(start, Flick(0, (0.0, 600.0, 700.0)))
    assert hop.events == []
    assert hop.poses[0, 1] < 235 - 17


# A10 to A15: places


@pytest.mark.parametrize(
    ("point", "out"),
    [
        ((-0.1, 300, 64.9), True),
        ((-0.1, 300, 65), False),
        ((0, 300, 0), False),
        ((600.1, 300, 0), True),
        ((300, -0.1, 0), True),
        ((600, 600, 0), False),
    ],
)
def test_a10_out_is_in_no_room_and_below_the_top_of_the_walls(point, out):
    x, y, _ = point
    position = set_up(places={1: (abs(x - 0.5), abs(y - 0.5))})
    assert walk(position, {1: [point]}) == ([leaves(1, 1)] if out else [])


def test_a10_a_penguin_that_is_out_does_nothing_more():
    position = set_up(places={0: (28, 300), 1: (20, 331)})
    way = [(-1, 300), (10, 300), (80, 230), (80, 260)]
    assert walk(position, {1: way}) == [touch(1, 1, 0), leaves(1, 1)]


@pytest.mark.parametrize(("up", "stays"), [(19.99, True), (20.0, False)])
def test_a11_on_the_circle_is_less_than_20_mm_from_its_middle(up, stays):
    position = set_up(places={1: CIRCLE}, first_flick=(1,))
    state = flick(position, to={1: (CIRCLE[0], CIRCLE[1] + up)})
    assert state.player == (1 if stays else 2)


def test_a11_after_20_flicks_a_free_point_of_the_red_line():
    position = set_up(
        places={1: CIRCLE, 2: (182.5, 192)}, first_flick=(1,), reflicks=19
    )
    state = flick(position, to={1: (182.5, 125)})
    assert where(state, 1) == pytest.approx((182.5 - 30.01, 192))
    assert state.first_flick[1] == 0


@pytest.mark.parametrize(
    ("blockers", "spot"),
    [
        ([(182.5, 117.5)], (182.5 - 30.01, 117.5)),
        ([(192.5, 117.5)], (192.5 - 30.01, 117.5)),
        ([(162.5, 117.5), (202.5, 117.5)], (182.5, 117.5 - math.sqrt(30.01**2 - 400))),
    ],
)
def test_a12_the_nearest_spot_to_the_circle_ties_to_lower_x_then_y(blockers, spot):
    places = dict(zip((0, 2), blockers, strict=False))
    position = set_up(num_players=4, player=3, places={1: None, **places})
    position.states[0].player = 0
    state = flick(position)
    assert where(state, 1) == pytest.approx(spot)


def test_a12_three_penguins_about_the_circle():
    angles = (math.radians(a) for a in (90, 210, 330))
    ring = [(182.5 + 20 * math.cos(a), 117.5 + 20 * math.sin(a)) for a in angles]
    position = set_up(
        num_players=4, player=0, places={0: ring[0], 1: None, 2: ring[1], 3: ring[2]}
    )
    state = flick(position)
    x, y = where(state, 1)
    gaps = [math.dist((x, y), spot) for spot in ring]
    assert sorted(gaps)[:2] == pytest.approx([30.01, 30.01])
    assert x < 182.5


def test_a13_a_penguin_moved_to_the_red_line_never_overlaps():
    places = {0: (43, 80), 1: (20, 100), 2: (43, 120)}
    position = set_up(places=places)
    state = flick(position, action=FROM_RED_LINE)
    assert where(state, 1) == pytest.approx((43, 80 - 30.01))


def test_a13_if_no_point_is_free_it_stays():
    """A school with a room so small that its red line is a single point."""
    school = {
        "rooms": [
            ["Classroom", 0, 0, 200, 86],
            ["Kitchen", 0, 86, 200, 300],
            ["Closet", 200, 0, 286, 86],
        ],
        "doors": [
            ["A", ["Classroom", "Kitchen"], 50, True],
            ["B", ["Classroom", "Kitchen"], 150, True],
            ["C", ["Classroom", "Closet"], 43, True],
        ],
    }
    places = {0: (243, 43), 1: (200, 43), 2: (100, 200)}
    position = set_up(places=places, school=school, stuck_move="must")
    state = flick(position, action=FROM_RED_LINE)
    assert where(state, 1) == (200, 43)


def test_a14_stuck_is_less_than_18_mm_and_within_the_opening():
    observation = {}
    for y in (217.0, 217.01, 223.0, 223.01, 246.99, 247.0, 252.99, 253.0):
        position = set_up(places={1: (80, y)})
        seen = position.game.observation_layout.split(position.observation(1))
        observation[y] = (seen["stuck_0"], seen["choice_of_rooms_0"])
        assert seen["close_to_wall_0"] == (1 - seen["stuck_0"])
    assert observation == {
        217.0: (0, 0),
        217.01: (1, 0),
        223.0: (1, 0),
        223.01: (1, 1),
        246.99: (1, 1),
        247.0: (1, 0),
        252.99: (1, 0),
        253.0: (0, 0),
    }


def test_a15_the_catcher_is_asked_in_each_round():
    position = set_up(fish={1: (D1, D2)})
    assert turn(flick(position, passes(4, 1, D4))) == (1, PLACE)
