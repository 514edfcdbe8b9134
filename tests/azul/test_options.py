"""What the options of Azul change."""

from typing import Any

import pytest
from gymnasium.spaces import Discrete

from azul_env import azul_v0

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize(("num_players", "actions"), [(2, 180), (3, 240), (4, 300)])
def test_the_number_of_actions_is_that_of_sources_colors_and_lines(
    num_players, actions
):
    sides: list[tuple[Any, int]] = [("colored", 0), ("grey", 5)]
    for side, more in sides:
        env = azul_v0.env(num_players=num_players, wall=side)
        assert env.action_space("player_0") == Discrete(actions + more)
        env.reset(seed=0)
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.shape == (actions + more,)
