"""Policies of Stable-Baselines3 as ``Network``, and the other way round."""

from typing import Any

import numpy as np
import torch

from baselines.networks.network import Network
from baselines.training.move_policy import MovePolicy
from game_core.game import Game

__all__ = ["facts_of", "load_into", "network_of"]


def network_of(model: Any) -> Network:
    """Return the policy of a model as it is now; it draws its actions.

    Args:
        model: A MaskablePPO, PPO or SAC with the policy "MlpPolicy".
    """
    layers = tuple(_arrays(layer) for layer in _layers_of(model))
    activation = _activation(model)
    if _weighs_moves(model):
        return Network(layers, "categorical", activation, rows="moves")
    if _is_squashed(model):
        log_std = _arrays(model.policy.actor.log_std)
        return Network(layers, "squashed", activation, log_std)
    if hasattr(model.policy, "log_std"):
        log_std = model.policy.log_std.detach().numpy().copy()
        return Network(layers, "gaussian", activation, log_std)
    return Network(layers, "categorical", activation)


def load_into(model: Any, network: Network) -> None:
    """Let the policy of a model be a network; its value functions stay.

    Raises:
        ValueError: If the network has other layers; nothing has changed.
    """
    layers, mine = _layers_of(model), network_of(model)
    here = (mine.head, mine.activation, mine.rows, mine.sizes.tolist())
    there = (network.head, network.activation, network.rows, network.sizes.tolist())
    if here != there:
        raise ValueError(f"a policy of {_words(*there)} does not fit {_words(*here)}")
    for layer, (weights, bias) in zip(layers, network.layers, strict=True):
        _set(layer, weights, bias)
    if network.head == "squashed":
        _set(model.policy.actor.log_std, *network.log_std)
    elif network.head == "gaussian":
        with torch.no_grad():
            model.policy.log_std.copy_(torch.from_numpy(network.log_std.copy()))


def facts_of(game: Game) -> dict[str, Any]:
    """Return what a policy needs to know of its game, for its file."""
    return {
        "game": game.id,
        "version": game.version,
        "options": dict(game.options),
        "observation_size": game.observation_size,
        "actions": game.num_actions if game.discrete else len(game.blank_action[0]),
    }


def _is_squashed(model: Any) -> bool:
    return hasattr(model.policy, "actor")


def _weighs_moves(model: Any) -> bool:
    return isinstance(model.policy, MovePolicy)


def _layers_of(model: Any) -> list[Any]:
    """Return the linear layers from the observation, or the move, to the action."""
    policy = model.policy
    if _weighs_moves(model):
        return list(policy.action_net.layers)
    if _is_squashed(model):
        hidden, last = policy.actor.latent_pi, policy.actor.mu
    else:
        hidden, last = policy.mlp_extractor.policy_net, policy.action_net
    linear = [layer for layer in hidden if isinstance(layer, torch.nn.Linear)]
    return [*linear, last]


def _activation(model: Any) -> Any:
    return "tanh" if model.policy.activation_fn is torch.nn.Tanh else "relu"


def _arrays(layer: Any) -> tuple[np.ndarray, np.ndarray]:
    weights = np.ascontiguousarray(layer.weight.detach().numpy().T)
    return weights.copy(), layer.bias.detach().numpy().copy()


def _set(layer: Any, weights: np.ndarray, bias: np.ndarray) -> None:
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(weights.T.copy()))
        layer.bias.copy_(torch.from_numpy(bias.copy()))


def _words(head: str, activation: str, rows: str, sizes: list[int]) -> str:
    layers = "-".join(map(str, sizes))
    return f"{head} layers {layers} with {activation} over {rows}"
