"""What each legal move of Azul does, as numbers that a network can weigh.

A move is a source, a color and a line, and what it does to the boards follows from all
three. A network that sees the position alone has to learn that for each of the 180
moves on its own; told what they do, it weighs them all with the same few weights.
Everything here is computed from the observation, which shows the whole position.
"""

from typing import Any

import numpy as np

from azul_env.forecast import floor_cost, points_of_line
from azul_env.observe import restore as restore
from azul_env.rules import count_tiles
from azul_env.state import (
    ACTIONS_PER_SOURCE,
    FLOOR,
    FLOOR_COST,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    PLACES,
    TILES_PER_COLOR,
    State,
)
from game_core.compiled.jit import jit
from game_core.game import Game
from game_core.layout import Layout

POINTS = 10.0  # that show as 1
TILES = 5.0
MAX_TILES = 5  # taken that show as a number of their own

MAX_COST = int(FLOOR_COST[-1])

OWN = 0  # the seat of the observer in a position read from an observation

FEATURES = Layout.of(
    ("tiles", (MAX_TILES,), "taken: 1 for as many, the last for five and more"),
    ("line", (PLACES,), "that they go to; the last is the floor"),
    ("color", (NUM_COLORS,), "of the tiles"),
    ("centre", (), "1 if they come from the centre"),
    ("marker", (), "1 if the marker comes with them"),
    ("fill", (), "of the line after the move, 0 to 1"),
    ("grown", (), "part of the line that the move fills"),
    ("missing", (), "tiles that the line then lacks / 5"),
    ("complete", (), "1 if the move completes the line"),
    ("begun", (), "1 if the line had tiles"),
    ("spilled", (), "tiles that go to the floor, the marker with them / 5"),
    ("cost", (), "of that in points / 10"),
    ("points", (), "that the line will score once complete / 10"),
    ("scored", (), "the same, if it is complete"),
    ("row", (), "tiles of the wall row after it is tiled / 5"),
    ("column", (), "tiles of the wall column after it is tiled / 5"),
    ("set", (), "tiles of the color on the wall after it is tiled / 5"),
    ("ends", (), "1 if the line is complete, and the row with it"),
    ("supply", (), "tiles of the color left elsewhere / 10"),
    ("exact", (), "sources left with just the tiles that the line lacks / 3"),
    ("enough", (), "sources left with at least those / 3"),
    ("moved", (), "tiles that go to the centre / 3"),
    ("centre_after", (NUM_COLORS,), "tiles of each color in the centre then / 5"),
    ("sources", (), "with tiles, after the move / 10"),
    ("tiles_left", (), "after the move / 20"),
    ("rival_gain", (), "most points a rival would score with these tiles / 10"),
    ("rival_fill", (), "most that they would fill of a rival's line, 0 to 1"),
    ("rival_cost", (), "least that they would cost the rivals in points / 10"),
    ("rival_waits", (), "1 if a rival's line of the color has begun"),
    (
        "centre_gain",
        (),
        "most points a rival would score with a color moved there / 10",
    ),
)
"""What is told of a move, in order."""

FEATURE = FEATURES.offsets()
"""Where each of that begins."""

RIVALS = FEATURE.rival_gain
"""Where begins what is the same for all lines that the same tiles can go to."""


def check(game: Game) -> None:
    """Raise ``ValueError`` unless the moves of a game can be described."""
    if game.options["wall"] != "colored":
        raise ValueError(
            f"wall={game.options['wall']!r} is not allowed for a network over moves; "
            "give 'colored', or take a network over positions"
        )


def legal_moves(game: Game, observations: np.ndarray, boards: np.ndarray) -> np.ndarray:
    """Return the legal moves (k, actions) int8 of positions; see ``MovesModule``."""
    return game.action_masks(boards)


@jit
def describe_all(boards: Any, moves: np.ndarray, features: np.ndarray) -> None:
    """Write what moves (m, 2) do into zeroed ``features``; see ``MovesModule``."""
    for k in range(len(moves)):
        state, action = boards[moves[k, 0]], moves[k, 1]
        source = action // ACTIONS_PER_SOURCE
        color = action % ACTIONS_PER_SOURCE // PLACES
        out = features[k]
        describe_tiles(state, source, color, action % PLACES, out)
        describe_line(state, source, color, action % PLACES, out)
        describe_offer(state, source, color, action % PLACES, out)
        same_row = k > 0 and moves[k - 1, 0] == moves[k, 0]
        if same_row and moves[k - 1, 1] // PLACES == action // PLACES:  # same tiles
            out[RIVALS:] = features[k - 1, RIVALS:]
        else:
            describe_rivals(state, source, color, out)


@jit
def describe_tiles(
    state: State, source: int, color: int, line: int, out: np.ndarray
) -> None:
    """Write what is taken and where it goes."""
    out[FEATURE.tiles + min(state.sources[source, color], MAX_TILES) - 1] = 1
    out[FEATURE.line + line] = 1
    out[FEATURE.color + color] = 1
    centre = source == state.num_displays
    out[FEATURE.centre] = centre
    out[FEATURE.marker] = centre and state.marker_owner == NONE


