"""What a bot in a sandbox may use."""

__all__ = ["MEMORY_LIMIT", "PROCESS_LIMIT", "START_LIMIT", "TIME_LIMIT"]

TIME_LIMIT = 1.0


START_LIMIT = 60.0


MEMORY_LIMIT = 4096
"""MiB: several times of what PyTorch takes."""


PROCESS_LIMIT = 32
"""Processes that a bot may have started, in which a pool has its place."""
