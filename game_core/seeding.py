"""Seeds: those that users give, and those of all streams that follow from them.

A game's own stream starts from its seed (``game_core.rng.seed_stream``). Whatever else
draws random numbers has a ``Purpose``, and gets its seed from ``derive``.
"""

import operator
import secrets
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from game_core.jit import jit
from game_core.rng import MAX_SEED, siphash

Seeds = int | Sequence[int] | np.ndarray | None


class Purpose(IntEnum):
    """What a derived stream is for.

    The numbers are part of what a seed means: never change one, nor use it again.

    Attributes:
        AGENT: What an agent draws in a game. From the seed of the game; the index is
            the seat.
        FAIR_COPY: What is dealt anew in the position that an agent gets to see. From
            the seed of the game; the index counts the decisions.
        SEATING: Seats and opponents in ``SeatGames``. From the seed of a row, whose
            later games go on with the stream.
        SAMPLING: ``VectorGame.sample_actions``. From the seed of the first row.
        EXERCISE: How an exercise of ICECOOL is set up. From a number that the stream
            of its row draws.
        HINT: What the adviser of ``tabletop play`` draws. From the seed of the game;
            the index counts the moves.
        LESSONS: Games of an expert that is imitated. From the seed of the training;
            the index counts the parts.
        LESSON_ORDER: The order in which its decisions are learned. From the seed of
            the training.
    """

    AGENT = 1
    FAIR_COPY = 2
    SEATING = 3
    SAMPLING = 4
    EXERCISE = 5
    HINT = 6
    LESSONS = 7
    LESSON_ORDER = 8


def derive(seed: int, purpose: Purpose, index: int = 0) -> int:
    """Return the seed of another stream, from 0 to 2**64 - 1.

    Nobody can compute ``seed`` from what is derived from it, nor one derived seed from
    others. So an agent that knows all about its own stream does not learn the game's
    dice. But a seed that can be guessed can be tried: who tries all small numbers
    finds 0. Between strangers, take a seed that nobody knows.

    Args:
        seed: From 0 to 2**64 - 1.
        purpose: What the stream is for.
        index: Which of the streams with this purpose, from 0 to 2**63 - 1.
    """
    return int(siphash(np.uint64(seed), int(purpose), index))


def derive_each(seeds: np.ndarray, purpose: Purpose) -> np.ndarray:
    """Return ``derive(seed, purpose)`` for each of ``seeds`` (n,) uint64."""
    derived = np.empty_like(seeds)
    _hash_each(seeds, int(purpose), derived)
    return derived


def generator(seed: int, purpose: Purpose, index: int = 0) -> np.random.Generator:
    """Return NumPy's generator with the seed that ``derive`` returns."""
    return np.random.default_rng(derive(seed, purpose, index))


@jit
def _hash_each(seeds: Any, purpose: int, derived: Any) -> None:
    for i in range(len(seeds)):
        derived[i] = siphash(seeds[i], purpose, 0)


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