@jit
def describe_line(
    state: State, source: int, color: int, line: int, out: np.ndarray
) -> None:
    """Write what the move does to the own board."""
    tiles = state.sources[source, color]
    marker = source == state.num_displays and state.marker_owner == NONE
    count, room = 0, 0
    if line != FLOOR:
        count = state.line_count[OWN, line]
        room = line + 1 - count
    placed = min(tiles, room)
    spilled = tiles - placed + marker
    complete = line != FLOOR and placed == room
    if line != FLOOR:
        points = points_of_line(state, OWN, line, color)
        row, column, color_set = tiles_around(state, line, color)
        out[FEATURE.fill] = (count + placed) / (line + 1)
        out[FEATURE.grown] = placed / (line + 1)
        out[FEATURE.missing] = (room - placed) / TILES
        out[FEATURE.complete] = complete
        out[FEATURE.begun] = count > 0
        out[FEATURE.points] = points / POINTS
        out[FEATURE.scored] = points / POINTS * complete
        out[FEATURE.row] = (row + 1) / TILES
        out[FEATURE.column] = (column + 1) / TILES
        out[FEATURE.set] = (color_set + 1) / TILES
        out[FEATURE.ends] = complete and row == NUM_COLUMNS - 1
    out[FEATURE.spilled] = spilled / TILES
    out[FEATURE.cost] = floor_cost(state, OWN, spilled) / POINTS


@jit
def tiles_around(state: State, line: int, color: int) -> tuple[int, int, int]:
    """Count the own wall's tiles in the row, in the column and of the color."""
    row, column, color_set = 0, 0, 0
    to = (line + color) % NUM_COLUMNS
    for i in range(NUM_LINES):
        row += state.wall[OWN, line, i] != NONE
        column += state.wall[OWN, i, to] != NONE
        color_set += state.row_holds[OWN, i, color]
    return row, column, color_set


@jit
def describe_offer(
    state: State, source: int, color: int, line: int, out: np.ndarray
) -> None:
    """Write what the move leaves on the table."""
    centre = state.num_displays
    lacks = 0
    if line != FLOOR:
        room = line + 1 - state.line_count[OWN, line]
        lacks = max(0, room - state.sources[source, color])
    supply, exact, enough, sources, left = 0, 0, 0, 0, 0
    for other in range(centre + 1):
        tiles = count_tiles(state.sources[other])
        left += tiles
        if other == source:
            continue
        here = state.sources[other, color]
        supply += here
        exact += lacks > 0 and here == lacks
        enough += lacks > 0 and here >= lacks
        sources += other != centre and tiles > 0
    moved = 0
    for other in range(NUM_COLORS):
        after = state.sources[centre, other]
        if other == color and source == centre:
            after = 0
        elif source != centre and other != color:
            after += state.sources[source, other]
            moved += state.sources[source, other]
        out[FEATURE.centre_after + other] = after / TILES
        sources += after > 0
    out[FEATURE.supply] = supply / POINTS
    out[FEATURE.exact] = exact / 3
    out[FEATURE.enough] = enough / 3
    out[FEATURE.moved] = moved / 3
    out[FEATURE.sources] = sources / 10
    out[FEATURE.tiles_left] = (left - state.sources[source, color]) / TILES_PER_COLOR


@jit
def describe_rivals(state: State, source: int, color: int, out: np.ndarray) -> None:
    """Write what the tiles taken, and those moved, would be worth to the rivals."""
    tiles, cost = state.sources[source, color], MAX_COST
    for seat in range(1, state.num_players):
        gain, fill, spill = use_of(state, seat, color, tiles)
        out[FEATURE.rival_gain] = max(out[FEATURE.rival_gain], gain / POINTS)
        out[FEATURE.rival_fill] = max(out[FEATURE.rival_fill], fill)
        cost = min(cost, spill)
        for line in range(NUM_LINES):
            waits = state.line_color[seat, line] == color
            if waits and state.line_count[seat, line] <= line:
                out[FEATURE.rival_waits] = 1
        if source != state.num_displays:
            for other in range(NUM_COLORS):
                moved = state.sources[source, other]
                if other != color and moved > 0:
                    there = moved + state.sources[state.num_displays, other]
                    gain = use_of(state, seat, other, there)[0]
                    most = max(out[FEATURE.centre_gain], gain / POINTS)
                    out[FEATURE.centre_gain] = most
    out[FEATURE.rival_cost] = cost / POINTS


@jit
def use_of(state: State, seat: int, color: int, tiles: int) -> tuple[int, float, int]:
    """Return what tiles can do for a seat.

    Returns:
        The most points of a line that they complete; the most that they fill of a
        line; and the least points that they cost on the floor.
    """
    gain, fill = 0, 0.0
    spill = floor_cost(state, seat, tiles)
    for line in range(NUM_LINES):
        count = state.line_count[seat, line]
        same = state.line_color[seat, line] == color
        if state.row_holds[seat, line, color] or (count > 0 and not same):
            continue
        room = line + 1 - count
        if room == 0:
            continue
        fill = max(fill, min(tiles, room) / (line + 1))
        spill = min(spill, floor_cost(state, seat, max(0, tiles - room)))
        if tiles >= room:
            gain = max(gain, points_of_line(state, seat, line, color))
    return gain, fill, spill
