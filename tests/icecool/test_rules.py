"""ICECOOL rule by rule, R1 to R14, numbered as in ``docs/rules/icecool.md``.

What happens in a flick is told, not simulated, unless a test says so.
"""

import math

import numpy as np
import pytest

from game_core import Position, load_game
from icecool_env import rules
from icecool_env.physics.slide import Flick, slide
from icecool_env.school import STANDARD
from icecool_env.spots import middle_of
from icecool_env.state import FLICK, PLACE, SKATES
from tests.icecool.positions import (
    CIRCLE,
    D1,
    D2,
    D4,
    FISH_AT,
    FLAT_EAST,
    IN_CLASSROOM,
    IN_GYM,
    IN_KITCHEN,
    IN_LUNCHROOM,
    PLAYER_COUNTS,
    answer,
    flick,
    has_fish,
    leaves,
    num_cards,
    passes,
    place,
    set_up,
    touch,
    turn,
    where,
)

pytestmark = pytest.mark.nojit

ON_CIRCLE = (182.5, 137.4)
OFF_CIRCLE = (182.5, 137.5)  # 20 mm from the middle


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_r1_each_player_has_a_penguin_three_fish_to_win_and_an_id_card(num_players):
    state = set_up(num_players=num_players).states[0]
    assert state.num_players == num_players
    assert [has_fish(state, seat) for seat in range(num_players)] == [[]] * num_players
    assert [rules.id_cards(state, seat) for seat in range(num_players)] == (
        [1] * num_players
    )
    assert num_cards(state) == [0] * num_players


def test_r2_the_school_has_five_rooms_and_seven_doors_three_of_them_with_fish():
    names = [room.name for room in STANDARD.rooms]
    assert sorted(names) == ["Classroom", "Gym", "Kitchen", "Lunchroom", "Recreation"]
    assert len(STANDARD.doors) == 7
    assert [door.name for door in STANDARD.doors if door.fish] == ["D1", "D2", "D4"]
    sides = np.array([room[1:] for room in STANDARD.rooms])
    assert sides.min() == 0
    assert sides.max() == 600
    areas = (sides[:, 2] - sides[:, 0]) * (sides[:, 3] - sides[:, 1])
    assert areas.sum() == 600 * 600


def test_r2_another_plan_can_be_given():
    plan = STANDARD.to_dict()
    plan["kitchen"] = "Gym"
    state = Position.new(load_game("icecool", school=plan, first_catcher=0), 1).state
    rules.place(state, 1.0, -1.0)
    assert where(state, 0) == (557, 43)


@pytest.mark.parametrize(
    ("deck", "cards"),
    [("45", [0, 15, 15, 15]), ("42", [0, 14, 14, 14]), ("tournament", [0, 45, 0, 0])],
)
def test_r3_decks(deck, cards):
    assert Position.new(load_game("icecool", deck=deck), 0).state.deck.tolist() == cards


def test_r3_the_tournament_has_no_skates():
    game = load_game("icecool", num_players=3, deck="tournament", first_catcher=0)
    state = Position.new(game, 0).states[0]
    rules.place(state, 0.0, 0.0)
    rules.put_on_circle(state)
    state.face_down[1, 1] = 5
    state.x[1] = 100
    rules.set_up_flick(state, np.array(FLAT_EAST, np.float32))
    state.x[1] = 250
    rules.judge(state, np.zeros((0, 4), np.int64))
    assert turn(state) == (2, FLICK)


@pytest.mark.parametrize("seat", range(4))
def test_r4_an_option_fixes_the_first_catcher(seat):
    game = load_game("icecool", num_players=4, first_catcher=seat)
    for seed in range(20):
        state = Position.new(game, seed).state
        assert (state.catcher, *turn(state)) == (seat, seat, PLACE)


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_r4_the_first_catcher_is_any_seat(num_players):
    game = load_game("icecool", num_players=num_players)
    catchers = [int(Position.new(game, seed).state.catcher) for seed in range(60)]
    assert set(catchers) == set(range(num_players))


def test_r5_there_is_no_warm_up_before_the_first_round():
    state = Position.new(load_game("icecool", first_catcher=0), 0).states[0]
    assert (turn(state), state.round_number, state.flicks) == ((0, PLACE), 0, 0)
    rules.place(state, 0.0, 0.0)
    assert (turn(state), state.round_number, state.flicks) == ((1, FLICK), 0, 0)


