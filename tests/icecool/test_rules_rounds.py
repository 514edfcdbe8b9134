"""ICECOOL rule by rule, R15 to R26: fish, catches, skates, the end of a round."""

import pytest

from icecool_env import cards, rules
from icecool_env.state import BY_CATCH, FLICK, PLACE, SKATES
from tests.icecool.positions import (
    C1,
    CIRCLE,
    D1,
    D2,
    D3,
    D4,
    FISH_AT,
    IN_GYM,
    answer,
    flick,
    hand,
    has_fish,
    num_cards,
    passes,
    set_up,
    touch,
    turn,
    walk,
)

pytestmark = pytest.mark.nojit

OUT = (-40.0, 80.0)


# R15 to R18


@pytest.mark.parametrize("door", FISH_AT)
def test_r15_a_runner_that_passes_a_door_takes_its_fish_and_a_card(door):
    state = flick(set_up(left="3"), passes(7, 1, door))
    assert has_fish(state, 1) == [door]
    assert (hand(state, 1), state.deck.sum()) == ("3", 0)
    assert num_cards(state) == [0, 1, 0]


@pytest.mark.parametrize("door", [D3, C1])
def test_r15_doors_without_fish_give_nothing(door):
    state = flick(set_up(), passes(7, 1, door))
    assert (has_fish(state, 1), num_cards(state)) == ([], [0, 0, 0])


def test_r15_a_fish_is_taken_once():
    state = flick(set_up(fish={1: (D1,)}), passes(7, 1, D1))
    assert (has_fish(state, 1), num_cards(state)) == ([D1], [0, 0, 0])


def test_r15_fish_of_others_stay_where_they_are():
    position = set_up(num_players=4, fish={2: (D1,)})
    state = flick(position, passes(7, 1, D1))
    assert (has_fish(state, 1), has_fish(state, 2), has_fish(state, 3)) == (
        [D1],
        [D1],
        [],
    )


def through_d1(*heights: float) -> list:
    """Return what is noted on a straight way up through D1."""
    points = [(80.0, y) for y in (190.0, 216.0, 234.0, 236.0, 252.0, 253.0)]
    ways = [
        (*point, height)
        for point, height in zip(points, heights or (0.0,) * 6, strict=True)
    ]
    return walk(set_up(), {1: ways})


def test_r16_the_whole_penguin_is_on_the_other_side():
    assert through_d1() == [passes(6, 1, D1)]


def test_r16_18_mm_from_the_wall_is_all_of_it():
    ways = [(80.0, 217.1), (80.0, 235.0), (80.0, 252.9)]
    assert walk(set_up(), {1: ways}) == []
    assert walk(set_up(), {1: [*ways, (80.0, 253.0)]}) == [passes(4, 1, D1)]


def test_r17_several_fish_in_one_flick():
    state = flick(set_up(), passes(3, 1, D1), passes(8, 1, D2))
    assert (has_fish(state, 1), num_cards(state)) == ([D1, D2], [0, 2, 0])


def test_r18_no_fish_over_a_door():
    assert through_d1(0, 70, 70, 70, 70, 0) == []
    assert through_d1(0, 8.1, 8.1, 8.1, 0, 0) == []
    assert through_d1(0, 8, 8, 8, 0, 0) == [passes(6, 1, D1)]


def test_r18_no_fish_over_the_wall_beside_a_door():
    ways = [(111.0, y, 70.0) for y in (234.0, 236.0)]
    assert walk(set_up(), {1: [(111, 200), *ways, (111, 260)]}) == []
    inside = [(110.0, y, 0.0) for y in (200.0, 234.0, 236.0, 260.0)]
    assert walk(set_up(), {1: inside}) == [passes(4, 1, D1)]


# R19 to R23


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("flipped", [False, True])
def test_r19_r20_the_catcher_takes_the_id_card_of_whom_it_touches(player, flipped):
    event = touch(4, 1, 0) if flipped else touch(4, 0, 1)
    state = flick(set_up(player=player), event)
    assert state.caught.tolist() == [0, 1, 0, 0]
    assert [rules.id_cards(state, seat) for seat in range(3)] == [2, 0, 1]


def test_r19_several_runners_in_one_flick():
    position = set_up(num_players=4, player=0)
    state = flick(position, touch(4, 0, 1), touch(6, 0, 3))
    assert state.caught.tolist() == [0, 1, 0, 1]
    assert (state.player, state.endings.sum()) == (1, 0)


