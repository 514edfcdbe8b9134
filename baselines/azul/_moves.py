"""What each legal move of Azul does, as numbers that a network can weigh.

A move is a source, a color and a line, and what it does to the boards follows from all
three. A network that sees the position alone has to learn that for each of the 180
moves on its own; told what they do, it weighs them all with the same few weights.
Everything here is computed from the observation, which shows the whole position.
"""

from typing import Any

import numpy as np

from azul_env.forecast import floor_cost, points_of_line
from azul_env.observe import LINE_ENTRIES
from azul_env.rules import count_tiles, legal_actions
from azul_env.state import (
    ACTIONS_PER_SOURCE,
    FLOOR,
    FLOOR_COST,
    FLOOR_SPACES,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    PLACES,
    TILES_PER_COLOR,
    TILES_PER_DISPLAY,
)
from game_core.compiled.jit import jit
from game_core.game import Game

POINTS = 10.0  # that show as 1
TILES = 5.0

MAX_COST = int(FLOOR_COST[-1])

OWN = 0  # the seat of the observer in a position read from an observation

FEATURES = (
    ("tiles", 5, "taken: 1 for as many, the last for five and more"),
    ("line", PLACES, "that they go to; the last is the floor"),
    ("color", NUM_COLORS, "of the tiles"),
    ("centre", 1, "1 if they come from the centre"),
    ("marker", 1, "1 if the marker comes with them"),
    ("fill", 1, "of the line after the move, 0 to 1"),
    ("grown", 1, "part of the line that the move fills"),
    ("missing", 1, "tiles that the line then lacks / 5"),
    ("complete", 1, "1 if the move completes the line"),
    ("begun", 1, "1 if the line had tiles"),
    ("spilled", 1, "tiles that go to the floor, the marker with them / 5"),
    ("cost", 1, "of that in points / 10"),
    ("points", 1, "that the line will score once complete / 10"),
    ("scored", 1, "the same, if it is complete"),
    ("row", 1, "tiles of the wall row after it is tiled / 5"),
    ("column", 1, "tiles of the wall column after it is tiled / 5"),
    ("set", 1, "tiles of the color on the wall after it is tiled / 5"),
    ("ends", 1, "1 if the line is complete, and the row with it"),
    ("supply", 1, "tiles of the color left elsewhere / 10"),
    ("exact", 1, "sources left with just the tiles that the line lacks / 3"),
    ("enough", 1, "sources left with at least those / 3"),
    ("moved", 1, "tiles that go to the centre / 3"),
    ("centre_after", NUM_COLORS, "tiles of each color in the centre then / 5"),
    ("sources", 1, "with tiles, after the move / 10"),
    ("tiles_left", 1, "after the move / 20"),
    ("rival_gain", 1, "most points a rival would score with these tiles / 10"),
    ("rival_fill", 1, "most that they would fill of a rival's line, 0 to 1"),
    ("rival_cost", 1, "least that they would cost the rivals in points / 10"),
    ("rival_waits", 1, "1 if a rival's line of the color has begun"),
    ("centre_gain", 1, "most points a rival would score with a color moved there / 10"),
)
"""The features of a move in order: name, size, meaning."""

NUM_FEATURES = sum(size for _, size, _ in FEATURES)


def check(game: Game) -> None:
    """Raise ``ValueError`` unless the moves of a game can be described."""
    if game.options["wall"] != "colored":
        raise ValueError(
            f"wall={game.options['wall']!r} is not allowed for a network over moves; "
            "give 'colored', or take a network over positions"
        )


