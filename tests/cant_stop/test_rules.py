"""Can't Stop rule by rule, numbered as in ``docs/rules/cant_stop.md``."""

import numpy as np
import pytest

from cant_stop_env import cant_stop_v0, rules
from cant_stop_env.state import HEIGHT
from game_core import Position, load_game
from tests.cant_stop.positions import (
    by_column,
    legal,
    owners_of,
    pieces_of,
    play,
    roll,
    runners_of,
    set_up,
)
from tests.naive.cant_stop import Dice

pytestmark = pytest.mark.nojit

ROLL_OR_STOP = {"roll", "stop"}


def test_cs1_the_board_has_eleven_columns():
    spaces = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}
    assert by_column(HEIGHT) == spaces


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_cs1_the_game_starts_with_an_empty_board(num_players):
    position = Position.new(load_game("cant_stop", num_players=num_players), 5)
    assert all(pieces_of(position, seat) == {} for seat in range(num_players))
    assert runners_of(position) == owners_of(position) == {}
    assert position.states[0].free_runners == 3
    assert position.states[0].turns == 0
    assert not position.over


def test_cs1_a_turn_has_three_runners():
    position = set_up(dice=(1, 5, 4, 6), runners={2: 1, 12: 1})
    play(position, "7")
    assert runners_of(position) == {2: 1, 7: 1, 12: 1}
    assert position.states[0].free_runners == 0


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_cs2_the_highest_roll_starts_and_ties_roll_again(num_players):
    game = load_game("cant_stop", num_players=num_players)
    ties = 0
    for seed in range(60):
        dice = Dice.from_seed(seed)
        rolling = list(range(num_players))
        while len(rolling) > 1:
            sums = {seat: sum(dice.roll_two()) for seat in rolling}
            best = [seat for seat in rolling if sums[seat] == max(sums.values())]
            ties += len(best) > 1
            rolling = best
        position = Position.new(game, seed)
        assert position.player == rolling[0]
        assert tuple(position.states[0].dice) == dice.roll_four()
    assert ties > 0


def test_cs2_an_option_fixes_the_starting_seat():
    for seat in range(4):
        game = load_game("cant_stop", num_players=4, starting_player=seat)
        assert {Position.new(game, seed).player for seed in range(20)} == {seat}


def test_cs2_play_goes_clockwise():
    position = set_up(num_players=3, player=2, runners={6: 1})
    play(position, "stop")
    assert position.player == 0
    for seat in (0, 1, 2):
        assert position.player == seat
        play(position, sorted(legal(position))[0], "stop")


def test_cs3_a_roll_is_split_into_three_pairings():
    position = set_up(dice=(1, 5, 4, 6))
    assert legal(position) == {"6 and 10", "5 and 11", "7 and 9"}


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ((3, 3, 3, 3), {"6 and 6"}),
        ((1, 1, 2, 2), {"2 and 4", "3 and 3"}),
        ((1, 2, 2, 2), {"3 and 4"}),
    ],
)
def test_cs3_equal_pairings_are_one_choice(dice, words):
    position = set_up(dice=dice)
    assert legal(position) == words
    assert position.states[0].num_choices == len(words)


def test_cs4_a_runner_moves_up_or_enters_at_the_first_space():
    position = set_up(dice=(1, 5, 4, 6), runners={6: 4})
    play(position, "6 and 10")
    assert runners_of(position) == {6: 5, 10: 1}


def test_cs4_a_runner_enters_above_the_players_own_piece():
    position = set_up(dice=(1, 5, 4, 6), pieces={0: {6: 4}, 1: {6: 7, 10: 2}})
    play(position, "6 and 10")
    assert runners_of(position) == {6: 5, 10: 1}
    assert pieces_of(position, 0) == {6: 4}
    assert pieces_of(position, 1) == {6: 7, 10: 2}


