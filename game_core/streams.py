"""Random streams: where the seed of each of them comes from.

A game's own stream starts from the game's seed (``game_core.compiled.rng``). Everything
else that draws random numbers has a ``Purpose``, and gets its seed from ``derive``.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from game_core.compiled.jit import jit
from game_core.compiled.rng import seed_stream, siphash
from game_core.validation.options import whole_number
from game_core.validation.seeds import MAX_SEED

__all__ = ["STREAMS", "Purpose", "derive", "generator", "start_stream"]

STREAMS = 1  # grows when the same seed can lead agents to draw other numbers
MAX_INDEX = (1 << 63) - 1


class Purpose(IntEnum):
    """What a derived stream is for.

    The numbers are part of what a seed means: never change one, nor use it again.

    Attributes:
        AGENT: What an agent draws in a game. From the seed of the game; the index is
            the seat.
        DETERMINIZATION: What is sampled again in the position that an agent gets to
            see. From the seed of the game; the index counts the decisions.
        SEATING: Seats and opponents in ``SeatGames``. From the seed of a row; later
            games of the row go on with the stream.
        SAMPLING: ``VectorGame.sample_actions``. From the seed of the first row.
        TASK: How a task of ICECOOL is set up. From a number that the stream of its row
            draws.
        HINT: What the adviser of ``tabletop play`` draws. From the seed of the game;
            the index counts the moves.
        LESSONS: A game of an expert that is imitated. From the seed of the training;
            the index counts the games.
        LESSON_ORDER: The order in which its decisions are learned. From the seed of
            the training.
    """

    AGENT = 1
    DETERMINIZATION = 2
    SEATING = 3
    SAMPLING = 4
    TASK = 5
    HINT = 6
    LESSONS = 7
    LESSON_ORDER = 8


def derive(seed: int, purpose: Purpose, index: int = 0) -> int:
    """Return the seed of another stream, from 0 to 2**64 - 1.

    It cannot be inverted: neither ``seed`` nor another derived seed follows from the
    result. So an agent that knows all about its own stream does not know the dice of
    the game. A seed that can be guessed can still be tried: whoever tries all small
    numbers finds 0. Between strangers, take a seed that nobody knows.

    Args:
        seed: From 0 to 2**64 - 1.
        purpose: What the stream is for.
        index: Which of the streams with this purpose, from 0 to 2**63 - 1.

    Raises:
        ValueError: For a seed or an index out of range, or no ``Purpose``.
    """
    _check_purpose(purpose)
    key = np.uint64(whole_number("seed", seed, 0, MAX_SEED))
    return int(siphash(key, int(purpose), whole_number("index", index, 0, MAX_INDEX)))


def generator(seed: int, purpose: Purpose, index: int = 0) -> np.random.Generator:
    """Return NumPy's generator with the seed that ``derive`` returns."""
    return np.random.default_rng(derive(seed, purpose, index))


@jit
def start_stream(state: Any, seed: Any, purpose: int, index: int) -> None:
    """Start the stream of ``state`` at the seed that ``derive`` returns.

    Args:
        state: A record with a field ``rng``.
        seed: As of ``derive``, uint64.
        purpose: The number of a ``Purpose``.
        index: As of ``derive``.
    """
    seed_stream(state, siphash(seed, purpose, index))


def _check_purpose(purpose: Any) -> None:
    if not isinstance(purpose, Purpose):  # a seat, for instance, in its place
        known = ", ".join(one.name for one in Purpose)
        raise ValueError(f"purpose={purpose!r} is no Purpose; there are: {known}")
