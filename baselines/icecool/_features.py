"""What a place in the school is good for: fish in reach, and the Catcher's reach."""

from typing import Any

import numpy as np

from baselines.icecool._shots import (
    ASIDE,
    CHOICES,
    PENGUINS,
    bounced_shots,
    direct_shots,
    place_at_door,
    start_of,
)
from game_core.compiled.jit import jit
from icecool_env.geometry import door_view
from icecool_env.spots import middle_of
from icecool_env.state import (
    CLEAR_OF_WALL,
    FISH_DOORS,
    MAX_ROOMS,
    NONE,
    State,
)

FAR = MAX_ROOMS + 1
"""More doors than lead from any room to any other."""

UNSEEN, BY_BOUNCE, DIRECTLY = range(3)


@jit
def lacks_fish_of(state: State, runner: int, door: int) -> bool:
    """Tell whether a Runner still gains by passing a door."""
    fish = state.door_fish[door]
    return fish != NONE and not state.fish_taken[runner, fish]


@jit
def fish_lacking(state: State, runner: int) -> int:
    """Return how many fish a Runner has still to take."""
    taken = 0
    for fish in range(FISH_DOORS):
        taken += state.fish_taken[runner, fish]
    return FISH_DOORS - taken


@jit
def doors_to_fish(state: State, runner: int, taken: int, doors: np.ndarray) -> None:
    """Write how many doors a Runner has to pass from each room to take a fish.

    Args:
        state: The record.
        runner: Whose fish.
        taken: A door whose fish counts as taken, or NONE.
        doors: (``MAX_ROOMS``,) numbers.
    """
    doors[:] = FAR
    for door in range(state.num_doors):
        if door != taken and lacks_fish_of(state, runner, door):
            for side in range(2):
                doors[state.door_room[door, side]] = 1
    spread(state, doors)


@jit
def doors_to_room(state: State, room: int, doors: np.ndarray) -> None:
    """Write how many doors have to be passed from each room to a room."""
    doors[:] = FAR
    doors[room] = 0
    spread(state, doors)


@jit
def spread(state: State, doors: np.ndarray) -> None:
    """Complete numbers of doors: through a door it is one more than behind it."""
    for _ in range(state.num_rooms):
        for door in range(state.num_doors):
            one, other = state.door_room[door, 0], state.door_room[door, 1]
            doors[one] = min(doors[one], doors[other] + 1)
            doors[other] = min(doors[other], doors[one] + 1)


@jit
def sight_of_penguin(
    state: State, seat: int, start: Any, target: Any, scratch: np.ndarray
) -> int:
    """Return how a seat can hit another one from a start, as far as geometry tells.

    Args:
        state: The record.
        seat: Who shoots.
        start: x, y and a wish for the red line.
        target: x, y and the seat of the other penguin, where it may be or go.
        scratch: (1, ``SHOT``) numbers, overwritten.
    """
    x, y, other = target
    goal = (x, y, PENGUINS + other)
    if direct_shots(state, seat, start, goal, scratch, 0) > 0:
        return DIRECTLY
    if bounced_shots(state, seat, start, goal, scratch, 0) > 0:
        return BY_BOUNCE
    return UNSEEN


@jit
def sight_of_fish(
    state: State, runner: int, start: Any, taken: int, scratch: np.ndarray
) -> int:
    """Return how a Runner can take a fish from a start, as far as geometry tells.

    Args:
        state: The record.
        runner: Who shoots.
        start: x, y and a wish for the red line.
        taken: A door whose fish counts as taken, or NONE.
        scratch: (1, ``SHOT``) numbers, overwritten.
    """
    best = UNSEEN
    for door in range(state.num_doors):
        across, _ = door_view(state, door, start[0], start[1])
        clear = abs(across) >= CLEAR_OF_WALL
        if clear and door != taken and lacks_fish_of(state, runner, door):
            for i in range(len(ASIDE)):
                x, y = place_at_door(state, door, 0.0, ASIDE[i])
                goal = (x, y, door)
                if direct_shots(state, runner, start, goal, scratch, 0) > 0:
                    return DIRECTLY
                if best == UNSEEN:
                    best = bounced_shots(state, runner, start, goal, scratch, 0)
    return best


@jit
def catchers_sight(state: State, target: Any, scratch: np.ndarray) -> int:
    """Return how the Catcher can hit a Runner in its next turn; arguments as above."""
    best = UNSEEN
    for choice in range(len(CHOICES)):
        found, x, y = start_of(state, state.catcher, CHOICES[choice])
        if found:
            start = (x, y, CHOICES[choice])
            sight = sight_of_penguin(state, state.catcher, start, target, scratch)
            best = max(best, sight)
    return best


@jit
def runners_sight(state: State, runner: int, scratch: np.ndarray) -> int:
    """Return how a Runner can take a fish in its next turn."""
    best = UNSEEN
    for choice in range(len(CHOICES)):
        found, x, y = start_of(state, runner, CHOICES[choice])
        if found:
            start = (x, y, CHOICES[choice])
            best = max(best, sight_of_fish(state, runner, start, NONE, scratch))
    return best


@jit
def where_is(state: State, seat: int) -> tuple[float, float]:
    """Return where a penguin stands, or will start if it is off the board."""
    if state.on_board[seat]:
        return state.x[seat], state.y[seat]
    return middle_of(state, state.classroom)
