"""What a player of Azul sees, as numbers from 0 to 1.

The same data, ``layout``, sizes the observation and documents it. Bag and lid are
public: their contents follow from what everybody has seen.
"""

from typing import Any

from azul_env.state import (
    COLORED,
    FLOOR_SPACES,
    GREY,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    TILES_PER_COLOR,
    TILES_PER_DISPLAY,
    num_displays,
)
from game_core.compiled.jit import jit

FULL_SCORE = 200.0  # points that show as 1
LINE_ENTRIES = NUM_COLORS + 1


def layout(num_players: int, wall_side: int) -> tuple[tuple[str, int, str], ...]:
    """Return the parts of an observation in order: name, size, meaning.

    Players are counted from the observer: 0 is the observer, then clockwise. Colors
    are in the order blue, yellow, red, black, white.
    """
    n, d = num_players, num_displays(num_players)
    spaces = NUM_LINES * NUM_COLUMNS
    if wall_side == COLORED:
        wall = ("walls", n * spaces, "by player, row, column: 1 if it has its tile")
    else:
        wall = (
            "walls",
            n * spaces * NUM_COLORS,
            "by player, row, column, color: 1 if the space has that tile",
        )
    return (
        wall,
        (
            "lines",
            n * NUM_LINES * LINE_ENTRIES,
            "by player, line: 1 for its color; then how full it is",
        ),
        ("floors", n, "by player: spaces of the floor line filled / 7"),
        ("scores", n, "by player: points / 200, at most 1"),
        ("displays", d * NUM_COLORS, "by display, color: tiles / 4"),
        ("centre", NUM_COLORS, "by color: tiles / 20"),
        ("bag", NUM_COLORS, "by color: tiles / 20"),
        ("lid", NUM_COLORS, "by color: tiles / 20"),
        ("marker", n + 1, "by player: 1 for who took it; last: in the centre"),
        ("starting", n, "by player: 1 for who started the round"),
        ("to_move", n, "by player: 1 for the one to move"),
        ("seat", n, "by seat of the table: 1 for the observer's own"),
        ("tiling", NUM_LINES, "by line: 1 if a wall column is to be chosen for it"),
        ("round", 1, "rounds begun / max_rounds; 0 without a cap"),
    )


def size(num_players: int, wall_side: int) -> int:
    """Return the number of entries of an observation."""
    return sum(width for _, width, _ in layout(num_players, wall_side))


@jit
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what ``seat`` sees into zeroed ``out`` (size,), as ``layout`` has it."""
    n = state.num_players
    place = 0
    for k in range(n):
        place = write_wall(state, (seat + k) % n, out, place)
    for k in range(n):
        place = write_lines(state, (seat + k) % n, out, place)
    for k in range(n):
        out[place + k] = state.floor_count[(seat + k) % n] / FLOOR_SPACES
        out[place + n + k] = min(state.score[(seat + k) % n] / FULL_SCORE, 1.0)
    place = write_tiles(state, out, place + 2 * n)
    if state.marker_owner == NONE:
        out[place + n] = 1
    else:
        out[place + (state.marker_owner - seat) % n] = 1
    place += n + 1
    out[place + (state.starting_player - seat) % n] = 1
    out[place + n + (state.player - seat) % n] = 1
    out[place + 2 * n + seat] = 1
    place += 3 * n
    if state.tiling:
        out[place + state.tiling_line] = 1
    if state.max_rounds > 0:
        out[place + NUM_LINES] = state.round_number / state.max_rounds


@jit
def write_wall(state: Any, seat: int, out: Any, place: int) -> int:
    """Write the wall of a seat at ``place`` and return the place behind it."""
    for row in range(NUM_LINES):
        for column in range(NUM_COLUMNS):
            color = int(state.wall[seat, row, column])
            if state.wall_side == GREY:
                if color != NONE:
                    out[place + color] = 1
                place += NUM_COLORS
            else:
                out[place] = color != NONE
                place += 1
    return place


@jit
def write_lines(state: Any, seat: int, out: Any, place: int) -> int:
    """Write the pattern lines of a seat and return the place behind them."""
    for line in range(NUM_LINES):
        if state.line_count[seat, line] > 0:
            out[place + int(state.line_color[seat, line])] = 1
            out[place + NUM_COLORS] = state.line_count[seat, line] / (line + 1)
        place += LINE_ENTRIES
    return place


@jit
def write_tiles(state: Any, out: Any, place: int) -> int:
    """Write displays, centre, bag and lid, and return the place behind them."""
    for display in range(state.num_displays):
        for color in range(NUM_COLORS):
            out[place + color] = state.sources[display, color] / TILES_PER_DISPLAY
        place += NUM_COLORS
    for color in range(NUM_COLORS):
        centre = state.sources[state.num_displays, color]
        out[place + color] = centre / TILES_PER_COLOR
        out[place + NUM_COLORS + color] = state.bag[color] / TILES_PER_COLOR
        out[place + 2 * NUM_COLORS + color] = state.lid[color] / TILES_PER_COLOR
    return place + 3 * NUM_COLORS
