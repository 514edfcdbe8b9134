"""Azul as a multi-agent reinforcement-learning environment.

``from azul_env import azul_v0; env = azul_v0.env()``.
"""

from azul_env.state import VERSION
from game_core.registry import register_with_gymnasium, register_with_pettingzoo

register_with_gymnasium("azul", VERSION)
register_with_pettingzoo("azul", VERSION)
