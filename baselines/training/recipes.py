"""Two ways to learn a game from nothing but play against oneself, to be compared.

``ONE_SEAT`` is ours: the learner has one seat of each game, and past selves have the
others. ``TUTORIAL`` is that of PettingZoo's tutorial for Stable-Baselines3.
"""

from collections.abc import Iterator
from typing import Any, Literal

import gymnasium
import numpy as np
import torch
from stable_baselines3.common.vec_env import DummyVecEnv

from baselines.networks.network import Network
from baselines.training.config import TrainConfig
from baselines.training.export import network_of
from baselines.training.models import make_model
from baselines.training.self_play import PastSelves
from baselines.training.vec_env import SeatVecEnv
from game_core.envs.aec import GameEnv
from game_core.game import Game

__all__ = ["ONE_SEAT", "TUTORIAL", "Recipe", "TutorialEnv", "train"]

Recipe = Literal["one seat", "tutorial"]
ONE_SEAT: Recipe = "one seat"
TUTORIAL: Recipe = "tutorial"


class TutorialEnv(gymnasium.Env[np.ndarray, Any]):
    """All seats of a game as if they were one agent, as PettingZoo's tutorial has it.

    It does what ``SB3ActionMaskWrapper`` and ``ActionMasker`` do in "SB3: Action Masked
    PPO for Connect Four" of PettingZoo 1.24 to 1.27: one policy plays all seats, and
    the decisions of all of them are one trajectory. What ``step`` returns is seen by
    the player who is to move *next*; reward and end are those of the player who *just*
    moved. So the value of a position is taken for that of the other player, and nobody
    is told of a loss, as games are won by the one who moves.

    Attributes:
        aec: The game.
    """

    def __init__(self, game: Game) -> None:
        self.aec = GameEnv(game)
        self.observation_space = game.observation_space
        self.action_space = game.action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game; return what the first player sees, and an empty info."""
        super().reset(seed=seed)
        self.aec.reset(seed, options)
        return self._seen("observation"), {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action.

        Returns:
            What the next player sees; reward, terminated and truncated of the player
            who moved; an empty info.
        """
        aec = self.aec
        mover = aec.agent_selection
        aec.step(action)
        return (
            self._seen("observation"),
            aec.rewards[mover],  # as accumulated: a move clears what was before
            aec.terminations[mover],
            aec.truncations[mover],
            {},
        )

    def action_masks(self) -> np.ndarray:
        """Return the legal actions (actions,) bool of the player to move."""
        return self._seen("action_mask").astype(np.bool_)

    def _seen(self, name: str) -> np.ndarray:
        observation: Any = self.aec.observe(self.aec.agent_selection)
        return observation[name]


def train(recipe: Recipe, config: TrainConfig) -> Iterator[tuple[int, Network]]:
    """Train by a recipe, and yield the policy on the way.

    Args:
        recipe: ``ONE_SEAT`` or ``TUTORIAL``.
        config: The settings. Of ``self_play``, ``every`` says when policies are
            yielded, which are also those that ``ONE_SEAT`` meets; no bot is met.

    Yields:
        Decisions learned from, and the policy after them; it draws its actions.
    """
    torch.set_num_threads(config.threads)
    game, every = config.make_game(), config.self_play.every
    past = PastSelves({}, config.self_play.keep)
    env = (
        SeatVecEnv(game, config.num_envs, past)
        if recipe == ONE_SEAT
        else DummyVecEnv([lambda: TutorialEnv(game)] * config.num_envs)
    )
    model: Any = make_model(config, env)
    past.add(network_of(model))
    yield 0, network_of(model)
    for steps in range(every, config.steps + 1, every):
        model.learn(every, reset_num_timesteps=False)
        past.add(network_of(model))
        yield steps, network_of(model)