@pytest.mark.parametrize(
    ("strength", "speed"), [(-1, 150), (-0.5, 662.5), (0, 1175), (1, 2200)]
)
def test_r6_strength_is_speed(strength, speed):
    state = set_up().states[0]
    rules.set_up_flick(state, np.array([3e-3, 4e-3, strength, 0, -1, 0], np.float32))
    assert state.velocity == pytest.approx([0.6 * speed, 0.8 * speed, 0])


def test_r6_no_direction_is_east():
    state = set_up().states[0]
    rules.set_up_flick(state, np.array([0, 0, 1, 0, 0, 0], np.float32))
    assert state.velocity.tolist() == [2200, 0, 0]


@pytest.mark.parametrize(
    ("side", "spin"), [(1, -110), (-1, 110), (0.5, -55), (0, 0), (0.0499, 0)]
)
def test_r6_a_hit_on_the_right_spins_clockwise_on_the_left_the_other_way(side, spin):
    state = set_up().states[0]
    rules.set_up_flick(state, np.array([1, 0, 1, side, 0, 0], np.float32))
    assert state.spin == pytest.approx(spin)
    rules.set_up_flick(state, np.array([1, 0, 0, side, 0, 0], np.float32))
    assert state.spin == pytest.approx(spin * 1175 / 2200)


def test_r6_a_hit_from_one_twentieth_to_the_side_spins():
    state = set_up().states[0]
    rules.set_up_flick(state, np.array([1, 0, 1, 0.0501, 0, 0], np.float32))
    assert state.spin < 0


def test_r6_simulated_a_hit_in_the_middle_goes_straight_and_spin_bends_the_path():
    start = [(100.0, 100.0)]
    ends = [
        slide(start, Flick(0, (400.0, 0.0, 0.0), spin)).poses[0, 1]
        for spin in (0.0, -20.0, 20.0)
    ]
    assert ends[0] == 100
    assert ends[1] < 95
    assert ends[2] == pytest.approx(200 - ends[1])


@pytest.mark.parametrize(("height", "degrees"), [(-1, 0), (0, 0), (0.2, 15), (1, 75)])
def test_r6_a_hit_at_the_head_jumps(height, degrees):
    state = set_up().states[0]
    rules.set_up_flick(state, np.array([0, -1, 1, 0, height, 0], np.float32))
    up = 2200 * math.sin(math.radians(degrees))
    forward = 2200 * math.cos(math.radians(degrees))
    assert state.velocity == pytest.approx([0, -forward, up], abs=1e-4)


def test_r6_simulated_a_jump_may_go_over_a_wall():
    there = slide([(182.5, 117.5)], Flick(0, (0.0, 500.0, 1700.0)))
    assert not there.events
    assert there.poses[0, 1] > 235 + 18


@pytest.mark.parametrize(("num_players", "rounds"), [(2, 4), (3, 3), (4, 4)])
def test_r7_as_many_rounds_as_players_each_with_one_catcher(num_players, rounds):
    game = load_game("icecool", num_players=num_players, first_catcher=1)
    position = Position.new(game, 0)
    state = position.states[0]
    catchers = []
    while not state.terminated:
        catchers.append(int(state.catcher))
        place(position)
        runner = state.player
        assert runner == (state.catcher + 1) % num_players
        flick(position, *(passes(5, runner, door) for door in FISH_AT))
    assert catchers == [(1 + i) % num_players for i in range(rounds)]
    assert state.endings.tolist() == [rounds, 0, 0]


def test_r8_all_fish_hang_on_their_doors_when_a_round_begins():
    position = set_up(fish={1: (D1, D4), 2: (D2,)})
    assert has_fish(position.states[0], 1) == [D1, D4]
    state = flick(position, passes(3, 1, D2))
    assert state.round_number == 1
    assert not state.fish_taken.any()


def test_r8_the_catcher_has_no_fish():
    state = flick(set_up(player=0), *(passes(3, 0, door) for door in FISH_AT))
    assert (has_fish(state, 0), num_cards(state)) == ([], [0, 0, 0])
    assert state.endings.sum() == 0


