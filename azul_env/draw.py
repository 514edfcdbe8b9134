"""The position of Azul as a picture: displays, centre, and the players' boards.

What a player can click has an ``id``, counted from 0: ``source-3-color-2`` are the
tiles of a color in a display, or in the centre, which is the last source;
``line-1-4`` is a pattern line of a seat, ``floor-1`` its floor line, and
``wall-1-4-0`` a space on its wall (row, column).
"""

import functools

from azul_env.rules import complete_rows
from azul_env.state import (
    ACTIONS_PER_SOURCE,
    COLORED,
    FLOOR_PENALTIES,
    FLOOR_SPACES,
    MARKER,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    PLACES,
    num_offer_actions,
)
from azul_env.text import headline, winners
from game_core.render import svg
from game_core.render.svg import FAINT, GOLD, INK, LINE, PANEL, SEAT_COLORS
from game_core.scene import Scene
from game_core.validation.text import counted

__all__ = ["FREE_COLORS", "MARK_COLORS", "TILE_COLORS", "WORKSHOP", "draw_svg"]

WIDTH, EDGE = 600, 12
BAR_HEIGHT = 38
CENTRE_HEIGHT = 42
BOARD_WIDTH, BOARD_HEIGHT, GAP = 284, 204, 8
SPACE, TILE = 25, 23  # pitch of the spaces on a board, and the side of a tile there

Colors = tuple[str, ...]

TILE_COLORS = ("#2d6cb5", "#f0b429", "#c23b2a", "#2b2d36", "#fbfaf5")
EDGE_COLORS = (INK, INK, INK, "#8b93a0", "#9aa7a7")
MARK_COLORS = ("#ffffff", "#6b4300", "#ffffff", "#c9ced6", "#2a8c8c")
"""Each color of tiles has its own mark: ring, diamond, cross, triangle, square."""

FREE_COLORS = ("#dfe8f1", "#fbefd2", "#f4ded9", "#dedee0", "#fdfcf8")
FREE_MARKS = ("#98b6d6", "#e0bd6d", "#dc9d95", "#9b9da2", "#a3cccb")
"""Where no tile is yet."""

WORKSHOP = "#e9e1cf"
DOT = " \N{MIDDLE DOT} "


def draw_svg(scene: Scene) -> str:
    """Return a position as SVG; see this module for the ids in it."""
    state = scene.now
    radius = min(43.0, (WIDTH - 2 * EDGE) / state.num_displays / 2 - 2)
    centre = EDGE + BAR_HEIGHT + 2 * radius + 2 * GAP
    boards = centre + CENTRE_HEIGHT + GAP
    rows = (state.num_players + 1) // 2
    return svg.picture(
        WIDTH,
        boards + rows * (BOARD_HEIGHT + GAP) + EDGE - GAP,
        f"Azul. {headline(scene.states[0])}",
        _bar(scene),
        *_displays(scene, radius),
        _centre(scene, centre),
        *(
            _board(
                scene,
                seat,
                EDGE + seat % 2 * (BOARD_WIDTH + GAP),
                boards + seat // 2 * (BOARD_HEIGHT + GAP),
            )
            for seat in range(state.num_players)
        ),
    )


@functools.lru_cache(maxsize=4096)
def tile(color: int, x: float, y: float, side: float, lit: bool = False) -> str:
    """Return a tile with the mark of its color; its upper left corner is at a place."""
    return (
        (_halo(x, y, side) if lit else "")
        + svg.tile(x, y, side, TILE_COLORS[color], EDGE_COLORS[color])
        + _tile_mark(
            color, x + side / 2, y + side / 2, side * 0.27, TILE_COLORS, MARK_COLORS
        )
    )


def _halo(x: float, y: float, side: float) -> str:
    """Return what shines around a tile that the last action moved."""
    out = side * 0.13
    return svg.rect(x - out, y - out, side + 2 * out, side + 2 * out, rx=6, fill=GOLD)


def _tile_mark(
    color: int, x: float, y: float, r: float, grounds: Colors, marks: Colors
) -> str:
    """Return the mark of a color on its ground."""
    fill = marks[color]
    if color == 0:
        hole = svg.circle(x, y, r * 0.52, fill=grounds[color])
        return svg.circle(x, y, r * 1.02, fill=fill) + hole
    if color == 2:
        arm = 0.36 * r
        d = [(-arm, -r), (arm, -r), (arm, -arm), (r, -arm), (r, arm), (arm, arm)]
        d += [(arm, r), (-arm, r), (-arm, arm), (-r, arm), (-r, -arm), (-arm, -arm)]
    else:
        q = 0.8 * r
        d = {
            1: [(0, -1.2 * r), (1.2 * r, 0), (0, 1.2 * r), (-1.2 * r, 0)],
            3: [(0, -r), (1.05 * r, 0.85 * r), (-1.05 * r, 0.85 * r)],
            4: [(-q, -q), (q, -q), (q, q), (-q, q)],
        }[color]
    return svg.path(
        svg.polyline([(x + a, y + b) for a, b in d], closed=True), fill=fill
    )


