"""What all games share: environments, agents and play, over one kind of record."""

import importlib
import sys
from typing import Any

from game_core.agents.agent import Agent, View
from game_core.agents.find import find_agent
from game_core.agents.play import GameLog, play, replay
from game_core.deprecation import MovedModules
from game_core.envs.vector import VectorGame
from game_core.game import Game, IllegalActionError
from game_core.position import Position
from game_core.registry import load_game
from game_core.streams import Purpose, derive

__all__ = [
    "Agent",
    "Game",
    "GameLog",
    "IllegalActionError",
    "Position",
    "Purpose",
    "VectorGame",
    "View",
    "derive",
    "find_agent",
    "load_game",
    "play",
    "replay",
]

MOVED = {
    "game_core.aec": "game_core.envs.aec",
    "game_core.agent": "game_core.agents.agent",
    "game_core.jit": "game_core.compiled.jit",
    "game_core.opponents": "game_core.envs.opponents",
    "game_core.options": "game_core.validation.options",
    "game_core.policy": "game_core.agents.policy",
    "game_core.rng": "game_core.compiled.rng",
    "game_core.seat_envs": "game_core.envs.seat",
    "game_core.seats": "game_core.envs.seat_games",
    "game_core.shaping": "game_core.envs.shaping",
    "game_core.svg": "game_core.render.svg",
    "game_core.vector": "game_core.envs.vector",
    "game_core.verbs": "game_core.compiled.rules",
}
"""Modules that have moved: old name -> new name."""

sys.meta_path.append(MovedModules(MOVED))


def __getattr__(name: str) -> Any:
    """Return a module that has moved, which importing this package used to load."""
    if f"{__name__}.{name}" not in MOVED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")
