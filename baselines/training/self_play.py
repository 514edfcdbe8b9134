"""Opponents of training: bots, and past selves of the learner."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from baselines.networks.network import Network
from game_core.agents.agent import Batch
from game_core.compiled.jit import jit
from game_core.compiled.rng import below

__all__ = ["PastSelves", "mixed"]

MAX_ENTRIES = 20
"""Shares are rounded to a fraction with at most this denominator."""


class PastSelves:
    """Snapshots of the learner, of which each game draws one for a seat.

    To ``SeatGames`` they are one opponent. The number of the snapshot drawn is in the
    first number of the seat's memory, so it is saved with the games. A game whose
    snapshot is not kept any more goes on with another one.

    Attributes:
        networks: Number -> snapshot; numbers begin at 1.
        keep: How many of the latest are kept.
    """

    def __init__(self, networks: Mapping[int, Network], keep: int) -> None:
        self.networks = dict(networks)
        self.keep = keep

    def add(self, network: Network) -> int:
        """Add a snapshot, maybe in place of the oldest; return its number."""
        number = max(self.networks, default=0) + 1
        self.networks[number] = network
        for old in sorted(self.networks)[: -self.keep]:
            del self.networks[old]
        return number

    def act_batch(self, batch: Batch) -> np.ndarray:
        """Return an action for each of several games; see ``BatchAgent``."""
        numbers = np.array(sorted(self.networks), np.int64)
        drawn = np.zeros(len(batch.observations), np.int64)
        draw_snapshots(batch.memories, numbers, drawn)
        actions: Any = None
        for number in np.unique(drawn):
            rows = np.flatnonzero(drawn == number)
            part = Batch(batch.game, *(array[rows] for array in batch[1:]))
            chosen = self.networks[int(number)].act_batch(part)
            if actions is None:
                actions = np.zeros((len(drawn), *chosen.shape[1:]), chosen.dtype)
            actions[rows] = chosen
            batch.memories[rows] = part.memories
        return actions


@jit
def draw_snapshots(
    memories: np.ndarray, numbers: np.ndarray, drawn: np.ndarray
) -> None:
    """Write which snapshot plays in each game, and draw one where none does yet.

    Args:
        memories: (n,) records; their first numbers hold the snapshots.
        numbers: Of the snapshots there are, int64.
        drawn: (n,) int64, written.
    """
    for row in range(len(memories)):
        memory = memories[row]
        drawn[row] = 0
        for number in numbers:
            if memory.numbers[0] == number:
                drawn[row] = number
        if drawn[row] == 0:
            drawn[row] = numbers[below(memory, len(numbers))]
            memory.numbers[0] = drawn[row]


def mixed(bots: Sequence[str], past: PastSelves, share: float) -> list[Any]:
    """Return a list of past selves, with a share, and of bots, which are equal.

    Each game draws from such a list uniformly.

    Args:
        bots: Names.
        past: Past selves.
        share: From 0 to 1, rounded to a fraction of small numbers.
    """
    if not bots or share == 1:
        return [past]
    part = Fraction(share).limit_denominator(MAX_ENTRIES)
    selves = len(bots) * part.numerator
    each = part.denominator - part.numerator
    shorten = math.gcd(selves, each)
    return [past] * (selves // shorten) + [*bots] * (each // shorten)