def describe_moves(
    observations: np.ndarray, game: Game, masks: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return moves of positions, and what they do.

    Args:
        observations: (k, size) float32 of the seats to move, on colored walls.
        game: The game.
        masks: The legal moves to describe (k, actions); None for all legal ones.

    Returns:
        Moves (m, 2) int64, the row of the position and the action, ordered by both;
        and their features (m, ``NUM_FEATURES``) float32.
    """
    boards = game.template.repeat(len(observations))
    legal = np.zeros((len(observations), game.num_actions), np.int8)
    read_positions(observations, boards, legal)
    moves = np.argwhere(legal if masks is None else masks)
    features = np.zeros((len(moves), NUM_FEATURES), np.float32)
    describe_all(boards, moves, features)
    return moves, features


@jit
def read_positions(observations: Any, boards: Any, masks: Any) -> None:
    """Fill records (k,) from observations (k, size), and zeroed masks (k, actions)."""
    for i in range(len(boards)):
        read_position(observations[i], boards[i])
        legal_actions(boards[i], masks[i])


@jit
def read_position(seen: Any, state: Any) -> None:
    """Fill what moves depend on into a record from an observation (size,)."""
    n, place = state.num_players, 0
    state.player = OWN
    for seat in range(n):
        read_wall(seen[place:], state, seat)
        place += NUM_LINES * NUM_COLUMNS
    for seat in range(n):
        for line in range(NUM_LINES):
            read_line(seen[place:], state, seat, line)
            place += LINE_ENTRIES
    for seat in range(n):
        state.floor_count[seat] = round(seen[place + seat] * FLOOR_SPACES)
    place += 2 * n  # floors and scores
    for source in range(state.num_displays + 1):
        whole = TILES_PER_DISPLAY if source < state.num_displays else TILES_PER_COLOR
        for color in range(NUM_COLORS):
            state.sources[source, color] = round(seen[place + color] * whole)
        place += NUM_COLORS
    place += 2 * NUM_COLORS  # bag and lid
    lies_in_centre = seen[place + n] > 0
    state.marker_owner = NONE if lies_in_centre else OWN  # if taken, no matter by whom


@jit
def read_wall(seen: Any, state: Any, seat: int) -> None:
    """Fill a wall from the entries of an observation that begin with it."""
    for row in range(NUM_LINES):
        for column in range(NUM_COLUMNS):
            color = (column - row) % NUM_COLORS
            holds = seen[row * NUM_COLUMNS + column] > 0
            state.wall[seat, row, column] = color if holds else NONE
            state.row_holds[seat, row, color] = holds


@jit
def read_line(seen: Any, state: Any, seat: int, line: int) -> None:
    """Fill a pattern line from the entries of an observation that begin with it."""
    state.line_count[seat, line] = round(seen[NUM_COLORS] * (line + 1))
    state.line_color[seat, line] = NONE
    for color in range(NUM_COLORS):
        if seen[color] > 0:
            state.line_color[seat, line] = color


@jit
def describe_all(boards: Any, moves: Any, features: Any) -> None:
    """Write what moves (m, 2) do into zeroed ``features`` (m, ``NUM_FEATURES``)."""
    for k in range(len(moves)):
        state, action = boards[moves[k, 0]], moves[k, 1]
        source = action // ACTIONS_PER_SOURCE
        color = action % ACTIONS_PER_SOURCE // PLACES
        out = features[k]
        place = describe_tiles(state, source, color, action % PLACES, out)
        place = describe_line(state, source, color, action % PLACES, out, place)
        place = describe_offer(state, source, color, action % PLACES, out, place)
        same_row = k > 0 and moves[k - 1, 0] == moves[k, 0]
        if same_row and moves[k - 1, 1] // PLACES == action // PLACES:  # same tiles
            out[place:] = features[k - 1, place:]
        else:
            describe_rivals(state, source, color, out, place)


@jit
def describe_tiles(state: Any, source: int, color: int, line: int, out: Any) -> int:
    """Write what is taken and where it goes; return the place behind it."""
    out[min(state.sources[source, color], 5) - 1] = 1
    out[5 + line] = 1
    place = 5 + PLACES
    out[place + color] = 1
    place += NUM_COLORS
    centre = source == state.num_displays
    out[place] = centre
    out[place + 1] = centre and state.marker_owner == NONE
    return place + 2


@jit
def describe_line(
    state: Any, source: int, color: int, line: int, out: Any, place: int
) -> int:
    """Write what the move does to the own board; return the place behind it."""
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
        out[place] = (count + placed) / (line + 1)
        out[place + 1] = placed / (line + 1)
        out[place + 2] = (room - placed) / TILES
        out[place + 3] = complete
        out[place + 4] = count > 0
        out[place + 7] = points / POINTS
        out[place + 8] = points / POINTS * complete
        out[place + 9] = (row + 1) / TILES
        out[place + 10] = (column + 1) / TILES
        out[place + 11] = (color_set + 1) / TILES
        out[place + 12] = complete and row == NUM_COLUMNS - 1
    out[place + 5] = spilled / TILES
    out[place + 6] = floor_cost(state, OWN, spilled) / POINTS
    return place + 13


@jit
def tiles_around(state: Any, line: int, color: int) -> tuple[int, int, int]:
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
    state: Any, source: int, color: int, line: int, out: Any, place: int
) -> int:
    """Write what the move leaves on the table; return the place behind it."""
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
        out[place + 4 + other] = after / TILES
        sources += after > 0
    out[place] = supply / POINTS
    out[place + 1] = exact / 3
    out[place + 2] = enough / 3
    out[place + 3] = moved / 3
    place += 4 + NUM_COLORS
    out[place] = sources / 10
    out[place + 1] = (left - state.sources[source, color]) / TILES_PER_COLOR
    return place + 2


@jit
def describe_rivals(state: Any, source: int, color: int, out: Any, place: int) -> None:
    """Write what the tiles taken, and those moved, would be worth to the rivals."""
    tiles, cost = state.sources[source, color], MAX_COST
    for seat in range(1, state.num_players):
        gain, fill, spill = use_of(state, seat, color, tiles)
        out[place] = max(out[place], gain / POINTS)
        out[place + 1] = max(out[place + 1], fill)
        cost = min(cost, spill)
        for line in range(NUM_LINES):
            waits = state.line_color[seat, line] == color
            if waits and state.line_count[seat, line] <= line:
                out[place + 3] = 1
        if source != state.num_displays:
            for other in range(NUM_COLORS):
                moved = state.sources[source, other]
                if other != color and moved > 0:
                    there = moved + state.sources[state.num_displays, other]
                    gain = use_of(state, seat, other, there)[0]
                    out[place + 4] = max(out[place + 4], gain / POINTS)
    out[place + 2] = cost / POINTS


@jit
def use_of(state: Any, seat: int, color: int, tiles: int) -> tuple[int, float, int]:
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
