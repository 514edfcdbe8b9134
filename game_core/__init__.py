"""What all games share: environments, agents and play, over one kind of record."""

from game_core.agents.agent import (Agent, View)
from game_core.game import Game, IllegalActionError
from game_core.agents.play import (GameLog, play, replay)
from game_core.position import Position
from game_core.agents.find import find_agent
from game_core.registry import load_game
from game_core.envs.vector import VectorGame

__all__ = [
    "Agent",
    "Game",
    "GameLog",
    "IllegalActionError",
    "Position",
    "VectorGame",
    "View",
    "find_agent",
    "load_game",
    "play",
    "replay",
]
