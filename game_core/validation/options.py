"""Checks of the options that users pass to a game, with errors that help."""

import operator
from collections.abc import Iterable, Mapping
from typing import Any, cast

from game_core.validation.arrays import BOOLEANS
from game_core.validation.text import did_you_mean

__all__ = [
    "of_reset",
    "one_of",
    "refuse_unknown",
    "true_or_false",
    "whole_number",
    "word_or_number",
]


def refuse_unknown(unknown: Iterable[str], known: Iterable[str]) -> None:
    """Raise ``ValueError`` if there are unknown options."""
    names, allowed = list(unknown), list(known)
    if names:
        problem = f"unknown option {', '.join(map(repr, names))}"
        advice = f"known options: {', '.join(allowed)}"
        raise ValueError(did_you_mean(problem, names[0], allowed, advice))


def whole_number(
    name: str, value: Any, low: int, high: int, or_else: str | None = None
) -> int:
    """Return an option that is a whole number from ``low`` to ``high``.

    Args:
        name: The option.
        value: What was given.
        low: Least value allowed.
        high: Greatest value allowed.
        or_else: What else the caller allows, for the message.

    Raises:
        ValueError: If it is anything else.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if isinstance(value, bool) or number is None or not low <= number <= high:
        allowed = f"a whole number from {low} to {high}"
        allowed = f"{or_else} or {allowed}" if or_else else allowed
        raise ValueError(f"{name}={value!r} is not allowed; give {allowed}")
    return number


def word_or_number(name: str, value: Any, word: str, low: int, high: int) -> Any:
    """Return an option that is one word or a whole number from ``low`` to ``high``.

    Raises:
        ValueError: If it is anything else.
    """
    if isinstance(value, str) and value == word:
        return word
    return whole_number(name, value, low, high, or_else=repr(word))


def one_of(name: str, value: Any, allowed: Iterable[str]) -> str:
    """Return an option that is one of several words.

    Raises:
        ValueError: If it is anything else.
    """
    words = list(allowed)
    if not isinstance(value, str) or value not in words:
        problem = f"{name}={value!r} is not allowed"
        advice = f"give {' or '.join(map(repr, words))}"
        raise ValueError(did_you_mean(problem, value, words, advice))
    return value


def of_reset(options: Any) -> Mapping[str, Any]:
    """Return the options of ``reset``, none for None.

    Raises:
        ValueError: If they are no mapping.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise ValueError(f"options={options!r} is not allowed; give a dict or None")
    return cast(Mapping[str, Any], options)


def true_or_false(name: str, value: Any) -> bool:
    """Return an option that is True or False.

    Raises:
        ValueError: If it is anything else.
    """
    if not isinstance(value, BOOLEANS):
        raise ValueError(f"{name}={value!r} is not allowed; give True or False")
    return bool(value)
