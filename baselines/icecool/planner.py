"""Try hundreds of flicks on a copy, and take the one that leads to most cards."""

from typing import Any

import numpy as np

from baselines.icecool._actions import as_legal, nearest
from baselines.icecool._shots import SHOT, can_be_caught
from baselines.icecool._worth import (
    DIRECTLY,
    FAR,
    UNSEEN,
    catchers_sight,
    doors_to_fish,
    fish_lacking,
    runners_sight,
    where_is,
)
from baselines.icecool.aimer import as_actions, place, scored_shots, yes_or_no
from game_core.agent import View
from game_core.jit import jit
from game_core.position import Position
from icecool_env.cards import num_cards
from icecool_env.rules import id_cards
from icecool_env.state import (
    HEIGHT,
    MAX_PLAYERS,
    MAX_ROOMS,
    NONE,
    NUM_COMPONENTS,
    PLACE,
    RED_LINE,
    SIDE,
    SKATES,
    STRENGTH,
    X,
    Y,
)
from icecool_env.tracking import room_at

AIMED = 40
"""Shots of the aimer's that are tried, the best first."""

DIRECTIONS = 18
KINDS = (
    (-0.4, 0.0, 0.0),
    (0.3, 0.0, 0.0),
    (0.0, -0.8, 0.0),
    (0.0, 0.8, 0.0),
    (0.6, -0.5, 0.0),
    (0.6, 0.5, 0.0),
    (0.2, 0.0, 0.6),
    (0.9, 0.0, 0.5),
)
"""Strength, side and height of the flicks of the fan, in each direction."""

BEST, NEAR, ROUNDS = 4, 10, 2
"""How many of the best are varied, in how many ways each, and how often."""

SPREAD = np.array([0.05, 0.05, 0.06, 0.15, 0.0, 0.0])
"""How far flicks are varied at first; half as far the next time."""

OWN_LINE = 0.5  # the wish for the red line of the room that the penguin is in
ON_GRID = 150
"""How many flicks of a grid are tried beside those nearest to the others."""

# Chance that a fish is still taken, per turn until then; turns that fish after the next
# need each, and that the next one needs if it can be reached off a wall.
EACH_TURN, TURNS_PER_FISH, TURNS_OFF_WALL = 0.8, 1.5, 1.3

# Chance to be caught in the Catcher's next turn, by its sight; the part of it that is
# left if the Runner moves before; and the chance not to be in a turn later on.
CAUGHT = (0.1, 0.5, 0.9)
CAN_FLEE, SAFE_TURN = 0.3, 0.85

SKATES_GAIN = 0.25
"""In cards: what another turn has to gain, as the cards for it are then spent."""


def planner(view: View) -> Any:
    """Try hundreds of flicks, and take the one that leads to most cards.

    It plays about 260 flicks on copies: the best shots of the aimer's; a fan of flicks
    straight, curved and jumping in all directions, half of them from the red line; and
    variations of the best of these. A flick is foreseen exactly, but not what others do
    next. A position is worth the seat's cards less the others' average, whatever their
    values; and while the round goes on the ID cards, the fish that Runners may still
    take, the fewer the more turns they need, and the chance that the Catcher takes an
    ID card or ends the round, the greater if geometry knows a shot. It takes another
    turn on skates if its best flick gains enough, and is placed like the aimer. On a
    grid it tries the numbers nearest to those flicks, and every so many of all.

    In 50 pairs of games it wins 98 % against aimer (95 % interval from 88.9 %) and all
    against random:
    tabletop tournament icecool --agents random aimer planner --games 100 --seed 0
    Among three aimers it won all of 24, by tests/baselines/test_icecool_agents.py:
    win_share(planner, aimer, sets=6, num_players=4)
    Against aimer fish end 63 % of the rounds and catches the others; between planners
    12 of 24. A move took 0.24 s on a busy machine, nine tenths of it for the flicks.
    """
    state = view.state
    if state.phase == PLACE:
        return as_legal(view, place(view))
    if state.phase == SKATES:
        return as_legal(view, yes_or_no(wants_skates(view)))
    actions, values = tried(view.position, view)
    return actions[values.argmax()]


def wants_skates(view: View) -> bool:
    """Tell whether the best flick of another turn gains enough."""
    no, yes = (as_legal(view, yes_or_no(wanted)) for wanted in (False, True))
    now = outcomes(view.position, view.seat, np.array([no]))[0]
    after = view.position.copy()
    after.step(yes)
    return tried(after, view)[1].max() - now > SKATES_GAIN