def _marker(x: float, y: float, side: float, lit: bool = False) -> str:
    """Return the starting-player marker."""
    look = {"fill": PANEL, "stroke": INK, "stroke_width": 1.5}
    label = {"anchor": "middle", "font_weight": 700}
    halo = _halo(x, y, side) if lit else ""
    return (
        halo
        + svg.rect(x, y, side, side, rx=side * 0.17, **look)
        + svg.text(x + side / 2, y + side * 0.77, 1, side * 0.74, **label)
    )


def _bar(scene: Scene) -> str:
    """Return who has to decide what, or who has won; the round and the tiles left."""
    state = scene.now
    seats = [state.player]
    if state.truncated:
        words = "cut short: nobody wins"
    elif state.terminated:
        seats = winners(scene.states[0])
        words = "wins" if len(seats) == 1 else "win together"
    elif state.tiling:
        words = f"chooses a column in row {state.tiling_line + 1}"
    else:
        words = "takes tiles"
    about = DOT.join(
        (
            f"round {state.round_number}",
            f"bag {sum(state.bag)}",
            f"lid {sum(state.lid)}",
        )
    )
    width = WIDTH - 2 * EDGE
    edge = {"stroke": SEAT_COLORS[seats[0]], "stroke_width": 2.5}
    return (
        svg.panel(EDGE, EDGE, width, BAR_HEIGHT - 4, **edge)
        + svg.who(scene, seats, words, EDGE + 8, EDGE + BAR_HEIGHT / 2 - 2, 330)
        + svg.text(WIDTH - EDGE - 10, EDGE + 22, about, 14, anchor="end", fill=FAINT)
    )


def _taken(scene: Scene) -> tuple[int, int] | None:
    """Return source and color of the last action, if its round still goes on."""
    state, before = scene.now, scene.then
    if before is None or scene.action >= num_offer_actions(state.num_players):
        return None
    if before.round_number != state.round_number:
        return None
    return (
        scene.action // ACTIONS_PER_SOURCE,
        scene.action % ACTIONS_PER_SOURCE // PLACES,
    )


def _displays(scene: Scene, radius: float) -> list[str]:
    """Return the factory displays; in faint what the last action took from one."""
    state, taken = scene.now, _taken(scene)
    pitch = (WIDTH - 2 * EDGE) / state.num_displays
    parts: list[str] = []
    for source in range(state.num_displays):
        x, y = EDGE + (source + 0.5) * pitch, EDGE + BAR_HEIGHT + GAP + radius
        mine = taken is not None and taken[0] == source
        edge = {"stroke": GOLD, "stroke_width": 3.0} if mine else {"stroke": LINE}
        parts.append(svg.circle(x, y + 2, radius, fill=INK, opacity=0.1))
        parts.append(svg.circle(x, y, radius, fill=PANEL, **edge))
        if taken and mine:
            left = scene.then.sources[source]
            gone = _on_display(left, x, y, radius, None, taken[1])
            parts.append(svg.group(gone, opacity=0.3))
        parts.append(_on_display(state.sources[source], x, y, radius, source, NONE))
    return parts


def _on_display(
    counts: list[int], x: float, y: float, radius: float, source: int | None, lit: int
) -> str:
    """Return the tiles of a display, those of a color together and clickable.

    Args:
        counts: Of the tiles, by color.
        x: Of the middle of the display.
        y: Of the middle of the display.
        radius: Of the display.
        source: Its number; None for tiles that are there no more.
        lit: A color to show in a golden light, or NONE.
    """
    side = radius * 0.6
    step = side * 1.1
    spots = [(-step, -step), (0.1 * side, -step), (-step, 0.1 * side)]
    spots.append((0.1 * side, 0.1 * side))
    parts: list[str] = []
    for color, count in enumerate(counts):
        places = [spots.pop(0) for _ in range(count)]
        tiles = [tile(color, x + dx, y + dy, side, color == lit) for dx, dy in places]
        if tiles and source is not None:
            parts.append(_source(source, color, *tiles))
        else:
            parts += tiles
    return "".join(parts)


def _source(source: int, color: int, *tiles: str) -> str:
    return svg.group(*tiles, id=f"source-{source}-color-{color}", class_="source")


def _centre(scene: Scene, y: float) -> str:
    """Return the centre of the table: a pile for each color, and the marker."""
    state, taken = scene.now, _taken(scene)
    source = state.num_displays
    mine = taken is not None and taken[0] == source
    edge = {"stroke": GOLD, "stroke_width": 3.0} if mine else {}
    parts = [svg.panel(EDGE, y, WIDTH - 2 * EDGE, CENTRE_HEIGHT, fill=WORKSHOP, **edge)]
    middle = y + CENTRE_HEIGHT / 2
    marker = {} if state.marker_owner == NONE else {"opacity": 0.15}
    parts.append(svg.group(_marker(EDGE + 10, middle - 13, 26), **marker))
    for color, count in enumerate(state.sources[source]):
        x = EDGE + 56 + color * 104
        if not count:
            look = {"fill": "none", "stroke": "#cdc3ab", "stroke_dasharray": "4 3"}
            parts.append(svg.rect(x, middle - 13, 26, 26, rx=5, **look))
            continue
        shown = min(count, 6)
        tiles = [tile(color, x + 6 * i, middle - 13, 26) for i in range(shown)]
        words = svg.text(
            x + 32 + 6 * (shown - 1), middle + 6, count, 17, font_weight=700
        )
        parts.append(_source(source, color, *tiles, words))
    return "".join(parts)


