"""The two recipes to compare: what the tutorial's shows, and that both are exact."""

import dataclasses

import numpy as np
import pytest

from baselines.training.config import PpoSettings, SelfPlay, TrainConfig
from baselines.training.recipes import ONE_SEAT, TUTORIAL, TutorialEnv, train
from game_core import load_game
from game_core.envs.aec import GameEnv
from tests.games import one_action

pytestmark = pytest.mark.slow

CONFIG = TrainConfig(
    "cant_stop",
    options={"columns_to_win": 1},
    steps=512,
    num_envs=4,
    opponents=(),
    net_arch=(16,),
    self_play=SelfPlay(share=1.0, every=256),
    ppo=PpoSettings(n_steps=32, batch_size=64, n_epochs=2),
)


@pytest.mark.parametrize("num_players", [2, 3])
def test_tutorial_shows_the_next_player_and_pays_the_one_who_moved(num_players):
    game = load_game("cant_stop", num_players=num_players, columns_to_win=1)
    tutorial, aec = TutorialEnv(game), GameEnv(game)
    rng = np.random.default_rng(1)
    for seed in range(5):
        seen, _ = tutorial.reset(seed=seed)
        aec.reset(seed=seed)
        over, mover = False, ""
        while not over:
            mover = aec.agent_selection
            expected = aec.observe(mover)
            assert seen.tobytes() == expected["observation"].tobytes()
            masks = tutorial.action_masks()
            assert masks.tolist() == expected["action_mask"].astype(bool).tolist()
            action = one_action(masks, rng)
            seen, reward, terminated, truncated, _ = tutorial.step(action)
            aec.step(action)
            over = terminated or truncated
            paid = float(terminated)  # who wins has moved, and losers learn nothing
            assert reward == paid == aec.rewards[mover]
        assert aec.terminations[mover]


@pytest.mark.parametrize("recipe", [ONE_SEAT, TUTORIAL])
def test_a_seed_trains_one_policy(recipe):
    def policies(seed: int) -> list:
        config = dataclasses.replace(CONFIG, seed=seed)
        return list(train(recipe, config))

    first, again, other = policies(0), policies(0), policies(1)
    assert [steps for steps, _ in first] == [0, 256, 512]
    layers = [
        [policy.layers[-1][0].tolist() for _, policy in p] for p in (first, again)
    ]
    assert layers[0] == layers[1]
    assert layers[0][0] != layers[0][1] != layers[0][2]
    assert other[2][1].layers[-1][0].tolist() != layers[0][2]
