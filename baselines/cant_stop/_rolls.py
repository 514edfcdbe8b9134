"""The 1,296 rolls of four dice: what they make, and how likely a column can move."""

import itertools
from typing import Any

import numpy as np

from cant_stop_env.rules import FACES, ROLLS_OF_FOUR_DICE
from cant_stop_env.state import LAST_COLUMN, NUM_DICE


def count_rolls() -> tuple[np.ndarray, np.ndarray]:
    """Return the different rolls (k, 4), dice ascending, and their chances (k,)."""
    rolls = itertools.product(range(1, FACES + 1), repeat=NUM_DICE)
    sorted_rolls = np.sort(np.array(list(rolls)), axis=1)
    dice, counts = np.unique(sorted_rolls, axis=0, return_counts=True)
    return dice, counts / ROLLS_OF_FOUR_DICE


def pair_up(dice: np.ndarray) -> np.ndarray:
    """Return the three pairs of sums (k, 3, 2) that rolls (k, 4) make (CS3)."""
    a, b, c, d = dice.T
    pairings = [(a + b, c + d), (a + c, b + d), (a + d, b + c)]
    return np.ascontiguousarray(np.array(pairings).transpose(2, 0, 1))


def chances_of_columns() -> Any:
    """Return by sets of columns the chance that a roll makes one of them (8192,).

    The number of a set has the bit of each of its columns.
    """
    sums = (1 << PAIRINGS).reshape(len(PAIRINGS), -1)
    made = np.bitwise_or.reduce(sums, axis=1)
    sets = np.arange(1 << (LAST_COLUMN + 1))
    return ((sets[:, None] & made) != 0) @ ROLL_CHANCE


ROLLS, ROLL_CHANCE = count_rolls()
PAIRINGS = pair_up(ROLLS)
CHANCE = chances_of_columns()
