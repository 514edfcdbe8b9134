"""Loops over arrays of records, written once and compiled for each game.

A loop names the rules of a game as if they were functions of this file; ``bind``
gives each game its own copy of the loops in which those names are the game's.

In all of them ``states`` is (n,) records, and row i of every other array belongs to
record i.
"""

import functools
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from game_core.compiled.binding import Binding
from game_core.compiled.jit import jit
from game_core.compiled.rng import below, seed_stream, unit_float
from game_core.compiled.rules import Rule, Rules

__all__ = ["Loops", "bind", "sample_all", "sample_box"]

if TYPE_CHECKING:  # names that mean something in the loops of a game
    reset = is_legal = step = rewards = cast(Rule, None)
    legal_actions = observe = resample_hidden = cast(Rule, None)


def reset_rows(states: Any, rows: Any, seeds: Any) -> None:
    """Begin a new game in the records ``rows`` (k,) int64.

    ``seeds`` (k,) uint64 start their streams anew; if it is empty they go on.
    """
    for k in range(len(rows)):
        state = states[rows[k]]
        if len(seeds) > 0:
            seed_stream(state, seeds[k])
        reset(state)


def find_illegal(states: Any, actions: Any) -> int:
    """Return the first row whose action is illegal, or -1.

    ``actions`` is (n,) int64 or, if they are continuous, (n, k) float32. Any action
    will do for a game that is over.
    """
    for i in range(len(states)):
        state = states[i]
        over = state.terminated or state.truncated
        if not over and not is_legal(state, actions[i]):
            return i
    return -1


def play_all(states: Any, actions: Any) -> None:
    """Play a legal action in every record; a game that is over stays as it is."""
    for i in range(len(states)):
        state = states[i]
        if not (state.terminated or state.truncated):
            step(state, actions[i])


def step_all(states: Any, actions: Any) -> int:
    """Play an action in every record; a game that is over stays as it is.

    Returns -1; or the first row whose action is illegal, and then nothing has changed.
    """
    row = find_illegal(states, actions)
    if row < 0:
        play_all(states, actions)
    return row


def pay_all(states: Any, payoffs: Any) -> None:
    """Write the rewards of games that are over into zeroed (n, players) float64."""
    for i in range(len(states)):
        state = states[i]
        if state.terminated or state.truncated:
            rewards(state, payoffs[i])


def mask_all(states: Any, masks: Any) -> None:
    """Write the legal actions of every record into zeroed ``masks`` (n, actions)."""
    for i in range(len(states)):
        state = states[i]
        if not (state.terminated or state.truncated):
            legal_actions(state, masks[i])


def observe_all(states: Any, seats: Any, observations: Any) -> None:
    """Write what ``seats`` (n,) see into zeroed ``observations`` (n, size)."""
    for i in range(len(states)):
        observe(states[i], seats[i], observations[i])


def determinize_all(states: Any, seats: Any, seeds: Any) -> None:
    """Replace in every record what its seat cannot know: stream and hidden things."""
    for i in range(len(states)):
        seed_stream(states[i], seeds[i])
        resample_hidden(states[i], seats[i])


@jit
def sample_all(masks: np.ndarray, streams: np.ndarray, actions: np.ndarray) -> None:
    """Draw for every row one of the actions that its mask allows, each as likely.

    Args:
        masks: (n, actions) int8.
        streams: (1,) records with a field ``rng``, the source of the draws.
        actions: (n,) int64, written; 0 for a row that allows nothing.
    """
    for i in range(len(masks)):
        mask = masks[i]
        count = 0
        for action in range(len(mask)):
            count += mask[action]
        chosen = 0
        if count > 0:
            # The action sought has ``skip`` legal ones before it: count, without
            # branching, the actions up to which there are no more than that.
            skip = below(streams[0], count)
            passed = 0
            for action in range(len(mask)):
                passed += mask[action]
                chosen += passed <= skip
        actions[i] = chosen


@jit
def sample_box(streams: np.ndarray, low: Any, high: Any, actions: np.ndarray) -> None:
    """Draw continuous actions, each uniformly from the same box.

    Args:
        streams: (1,) records with a field ``rng``, the source of the draws.
        low: (k,) float64, the least values.
        high: (k,) float64, the greatest values.
        actions: (n, k) float32, written.
    """
    for i in range(len(actions)):
        for k in range(len(low)):
            actions[i, k] = low[k] + (high[k] - low[k]) * unit_float(streams[0])


class Loops(NamedTuple):
    """The loops of this file, bound to one game; one may call those before it.

    Attributes:
        binding: What they are bound to; other code can be bound to the same.
    """

    binding: Binding
    reset_rows: Any
    find_illegal: Any
    play_all: Any
    step_all: Any
    pay_all: Any
    mask_all: Any
    observe_all: Any
    determinize_all: Any


LOOPS = (
    reset_rows,
    find_illegal,
    play_all,
    step_all,
    pay_all,
    mask_all,
    observe_all,
    determinize_all,
)


@functools.cache
def bind(game_id: str, rules: Rules, compiled: bool = True) -> Loops:
    """Return the loops over records of one game, the same ones each time.

    Args:
        game_id: Tells the compiled loops of different games apart on disk.
        rules: The game's functions, each decorated with ``@jit`` if ``compiled``.
        compiled: False for a game whose rules are plain Python.
    """
    binding = Binding(game_id, rules._asdict(), compiled)
    return Loops(binding, *binding.bind(LOOPS))
