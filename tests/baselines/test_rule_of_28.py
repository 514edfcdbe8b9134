"""The Rule of 28: its points by hand, and its strength."""

from typing import Any

import pytest

from baselines.cant_stop import _heuristic
from baselines.cant_stop.rule_of_28 import WEIGHTS, rule_of_28
from baselines.random import random
from cant_stop_env.state import ROLL, STOP
from game_core import Position, View, load_game
from game_core import play as play_game
from tests.cant_stop.positions import play, set_up


def answer(position: Position) -> str:
    """Return what the agent plays here, in words; it draws no random numbers."""
    no_rng: Any = None
    view = View(position.game, position.player, position, no_rng)
    return position.game.action_to_text(rule_of_28(view))


def points_of_turn(state) -> float:
    return _heuristic.points_of_turn(WEIGHTS[0], state)


@pytest.mark.parametrize(
    ("runners", "points"),
    [
        ({}, 0),
        ({7: 3}, (3 + 1) * 1),
        ({7: 3, 6: 1}, (3 + 1) * 1 + (1 + 1) * 2),
        # Three runners, neither all odd nor even, on both sides of 7: nothing more.
        ({2: 1, 5: 2, 10: 3}, 2 * 6 + 3 * 3 + 4 * 4),
        ({3: 1, 7: 1, 9: 1}, 2 * 5 + 2 * 1 + 2 * 3 + 2),
        ({4: 1, 6: 1, 8: 2}, 2 * 4 + 2 * 2 + 3 * 2 - 2),
        ({2: 1, 3: 1, 4: 2}, 2 * 6 + 2 * 5 + 3 * 4 + 4),
        ({5: 1, 6: 1, 7: 1}, 2 * 3 + 2 * 2 + 2 * 1 + 4),
        ({7: 1, 9: 1, 11: 1}, 2 * 1 + 2 * 3 + 2 * 5 + 2 + 4),
        ({8: 1, 10: 1, 12: 1}, 2 * 2 + 2 * 4 + 2 * 6 - 2 + 4),
    ],
)
def test_points_of_a_turn(runners, points):
    assert points_of_turn(set_up(runners=runners).states[0]) == points


def test_two_runners_have_no_difficulty():
    assert points_of_turn(set_up(runners={3: 1, 5: 1}).states[0]) == 2 * 5 + 2 * 3


def test_only_the_spaces_of_this_turn_count():
    position = set_up(player=1, pieces={0: {7: 9}, 1: {7: 5}}, runners={7: 8})
    assert points_of_turn(position.states[0]) == (3 + 1) * 1


def test_a_jump_counts_the_space_that_it_skips():
    position = set_up(dice=(1, 6, 1, 1), pieces={0: {7: 5}, 1: {7: 6}}, occupied="jump")
    play(position, "2 and 7")
    assert points_of_turn(position.states[0]) == (1 + 1) * 6 + (2 + 1) * 1


@pytest.mark.parametrize(
    ("words", "runners", "points"),
    [
        ("6 and 10", {}, 2 + 4 - 2 * 6),
        ("6 and 10", {6: 1}, 2 + 4 - 6),
        ("6 and 10", {6: 1, 10: 2}, 2 + 4),
        ("7 and 7", {}, 1 + 1 - 6),
        ("7 and 7", {7: 4}, 1 + 1),
        ("12", {2: 1}, 6 - 6),
    ],
)
def test_points_of_a_move(words, runners, points):
    position = set_up(runners=runners)
    action = position.game.text_to_action(words)
    state = position.states[0]
    assert _heuristic.points_of_choice(WEIGHTS[0], state, action) == points


@pytest.mark.parametrize(
    ("runners", "chosen"),
    [
        ({}, "5 and 11"),  # 3 + 5 - 12 beats 2 + 4 - 12 and 1 + 3 - 12
        ({6: 1}, "6 and 10"),  # 2 + 4 - 6 beats 3 + 5 - 12
        ({7: 1, 9: 2}, "7 and 9"),  # 1 + 3 beats 2 - 6, 4 - 6, 3 - 6 and 5 - 6
    ],
)
def test_it_chooses_the_columns_with_most_points(runners, chosen):
    assert answer(set_up(dice=(1, 5, 4, 6), runners=runners)) == chosen


def test_of_equal_choices_it_takes_the_first():
    position = set_up(dice=(1, 2, 5, 6), runners={6: 1})
    # 3 and 11: 5 + 5 - 12 = -2; 6 and 8: 2 + 2 - 6 = -2; a double 7: 2 - 6 = -4.
    assert answer(position) == "3 and 11"


@pytest.mark.parametrize(
    ("runners", "word"),
    [
        ({8: 1, 10: 1, 12: 1}, "roll"),  # 26
        ({8: 2, 10: 1, 12: 1}, "stop"),  # 28
        ({12: 3}, "roll"),  # 24, with two runners free
        ({12: 2, 11: 1}, "stop"),  # 28, with one runner free
    ],
)
def test_it_stops_at_28(runners, word):
    assert answer(set_up(runners=runners)) == word


def test_it_stops_when_that_wins():
    owner, pieces = {2: 0, 3: 0}, {0: {7: 12}}
    assert answer(set_up(owner=owner, pieces=pieces, runners={7: 13})) == "stop"


def test_it_rolls_while_it_may_not_stop():
    position = set_up(
        runners={12: 2, 2: 2}, pieces={1: {12: 2}}, occupied="no_rest", num_players=2
    )
    assert points_of_turn(position.states[0]) == 36
    assert position.legal_actions().tolist() == [ROLL]
    assert answer(position) == "roll"
    position.states["pieces"][0, 1, 12] = 1
    assert position.legal_actions().tolist() == [ROLL, STOP]
    assert answer(position) == "stop"


def test_it_beats_random_in_nearly_all_pairs():
    # Of 1,000 other pairs it won both games of 982. More than 10 pairs of 100 not won
    # would then have a chance of 2e-6, were the seeds not fixed.
    game = load_game("cant_stop")
    won = 0
    for seed in range(100):
        first = play_game(game, [rule_of_28, random], seed).rewards[0]
        second = play_game(game, [random, rule_of_28], seed).rewards[1]
        won += first == second == 1.0
    assert won >= 90