@pytest.mark.parametrize(
    ("pieces", "runners", "after"),
    [
        ({}, {}, 2),  # enters and moves one more
        ({}, {7: 1}, 3),  # moves two
        ({}, {7: 11}, 13),
        ({}, {7: 12}, 13),  # decided: the one space that is left
        ({0: {7: 12}}, {}, 13),
    ],
)
def test_cs5_a_double_moves_twice(pieces, runners, after):
    position = set_up(dice=(2, 4, 3, 5), pieces=pieces, runners=runners)
    assert "7 and 7" in legal(position)
    play(position, "7 and 7")
    assert runners_of(position) == {7: after}
    assert position.states[0].free_runners == 2


def test_cs5_a_double_takes_one_runner():
    position = set_up(dice=(2, 4, 3, 5), runners={6: 1, 10: 1})
    play(position, "7 and 7")
    assert runners_of(position) == {6: 1, 7: 2, 10: 1}


def test_cs6_one_runner_for_two_columns_is_the_players_choice():
    position = set_up(dice=(2, 4, 3, 5), runners={6: 1, 10: 1})
    assert legal(position) == {"6 and 8", "5", "9", "7 and 7"}
    play(position, "9")
    assert runners_of(position) == {6: 1, 9: 1, 10: 1}


def test_cs6_what_can_be_used_must_be_used():
    position = set_up(dice=(2, 4, 5, 5), runners={3: 1, 6: 1})
    assert legal(position) == {"6 and 10", "7", "9"}
    play(position, "6 and 10")
    assert runners_of(position) == {3: 1, 6: 2, 10: 1}


def test_cs6_a_sum_that_cannot_be_played_is_ignored():
    position = set_up(dice=(1, 5, 4, 6), owner={10: 1, 11: 1, 9: 0})
    assert legal(position) == {"5", "6", "7"}
    play(position, "6")
    assert runners_of(position) == {6: 1}


def test_cs7_after_a_move_the_player_rolls_or_stops_freely():
    position = set_up(dice=(1, 5, 4, 6))
    assert not legal(position) & ROLL_OR_STOP
    play(position, "7 and 9")
    assert legal(position) == ROLL_OR_STOP
    roll(position, (1, 5, 4, 6))
    assert position.player == 0
    assert legal(position) == {"6", "10", "5", "11", "7 and 9"}


def test_cs8_a_bust_takes_the_runners_off_and_leaves_the_pieces():
    position = set_up(runners={2: 1, 3: 2, 12: 1}, pieces={0: {3: 1}, 1: {5: 4}})
    roll(position, (3, 4, 3, 5))
    assert position.player == 1
    assert runners_of(position) == {}
    assert pieces_of(position, 0) == {3: 1}
    assert pieces_of(position, 1) == {5: 4}
    assert position.states[0].turns == 1
    assert not legal(position) & ROLL_OR_STOP  # the next player has rolled


def test_cs8_with_three_runners_out_a_roll_must_move_one_of_them():
    runners = {3: 1, 6: 1, 8: 1}
    assert legal(set_up(dice=(2, 4, 5, 5), runners=runners)) == {"6"}
    assert legal(set_up(dice=(5, 5, 5, 5), runners=runners)) == set()


def test_cs8_a_first_roll_that_allows_nothing_passes_the_turn_on_as_well():
    conquered = dict.fromkeys(range(3, 12), 1)  # 2 and 12 are open
    passed = []
    for stream in range(20):
        position = set_up(num_players=3, columns_to_win=11, owner=conquered)
        position.states["rng"] = stream
        dice, busts = Dice(stream), 0
        while max(map(dice.roll_four().count, (1, 6))) < 2:
            busts += 1
        play(position, "roll")
        assert position.states[0].turns == busts
        assert position.player == busts % 3
        assert legal(position) <= {"2", "12", "2 and 2", "12 and 12", "2 and 12"}
        passed.append(busts)
    assert max(passed) > 1


