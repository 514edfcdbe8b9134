"""Azul for PettingZoo: ``azul_v0.env()`` and ``azul_v0.raw_env()``."""

from typing import Unpack

from azul_env.game import AzulOptions, make_game
from game_core.envs.aec import CheckedEnv, GameEnv
from game_core.envs.factories import checked_env_of, raw_env_of

__all__ = ["env", "raw_env"]


@checked_env_of(make_game)
def env(
    *, render_mode: str | None = None, **options: Unpack[AzulOptions]
) -> CheckedEnv:
    """Return the environment with all checks: an illegal action ends the game."""
    ...


@raw_env_of(make_game)
def raw_env(
    *, render_mode: str | None = None, **options: Unpack[AzulOptions]
) -> GameEnv:
    """Return the bare environment: an illegal action raises ``IllegalActionError``."""
    ...
