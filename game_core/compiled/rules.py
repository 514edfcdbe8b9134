"""What the rules of a game have to provide.

A game's rules are plain functions over one record, each decorated with ``@jit``.
Legality is their precondition: whoever calls ``step`` has asked ``is_legal`` first.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from game_core.compiled.jit import jit
from game_core.deprecation import renamed_attributes

__all__ = ["Rule", "Rules", "always_legal", "no_mask", "nothing_hidden"]

Rule = Callable[..., Any]
"""A function of the rules; its first argument is the record."""


@jit
def nothing_hidden(state: Any, seat: int) -> None:
    """``resample_hidden`` for games of perfect information."""


@jit
def always_legal(state: Any, action: Any) -> bool:
    """``is_legal`` for games whose actions are continuous."""
    return True


@jit
def no_mask(state: Any, mask: np.ndarray) -> None:
    """``legal_actions`` for games whose actions are continuous."""


class Rules(NamedTuple):
    """The functions of one game over one of its records.

    An action is a whole number; or, in a game whose actions are continuous, a row
    (k,) float32 within the bounds of the action space, which is all that it takes to
    be legal: such a game gives ``always_legal`` and ``no_mask``.

    Attributes:
        reset: ``reset(state)`` sets up a new game from the options and the random
            stream that stand in the record.
        is_legal: ``is_legal(state, action)`` for any whole number.
        step: ``step(state, action)`` plays a legal action, and all that follows
            without asking anybody, until somebody has to decide or the game is over.
        legal_actions: ``legal_actions(state, mask)`` writes 1 for each legal action
            into ``mask`` (actions,) int8, which arrives zeroed.
        rewards: ``rewards(state, out)`` writes the rewards of a game that is over
            into ``out`` (players,) float64, which arrives zeroed.
        observe: ``observe(state, seat, out)`` writes what ``seat`` sees into ``out``
            (size,) float32, which arrives zeroed.
        resample_hidden: ``resample_hidden(state, seat)`` deals anew, from the record's
            stream, what ``seat`` cannot see.
    """

    reset: Rule
    is_legal: Rule
    step: Rule
    legal_actions: Rule
    rewards: Rule
    observe: Rule
    resample_hidden: Rule = nothing_hidden


__getattr__ = renamed_attributes(
    __name__,
    {
        "copy_records": "game_core.compiled.record:copy_records",
        "record_dtype": "game_core.compiled.record:record_dtype",
        "Verb": "game_core.compiled.rules:Rule",
        "Verbs": "game_core.compiled.rules:Rules",
    },
)
