"""The agent that rolls while it was likely to survive, and its memory of the turn."""

import numpy as np
import pytest

from baselines.cant_stop.fifty_percent import FiftyPercent, fifty_percent, gain
from cant_stop_env.odds import chance_of_move
from cant_stop_env.state import ROLL, STOP
from game_core import View, load_game, play
from tests.cant_stop.positions import set_up

DICE = (1, 5, 4, 6)
GOOD, BAD = {6: 1, 7: 1, 8: 1}, {2: 1, 3: 1, 12: 1}


class Seat:
    """A seat of a game whose positions are set up by hand."""

    def __init__(self, agent: FiftyPercent) -> None:
        self.agent = agent
        self.rng = np.random.default_rng(0)

    def answer(self, **position) -> int:
        """Return what the agent plays in a position."""
        there = set_up(**position)
        return self.agent.act(View(there.game, there.player, there, self.rng))

    def survive(self, rolls: int, runners: dict[int, int]) -> None:
        """Show the first roll of a turn, and more rolls with these runners."""
        self.answer(dice=DICE)
        for _ in range(rolls):
            self.answer(dice=DICE, runners=runners)


def test_it_rolls_while_the_chance_of_the_turn_is_a_half():
    # 0.9198 ** 8 = 0.512 and 0.9198 ** 9 = 0.471.
    assert chance_of_move(GOOD) ** 8 > 0.5 > chance_of_move(GOOD) ** 9
    for rolls, action in ((0, ROLL), (7, ROLL), (8, STOP), (12, STOP)):
        seat = Seat(FiftyPercent())
        seat.survive(rolls, GOOD)
        assert seat.answer(runners=GOOD) == action


def test_bad_columns_are_left_at_once():
    seat = Seat(FiftyPercent())
    seat.survive(0, BAD)
    assert seat.answer(runners=BAD) == STOP


def test_a_new_turn_begins_anew():
    seat = Seat(FiftyPercent())
    seat.survive(8, GOOD)
    assert seat.answer(runners=GOOD) == STOP
    seat.survive(7, GOOD)
    assert seat.answer(runners=GOOD) == ROLL


def test_it_decides_in_the_middle_of_a_turn_it_has_not_seen():
    assert Seat(FiftyPercent()).answer(runners=GOOD) == ROLL
    assert Seat(FiftyPercent()).answer(runners=BAD) == STOP


def test_a_free_runner_is_reason_to_roll():
    seat = Seat(FiftyPercent())
    seat.survive(30, {2: 1, 12: 1})
    assert seat.answer(runners={2: 1, 12: 1}) == ROLL


def test_a_free_runner_with_no_column_to_enter_is_none():
    owner = {column: column % 4 for column in range(2, 12)}
    position = {"owner": owner, "num_players": 4, "columns_to_win": 5}
    assert Seat(FiftyPercent()).answer(runners={12: 1}, **position) == STOP


def test_it_stops_when_that_wins_even_with_a_free_runner():
    seat = Seat(FiftyPercent())
    assert seat.answer(owner={2: 0, 3: 0}, runners={7: 13}) == STOP


def test_it_rolls_while_it_may_not_stop():
    pieces = {1: {2: 1}}
    position = {"runners": BAD, "pieces": pieces, "occupied": "no_rest"}
    assert Seat(FiftyPercent()).answer(**position) == ROLL


@pytest.mark.parametrize(
    ("action", "gained"),
    [("7", 1 / 13), ("2", 1 / 3), ("6 and 10", 1 / 11 + 1 / 7), ("7 and 7", 2 / 13)],
)
def test_gain_counts_parts_of_columns(action, gained):
    assert gain(load_game("cant_stop").text_to_action(action)) == pytest.approx(gained)


def test_it_chooses_the_columns_that_gain_most():
    # 6 and 10: 1/11 + 1/7 = 0.23; 5 and 11: 1/9 + 1/5 = 0.31; 7 and 9: 0.19.
    game = load_game("cant_stop")
    chosen = Seat(FiftyPercent()).answer(dice=DICE)
    assert game.action_to_text(chosen) == "5 and 11"


@pytest.mark.parametrize("num_players", [1, 2, 3])
def test_one_object_plays_all_seats_as_one_for_each_does(num_players):
    game = load_game("cant_stop", num_players=num_players)
    agent = FiftyPercent()
    for seed in range(3):
        together = play(game, [agent] * num_players, seed).actions
        assert together == play(game, [fifty_percent] * num_players, seed).actions