def tried(position: Position, view: View) -> tuple[np.ndarray, np.ndarray]:
    """Return the flicks that were tried in a position, and their values."""
    actions = candidates(position, view)
    values = outcomes(position, view.seat, actions)
    for round_number in range(0 if position.game.discrete else ROUNDS):
        best = actions[np.argsort(-values, kind="stable")[:BEST]]
        more = varied(best, SPREAD / 2**round_number, view.rng)
        actions = np.concatenate([actions, more])
        values = np.concatenate([values, outcomes(position, view.seat, more)])
    return actions, values


def candidates(position: Position, view: View) -> np.ndarray:
    """Return flicks to try: the aimer's best, and a fan (k, 6).

    Of a grid, return the numbers (k,) nearest to these, and every so many.
    """
    shots, scores = scored_shots(position.state, view.seat)
    best = np.argsort(-scores, kind="stable")[:AIMED]
    actions = np.concatenate([as_actions(shots[best]), fan(view.rng)])
    if not position.game.discrete:
        return actions
    legal = position.legal_actions()
    return np.union1d(nearest(position, actions), legal[:: 1 + len(legal) // ON_GRID])


def fan(rng: np.random.Generator) -> np.ndarray:
    """Return flicks of all kinds in all directions, half of them from the red line."""
    kinds = np.repeat(KINDS, DIRECTIONS, axis=0)
    place = np.arange(len(kinds)) + rng.random()
    angles = place * 2.0 * np.pi / DIRECTIONS
    actions = np.zeros((len(kinds), NUM_COMPONENTS), np.float32)
    actions[:, X], actions[:, Y] = np.cos(angles), np.sin(angles)
    actions[:, [STRENGTH, SIDE, HEIGHT]] = kinds
    actions[1::2, RED_LINE] = OWN_LINE
    return actions


def varied(
    actions: np.ndarray, spread: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return ``NEAR`` variations of each of some actions (k, 6)."""
    shifts = rng.standard_normal((len(actions), NEAR, NUM_COMPONENTS)) * spread
    more = (actions[:, None] + shifts).reshape(-1, NUM_COMPONENTS)
    return np.clip(more, -1.0, 1.0).astype(np.float32)


def outcomes(position: Position, seat: int, actions: np.ndarray) -> np.ndarray:
    """Return what actions (k,) or (k, 6) lead to, in cards of a seat (k,)."""
    copies = np.repeat(position.states, len(actions))
    position.game.loops.step_all(copies, actions)
    values, worths = np.zeros(len(actions)), np.zeros(MAX_PLAYERS)
    doors, scratch = np.zeros(MAX_ROOMS), np.zeros((1, SHOT))
    this_round = int(position.state.round_number)
    for i, state in enumerate(copies):
        if state.round_number == this_round and not state.terminated:
            promise(state, worths, doors, scratch)
        else:
            worths[:] = 0.0
        values[i] = value(state, seat, worths)
    return values


@jit
def value(state: Any, seat: int, promised: Any) -> float:
    """Return by how much a seat's cards exceed the others' average, promises included.

    Cards that are drawn count as cards, whatever their values are on this copy.
    """
    n, others = state.num_players, 0.0
    for other in range(n):
        if other != seat:
            others += num_cards(state, other) + promised[other]
    return num_cards(state, seat) + promised[seat] - others / (n - 1)


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
                threat = threat_to(state, runner, scratch)
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
        return 1.0  # the circle has fish in sight
    sight = runners_sight(state, runner, scratch)
    if sight != UNSEEN:
        return 1.0 if sight == DIRECTLY else TURNS_OFF_WALL
    doors_to_fish(state, runner, NONE, doors)
    room = room_at(state, state.x[runner], state.y[runner])
    return 1.0 + (FAR if room == NONE else doors[room])


@jit
def threat_to(state: Any, runner: int, scratch: Any) -> float:
    """Return the chance that the Catcher's next turn catches a Runner."""
    n = state.num_players
    x, y = where_is(state, runner)
    threat = CAUGHT[catchers_sight(state, (x, y, runner), scratch)]
    next_seat = (state.player + (state.phase == SKATES)) % n
    if (runner - next_seat) % n < (state.catcher - next_seat) % n:
        threat *= CAN_FLEE
    return threat
