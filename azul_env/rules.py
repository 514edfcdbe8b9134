"""The rules of Azul, numbered as in ``docs/rules/azul.md``.

Each function reads or changes one record (``state.STATE``). ``step`` requires a legal
action; whoever calls it has asked ``is_legal``.
"""

import numpy as np

from azul_env.state import (
    ACTIONS_PER_SOURCE,
    COLORED,
    FLOOR,
    FLOOR_COST,
    FLOOR_SPACES,
    MARGIN,
    MARKER,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    PLACES,
    RANDOM_START,
    TILES_PER_COLOR,
    TILES_PER_DISPLAY,
    State,
)
from game_core.compiled.jit import jit
from game_core.compiled.payoffs import margin, share_of_win
from game_core.compiled.rng import below

__all__ = [
    "COLOR_BONUS",
    "COLUMN_BONUS",
    "ROW_BONUS",
    "can_choose",
    "can_place",
    "can_tile",
    "complete_rows",
    "count_tiles",
    "first_column_action",
    "is_full",
    "is_legal",
    "legal_actions",
    "points_of_runs",
    "reset",
    "rewards",
    "run",
    "standing",
    "step",
]

ROW_BONUS = 2
COLUMN_BONUS = 7
COLOR_BONUS = 10
MARGIN_UNIT = 100.0  # points


@jit
def reset(state: State) -> None:
    """AZ1: empty boards, all tiles in the bag; the first round begins."""
    state.terminated = False
    state.truncated = False
    state.round_number = 0
    state.tiling = False
    state.tiling_line = 0
    state.bag[:] = TILES_PER_COLOR
    state.lid[:] = 0
    state.sources[:] = 0
    state.line_color[:] = NONE
    state.line_count[:] = 0
    state.wall[:] = NONE
    state.row_holds[:] = 0
    state.floor[:] = NONE
    state.floor_count[:] = 0
    state.score[:] = 0
    if state.first_seat == RANDOM_START:
        state.starting_player = below(state, state.num_players)
    else:
        state.starting_player = state.first_seat
    state.marker_owner = state.starting_player
    start_round(state)


@jit
def step(state: State, action: int) -> None:
    """Play a legal action, and all that follows without a decision."""
    if state.tiling:
        column = action - first_column_action(state)
        tile_wall(state, state.player, state.tiling_line, column)
        go_on_tiling(state, state.player, state.tiling_line + 1)
        return
    source = action // ACTIONS_PER_SOURCE
    color = action % ACTIONS_PER_SOURCE // PLACES
    take_tiles(state, source, color, action % PLACES)
    if offer_is_empty(state):  # AZ6
        go_on_tiling(state, state.starting_player, 0)
    else:
        state.player = (state.player + 1) % state.num_players


@jit
def is_legal(state: State, action: int) -> bool:
    """Tell whether the player to move may play ``action``, any whole number."""
    if state.terminated or state.truncated or action < 0:
        return False
    columns = first_column_action(state)
    if state.tiling:
        column = action - columns
        return 0 <= column < NUM_COLUMNS and can_choose(state, column)
    if action >= columns:
        return False
    source = action // ACTIONS_PER_SOURCE
    color = action % ACTIONS_PER_SOURCE // PLACES
    return state.sources[source, color] > 0 and can_place(
        state, state.player, action % PLACES, color
    )


@jit
def legal_actions(state: State, mask: np.ndarray) -> None:
    """Write 1 for each legal action into a zeroed mask (actions,)."""
    if state.tiling:
        columns = first_column_action(state)
        for column in range(NUM_COLUMNS):
            if can_choose(state, column):
                mask[columns + column] = 1
        return
    for color in range(NUM_COLORS):
        places = places_for(state, color)
        for source in range(state.num_displays + 1):
            if state.sources[source, color] > 0:
                first = source * ACTIONS_PER_SOURCE + color * PLACES
                for line in range(PLACES):
                    mask[first + line] = places >> line & 1


@jit
def places_for(state: State, color: int) -> int:
    """Return a number whose bit i tells whether line i may take a color."""
    places = 0
    for line in range(PLACES):
        places |= can_place(state, state.player, line, color) << line
    return places


@jit
def first_column_action(state: State) -> int:
    """Return the action of the first wall column, behind those of the offer."""
    return (state.num_displays + 1) * ACTIONS_PER_SOURCE


@jit
def start_round(state: State) -> None:
    """AZ1, AZ2, AZ11: the owner of the marker refills the displays and starts."""
    state.round_number += 1
    state.starting_player = state.marker_owner
    state.player = state.starting_player
    state.marker_owner = NONE
    fill_displays(state)


@jit
def fill_displays(state: State) -> None:
    """AZ1, AZ11: four tiles on each display, as far as they go."""
    for display in range(state.num_displays):
        for _ in range(TILES_PER_DISPLAY):
            color = draw_tile(state)
            if color == NONE:
                return
            state.sources[display, color] += 1


