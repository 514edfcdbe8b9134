"""``Layout``: where each part of a flat vector stands, and what it means.

Observations are flat vectors, and so is what a network over moves is told of a move. Of
each there is one layout: sizes, documents, and all code that writes or reads such a
vector take their places from it, by name.
"""

import math
from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Self

import numpy as np

__all__ = ["Block", "Layout", "offsets_by"]


@dataclass(frozen=True)
class Block:
    """A part of a vector; it unpacks into name, size and meaning.

    Attributes:
        name: An identifier.
        shape: Of its numbers, which stand in C order; () for a single one.
        meaning: In words, with the units.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.name, self.size, self.meaning))


class Layout(tuple[Block, ...]):
    """The blocks of a vector in order; each begins where the one before ends.

    >>> layout = Layout.of(("dice", (2, 2), "..."), ("round", (), "..."))
    >>> layout.size, layout.slices["dice"], layout.offsets().round
    (5, slice(0, 4, None), 4)
    >>> layout.split(np.array([1, 2, 3, 4, 9]))["dice"].tolist()
    [[1, 2], [3, 4]]
    """

    def __new__(cls, blocks: Iterable[Block]) -> Self:
        """Put blocks together.

        Raises:
            ValueError: If one is empty, or two have the same name.
        """
        layout = super().__new__(cls, blocks)
        names = layout.names
        for block in layout:
            if block.size < 1:
                raise ValueError(
                    f"block {block.name!r} of shape {block.shape} is empty; give "
                    "lengths from 1, or leave it out"
                )
            if names.count(block.name) > 1:
                raise ValueError(
                    f"two blocks are named {block.name!r}; give each another name"
                )
        return layout

    @classmethod
    def of(cls, *blocks: tuple[str, tuple[int, ...], str]) -> Self:
        """Put blocks together, each a name, a shape and a meaning.

        Raises:
            ValueError: If one is empty, or two have the same name.
        """
        return cls(Block(*block) for block in blocks)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the blocks."""
        return tuple(block.name for block in self)

    @cached_property
    def size(self) -> int:
        """How many numbers the vector has."""
        return sum(block.size for block in self)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Name of a block -> where it stands."""
        ends = accumulate(block.size for block in self)
        return {
            block.name: slice(end - block.size, end)
            for block, end in zip(self, ends, strict=True)
        }

    def offsets(self) -> Any:
        """Return where each block begins: a named tuple of whole numbers.

        Compiled code that has it as a global sees them as constants.
        """
        starts = {name: where.start for name, where in self.slices.items()}
        return namedtuple("Offsets", starts)(**starts)  # pyright: ignore

    def vector(self, given: Any) -> np.ndarray:
        """Return one observation (size,) float32, as ``decode`` of a game reads it.

        Raises:
            ValueError: If it is another thing, or has entries that are not from 0 to 1.
        """
        try:
            vector = np.asarray(given, np.float32)
        except (TypeError, ValueError):
            vector = np.zeros((), np.float32)
        if vector.shape != (self.size,):
            raise ValueError(
                f"{type(given).__name__} of shape {vector.shape} is no observation; "
                f"give one of {self.size} numbers, for instance "
                'env.observe(agent)["observation"]'
            )
        if not ((vector >= 0) & (vector <= 1)).all():
            raise ValueError("entries of an observation are from 0 to 1; some are not")
        return vector

    def split(self, vectors: np.ndarray) -> dict[str, np.ndarray]:
        """Return the blocks of vectors ``(..., size)`` by name, each ``(..., *shape)``.

        Raises:
            ValueError: If vectors have another size.
        """
        if vectors.shape[-1:] != (self.size,):
            raise ValueError(
                f"an array of shape {vectors.shape} is not allowed; give one of "
                f"{self.size} numbers in the last dimension"
            )
        where = self.slices
        return {
            block.name: vectors[..., where[block.name]].reshape(
                (*vectors.shape[:-1], *block.shape)
            )
            for block in self
        }


def offsets_by(layouts: Mapping[Any, Layout]) -> Any:
    """Return where each block begins in layouts that differ in their sizes alone.

    Args:
        layouts: Index, a whole number or several -> layout; for instance by number of
            players.

    Returns:
        A named tuple of int64 arrays: where the block ``turns`` begins in the layout
        ``i`` is ``offsets.turns[i]``, in compiled code too if it is a global there.
    """
    names = next(iter(layouts.values())).names
    shape = np.max([np.atleast_1d(index) for index in layouts], axis=0) + 1
    tables = {name: np.zeros(shape, np.int64) for name in names}
    for index, layout in layouts.items():
        for name, where in layout.slices.items():
            tables[name][index] = where.start
    return namedtuple("Offsets", names)(**tables)  # pyright: ignore
