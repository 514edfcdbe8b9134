"""RLlib: masked PPO in self-play over Ray, one policy for both seats of Can't Stop.

    pip install -r docs/clients/requirements-rllib.txt .
    python docs/clients/with_rllib.py

Games are played in processes of their own. On many machines, install the same on each,
start Ray there (``ray start``), and set ``RAY_ADDRESS=auto``: no line here changes but
``ENV_RUNNERS``. RLlib's ``PettingZooEnv`` keeps a trajectory for each player, with all
that a player was paid until its next decision; its module with action masks only wants
another name for what we call "observation".

It ran with ray 2.60.0, pettingzoo 1.27.0 and gymnasium 1.2.2.
"""

import sys
from typing import Any

import ray
import torch
from gymnasium import spaces
from pettingzoo.utils import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import (
    ActionMaskingTorchRLModule,
)
from ray.tune import register_env

from cant_stop_env import cant_stop_v0
from game_core import find_agent, load_game, play

ENV_RUNNERS, BATCH = 2, 2048


class ForRLlib(BaseWrapper):
    """Calls the observation "observations", as RLlib's masking module has it."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        space = dict(env.observation_space("player_0"))
        self._space = spaces.Dict(renamed(space))

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the same space for every player."""
        return self._space

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what a player sees."""
        return renamed(super().observe(agent))


def renamed(seen: dict[str, Any]) -> dict[str, Any]:
    """Return an observation, or a space, with RLlib's names."""
    return {"observations": seen["observation"], "action_mask": seen["action_mask"]}


def configure(env: PettingZooEnv) -> PPOConfig:
    """Return PPO with one masked policy for all players."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config=DefaultModelConfig(fcnet_hiddens=[64, 64]),
    )
    return (
        PPOConfig()
        .environment("cant_stop")
        .env_runners(num_env_runners=ENV_RUNNERS)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
        .training(
            train_batch_size_per_learner=BATCH,
            minibatch_size=256,
            num_epochs=4,
            lr=3e-4,
            gamma=1.0,
            entropy_coeff=0.01,
        )
        .debugging(seed=0)
    )


def main(steps: int = 100_000) -> None:
    """Train, and play against ``random``."""
    ray.init(log_to_driver=False)
    register_env("cant_stop", lambda _: PettingZooEnv(ForRLlib(cant_stop_v0.env())))
    algorithm = configure(PettingZooEnv(ForRLlib(cant_stop_v0.env()))).build_algo()
    for _ in range(-(-steps // BATCH)):
        result = algorithm.train()
        learned, played = result["learners"]["shared"], result["env_runners"]
        print(
            f"{played['num_env_steps_sampled_lifetime']:.0f} steps, "
            f"{played['num_episodes_lifetime']:.0f} games, "
            f"value loss {learned['vf_loss']:.3f}"
        )
    module = algorithm.get_module("shared")

    def policy(view):
        legal = view.legal_actions
        seen = {"observation": view.observation, "action_mask": view.action_mask}
        batch = {name: torch.from_numpy(a)[None] for name, a in renamed(seen).items()}
        with torch.no_grad():
            logits = module.forward_inference({"obs": batch})["action_dist_inputs"][0]
        return view.rng.choice(legal, p=logits[legal].double().softmax(0).numpy())

    table = [policy, find_agent("random", "cant_stop")]
    logs = [play(load_game("cant_stop"), table, seed=seed) for seed in range(100)]
    print(f"won {sum(log.rewards[0] > 0 for log in logs)} of 100 games against random")
    ray.shutdown()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