def test_cs9_pieces_replace_the_runners_on_stopping():
    position = set_up(
        runners={6: 10, 8: 4}, pieces={0: {6: 9, 8: 3, 2: 1}, 1: {6: 10, 3: 2}}
    )
    play(position, "stop")
    assert runners_of(position) == {}
    assert pieces_of(position, 0) == {2: 1, 6: 10, 8: 4}
    assert pieces_of(position, 1) == {3: 2, 6: 10}
    assert position.player == 1
    assert position.states[0].turns == 1


def test_cs10_a_piece_on_the_last_space_conquers_and_removes_all_others():
    position = set_up(
        num_players=3,
        runners={6: 11},
        pieces={0: {6: 9}, 1: {6: 10, 3: 2}, 2: {6: 1, 4: 2}},
    )
    play(position, "stop")
    assert owners_of(position) == {6: 0}
    assert pieces_of(position, 0) == {6: 11}
    assert pieces_of(position, 1) == {3: 2}
    assert pieces_of(position, 2) == {4: 2}


def test_cs11_a_runner_on_the_last_space_cannot_move_further():
    position = set_up(dice=(2, 4, 5, 5), runners={3: 1, 6: 11, 8: 1})
    assert legal(position) == set()


def test_cs11_a_runner_on_the_last_space_has_conquered_nothing():
    position = set_up(runners={3: 1, 6: 11, 8: 1}, pieces={0: {6: 10}, 1: {6: 2}})
    assert owners_of(position) == {}
    roll(position, (2, 4, 5, 5))
    assert position.player == 1
    assert owners_of(position) == {}
    assert pieces_of(position, 0) == {6: 10}
    assert pieces_of(position, 1) == {6: 2}


@pytest.mark.parametrize("owner", [{6: 0, 8: 0, 10: 1}, {6: 1, 8: 1, 10: 0}])
def test_cs12_nobody_enters_a_conquered_column(owner):
    assert legal(set_up(dice=(2, 4, 4, 6), owner=owner)) == set()
    position = set_up(owner=owner, runners={2: 1})
    roll(position, (2, 4, 4, 6))
    assert position.player == 1


def test_cs13_sharing_a_space_is_fine():
    position = set_up(dice=(1, 5, 4, 6), pieces={1: {6: 1, 10: 1}})
    play(position, "6 and 10")
    assert runners_of(position) == {6: 1, 10: 1}
    assert legal(position) == ROLL_OR_STOP
    play(position, "stop")
    assert pieces_of(position, 0) == pieces_of(position, 1) == {6: 1, 10: 1}


def test_cs14_three_columns_win_at_once():
    position = set_up(
        num_players=3, player=1, owner={2: 1, 3: 1, 4: 0}, runners={12: 3, 7: 5}
    )
    play(position, "stop")
    assert position.terminated
    assert not position.truncated
    assert position.player == 1
    assert legal(position) == set()
    assert owners_of(position) == {2: 1, 3: 1, 4: 0, 12: 1}
    assert position.states[0].turns == 1


def test_cs14_two_columns_at_once_can_win():
    position = set_up(owner={2: 0}, runners={11: 5, 12: 3})
    play(position, "stop")
    assert position.terminated
    assert position.rewards.tolist() == [1, -1]


def test_cs14_runners_on_top_do_not_win_before_stopping():
    position = set_up(dice=(6, 6, 1, 2), owner={2: 0, 4: 0}, runners={12: 2})
    play(position, "3 and 12")
    assert not position.over
    assert legal(position) == ROLL_OR_STOP


@pytest.mark.parametrize("columns_to_win", [4, 5])
def test_cs_v1_four_or_five_columns_to_win(columns_to_win):
    owner = dict.fromkeys(range(2, columns_to_win), 0)  # two fewer than it takes
    position = set_up(columns_to_win=columns_to_win, owner=owner, runners={11: 5})
    play(position, "stop")
    assert not position.over
    owner[11] = 0
    position = set_up(columns_to_win=columns_to_win, owner=owner, runners={12: 3})
    play(position, "stop")
    assert position.terminated
    assert position.rewards.tolist() == [1, -1]


