"""What the rest of a round is worth to each seat, by weights fitted to played rounds.

A Runner's fish count the less the more turns they need, and so does its ID card, and
the Catcher's hope for it, the more turns the Catcher has. What a position looks like to
a Runner is a few facts; what they are worth is ten weights, found by ``_tuning.py``.
"""

from typing import Any

import numpy as np

from baselines.icecool._features import (
    DIRECTLY,
    FAR,
    UNSEEN,
    catchers_sight,
    doors_to_fish,
    doors_to_room,
    fish_lacking,
    runners_sight,
    where_is,
)
from baselines.icecool._shots import SHOT, can_be_caught
from game_core.compiled.jit import jit
from icecool_env.cards import num_cards
from icecool_env.geometry import room_at
from icecool_env.rules import id_cards
from icecool_env.state import (
    MAX_ROOMS,
    NONE,
    SKATES,
    State,
)

# The weights: the chance that a fish is still taken, per turn until then; the turns
# that the next one needs from the circle, in sight, off a wall, and else beside one
# for each door; and those that each fish after it needs.
EACH_TURN, FROM_CIRCLE, IN_SIGHT, OFF_WALL, OUT_OF_SIGHT, EACH_FISH = range(6)
# The chance to be caught in the Catcher's next turn if it has a shot, and what each
# door in between leaves of certainty if it has none; the part of both that is left if
# the Runner moves before; and the chance not to be caught in a turn later on.
CAUGHT, EACH_DOOR, CAN_FLEE, SAFE_TURN = range(6, 10)
NUM_WEIGHTS = 10

# The facts of a seat: ID cards it holds; fish it lacks, how it gets to the next one (a
# weight above), and the doors in between; what the Catcher gains by touching it,
# whether it has a shot, the doors in between, and whether the Runner moves before.
IDS, LACKING, WAY, DOORS, GAIN, SHOT_AT, DISTANCE, MOVES_FIRST = range(8)
NUM_FACTS = 8

NOTHING, ID_CARD, END = range(3)
"""What the Catcher gains by touching a Runner; END is that of the round (R42)."""


@jit
def write_values(
    states: np.ndarray, this_round: int, weights: np.ndarray, out: np.ndarray
) -> None:
    """Write what positions are worth to each seat into ``out`` (k, players), in cards.

    That is by how much a seat's cards, expected ones included, exceed the average of
    the others'.
    Cards that were drawn count as cards, whatever their values are on these copies.

    Args:
        states: (k,) records.
        this_round: In later rounds nothing counts but the cards held.
        weights: A row of them for two players, and one for more.
        out: Written.
    """
    for i in range(len(states)):
        write_value(states[i], this_round, weights, out[i])


@jit
def write_value(
    state: State, this_round: int, weights: np.ndarray, values: np.ndarray
) -> None:
    """Write what a position is worth to each seat (players,); arguments as above."""
    values[:] = 0.0
    if state.round_number == this_round and not state.terminated:
        n = state.num_players
        facts = np.zeros((n, NUM_FACTS))
        write_facts(state, facts, np.zeros(MAX_ROOMS), np.zeros((1, SHOT)))
        write_expected_cards(facts, state.catcher, weights[row_for(n)], values)
    compare(state, values)


@jit
def row_for(num_players: int) -> int:
    """Return the row of the weights for so many players."""
    return 0 if num_players == 2 else 1


@jit
def compare(state: State, values: np.ndarray) -> None:
    """Add the cards held to those expected, and take the others' average away."""
    n, total = state.num_players, 0.0
    for seat in range(n):
        values[seat] += num_cards(state, seat)
        total += values[seat]
    for seat in range(n):
        values[seat] -= (total - values[seat]) / (n - 1)


