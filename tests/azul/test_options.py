"""The options of Azul: what they allow, and what refusals say."""

from typing import Literal

import numpy as np
import pytest
from gymnasium import spaces

from azul_env import azul_v0
from game_core import Position, load_game

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"num_players": 2, "wall": "colored"},
        {"num_players": 3, "wall": "grey", "starting_player": "random"},
        {"num_players": 4, "starting_player": 3},
        {"num_players": np.int64(3), "starting_player": np.int8(1)},
        {"max_rounds": None},
        {"max_rounds": 1, "reward": "win"},
        {"max_rounds": 10**9, "reward": "margin"},
    ],
)
def test_allowed_options(options):
    game = load_game("azul", **options)
    assert options.items() <= game.options.items()
    again = load_game("azul", **game.options)
    first = Position.new(game, 3).states.tobytes()
    assert Position.new(again, 3).states.tobytes() == first


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"x": 2}, "unknown option 'x'; known options: num_players, wall"),
        ({"a": 1, "b": 2}, "unknown option 'a', 'b'"),
        ({"num_players": 1}, "num_players=1 .* whole number from 2 to 4"),
        ({"num_players": 5}, "num_players=5 .* whole number from 2 to 4"),
        ({"num_players": 2.0}, "num_players=2.0 .* whole number from 2 to 4"),
        ({"num_players": True}, "num_players=True"),
        ({"num_players": None}, "num_players=None"),
        ({"wall": "gray"}, "wall='gray' .*'colored' or 'grey'"),
        ({"wall": 0}, "wall=0 .*'colored' or 'grey'"),
        ({"wall": ["grey"]}, "wall="),
        ({"starting_player": 2}, "starting_player=2 .*'random' or .* from 0 to 1"),
        ({"starting_player": -1}, "starting_player=-1"),
        ({"starting_player": "roll"}, "starting_player='roll' .*'random' or"),
        ({"starting_player": None}, "starting_player=None .*'random' or"),
        ({"max_rounds": 0}, "max_rounds=0 .* None or a whole number from 1 to"),
        ({"max_rounds": 10**9 + 1}, "max_rounds=1000000001"),
        ({"max_rounds": 2.5}, "max_rounds=2.5"),
        ({"reward": "points"}, "reward='points' .*'win' or 'margin'"),
        ({"reward": None}, "reward=None"),
    ],
)
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda **o: load_game("azul", **o), id="game"),
        pytest.param(azul_v0.env, id="env"),
        pytest.param(azul_v0.raw_env, id="raw_env"),
    ],
)
def test_refused_options_say_what_is_allowed(make, options, says):
    with pytest.raises(ValueError, match=says):
        make(**options)


@pytest.mark.parametrize(("num_players", "actions"), [(2, 180), (3, 240), (4, 300)])
def test_the_number_of_actions_is_that_of_sources_colors_and_lines(
    num_players, actions
):
    more_actions: dict[Literal["colored", "grey"], int] = {"colored": 0, "grey": 5}
    for side, more in more_actions.items():
        env = azul_v0.env(num_players=num_players, wall=side)
        assert env.action_space("player_0") == spaces.Discrete(actions + more)
        env.reset(seed=0)
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.shape == (actions + more,)
