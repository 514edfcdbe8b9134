"""The agent that rolls while it was likely to survive, and its memory of the turn."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from baselines.cant_stop.fifty_percent import FiftyPercent, fifty_percent, gain
from cant_stop_env.odds import chance_of_move
from cant_stop_env.state import ROLL, STOP
from game_core import Game, Position, View, load_game, play
from game_core.agent import agent_seed
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


def decisions(game: Game, agent: FiftyPercent, seed: int) -> Iterator[int]:
    """Yield the actions of a game in which an agent plays all seats."""
    rngs = [np.random.default_rng(agent_seed(seed, seat)) for seat in game.seats]
    position = Position.new(game, seed)
    while not position.over:
        seat = position.player
        action = agent.act(View(game, seat, position.copy(), rngs[seat]))
        position.step(action)
        yield action


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


def test_it_remembers_each_seat_of_each_game():
    agent = FiftyPercent()
    tired, fresh = Seat(agent), Seat(agent)
    tired.survive(8, GOOD)
    fresh.survive(1, GOOD)
    assert tired.answer(runners=GOOD) == STOP
    assert fresh.answer(runners=GOOD) == ROLL


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
def test_one_object_plays_many_games_at_a_time_as_it_plays_each_alone(num_players):
    game = load_game("cant_stop", num_players=num_players)
    agent = FiftyPercent()
    games = [decisions(game, agent, seed) for seed in range(3)]
    interleaved = list(itertools.zip_longest(*games))
    for seed, actions in enumerate(zip(*interleaved, strict=True)):
        alone = play(game, [fifty_percent] * num_players, seed).actions
        assert tuple(a for a in actions if a is not None) == alone


def test_it_forgets_games_that_are_over():
    agent = FiftyPercent()
    play(load_game("cant_stop"), [agent, agent], 0)
    assert len(agent._survived) == 0
