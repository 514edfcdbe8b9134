"""Can't Stop as a multi-agent reinforcement-learning environment.

``from cant_stop_env import cant_stop_v0; env = cant_stop_v0.env()``.
"""

from cant_stop_env.state import VERSION
from game_core.registry import register_with_gymnasium, register_with_pettingzoo

register_with_gymnasium("cant_stop", VERSION)
register_with_pettingzoo("cant_stop", VERSION)
