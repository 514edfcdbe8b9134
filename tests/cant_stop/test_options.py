"""The options of Can't Stop: what they allow, and what refusals say."""

import numpy as np
import pytest

from cant_stop_env import cant_stop_v0
from game_core import Position, load_game

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"num_players": 1},
        {"num_players": 4, "starting_player": 3},
        {"num_players": np.int64(3), "columns_to_win": np.int8(1)},
        {"columns_to_win": 11, "max_turns": None},
        {"max_turns": 1},
        {"max_turns": 10**9, "starting_player": 0},
        {"occupied": "share", "reward": "win"},
        {"occupied": "jump", "reward": "margin"},
        {"occupied": "no_rest"},
    ],
)
def test_allowed_options(options):
    game = load_game("cant_stop", **options)
    assert options.items() <= game.options.items()
    again = load_game("cant_stop", **game.options)
    first = Position.new(game, 3).states.tobytes()
    assert Position.new(again, 3).states.tobytes() == first


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"x": 2}, "unknown option 'x'; known options: num_players, "),
        ({"a": 1, "b": 2}, "unknown option 'a', 'b'"),
        ({"num_players": 0}, "num_players=0 .* whole number from 1 to 4"),
        ({"num_players": 5}, "num_players=5 .* whole number from 1 to 4"),
        ({"num_players": 2.0}, "num_players=2.0 .* whole number from 1 to 4"),
        ({"num_players": True}, "num_players=True"),
        ({"num_players": "2"}, "num_players='2'"),
        ({"columns_to_win": 0}, "columns_to_win=0 .* from 1 to 11"),
        ({"columns_to_win": 12}, "columns_to_win=12 .* from 1 to 11"),
        ({"occupied": "skip"}, "occupied='skip' .*'share' or 'jump' or 'no_rest'"),
        ({"occupied": 1}, "occupied=1"),
        ({"occupied": ["jump"]}, "occupied="),
        ({"starting_player": 2}, "starting_player=2 .*'roll' or .* from 0 to 1"),
        ({"starting_player": -1}, "starting_player=-1"),
        ({"starting_player": "first"}, "starting_player='first' .*'roll' or"),
        ({"max_turns": 0}, "max_turns=0 .* None or a whole number from 1 to"),
        ({"max_turns": 10**9 + 1}, "max_turns=1000000001"),
        ({"max_turns": 2.5}, "max_turns=2.5"),
        ({"reward": "points"}, "reward='points' .*'win' or 'margin'"),
        ({"reward": None}, "reward=None"),
    ],
)
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda **o: load_game("cant_stop", **o), id="game"),
        pytest.param(cant_stop_v0.env, id="env"),
        pytest.param(cant_stop_v0.raw_env, id="raw_env"),
    ],
)
def test_refused_options_say_what_is_allowed(make, options, says):
    with pytest.raises(ValueError, match=says):
        make(**options)
