"""Take the tiles that score most at the end of this round."""

from typing import Any

from azul_env.forecast import floor_cost, points_of_line, points_of_space
from azul_env.rules import can_choose, can_place, first_column_action
from azul_env.state import (
    ACTIONS_PER_SOURCE,
    FLOOR,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    PLACES,
    State,
)
from game_core.agents.agent import View
from game_core.compiled.jit import jit

__all__ = ["best_action", "choose", "greedy"]

WORST = -1000
"""Less than any take gains."""


def greedy(view: View) -> int:
    """Take the tiles that score most at the end of this round.

    The gain of a take is what its line will score if that completes it, less what the
    tiles that do not fit, and the marker, will cost on the floor line. On the colored
    side complete lines above count as tiled; on the grey one the best column counts.
    Of equal gains it prefers the line that it leaves with the fewest free spaces, then
    the longer line, then the lower action. A wall column is the one that scores most
    now, the first of equals.

    In 500 pairs of games it wins all against random (95 % interval from 99.1 %), on
    either side of the board:
    tabletop tournament azul --agents random greedy planner --games 1000 --seed 0
    """
    return int(best_action(view.state))


@jit
def choose(state: State, memory: Any) -> int:
    """Return the action: the same agent as a policy."""
    return best_action(state)


@jit
def best_action(state: State) -> int:
    """Return the greedy action of the player to move."""
    return best_column(state) if state.tiling else best_take(state)


@jit
def best_take(state: State) -> int:
    """Return the take of the greatest worth."""
    best = WORST, 0, 0, 0
    for color in range(NUM_COLORS):
        for line in range(PLACES):
            if can_place(state, state.player, line, color):
                worth = worth_of_line(state, color, line)
                if worth > best:
                    best = worth
    return -best[3]


@jit
def worth_of_line(state: State, color: int, line: int) -> tuple[int, int, int, int]:
    """Return the worth of the best take of a color to a line that may take it."""
    points = 0
    if line != FLOOR:
        points = points_of_line(state, state.player, line, color)
    best = WORST, 0, 0, 0
    for source in range(state.num_displays + 1):
        if state.sources[source, color] > 0:
            worth = worth_of_take(state, source, color, line, points)
            if worth > best:
                best = worth
    return best


@jit
def worth_of_take(
    state: State, source: int, color: int, line: int, points: int
) -> tuple[int, int, int, int]:
    """Return what orders takes: gain, fewer free spaces, longer line, lower action.

    Args:
        state: The record.
        source: The display or the centre.
        color: Of the tiles.
        line: Where they go.
        points: What the line scores once it is complete.
    """
    seat, tiles = state.player, state.sources[source, color]
    action = source * ACTIONS_PER_SOURCE + color * PLACES + line
    room = 0 if line == FLOOR else line + 1 - state.line_count[seat, line]
    dropped = max(0, tiles - room)
    if source == state.num_displays and state.marker_owner == NONE:
        dropped += 1
    gain = -floor_cost(state, seat, dropped)
    if line == FLOOR:
        return gain, -PLACES, 0, -action
    missing = max(0, room - tiles)
    return gain + (points if missing == 0 else 0), -missing, line, -action


@jit
def best_column(state: State) -> int:
    """Return the choice of the wall column that scores most."""
    best, most = 0, 0
    for column in range(NUM_COLUMNS):
        if can_choose(state, column):
            points = points_of_space(state, state.player, state.tiling_line, column)
            if points > most:
                best, most = column, points
    return first_column_action(state) + best
