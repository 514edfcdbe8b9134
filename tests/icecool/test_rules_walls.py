"""ICECOOL rule by rule, R27 to R36: walls, doorways, out of the school."""

import math

import numpy as np
import pytest

from game_core import Position
from icecool_env import rules
from icecool_env.state import FLICK, SKATES
from tests.icecool.positions import (
    CIRCLE,
    D1,
    D2,
    FROM_OTHER_ROOM,
    FROM_RED_LINE,
    IN_CLASSROOM,
    IN_GYM,
    IN_KITCHEN,
    IN_LUNCHROOM,
    flick,
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

OUT = (-40.0, 80.0)


# R19 to R23


# R27 to R33


def flicked_from(position: Position, action=FROM_RED_LINE) -> tuple[float, float]:
    """Return where the penguin of the player to move is flicked from."""
    state = position.copy().states[0]
    rules.set_up_flick(state, np.array(action, np.float32))
    seat = state.flicked
    assert (state.was_x[seat], state.was_y[seat]) == where(state, seat)
    return where(state, seat)


@pytest.mark.parametrize(
    ("spot", "line"),
    [
        ((42.9, 100), (43, 100)),
        ((18, 18), (43, 43)),
        ((200, 200), (200, 192)),
        ((340, 117.5), (322, 117.5)),
        ((300, 340), (300, 322)),
        ((590, 400), (557, 408)),
    ],
)
def test_r27_close_to_a_wall_it_may_be_put_on_the_red_line(spot, line):
    position = set_up(places={0: IN_LUNCHROOM, 1: spot, 2: (482.5, 100)})
    assert flicked_from(position) == line
    assert flicked_from(position, FROM_OTHER_ROOM) == line
    assert flicked_from(position, (1, 0, 0, 0, -1, 0)) == spot


@pytest.mark.parametrize("spot", [(43, 43), (322, 192), (100, 100), (43, 100)])
def test_r27_on_the_line_or_inside_it_stays(spot):
    assert flicked_from(set_up(places={1: spot, 2: IN_GYM})) == spot


def test_r27_the_catcher_may_too():
    position = set_up(player=0, places={0: (560, 500)})
    assert flicked_from(position) == (557, 500)


def test_r27_the_next_free_point_if_another_penguin_is_in_the_way():
    position = set_up(places={1: (25, 100), 2: (43, 110)})
    assert flicked_from(position) == pytest.approx((43, 110 - 30.01))
    beside = set_up(places={1: (25, 100), 2: (43, 130.01)})
    assert flicked_from(beside) == (43, 100)


def test_r27_of_two_points_as_near_the_lower_x_then_the_lower_y():
    level = set_up(places={1: (100, 25), 2: (100, 43)})
    assert flicked_from(level) == pytest.approx((100 - 30.01, 43))
    upright = set_up(places={1: (25, 100), 2: (43, 100)})
    assert flicked_from(upright) == pytest.approx((43, 100 - 30.01))


def test_r28_the_red_line_runs_past_doors():
    assert flicked_from(set_up(places={1: (80, 210)})) == (80, 192)


@pytest.mark.parametrize(
    ("across", "own", "other"),
    [
        (-18.0, (80, 192), (80, 192)),
        (-17.99, (80, 192), (80, 192)),
        (-12.0, (80, 192), (80, 192)),
        (-11.99, (80, 192), (80, 278)),
        (0.0, (80, 278), (80, 192)),
        (11.99, (80, 278), (80, 192)),
        (12.0, (80, 278), (80, 278)),
        (18.0, (80, 278), (80, 278)),
    ],
)
def test_r32_the_room_of_its_side_or_either_if_visible_on_both(across, own, other):
    places = {1: (80, 235 + across), 2: IN_GYM}
    position = set_up(places=places)
    assert flicked_from(position) == own
    assert flicked_from(position, FROM_OTHER_ROOM) == other
    majority = set_up(places=places, stuck_room="majority")
    assert flicked_from(majority) == own
    assert flicked_from(majority, FROM_OTHER_ROOM) == own


def test_r32_of_an_upright_door_too():
    position = set_up(places={1: (230, 520)})
    assert flicked_from(position) == (192, 520)
    assert flicked_from(position, FROM_OTHER_ROOM) == (278, 520)


@pytest.mark.parametrize(
    ("spot", "passed"),
    [((80, 217), [D1]), ((80, 217.1), []), ((80, 240), []), ((47, 217.2), [D1])],
)
def test_r29_r33_from_under_the_frame_there_is_no_fish_of_that_door(spot, passed):
    state = flick(set_up(places={1: spot}), passes(4, 1, D1))
    assert has_fish(state, 1) == passed
    lenient = flick(set_up(places={1: spot}, stuck_strict=False), passes(4, 1, D1))
    assert has_fish(lenient, 1) == [D1]


def test_r29_the_opening_is_30_mm_to_each_side_of_the_middle():
    for x, stuck in ((50, True), (49.9, False), (110, True), (110.1, False)):
        position = set_up(places={1: (x, 217.2)})
        assert rules.was_stuck_in(_flicked(position), 1, D1) == stuck
        state = flick(position, passes(4, 1, D1))
        assert has_fish(state, 1) == ([] if stuck else [D1])


def _flicked(position: Position):
    state = position.copy().states[0]
    rules.set_up_flick(state, np.zeros(6, np.float32))
    return state


def test_r29_stopping_under_the_frame_is_no_pass():
    way = [(80.0, 200.0), (80.0, 237.0), (80.0, 252.9)]
    assert walk(set_up(), {1: way}) == []


def test_r31_through_and_back_and_stuck_has_passed():
    way = [(80.0, y) for y in (200.0, 230.0, 240.0, 254.0, 240.0, 235.5)]
    assert walk(set_up(), {1: way}) == [passes(4, 1, D1)]


def test_r33_other_doors_count_for_a_penguin_that_was_stuck():
    state = flick(set_up(places={1: (80, 235)}), passes(4, 1, D2))
    assert has_fish(state, 1) == [D2]


def test_r33_from_the_red_line_there_is_a_fish():
    position = set_up(places={1: (80, 235)})
    state = flick(position, passes(4, 1, D1), action=FROM_OTHER_ROOM)
    assert has_fish(state, 1) == [D1]


def test_r33_a_stuck_penguin_may_stay_or_by_an_option_must_move():
    assert flicked_from(set_up(places={1: (80, 230)}), (1, 0, 0, 0, 0, -1)) == (80, 230)
    must = set_up(places={1: (80, 230)}, stuck_move="must")
    assert flicked_from(must, (1, 0, 0, 0, 0, -1)) == (80, 192)
    assert flicked_from(must, FROM_OTHER_ROOM) == (80, 278)
    near_a_wall = set_up(places={1: (25, 100)}, stuck_move="must")
    assert flicked_from(near_a_wall, (1, 0, 0, 0, 0, -1)) == (25, 100)


def test_r33_a_pushed_penguin_that_was_stuck_gets_no_fish_of_that_door():
    position = set_up(player=0, places={1: (80, 235)})
    assert has_fish(flick(position, passes(4, 1, D1)), 1) == []


# R30, R34 to R36


def test_r30_a_pushed_penguin_takes_fish_is_caught_and_stays():
    position = set_up(player=2)
    state = flick(position, touch(3, 1, 0), passes(4, 1, D1), to={1: (90, 270)})
    assert (has_fish(state, 1), state.caught[1]) == ([D1], 1)
    assert num_cards(state) == [0, 1, 0]
    assert where(state, 1) == (90, 270)


def test_r34_out_by_its_own_flick_it_goes_back_and_the_turn_ends():
    state = flick(set_up(), leaves(9, 1), to={1: OUT})
    assert (where(state, 1), turn(state)) == (IN_CLASSROOM, (2, FLICK))


def test_r34_back_to_the_red_line_it_was_flicked_from():
    position = set_up(places={1: (25, 100)})
    state = flick(position, leaves(9, 1), to={1: OUT}, action=FROM_RED_LINE)
    assert where(state, 1) == (43, 100)


def test_r34_skates_are_allowed():
    assert turn(flick(set_up(hands={1: "11"}), leaves(9, 1))) == (1, SKATES)


def test_r34_the_turn_ends_on_the_circle_too():
    position = set_up(places={1: CIRCLE}, first_flick=(1,))
    assert turn(flick(position, leaves(9, 1))) == (2, FLICK)


@pytest.mark.parametrize("void", [False, True])
def test_r34_events_before_it_left_stand_unless_an_option_says_no(void):
    position = set_up(num_players=4, void_on_exit=void)
    events = [touch(2, 1, 0), passes(3, 1, D1), passes(4, 2, D1), leaves(9, 1)]
    state = flick(position, *events, to={1: OUT})
    assert has_fish(state, 1) == ([] if void else [D1])
    assert state.caught[1] == (0 if void else 1)
    assert has_fish(state, 2) == [D1]


def test_r34_with_void_on_exit_a_catch_by_a_catcher_that_leaves_does_not_count():
    for void, times in ((False, 1), (True, 0)):
        position = set_up(player=0, void_on_exit=void)
        state = flick(position, touch(2, 0, 1), leaves(9, 0), to={0: OUT})
        assert state.caught[1] == times


def test_r35_knocked_out_by_another_it_goes_back_to_its_spot():
    state = flick(set_up(player=0), leaves(5, 1), to={1: OUT, 0: IN_GYM})
    assert (where(state, 1), where(state, 0)) == (IN_CLASSROOM, IN_GYM)
    assert turn(state) == (1, FLICK)


def test_r35_the_flick_of_another_may_be_repeated():
    position = set_up(places={1: CIRCLE}, first_flick=(1,))
    assert turn(flick(position, leaves(9, 2))) == (1, FLICK)


def test_r34_r35_if_the_spot_is_overlapped_to_the_nearest_that_is_free():
    position = set_up(player=0, places={1: (150, 100)})
    state = flick(position, leaves(5, 1), to={1: OUT, 0: (160, 100)})
    assert where(state, 1) == pytest.approx((160 - 30.01, 100))


def test_r34_back_to_the_exact_spot_beside_a_penguin_that_it_touched():
    """Penguins at rest against each other are 30 mm apart but for rounding."""
    for degrees in range(0, 360, 5):
        angle = math.radians(degrees)
        beside = (100 + 30 * math.cos(angle), 117.5 + 30 * math.sin(angle))
        position = set_up(places={1: beside, 2: (100, 117.5)})
        state = flick(position, leaves(5, 1), to={1: OUT})
        assert where(state, 1) == beside, degrees


def test_r34_r35_two_that_left_go_back_both_to_their_spots():
    position = set_up(player=0, places={0: (100, 100), 1: (130, 100)})
    state = flick(position, leaves(5, 0), leaves(6, 1), to={0: OUT, 1: OUT})
    assert (where(state, 0), where(state, 1)) == ((100, 100), (130, 100))


def test_r36_penguins_off_the_board_stay_off_and_those_at_rest_stay():
    position = set_up(num_players=4, places={3: None})
    state = flick(position, to={1: IN_GYM})
    assert (where(state, 0), where(state, 2)) == (IN_KITCHEN, IN_LUNCHROOM)
    assert not state.on_board[3]
