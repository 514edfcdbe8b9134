"""The random stream inside a record: SplitMix64, and unbiased numbers from it.

Every game record has a field ``rng`` (uint64): the whole state of its stream. Copying
the record copies its future; the same record gives the same dice in every batch,
process and machine. This is the only file with uint64 arithmetic: compiled and plain
Python disagree about it unless both operands are uint64.

Sources: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014 (the generator); D. Lemire, "Fast random integer generation
in an interval", ACM TOMACS 29(1), 2019 (the bounded numbers).
"""

from typing import Any

import numpy as np

from game_core.compiled.jit import jit, wraps_around

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_11 = np.uint64(11)
SHIFT_27 = np.uint64(27)
SHIFT_30 = np.uint64(30)
SHIFT_31 = np.uint64(31)
SHIFT_32 = np.uint64(32)
TWO_TO_32 = np.uint64(1 << 32)
LOW_32_BITS = np.uint64((1 << 32) - 1)

MAX_SEED = (1 << 64) - 1
UNIT = 2.0**-53
"""The distance between neighbouring values of ``unit_float``."""


@jit
@wraps_around
def mix(bits: Any) -> Any:
    """Scramble 64 bits so that neighbouring inputs give unrelated outputs."""
    bits = (bits ^ (bits >> SHIFT_30)) * MIX_1
    bits = (bits ^ (bits >> SHIFT_27)) * MIX_2
    return bits ^ (bits >> SHIFT_31)


@jit
@wraps_around
def next_bits(state: Any) -> Any:
    """Advance the stream of ``state`` and return 64 random bits (uint64)."""
    state.rng = state.rng + GOLDEN_GAMMA
    return mix(state.rng)


@jit
@wraps_around
def seed_stream(state: Any, seed: Any) -> None:
    """Start the stream of ``state`` at the place that ``seed`` (uint64) names."""
    state.rng = mix(seed + GOLDEN_GAMMA)


@jit
@wraps_around
def below(state: Any, bound: int) -> Any:
    """Draw a number from 0 to ``bound`` - 1, each exactly as likely.

    Args:
        state: A record with a field ``rng``; its stream advances.
        bound: From 1 to 2**32.
    """
    size = np.uint64(bound)
    unfair = TWO_TO_32 % size
    product = (next_bits(state) >> SHIFT_32) * size
    while (product & LOW_32_BITS) < unfair:
        product = (next_bits(state) >> SHIFT_32) * size
    return np.int64(product >> SHIFT_32)


@jit
def unit_float(state: Any) -> Any:
    """Draw a number in [0, 1): one of the multiples of 2**-53, each as likely.

    The upper 53 bits of one draw are that multiple, so no rounding is involved.

    Args:
        state: A record with a field ``rng``; its stream advances.
    """
    return np.float64(next_bits(state) >> SHIFT_11) * UNIT