@pytest.mark.parametrize(
    ("across", "up", "spot"),
    [
        (-1, -1, (278, 408)),
        (1, 1, (557, 557)),
        (0, 0, IN_KITCHEN),
        (-0.5, 1, (347.75, 557)),
    ],
)
def test_r9_the_catcher_goes_anywhere_inside_the_red_line_of_the_kitchen(
    across, up, spot
):
    position = Position.new(load_game("icecool", num_players=3, first_catcher=2), 0)
    assert turn(position.state) == (2, PLACE)
    assert not position.state.on_board.any()
    state = place(position, across, up)
    assert where(state, 2) == spot
    assert turn(state) == (0, FLICK)
    assert state.on_board.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_r9_an_option_puts_the_catcher_in_the_middle_without_asking(num_players):
    game = load_game(
        "icecool", num_players=num_players, first_catcher=0, catcher_start="centre"
    )
    state = Position.new(game, 0).state
    assert (where(state, 0), where(state, 1)) == (IN_KITCHEN, CIRCLE)
    assert turn(state) == (1, FLICK)


def test_r9_the_middle_is_taken_in_later_rounds_too():
    position = set_up(catcher_start="centre", fish={1: (D1, D2)})
    state = flick(position, passes(1, 1, D4))
    assert (state.round_number, turn(state)) == (1, (2, FLICK))
    assert (where(state, 1), where(state, 2)) == (IN_KITCHEN, CIRCLE)


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
@pytest.mark.parametrize("catcher", [0, 1])
def test_r10_turns_go_clockwise_from_the_left_of_the_catcher(num_players, catcher):
    game = load_game("icecool", num_players=num_players, first_catcher=catcher)
    position = Position.new(game, 0)
    state = place(position)
    order = []
    for _ in range(2 * num_players):
        order.append(int(state.player))
        flick(position, to={order[-1]: (100 + 20 * order[-1], 60)})
    assert order == [(catcher + 1 + i) % num_players for i in range(2 * num_players)]


def test_r11_a_turn_is_one_flick():
    position = set_up()
    state = flick(position, to={1: (60, 60)})
    assert (turn(state), state.flicks) == ((2, FLICK), 1)


def test_r12_a_runner_is_off_the_board_until_its_first_turn():
    position = set_up(places={1: IN_GYM, 2: None})
    state = flick(position, to={1: IN_CLASSROOM})
    assert (where(state, 2), turn(state)) == (CIRCLE, (2, FLICK))
    assert state.first_flick.tolist() == [0, 0, 1, 0]


def test_r12_the_circle_is_in_the_middle_of_the_classroom():
    state = set_up().state
    assert middle_of(state, state.classroom) == CIRCLE


def test_r12_a_penguin_on_the_circle_makes_the_next_go_beside_it():
    position = set_up(places={2: None})
    state = flick(position, to={1: (182.5, 107.5)})
    x, y = where(state, 2)
    assert (x, y) == pytest.approx((182.5, 107.5 + 30.01))
    assert state.first_flick[2] == 1


def test_r12_a_penguin_at_30_mm_does_not_occupy_the_circle():
    state = flick(set_up(places={2: None}), to={1: (212.5, 117.5)})
    assert where(state, 2) == CIRCLE


def test_r13_the_catcher_starts_where_it_was_placed_and_others_where_they_stand():
    position = Position.new(load_game("icecool", num_players=2, first_catcher=0), 0)
    spot = where(place(position, -1.0, 1.0), 0)
    state = flick(position, to={1: (60, 60)})
    assert (turn(state), spot) == ((0, FLICK), (278, 557))
    flick(position, to={0: (300, 500)})
    assert (state.was_x[0], state.was_y[0]) == spot
    flick(position, to={1: IN_LUNCHROOM})
    assert (state.was_x[1], state.was_y[1]) == (60, 60)


# R14


def on_first_flick(**given) -> Position:
    """Return a position in which seat 1 flicks off the circle."""
    return set_up(**{"places": {1: CIRCLE}, "first_flick": (1,), **given})


def test_r14_a_flick_that_stays_on_the_circle_is_repeated():
    position = on_first_flick()
    state = flick(position, to={1: ON_CIRCLE})
    assert turn(state) == (1, FLICK)
    assert where(state, 1) == ON_CIRCLE
    assert (state.reflicks, state.first_flick[1], state.flicks) == (1, 1, 1)
    flick(position, to={1: OFF_CIRCLE})
    assert turn(state) == (2, FLICK)
    assert (state.reflicks, state.first_flick[1], state.flicks) == (0, 0, 2)


def test_r14_20_mm_from_the_middle_is_off_the_circle():
    assert flick(on_first_flick(), to={1: OFF_CIRCLE}).player == 2


