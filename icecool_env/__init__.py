"""ICECOOL as a multi-agent reinforcement-learning environment.

``from icecool_env import icecool_v0; env = icecool_v0.env()``.
"""

from game_core.registry import (
    register_task_with_gymnasium,
    register_with_gymnasium,
    register_with_pettingzoo,
)
from icecool_env.state import VERSION

register_with_gymnasium("icecool", VERSION)
for _task in ("reach_door", "take_fish", "catch_runner"):
    register_task_with_gymnasium("icecool", _task, VERSION)
register_with_pettingzoo("icecool", VERSION)
