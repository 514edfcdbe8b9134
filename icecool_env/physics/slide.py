"""Flicks without a game: where one leads, and how the last one of a game went."""

import functools
import math
from typing import Any, NamedTuple, cast

import numpy as np

from game_core.validation import options
from icecool_env.geometry import room_at
from icecool_env.physics.constants import MAX_STEPS
from icecool_env.physics.flick import run_flick
from icecool_env.school import STANDARD, School
from icecool_env.state import (
    MAX_EVENTS,
    MAX_PLAYERS,
    NONE,
    NUM_EVENT_FIELDS,
    STATE,
)

__all__ = ["Flick", "Slide", "last_flick", "simulate", "slide"]

MAX_SPEED = 2300.0  # mm/s, forward and upward: see DT


MAX_SPIN = 1000.0  # rad/s


class Flick(NamedTuple):
    """How a penguin is set in motion.

    Attributes:
        seat: Whose penguin.
        velocity: To x, to y and up, in mm/s.
        spin: Counterclockwise, in rad/s; it curves the path to the left.
    """

    seat: int
    velocity: tuple[float, float, float]
    spin: float = 0.0


class Slide(NamedTuple):
    """The outcome of a flick.

    Attributes:
        poses: (players, 2) float64 at rest; NaN off the board. A penguin that left the
            school is where it stopped.
        events: Step from 1, kind (``TOUCH``, ``PASS``, ``EXIT`` of ``state``), seat,
            and the other seat, the door's index or -1; in the order of A1.
        path: (steps, players, 3) float64, x, y and height of the base after each step
            of 1/400 s; NaN off the board.
    """

    poses: np.ndarray
    events: list[tuple[int, int, int, int]]
    path: np.ndarray


def slide(poses: Any, flick: Flick, school: School = STANDARD) -> Slide:
    """Return where a flick leads; a pure function.

    Args:
        poses: (players, 2) x and y of the penguins by seat, 1 to 4 of them, in
            millimetres; NaN for one off the board.
        flick: What is flicked, and how.
        school: The floor plan.

    Raises:
        ValueError: For poses of another shape or outside the school, a flick of no
            penguin on the board, one that is too fast, or a school with faults.
    """
    if not isinstance(cast(Any, school), School) or not isinstance(
        cast(Any, flick), Flick
    ):
        raise ValueError("slide() takes poses, a Flick and a School")
    states = _blank_record(school).copy()
    poses = _as_numbers("poses", poses)
    if poses.ndim != 2 or poses.shape[1] != 2 or not 1 <= len(poses) <= MAX_PLAYERS:
        raise ValueError(
            f"poses of shape {poses.shape} should be (players, 2), 1 to {MAX_PLAYERS}"
        )
    on_board = ~np.isnan(poses).all(axis=1)
    for seat in np.flatnonzero(on_board):
        if room_at(states[0], *poses[seat].tolist()) == NONE:
            raise ValueError(f"penguin {seat} at {poses[seat]} is outside the school")
    seat = options.whole_number("flick.seat", flick.seat, 0, len(poses) - 1)
    if not on_board[seat]:
        raise ValueError(f"there is no penguin {seat} on the board to flick")
    states["num_players"] = len(poses)
    states["on_board"][0, : len(poses)] = on_board
    states["x"][0, : len(poses)], states["y"][0, : len(poses)] = np.nan_to_num(poses).T
    states["flicked"] = seat
    states["velocity"], states["spin"] = _checked_motion(flick)
    return simulate(states)


@functools.cache
def _blank_record(school: School) -> np.ndarray:
    """Return a record (1,) with nothing but a school in it."""
    school.check()
    states = np.zeros(1, STATE)
    for field, value in school.fields().items():
        states[field] = value
    return states


def _as_numbers(name: str, given: Any) -> np.ndarray:
    """Return what a caller gave as an array of float64."""
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} {given!r} should be numbers") from None


def _checked_motion(flick: Flick) -> tuple[np.ndarray, float]:
    """Return velocity and spin of a flick; beyond the limits walls would not hold."""
    velocity = _as_numbers("flick.velocity", flick.velocity)
    spin = _as_numbers("flick.spin", flick.spin)
    if (
        velocity.shape != (3,)
        or spin.shape != ()
        or not math.hypot(velocity[0], velocity[1]) <= MAX_SPEED
        or not 0.0 <= velocity[2] <= MAX_SPEED
        or not abs(spin) <= MAX_SPIN
    ):
        raise ValueError(
            f"{flick} should have a velocity of three numbers, up to {MAX_SPEED:g} "
            f"mm/s forward, from 0 to {MAX_SPEED:g} upward, and a spin up to "
            f"{MAX_SPIN:g} rad/s"
        )
    return velocity, float(spin)


def last_flick(states: np.ndarray) -> Slide:
    """Return the last flick of a game again, with the path of every penguin.

    The record keeps how it began, so that nothing is logged until somebody asks.

    Args:
        states: (1,) record of a game, for instance ``position.states``; or the record.

    Raises:
        ValueError: If it is no record, or nothing has been flicked yet.
    """
    if getattr(states, "dtype", None) != STATE or np.size(states) != 1:
        raise ValueError(
            "last_flick() takes one record: position.states, or env.get_state() of a "
            f"raw environment; got {type(states).__name__}"
        )
    before = np.atleast_1d(states).copy()
    seat = int(before["flicked"][0])
    if not 0 <= seat < before["num_players"][0] or not before["was_on_board"][0, seat]:
        raise ValueError("no penguin has been flicked yet in this game")
    for field in ("on_board", "x", "y"):
        before[field] = before[f"was_{field}"]
    return simulate(before)


def simulate(states: np.ndarray) -> Slide:
    """Play the flick that stands in a record (1,), which then has the poses at rest."""
    events = np.zeros((MAX_EVENTS, NUM_EVENT_FIELDS), np.int64)
    path = np.zeros((MAX_STEPS, MAX_PLAYERS, 3))
    num_steps, num_events = run_flick(states[0], events, path)
    state = states[0]
    seats = int(state.num_players)
    path = path[:num_steps, :seats].copy()
    poses = np.stack([state.x[:seats], state.y[:seats]], axis=1)
    off_board = state.on_board[:seats] == 0
    poses[off_board] = path[:, off_board] = np.nan
    return Slide(poses, [tuple(event) for event in events[:num_events].tolist()], path)
