"""Agents that play Can't Stop, and policies between them for studies."""

from baselines.cant_stop._variants import heuristic_policy, with_enough

__all__ = ["heuristic_policy", "with_enough"]
