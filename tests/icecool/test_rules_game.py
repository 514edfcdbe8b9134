"""ICECOOL rule by rule, R37 to R43 and A16 to A22: games of two, the end of a game."""

from typing import Any

import pytest

from game_core import Position, load_game
from icecool_env import cards, rules
from icecool_env.state import BY_CAP, BY_CATCH, FLICK, PLACE, SKATES
from tests.icecool.positions import (
    CIRCLE,
    D1,
    D2,
    D4,
    FROM_RED_LINE,
    IN_CLASSROOM,
    IN_GYM,
    IN_KITCHEN,
    answer,
    flick,
    hand,
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


def end(num_players: int, hands: dict[int, str], face_up=None, **options) -> Position:
    """Return a game that is over, with these cards."""
    position = set_up(num_players=num_players, hands=hands, face_up=face_up, **options)
    position.states[0].terminated = True
    return Position(position.game, position.states)


def test_r37_the_game_ends_when_everybody_has_been_catcher():
    position = set_up(catcher=2, player=0, round_number=2, fish={0: (D1, D2)})
    state = flick(position, passes(4, 0, D4))
    assert state.terminated
    assert not state.truncated
    assert (state.round_number, state.player) == (2, 0)
    assert num_cards(state) == [2, 1, 1]


def test_r37_not_before():
    position = set_up(catcher=2, player=0, round_number=1, fish={0: (D1, D2)})
    state = flick(position, passes(4, 0, D4))
    assert (state.terminated, state.round_number, turn(state)) == (False, 2, (0, PLACE))


def test_r37_most_points_win():
    position = end(3, {0: "123", 1: "3", 2: "33"}, {1: 4})
    assert [cards.points(position.state, seat) for seat in range(3)] == [6, 7, 6]
    assert position.rewards.tolist() == [-0.5, 1, -0.5]


def test_r37_nothing_is_paid_before_the_end():
    assert set_up(hands={0: "123"}).rewards.tolist() == [0, 0, 0]


def test_r37_points_of_a_whole_deck():
    position = end(2, {0: "1" * 15 + "2" * 15 + "3" * 15})
    assert cards.points(position.state, 0) == 90
    assert cards.standing(position.state, 0) > cards.standing(position.state, 1)
    assert position.rewards.tolist() == [1, -1]


def test_r38_a_tie_goes_to_the_most_cards():
    position = end(4, {0: "33", 1: "222", 2: "123", 3: "2211"})
    assert position.rewards == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])
    revealed = end(2, {0: "3", 1: "1"}, {1: 2})
    assert revealed.rewards.tolist() == [-1, 1]


def test_r38_points_come_before_cards():
    assert end(2, {0: "333", 1: "1111111"}).rewards.tolist() == [1, -1]


def test_r38_those_still_tied_share_the_victory():
    assert end(4, {0: "33", 1: "33"}).rewards == pytest.approx(
        [1 / 3, 1 / 3, -1 / 3, -1 / 3]
    )
    assert end(3, {0: "12", 1: "12", 2: "12"}).rewards.tolist() == [0, 0, 0]
    three = end(4, {0: "13", 1: "13", 2: "22"})
    assert three.rewards == pytest.approx([1 / 9, 1 / 9, 1 / 9, -1 / 3])


def test_r38_blank_cards_count_as_cards_only():
    position = end(2, {0: "3", 1: "30"}, blank_cards=True)
    assert position.rewards.tolist() == [-1, 1]


def test_r37_margins_are_shares_of_all_points():
    position = end(3, {0: "33", 1: "2", 2: "1"}, reward="margin")
    assert position.rewards == pytest.approx([4.5 / 90, -1.5 / 90, -3 / 90])
    few = end(2, {0: "33"}, reward="margin", deck="42")
    assert few.rewards == pytest.approx([6 / 84, -6 / 84])


# Two players: seat 0 is the Catcher, seat 1 the Runner.


def of_two(**given) -> Position:
    return set_up(num_players=2, **{"player": 0, **given})