@pytest.mark.parametrize(
    ("pieces", "words", "after"),
    [
        ({1: {6: 1}}, "6 and 10", {6: 2, 10: 1}),  # entering
        ({0: {6: 4}, 1: {6: 5}}, "6 and 10", {6: 6, 10: 1}),  # above one's own piece
        ({1: {6: 1, 10: 1}, 2: {6: 2}}, "6 and 10", {6: 3, 10: 2}),  # several in a row
        ({1: {10: 6}, 0: {10: 5}}, "6 and 10", {6: 1, 10: 7}),  # onto the last space
        ({1: {6: 2}}, "6 and 10", {6: 1, 10: 1}),  # not what lies further up
    ],
)
def test_cs_v2_jump_skips_spaces_with_an_opponents_piece(pieces, words, after):
    position = set_up(num_players=3, occupied="jump", dice=(1, 5, 4, 6), pieces=pieces)
    play(position, words)
    assert runners_of(position) == after


@pytest.mark.parametrize(
    ("pieces", "after"),
    [
        ({1: {7: 1}, 2: {7: 3}}, 4),  # both moves jump
        ({1: {7: 2}}, 3),  # the second move jumps
        ({0: {7: 11}, 1: {7: 12}}, 13),  # the first jumps to the top, the second ends
    ],
)
def test_cs_v2_jump_in_a_double(pieces, after):
    position = set_up(num_players=3, occupied="jump", dice=(2, 4, 3, 5), pieces=pieces)
    play(position, "7 and 7")
    assert runners_of(position) == {7: after}


def test_cs_v3_no_rest_on_a_space_with_an_opponents_piece():
    position = set_up(occupied="no_rest", runners={6: 5, 8: 1}, pieces={1: {6: 5}})
    assert legal(position) == {"roll"}
    roll(position, (1, 5, 4, 6))
    play(position, "6 and 10")
    assert runners_of(position) == {6: 6, 8: 1, 10: 1}
    assert legal(position) == ROLL_OR_STOP


def test_cs_v3_no_rest_until_every_runner_has_left_or_the_turn_busts():
    pieces = {1: {6: 5, 8: 1}}
    position = set_up(
        occupied="no_rest", runners={6: 5, 8: 1, 12: 1}, pieces=pieces, player=0
    )
    roll(position, (1, 5, 1, 1))
    play(position, "6")
    assert legal(position) == {"roll"}  # the runner in 8 is still there
    roll(position, (1, 1, 1, 1))
    assert position.player == 1
    assert pieces_of(position, 0) == {}


def test_cs_v3_ones_own_piece_does_not_disturb():
    position = set_up(occupied="no_rest", runners={6: 5}, pieces={0: {6: 4, 8: 1}})
    assert legal(position) == ROLL_OR_STOP


@pytest.mark.parametrize(
    ("reward", "paid"),
    [("win", [0.25, 0.25, -0.5]), ("margin", [0.1, 0.1, -0.2])],
)
def test_all_columns_conquered_with_nobody_at_the_goal_ends_the_game_shared(
    reward, paid
):
    owner = {2: 0, 3: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 11: 2}
    position = set_up(
        num_players=3,
        columns_to_win=5,
        reward=reward,
        player=1,
        owner=owner,
        runners={12: 3},
    )
    play(position, "stop")
    assert position.terminated
    assert not position.truncated
    assert position.rewards == pytest.approx(paid)
    assert "player_0 and player_1 win with 4 columns" in str(position)


