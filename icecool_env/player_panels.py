"""What stands beside ICECOOL's school in the picture: who moves, and the players.

A player's panel has its role, fish, ID cards, fish cards and points.
"""

from typing import Any

from game_core.render import svg
from game_core.render.svg import FAINT, INK, PANEL, SEAT_COLORS
from game_core.scene import Scene
from icecool_env.cards import points
from icecool_env.rules import id_cards, num_rounds
from icecool_env.state import FISH_DOORS, NUM_VALUES, SKATES
from icecool_env.text import winners

__all__ = ["EDGE", "HEIGHT", "MAP", "WIDTH", "bar", "marked_fish", "players"]

WIDTH, HEIGHT = 660, 464  # of the picture
EDGE = 12
MAP = HEIGHT - 2 * EDGE  # side of the square that the school is drawn in
SIDE = EDGE + MAP + 10  # left edge of what stands beside the school
SIDE_WIDTH = WIDTH - SIDE - EDGE
BAR_HEIGHT, GAP = 54, 8


def bar(scene: Scene) -> str:
    """Return who has to decide what, or who has won; and the round."""
    state = scene.now
    seats: list[int] = [state.player]
    phase: int = state.phase
    if state.terminated:
        seats = winners(scene.states[0])
        words = "wins" if len(seats) == 1 else "win"
    else:
        words = ("places", "flicks", "skates?")[phase]
    about = f"round {state.round_number + 1} of {num_rounds(state.num_players)}"
    edge = {"stroke": SEAT_COLORS[seats[0]], "stroke_width": 2.5}
    parts = [
        svg.panel(SIDE, EDGE, SIDE_WIDTH, BAR_HEIGHT, **edge),
        svg.who(scene, seats, words, SIDE + 8, EDGE + 17, SIDE_WIDTH - 16),
    ]
    if state.phase == SKATES and not state.terminated:
        parts += [_answer(SIDE + 8, "yes"), _answer(SIDE + SIDE_WIDTH / 2 + 4, "no")]
    else:
        flicks = f"{about} \N{MIDDLE DOT} flick {state.flicks}"
        parts.append(svg.text(SIDE + 10, EDGE + 44, flicks, 14, fill=FAINT))
    return "".join(parts)


def _answer(x: float, words: str) -> str:
    """Return a button that answers whether to use skates."""
    width = SIDE_WIDTH / 2 - 12
    face = svg.rect(x, EDGE + 29, width, 21, rx=6, fill=INK)
    look = {"anchor": "middle", "fill": "#fff", "font_weight": 700}
    label = svg.text(x + width / 2, EDGE + 44.5, words, 15, **look)
    return svg.group(face, label, id=f"action-{words}", class_="action")


def players(scene: Scene) -> list[str]:
    """Return a panel for each player: role, fish, ID cards and fish cards."""
    count = scene.now.num_players
    top = EDGE + BAR_HEIGHT + GAP
    height = min(104.0, (HEIGHT - EDGE - top + GAP) / count - GAP)
    return [
        _player(scene, seat, top + seat * (height + GAP), height)
        for seat in range(count)
    ]


def _player(scene: Scene, seat: int, y: float, height: float) -> str:
    state = scene.now
    over: bool = state.terminated
    lit = seat in winners(scene.states[0]) if over else seat == state.player
    edge = {"stroke": SEAT_COLORS[seat], "stroke_width": 2.5} if lit else {}
    parts = [
        svg.panel(SIDE, y, SIDE_WIDTH, height, **edge),
        svg.player_head(scene, seat, SIDE + 8, y + 16, 108),
    ]
    line = y + 16 + (height - 16) * 0.34
    if seat == state.catcher:
        look = {"font_weight": 700, "fill": "#8a5d00"}
        parts.append(svg.text(SIDE + 10, line + 5, "Catcher", 14, **look))
    else:
        parts += [
            _one_fish(seat, SIDE + 20 + 26 * i, line, state.fish_taken[seat][i])
            for i in range(FISH_DOORS)
        ]
    if _knows_cards(scene, seat):
        look = {"anchor": "end", "font_weight": 700}
        total = points(scene.states[0], seat)
        parts.append(svg.text(SIDE + SIDE_WIDTH - 10, y + 24, total, 20, **look))
    parts.append(_id_cards(scene, seat, line))
    parts.append(_cards(scene, seat, y + 16 + (height - 16) * 0.74))
    return svg.group(*parts, id=f"player-{seat}")


