"""What a player of Azul sees, as numbers from 0 to 1, and how to read them.

One ``layout`` says where each of them stands: for who writes an observation, for who
reads it, and for the documentation. Bag and lid are public: their contents follow from
what everybody has seen.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from azul_env.state import (
    COLORED,
    FLOOR_SPACES,
    GREY,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NO_CAP,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    TILES_PER_COLOR,
    TILES_PER_DISPLAY,
    State,
    num_displays,
)
from game_core.compiled.jit import jit
from game_core.game import Game
from game_core.layout import Layout, offsets_by

__all__ = ["Seen", "decode", "layout", "observe", "restore", "size"]

FULL_SCORE = 200.0  # points that show as 1
LINE_ENTRIES = NUM_COLORS + 1


@functools.cache
def layout(num_players: int, wall_side: int) -> Layout:
    """Return the blocks of an observation in order.

    Players are counted from the observer: 0 is the observer, then clockwise. Colors
    are in the order blue, yellow, red, black, white.
    """
    n, d, colors = num_players, num_displays(num_players), NUM_COLORS
    walls = (n, NUM_LINES, NUM_COLUMNS)
    if wall_side == COLORED:
        wall = ("walls", walls, "by player, row, column: 1 if it has its tile")
    else:
        wall = (
            "walls",
            (*walls, colors),
            "by player, row, column, color: 1 if the space has that tile",
        )
    return Layout.of(
        wall,
        (
            "lines",
            (n, NUM_LINES, LINE_ENTRIES),
            "by player, line: 1 for its color; then how full it is",
        ),
        ("floors", (n,), "by player: spaces of the floor line filled / 7"),
        ("scores", (n,), "by player: points / 200, at most 1"),
        ("displays", (d, colors), "by display, color: tiles / 4"),
        ("centre", (colors,), "by color: tiles / 20"),
        ("bag", (colors,), "by color: tiles / 20"),
        ("lid", (colors,), "by color: tiles / 20"),
        ("marker", (n + 1,), "by player: 1 for who took it; last: in the centre"),
        ("starting", (n,), "by player: 1 for who started the round"),
        ("to_move", (n,), "by player: 1 for the one to move"),
        ("seat", (n,), "by seat of the table: 1 for the observer's own"),
        ("tiling", (NUM_LINES,), "by line: 1 if a wall column is to be chosen for it"),
        ("round", (), "rounds begun / max_rounds; 0 without a cap"),
    )


def size(num_players: int, wall_side: int) -> int:
    """Return the number of entries of an observation."""
    return layout(num_players, wall_side).size


AT = offsets_by(
    {
        (n, side): layout(n, side)
        for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)
        for side in (COLORED, GREY)
    }
)
"""Where the blocks begin, by number of players and side of the wall."""


@jit
def observe(state: State, seat: int, out: np.ndarray) -> None:
    """Write what ``seat`` sees into zeroed ``out`` (size,), as ``layout`` has it."""
    n, side = state.num_players, state.wall_side
    for k in range(n):
        other = (seat + k) % n
        write_wall(state, other, out, k)
        write_lines(state, other, out, k)
        floor, score = state.floor_count[other], state.score[other]
        out[AT.floors[n, side] + k] = floor / FLOOR_SPACES
        out[AT.scores[n, side] + k] = min(score / FULL_SCORE, 1.0)
    write_tiles(state, out)
    taken = state.marker_owner != NONE
    marker = (state.marker_owner - seat) % n if taken else n
    out[AT.marker[n, side] + marker] = 1
    out[AT.starting[n, side] + (state.starting_player - seat) % n] = 1
    out[AT.to_move[n, side] + (state.player - seat) % n] = 1
    out[AT.seat[n, side] + seat] = 1
    if state.tiling:
        out[AT.tiling[n, side] + state.tiling_line] = 1
    if state.max_rounds > 0:
        out[AT.round[n, side]] = state.round_number / state.max_rounds


@jit
def write_wall(state: State, seat: int, out: np.ndarray, player: int) -> None:
    """Write the wall of a seat, which is a player as the observer counts."""
    place = AT.walls[state.num_players, state.wall_side]
    if state.wall_side == GREY:
        place += player * NUM_LINES * NUM_COLUMNS * NUM_COLORS
    else:
        place += player * NUM_LINES * NUM_COLUMNS
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


@jit
def write_lines(state: State, seat: int, out: np.ndarray, player: int) -> None:
    """Write the pattern lines of a seat; ``player`` as of ``write_wall``."""
    place = AT.lines[state.num_players, state.wall_side]
    place += player * NUM_LINES * LINE_ENTRIES
    for line in range(NUM_LINES):
        if state.line_count[seat, line] > 0:
            out[place + int(state.line_color[seat, line])] = 1
            out[place + NUM_COLORS] = state.line_count[seat, line] / (line + 1)
        place += LINE_ENTRIES


@jit
def write_tiles(state: State, out: np.ndarray) -> None:
    """Write displays, centre, bag and lid."""
    n, side = state.num_players, state.wall_side
    place = AT.displays[n, side]
    for display in range(state.num_displays):
        for color in range(NUM_COLORS):
            out[place + color] = state.sources[display, color] / TILES_PER_DISPLAY
        place += NUM_COLORS
    for color in range(NUM_COLORS):
        centre = state.sources[state.num_displays, color]
        out[AT.centre[n, side] + color] = centre / TILES_PER_COLOR
        out[AT.bag[n, side] + color] = state.bag[color] / TILES_PER_COLOR
        out[AT.lid[n, side] + color] = state.lid[color] / TILES_PER_COLOR


@jit
def restore(seen: Any, state: State) -> None:
    """Fill a record with what an observation (size,) shows; the observer is seat 0.

    This is ``observe`` the other way round: everything but the random stream, what
    lies on the floor lines, points above 200 and, without a cap, the round. Options
    stand in the record.
    """
    n, side = state.num_players, state.wall_side
    for seat in range(n):
        read_wall(seen, state, seat)
        read_lines(seen, state, seat)
        state.floor_count[seat] = round(seen[AT.floors[n, side] + seat] * FLOOR_SPACES)
        state.score[seat] = round(seen[AT.scores[n, side] + seat] * FULL_SCORE)
        if seen[AT.starting[n, side] + seat] > 0:
            state.starting_player = seat
        if seen[AT.to_move[n, side] + seat] > 0:
            state.player = seat
    read_tiles(seen, state)
    state.marker_owner = NONE
    for seat in range(n):
        if seen[AT.marker[n, side] + seat] > 0:
            state.marker_owner = seat
    state.tiling = False
    for line in range(NUM_LINES):
        if seen[AT.tiling[n, side] + line] > 0:
            state.tiling, state.tiling_line = True, line
    state.round_number = round(seen[AT.round[n, side]] * state.max_rounds)


@jit
def read_wall(seen: Any, state: State, seat: int) -> None:
    """Fill the wall of a seat from an observation of it as seat 0 counts."""
    place = AT.walls[state.num_players, state.wall_side]
    state.row_holds[seat] = 0
    for row in range(NUM_LINES):
        for column in range(NUM_COLUMNS):
            space = (seat * NUM_LINES + row) * NUM_COLUMNS + column
            tile = NONE
            if state.wall_side == GREY:
                for color in range(NUM_COLORS):
                    if seen[place + space * NUM_COLORS + color] > 0:
                        tile = color
            elif seen[place + space] > 0:
                tile = (column - row) % NUM_COLORS
            state.wall[seat, row, column] = tile
            if tile != NONE:
                state.row_holds[seat, row, tile] = 1


@jit
def read_lines(seen: Any, state: State, seat: int) -> None:
    """Fill the pattern lines of a seat from an observation."""
    place = AT.lines[state.num_players, state.wall_side]
    place += seat * NUM_LINES * LINE_ENTRIES
    for line in range(NUM_LINES):
        state.line_count[seat, line] = round(seen[place + NUM_COLORS] * (line + 1))
        state.line_color[seat, line] = NONE
        for color in range(NUM_COLORS):
            if seen[place + color] > 0:
                state.line_color[seat, line] = color
        place += LINE_ENTRIES


@jit
def read_tiles(seen: Any, state: State) -> None:
    """Fill displays, centre, bag and lid from an observation."""
    n, side = state.num_players, state.wall_side
    place = AT.displays[n, side]
    for display in range(state.num_displays):
        for color in range(NUM_COLORS):
            tiles = round(seen[place + color] * TILES_PER_DISPLAY)
            state.sources[display, color] = tiles
        place += NUM_COLORS
    for color in range(NUM_COLORS):
        centre = round(seen[AT.centre[n, side] + color] * TILES_PER_COLOR)
        state.sources[state.num_displays, color] = centre
        state.bag[color] = round(seen[AT.bag[n, side] + color] * TILES_PER_COLOR)
        state.lid[color] = round(seen[AT.lid[n, side] + color] * TILES_PER_COLOR)


class Seen(NamedTuple):
    """What an observation shows; see ``decode``.

    Players are counted from the observer, who is 0, clockwise. Colors are numbers in
    the order blue, yellow, red, black, white; ``NONE``, which is -1, stands for no
    color, no player or no line.

    Attributes:
        wall: Colors on the walls (players, rows, columns), or ``NONE``.
        line_color: Colors of the pattern lines (players, lines), or ``NONE``.
        line_count: Tiles in them (players, lines).
        floor_count: Spaces of the floor lines filled (players,).
        score: Points (players,); 200 stands for as many or more.
        displays: Tiles on the factory displays (displays, colors).
        centre: Tiles in the centre (colors,).
        bag: Tiles in the bag (colors,).
        lid: Tiles in the lid (colors,).
        marker_owner: Who took the marker; ``NONE`` if it lies in the centre.
        starting_player: Who started the round.
        player: Who is to move.
        seat: The observer's seat of the table.
        tiling_line: The line for whose tile a wall column is to be chosen, or
            ``NONE``.
        round_number: From 1; None in a game without a cap on rounds.
    """

    wall: np.ndarray
    line_color: np.ndarray
    line_count: np.ndarray
    floor_count: np.ndarray
    score: np.ndarray
    displays: np.ndarray
    centre: np.ndarray
    bag: np.ndarray
    lid: np.ndarray
    marker_owner: int
    starting_player: int
    player: int
    seat: int
    tiling_line: int
    round_number: int | None


def decode(observation: np.ndarray, game: Game) -> Seen:
    """Return what an observation (size,) shows, in whole numbers.

    >>> from game_core import Position, load_game
    >>> position = Position.new(load_game("azul"), seed=0)
    >>> seen = decode(position.observation(seat=0), position.game)
    >>> seen.displays[0].tolist(), seen.score.tolist(), seen.round_number
    ([0, 1, 0, 3, 0], [0, 0], 1)

    Args:
        observation: ``view.observation`` of a bot, or
            ``env.observe(agent)["observation"]``.
        game: The game with its options, ``view.game`` of a bot.

    Raises:
        ValueError: If it is no observation of this game.
    """
    state, shown = game.read(observation, restore)
    players = slice(game.num_players)
    sources = state.sources[: state.num_displays + 1].astype(np.int64)
    return Seen(
        wall=state.wall[players].astype(np.int64),
        line_color=state.line_color[players].astype(np.int64),
        line_count=state.line_count[players].astype(np.int64),
        floor_count=state.floor_count[players].astype(np.int64),
        score=state.score[players].astype(np.int64),
        displays=sources[:-1],
        centre=sources[-1],
        bag=state.bag.astype(np.int64),
        lid=state.lid.astype(np.int64),
        marker_owner=int(state.marker_owner),
        starting_player=int(state.starting_player),
        player=int(state.player),
        seat=int(shown["seat"].argmax()),
        tiling_line=int(state.tiling_line) if state.tiling else NONE,
        round_number=None if state.max_rounds == NO_CAP else int(state.round_number),
    )