@jit
def write_expected_cards(
    facts: np.ndarray, catcher: int, weights: np.ndarray, values: np.ndarray
) -> None:
    """Write the cards that each seat can expect of the rest of a round (players,).

    Args:
        facts: (players, ``NUM_FACTS``) numbers.
        catcher: Its seat.
        weights: (``NUM_WEIGHTS``,) what the facts are worth.
        values: Written.
    """
    for seat in range(len(facts)):
        values[seat] = facts[seat, IDS]
    for seat in range(len(facts)):
        if seat != catcher:
            turns = turns_to_fish(facts[seat], weights)
            lacking = facts[seat, LACKING]
            fish = 0.0
            for i in range(int(lacking)):
                fish += weights[EACH_TURN] ** (turns + weights[EACH_FISH] * i)
            threat = threat_to(facts[seat], weights)
            if facts[seat, GAIN] == END:
                fish *= 1.0 - threat
            elif facts[seat, GAIN] == ID_CARD:
                later = turns - 1.0 + weights[EACH_FISH] * (lacking - 1.0)
                caught = 1.0 - (1.0 - threat) * weights[SAFE_TURN] ** later
                values[catcher] += caught
                values[seat] -= caught
            values[seat] += fish


@jit
def turns_to_fish(facts: np.ndarray, weights: np.ndarray) -> float:
    """Return how many turns a Runner needs for its next fish, about."""
    turns = weights[int(facts[WAY])]
    return turns + facts[DOORS] if facts[WAY] == OUT_OF_SIGHT else turns


@jit
def threat_to(facts: np.ndarray, weights: np.ndarray) -> float:
    """Return the chance that the Catcher's next turn catches a Runner."""
    if facts[SHOT_AT]:
        threat = weights[CAUGHT]
    else:
        threat = weights[EACH_DOOR] ** facts[DISTANCE]
    return threat * weights[CAN_FLEE] if facts[MOVES_FIRST] else threat


@jit
def write_facts(
    state: State, facts: np.ndarray, doors: np.ndarray, scratch: np.ndarray
) -> None:
    """Write the facts of all seats (players, ``NUM_FACTS``).

    ``doors`` (``MAX_ROOMS``,) and ``scratch`` (1, ``SHOT``) are overwritten.
    """
    facts[:] = 0.0
    n = state.num_players
    next_seat = (state.player + (state.phase == SKATES)) % n
    for seat in range(n):
        own = facts[seat]
        own[IDS] = id_cards(state, seat)
        if seat != state.catcher:
            own[LACKING] = fish_lacking(state, seat)
            write_way(state, seat, own, doors, scratch)
            own[GAIN] = gain_of_catch(state, seat)
            if own[GAIN] != NOTHING:
                x, y = where_is(state, seat)
                target = (x, y, seat)
                own[SHOT_AT] = catchers_sight(state, target, scratch) != UNSEEN
                own[DISTANCE] = doors_to_catcher(state, x, y, doors)
            before = (seat - next_seat) % n < (state.catcher - next_seat) % n
            own[MOVES_FIRST] = before


@jit
def gain_of_catch(state: State, runner: int) -> int:
    """Return what the Catcher gains by touching a Runner."""
    if not can_be_caught(state, runner):
        return NOTHING
    return END if state.caught[runner] > 0 else ID_CARD


@jit
def write_way(
    state: State, runner: int, own: Any, doors: np.ndarray, scratch: np.ndarray
) -> None:
    """Write how a Runner gets to its next fish; arguments as of ``write_facts``."""
    if not state.on_board[runner]:
        own[WAY] = FROM_CIRCLE
        return
    sight = runners_sight(state, runner, scratch)
    if sight != UNSEEN:
        own[WAY] = IN_SIGHT if sight == DIRECTLY else OFF_WALL
        return
    own[WAY] = OUT_OF_SIGHT
    doors_to_fish(state, runner, NONE, doors)
    room = room_at(state, state.x[runner], state.y[runner])
    own[DOORS] = FAR if room == NONE else doors[room]


@jit
def doors_to_catcher(state: State, x: float, y: float, doors: np.ndarray) -> float:
    """Return how many doors lead from a point to the Catcher, at least one."""
    room = room_at(state, x, y)
    catcher = room_at(state, state.x[state.catcher], state.y[state.catcher])
    if room == NONE or catcher == NONE:
        return FAR
    doors_to_room(state, room, doors)
    return max(1.0, doors[catcher])
