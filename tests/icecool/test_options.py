"""The options of ICECOOL: what they allow, and what refusals say."""

import json
import pickle

import numpy as np
import pytest
from gymnasium import spaces

from game_core import Position, load_game
from icecool_env import icecool_v0
from icecool_env.grid import Grid
from icecool_env.school import STANDARD, Door, Room, School

pytestmark = pytest.mark.nojit

MIRRORED = School(
    rooms=tuple(
        Room(r.name, 600 - r.right, r.bottom, 600 - r.left, r.top)
        for r in STANDARD.rooms
    ),
    doors=tuple(
        Door(d.name, d.rooms, d.at, d.fish)
        if STANDARD.wall_of(d).upright
        else Door(d.name, d.rooms, 600 - d.at, d.fish)
        for d in STANDARD.doors
    ),
)

ALLOWED = [
    {},
    {"num_players": 2, "deck": "45"},
    {"num_players": 3, "deck": "42", "blank_cards": True},
    {"num_players": 4, "deck": "tournament", "reward": "margin"},
    {"num_players": np.int64(3), "first_catcher": np.int8(1)},
    {"num_players": 4, "first_catcher": 3},
    {"first_catcher": "random", "catcher_start": "centre"},
    {"max_flicks": None},
    {"max_flicks": 1},
    {"max_flicks": 10**9},
    {"reflick": False, "stuck_move": "must", "stuck_room": "majority"},
    {"stuck_strict": False, "finish_flick": True, "void_on_exit": True},
    {"self_catch_next": "catcher"},
    {"school": MIRRORED.to_dict()},
    {"grid": {"directions": 1, "strengths": 1, "sides": 1, "heights": 1}},
    {"num_players": 3, "school": MIRRORED.to_dict(), "grid": Grid()._asdict()},
]


@pytest.mark.parametrize("options", ALLOWED, ids=str)
def test_allowed_options_come_back_and_make_the_same_game(options):
    game = load_game("icecool", **options)
    assert options.items() <= game.options.items()
    saved = json.loads(json.dumps(dict(game.options)))
    pickled = pickle.loads(pickle.dumps(game))
    first = Position.new(game, 3).states
    for again in (load_game("icecool", **game.options), pickled):
        assert dict(again.options) == dict(game.options)
        assert Position.new(again, 3).states.tobytes() == first.tobytes()
        assert again.action_space == game.action_space
    assert load_game("icecool", **saved).adopt(first).tobytes() == first.tobytes()
    assert game.adopt(first).tobytes() == first.tobytes()


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


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"x": 2}, "unknown option 'x'; known options: num_players, deck"),
        ({"num_players": 1}, "num_players=1 .* whole number from 2 to 4"),
        ({"num_players": 5}, "num_players=5"),
        ({"num_players": 2.0}, "num_players=2.0"),
        ({"num_players": True}, "num_players=True"),
        ({"deck": 43}, "deck='43' .*'45' or '42' or 'tournament'"),
        ({"deck": "54"}, "deck='54'"),
        ({"max_flicks": 0}, "max_flicks=0 .*None or a whole number from 1 to"),
        ({"max_flicks": 10**9 + 1}, "max_flicks=1000000001"),
        ({"max_flicks": 2.5}, "max_flicks=2.5"),
        ({"max_flicks": "none"}, "max_flicks='none'"),
        ({"reward": "points"}, "reward='points' .*'win' or 'margin'"),
        ({"first_catcher": 2}, "first_catcher=2 .*'random' or .* from 0 to 1"),
        ({"first_catcher": -1}, "first_catcher=-1"),
        ({"first_catcher": None}, "first_catcher=None"),
        ({"first_catcher": True}, "first_catcher=True"),
        ({"catcher_start": "center"}, "catcher_start='center' .*'chosen' or 'centre'"),
        ({"reflick": 1}, "reflick=1 .*True or False"),
        ({"stuck_move": True}, "stuck_move=True .*'may' or 'must'"),
        ({"stuck_room": "both"}, "stuck_room='both' .*'choose' or 'majority'"),
        ({"stuck_strict": None}, "stuck_strict=None"),
        ({"finish_flick": "yes"}, "finish_flick='yes'"),
        ({"void_on_exit": 0}, "void_on_exit=0"),
        ({"self_catch_next": 0}, "self_catch_next=0 .*'runner' or 'catcher'"),
        ({"blank_cards": "yes"}, "blank_cards="),
        ({"school": "big"}, "a school is a dict of 'rooms'"),
        ({"school": 5}, "a school is a dict of 'rooms'"),
        ({"school": {}}, "a school is a dict of 'rooms'"),
        ({"school": {**STANDARD.to_dict(), "attic": 1}}, "a school is a dict of"),
        ({"school": {**STANDARD.to_dict(), "kitchen": "Bar"}}, "there is no room Bar"),
        ({"school": School((), ())}, "no school to play in: there is no room Classro"),
        ({"grid": 32}, "grid=32 .*None for continuous .*directions, strengths, sides"),
        ({"grid": True}, "grid=True"),
        ({"grid": {"direction": 8}}, "'direction'.*directions, strengths, sides, heig"),
        ({"grid": {"directions": 0}}, "directions=0 .*whole number from 1 to 360"),
        ({"grid": {"sides": 361}}, "sides=361"),
        ({"grid": {"heights": 2.0}}, "heights=2.0"),
        ({"grid": {"directions": 360, "strengths": 360}}, "too fine"),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda **o: load_game("icecool", **o), id="game"),
        pytest.param(icecool_v0.env, id="env"),
        pytest.param(icecool_v0.raw_env, id="raw_env"),
    ],
)
def test_refused_options_say_what_is_allowed(make, options, says):
    with pytest.raises(ValueError, match=says):
        make(**options)


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
