"""``Match``: which agents play each other."""

Match = tuple[str, ...]
"""The names of the agents that play each other, in alphabetical order."""
