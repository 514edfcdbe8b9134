"""What the end of the round will bring to a player of Azul, were it to come now."""

from azul_env.rules import can_tile, is_full, points_of_runs, run
from azul_env.state import (
    COLORED,
    FLOOR_COST,
    FLOOR_SPACES,
    GREY,
    NONE,
    NUM_COLUMNS,
    State,
)
from game_core.compiled.jit import jit

__all__ = ["floor_cost", "points_of_line", "points_of_space"]


@jit
def floor_cost(state: State, seat: int, things: int) -> int:
    """AZ10: what ``things`` more on a seat's floor line will cost it."""
    filled = state.floor_count[seat]
    total = min(filled + things, FLOOR_SPACES)
    return int(FLOOR_COST[total] - FLOOR_COST[filled])


@jit
def points_of_line(state: State, seat: int, line: int, color: int) -> int:
    """AZ9: what a line will score once it is full of a color that it may take."""
    if state.wall_side == COLORED:
        return points_of_space(state, seat, line, (line + color) % NUM_COLUMNS)
    most = 0
    for column in range(NUM_COLUMNS):
        if can_tile(state, seat, line, column, color):
            most = max(most, points_of_space(state, seat, line, column))
    return most


@jit
def points_of_space(state: State, seat: int, row: int, column: int) -> int:
    """AZ9: what a tile will score there, after the complete lines above it."""
    across = (
        1 + run(state, seat, row, column, 0, 1) + run(state, seat, row, column, 0, -1)
    )
    down = 1 + run(state, seat, row, column, 1, 0)
    above = row - 1
    while above >= 0 and will_hold(state, seat, above, column):
        down += 1
        above -= 1
    return points_of_runs(across, down)


@jit
def will_hold(state: State, seat: int, row: int, column: int) -> bool:
    """AZ7: the space has a tile, or gets that of a complete line.

    On the grey side it is open where complete lines go, so they do not count.
    """
    if state.wall[seat, row, column] != NONE:
        return True
    if state.wall_side == GREY or not is_full(state, seat, row):
        return False
    return (row + state.line_color[seat, row]) % NUM_COLUMNS == column