def _one_fish(seat: int, x: float, y: float, taken: bool) -> str:
    if taken:
        return marked_fish(seat, x, y, 22)
    look = {"fill": "none", "stroke": "#bdb49f", "stroke_dasharray": "2 2"}
    return fish(x, y, 22, **look)


def _id_cards(scene: Scene, seat: int, y: float) -> str:
    """Return the ID cards that a player holds, as small passes with a mark (R20)."""
    state = scene.now
    owners = [seat]
    if seat == state.catcher:
        owners += [s for s in range(state.num_players) if s != seat and state.caught[s]]
    elif not id_cards(scene.states[0], seat):
        owners = []
    parts: list[str] = []
    for i, owner in enumerate(owners):
        x = SIDE + SIDE_WIDTH - 30 - 24 * i
        look = {"fill": "#fff", "stroke": SEAT_COLORS[owner], "stroke_width": 1.6}
        parts.append(svg.rect(x, y - 9, 20, 18, rx=3, **look))
        parts.append(svg.seat_mark(owner, x + 10, y, 6, SEAT_COLORS[owner]))
    return "".join(parts)


PILE_PITCH = 45


def _cards(scene: Scene, seat: int, y: float) -> str:
    """Return the fish cards of a player: by value, or as many as are face down."""
    state = scene.now
    down = state.face_down[seat]
    piles = [("", sum(down), False)]
    if _knows_cards(scene, seat):
        piles = [(f"{value}", down[value], False) for value in range(NUM_VALUES)]
    piles = [pile for pile in [*piles, ("1", state.face_up[seat], True)] if pile[1]]
    if not piles:
        return svg.text(SIDE + 10, y + 5, "no cards", 14, fill=FAINT)
    shrunk = min(1.0, (SIDE_WIDTH - 12) / (PILE_PITCH * len(piles)))
    parts = [_pile(PILE_PITCH * i, *pile) for i, pile in enumerate(piles)]
    place = f"translate({SIDE + 10} {svg.number(y)}) scale({shrunk:.3g})"
    return svg.group(*parts, transform=place)


def _knows_cards(scene: Scene, seat: int) -> bool:
    """A22: tell whether the values of a player's cards may be shown."""
    return scene.now.terminated or scene.seat in (None, seat)


def _pile(x: float, value: str, count: int, face_up: bool) -> str:
    """Return a card with its value, blue if it is face down, and how many there are."""
    look = {"fill": "#fff3c9" if face_up else "#cfe3f1", "stroke": INK}
    card = svg.rect(x, -11, 16, 22, rx=3, **look)
    if value:
        label = {"anchor": "middle", "font_weight": 700}
        card += svg.text(x + 8, 5, value, 14, **label)
    else:
        card += fish(x + 8, 0, 12, fill="#7fa8c4")
    return card + svg.text(x + 18.5, 5, f"\N{MULTIPLICATION SIGN}{count}", 13)


def fish(x: float, y: float, size: float, **look: Any) -> str:
    """Return a fish that swims to the right, ``size`` long."""
    r = size / 2
    body = [
        f"M{svg.number(x + r)} {svg.number(y)}",
        f"Q{svg.number(x + 0.3 * r)} {svg.number(y - r)} ",
        f"{svg.number(x - 0.4 * r)} {svg.number(y - 0.1 * r)}",
        f"L{svg.number(x - r)} {svg.number(y - 0.6 * r)}",
        f"L{svg.number(x - r)} {svg.number(y + 0.6 * r)}",
        f"L{svg.number(x - 0.4 * r)} {svg.number(y + 0.1 * r)}",
        f"Q{svg.number(x + 0.3 * r)} {svg.number(y + r)} ",
        f"{svg.number(x + r)} {svg.number(y)}Z",
    ]
    eye = svg.circle(x + 0.45 * r, y - 0.14 * r, 0.13 * r, fill=PANEL)
    return svg.path("".join(body), **look) + eye


def marked_fish(seat: int, x: float, y: float, size: float, down: bool = False) -> str:
    """Return the fish of a seat, which swims to the right or down."""
    look = {"fill": SEAT_COLORS[seat], "stroke": PANEL, "stroke_width": 1.0}
    turn = f"rotate(90 {svg.number(x)} {svg.number(y)})" if down else None
    body = svg.group(fish(x, y, size, **look), transform=turn)
    return body + svg.seat_mark(seat, x, y, size * 0.17)
