"""Discrete actions: a grid over the flicks, and over the Kitchen for the Catcher.

First come the numbers of the flicks: direction, then strength, side, height and red
line, the last one varying fastest; then those of the spots in the Kitchen, row by row
from the lower left; then "no skates" and "skates".
"""

import math
from typing import Any, NamedTuple

import numpy as np

from game_core.compiled.jit import jit
from icecool_env.rules import red_line_room
from icecool_env.spots import can_choose_room, doorway_of, red_spot
from icecool_env.state import (
    FLICK,
    HEIGHT,
    NONE,
    PLACE,
    RED_LINE,
    SIDE,
    STRENGTH,
    State,
    X,
    Y,
)

__all__ = [
    "NUM_ANSWERS",
    "NUM_SPOTS",
    "OTHER_ROOM",
    "OWN_ROOM",
    "RED_LINE_CHOICES",
    "SPOTS_ACROSS",
    "SPOTS_UP",
    "STAY",
    "Grid",
    "is_legal",
    "legal_actions",
    "num_flicks",
    "write_action",
]

STAY, OWN_ROOM, OTHER_ROOM = range(3)
RED_LINE_CHOICES = 3

SPOTS_ACROSS, SPOTS_UP = 5, 3
NUM_SPOTS = SPOTS_ACROSS * SPOTS_UP
NUM_ANSWERS = 2  # about skates: no, yes


class Grid(NamedTuple):
    """How finely flicks are divided.

    Attributes:
        directions: Around the compass, counterclockwise from east.
        strengths: In equal steps up to full strength.
        sides: In equal steps from the left to the right; a single one is the middle.
        heights: Flat, and in equal steps up to the steepest jump.
    """

    directions: int = 32
    strengths: int = 4
    sides: int = 3
    heights: int = 2

    @property
    def num_flicks(self) -> int:
        """Number of actions that are flicks."""
        flicks = self.directions * self.strengths * self.sides * self.heights
        return flicks * RED_LINE_CHOICES

    @property
    def num_actions(self) -> int:
        """Number of actions of all kinds."""
        return self.num_flicks + NUM_SPOTS + NUM_ANSWERS


@jit
def num_flicks(state: State) -> int:
    """Return the number of actions that are flicks."""
    grid = state.grid
    return grid[0] * grid[1] * grid[2] * grid[3] * RED_LINE_CHOICES


@jit
def write_action(state: State, number: int, out: np.ndarray) -> None:
    """Write the continuous action (6,) that a number stands for."""
    out[:] = 0.0
    flicks = num_flicks(state)
    if number < flicks:
        write_flick(state.grid, number, out)
    elif number < flicks + NUM_SPOTS:
        spot = number - flicks
        out[X] = level(spot % SPOTS_ACROSS, SPOTS_ACROSS)
        out[Y] = level(spot // SPOTS_ACROSS, SPOTS_UP)
    else:
        out[X] = number - flicks - NUM_SPOTS


@jit
def write_flick(grid: Any, number: int, out: np.ndarray) -> None:
    """Write the flick that a number stands for into zeroed ``out`` (6,)."""
    number, choice = number // RED_LINE_CHOICES, number % RED_LINE_CHOICES
    number, height = number // grid[3], number % grid[3]
    number, side = number // grid[2], number % grid[2]
    direction, strength = number // grid[1], number % grid[1]
    angle = 2.0 * math.pi * direction / grid[0]
    out[X], out[Y] = math.cos(angle), math.sin(angle)
    out[STRENGTH] = 2.0 * (strength + 1) / grid[1] - 1.0
    out[SIDE] = level(side, grid[2])
    if grid[3] > 1:
        out[HEIGHT] = height / (grid[3] - 1)
    out[RED_LINE] = choice / (RED_LINE_CHOICES - 1)


@jit
def level(index: int, count: int) -> float:
    """Return one of ``count`` equal steps from -1 to 1; a single one is 0."""
    return 2.0 * index / (count - 1) - 1.0 if count > 1 else 0.0


@jit
def is_red_line_choice(state: State, choice: int) -> bool:
    """R27, R32, R33: tell whether the player to move has this choice of a red line."""
    seat = state.player
    if choice == STAY:
        return red_line_room(state, seat, 0.0) == NONE
    door = doorway_of(state, seat)
    if choice == OTHER_ROOM and (
        door == NONE or not can_choose_room(state, seat, door)
    ):
        return False
    wish = choice / (RED_LINE_CHOICES - 1)
    room = red_line_room(state, seat, wish)
    return room != NONE and red_spot(state, seat, room)[0]


@jit
def has_red_line_choice(state: State) -> bool:
    """Tell whether the player to move has any of the choices above."""
    for choice in range(RED_LINE_CHOICES):
        if is_red_line_choice(state, choice):
            return True
    return False


@jit
def may_choose(state: State, choice: int) -> bool:
    """Tell whether a choice is legal; who must move but cannot, stays."""
    if choice == STAY and not has_red_line_choice(state):
        return True
    return is_red_line_choice(state, choice)


@jit
def is_legal(state: State, number: int) -> bool:
    """Tell whether a number is an action of the decision to be made."""
    if number < 0:
        return False
    flicks = num_flicks(state)
    if state.phase == FLICK:
        return number < flicks and may_choose(state, number % RED_LINE_CHOICES)
    spot = number - flicks
    if state.phase == PLACE:
        return 0 <= spot < NUM_SPOTS
    return NUM_SPOTS <= spot < NUM_SPOTS + NUM_ANSWERS


@jit
def legal_actions(state: State, mask: np.ndarray) -> None:
    """Write 1 for each legal action into zeroed ``mask`` (actions,) int8."""
    flicks = num_flicks(state)
    if state.phase == FLICK:
        for choice in range(RED_LINE_CHOICES):
            if may_choose(state, choice):
                mask[choice:flicks:RED_LINE_CHOICES] = 1
    elif state.phase == PLACE:
        mask[flicks : flicks + NUM_SPOTS] = 1
    else:
        mask[flicks + NUM_SPOTS :] = 1
