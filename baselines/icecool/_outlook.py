"""What the rest of a round promises to each seat, by numbers fitted to played rounds.

The form is that of ``planner.promise``, where a Catcher that geometry shows no shot is
little danger. In 3,435 positions of 123 games of two planners (of 120 flicks a move, a
tenth of them random) that one left a mean square error of 1.36 cards in what Runner and
Catcher still won on each other, this one 1.19 on rounds that the fit had not seen. The
greatest difference: a Catcher next door finds curved and jumping ways, which no
geometry here knows, most of the time.
"""

from typing import Any

from baselines.icecool._shots import can_be_caught
from baselines.icecool._worth import (
    BY_BOUNCE,
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
from baselines.icecool.planner import value
from game_core.jit import jit
from icecool_env.rules import id_cards
from icecool_env.state import NONE, SKATES
from icecool_env.tracking import room_at

# Chance that a fish is still taken, per turn until then; turns that the next fish needs
# from the circle, if it is in sight, if it can be reached off a wall, and else beside
# one for each door; and turns that each fish after it needs.
EACH_TURN = 0.88
FROM_CIRCLE, IN_SIGHT, OFF_WALL, OUT_OF_SIGHT = 3.0, 1.0, 2.1, 2.4
TURNS_PER_FISH = 2.8

# Chance to be caught in the Catcher's next turn if it has a shot, and what each door in
# between leaves of certainty if it has none; the part of both that is left if the
# Runner moves before; and the chance not to be caught in a turn later on.
CAUGHT, EACH_DOOR = 0.82, 0.635
CAN_FLEE, SAFE_TURN = 0.21, 0.91


@jit
def write_values(
    states: Any, this_round: int, out: Any, worths: Any, doors: Any, scratch: Any
) -> None:
    """Write what positions are worth to each seat into ``out`` (k, players), in cards.

    It is the cards by which a seat exceeds the others' average, promises included.

    Args:
        states: (k,) records.
        this_round: Positions of later rounds promise nothing beyond the cards held.
        out: Written.
        worths: (``MAX_PLAYERS``,) numbers, overwritten.
        doors: (``MAX_ROOMS``,) numbers, overwritten.
        scratch: (1, ``SHOT``) numbers, overwritten.
    """
    for i in range(len(states)):
        state = states[i]
        worths[:] = 0.0
        if state.round_number == this_round and not state.terminated:
            promise(state, worths, doors, scratch)
        for seat in range(state.num_players):
            out[i, seat] = value(state, seat, worths)


@jit
def promise(state: Any, worths: Any, doors: Any, scratch: Any) -> None:
    """Write the cards that the rest of the round promises to each seat.

    Args:
        state: The record.
        worths: (``MAX_PLAYERS``,) numbers, written.
        doors: (``MAX_ROOMS``,) numbers, overwritten.
        scratch: (1, ``SHOT``) numbers, overwritten.
    """
    for seat in range(state.num_players):
        worths[seat] = id_cards(state, seat)
    for runner in range(state.num_players):
        if runner != state.catcher:
            turns = turns_to_fish(state, runner, doors, scratch)
            lacking = fish_lacking(state, runner)
            fish = 0.0
            for i in range(lacking):
                fish += EACH_TURN ** (turns + TURNS_PER_FISH * i)
            if can_be_caught(state, runner):
                threat = threat_to(state, runner, doors, scratch)
                if state.caught[runner] > 0:  # R42: the round would end
                    fish *= 1.0 - threat
                else:
                    later = turns - 1.0 + TURNS_PER_FISH * (lacking - 1)
                    caught = 1.0 - (1.0 - threat) * SAFE_TURN**later
                    worths[state.catcher] += caught
                    worths[runner] -= caught
            worths[runner] += fish


@jit
def turns_to_fish(state: Any, runner: int, doors: Any, scratch: Any) -> float:
    """Return how many turns a Runner needs for its next fish, about."""
    if not state.on_board[runner]:
        return FROM_CIRCLE
    sight = runners_sight(state, runner, scratch)
    if sight != UNSEEN:
        return IN_SIGHT if sight == DIRECTLY else OFF_WALL
    doors_to_fish(state, runner, NONE, doors)
    room = room_at(state, state.x[runner], state.y[runner])
    return OUT_OF_SIGHT + (FAR if room == NONE else doors[room])


@jit
def threat_to(state: Any, runner: int, doors: Any, scratch: Any) -> float:
    """Return the chance that the Catcher's next turn catches a Runner."""
    x, y = where_is(state, runner)
    if catchers_sight(state, (x, y, runner), scratch) >= BY_BOUNCE:
        threat = CAUGHT
    else:
        threat = EACH_DOOR ** doors_to_catcher(state, x, y, doors)
    n = state.num_players
    next_seat = (state.player + (state.phase == SKATES)) % n
    if (runner - next_seat) % n < (state.catcher - next_seat) % n:
        threat *= CAN_FLEE
    return threat


@jit
def doors_to_catcher(state: Any, x: float, y: float, doors: Any) -> float:
    """Return how many doors lead from a point to the Catcher, at least one."""
    room = room_at(state, x, y)
    catcher = room_at(state, state.x[state.catcher], state.y[state.catcher])
    if room == NONE or catcher == NONE:
        return FAR
    doors_to_room(state, room, doors)
    return max(1.0, doors[catcher])
