"""PettingZoo's own tests, for each game; ``tests/core/test_aec.py`` asks for more."""

from functools import partial

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from game_core import Position
from game_core.render import ansi
from tests.games import dict_observations_warn
from tests.games_alike import CASES
from tests.games_alike.test_options import makers


def each_environment(all_options=True):
    """Run a test with the checked and the raw environments of each game.

    With all the options of ``Case.environments``, or with the first and the last.
    """
    environments = []
    for game_id, case in CASES.items():
        given = case.environments
        if not all_options:
            given = [given[0], given[-1]]
        _, *made_by = makers(game_id)
        for name, make in zip(("checked", "raw"), made_by, strict=True):
            environments += [
                pytest.param(partial(make, **one), id=f"{game_id}-{name}-{one}")
                for one in given
            ]
    return pytest.mark.parametrize("make", environments)


@dict_observations_warn
@each_environment()
def test_pettingzoo_api(make):
    api_test(make(), num_cycles=300)


@each_environment()
def test_pettingzoo_seeds(make):
    seed_test(make, 100)


@pytest.mark.slow
@each_environment(all_options=False)
def test_an_environment_plays_to_the_end_and_shows_itself(make):
    env = make(render_mode="ansi")
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    position = Position(env.unwrapped.game, env.get_state())
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        position = Position(env.unwrapped.game, env.get_state())
        env.step(None if terminated or truncated else position.sample_action(rng))
        shown = ansi.plain(env.render())
        assert shown == str(Position(position.game, env.get_state()))
    assert env.agents == []
    assert list(paid.values()) == position.rewards.tolist()
