"""The generalized heuristic with the numbers of Glenn and Aloi, by hand."""

from typing import Any

import pytest

from baselines.cant_stop._heuristic import points_of_choice, points_of_turn
from baselines.cant_stop.glenn_aloi import WEIGHTS, glenn_aloi
from game_core import Position, View
from tests.cant_stop.positions import set_up


def answer(position: Position) -> str:
    """Return what the agent plays here, in words; it draws no random numbers."""
    no_rng: Any = None
    view = View(position.game, position.player, position, no_rng)
    return position.game.action_to_text(glenn_aloi(view))


@pytest.mark.parametrize(
    ("runners", "points"),
    [
        ({}, 0),
        ({7: 3, 6: 1}, 4 * 1 + 2 * 2),
        ({2: 1, 5: 2, 10: 3}, 2 * 7 + 3 * 2 + 4 * 3),
        ({3: 1, 7: 1, 9: 1}, 2 * 7 + 2 * 1 + 2 * 2 + 7),
        ({4: 1, 6: 1, 8: 2}, 2 * 3 + 2 * 2 + 3 * 2 + 1),
        ({2: 1, 3: 1, 4: 2}, 2 * 7 + 2 * 7 + 3 * 3 + 5),
        ({7: 1, 8: 1, 12: 1}, 2 * 1 + 2 * 2 + 2 * 7 + 6),
    ],
)
def test_points_of_a_turn(runners, points):
    assert points_of_turn(WEIGHTS[0], set_up(runners=runners).state) == points


@pytest.mark.parametrize(
    ("words", "runners", "points"),
    [
        ("6 and 10", {}, 4 + 2 - 2 * 6),
        ("6 and 10", {6: 1}, 4 + 2 - 6),
        ("5 and 11", {5: 1, 11: 1}, 0),
        ("7 and 7", {}, 3 + 3 - 6),
        ("12", {2: 1}, 7 - 6),
    ],
)
def test_points_of_a_choice(words, runners, points):
    position = set_up(runners=runners)
    action = position.game.text_to_action(words)
    assert points_of_choice(WEIGHTS[0], position.state, action) == points


@pytest.mark.parametrize(
    ("runners", "chosen"),
    [
        ({}, "6 and 10"),  # 4 + 2 - 12 beats 0 + 0 - 12 and 3 + 0 - 12
        ({7: 1, 9: 2}, "7 and 9"),  # 3 + 0 beats 4 - 6, 2 - 6 and 0 - 6
    ],
)
def test_it_chooses_the_columns_with_most_points(runners, chosen):
    assert answer(set_up(dice=(1, 5, 4, 6), runners=runners)) == chosen


@pytest.mark.parametrize(
    ("runners", "word"),
    [
        ({2: 1, 5: 1, 10: 2}, "roll"),  # 14 + 4 + 9 = 27
        ({2: 1, 5: 2, 10: 2}, "stop"),  # 14 + 6 + 9 = 29
        ({3: 1, 6: 2, 10: 2}, "stop"),  # 14 + 6 + 9 = 29
        ({3: 1, 6: 2, 8: 3}, "roll"),  # 14 + 6 + 8 = 28
    ],
)
def test_it_stops_at_29(runners, word):
    assert answer(set_up(runners=runners)) == word


def test_it_rolls_while_a_runner_can_enter():
    assert answer(set_up(runners={2: 3, 12: 3})) == "roll"  # 56 points
    owner = {column: column % 4 for column in range(3, 12)}
    full = set_up(runners={2: 3, 12: 3}, owner=owner, num_players=4, columns_to_win=5)
    assert answer(full) == "stop"


def test_it_stops_when_that_wins_even_with_a_free_runner():
    assert answer(set_up(owner={2: 0, 3: 0}, runners={7: 13})) == "stop"


def test_it_rolls_while_it_may_not_stop():
    position = set_up(
        runners={2: 2, 3: 3, 12: 2}, pieces={1: {12: 2}}, occupied="no_rest"
    )
    assert answer(position) == "roll"
    position.state.pieces[1, 12] = 1
    assert answer(position) == "stop"
