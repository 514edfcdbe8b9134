"""The oracle against the worked examples of the rule sheet."""

import itertools
import random

import pytest

from .cant_stop import OCCUPIED_RULES, SPACES, CantStop, Dice


def position(occupied: str = "share", num_players: int = 2, **board) -> CantStop:
    """Sets up a position with seat 0 to decide unless told otherwise."""
    game = CantStop(0, num_players, occupied=occupied, starting_player=0)
    game.set_up(**board)
    return game


def test_dice_known_splitmix64_outputs():
    # The published first outputs of splitmix64 from state 1234567.
    dice = Dice(1234567)
    assert dice.next_bits() == 6457827717110365317
    assert dice.next_bits() == 3203168211198807973
    assert dice.next_bits() == 9817491932198370423


def test_dice_seed_is_mixed_once():
    assert Dice.from_seed(1234567).stream == 6457827717110365317
    assert Dice.from_seed(0).stream == 0xE220A8397B1DCDAF


def test_dice_ranges():
    dice = Dice.from_seed(2**64 - 1)
    fours = [dice.roll_four() for _ in range(20_000)]
    assert len(set(fours)) == 1296
    assert {d for four in fours for d in four} == {1, 2, 3, 4, 5, 6}
    assert len({dice.roll_two() for _ in range(2_000)}) == 36


def test_cs1_board():
    assert list(SPACES) == list(range(2, 13))
    assert list(SPACES.values()) == [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]


def test_cs2_starting_player_replayed_by_hand():
    ties = 0
    for seed in range(300):
        dice = Dice.from_seed(seed)
        seats = [0, 1, 2]
        rounds = 0
        while len(seats) > 1:
            sums = [sum(dice.roll_two()) for _ in seats]
            seats = [
                s for s, total in zip(seats, sums, strict=True) if total == max(sums)
            ]
            rounds += 1
        ties += rounds > 1
        game = CantStop(seed, 3)
        assert game.player == seats[0]
        assert game.dice == dice.roll_four()
    assert ties > 0


def test_cs2_fixed_seat_and_solitaire_roll_nothing_first():
    assert CantStop(5, 4, starting_player=2).player == 2
    assert CantStop(5, 4, starting_player=2).dice == Dice.from_seed(5).roll_four()
    assert CantStop(5, 1).dice == Dice.from_seed(5).roll_four()


def test_cs3_three_ways_to_pair():
    game = position(dice=(1, 5, 4, 6))
    assert game.legal() == {"6 and 10", "5 and 11", "7 and 9"}


def test_cs4_enter_at_the_bottom_or_above_own_piece():
    game = position(dice=(1, 5, 4, 6), pieces=[{6: 4}, {6: 7, 10: 2}])
    game.play("6 and 10")
    assert game.runners == {6: 5, 10: 1}
    assert game.pieces == [{6: 4}, {6: 7, 10: 2}]
    assert game.legal() == {"roll", "stop"}


def test_cs4_second_roll_of_the_source():
    game = position(dice=(2, 4, 3, 5), runners={6: 1, 10: 1})
    assert game.legal() == {"6 and 8", "5", "9", "7 and 7"}
    game.play("6 and 8")
    assert game.runners == {6: 2, 8: 1, 10: 1}


def test_cs5_double_enters_and_moves():
    game = position(dice=(2, 4, 3, 5), runners={6: 1, 10: 1})
    game.play("7 and 7")
    assert game.runners == {6: 1, 10: 1, 7: 2}


def test_cs5_double_moves_two_or_the_one_that_is_left():
    for before, after in ((1, 3), (11, 13), (12, 13)):
        game = position(dice=(2, 4, 3, 5), runners={7: before})
        assert "7 and 7" in game.legal()
        game.play("7 and 7")
        assert game.runners == {7: after}


def test_cs5_double_entering_one_below_the_top():
    game = position(dice=(2, 4, 3, 5), pieces=[{7: 12}, {}])
    game.play("7 and 7")
    assert game.runners == {7: 13}


def test_cs5_no_double_from_the_top():
    game = position(dice=(2, 4, 3, 5), runners={7: 13, 2: 1, 12: 1})
    assert game.legal() == set()


def test_cs6_one_runner_for_two_columns():
    game = position(dice=(2, 4, 3, 5), runners={6: 1, 10: 1})
    game.play("9")
    assert game.runners == {6: 1, 10: 1, 9: 1}


def test_cs6_what_can_be_used_must_be_used():
    game = position(dice=(2, 4, 5, 5), runners={3: 1, 6: 1})
    assert game.legal() == {"6 and 10", "7", "9"}
    game.play("6 and 10")
    assert game.runners == {3: 1, 6: 2, 10: 1}


def test_cs6_the_other_sum_is_ignored():
    game = position(dice=(1, 5, 4, 6), owner={10: 1, 11: 1, 9: 0})
    assert game.legal() == {"6", "5", "7"}


def test_cs8_bust_takes_the_runners_off():
    game = position(runners={2: 1, 3: 2, 12: 1}, pieces=[{3: 1}, {5: 4}])
    turns = game.turns
    game.take_roll((3, 4, 3, 5))
    assert game.player == 1
    assert game.phase == "choose"
    assert game.runners == {}
    assert game.pieces == [{3: 1}, {5: 4}]
    assert game.turns == turns + 1


def test_cs8_three_runners_out_must_move_one():
    game = position(dice=(2, 4, 5, 5), runners={3: 1, 6: 1, 8: 1})
    assert game.legal() == {"6"}