def _board(scene: Scene, seat: int, x: float, y: float) -> str:
    """Return a player's board."""
    state = scene.now
    lit = seat == state.player and not state.truncated
    if state.terminated:
        lit = seat in winners(scene.states[0])
    edge = {"stroke": SEAT_COLORS[seat], "stroke_width": 2.5} if lit else {}
    points = counted(state.score[seat], "point")
    room = min(170, BOARD_WIDTH - 26 - svg.width_of(points, 19))
    parts = [
        svg.panel(x, y, BOARD_WIDTH, BOARD_HEIGHT, **edge),
        svg.player_head(scene, seat, x + 8, y + 17, room),
        svg.text(
            x + BOARD_WIDTH - 10, y + 24, points, 19, anchor="end", font_weight=700
        ),
    ]
    if state.terminated:
        rows = counted(complete_rows(scene.states[0], seat), "row")
        parts.append(
            svg.text(x + BOARD_WIDTH - 10, y + 193, rows, 15, anchor="end", fill=FAINT)
        )
    for row in range(NUM_LINES):
        parts.append(_line(scene, seat, row, x + 8, y + 34 + row * SPACE))
        parts.append(_wall_row(scene, seat, row, x + 151, y + 34 + row * SPACE))
    parts.append(_floor(scene, seat, x + 8, y + 34 + NUM_LINES * SPACE + 9))
    return svg.group(*parts, id=f"board-{seat}")


def _slot(x: float, y: float, fill: str = "#efe9dc") -> str:
    """Return an empty space for a tile."""
    return svg.tile(x, y, TILE, fill, LINE)


def _line(scene: Scene, seat: int, row: int, x: float, y: float) -> str:
    """Return a pattern line, which fills from the right."""
    state, before = scene.now, scene.then or scene.now
    color, count = state.line_color[seat][row], state.line_count[seat][row]
    already = before.line_count[seat][row]
    parts: list[str] = []
    for place in range(row + 1):
        left = x + (NUM_LINES - 1 - place) * SPACE
        if place >= count:
            parts.append(_slot(left, y))
        else:
            parts.append(tile(color, left, y, TILE, lit=place >= already))
    if count == row + 1:
        tip = x + NUM_LINES * SPACE + 3
        arrow = [(tip, y + 6), (tip + 8, y + 11.5), (tip, y + 17)]
        asked = state.tiling and (seat, row) == (state.player, state.tiling_line)
        look = {"fill": GOLD, "stroke": INK} if asked else {"fill": INK}
        parts.append(svg.path(svg.polyline(arrow, closed=True), **look))
    return svg.group(*parts, id=f"line-{seat}-{row}", class_="line")


def _wall_row(scene: Scene, seat: int, row: int, x: float, y: float) -> str:
    """Return a row of a wall."""
    state, before = scene.now, scene.then or scene.now
    parts: list[str] = []
    for column in range(NUM_COLUMNS):
        color = state.wall[seat][row][column]
        left = x + column * SPACE
        if color != NONE:
            lit = color != before.wall[seat][row][column]
            space = tile(color, left, y, TILE, lit)
        elif state.wall_side == COLORED:
            space = _free_space((column - row) % NUM_COLORS, left, y)
        else:
            space = _slot(left, y)
        parts.append(svg.group(space, id=f"wall-{seat}-{row}-{column}", class_="wall"))
    return "".join(parts)


@functools.lru_cache(maxsize=1024)
def _free_space(color: int, x: float, y: float) -> str:
    """Return a free space of the colored wall: in faint the tile that it takes."""
    middle = x + TILE / 2, y + TILE / 2
    mark = _tile_mark(color, *middle, TILE * 0.25, FREE_COLORS, FREE_MARKS)
    return _slot(x, y, fill=FREE_COLORS[color]) + mark


def _floor(scene: Scene, seat: int, x: float, y: float) -> str:
    """Return the floor line, with what each space costs."""
    state, before = scene.now, scene.then or scene.now
    parts: list[str] = []
    for place in range(FLOOR_SPACES):
        thing, left = state.floor[seat][place], x + place * SPACE
        lit = thing != before.floor[seat][place]
        if thing == MARKER:
            parts.append(_marker(left, y, TILE, lit))
        elif thing != NONE:
            parts.append(tile(thing, left, y, TILE, lit))
        else:
            cost = f"\N{MINUS SIGN}{FLOOR_PENALTIES[place]}"
            look = {"anchor": "middle", "fill": FAINT}
            parts.append(_slot(left, y, fill="#f4e3dc"))
            parts.append(svg.text(left + TILE / 2, y + 16.5, cost, 13, **look))
    return svg.group(*parts, id=f"floor-{seat}", class_="floor")
