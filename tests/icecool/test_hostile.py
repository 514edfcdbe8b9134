"""Callers that are careless or hostile: nothing crashes, hangs or is silently wrong."""

from typing import Any

import numpy as np
import pytest

from game_core import Position, load_game
from game_core.envs.aec import GameEnv
from icecool_env import icecool_v0
from icecool_env.game import make_game
from icecool_env.physics.slide import Flick, last_flick, slide
from icecool_env.school import STANDARD, Room, School
from icecool_env.state import SKATES

FLICK_EAST = [1.0, 0, 0, 0, -1, 0]


def in_play(num_players: int = 3, **options) -> GameEnv:
    """Return an environment after the Catcher, seat 0, was placed."""
    env = icecool_v0.raw_env(num_players=num_players, first_catcher=0, **options)
    env.reset(seed=0)
    env.step([0.0] * 6)
    return env


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"on_board": 0}, "off the board"),
        ({"phase": SKATES}, "no two cards"),
        ({"deck": 45}, "whole deck"),
        ({"face_up": 1}, "whole deck"),
        ({"caught": 2}, "caught too often"),
        ({"x": 5000.0}, "outside the school"),
        ({"x": np.nan}, "x is out of its bounds"),
        ({"flicked": 2}, "flicked last was off the board"),
        ({"flicked": 3}, "flicked is out of its bounds"),
        ({"was_y": np.inf}, "was_y is out of its bounds"),
        ({"num_doors": 10**5}, "other options: num_doors"),
    ],
)
def test_set_state_refuses_records_of_no_game(changes, says):
    env = in_play()
    before, states = env.get_state(), env.get_state()
    for field, value in changes.items():
        states[field] = value
    with pytest.raises(ValueError, match=says):
        env.set_state(states)
    assert env.get_state().tobytes() == before.tobytes()


def test_a_penguin_of_no_player_is_refused():
    env = in_play()
    states = env.get_state()
    states["on_board"][0, 3] = 1
    states["x"][0, 3] = states["y"][0, 3] = 100.0
    with pytest.raises(ValueError, match="no player"):
        env.set_state(states)


def test_a_record_that_was_edited_by_hand_does_not_crash():
    position = in_play().position.copy()
    position.states["on_board"] = 0
    position.step(FLICK_EAST)
    assert position.state.flicks == 1


def test_planning_on_an_impossible_question_ends():
    position = in_play().position.copy()
    position.states["phase"] = SKATES
    assert position.determinize(0, 1).state.face_down.sum() == 0


@pytest.mark.parametrize(
    "given",
    [
        load_game("icecool").template,
        Position.new(load_game("icecool"), 0).states,
        Position.new(load_game("azul"), 0).states,
        np.repeat(in_play().get_state(), 2),
        in_play(),
        None,
        [1, 2],
    ],
    ids=["template", "new game", "azul", "two records", "environment", "None", "list"],
)
def test_last_flick_refuses_what_has_none(given):
    with pytest.raises(ValueError, match=r"one record|has been flicked"):
        last_flick(given)


@pytest.mark.parametrize("seat", [-2, 2, 77])
def test_last_flick_refuses_a_seat_of_nobody(seat):
    states = in_play(2).get_state()
    states["flicked"] = seat
    with pytest.raises(ValueError, match="has been flicked"):
        last_flick(states)


def test_slide_takes_flicks_and_schools_only():
    no_flick: Any = (0, (100.0, 0.0, 0.0), 0.0)
    no_school: Any = STANDARD.to_dict()
    with pytest.raises(ValueError, match="a Flick and a School"):
        slide([[182.5, 117.5]], no_flick)
    with pytest.raises(ValueError, match="a Flick and a School"):
        slide([[182.5, 117.5]], Flick(0, (100.0, 0.0, 0.0)), no_school)
    with pytest.raises(ValueError, match="up to 2300"):
        slide([[560.0, 300.0]], Flick(0, (2000.0, -2000.0, 0.0), 600.0))


def test_a_school_too_large_for_a_float_is_a_fault():
    rooms = (Room("Classroom", 0, 0, 10**400, 300), *STANDARD.rooms[1:])
    with pytest.raises(ValueError, match="no school"):
        make_game(school=School(rooms, STANDARD.doors))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"first_catcher": np.array([0, 1])}, "first_catcher"),
        ({"grid": {"dir": 4}}, "grid: unknown option 'dir'"),
        ({"grid": {"sides": 0}}, "grid: sides=0"),
        ({"grid": 4}, "grid=4"),
        ({"deck": 44}, "deck="),
        ({"reflick": 1}, "reflick=1"),
    ],
)
def test_option_is_refused_by_name(options, says):
    with pytest.raises(ValueError, match=says):
        make_game(**options)


def test_options_as_numpy_and_command_lines_give_them():
    options: dict[str, Any] = {"deck": 42, "reflick": np.True_}
    game = make_game(**options)
    assert game.options["deck"] == "42"
    assert game.options["reflick"] is True


def test_a_grid_is_given_once():
    with pytest.raises(ValueError, match="grid"):
        icecool_v0.discrete_env(grid={"directions": 4})


@pytest.mark.parametrize("number", [-1, 10**9])
def test_a_number_beyond_the_grid_has_no_words(number):
    with pytest.raises(ValueError, match="none of the"):
        load_game("icecool", grid={}).action_to_text(number)
