"""Policies: agents as compiled functions, and games between them without Python.

A policy is a function ``choose(state, memory)`` decorated with ``@jit``. It returns a
legal action for the player to move, plays nothing on ``state``, and looks neither at
the random stream in it nor at anything else that the player cannot see; the tests hold
ours to that. ``memory`` is a record of ``MEMORY`` of its own, zeroed at the start of
the game, in which it may keep what it likes; its stream is that of the seat.

A policy that plays every game is a plain function, which names the rules of the game
(``game_core.compiled.rules``), and the bounds ``low`` and ``high`` of continuous
actions, as if they were functions and arrays of its file.
"""

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from game_core.compiled.jit import jit
from game_core.compiled.rules import Rule
from game_core.game import Game
from game_core.streams import Purpose, start_stream

__all__ = [
    "MEMORY",
    "Played",
    "bind_policy",
    "bind_turns",
    "new_memories",
    "play_policies",
    "play_turns",
    "start_streams",
]

if TYPE_CHECKING:  # names that mean something once bound
    choose = is_legal = step = cast(Rule, None)

AGENT = int(Purpose.AGENT)  # for compiled code
MEMORY_SIZE = 4

MEMORY = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64),  # a random stream: see game_core.compiled.rng
            ("num_actions", np.int64),  # of the game; 0 if they are continuous
            ("numbers", np.float64, (MEMORY_SIZE,)),  # whatever the policy keeps
        ],
    )
)
"""What a policy keeps during one game."""


class Played(NamedTuple):
    """Games that policies have played to their end.

    Attributes:
        states: The last positions, (n,) records.
        rewards: What they pay, (n, players) float64.
        decisions: How many there were at each seat, (n, players) int64.
    """

    states: np.ndarray
    rewards: np.ndarray
    decisions: np.ndarray


def new_memories(game: Game, *shape: int) -> np.ndarray:
    """Return memories (*shape,) for the start of a game, all with the stream 0."""
    memories = np.zeros(shape, MEMORY)
    memories["num_actions"] = game.num_actions if game.discrete else 0
    return memories


def play_policies(
    game: Game, policies: Sequence[Any], seating: np.ndarray, seeds: np.ndarray
) -> Played:
    """Play games between policies, one for each seed.

    Policies that draw no random numbers play what ``play`` plays with this seed and
    the same agents.

    Args:
        game: The game and its options, with numbered actions.
        policies: The policies.
        seating: (n, players) int64, which of them sits where in each game.
        seeds: (n,) uint64, the seeds of the games.

    Raises:
        RuntimeError: If a policy plays an illegal action.
    """
    states = game.new_states(seeds)
    memories = new_memories(game, *seating.shape)
    start_streams(memories, seeds)
    decisions = np.zeros(seating.shape, np.int64)
    loops = [bind_turns(game, policy) for policy in policies]
    while not (states["terminated"] | states["truncated"]).all():
        for number, play_turns in enumerate(loops):
            row = play_turns(states, seating, number, memories, decisions)
            if row >= 0:
                seat = states["player"][row]
                name = getattr(policies[number], "__qualname__", policies[number])
                raise RuntimeError(f"policy {name} is illegal for seat {seat}")
    return Played(states, game.payoffs(states), decisions)


@functools.lru_cache(maxsize=256)
def bind_policy(game: Game, policy: Any) -> Any:
    """Return a policy as a function ``choose(state, memory)`` for this game."""
    if getattr(policy, "py_func", policy) is not policy:  # compiled already
        return policy
    bounds = () if game.discrete else game.action_bounds
    space = dict(zip(("low", "high"), bounds, strict=False))
    return game.loops.binding.extend(**space).bind([policy])[0]


@functools.lru_cache(maxsize=256)
def bind_turns(game: Game, policy: Any) -> Any:
    """Return ``play_turns`` for a game and a policy."""
    choose = bind_policy(game, policy)
    return game.loops.binding.extend(choose=choose).bind([play_turns])[0]


def play_turns(
    states: Any, seating: Any, number: int, memories: Any, decisions: Any
) -> int:
    """Play on in all games for as long as the policy ``number`` is to move.

    Returns -1, or the first row in which it played an illegal action.
    """
    for i in range(len(states)):
        state = states[i]
        while not (state.terminated or state.truncated):
            seat = state.player
            if seating[i, seat] != number:
                break
            action = choose(state, memories[i, seat])
            if not is_legal(state, action):
                return i
            decisions[i, seat] += 1
            step(state, action)
    return -1


@jit
def start_streams(memories: np.ndarray, seeds: np.ndarray) -> None:
    """Start the streams of agents at all seats (n, players) from game seeds (n,)."""
    for i in range(len(memories)):
        for seat in range(memories.shape[1]):
            start_stream(memories[i, seat], seeds[i], AGENT, seat)