def test_a_turn_is_counted_when_it_ends_and_the_cap_truncates():
    position = set_up(max_turns=2, runners={6: 1})
    play(position, "stop")
    assert position.states[0].turns == 1
    assert not position.over
    play(position, sorted(legal(position))[0])
    assert position.states[0].turns == 1
    stream = position.states["rng"].copy()
    play(position, "stop")
    assert position.truncated
    assert not position.terminated
    assert position.states[0].turns == 2
    assert position.player == 1  # who moved last
    assert legal(position) == set()
    assert position.states["rng"] == stream  # nobody has rolled after the end
    assert position.rewards.tolist() == [0, 0]
    assert str(position).startswith("The game was cut short after 2 turns")


def test_a_bust_in_the_last_turn_truncates():
    position = set_up(max_turns=1, runners={2: 1, 3: 1, 12: 1})
    roll(position, (4, 4, 4, 4))
    assert position.truncated
    assert runners_of(position) == {}


def test_without_a_cap_turns_go_on():
    position = set_up(max_turns=None, runners={6: 1})
    position.states["turns"] = 10**9
    play(position, "stop")
    assert not position.over


def test_winning_goes_before_truncation():
    position = set_up(max_turns=1, owner={2: 0, 3: 0}, runners={12: 3})
    play(position, "stop")
    assert position.terminated
    assert not position.truncated
    assert position.rewards.tolist() == [1, -1]


@pytest.mark.parametrize(
    ("options", "owner", "paid"),
    [
        ({"num_players": 2}, {2: 1}, [1, -1]),
        ({"num_players": 3}, {2: 1, 3: 2}, [1, -1 / 2, -1 / 2]),
        ({"num_players": 4}, {2: 1, 3: 1, 4: 3}, [1, -1 / 3, -1 / 3, -1 / 3]),
        ({"num_players": 2, "reward": "margin"}, {2: 1}, [2 / 3, -2 / 3]),
        (
            {"num_players": 4, "reward": "margin"},
            {2: 1, 3: 1, 4: 3},
            [2 / 3, 2 / 9, -2 / 3, -2 / 9],
        ),
    ],
)
def test_rewards_of_a_win_sum_to_zero(options, owner, paid):
    position = set_up(**options, owner={10: 0, 11: 0, **owner}, runners={12: 3})
    assert position.rewards.tolist() == [0] * options["num_players"]
    play(position, "stop")
    assert position.rewards == pytest.approx(paid)
    assert sum(position.rewards) == pytest.approx(0)


@pytest.mark.parametrize(("reward", "paid"), [("win", 1), ("margin", 1 / 8)])
def test_alone_the_reward_is_one_or_one_by_turns(reward, paid):
    position = set_up(num_players=1, reward=reward, owner={2: 0, 3: 0}, runners={12: 3})
    position.states["turns"] = 7
    play(position, "stop")
    assert position.terminated
    assert position.states[0].turns == 8
    assert position.rewards == pytest.approx([paid])


def test_alone_the_turn_stays_with_the_player():
    position = play(set_up(num_players=1, runners={6: 1}), "stop")
    assert position.player == 0
    assert position.states[0].turns == 1
    assert not legal(position) & ROLL_OR_STOP


def test_the_rules_accept_no_action_once_the_game_is_over():
    position = play(set_up(owner={2: 0, 3: 0}, runners={12: 3}), "stop")
    before = position.states.tobytes()
    assert position.game.loops.step_all(position.states, np.array([77])) == -1
    assert position.states.tobytes() == before
    assert not any(rules.is_legal(position.states[0], a) for a in range(79))
    assert not position.action_mask().any()


@pytest.mark.parametrize("make", [cant_stop_v0.env, cant_stop_v0.raw_env])
def test_the_environments_take_the_options_of_the_game(make):
    env = make(num_players=3, occupied="jump", render_mode="ansi")
    env.reset(seed=1)
    assert len(env.agents) == 3
    assert env.unwrapped.game.options["occupied"] == "jump"
    assert "player_" in env.render()
