"""The position of Can't Stop as a picture: columns that climb a mountain.

What a player can click has an ``id``: ``action-42`` is a choice, by the number of the
action, and so are the buttons to roll and to stop; ``column-7`` is a column, and
``player-0`` what a seat has conquered.
"""

import functools

from cant_stop_env.rules import may_stop
from cant_stop_env.state import (
    COLUMNS_OF_ACTION,
    FIRST_COLUMN,
    FIRST_SINGLE,
    HEIGHT,
    LAST_COLUMN,
    NOBODY,
    ROLL,
    STOP,
    State,
)
from cant_stop_env.text import headline, winners
from game_core.render import svg
from game_core.render.svg import GOLD, INK, LINE, PALE_GOLD, PANEL, RED, SEAT_COLORS
from game_core.scene import Scene

__all__ = ["draw_svg"]

WIDTH, HEIGHT_OF_PICTURE = 600, 508
LEFT, BOTTOM = 16, 412  # of the first column's lowest space
CELL_WIDTH, CELL_HEIGHT = 33, 26
SIDE, SIDE_WIDTH = 396, 190  # left edge and width of what stands beside the board
PLAYERS_TOP, PLAYERS_HEIGHT = 442, 54

PAIRINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2))
"""The dice of a pairing: the first two and the last two belong together."""

SKY, FAR_ROCK, ROCK, SNOW = "#e3edf2", "#cddbe1", "#b3c4cb", "#f7fbfc"


def draw_svg(scene: Scene) -> str:
    """Return a position as SVG; see this module for the ids in it."""
    return svg.picture(
        WIDTH,
        HEIGHT_OF_PICTURE,
        f"Can't Stop. {headline(scene.states[0])}",
        _mountain(),
        *(_column(scene, column) for column in range(FIRST_COLUMN, LAST_COLUMN + 1)),
        _who_moves(scene),
        _dice(scene),
        *_players(scene),
    )


def _left(column: int) -> float:
    return LEFT + (column - FIRST_COLUMN) * CELL_WIDTH


def _top(space: int) -> float:
    return BOTTOM - space * CELL_HEIGHT