def test_cs9_and_cs10_stop():
    game = position(
        runners={6: 11, 8: 4}, pieces=[{6: 9, 8: 3, 2: 1}, {6: 10, 8: 4, 3: 2}]
    )
    game.play("stop")
    assert game.pieces == [{6: 11, 8: 4, 2: 1}, {8: 4, 3: 2}]
    assert game.owner == {6: 0}
    assert game.runners == {}
    assert game.player == 1


def test_cs11_runner_on_the_last_space():
    game = position(dice=(2, 4, 5, 5), runners={3: 1, 6: 11, 8: 1})
    assert game.legal() == set()
    assert game.owner == {}
    game.set_up(runners={3: 1, 6: 11, 8: 1})
    game.take_roll((2, 4, 5, 5))
    assert game.player == 1
    assert game.owner == {}
    assert game.pieces[0] == {}


def test_cs12_conquered_columns():
    for owner in ({6: 0, 8: 0, 10: 1}, {6: 1, 8: 1, 10: 0}):
        game = position(dice=(2, 4, 4, 6), owner=owner)
        assert game.legal() == set()


def test_cs14_winning_at_once():
    game = position(owner={2: 0, 3: 0, 4: 1}, runners={12: 3, 7: 5})
    turns = game.turns
    game.play("stop")
    assert game.terminated
    assert not game.truncated
    assert game.winners == [0]
    assert game.player == 0
    assert game.turns == turns + 1
    assert game.legal() == set()
    assert game.rewards("win") == [1.0, -1.0]
    assert game.rewards("margin") == pytest.approx([2 / 3, -2 / 3])


def test_cs14_winning_goes_before_truncation():
    game = position(owner={2: 0, 3: 0}, runners={12: 3})
    game.max_turns = game.turns + 1
    game.play("stop")
    assert game.terminated
    assert not game.truncated


def test_truncation():
    game = position(owner={2: 0, 3: 0}, runners={12: 2})
    game.max_turns = game.turns + 1
    stream = game.random.stream
    game.play("stop")
    assert game.truncated
    assert not game.terminated
    assert game.player == 0
    assert game.legal() == set()
    assert game.random.stream == stream
    assert game.rewards("win") == game.rewards("margin") == [0.0, 0.0]


def test_all_columns_conquered_without_a_winner():
    game = CantStop(0, 3, columns_to_win=5)
    owner = {2: 0, 3: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 11: 2}
    game.set_up(player=1, owner=owner, runners={12: 3})
    game.play("stop")
    assert game.terminated
    assert game.winners == [0, 1]
    assert game.rewards("win") == pytest.approx([0.25, 0.25, -1.0 / 2])
    assert game.rewards("margin") == pytest.approx([0.1, 0.1, -0.2])


def test_v2_jump():
    pieces = [{6: 4}, {6: 5, 10: 1}, {6: 6, 10: 2}]
    game = position("jump", 3, dice=(1, 5, 4, 6), pieces=pieces)
    game.play("6 and 10")
    assert game.runners == {6: 7, 10: 3}


def test_v2_jump_in_a_double():
    pieces = [{}, {7: 1}, {7: 3}]
    game = position("jump", 3, dice=(2, 4, 3, 5), pieces=pieces)
    game.play("7 and 7")
    assert game.runners == {7: 4}
    game = position("jump", 2, dice=(2, 4, 3, 5), pieces=[{7: 11}, {7: 12}])
    game.play("7 and 7")
    assert game.runners == {7: 13}


def test_v3_no_rest():
    game = position("no_rest", runners={6: 5}, pieces=[{}, {6: 5}])
    assert game.legal() == {"roll"}
    game.take_roll((1, 5, 4, 6))
    game.play("6 and 10")
    assert game.legal() == {"roll", "stop"}


def test_known_chances():
    die = range(1, 7)
    rolls = list(itertools.product(die, die, die, die))
    for columns, chance in (((6, 7, 8), 0.9198), ((2, 3, 12), 0.4383)):
        game = position(runners=dict.fromkeys(columns, 1))
        made = sum(bool(game.choices(roll)) for roll in rolls)
        assert round(made / 1296, 4) == chance


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.parametrize("occupied", OCCUPIED_RULES)
def test_random_games(occupied: str, num_players: int):
    chooser = random.Random(num_players)
    for seed in range(20):
        game = CantStop(
            seed,
            num_players,
            columns_to_win=chooser.choice((3, 4, 5)),
            occupied=occupied,
            starting_player=chooser.choice(("roll", 0, num_players - 1)),
            max_turns=chooser.choice((None, 10, 1000)),
        )
        while not (game.terminated or game.truncated):
            legal = game.legal()
            assert legal
            mover, runners = game.player, dict(game.runners)
            action = chooser.choice(sorted(legal))
            game.play(action)
            if action not in ("roll", "stop"):
                assert game.player == mover
                assert game.runners != runners
            check_position(game)
        assert game.legal() == set()
        assert game.runners == {}
        assert bool(game.winners) == game.terminated != game.truncated
        if num_players > 1:
            assert sum(game.rewards("win")) == pytest.approx(0)
            assert sum(game.rewards("margin")) == pytest.approx(0)


def check_position(game: CantStop) -> None:
    """Checks what must hold in any position."""
    assert len(game.runners) <= 3
    for column, space in game.runners.items():
        assert column not in game.owner
        assert game.pieces[game.player].get(column, 0) < space <= SPACES[column]
    for seat, pieces in enumerate(game.pieces):
        for column, space in pieces.items():
            assert 1 <= space <= SPACES[column]
            assert game.owner.get(column, seat) == seat
            assert (space == SPACES[column]) == (column in game.owner)
    if game.occupied != "share":
        for column in SPACES:
            taken = [p[column] for p in game.pieces if column in p]
            assert len(taken) == len(set(taken))