def test_r14_later_flicks_may_end_on_the_circle():
    state = flick(set_up(places={1: CIRCLE}), to={1: ON_CIRCLE})
    assert (state.player, state.reflicks) == (2, 0)


def test_r14_an_option_leaves_it_on_the_circle():
    state = flick(on_first_flick(reflick=False), to={1: ON_CIRCLE})
    assert (turn(state), state.first_flick[1]) == ((2, FLICK), 0)


def test_r14_holds_in_every_round():
    position = on_first_flick(catcher=2, player=0, round_number=2, first_flick=(0,))
    position.states[0].x[0], position.states[0].y[0] = CIRCLE
    position.states[0].x[1] = 60
    assert flick(position, to={0: ON_CIRCLE}).player == 0


def test_r14_events_of_a_repeated_flick_stand():
    position = on_first_flick(num_players=4)
    state = flick(position, touch(3, 1, 0), passes(4, 1, D1), to={1: ON_CIRCLE})
    assert (has_fish(state, 1), state.caught[1], turn(state)) == ([D1], 1, (1, FLICK))


def test_r14_cards_of_a_repeated_flick_are_no_skates_before_it_is_over():
    position = on_first_flick(hands={1: "11"})
    assert turn(flick(position, to={1: ON_CIRCLE})) == (1, FLICK)
    assert turn(flick(position, to={1: OFF_CIRCLE})) == (1, SKATES)


def test_r14_the_last_of_20_such_flicks_ends_on_the_red_line():
    position = on_first_flick()
    for count in range(1, 20):
        state = flick(position, to={1: ON_CIRCLE})
        assert (turn(state), state.reflicks) == ((1, FLICK), count)
    state = flick(position, to={1: (182.5, 122)})
    assert where(state, 1) == (182.5, 192)
    assert (turn(state), state.flicks) == ((2, FLICK), 20)
    assert (state.first_flick[1], state.reflicks) == (0, 0)


def test_r14_after_leaving_the_school_the_next_flick_is_a_first_flick_again():
    position = on_first_flick(num_players=2)
    state = flick(position, leaves(9, 1), to={1: (-20, 100)})
    assert (where(state, 1), turn(state)) == (CIRCLE, (0, FLICK))
    assert state.first_flick[1] == 1
    flick(position, to={0: IN_GYM})
    assert turn(flick(position, to={1: ON_CIRCLE})) == (1, FLICK)


def test_r14_on_skates_after_leaving_the_school_too():
    position = on_first_flick(hands={1: "11"})
    assert turn(flick(position, leaves(9, 1))) == (1, SKATES)
    answer(position, True)
    assert turn(flick(position, to={1: ON_CIRCLE})) == (1, FLICK)


def test_r14_leaving_counts_from_anew_how_often_a_flick_was_repeated():
    position = on_first_flick(reflicks=19, hands={1: "11"})
    state = flick(position, leaves(9, 1))
    assert state.reflicks == 0
    answer(position, True)
    assert turn(flick(position, to={1: ON_CIRCLE})) == (1, FLICK)


def test_r14_who_was_pushed_off_the_circle_has_no_first_flick_any_more():
    position = on_first_flick(player=0)
    state = flick(position, to={1: OFF_CIRCLE})
    assert state.first_flick[1] == 0
    assert turn(flick(position, to={1: ON_CIRCLE})) == (2, FLICK)


def test_r14_who_was_pushed_on_the_circle_still_has_one():
    position = on_first_flick(player=0)
    assert flick(position, to={1: ON_CIRCLE}).first_flick[1] == 1
    assert turn(flick(position, to={1: CIRCLE})) == (1, FLICK)


def test_r14_who_was_pushed_out_of_the_school_still_has_one():
    position = on_first_flick(player=0)
    state = flick(position, leaves(3, 1), to={1: (-30, 100)})
    assert (where(state, 1), state.first_flick[1]) == (CIRCLE, 1)


def test_r14_who_had_to_start_beside_the_circle_still_flicks_off_it():
    beside = (182.5, 147.51)
    position = on_first_flick(num_players=4, player=0, places={1: beside, 2: CIRCLE})
    assert flick(position, to={0: IN_CLASSROOM}).first_flick[1] == 1
    assert turn(flick(position, to={1: ON_CIRCLE, 2: (60, 60)})) == (1, FLICK)
