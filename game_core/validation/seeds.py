"""Seeds as users give them -> seeds as the random streams take them."""

import operator
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["MAX_SEED", "Seeds", "as_seed", "as_seeds"]

MAX_SEED = (1 << 64) - 1

Seeds = int | Sequence[int] | np.ndarray | None


def as_seed(seed: Any) -> int:
    """Return ``seed`` as ``int``; a fresh one from the operating system for None.

    Raises:
        ValueError: If it is not a whole number from 0 to 2**64 - 1.
    """
    if seed is None:
        return secrets.randbits(64)
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if isinstance(seed, bool) or not 0 <= number <= MAX_SEED:
        raise ValueError(f"seed {seed!r} is not a whole number from 0 to 2**64 - 1")
    return number


def as_seeds(seed: Seeds, count: int) -> np.ndarray:
    """Return one seed for each of ``count`` games, (count,) uint64.

    Args:
        seed: A number s for the seeds s, s + 1, ...; a sequence of one number for
            each game; or None for seeds from the operating system.
        count: Number of games.

    Raises:
        ValueError: For a seed out of range or a sequence of another length.
    """
    if isinstance(seed, (Sequence, np.ndarray)) and np.ndim(seed) > 0:
        if len(seed) != count:
            raise ValueError(f"got {len(seed)} seeds for {count} games")
        return np.array([as_seed(one) for one in seed], np.uint64)
    first = as_seed(seed)
    return np.array([(first + i) & MAX_SEED for i in range(count)], np.uint64)
