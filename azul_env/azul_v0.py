"""Azul for PettingZoo: ``azul_v0.env()`` and ``azul_v0.raw_env()``."""

from typing import Unpack

from azul_env.game import AzulOptions, make_game
from game_core.envs.aec import CheckedEnv, GameEnv

__all__ = ["env", "raw_env"]


def env(
    *, render_mode: str | None = None, **options: Unpack[AzulOptions]
) -> CheckedEnv:
    """Return the environment with all checks: an illegal action ends the game.

    Args:
        render_mode: None, "human", "rgb_array", "rgb_array_list", "ansi" or "svg";
            see ``game_core.envs.aec.GameEnv``.
        **options: See ``azul_env.game.make_game``.

    Raises:
        ValueError: For an unknown option, or a value out of range.
    """
    return CheckedEnv(raw_env(render_mode=render_mode, **options))


def raw_env(
    *, render_mode: str | None = None, **options: Unpack[AzulOptions]
) -> GameEnv:
    """Return the bare environment: an illegal action raises ``IllegalActionError``.

    Args:
        render_mode: None, "human", "rgb_array", "rgb_array_list", "ansi" or "svg";
            see ``game_core.envs.aec.GameEnv``.
        **options: See ``azul_env.game.make_game``.

    Raises:
        ValueError: For an unknown option, or a value out of range.
    """
    return GameEnv(make_game(**options), render_mode)