def _mountain() -> str:
    """Return the land behind the columns."""
    right = _left(LAST_COLUMN + 1)
    slope = [
        (_left(column) + CELL_WIDTH / 2, _top(int(HEIGHT[column])) - 12)
        for column in range(FIRST_COLUMN, LAST_COLUMN + 1)
    ]
    middle, peak = slope[len(slope) // 2]
    far = [(LEFT, BOTTOM), (LEFT, 250), (80, 150), (140, 220), (200, 180), (262, 230)]
    far += [(330, 120), (right, 240), (right, BOTTOM)]
    rock = [(LEFT, BOTTOM), (LEFT, slope[0][1] + 20), *slope]
    rock += [(right, slope[-1][1] + 20), (right, BOTTOM)]
    cap = [(middle, peak), *((middle + dx, peak + dy) for dx, dy in SNOW_CAP)]
    return svg.group(
        svg.rect(LEFT, 14, right - LEFT, BOTTOM - 14, rx=8, fill=SKY),
        svg.path(svg.polyline(far, closed=True), fill=FAR_ROCK),
        svg.path(svg.polyline(rock, closed=True), fill=ROCK),
        svg.path(svg.polyline(cap, closed=True), fill=SNOW),
    )


SNOW_CAP = (
    (33, 52),
    (48, 78),
    (28, 66),
    (12, 88),
    (-6, 68),
    (-24, 90),
    (-47, 76),
    (-33, 52),
)
"""The lower edge of the snow, seen from the summit."""


def _column(scene: Scene, column: int) -> str:
    """Return a column with all that stands in it."""
    state, top = scene.now, int(HEIGHT[column])
    owner: int = state.owner[column]
    color = None if owner == NOBODY else SEAT_COLORS[owner]
    trail = _trail(state, column)
    moved = _moved(scene, column)
    parts: list[str] = []
    for space in range(1, top + 1):
        fill = color or (PALE_GOLD if space in trail or space in moved else PANEL)
        parts.append(_cell(column, space, fill, space in moved))
    x = _left(column) + CELL_WIDTH / 2
    if owner == NOBODY:
        for space in range(1, top + 1):
            parts.append(_things(scene, column, space))
    else:
        parts.append(svg.token(owner, x, _top(top) + CELL_HEIGHT / 2, 11))
    parts.append(_label(column, x, color))
    return svg.group(*parts, id=f"column-{column}")


def _trail(state: State, column: int) -> range:
    """Return the spaces that the runner has climbed in this turn."""
    if not state.runners[column]:
        return range(0)
    start = state.pieces[state.player][column]
    return range(start + 1, state.runners[column] + 1)


def _moved(scene: Scene, column: int) -> range:
    """Return the spaces that the last action has climbed."""
    before, state = scene.then, scene.now
    if before is None or scene.action == ROLL:
        return range(0)
    home = before.pieces[before.player][column]
    if scene.action == STOP:
        return range(home + 1, state.pieces[before.player][column] + 1)
    start = before.runners[column] or home
    return range(start + 1, state.runners[column] + 1)


@functools.lru_cache(maxsize=1024)
def _cell(column: int, space: int, fill: str, moved: bool) -> str:
    """Return an empty space, with a golden edge where the last action climbed."""
    edge, thin = (GOLD, 2.6) if moved else (LINE, 1.0)
    x, y = _left(column) + 1.2, _top(space) + 1.2
    w, h = CELL_WIDTH - 2.4, CELL_HEIGHT - 2.4
    inside = svg.rect(x + thin, y + thin, w - 2 * thin, h - 2 * thin, rx=4, fill=fill)
    return svg.rect(x, y, w, h, rx=5, fill=edge) + inside


def _label(column: int, x: float, color: str | None) -> str:
    return svg.rect(
        _left(column) + 2, BOTTOM + 3, CELL_WIDTH - 4, 22, rx=6, fill=color or INK
    ) + svg.text(
        x, BOTTOM + 20, column, 16, anchor="middle", fill="#fff", font_weight=700
    )


def _things(scene: Scene, column: int, space: int) -> str:
    """Return the pieces and the runner on a space."""
    state = scene.now
    seats = [s for s in range(state.num_players) if state.pieces[s][column] == space]
    runner: bool = state.runners[column] == space
    lost = _is_lost(scene, column, space)
    count = len(seats) + runner + lost
    if not count:
        return ""
    radius, places = PLACES[count]
    x, y = _left(column) + CELL_WIDTH / 2, _top(space) + CELL_HEIGHT / 2
    spots = [(x + dx, y + dy) for dx, dy in places]
    parts = [svg.token(seat, *spots.pop(0), radius) for seat in seats]
    if runner:
        parts.append(_runner(*spots.pop(0), radius))
    if lost:
        parts.append(_lost_runner(*spots.pop(0), radius))
    return "".join(parts)


PLACES = (
    (0, ()),
    (10.5, ((0, 0),)),
    (8.0, ((-7.5, 0), (7.5, 0))),
    (6.4, ((-8, -4), (8, -4), (0, 5))),
    (5.8, ((-8, -5.3), (8, -5.3), (-8, 5.3), (8, 5.3))),
    (5.0, ((-10, -5.3), (0, -5.3), (10, -5.3), (-5, 5.3), (5, 5.3))),
)
"""By how many things share a space: their radius, and where they stand."""


def _is_lost(scene: Scene, column: int, space: int) -> bool:
    """Tell whether a runner fell from a space in the last roll."""
    return _is_bust(scene) and scene.then.runners[column] == space


def _is_bust(scene: Scene) -> bool:
    """CS8: tell whether the last roll allowed nothing, so that the turn passed on."""
    if scene.then is None or scene.action != ROLL:
        return False
    return scene.now.turns > scene.then.turns


def _runner(x: float, y: float, r: float) -> str:
    """Return a climber."""
    body = f"M{svg.number(x - 0.62 * r)} {svg.number(y + 0.85 * r)}"
    body += f"Q{svg.number(x)} {svg.number(y - 1.1 * r)} {svg.number(x + 0.62 * r)} "
    body += f"{svg.number(y + 0.85 * r)}Z"
    return (
        svg.circle(x, y, r, fill=GOLD, stroke=INK, stroke_width=float(r * 0.15))
        + svg.path(body, fill=INK)
        + svg.circle(x, y - 0.4 * r, r * 0.3, fill=INK)
    )


def _lost_runner(x: float, y: float, r: float) -> str:
    """Return where a climber fell."""
    ring = svg.circle(x, y, r, fill="#fff", stroke=RED, stroke_dasharray="3 2")
    arm = 0.45 * r
    cross = {"stroke": RED, "stroke_width": 2.4, "stroke_linecap": "round"}
    return (
        ring
        + svg.line(x - arm, y - arm, x + arm, y + arm, **cross)
        + svg.line(x - arm, y + arm, x + arm, y - arm, **cross)
    )


def _who_moves(scene: Scene) -> str:
    """Return who has to decide what, or who has won."""
    state, seats = scene.now, _lit(scene) or [scene.now.player]
    color = SEAT_COLORS[seats[0]]
    if state.truncated:
        task, color = "cut short: nobody wins", INK
    elif state.terminated:
        task = "wins" if len(seats) == 1 else "win together"
    else:
        task = "chooses columns" if state.choosing else "rolls or stops"
    if len(seats) == 1:
        heads = [svg.player_head(scene, seats[0], SIDE + 10, 34, SIDE_WIDTH - 20)]
    else:
        heads = [
            svg.token(seat, SIDE + 20 + 24 * i, 34, 10) for i, seat in enumerate(seats)
        ]
    return "".join(
        (
            svg.panel(SIDE, 14, SIDE_WIDTH, 62, stroke=color, stroke_width=2.5),
            *heads,
            svg.text(SIDE + 12, 65, task, 16),
            _turn(scene),
        )
    )


def _lit(scene: Scene) -> list[int]:
    """Return the seats to be seen first: who has to decide, or who has won."""
    state = scene.now
    if state.truncated:
        return []
    return winners(scene.states[0]) if state.terminated else [state.player]


def _turn(scene: Scene) -> str:
    """Return which turn it is, and who lost the last one."""
    state = scene.now
    turn = f"turn {state.turns + (not (state.terminated or state.truncated))}"
    look = {"anchor": "end", "fill": svg.FAINT}
    words = svg.text(SIDE + SIDE_WIDTH - 4, 95, turn, 14, **look)
    if not _is_bust(scene):
        return words
    room = SIDE_WIDTH - 16 - svg.width_of(f"{turn}: bust", 14)
    name = svg.fitting(scene.name(scene.then.player), 14, min(110, room))
    look = {"fill": RED, "font_weight": 700}
    return svg.text(SIDE + 4, 95, f"{name}: bust", 14, **look) + words


def _dice(scene: Scene) -> str:
    """Return the dice, and what can be done with them."""
    state = scene.now
    if state.terminated or state.truncated:
        return _large_dice(scene)
    decision = _choices(state) if state.choosing else _roll_or_stop(scene)
    return _large_dice(scene) + decision + _free_runners(state.free_runners)


def _large_dice(scene: Scene) -> str:
    """Return the four dice; of a chosen pairing, the first pair has a gold edge."""
    dice = scene.now.dice
    order, pairs = PAIRINGS[0], None
    if scene.action is not None and scene.action not in (ROLL, STOP):
        pairs = _pairing_of(dice, int(scene.action))
        order = pairs or order
    parts: list[str] = []
    for place, index in enumerate(order):
        x = SIDE + 3 + place * 45 + (6 if place > 1 else 0) - 2
        edge = GOLD if pairs and place < 2 else INK
        parts.append(svg.die(x, 106, 40, dice[index], edge))
    if pairs:
        for place in (0, 2):
            total = dice[order[place]] + dice[order[place + 1]]
            x = SIDE + 43 + (96 if place else 0)
            parts.append(svg.text(x, 166, total, 17, anchor="middle", font_weight=700))
    return svg.group(*parts, id="dice")


def _pairing_of(dice: list[int], action: int) -> tuple[int, ...] | None:
    """Return the pairing that an action plays, with its first column in front."""
    first, second = COLUMNS_OF_ACTION[action].tolist()
    for a, b, c, d in PAIRINGS:
        for order in ((a, b, c, d), (c, d, a, b)):
            sums = [dice[order[i]] + dice[order[i + 1]] for i in (0, 2)]
            if sums[0] == first and second in (0, sums[1]):
                return order
    return None


def _choices(state: State) -> str:
    """Return the three pairings, each with the choices that it allows."""
    dice = state.dice
    allowed = state.choices[: state.num_choices]
    shown: set[frozenset[int]] = set()
    parts: list[str] = []
    for a, b, c, d in PAIRINGS:
        sums = dice[a] + dice[b], dice[c] + dice[d]
        if frozenset(sums) in shown:
            continue
        y = 184 + len(shown) * 62
        shown.add(frozenset(sums))
        here = [action for action in allowed if _plays(action, sums)]
        columns = {int(c) for action in here for c in COLUMNS_OF_ACTION[action]}
        pairs = sorted(((dice[a], dice[b]), (dice[c], dice[d])), key=sum)
        for place, pair in enumerate(pairs):
            look = {} if sum(pair) in columns else {"opacity": 0.3}
            parts.append(svg.group(_small_pair(pair, place, y), **look))
        parts += _chips(here, y + 24)
    return "".join(parts)


def _plays(action: int, sums: tuple[int, int]) -> bool:
    """Tell whether an action plays one or both of two sums."""
    columns = {int(column) for column in COLUMNS_OF_ACTION[action] if column}
    return columns == set(sums) or (action >= FIRST_SINGLE and columns <= set(sums))


def _small_pair(pips: tuple[int, int], place: int, y: float) -> str:
    x = SIDE + 28 + 88 * place
    return svg.die(x, y, 20, pips[0]) + svg.die(x + 24, y, 20, pips[1])


def _chips(actions: list[int], y: float) -> list[str]:
    """Return the buttons of the choices of one pairing."""
    if not actions:
        words = svg.text(SIDE + SIDE_WIDTH / 2, y + 21, "no move", 15, anchor="middle")
        return [svg.group(words, opacity=0.5)]
    width = (SIDE_WIDTH - 8 * (len(actions) - 1)) / len(actions)
    return [
        _button(SIDE + i * (width + 8), y, width, action, _words(action))
        for i, action in enumerate(actions)
    ]


def _words(action: int) -> str:
    first, second = COLUMNS_OF_ACTION[action].tolist()
    return f"{first} and {second}" if second else f"{first}"


def _button(x: float, y: float, width: float, action: int, words: str) -> str:
    """Return a button that plays an action."""
    label = svg.text(
        x + width / 2, y + 22, words, 18, anchor="middle", fill="#fff", font_weight=700
    )
    face = svg.rect(x, y, width, 31, rx=8, fill=INK)
    return svg.group(face, label, id=f"action-{action}", class_="action")


def _roll_or_stop(scene: Scene) -> str:
    """Return the two buttons; one is faint where stopping is not allowed (CS-V3)."""
    stop = _button(SIDE, 230, SIDE_WIDTH, STOP, "stop")
    look = {} if may_stop(scene.states[0]) else {"opacity": 0.3}
    roll = _button(SIDE, 190, SIDE_WIDTH, ROLL, "roll")
    return roll + svg.group(stop, **look)


def _free_runners(count: int) -> str:
    """Return the runners that are not on the board."""
    y = BOTTOM - 10
    spare = [_runner(SIDE + 116 + 26 * i, y - 5, 10) for i in range(count)]
    none = "" if count else svg.text(SIDE + 106, y, "none", 15)
    return svg.text(SIDE, y, "runners left", 15) + none + "".join(spare)


def _players(scene: Scene) -> list[str]:
    """Return a panel for each player: the columns that it has conquered."""
    state, lit, gap = scene.now, _lit(scene), 8
    width = (WIDTH - 2 * LEFT + gap) / state.num_players - gap
    parts: list[str] = []
    for seat in range(state.num_players):
        x = LEFT + seat * (width + gap)
        look = {"stroke": SEAT_COLORS[seat], "stroke_width": 2.5}
        parts.append(
            svg.group(
                svg.panel(
                    x, PLAYERS_TOP, width, PLAYERS_HEIGHT, **look if seat in lit else {}
                ),
                svg.player_head(scene, seat, x + 8, PLAYERS_TOP + 16, width - 14),
                _conquests(state, seat, x + 10, width - 17),
                id=f"player-{seat}",
            )
        )
    return parts


FLAG_PITCH = 25


def _conquests(state: State, seat: int, x: float, width: float) -> str:
    """Return a flag for each column to win: with its number, or still empty."""
    own = [c for c in range(FIRST_COLUMN, LAST_COLUMN + 1) if state.owner[c] == seat]
    count = max(state.columns_to_win, len(own))
    free = {"fill": "none", "stroke": LINE, "stroke_width": 2.0}
    parts: list[str] = []
    for i in range(count):
        left, won = FLAG_PITCH * i, i < len(own)
        look = {"fill": SEAT_COLORS[seat]} if won else free
        parts.append(svg.rect(left, -9.5, 22, 19, rx=4, **look))
        if won:
            label = {"anchor": "middle", "fill": "#fff", "font_weight": 700}
            parts.append(svg.text(left + 11, 5, own[i], 14, **label))
    shrunk = min(1.0, width / (FLAG_PITCH * count))
    place = f"translate({svg.number(x)} {PLAYERS_TOP + 38.5}) scale({shrunk:.3g})"
    return svg.group(*parts, transform=place)
