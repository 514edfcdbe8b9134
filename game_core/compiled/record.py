"""The record of a game: how its fields are declared, and how they lie in memory.

A game declares its fields in a class, one in a line::

    class State(Record):
        turns: int = field(np.int32)  # completed by all players together
        pieces: Cells = field(np.int8, MAX_PLAYERS, NUM_COLUMNS)  # 0: no piece


    STATE = record_dtype(State)

The class tells type checkers and readers what ``state.turns`` is. The records
themselves are rows of NumPy arrays with the dtype ``STATE``.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

__all__ = ["Cells", "Record", "copy_records", "field", "record_dtype"]

Cells: TypeAlias = np.ndarray[Any, np.dtype[Any]]
"""A field of several numbers."""


class Field(NamedTuple):
    """How a field lies in memory: the kind of its numbers, and its shape."""

    kind: Any
    shape: tuple[int, ...]


def field(kind: Any, *shape: int) -> Any:
    """Declare a field of a record; ``kind`` is the NumPy type of its numbers."""
    return Field(kind, shape)


class Record:
    """The fields that every game's record begins with."""

    rng: np.uint64 = field(np.uint64)  # the random stream: see game_core.compiled.rng
    num_players: int = field(np.int64)  # an option of every game
    player: int = field(np.int64)  # seat to move; at the end, the seat that moved last
    terminated: bool = field(np.bool_)  # the game was played to its end
    truncated: bool = field(np.bool_)  # the game was cut short by a cap


def record_dtype(declared: type[Record]) -> np.dtype[Any]:
    """Return the dtype of a game's records: the common fields, then its own.

    ``np.record`` makes ``state.player`` work in compiled code and in plain Python. The
    gaps that align the fields are fields too, so that every byte of a record is
    defined, however it is copied: equal games are equal bytes.
    """
    placed: list[Any] = []
    offset = widest = 0
    for name, (kind, shape) in _fields(declared).items():
        dtype = np.dtype((kind, shape))
        placed += _gap(offset, dtype.alignment)
        placed.append((name, dtype))
        offset += -offset % dtype.alignment + dtype.itemsize
        widest = max(widest, dtype.alignment)
    placed += _gap(offset, widest)
    return np.dtype((np.record, np.dtype(placed, align=True)))


def copy_records(states: np.ndarray) -> np.ndarray:
    """Return a copy of records (n,), as one block of bytes.

    NumPy's own copy goes field by field, ten times slower.
    """
    raw = np.dtype((np.void, states.dtype.itemsize))
    return np.ascontiguousarray(states).view(raw).copy().view(states.dtype)


def _fields(declared: type[Record]) -> dict[str, Field]:
    """Return the fields of a class and of those above it, in their order."""
    return {
        name: value
        for one in reversed(declared.__mro__)
        for name, value in vars(one).items()
        if isinstance(value, Field)
    }


def _gap(offset: int, alignment: int) -> list[Any]:
    """Return the field that fills a record from ``offset`` to the next alignment."""
    size = -offset % alignment
    return [(f"_gap_{offset}", np.uint8, (size,))] if size else []