def test_r40_the_first_catch_does_not_end_the_round_the_second_does():
    position = of_two()
    state = flick(position, touch(4, 0, 1))
    assert (state.caught[1], state.endings.sum()) == (1, 0)
    flick(position, to={1: IN_GYM})
    flick(position, touch(4, 0, 1))
    assert state.endings.tolist() == [0, 1, 0]
    assert turn(state) == (1, PLACE)


def test_r41_the_runner_takes_a_turn_from_the_circle_at_once_without_skates():
    position = of_two(hands={0: "11", 1: "11"})
    state = flick(position, touch(4, 0, 1), to={0: IN_GYM, 1: (90, 90)})
    assert turn(state) == (1, FLICK)
    assert (where(state, 1), where(state, 0)) == (CIRCLE, IN_GYM)
    assert (state.first_flick[1], state.reflicks) == (1, 0)
    assert [rules.id_cards(state, seat) for seat in (0, 1)] == [2, 0]
    flick(position, to={1: (182.5, 130)})
    assert turn(state) == (1, FLICK)


def test_r41_then_it_goes_on_with_the_catcher():
    position = of_two()
    flick(position, touch(4, 0, 1))
    assert turn(flick(position, to={1: (90, 90)})) == (0, FLICK)


def test_r41_the_catcher_on_the_circle_makes_the_runner_start_beside_it():
    state = flick(of_two(), touch(4, 0, 1), to={0: (182.5, 107.5)})
    assert where(state, 1) == pytest.approx((182.5, 137.51))


def test_r41_fish_of_the_same_flick_count_before_and_after_the_catch():
    state = flick(of_two(), passes(2, 1, D2), touch(4, 0, 1), passes(7, 1, D1))
    assert (has_fish(state, 1), state.caught[1]) == ([D1, D2], 1)
    assert turn(state) == (1, FLICK)


def test_r41_a_third_fish_after_the_first_catch_ends_the_round():
    position = of_two(fish={1: (D1, D2)}, left="33333")
    state = flick(position, touch(4, 0, 1), passes(7, 1, D4))
    assert state.endings.tolist() == [1, 0, 0]
    assert num_cards(state) == [2, 1]


@pytest.mark.parametrize("step", [4, 9])
@pytest.mark.parametrize("finish", [False, True])
def test_r41_one_catch_in_a_flick_at_most(step, finish):
    position = of_two(finish_flick=finish)
    state = flick(position, touch(4, 0, 1), touch(step, 1, 0))
    assert (state.caught[1], state.endings.sum()) == (1, 0)


@pytest.mark.parametrize("next_one", ["runner", "catcher"])
def test_r41_who_is_next_after_the_runner_ran_into_the_catcher(next_one):
    position = of_two(player=1, self_catch_next=next_one, hands={0: "11", 1: "11"})
    state = flick(position, touch(4, 1, 0), to={0: IN_GYM, 1: (480, 220)})
    assert turn(state) == (1 if next_one == "runner" else 0, FLICK)
    assert (where(state, 1), state.first_flick[1]) == (CIRCLE, 1)
    assert state.caught[1] == 1


def test_r41_after_a_catch_by_the_catcher_the_runner_is_next_in_any_case():
    position = of_two(self_catch_next="catcher")
    assert turn(flick(position, touch(4, 0, 1))) == (1, FLICK)


def test_r41_the_catcher_may_push_a_runner_that_waits_on_the_circle_off_it():
    position = of_two(player=1, self_catch_next="catcher")
    flick(position, touch(4, 1, 0))
    state = flick(position, touch(4, 0, 1), to={1: (100, 100)})
    assert (state.caught.sum(), state.endings[BY_CATCH]) == (0, 1)
    position = of_two(player=1, self_catch_next="catcher")
    flick(position, touch(4, 1, 0))
    state = flick(position, to={1: (100, 100)})
    assert (turn(state), state.first_flick[1]) == ((1, FLICK), 0)


def test_r41_a_runner_that_left_the_school_after_the_catch_starts_anew():
    position = of_two(player=1, places={1: (430, 510)})
    state = flick(position, touch(4, 1, 0), leaves(9, 1), to={1: (-20, 80)})
    assert (where(state, 1), turn(state)) == (CIRCLE, (1, FLICK))