def test_r20_in_the_turn_of_a_third_player():
    state = flick(set_up(player=2), touch(4, 1, 0))
    assert state.caught.tolist() == [0, 1, 0, 0]


def test_r21_a_caught_runner_plays_on_and_takes_fish():
    position = set_up(player=0)
    flick(position, touch(4, 0, 1))
    state = flick(position, passes(2, 1, D4))
    assert (has_fish(state, 1), num_cards(state)) == ([D4], [0, 1, 0])
    assert state.player == 2


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("wanted", [True, False])
def test_r22_two_cards_of_value_1_are_another_turn(player, wanted):
    position = set_up(player=player, hands={player: "1123"})
    state = flick(position)
    assert turn(state) == (player, SKATES)
    answer(position, wanted)
    assert turn(state) == ((player if wanted else player + 1), FLICK)
    assert (hand(state, player), state.face_up[player]) == (
        ("23", 2) if wanted else ("1123", 0)
    )


@pytest.mark.parametrize("cards", ["", "1", "12", "2233"])
def test_r22_not_without_two_cards_of_value_1(cards):
    assert turn(flick(set_up(hands={1: cards}))) == (2, FLICK)


def test_r22_only_the_player_whose_turn_ends_is_asked():
    position = set_up(player=1, hands={0: "11", 2: "11"})
    assert turn(flick(position)) == (2, FLICK)


def test_r22_a_card_just_drawn_may_be_used():
    position = set_up(hands={1: "1"}, left="1")
    assert turn(flick(position, passes(3, 1, D1))) == (1, SKATES)


def test_r22_not_when_the_round_is_over():
    position = set_up(hands={1: "111"}, fish={1: (D1, D4)})
    state = flick(position, passes(3, 1, D2))
    assert (turn(state), state.round_number) == ((1, PLACE), 1)
    assert state.face_up[1] == 0


def test_r22_a_runner_that_was_caught_may_use_skates():
    assert turn(flick(set_up(hands={1: "11"}), touch(1, 1, 0))) == (1, SKATES)


def test_r23_several_turns_in_a_row_as_long_as_there_are_cards():
    position = set_up(hands={1: "11111"})
    for left, shown in (("111", 2), ("1", 4)):
        assert turn(flick(position)) == (1, SKATES)
        state = answer(position, True)
        assert (hand(state, 1), state.face_up[1]) == (left, shown)
    assert turn(flick(position)) == (2, FLICK)


def test_r23_revealed_cards_score_and_count():
    state = set_up(hands={1: "3"}, face_up={1: 4}).state
    assert (cards.points(state, 1), cards.num_cards(state, 1)) == (7, 5)


def test_r23_revealed_cards_stay_when_a_round_ends():
    position = set_up(
        fish={2: (D1, D4)}, player=2, face_up={1: 2}, hands={1: "12"}, left="33333"
    )
    state = flick(position, passes(3, 2, D2))
    assert (state.round_number, state.face_up[1], hand(state, 1)) == (1, 2, "123")


# R24 to R26


def test_r24_a_round_ends_when_a_runner_has_its_three_fish():
    position = set_up(fish={1: (D1, D2)})
    state = flick(position, passes(4, 1, D4))
    assert state.endings.tolist() == [1, 0, 0]
    assert (state.round_number, state.catcher, turn(state)) == (1, 1, (1, PLACE))


def test_r24_a_round_ends_when_all_runners_are_caught():
    position = set_up(player=2, caught={1: 1})
    state = flick(position, touch(4, 2, 0))
    assert state.endings.tolist() == [0, 1, 0]
    assert turn(state) == (1, PLACE)


def test_r24_in_anybodys_turn():
    position = set_up(player=0, fish={2: (D1, D2)})
    assert flick(position, passes(4, 2, D4)).endings.tolist() == [1, 0, 0]


def test_r24_three_runners_have_to_be_caught_of_three():
    position = set_up(num_players=4, player=0, caught={1: 1})
    state = flick(position, touch(4, 0, 2))
    assert state.endings.sum() == 0
    flick(position, passes(1, 1, D1))
    flick(position)
    assert flick(position, touch(9, 3, 0)).endings.tolist() == [0, 1, 0]