@jit
def draw_tile(state: State) -> int:
    """AZ11: draw from the bag, into which the lid goes when it is empty."""
    tiles = count_tiles(state.bag)
    if tiles == 0:
        for color in range(NUM_COLORS):
            tiles += state.lid[color]
            state.bag[color] = state.lid[color]
            state.lid[color] = 0
    if tiles == 0:
        return NONE
    rank = below(state, tiles)
    color = 0
    while rank >= state.bag[color]:
        rank -= state.bag[color]
        color += 1
    state.bag[color] -= 1
    return color


@jit
def count_tiles(counts: np.ndarray) -> int:
    """Add up tiles counted by color (5,)."""
    total = 0
    for color in range(NUM_COLORS):
        total += counts[color]
    return total


@jit
def offer_is_empty(state: State) -> bool:
    """AZ6: all displays and the centre are empty."""
    for source in range(state.num_displays + 1):
        if count_tiles(state.sources[source]) > 0:
            return False
    return True


@jit
def take_tiles(state: State, source: int, color: int, line: int) -> None:
    """AZ2: all tiles of one color from a display or the centre, to one line."""
    tiles = state.sources[source, color]
    state.sources[source, color] = 0
    centre = state.num_displays
    if source == centre:
        take_marker(state)
    else:
        for other in range(NUM_COLORS):
            state.sources[centre, other] += state.sources[source, other]
            state.sources[source, other] = 0
    place_tiles(state, state.player, line, color, tiles)


@jit
def take_marker(state: State) -> None:
    """AZ3: the first to take from the centre also takes the marker.

    Decided: a full floor line has no space for it, and then it costs nothing.
    """
    if state.marker_owner == NONE:
        state.marker_owner = state.player
        drop_on_floor(state, state.player, MARKER)


@jit
def can_place(state: State, seat: int, line: int, color: int) -> bool:
    """AZ4, AZ5: one color in a line, and none that its wall row holds already."""
    if line == FLOOR:
        return True
    count = state.line_count[seat, line]
    same_color = state.line_color[seat, line] == color
    fits = (count == 0) | (same_color & (count <= line))
    return fits & (state.row_holds[seat, line, color] == 0)


@jit
def is_full(state: State, seat: int, line: int) -> bool:
    """AZ4: line i, counted from 0, holds i + 1 tiles."""
    return state.line_count[seat, line] == line + 1


@jit
def place_tiles(state: State, seat: int, line: int, color: int, tiles: int) -> None:
    """AZ4, AZ5: as many as fit into the line, the others onto the floor line."""
    for _ in range(tiles):
        if line != FLOOR and not is_full(state, seat, line):
            state.line_color[seat, line] = color
            state.line_count[seat, line] += 1
        else:
            drop_on_floor(state, seat, color)


@jit
def drop_on_floor(state: State, seat: int, thing: int) -> None:
    """AZ3, AZ5: the leftmost free space; when it is full tiles go to the lid."""
    space = state.floor_count[seat]
    if space < FLOOR_SPACES:
        state.floor[seat, space] = thing
        state.floor_count[seat] += 1
    elif thing != MARKER:
        state.lid[thing] += 1


@jit
def go_on_tiling(state: State, seat: int, line: int) -> None:
    """AZ7: every player tiles the wall, line by line from ``line`` of ``seat``.

    Players follow clockwise from the one who started the round. On the grey side it
    stops where a player has to choose a column.
    """
    state.tiling = False
    while True:
        while line < NUM_LINES:
            if is_full(state, seat, line) and tile_or_ask(state, seat, line):
                return
            line += 1
        pay_for_floor(state, seat)
        seat = (seat + 1) % state.num_players
        line = 0
        if seat == state.starting_player:
            end_round(state)
            return


@jit
def tile_or_ask(state: State, seat: int, line: int) -> bool:
    """AZ8, AZ-V1: tile a complete line; True if its player has to choose a column.

    Decided: on the grey side a line without a legal space goes to the floor line.
    """
    color = state.line_color[seat, line]
    if state.wall_side == COLORED:
        tile_wall(state, seat, line, (line + color) % NUM_COLUMNS)
        return False
    for column in range(NUM_COLUMNS):
        if can_tile(state, seat, line, column, color):
            state.tiling = True
            state.player = seat
            state.tiling_line = line
            return True
    tiles = state.line_count[seat, line]
    empty_line(state, seat, line)
    for _ in range(tiles):
        drop_on_floor(state, seat, color)
    return False


@jit
def can_tile(state: State, seat: int, row: int, column: int, color: int) -> bool:
    """AZ-V1: a free space of the row, in a column without the color."""
    if state.wall[seat, row, column] != NONE:
        return False
    for other in range(NUM_LINES):
        if state.wall[seat, other, column] == color:
            return False
    return True


@jit
def can_choose(state: State, column: int) -> bool:
    """AZ-V1: the player to move may tile the line that is asked for there."""
    color = state.line_color[state.player, state.tiling_line]
    return can_tile(state, state.player, state.tiling_line, column, color)


