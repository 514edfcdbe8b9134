"""Try hundreds of flicks on a copy and take the one that leads to the most cards."""

from typing import Any

import numpy as np

from baselines.icecool._actions import as_legal, nearest
from baselines.icecool._value import write_values
from baselines.icecool._weights import WEIGHTS
from baselines.icecool.aimer import as_actions, place, scored_shots, yes_or_no
from game_core.agents.agent import View
from game_core.position import Position
from icecool_env.state import (
    HEIGHT,
    NUM_COMPONENTS,
    PLACE,
    RED_LINE,
    SIDE,
    SKATES,
    STRENGTH,
    State,
    X,
    Y,
)

__all__ = ["SKATES_GAIN", "candidates", "flicks", "outcomes", "planner", "wants_skates"]

AIMED = 12
"""Shots of the aimer's that are tried, the best first."""

DIRECTIONS = 28
KINDS = (
    (-0.4, 0.0, 0.0),
    (0.3, 0.0, 0.0),
    (0.0, -0.8, 0.0),
    (0.0, 0.8, 0.0),
    (0.6, -0.5, 0.0),
    (0.6, 0.5, 0.0),
    (0.9, -0.9, 0.0),
    (0.9, 0.9, 0.0),
    (0.9, 0.0, 0.5),
)
"""Strength, side and height of the flicks of the fan, in each direction."""

OWN_LINE = 0.5  # the wish for the red line of the room that the penguin is in
ON_GRID = 150
"""How many flicks of a grid are tried beside those nearest to the others."""

SKATES_GAIN = 0.25
"""In cards: what another turn has to gain, as the cards for it are then spent."""


def planner(view: View) -> Any:
    """Try hundreds of flicks and take the one that leads to the most cards.

    It plays 264 flicks on copies: the best shots of the aimer's, and a fan of flicks
    straight, curved and jumping in all directions, half of them from the red line. A
    flick is foreseen exactly, but not what others do next. A position is worth the
    seat's cards less the others' average, whatever their values; and while the round
    goes on the ID cards, the fish that Runners may still take, the fewer the more turns
    they need, and the chance that the Catcher takes an ID card or ends the round, the
    greater the nearer it is. It takes another turn on skates if its best flick gains
    enough, and is placed like the aimer. On a grid it tries the numbers nearest to
    those flicks, and every so many of all.

    Between two players that both tried 84 flicks, promises by these numbers won 63 %
    of 81 pairs of games (95 % interval 57 to 70) against promises by guesses, where a
    Catcher without a shot was little danger. In 90 positions of three
    games 80 flicks around the best gained 0.01 cards, and twice the fan of 144 gained
    0.16 (+- 0.09); therefore the fan is wide, and nothing is refined.
    """
    state = view.state
    if state.phase == PLACE:
        return as_legal(view, place(view))
    if state.phase == SKATES:
        return as_legal(view, yes_or_no(wants_skates(view)))
    actions = candidates(view.position, view.seat, view.rng)
    return actions[outcomes(view.position, view.seat, actions).argmax()]


def wants_skates(view: View, numbers: np.ndarray = WEIGHTS) -> bool:
    """Tell whether the best flick of another turn gains enough, by some numbers."""
    no, yes = (as_legal(view, yes_or_no(wanted)) for wanted in (False, True))
    now = outcomes(view.position, view.seat, np.array([no]), numbers)[0]
    after = view.position.copy()
    after.step(yes)
    actions = candidates(after, view.seat, view.rng)
    return outcomes(after, view.seat, actions, numbers).max() - now > SKATES_GAIN


def candidates(position: Position, seat: int, rng: np.random.Generator) -> np.ndarray:
    """Return flicks to try: the aimer's best, and a fan (k, 6).

    Of a grid, return the numbers (k,) nearest to these, and every so many.
    """
    actions = flicks(position.state, seat, rng, DIRECTIONS)
    if not position.game.discrete:
        return actions
    legal = position.legal_actions()
    return np.union1d(nearest(position, actions), legal[:: 1 + len(legal) // ON_GRID])


def flicks(
    state: State, seat: int, rng: np.random.Generator, directions: int
) -> np.ndarray:
    """Return the aimer's best shots, and a fan in so many directions (k, 6)."""
    shots, scores = scored_shots(state, seat)
    best = np.argsort(-scores, kind="stable")[:AIMED]
    return np.concatenate([as_actions(shots[best]), fan(rng, directions)])


def fan(rng: np.random.Generator, directions: int) -> np.ndarray:
    """Return flicks of all kinds in all directions, half of them from the red line."""
    kinds = np.repeat(KINDS, directions, axis=0)
    place = np.arange(len(kinds)) + rng.random()
    angles = place * 2.0 * np.pi / directions
    actions = np.zeros((len(kinds), NUM_COMPONENTS), np.float32)
    actions[:, X], actions[:, Y] = np.cos(angles), np.sin(angles)
    actions[:, [STRENGTH, SIDE, HEIGHT]] = kinds
    actions[1::2, RED_LINE] = OWN_LINE
    return actions


def outcomes(
    position: Position, seat: int, actions: np.ndarray, numbers: np.ndarray = WEIGHTS
) -> np.ndarray:
    """Return what actions (k,) or (k, 6) lead to, in cards of a seat (k,).

    Args:
        position: In which they are played.
        seat: Whose cards.
        actions: The actions.
        numbers: Which say what a position promises.
    """
    copies = np.repeat(position.states, len(actions))
    position.game.loops.step_all(copies, actions)
    values = np.zeros((len(copies), position.game.num_players))
    write_values(copies, int(position.state.round_number), numbers, values)
    return values[:, seat]
