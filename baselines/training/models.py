"""Algorithms of Stable-Baselines3: made from a configuration, saved and set exactly."""

from typing import Any, TypeAlias

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO, SAC
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import VecEnv

from baselines.training.checkpoint import Checkpoint
from baselines.training.config import TrainConfig
from baselines.training.move_policy import MovePolicy

__all__ = ["make_model", "save_model", "set_model"]

Model: TypeAlias = "MaskablePPO | PPO | SAC"

REPLAY = "replay_"
LAST_OBS, LAST_STARTS, TORCH_STREAM = "last_obs", "last_starts", "torch_stream"
NUMPY_STREAM = "numpy_stream"
COUNTS = ("num_timesteps", "_n_updates", "_episode_num", "_current_progress_remaining")


def make_model(config: TrainConfig, env: VecEnv) -> Model:
    """Return a new model; it starts the global random streams that SB3 draws from."""
    rate = config.learning_rate
    shared: dict[str, Any] = {
        "policy": "MlpPolicy",
        "env": env,
        "learning_rate": LinearSchedule(rate, 0.0, 1.0) if config.decay else rate,
        "gamma": config.gamma,
        "seed": config.seed,
        "device": "cpu",
    }
    network: dict[str, Any] = {
        "net_arch": list(config.net_arch),
        "activation_fn": torch.nn.Tanh
        if config.activation == "tanh"
        else torch.nn.ReLU,
    }
    if config.algorithm == "sac":
        settings = vars(config.sac)
        return SAC(**shared, **settings, policy_kwargs=network)
    settings = dict(vars(config.ppo))
    log_std_init = settings.pop("log_std_init")
    if config.algorithm == "maskable_ppo":
        if config.network == "moves":
            shared["policy"] = MovePolicy
            network["game"] = config.make_game()
        return MaskablePPO(**shared, **settings, policy_kwargs=network)
    network["log_std_init"] = log_std_init
    return PPO(**shared, **settings, policy_kwargs=network)


def save_model(model: Any) -> Checkpoint:
    """Return all that changes in a model, and the global streams that it draws from."""
    arrays = {LAST_OBS: model._last_obs, LAST_STARTS: model._last_episode_starts}
    arrays[TORCH_STREAM] = torch.get_rng_state().numpy()
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - SB3 draws from it
    arrays[NUMPY_STREAM] = np.asarray(keys)
    facts: dict[str, Any] = {
        "counts": {name: getattr(model, name) for name in COUNTS},
        "numpy_stream": [kind, *rest],
        "actions_stream": model.action_space.np_random.bit_generator.state,
    }
    tensors: dict[str, Any] = {"parameters": model.get_parameters()}
    if isinstance(model, SAC):
        buffer: Any = model.replay_buffer
        facts["replay"] = [buffer.pos, buffer.full]
        rows = buffer.buffer_size if buffer.full else buffer.pos
        for name in _arrays_of(buffer):
            arrays[REPLAY + name] = getattr(buffer, name)[:rows]
    return Checkpoint(facts, arrays, tensors)


def set_model(model: Any, checkpoint: Checkpoint) -> None:
    """Let a new model be the one that was saved, and set the global streams."""
    facts, arrays, tensors = checkpoint
    model.set_parameters(tensors["parameters"], exact_match=True)
    for name in COUNTS:
        setattr(model, name, facts["counts"][name])
    model._last_obs = arrays[LAST_OBS]
    model._last_episode_starts = arrays[LAST_STARTS]
    model.action_space.np_random.bit_generator.state = facts["actions_stream"]
    if isinstance(model, SAC):
        buffer: Any = model.replay_buffer
        buffer.pos, buffer.full = facts["replay"]
        for name in _arrays_of(buffer):
            saved = arrays[REPLAY + name]
            getattr(buffer, name)[: len(saved)] = saved
    torch.set_rng_state(torch.from_numpy(arrays[TORCH_STREAM]))
    kind, *rest = facts["numpy_stream"]
    stream = (kind, arrays[NUMPY_STREAM], *rest)
    np.random.set_state(stream)  # noqa: NPY002 - SB3 draws from it


def _arrays_of(buffer: Any) -> list[str]:
    return [
        name for name, value in vars(buffer).items() if isinstance(value, np.ndarray)
    ]
