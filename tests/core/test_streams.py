"""Seeds of derived streams: pinned, distinct, and of no use to guess others."""

import itertools

import numpy as np
import pytest

from game_core import load_game, play
from game_core.compiled.rng import siphash
from game_core.streams import Purpose, derive, derive_each, generator
from tests.games import run_python

MASK = (1 << 64) - 1
SEEDS = (0, 1, 2**63, 2**64 - 1)


def rotated(bits, by):
    return ((bits << by) | (bits >> (64 - by))) & MASK


def sip_rounds(v, count):
    for _ in range(count):
        v[0] = (v[0] + v[1]) & MASK
        v[2] = (v[2] + v[3]) & MASK
        v[1], v[3] = rotated(v[1], 13) ^ v[0], rotated(v[3], 16) ^ v[2]
        v[0] = (rotated(v[0], 32) + v[3]) & MASK
        v[2] = (v[2] + v[1]) & MASK
        v[1], v[3] = rotated(v[1], 17) ^ v[2], rotated(v[3], 21) ^ v[0]
        v[2] = rotated(v[2], 32)


def siphash_of_bytes(key: bytes, message: bytes) -> int:
    """Return SipHash-2-4 of a message of any length, as in the paper."""
    k0, k1 = (int.from_bytes(half, "little") for half in (key[:8], key[8:]))
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]
    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) % 256])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        v[3] ^= word
        sip_rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xFF
    sip_rounds(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def test_the_slow_siphash_is_that_of_the_paper():
    """Appendix A of J.-P. Aumasson, D. J. Bernstein, "SipHash", 2012."""
    assert siphash_of_bytes(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5


@pytest.mark.nojit
@pytest.mark.parametrize("key", SEEDS)
@pytest.mark.parametrize("words", [(0, 0), (1, 0), (8, 2**63 - 1), (2**63 - 1, 5)])
def test_siphash_is_that_of_the_paper(key, words):
    message = b"".join(word.to_bytes(8, "little") for word in words)
    expected = siphash_of_bytes(key.to_bytes(8, "little") + bytes(8), message)
    assert siphash(np.uint64(key), *words) == expected


PINNED = {
    "AGENT": 0x1EF13D7C251CBA83,
    "DETERMINIZATION": 0xBA02D49C6144A247,
    "SEATING": 0xB91FCEE6EF77E343,
    "SAMPLING": 0x8FBA85AEA7110B2E,
    "TASK": 0xF05778E9A64DA508,
    "HINT": 0xF6C51993F9DA57AC,
    "LESSONS": 0x4F15CDC480B71E49,
    "LESSON_ORDER": 0x5E0117B386576DCB,
}


@pytest.mark.nojit
@pytest.mark.parametrize("purpose", Purpose)
def test_derived_seeds_never_change(purpose):
    assert derive(7, purpose, 3) == PINNED[purpose.name]


def test_each_purpose_is_pinned_with_its_number():
    assert {purpose.name: purpose.value for purpose in Purpose} == {
        name: number for number, name in enumerate(PINNED, 1)
    }


@pytest.mark.nojit
def test_many_seeds_at_once_are_the_same():
    seeds = np.array(SEEDS, np.uint64)
    each = [derive(seed, Purpose.SEATING) for seed in SEEDS]
    assert derive_each(seeds, Purpose.SEATING).tolist() == each


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((-1, Purpose.AGENT), "seed=-1 is not allowed"),
        ((2**64, Purpose.AGENT), "seed=18446744073709551616 is not"),
        ((True, Purpose.AGENT), "seed=True"),
        ((1.5, Purpose.AGENT), "seed=1.5"),
        ((1, Purpose.AGENT, -1), "index=-1"),
        ((1, Purpose.AGENT, 2**63), "index=9223372036854775808"),
        ((1, 99), "99 is not a valid Purpose"),
    ],
)
def test_what_no_seed_can_be_derived_from_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        derive(*arguments)


def test_no_two_streams_share_a_seed():
    """By chance two would among 16,000 with a probability of 1 in 10**11."""
    everything = itertools.product(range(20), Purpose, range(100))
    seeds = [derive(*one) for one in everything]
    assert len({*seeds}) == len(seeds)


def test_a_generator_starts_from_the_derived_seed():
    expected = np.random.default_rng(derive(5, Purpose.AGENT, 1)).random(3)
    assert (generator(5, Purpose.AGENT, 1).random(3) == expected).all()


def test_streams_are_the_same_in_every_process():
    code = "from game_core.streams import *; print(derive(2**64 - 1, Purpose.AGENT, 9))"
    assert run_python(code).stdout == f"{derive(2**64 - 1, Purpose.AGENT, 9)}\n"


def test_an_agent_draws_from_the_stream_of_its_seat():
    drawn = {}

    def drawing(view):
        drawn.setdefault(view.seat, view.rng.random())
        return view.legal_actions[-1]

    play(load_game("azul", num_players=3, max_rounds=1), [drawing] * 3, seed=11)
    expected = {seat: generator(11, Purpose.AGENT, seat).random() for seat in range(3)}
    assert drawn == expected


def test_copies_for_agents_come_from_the_streams_of_their_decisions():
    streams = []

    def looking(view):
        streams.append(int(view.state.rng))
        return view.legal_actions[-1]

    game = load_game("azul", max_rounds=1)
    play(game, [looking, looking], seed=12)
    again = streams.copy()
    streams.clear()
    play(game, [looking, looking], seed=12)
    assert streams == again
    assert len({*streams}) == len(streams)
