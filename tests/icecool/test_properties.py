"""What holds in every position of ICECOOL, whatever the options and the flicks.

What holds in every game is tested in ``tests/games_alike``.
"""

import numpy as np
import pytest
from hypothesis import given, settings

from game_core import Position, load_game
from tests.games import THOROUGH
from tests.games_alike.icecool import CASE, SMALL, positions
from tests.icecool.positions import set_up, status


@given(positions())
@settings(max_examples=10 * THOROUGH)
def test_nothing_is_wrong_with_the_corners_of_the_action_space(position):
    """Full strength, full spin, the highest jumps, from the red line."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        if position.over or position.game.discrete:
            break
        position.step(rng.choice((-1.0, -0.05, 0.0, 0.05, 0.5, 1.0), 6))
        CASE.check(position)


@given(positions())
@settings(max_examples=10 * THOROUGH)
def test_no_game_is_cut_short_and_none_pays_more_than_1(position):
    assert not position.truncated
    assert abs(position.rewards).max() <= 1


@pytest.mark.nojit
@pytest.mark.parametrize("grid", [None, SMALL])
def test_nothing_is_wrong_in_the_first_turns(grid):
    game = load_game("icecool", num_players=4, grid=grid, max_flicks=5)
    position = Position.new(game, 1)
    rng = np.random.default_rng(1)
    for _ in range(7):
        CASE.check(position)
        position.step(position.sample_action(rng))
    CASE.check(position)


@pytest.mark.parametrize(
    ("field", "place", "value", "fault"),
    [
        ("deck", (2,), 3, "there are"),
        ("deck", (1,), -1, "fewer than no cards"),
        ("face_down", (1, 0), 1, "a blank card"),
        ("face_up", (1,), 1, "a single card revealed"),
        ("x", (0,), -1, "penguin 0 is out of the school"),
        ("x", (0,), 240, "penguin 0 is in a wall"),
        ("y", (1,), 145, "penguins 1 and 2 overlap"),
        ("fish_taken", (0, 1), 1, "the Catcher has fish, or was caught"),
        ("caught", (1,), 2, "caught too often"),
        ("fish_taken", (1,), 1, "the round goes on with three fish"),
        ("caught", (slice(1, 3),), 1, "the round goes on with all caught"),
        ("flicks", (), 300, "the round goes on after its last flick"),
        ("first_flick", (0,), 1, "a first flick of the Catcher"),
        ("round_number", (), 1, "rounds that have not ended"),
        ("terminated", (), True, "over too early"),
        ("player", (), 3, "nobody's turn"),
        ("on_board", (3,), 1, "something of a player who is not in the game"),
        ("phase", (), 0, "no time to place a penguin"),
        ("on_board", (1,), 0, "nothing to flick"),
        ("phase", (), 2, "no cards for skates"),
        ("reflicks", (), 1, "a repeated flick that is no first one"),
        ("reflicks", (), 20, "20 repeated flicks"),
    ],
)
def test_status_notices_what_is_wrong(field, place, value, fault):
    position = set_up(places={1: (100, 100), 2: (100, 150)})
    assert status(position) == []
    position.states[field][(0, *place)] = value
    assert any(words.startswith(fault) for words in status(position))
