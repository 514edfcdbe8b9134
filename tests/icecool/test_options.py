"""The options of ICECOOL: their defaults, schools and grids.

What is refused, and how, is in ``tests/games_alike``.
"""

import numpy as np
import pytest
from gymnasium import spaces

from game_core import Position, load_game
from icecool_env import icecool_v0
from icecool_env.grid import Grid
from icecool_env.school import STANDARD, School
from tests.icecool.positions import MIRRORED

pytestmark = pytest.mark.nojit


def test_all_defaults_are_options():
    assert dict(load_game("icecool").options) == {
        "num_players": 2,
        "deck": "45",
        "max_flicks": None,
        "reward": "win",
        "first_catcher": "random",
        "catcher_start": "chosen",
        "reflick": True,
        "stuck_move": "may",
        "stuck_room": "choose",
        "stuck_strict": True,
        "finish_flick": False,
        "void_on_exit": False,
        "self_catch_next": "runner",
        "blank_cards": False,
        "school": None,
        "grid": None,
    }


def test_a_school_may_be_an_object_or_its_dict():
    states = [
        Position.new(load_game("icecool", school=school), 1).states.tobytes()
        for school in (MIRRORED, MIRRORED.to_dict(), STANDARD, STANDARD.to_dict(), None)
    ]
    assert states[0] == states[1] != states[2] == states[3] == states[4]
    game = load_game("icecool", school=MIRRORED)
    assert School.from_dict(game.options["school"]) == MIRRORED
    assert load_game("icecool", school=STANDARD).options["school"] is None


@pytest.mark.parametrize("width", [9_000, 300_000])
def test_a_large_school_can_be_played_in_and_a_larger_one_is_refused(width):
    """Records of a game are records that it adopts."""
    plan = STANDARD.to_dict()
    plan["rooms"][1][3] = plan["rooms"][3][3] = width
    if width > 10_000:
        with pytest.raises(ValueError, match="farther"):
            load_game("icecool", school=plan)
        return
    game = load_game("icecool", school=plan, first_catcher=0)
    position = Position.new(game, 0)
    position.step(np.array([1, 0, 0, 0, 0, 0], np.float32))
    assert game.adopt(position.states).tobytes() == position.states.tobytes()


def test_without_a_grid_actions_are_six_numbers():
    space = load_game("icecool").action_space
    assert space == spaces.Box(-1, 1, (6,), np.float32)
    assert not load_game("icecool").discrete


@pytest.mark.parametrize(
    ("grid", "actions"),
    [
        ({}, 32 * 4 * 3 * 2 * 3 + 17),
        ({"directions": 8}, 8 * 4 * 3 * 2 * 3 + 17),
        ({"strengths": 2, "sides": 1, "heights": 1}, 32 * 2 * 3 + 17),
    ],
)
def test_numbers_left_out_of_a_grid_have_defaults(grid, actions):
    game = load_game("icecool", grid=grid)
    assert game.num_actions == actions
    assert game.options["grid"] == {**Grid()._asdict(), **grid}


def test_the_discrete_environment_is_the_game_with_a_grid():
    env = icecool_v0.discrete_env(16, 2, sides=5, num_players=3, first_catcher=1)
    numbers = spaces.Discrete(16 * 2 * 5 * 2 * 3 + 17)
    assert env.action_space("player_0") == numbers
    env.reset(seed=3)
    grid = {"directions": 16, "strengths": 2, "sides": 5}
    game = load_game("icecool", num_players=3, first_catcher=1, grid=grid)
    assert env.get_state().tobytes() == Position.new(game, 3).states.tobytes()
    default = icecool_v0.discrete_env()
    assert default.action_space("player_0") == spaces.Discrete(Grid().num_actions)


def test_a_record_of_another_game_is_refused():
    states = Position.new(load_game("icecool"), 0).states
    for options in (
        {"reflick": False},
        {"school": MIRRORED},
        {"grid": {}},
        {"deck": "42"},
        {"max_flicks": 7},
    ):
        with pytest.raises(ValueError, match="other options"):
            load_game("icecool", **options).adopt(states)
