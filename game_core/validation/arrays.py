"""Arrays of real numbers as callers give them."""

from typing import Any

import numpy as np

from game_core.validation.text import error_words

__all__ = ["BOOLEANS", "as_reals"]

BOOLEANS: tuple[Any, ...] = (bool, np.bool_)
MASKED: Any = np.ma.MaskedArray


def as_reals(given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return what a caller gave as an array of real numbers.

    Args:
        given: An array, or lists or tuples of numbers.
        shape: What its shape has to be.

    Returns:
        An array (``shape``) of whole numbers or floats, perhaps ``given`` itself.

    Raises:
        ValueError: For anything else; the message says what it is, after "it is".
    """
    try:
        array = np.asarray(given)
    except Exception as error:  # what a caller's __array__ raises is any error
        words = f"{type(error).__name__}: {error_words(error)}"
        raise ValueError(f"no array ({words})") from None
    if array.dtype.kind not in "iuf" or array.shape != shape:
        raise ValueError(f"{array.dtype.name} of shape {array.shape}")
    if isinstance(given, MASKED) and given.mask.any():
        raise ValueError("masked in part")
    if isinstance(given, (list, tuple)):  # NumPy takes True among numbers for 1
        parts = np.array(given, object)
        if any(isinstance(part, BOOLEANS) for part in parts.flat):
            raise ValueError("in part True or False")
    return array
