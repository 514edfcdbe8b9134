"""The random stream against published numbers, and fairness of what is drawn."""

import numpy as np
import pytest

from game_core import load_game
from game_core.compiled.rng import below, next_bits, seed_stream, unit_float
from tests.games import chi_square, chi_square_limit
from tests.naive.dice import Dice


def stream(state: int):
    """Return a record whose random stream is in this state."""
    states = load_game("cant_stop").template.copy()
    states["rng"] = state
    return states[0]


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("state", "published"),
    [
        # The reference implementation by S. Vigna, https://prng.di.unimi.it/splitmix64.c
        (
            0,
            [
                0xE220A8397B1DCDAF,
                0x6E789E6AA1B965F4,
                0x06C45D188009454F,
                0xF88BB8A8724C81EC,
                0x1B39896A51A8749B,
            ],
        ),
        (
            1234567,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423,
                4593380528125082431,
                16408922859458223821,
            ],
        ),
    ],
)
def test_the_stream_is_splitmix64(state, published):
    record = stream(state)
    assert [int(next_bits(record)) for _ in published] == published


@pytest.mark.nojit
@pytest.mark.parametrize("seed", [0, 1, 1234567, 2**63, 2**64 - 1])
def test_a_seed_starts_the_stream_where_the_oracle_starts_it(seed):
    record = stream(99)
    seed_stream(record, np.uint64(seed))
    assert int(record.rng) == Dice.from_seed(seed).stream


@pytest.mark.nojit
@pytest.mark.parametrize("bound", [1, 2, 6, 36, 1296, 3 << 30, 2**32 - 1, 2**32])
def test_numbers_below_a_bound_are_those_of_the_oracle(bound):
    record, dice = stream(2**64 - 5), Dice(2**64 - 5)
    for _ in range(100):
        assert below(record, bound) == dice.below(bound)
        assert int(record.rng) == dice.stream  # rejected draws included


@pytest.mark.parametrize("bound", [2, 6, 36, 1296])
def test_numbers_below_a_bound_come_as_often(bound):
    record = stream(17)
    draws = [below(record, bound) for _ in range(50 * max(bound, 1000))]
    counts = np.bincount(draws, minlength=bound)
    assert len(counts) == bound
    assert chi_square(counts) < chi_square_limit(bound)


def test_a_bound_that_does_not_divide_the_range_is_fair_too():
    """Taking remainders would draw the first third twice as often."""
    record = stream(18)
    draws = np.array([below(record, 3 << 30) for _ in range(60_000)])
    assert 0 <= draws.min() <= draws.max() < 3 << 30
    assert chi_square(np.bincount(draws >> 30)) < chi_square_limit(3)


@pytest.mark.nojit
def test_unit_floats_are_the_upper_53_bits_of_a_draw():
    record, same = stream(2**64 - 5), stream(2**64 - 5)
    for _ in range(100):
        drawn = unit_float(record)
        assert float(drawn) * 2**53 == int(next_bits(same)) >> 11
        assert 0 <= drawn < 1
    assert record.rng == same.rng


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("state", "bits", "drawn"),
    [
        (0x61C8864680B583EB, 0, 0.0),
        (0x31628AF67B2131AB, 2**64 - 1, 1 - 2**-53),
    ],
)
def test_the_least_and_the_greatest_unit_float(state, bits, drawn):
    assert int(next_bits(stream(state))) == bits
    assert unit_float(stream(state)) == drawn


def test_unit_floats_come_as_often_everywhere():
    record = stream(19)
    draws = np.array([unit_float(record) for _ in range(100_000)])
    assert chi_square(np.bincount((draws * 100).astype(int))) < chi_square_limit(100)


def test_neighbouring_seeds_give_unrelated_streams():
    game = load_game("cant_stop", num_players=1)
    states = game.new_states(np.arange(100_000, dtype=np.uint64))
    same = (states["dice"][:-1] == states["dice"][1:]).all(axis=1)
    # 1 in 1296 are the same by chance: 77 expected, and the chance of 2.2 times as
    # many is below exp(-77 (2.2 ln 2.2 - 1.2)) = 6e-18 (Chernoff).
    assert same.sum() < 170
    assert len(np.unique(states["rng"])) == len(states)