@jit
def tile_wall(state: State, seat: int, line: int, column: int) -> None:
    """AZ7: one tile of a complete line to the wall, the others to the lid."""
    color = state.line_color[seat, line]
    state.wall[seat, line, column] = color
    state.row_holds[seat, line, color] = 1
    state.lid[color] += line
    empty_line(state, seat, line)
    state.score[seat] += score_of_tile(state, seat, line, column)


@jit
def empty_line(state: State, seat: int, line: int) -> None:
    """Take all tiles off a pattern line."""
    state.line_color[seat, line] = NONE
    state.line_count[seat, line] = 0


@jit
def score_of_tile(state: State, seat: int, row: int, column: int) -> int:
    """AZ9: the runs through the tile that are longer than 1; alone it is 1 point."""
    across = (
        1 + run(state, seat, row, column, 0, 1) + run(state, seat, row, column, 0, -1)
    )
    down = (
        1 + run(state, seat, row, column, 1, 0) + run(state, seat, row, column, -1, 0)
    )
    return points_of_runs(across, down)


@jit
def points_of_runs(across: int, down: int) -> int:
    """AZ9: a run of one tile counts only if both are."""
    if across == 1:
        return down
    if down == 1:
        return across
    return across + down


@jit
def run(state: State, seat: int, row: int, column: int, down: int, across: int) -> int:
    """AZ9: count the tiles next to a space without a gap, in one direction."""
    count = 0
    row += down
    column += across
    while (
        0 <= row < NUM_LINES
        and 0 <= column < NUM_COLUMNS
        and state.wall[seat, row, column] != NONE
    ):
        count += 1
        row += down
        column += across
    return count


@jit
def pay_for_floor(state: State, seat: int) -> None:
    """AZ10: the floor line costs points, never below 0, and its tiles go to the lid."""
    spaces = state.floor_count[seat]
    state.score[seat] = max(0, state.score[seat] - FLOOR_COST[spaces])
    for space in range(spaces):
        if state.floor[seat, space] != MARKER:
            state.lid[state.floor[seat, space]] += 1
        state.floor[seat, space] = NONE
    state.floor_count[seat] = 0


@jit
def end_round(state: State) -> None:
    """AZ6, AZ11, AZ12: the game ends with a complete row, or the next round begins.

    Decided: if nobody took the marker, the same player starts again; if there is no
    tile at all for another round, the game ends as in AZ12.
    """
    for seat in range(state.num_players):
        if complete_rows(state, seat) > 0:
            end_game(state)
            return
    if count_tiles(state.bag) + count_tiles(state.lid) == 0:
        end_game(state)
        return
    if state.round_number == state.max_rounds:
        state.truncated = True
        return
    if state.marker_owner == NONE:
        state.marker_owner = state.starting_player
    start_round(state)


@jit
def end_game(state: State) -> None:
    """AZ12: bonuses for complete rows, columns and colors."""
    for seat in range(state.num_players):
        state.score[seat] += (
            ROW_BONUS * complete_rows(state, seat)
            + COLUMN_BONUS * complete_columns(state, seat)
            + COLOR_BONUS * complete_colors(state, seat)
        )
    state.terminated = True


@jit
def complete_rows(state: State, seat: int) -> int:
    """AZ12: count the horizontal rows of five."""
    complete = 0
    for row in range(NUM_LINES):
        tiles = 0
        for column in range(NUM_COLUMNS):
            tiles += state.wall[seat, row, column] != NONE
        complete += tiles == NUM_COLUMNS
    return complete


@jit
def complete_columns(state: State, seat: int) -> int:
    """AZ12: count the vertical columns of five."""
    complete = 0
    for column in range(NUM_COLUMNS):
        tiles = 0
        for row in range(NUM_LINES):
            tiles += state.wall[seat, row, column] != NONE
        complete += tiles == NUM_LINES
    return complete


@jit
def complete_colors(state: State, seat: int) -> int:
    """AZ12: count the colors of which all five tiles are on the wall."""
    complete = 0
    for color in range(NUM_COLORS):
        tiles = 0
        for row in range(NUM_LINES):
            tiles += state.row_holds[seat, row, color]
        complete += tiles == NUM_LINES
    return complete


@jit
def standing(state: State, seat: int) -> int:
    """AZ13: a number that orders players by points, then by complete rows."""
    return state.score[seat] * (NUM_LINES + 1) + complete_rows(state, seat)


@jit
def rewards(state: State, out: np.ndarray) -> None:
    """AZ13: write what a finished game pays each seat (players,); it sums to zero.

    "win": winners share. "margin": own points less the mean of the others', in
    hundreds. A truncated game pays nothing.
    """
    if not state.terminated:
        return
    n = state.num_players
    best, winners, points = -1, 0, 0
    for seat in range(n):
        points += state.score[seat]
        place = standing(state, seat)
        if place > best:
            best, winners = place, 0
        winners += place == best
    for seat in range(n):
        if state.reward == MARGIN:
            out[seat] = margin(state.score[seat], points, n) / MARGIN_UNIT
        else:
            out[seat] = share_of_win(standing(state, seat) == best, winners, n)