def test_r41_a_catcher_that_left_after_the_catch_goes_back():
    state = flick(of_two(), touch(4, 0, 1), leaves(9, 0), to={0: (-20, 80)})
    assert (where(state, 0), turn(state)) == (IN_KITCHEN, (1, FLICK))


def test_r41_with_void_on_exit_there_was_no_catch():
    position = of_two(void_on_exit=True)
    state = flick(position, touch(4, 0, 1), leaves(9, 0), to={0: (-20, 80)})
    assert (state.caught[1], where(state, 1)) == (0, IN_CLASSROOM)
    assert turn(state) == (1, FLICK)
    assert state.first_flick[1] == 0


def test_r41_a_repeated_flick_that_is_a_catch_starts_anew():
    position = of_two(player=1, places={1: CIRCLE}, first_flick=(1,), reflicks=7)
    state = flick(position, touch(4, 1, 0), to={1: (182.5, 120)})
    assert (where(state, 1), state.reflicks, turn(state)) == (CIRCLE, 0, (1, FLICK))


def test_r42_the_second_catch_gives_nothing_more():
    position = of_two(caught={1: 1}, left="3333")
    state = flick(position, touch(4, 0, 1))
    assert (hand(state, 0), hand(state, 1)) == ("33", "")
    assert state.endings[BY_CATCH] == 1


def test_r42_the_second_catch_ends_the_round_also_in_the_runners_turn():
    for next_one in ("runner", "catcher"):
        position = of_two(player=1, caught={1: 1}, self_catch_next=next_one)
        state = flick(position, touch(4, 1, 0))
        assert (state.endings[BY_CATCH], turn(state)) == (1, (1, PLACE))


def test_r40_the_round_ends_by_fish_with_one_catch():
    position = of_two(player=1, caught={1: 1}, fish={1: (D1, D2)}, left="3333")
    state = flick(position, passes(4, 1, D4))
    assert (hand(state, 0), hand(state, 1)) == ("33", "3")


def test_r43_four_rounds_by_turns():
    position = Position.new(load_game("icecool", first_catcher=1), 0)
    state = position.states[0]
    catchers = []
    for _ in range(4):
        assert not state.terminated
        catchers.append(int(state.catcher))
        place(position)
        runner = int(state.player)
        flick(position, touch(2, runner, 1 - runner))
        flick(position, touch(2, 1 - runner, runner))
    assert (catchers, state.terminated) == ([1, 0, 1, 0], True)
    assert state.endings.tolist() == [0, 4, 0]
    assert num_cards(state) == [4, 4]


# A16 to A22


def test_a16_an_extra_turn_is_a_full_turn():
    position = set_up(hands={1: "1111"}, places={1: (25, 100)})
    flick(position)
    answer(position, True)
    state = flick(position, passes(4, 1, D1), action=FROM_RED_LINE)
    assert (state.was_x[1], has_fish(state, 1)) == (43, [D1])
    assert turn(state) == (1, SKATES)
    answer(position, False)
    assert turn(state) == (2, FLICK)


def test_a17_pending_skates_are_lost_with_the_first_catch_of_two():
    position = set_up(num_players=2, hands={1: "11"})
    state = flick(position, touch(4, 1, 0))
    assert turn(state) == (1, FLICK)
    assert hand(state, 1) == "11"
    assert turn(flick(position, to={1: IN_GYM})) == (1, SKATES)


def test_a18_after_the_second_catch_the_catcher_draws_two_and_the_runner_none():
    position = set_up(num_players=2, player=0, caught={1: 1}, hands={1: "3"})
    state = flick(position, touch(4, 0, 1))
    assert (num_cards(state), hand(state, 1)) == ([2, 1], "3")