@pytest.mark.parametrize("finish", [False, True])
def test_r24_later_events_of_the_flick_do_not_count_unless_an_option_says_so(finish):
    position = set_up(fish={1: (D1, D2)}, finish_flick=finish, left="3" * 20)
    state = flick(position, passes(4, 1, D4), touch(5, 1, 0), passes(6, 2, D1))
    # By seat: Catcher, the Runner with the fish, a third player.
    drawn = [2, 1, 2] if finish else [1, 2, 1]
    assert num_cards(state) == drawn
    assert state.endings.tolist() == [1, 0, 0]


def test_r24_events_of_the_same_step_all_count():
    position = set_up(fish={1: (D1, D2)}, left="3" * 20)
    state = flick(position, touch(4, 1, 0), passes(4, 1, D4), passes(4, 2, D1))
    assert num_cards(state) == [2, 1, 2]


def test_r24_who_was_caught_last_takes_a_fish_of_the_same_step_only():
    for step, drawn in ((4, 1), (5, 0)):
        position = set_up(caught={2: 1}, left="3" * 20)
        state = flick(position, touch(4, 1, 0), passes(step, 1, D4))
        assert num_cards(state) == [3, drawn, 0]
        assert state.endings[BY_CATCH] == 1


@pytest.mark.parametrize("finish", [False, True])
def test_r24_fish_and_the_last_catch_together_are_an_end_by_fish(finish):
    step = 9 if finish else 4
    position = set_up(caught={2: 1}, fish={1: (D1, D2)}, finish_flick=finish)
    state = flick(position, touch(4, 1, 0), passes(step, 1, D4))
    assert state.endings.tolist() == [1, 0, 0]


def test_r24_a_round_may_end_in_a_repeated_flick():
    position = set_up(places={1: CIRCLE}, first_flick=(1,), fish={1: (D1, D2)})
    state = flick(position, passes(4, 1, D4), to={1: CIRCLE})
    assert (state.endings.tolist(), turn(state)) == ([1, 0, 0], (1, PLACE))


def test_r25_the_catcher_draws_first_and_then_clockwise():
    position = set_up(
        num_players=4, catcher=2, player=3, fish={3: (D1, D2)}, caught={0: 1}, left=""
    )
    for deck, holders in (
        ("1", ["", "", "", "1"]),
        ("111", ["", "", "11", "1"]),
        ("1111", ["", "", "11", "11"]),
        ("11111", ["", "1", "11", "11"]),
    ):
        states = position.copy()
        states.states[0].deck[1] = len(deck)
        state = flick(states, passes(4, 3, D4))
        assert [hand(state, seat) for seat in range(4)] == holders


@pytest.mark.parametrize(
    ("caught", "drawn"),
    [((), [1, 1, 1, 1]), ((2,), [2, 1, 0, 1]), ((1, 2), [3, 0, 0, 1])],
)
def test_r25_a_card_for_each_id_card(caught, drawn):
    position = set_up(
        num_players=4, player=3, fish={3: (D1, D2)}, caught=dict.fromkeys(caught, 1)
    )
    state = flick(position, passes(4, 3, D4))
    drawn[3] += 1
    assert num_cards(state) == drawn
    assert state.deck.sum() == 45 - sum(drawn)


def test_r26_ids_and_fish_go_back_and_cards_are_kept():
    position = set_up(
        fish={1: (D1, D2), 2: (D1,)}, caught={2: 1}, hands={1: "23", 2: "1"}, left="333"
    )
    state = flick(position, passes(4, 1, D4), to={1: IN_GYM})
    assert not state.fish_taken.any()
    assert not state.caught.any()
    assert not state.on_board.any()
    assert not state.first_flick.any()
    assert (state.flicks, state.reflicks) == (0, 0)
    assert [hand(state, seat) for seat in range(3)] == ["33", "233", "1"]


@pytest.mark.parametrize("catcher", range(4))
def test_r26_the_player_left_of_the_catcher_is_the_next(catcher):
    runner = (catcher + 2) % 4
    position = set_up(
        num_players=4, catcher=catcher, player=runner, fish={runner: (D1, D2)}
    )
    state = flick(position, passes(4, runner, D4))
    assert (state.catcher, *turn(state)) == (*[(catcher + 1) % 4] * 2, PLACE)
