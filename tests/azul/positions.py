"""Positions of Azul set up by hand, and all that can be wrong with one.

Tiles are words such as "byyw", a letter for each tile. A wall is five such words, "."
for a free space; lines are five words, "" for an empty one; on the floor line "1" is
the marker.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from azul_env.state import (
    FLOOR_SPACES,
    MARKER,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    TILES_PER_COLOR,
    WALL,
)
from game_core import Position, load_game

PLAYER_COUNTS = (2, 3, 4)
SIDES = tuple(WALL)

LETTERS = "byrkw"
FREE = "."
MARKER_LETTER = "1"
PATTERN = ("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb")  # AZ8
NO_LINES = ("",) * NUM_LINES
FREE_WALL = (FREE * NUM_COLUMNS,) * NUM_LINES

LAST = ("b",)
"""Displays with the one tile that ends the round."""
LAST_TO_FLOOR = "display 1, blue, floor"


def set_up(
    *,
    player: int = 0,
    started: int = 0,
    marker_owner: int = NONE,
    round_number: int = 1,
    displays: Sequence[str] = (),
    centre: str = "",
    bag: str | None = None,
    lid: str = "",
    lines: Mapping[int, Sequence[str]] | None = None,
    walls: Mapping[int, Sequence[str]] | None = None,
    floors: Mapping[int, str] | None = None,
    scores: Sequence[int] = (),
    **options: Any,
) -> Position:
    """Return a position of the factory offer with these things on the table.

    Args:
        player: The seat to move.
        started: The seat that started the round.
        marker_owner: The seat that took the marker; by default it is in the centre.
        round_number: From 1.
        displays: Tiles of the first displays; the others are empty.
        centre: Tiles in the centre.
        bag: Tiles in the bag; all that are nowhere else if left out.
        lid: Tiles in the lid.
        lines: Seat -> pattern lines; those left out at the end are empty.
        walls: Seat -> rows of the wall; what is left out at the end is free.
        floors: Seat -> floor line.
        scores: By seat; 0 if left out.
        **options: Of the game.
    """
    position = Position.new(load_game("azul", **options), 0)
    state = position.states[0]
    state.player = player
    state.starting_player = started
    state.marker_owner = marker_owner
    state.round_number = round_number
    state.sources[:] = 0
    for display, letters in enumerate(displays):
        state.sources[display] = counted(letters)
    state.sources[state.num_displays] = counted(centre)
    state.lid[:] = counted(lid)
    state.score[: len(scores)] = scores
    for seat, words in (lines or {}).items():
        for line, letters in enumerate(words):
            state.line_count[seat, line] = len(letters)
            state.line_color[seat, line] = LETTERS.index(letters[0]) if letters else -1
    for seat, rows in (walls or {}).items():
        for row, letters in enumerate(rows):
            state.wall[seat, row] = [LETTERS.find(x) for x in letters.ljust(5, FREE)]
    state.row_holds[:] = held_in_rows(state.wall)
    for seat, things in (floors or {}).items():
        state.floor_count[seat] = len(things)
        state.floor[seat, : len(things)] = [as_thing(letter) for letter in things]
    if bag is None:
        state.bag[:] = 0
        state.bag[:] = TILES_PER_COLOR - tiles_of(state)
        assert min(state.bag) >= 0, "more than 20 tiles of a color"
    else:
        state.bag[:] = counted(bag)
    return Position(position.game, position.states)


def set_up_with_one_tile_left(**options: Any) -> Position:
    """Return a position of four players in which all other tiles are on their boards.

    Row r of seat s lacks color (r + s) mod 5, of which line r holds some: no row and no
    line is complete. The last tile, a red one, is on a display. Seat 3 has to take it;
    its line 5 is to hold red.
    """
    left = dict.fromkeys(LETTERS, 4) | {"r": 3}
    walls, lines = {}, {}
    for seat in range(4):
        lacking = [LETTERS[(row + seat) % NUM_COLORS] for row in range(NUM_LINES)]
        rows = zip(PATTERN, lacking, strict=True)
        walls[seat] = [row.replace(letter, FREE) for row, letter in rows]
        words = []
        for room, letter in enumerate(lacking):
            words.append(letter * min(room, left[letter]))
            left[letter] -= len(words[-1])
        lines[seat] = words
    assert not any(left.values())
    position = set_up(
        num_players=4,
        player=3,
        marker_owner=1,
        round_number=8,
        displays=("r",),
        walls=walls,
        lines=lines,
        floors={1: MARKER_LETTER},
        scores=(30, 41, 30, 20),
        **options,
    )
    assert not position.states[0].bag.any()
    return position


def legal(position: Position) -> set[str]:
    """Return the legal actions in words."""
    return {position.game.action_to_text(int(a)) for a in position.legal_actions()}


def play(position: Position, *words: str) -> Position:
    """Play actions given in words."""
    for word in words:
        position.step(position.game.text_to_action(word))
    return position


def counted(letters: str) -> list[int]:
    """Return how many tiles of each color a word has."""
    assert set(letters) <= set(LETTERS)
    return [letters.count(letter) for letter in LETTERS]


def as_thing(letter: str) -> int:
    """Return what lies on a space of the floor line."""
    return MARKER if letter == MARKER_LETTER else LETTERS.index(letter)


def as_letter(thing: int) -> str:
    """Return a tile, the marker or nothing as a letter."""
    return (LETTERS + MARKER_LETTER + FREE)[thing]


def tiles_in(counts: np.ndarray) -> str:
    """Return tiles counted by color as a word."""
    return "".join(letter * int(n) for letter, n in zip(LETTERS, counts, strict=True))


def displays_of(position: Position) -> list[str]:
    """Return the tiles of each display, and last those in the centre."""
    state = position.states[0]
    return [tiles_in(counts) for counts in state.sources[: state.num_displays + 1]]


def lines_of(position: Position, seat: int) -> list[str]:
    """Return the pattern lines of a seat."""
    state = position.states[0]
    rows = zip(state.line_color[seat], state.line_count[seat], strict=True)
    return [as_letter(color) * int(count) for color, count in rows]


def wall_of(position: Position, seat: int) -> list[str]:
    """Return the rows of the wall of a seat."""
    return ["".join(map(as_letter, row)) for row in position.states[0].wall[seat]]


def floor_of(position: Position, seat: int) -> str:
    """Return what lies on the floor line of a seat."""
    things = position.states[0].floor[seat, : position.states[0].floor_count[seat]]
    return "".join(map(as_letter, things))


def scores_of(position: Position) -> list[int]:
    """Return the points by seat."""
    return position.states[0].score[: position.game.num_players].tolist()


def held_in_rows(walls: np.ndarray) -> np.ndarray:
    """Return 1 where a row of a wall (..., rows, columns) holds a color, else 0."""
    return (walls[..., None] == np.arange(NUM_COLORS)).any(axis=-2).astype(np.int8)


def tiles_of(state: Any) -> np.ndarray:
    """Return how many tiles of each color there are in the whole game."""
    spots = np.concatenate([state.wall.ravel(), state.floor.ravel()])
    tiles = state.bag + state.lid + state.sources.sum(axis=0)
    for color in range(NUM_COLORS):
        tiles[color] += np.count_nonzero(spots == color)
        tiles[color] += state.line_count[state.line_color == color].sum()
    return tiles


def status(position: Position) -> list[str]:
    """Return everything that is wrong with a position, in words."""
    return [
        *_wrong_tiles(position.states[0]),
        *_wrong_lines(position.states[0]),
        *_wrong_walls(position.states[0]),
        *_wrong_floors(position.states[0]),
        *_wrong_round(position.states[0]),
        *_wrong_end(position.states[0]),
    ]


def _wrong_tiles(state: Any) -> list[str]:
    faults = []
    if (tiles_of(state) != TILES_PER_COLOR).any():
        faults.append(f"there are {tiles_of(state)} tiles")
    if min(state.bag.min(), state.lid.min(), state.sources.min()) < 0:
        faults.append("fewer than no tiles")
    if state.sources[: state.num_displays].sum(axis=1).max() > 4:
        faults.append("more than four tiles on a display")
    if state.sources[state.num_displays + 1 :].any():
        faults.append("a tile on a display that is not in the game")
    n = state.num_players
    boards = (state.line_count, state.floor_count, state.score, state.row_holds)
    empty = (state.line_color, state.wall, state.floor)
    if any(part[n:].any() for part in boards) or any(
        (part[n:] != NONE).any() for part in empty
    ):
        faults.append("something on the board of a player who is not in the game")
    return faults


def _wrong_lines(state: Any) -> list[str]:
    faults = []
    for seat, line in np.ndindex(int(state.num_players), NUM_LINES):
        color, count = state.line_color[seat, line], state.line_count[seat, line]
        name = f"line {line + 1} of seat {seat}"
        if not 0 <= count <= line + 1:
            faults.append(f"{name} has {count} tiles")
        if color not in range(NONE, NUM_COLORS):
            faults.append(f"{name} is of color {color}")
        if (color == NONE) != (count == 0):
            faults.append(f"{name} has a color without tiles, or the other way round")
        if color != NONE and color in state.wall[seat, line]:
            faults.append(f"the wall beside {name} holds its color")
    return faults


def _wrong_walls(state: Any) -> list[str]:
    faults = []
    if not np.isin(state.wall, range(NONE, NUM_COLORS)).all():
        faults.append("something on a wall that is no tile")
    if (state.row_holds != held_in_rows(state.wall)).any():
        faults.append("the colors held in rows are not those on the wall")
    for seat, line in np.ndindex(int(state.num_players), NUM_LINES):
        for where, spaces in (
            ("row", state.wall[seat, line]),
            ("column", state.wall[seat, :, line]),
        ):
            placed = [color for color in spaces if color != NONE]
            if len(set(placed)) < len(placed):
                faults.append(f"a color twice in {where} {line + 1} of seat {seat}")
        row = "".join(map(as_letter, state.wall[seat, line]))
        pairs = zip(row, PATTERN[line], strict=True)
        if state.wall_side == 0 and any(
            tile not in (space, FREE) for tile, space in pairs
        ):
            faults.append(f"a tile on the wrong space of row {line + 1} of seat {seat}")
    return faults


def _wrong_floors(state: Any) -> list[str]:
    faults = []
    n = int(state.num_players)
    for seat in range(n):
        count = int(state.floor_count[seat])
        if not 0 <= count <= FLOOR_SPACES:
            faults.append(f"{count} things on the floor line of seat {seat}")
            continue
        filled = np.isin(state.floor[seat], range(MARKER + 1))
        if filled.tolist() != [True] * count + [False] * (FLOOR_SPACES - count):
            faults.append(f"the floor line of seat {seat} is not filled from the left")
        has_marker = MARKER in state.floor[seat]
        if has_marker and state.marker_owner != seat:
            faults.append(f"the marker is on the floor of seat {seat}, who lacks it")
        if np.count_nonzero(state.floor[seat] == MARKER) > 1:
            faults.append(f"two markers on the floor line of seat {seat}")
        lacks_room = has_marker or count == FLOOR_SPACES or _has_paid(state, seat)
        if state.marker_owner == seat and not lacks_room:
            faults.append(f"the marker of seat {seat} is not on the floor line")
    if state.score.min() < 0:
        faults.append("fewer than no points")
    return faults


def _has_paid(state: Any, seat: int) -> bool:
    """Tell whether a seat has tiled its wall and paid for its floor this round."""
    if state.terminated or state.truncated:
        return True
    n = state.num_players
    clockwise = (seat - state.starting_player) % n
    return bool(state.tiling) and clockwise < (state.player - state.starting_player) % n


def _wrong_round(state: Any) -> list[str]:
    faults = []
    seats = range(state.num_players)
    if state.player not in seats or state.starting_player not in seats:
        faults.append("nobody's turn")
    if state.marker_owner not in (NONE, *seats):
        faults.append(f"seat {state.marker_owner} has the marker")
    if state.terminated or state.truncated:
        return faults
    offer_is_over = not state.sources.any()
    if bool(state.tiling) != offer_is_over:
        faults.append("tiling with tiles on offer, or the other way round")
    if state.tiling and state.wall_side == 0:
        faults.append("a choice of columns on the colored side")
    for seat, line in np.ndindex(int(state.num_players), NUM_LINES):
        complete = state.line_count[seat, line] == line + 1
        reached = seat == state.player and line == state.tiling_line
        passed = _has_paid(state, seat) or (
            state.tiling and seat == state.player and line < state.tiling_line
        )
        if complete and passed:
            faults.append(f"line {line + 1} of seat {seat} has been passed over")
        if state.tiling and reached and not complete:
            faults.append(f"a column for line {line + 1} of seat {seat}, not complete")
    return faults


def _wrong_end(state: Any) -> list[str]:
    faults = []
    over = bool(state.terminated or state.truncated)
    won = bool((state.wall != NONE).all(axis=2).any())
    ran_out = not (state.bag.any() or state.lid.any() or state.sources.any())
    if state.terminated and state.truncated:
        faults.append("played to the end and cut short")
    if state.terminated and not (won or ran_out):
        faults.append("over without a complete row")
    if won and not (state.terminated or state.tiling):
        faults.append("not over with a complete row")
    if state.truncated and state.round_number != state.max_rounds:
        faults.append("cut short before the cap")
    if state.round_number < 1 or 0 < state.max_rounds < state.round_number:
        faults.append("more rounds than the cap")
    if over and (state.sources.any() or state.floor_count.any()):
        faults.append("over with tiles on offer or on the floor")
    return faults
