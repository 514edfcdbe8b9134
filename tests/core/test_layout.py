"""Layouts of flat vectors."""

import copy
import doctest
import pickle

import numpy as np
import pytest

from game_core import layout
from game_core.compiled.jit import jit
from game_core.layout import Block, Layout, offsets_by


def test_the_example_in_the_description_is_true():
    failed, tried = doctest.testmod(layout)
    assert tried >= 3
    assert failed == 0


LAYOUT = Layout(
    [
        Block("pieces", (2, 3), "by player, column"),
        Block("round", (), "so far"),
        Block("fill", (4,), "by line"),
    ]
)


def test_blocks_follow_one_another():
    assert LAYOUT.size == 11
    assert LAYOUT.names == ("pieces", "round", "fill")
    assert LAYOUT.slices == {
        "pieces": slice(0, 6),
        "round": slice(6, 7),
        "fill": slice(7, 11),
    }
    assert LAYOUT.offsets()._asdict() == {"pieces": 0, "round": 6, "fill": 7}


def test_vectors_are_split_into_blocks_of_their_shape():
    vectors = np.arange(22).reshape(2, 11)
    parts = LAYOUT.split(vectors)
    assert parts["pieces"].tolist()[1] == [[11, 12, 13], [14, 15, 16]]
    assert parts["round"].tolist() == [6, 17]
    assert parts["fill"][0].tolist() == [7, 8, 9, 10]
    assert LAYOUT.split(vectors[0])["pieces"].shape == (2, 3)
    for shape in ((10,), (11, 2), ()):
        with pytest.raises(ValueError, match="give one of 11 numbers in the last"):
            LAYOUT.split(np.zeros(shape))


def test_blocks_unpack_into_name_size_and_meaning():
    assert [(name, size) for name, size, _ in LAYOUT] == [
        ("pieces", 6),
        ("round", 1),
        ("fill", 4),
    ]


def test_layouts_compare_and_copy_as_values():
    same = Layout(Block(b.name, b.shape, b.meaning) for b in LAYOUT)
    assert same == LAYOUT
    for copied in (copy.deepcopy(LAYOUT), pickle.loads(pickle.dumps(LAYOUT))):
        assert copied == LAYOUT
        assert copied.slices == LAYOUT.slices


def test_empty_blocks_and_names_that_come_twice_are_refused():
    with pytest.raises(ValueError, match=r"'a' of shape \(2, 0\) is empty"):
        Layout([Block("a", (2, 0), "")])
    with pytest.raises(ValueError, match="two blocks are named 'a'"):
        Layout([Block("a", (), ""), Block("b", (), ""), Block("a", (2,), "")])


AT = LAYOUT.offsets()
BY_NUMBER = offsets_by({n: Layout([Block("a", (n,), ""), *LAYOUT]) for n in (2, 4)})
BY_TWO = offsets_by(
    {
        (n, k): Layout([Block("a", (n + k,), ""), *LAYOUT])
        for n in (1, 2)
        for k in (0, 1)
    }
)


@jit
def offset_of_fill(n, k):
    return AT.fill + BY_NUMBER.fill[n] + BY_TWO.fill[k + 1, k]


@pytest.mark.nojit
def test_compiled_code_takes_offsets_by_name():
    """Names such as ``round`` and ``fill`` are also those of methods of arrays."""
    assert offset_of_fill(4, 1) == 7 + (4 + 7) + (3 + 7)
    assert offset_of_fill(2, 0) == 7 + (2 + 7) + (1 + 7)
