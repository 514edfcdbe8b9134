"""ICECOOL for PettingZoo: ``icecool_v0.env()``, ``raw_env()``, ``discrete_env()``."""

from typing import Unpack

from game_core.envs.aec import CheckedEnv, GameEnv
from game_core.envs.factories import checked_env_of, raw_env_of
from icecool_env.game import IcecoolOptions, make_game
from icecool_env.grid import Grid

__all__ = ["discrete_env", "env", "raw_env"]


@checked_env_of(make_game)
def env(
    *, render_mode: str | None = None, **options: Unpack[IcecoolOptions]
) -> CheckedEnv:
    """Return the environment with all checks."""
    ...


@raw_env_of(make_game)
def raw_env(
    *, render_mode: str | None = None, **options: Unpack[IcecoolOptions]
) -> GameEnv:
    """Return the bare environment."""
    ...


def discrete_env(
    directions: int = 32,
    strengths: int = 4,
    sides: int = 3,
    heights: int = 2,
    *,
    render_mode: str | None = None,
    **options: Unpack[IcecoolOptions],
) -> CheckedEnv:
    """Return the environment with ``Discrete`` actions and masks, with all checks.

    Args:
        directions: Of flicks, around the compass.
        strengths: Of flicks, in equal steps up to full strength.
        sides: Places of the hit from the left to the right of the penguin.
        heights: Of the hit: flat, and jumps up to the steepest.
        render_mode: None, "human", "rgb_array", "rgb_array_list", "ansi" or "svg";
            see ``game_core.envs.aec.GameEnv``.
        **options: See ``icecool_env.game.make_game``.

    Raises:
        ValueError: For an unknown option, or a value out of range.
    """
    if "grid" in options:
        raise ValueError("grid: give its numbers to discrete_env() by their names")
    grid = Grid(directions, strengths, sides, heights)
    options["grid"] = grid._asdict()
    return env(render_mode=render_mode, **options)
