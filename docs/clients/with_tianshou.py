"""Tianshou: a masked DQN learns one seat of Azul, then meets a random player.

    pip install -r docs/clients/requirements-tianshou.txt .
    python docs/clients/with_tianshou.py

It learns in our Gymnasium environment, where opponents move inside ``step``: Tianshou's
multi-agent algorithms would value a move by what the *next* player sees. The match at
the end is played through Tianshou's own ``PettingZooEnv``.

It ran with tianshou 2.0.1, pettingzoo 1.27.0 and gymnasium 1.4.0.
"""

import sys
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm import (
    DQN,
    MARLRandomDiscreteMaskedOffPolicyAlgorithm,
    MultiAgentOffPolicyAlgorithm,
)
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from azul_env import azul_v0

NUM_ENVS, COLLECTED, EPOCH = 16, 160, 4000


class MaskInObservation(gymnasium.Wrapper):
    """Puts the mask where Tianshou looks for it, in the observation."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        seen, actions = env.observation_space, env.action_space
        mask = spaces.MultiBinary(int(actions.n))
        self.observation_space = spaces.Dict({"obs": seen, "mask": mask})

    def reset(self, **kwargs: Any) -> Any:
        """Begin a game."""
        observation, info = self.env.reset(**kwargs)
        return self._seen(observation, info), {}

    def step(self, action: Any) -> Any:
        """Play an action."""
        observation, *outcome, info = self.env.step(action)
        return self._seen(observation, info), *outcome, {}

    def _seen(self, observation: np.ndarray, info: dict[str, Any]) -> dict[str, Any]:
        return {"obs": observation, "mask": info["action_mask"].astype(bool)}


def make_env() -> gymnasium.Env:
    """Return one seat, drawn for each game, against ``random``."""
    return MaskInObservation(gymnasium.make("tabletop/Azul-v0", opponents="random"))


def make_match() -> PettingZooEnv:
    """Return both seats, for Tianshou's multi-agent algorithms."""
    return PettingZooEnv(azul_v0.env())


def learner(env: gymnasium.Env) -> DQN:
    """Return a DQN that takes masks into account, in its actions and its targets."""
    seen, actions = env.observation_space["obs"], env.action_space
    sizes = {"state_shape": seen.shape, "action_shape": int(actions.n)}
    network = Net(**sizes, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(
        model=network, action_space=actions, eps_training=0.1
    )
    optim = AdamOptimizerFactory(lr=1e-3)
    return DQN(policy=policy, optim=optim, gamma=0.99, target_update_freq=500)


def returns_at(seat: int, dqn: DQN, games: int = 50) -> float:
    """Return the mean return of the learner at a seat against a random player."""
    rival = MARLRandomDiscreteMaskedOffPolicyAlgorithm(make_match().action_space)
    players = [dqn, rival] if seat == 0 else [rival, dqn]
    match = MultiAgentOffPolicyAlgorithm(algorithms=players, env=make_match())
    envs = DummyVectorEnv([make_match for _ in range(10)])
    envs.seed(0)
    stats = Collector[CollectStats](match, envs).collect(
        n_episode=games, reset_before_collect=True
    )
    return float(stats.returns[:, seat].mean())


def main(steps: int = 40_000) -> None:
    """Train, and play against a random player."""
    np.random.seed(0)  # noqa: NPY002 - Tianshou draws from it
    torch.manual_seed(0)
    envs = DummyVectorEnv([make_env for _ in range(NUM_ENVS)])
    envs.seed(0)
    dqn = learner(make_env())
    buffer = VectorReplayBuffer(20_000, NUM_ENVS)
    result = dqn.run_training(
        OffPolicyTrainerParams(
            training_collector=Collector[CollectStats](
                dqn, envs, buffer, exploration_noise=True
            ),
            max_epochs=max(steps // EPOCH, 1),
            epoch_num_steps=min(steps, EPOCH),
            collection_step_num_env_steps=COLLECTED,
            update_step_num_gradient_steps_per_sample=0.1,
            show_progress=False,
        )
    )
    print(f"{result.train_step} steps, {result.train_episode} games")
    means = [returns_at(seat, dqn) for seat in (0, 1)]
    print(f"return against random at both seats: {means[0]:.2f}, {means[1]:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
