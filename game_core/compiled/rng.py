"""The random stream inside a record, unbiased numbers from it, and a keyed hash.

Every game record has a field ``rng`` (uint64): the whole state of its stream, which is
SplitMix64. Copying the record copies its future; the same record gives the same dice in
every batch, process and machine. SplitMix64 can be run backwards, so the seed of one
stream never comes from another stream or seed directly: it goes through ``siphash``,
which cannot be inverted (see ``game_core.streams``).

This is the only file with uint64 arithmetic: compiled and plain Python disagree about
it unless both operands are uint64.

Sources: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014 (the generator); D. Lemire, "Fast random integer generation
in an interval", ACM TOMACS 29(1), 2019 (the bounded numbers); J.-P. Aumasson, D. J.
Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012 (the hash).
"""

from typing import Any

import numpy as np

from game_core.compiled.jit import jit, wraps_around

__all__ = [
    "below",
    "mix",
    "next_bits",
    "rotate",
    "seed_stream",
    "sip_round",
    "siphash",
    "unit_float",
]

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_11 = np.uint64(11)
SHIFT_13 = np.uint64(13)
SHIFT_16 = np.uint64(16)
SHIFT_17 = np.uint64(17)
SHIFT_21 = np.uint64(21)
SHIFT_27 = np.uint64(27)
SHIFT_30 = np.uint64(30)
SHIFT_31 = np.uint64(31)
SHIFT_32 = np.uint64(32)
SHIFT_64 = np.uint64(64)
TWO_TO_32 = np.uint64(1 << 32)
LOW_32_BITS = np.uint64((1 << 32) - 1)

SIP_0 = np.uint64(0x736F6D6570736575)
SIP_1 = np.uint64(0x646F72616E646F6D)
SIP_2 = np.uint64(0x6C7967656E657261)
SIP_3 = np.uint64(0x7465646279746573)
SIP_LENGTH = np.uint64(16 << 56)
"""The last word that SipHash takes in: the length of a message of 16 bytes."""
SIP_END = np.uint64(0xFF)

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


@jit
def rotate(bits: Any, by: Any) -> Any:
    """Rotate 64 bits to the left."""
    return (bits << by) | (bits >> (SHIFT_64 - by))


@jit
@wraps_around
def sip_round(v0: Any, v1: Any, v2: Any, v3: Any) -> Any:
    """Return the four words of SipHash after one more round."""
    v0 = v0 + v1
    v2 = v2 + v3
    v1 = rotate(v1, SHIFT_13) ^ v0
    v3 = rotate(v3, SHIFT_16) ^ v2
    v0 = rotate(v0, SHIFT_32) + v3
    v2 = v2 + v1
    v1 = rotate(v1, SHIFT_17) ^ v2
    v3 = rotate(v3, SHIFT_21) ^ v0
    return v0, v1, rotate(v2, SHIFT_32), v3


@jit
def siphash(key: Any, first: Any, second: Any) -> Any:
    """Return SipHash-2-4 (uint64) of a message of two words.

    Who sees any number of its values learns neither the key nor another value.

    Args:
        key: The lower word of the key (uint64); the upper one is 0.
        first: First word of the message, at least 0.
        second: Second word, at least 0.
    """
    v0, v1, v2, v3 = key ^ SIP_0, SIP_1, key ^ SIP_2, SIP_3
    for word in (np.uint64(first), np.uint64(second), SIP_LENGTH):
        v3 = v3 ^ word
        for _ in range(2):
            v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
        v0 = v0 ^ word
    v2 = v2 ^ SIP_END
    for _ in range(4):
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3
