"""Seeds of derived streams: pinned, distinct, and of no use to guess others."""

import itertools

import numpy as np
import pytest

from game_core import Position, Purpose, derive, load_game, play
from game_core.agents.policy import MEMORY
from game_core.compiled.rng import seed_stream, siphash
from game_core.streams import generator, start_stream
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


REFERENCE = {
    0: 0x726FDB47DD0E0E31,
    1: 0x74F839C593DC67FD,
    8: 0x93F5F5799A932462,
    15: 0xA129CA6149BE45E5,  # Appendix A of the paper
    16: 0x3F2ACC7F57C29BDB,
}
"""Length of a message 0, 1, ... -> its hash with the key 0, 1, ..., 15.

From J.-P. Aumasson, D. J. Bernstein, "SipHash", 2012, and its reference implementation.
"""


@pytest.mark.parametrize("length", REFERENCE)
def test_the_slow_siphash_is_that_of_the_paper(length):
    hashed = siphash_of_bytes(bytes(range(16)), bytes(range(length)))
    assert hashed == REFERENCE[length]


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


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, Purpose.AGENT), r"seed=-1 .* from 0 to 18446744073709551615"),
        ((2**64, Purpose.AGENT), "seed=18446744073709551616"),
        ((None, Purpose.AGENT), "seed=None"),
        ((True, Purpose.AGENT), "seed=True"),
        ((1.5, Purpose.AGENT), r"seed=1\.5"),
        ((7, Purpose.AGENT, -1), r"index=-1 .* from 0 to 9223372036854775807"),
        ((7, Purpose.AGENT, 2**63), "index=9223372036854775808"),
        ((7, 1), r"purpose=1 .*AGENT"),
        ((7, 99), "purpose=99 is no Purpose"),
    ],
)
def test_what_names_no_stream_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        derive(*arguments)


def test_each_purpose_is_pinned_with_its_number():
    assert {purpose.name: purpose.value for purpose in Purpose} == {
        name: number for number, name in enumerate(PINNED, 1)
    }


@pytest.mark.nojit
@pytest.mark.parametrize("seed", SEEDS)
def test_a_stream_of_a_record_starts_from_the_derived_seed(seed):
    started, expected = np.zeros((2, 1), MEMORY)
    start_stream(started[0], np.uint64(seed), int(Purpose.AGENT), 3)
    seed_stream(expected[0], np.uint64(derive(seed, Purpose.AGENT, 3)))
    assert started["rng"] == expected["rng"] != 0


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
    seen = []

    def looking(view):
        seen.append(view.position.states.tobytes())
        return view.legal_actions[-1]

    game = load_game("azul", max_rounds=1)
    log = play(game, [looking, looking], seed=12)
    position, expected = Position.new(game, 12), []
    for number, action in enumerate(log.actions):
        copy_seed = derive(12, Purpose.DETERMINIZATION, number)
        copy = position.determinize(position.player, copy_seed)
        expected.append(copy.states.tobytes())
        position.step(action)
    assert seen == expected
