"""``Match``: which agents play each other."""

__all__ = ["Match"]

Match = tuple[str, ...]
"""The names of the agents that play each other, in alphabetical order."""