@pytest.mark.parametrize("blank", [False, True])
def test_a19_from_an_empty_deck_no_card_is_drawn_or_a_blank_one(blank):
    position = set_up(left="", blank_cards=blank)
    stream = int(position.state.rng)
    state = flick(position, passes(4, 1, D1), passes(5, 1, D2))
    assert has_fish(state, 1) == [D1, D2]
    assert hand(state, 1) == ("00" if blank else "")
    assert cards.points(state, 1) == 0
    assert int(state.rng) == stream
    flick(position, passes(4, 2, D1))
    flick(position)
    flick(position, passes(4, 1, D4))
    assert [len(hand(state, seat)) for seat in range(3)] == (
        [1, 4, 2] if blank else [0, 0, 0]
    )


def test_a19_four_players_can_empty_the_deck_of_42():
    game = load_game("icecool", num_players=4, deck="42", first_catcher=0)
    position = Position.new(game, 0)
    state = position.states[0]
    while not state.terminated:
        rules.place(state, 0.0, 0.0)
        rules.put_on_circle(state)
        one, two, three = ((state.catcher + i) % 4 for i in (1, 2, 3))
        doors = [
            passes(s, seat, d) for s, d in ((1, D1), (2, D2)) for seat in (two, three)
        ]
        flick(position, *doors, *(passes(9, one, door) for door in (D1, D2, D4)))
    assert state.deck.sum() == 0
    assert state.face_down.sum(axis=0).tolist() == [0, 14, 14, 14]


@pytest.mark.parametrize("seat", range(3))
def test_a20_seats_are_fixed_and_left_is_the_next(seat):
    position = Position.new(load_game("icecool", num_players=3, first_catcher=seat), 0)
    state = position.states[0]
    rules.place(state, 0.0, 0.0)
    assert state.player == (seat + 1) % 3


def test_a21_at_the_cap_the_round_ends_with_the_usual_draws():
    position = set_up(max_flicks=7, flicks=5, caught={2: 1}, hands={1: "11"})
    state = flick(position)
    assert (state.flicks, turn(state)) == (6, (1, SKATES))
    answer(position, True)
    flick(position, passes(3, 1, D1))
    assert state.endings[BY_CAP] == 1
    assert (turn(state), state.flicks) == ((1, PLACE), 0)
    assert num_cards(state) == [2, 2, 0]


def test_a21_repeated_flicks_count():
    position = set_up(
        max_flicks=2, flicks=1, places={1: CIRCLE}, first_flick=(1,), reflicks=1
    )
    assert flick(position, to={1: CIRCLE}).endings.tolist() == [0, 0, 1]


def test_a21_an_end_by_fish_or_catch_in_the_last_flick_is_one():
    fish = set_up(max_flicks=1, fish={1: (D1, D2)})
    assert flick(fish, passes(2, 1, D4)).endings.tolist() == [1, 0, 0]
    catch = set_up(max_flicks=1, caught={2: 1})
    assert flick(catch, touch(2, 1, 0)).endings.tolist() == [0, 1, 0]


def test_a21_the_first_catch_of_two_in_the_last_flick_is_an_end_by_the_cap():
    position = set_up(num_players=2, max_flicks=1)
    state = flick(position, touch(2, 1, 0))
    assert state.endings.tolist() == [0, 0, 1]
    assert num_cards(state) == [2, 0]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a21_by_default_100_flicks_for_each_player(num_players):
    state = set_up(num_players=num_players, flicks=100 * num_players - 2).state
    assert state.max_flicks == 100 * num_players
    position = set_up(num_players=num_players, flicks=100 * num_players - 2)
    assert flick(position).endings.sum() == 0
    assert flick(position).endings.tolist() == [0, 0, 1]


def test_a21_the_last_round_may_end_by_the_cap():
    position = set_up(max_flicks=1, catcher=2, player=0, round_number=2)
    state = flick(position)
    assert state.terminated
    assert not state.truncated


def test_a22_what_others_have_revealed_taken_and_hold_is_seen():
    plain = set_up().observation(1)
    changes: list[dict[str, Any]] = [
        {"hands": {2: "2"}},
        {"face_up": {2: 2}},
        {"fish": {2: (D1,)}},
        {"caught": {2: 1}},
        {"places": {2: IN_CLASSROOM, 1: IN_GYM}},
    ]
    for change in changes:
        assert (set_up(**change).observation(1) != plain).any(), change
