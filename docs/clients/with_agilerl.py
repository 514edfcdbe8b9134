"""AgileRL: masked PPO learns one seat of Can't Stop, then meets ``random``.

    pip install -r docs/clients/requirements-agilerl.txt .
    python docs/clients/with_agilerl.py

AgileRL's multi-agent algorithms are for players who all move at once. In turn-based
games it learns one seat: opponents move inside the ``step`` of ``SeatVectorEnv``, whose
masks are where AgileRL looks for them, in ``info["action_mask"]``.

It ran with agilerl 2.58.0, pettingzoo 1.26.1 and gymnasium 1.4.0.
"""

import sys

import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts

from game_core import find_agent, load_game, play
from game_core.envs.seat import SeatVectorEnv

NUM_ENVS, BATCH = 16, 2048
LAYERS = {"encoder_config": {"hidden_size": [64]}, "head_config": {"hidden_size": [64]}}


def make_learner(envs: SeatVectorEnv) -> PPO:
    """Return PPO for a seat of these games."""
    return PPO(
        envs.single_observation_space,
        envs.single_action_space,
        net_config=LAYERS,
        num_envs=NUM_ENVS,
        learn_step=BATCH,
        batch_size=256,
        lr=1e-3,
        gamma=1.0,
    )


def learn(steps: int, ppo: PPO, envs: SeatVectorEnv) -> None:
    """Play and learn, and print how it goes."""
    names = ("last_obs", "last_done", "last_scores", "last_info")
    going_on = {}
    for step in range(BATCH, steps + 1, BATCH):
        returns, *now = collect_rollouts(ppo, envs, **going_on)
        going_on = dict(zip(names, now, strict=True))
        ppo.learn()
        mean = np.mean(returns) if returns else 0.0
        print(f"{step} steps, mean return of {len(returns)} games: {mean:.2f}")


def main(steps: int = 100_000) -> None:
    """Train, and play against ``random``."""
    torch.manual_seed(0)
    np.random.seed(0)  # noqa: NPY002 - AgileRL draws from it
    opponents = ["random", "rule_of_28"]
    envs = SeatVectorEnv("cant_stop", NUM_ENVS, opponents, autoreset_mode="SameStep")
    ppo = make_learner(envs)
    learn(steps, ppo, envs)

    def policy(view):
        mask = view.action_mask[np.newaxis]
        return ppo.get_action(view.observation[np.newaxis], action_mask=mask)[0][0]

    table = [policy, find_agent("random", "cant_stop")]
    logs = [play(load_game("cant_stop"), table, seed=seed) for seed in range(100)]
    print(f"won {sum(log.rewards[0] > 0 for log in logs)} of 100 games against random")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
