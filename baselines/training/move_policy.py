"""A policy for ``MaskablePPO`` that weighs each legal move by what the move does.

Its logits are those of a ``Network`` with ``rows="moves"``; its values come from a
multilayer perceptron over observations, as ever.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from baselines.networks.moves import describe_moves, num_features
from game_core.game import Game

__all__ = ["MovePolicy"]


class MoveScorer(torch.nn.Module):
    """Logits of all actions, from observations; zero for illegal ones.

    Attributes:
        layers: Linear ones, from an observation and a move's features to one logit.
        masks: The moves to weigh (k, actions) bool; None for all legal ones.
    """

    def __init__(self, game: Game, hidden: Sequence[int], activation: Any) -> None:
        """Make the layers; at first all moves are about as likely.

        Args:
            game: A game with ``baselines/<game>/_moves.py``.
            hidden: Sizes of the hidden layers.
            activation: Class of the module between the layers.
        """
        super().__init__()
        self.game = game
        self.masks: np.ndarray | None = None
        self.activation = activation()
        inputs = game.observation_size + num_features(game)
        sizes = (inputs, *hidden, 1)
        self.layers: Any = torch.nn.ModuleList(map(torch.nn.Linear, sizes, sizes[1:]))
        for layer in self.layers:
            last = layer is self.layers[-1]
            torch.nn.init.orthogonal_(layer.weight, 0.01 if last else np.sqrt(2))
            torch.nn.init.zeros_(layer.bias)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return logits (k, actions) for observations (k, size)."""
        moves, features = describe_moves(self.game, observations.numpy(), self.masks)
        rows, actions = torch.from_numpy(moves).unbind(1)
        first, *others = self.layers
        of_position, of_move = first.weight.split(
            [observations.shape[1], features.shape[1]], 1
        )
        # What the position adds is the same for all its moves.
        values = torch.from_numpy(features) @ of_move.T
        values = values + (observations @ of_position.T + first.bias)[rows]
        for layer in others:
            values = layer(self.activation(values))
        logits = torch.zeros(len(observations), self.game.num_actions)
        return logits.index_put((rows, actions), values[:, 0])


class MovePolicy(MaskableActorCriticPolicy):
    """``MaskableActorCriticPolicy`` whose ``action_net`` is a ``MoveScorer``."""

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        """Make the policy.

        Args:
            *args: As of ``MaskableActorCriticPolicy``.
            game: A game with ``baselines/<game>/_moves.py``.
            **kwargs: As of ``MaskableActorCriticPolicy``; ``net_arch`` is for logits
                and for values.
        """
        self.game = game
        self.hidden = kwargs.pop("net_arch")
        super().__init__(*args, net_arch={"pi": [], "vf": self.hidden}, **kwargs)

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        """Return the distribution over the moves of masks; others are not weighed."""
        if action_masks is not None:
            self.action_net.masks = np.asarray(action_masks).reshape(len(obs), -1)
        try:
            return super().get_distribution(obs, action_masks)
        finally:
            self.action_net.masks = None

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net: Any = MoveScorer(self.game, self.hidden, self.activation_fn)
        settings = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **settings)
