"""Frames over a socket: their limits, and answers that nobody may trust."""

import contextlib
import math
import socket
import time

import pytest

from benchmarks.sandbox.protocol import (
    LONGEST_ANSWER,
    LONGEST_REASON,
    Channel,
    action_answer,
    failure_answer,
    read_answer,
)
from game_core.agents.play import AgentError


@pytest.fixture
def ends():
    """Two ends of a connection; the second is a bare socket."""
    ours, theirs = socket.socketpair()
    with contextlib.closing(Channel(ours, LONGEST_ANSWER)) as channel, theirs:
        yield channel, theirs


def frame(content):
    return len(content).to_bytes(4, "little") + content


def test_frames_arrive_whole_however_they_are_cut(ends):
    channel, theirs = ends
    sent = frame(b"one") + frame(b"") + frame(b"three")
    theirs.sendall(sent[:9])
    assert channel.receive(1) == b"one"
    theirs.sendall(sent[9:])
    assert channel.receive(1) == b""
    assert channel.receive(1) == b"three"


def test_dribbling_bytes_does_not_extend_the_time_limit(ends):
    channel, theirs = ends
    theirs.sendall(frame(b"whole")[:-1])
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        channel.receive(0.2)
    assert 0.2 <= time.monotonic() - begun < 60


def test_a_frame_that_is_too_long_is_refused_before_it_arrives(ends):
    channel, theirs = ends
    theirs.sendall((LONGEST_ANSWER + 1).to_bytes(4, "little"))
    with pytest.raises(ValueError, match="too long"):
        channel.receive(1)


def test_hanging_up_ends_the_wait(ends):
    channel, theirs = ends
    theirs.close()
    with pytest.raises(EOFError):
        channel.receive()


@pytest.mark.parametrize(
    "action",
    [0, 78, -(2**63), 2**63 - 1, (0.1, -1.0), (5e-324, math.inf), (0.5,) * 511, ()],
)
def test_an_action_comes_through(action):
    assert read_answer(action_answer(action)) == action


@pytest.mark.parametrize(
    "answer",
    [b"", b"A", b"A1234567", b"A123456789", b"C1234567", b"C123456789", b"\x80\x04."],
)
def test_an_answer_that_is_none_is_a_failure(answer):
    with pytest.raises(AgentError, match="no answer"):
        read_answer(answer)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("raised ValueError: no", "raised ValueError: no"),
        ("two\nlines and\ta tab", "two lines and a tab"),
        ("\x1b[2Jclears the screen\x07", "[2Jclears the screen"),
        ("", "gave no reason"),
        ("lone \udc80 surrogate", "lone \\udc80 surrogate"),
        ("long " * 10**6, ("long " * 10**6)[:LONGEST_REASON]),
    ],
)
def test_a_reason_is_one_line_of_plain_text(reason, told):
    answer = failure_answer(reason)
    assert len(answer) <= LONGEST_ANSWER
    with pytest.raises(AgentError) as failure:
        read_answer(answer)
    assert str(failure.value) == told
