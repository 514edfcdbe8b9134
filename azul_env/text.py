"""Azul in words: actions both ways, and the boards as lines of text."""

import re
from typing import Any

import numpy as np

from azul_env.rules import complete_rows, standing
from azul_env.state import (
    ACTIONS_PER_SOURCE,
    COLORED,
    COLORS,
    FLOOR,
    FLOOR_SPACES,
    MARKER,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    PLACES,
    State,
    num_displays,
    num_offer_actions,
)
from game_core.render.ansi import FAINT, GOLD, paint_marks
from game_core.scene import Scene
from game_core.validation.text import best_seats, counted, who_wins

__all__ = [
    "action_to_text",
    "color_text",
    "draw_text",
    "headline",
    "outcome",
    "text_to_action",
    "winners",
]

LETTERS = "BYRKW"  # the colors on the wall and in the lines; black is K
EMPTY = "."
MARKER_LETTER = "1"

CODES = ("1;38;5;39", "1;38;5;220", "1;38;5;203", "1;38;5;245", "1;38;5;231")
"""Of the colors in terminals, whose background may be black or white."""

TILES = re.compile(
    r"((?:display \d+|centre): |  floor |  (?=[ .BYRKW]{5} \|))(?!empty)(.*)"
)
"""A line with tiles: what stands in front of them, and the tiles."""


def action_to_text(action: int, num_players: int) -> str:
    """Return an action in words, for instance "display 3, red, line 2"."""
    columns = num_offer_actions(num_players)
    if action >= columns:
        return f"column {action - columns + 1}"
    source, rest = divmod(action, ACTIONS_PER_SOURCE)
    color, line = divmod(rest, PLACES)
    from_where = "centre"
    if source < num_displays(num_players):
        from_where = f"display {source + 1}"
    to_where = "floor" if line == FLOOR else f"line {line + 1}"
    return f"{from_where}, {COLORS[color]}, {to_where}"


def text_to_action(text: str, num_players: int, grey: bool) -> int:
    """Return the action that words mean; "centre, blue, floor" or "column 4".

    Raises:
        ValueError: If they are not the words of an action.
    """
    words = " ".join(text.lower().replace(",", " ").split())
    displays = num_displays(num_players)
    column = re.fullmatch(r"column ([1-5])", words)
    if column and grey:
        return num_offer_actions(num_players) + int(column[1]) - 1
    found = re.fullmatch(
        rf"(cent(?:re|er)|display (\d+)) ({'|'.join(COLORS)}) (floor|line ([1-5]))",
        words,
    )
    source = int(found[2]) - 1 if found and found[2] else displays
    if not found or (found[2] and not 0 <= source < displays):
        grey_words = ", or 'column 4'" if grey else ""
        raise ValueError(
            f"{text!r} is no action of Azul for {num_players} players; say 'display 3, "
            f"red, line 2' (displays 1 to {displays}, or 'centre'; lines 1 to 5, or "
            f"'floor'){grey_words}"
        )
    line = int(found[5]) - 1 if found[5] else FLOOR
    return source * ACTIONS_PER_SOURCE + COLORS.index(found[3]) * PLACES + line


def draw_text(states: np.ndarray) -> str:
    """Return the position of a (1,) record as lines of text."""
    state = states[0]
    displays = [
        f"display {d + 1}: {_tiles(state.sources[d])}"
        for d in range(state.num_displays)
        if state.sources[d].any()
    ]
    marker = f" {MARKER_LETTER}" if state.marker_owner == NONE else ""
    lines = [headline(state), *displays]
    lines.append(f"centre: {_tiles(state.sources[state.num_displays])}{marker}")
    lines.append(f"bag: {_counts(state.bag)}  lid: {_counts(state.lid)}")
    for seat in range(state.num_players):
        lines += _board(state, seat)
    return "\n".join([*lines, _legend()])


def color_text(text: str) -> str:
    """Return what ``draw_text`` returns in color: each letter as its tile."""
    codes = dict(zip(LETTERS, CODES, strict=True))
    codes |= {letter.lower(): code for letter, code in codes.items()}
    codes |= {EMPTY: FAINT, MARKER_LETTER: GOLD}
    lines: list[str] = []
    for line in text.splitlines():
        found = TILES.fullmatch(line)
        lines.append(f"{found[1]}{paint_marks(found[2], codes)}" if found else line)
    return "\n".join(lines)


def headline(state: State) -> str:
    """Return in a sentence how the game stands."""
    rounds = counted(state.round_number, "round")
    if state.truncated:
        return f"The game was cut short after {rounds}: nobody wins."
    if state.terminated:
        return f"The game is over after {rounds}. {_winners(state)}"
    task = "take tiles"
    if state.tiling:
        task = f"choose the wall column for line {state.tiling_line + 1}"
    return f"Round {state.round_number}. player_{state.player} to {task}."


def outcome(scene: Scene) -> str:
    """Return how the scores have changed."""
    now, then = scene.now, scene.then
    gains = [now.score[seat] - then.score[seat] for seat in range(now.num_players)]
    return ", ".join(
        f"{scene.name(seat)} {gain:+d}" for seat, gain in enumerate(gains) if gain
    )


def winners(state: State) -> list[int]:
    """Return the seats that stand best."""
    return best_seats([standing(state, seat) for seat in range(state.num_players)])


def _winners(state: State) -> str:
    seats = winners(state)
    points, rows = state.score[seats[0]], complete_rows(state, seats[0])
    won = f"{counted(points, 'point')} and {counted(rows, 'complete row')}"
    return f"{who_wins([f'player_{seat}' for seat in seats])} with {won}."


def _tiles(counts: Any) -> str:
    return "".join(LETTERS[c] * int(counts[c]) for c in range(NUM_COLORS)) or "empty"


def _counts(counts: Any) -> str:
    return " ".join(f"{LETTERS[c]}{counts[c]}" for c in range(NUM_COLORS))


def _letter(thing: int) -> str:
    if thing == NONE:
        return EMPTY
    return MARKER_LETTER if thing == MARKER else LETTERS[thing]


def _board(state: State, seat: int) -> list[str]:
    lines = [f"player_{seat}: {counted(state.score[seat], 'point')}"]
    for row in range(NUM_LINES):
        count = int(state.line_count[seat, row])
        tiles = _letter(state.line_color[seat, row]) * count
        line = f"{EMPTY * (row + 1 - count)}{tiles}".rjust(NUM_LINES)
        wall = [_space(state, seat, row, column) for column in range(NUM_COLUMNS)]
        lines.append(f"  {line} | {' '.join(wall)}")
    floor = [_letter(state.floor[seat, space]) for space in range(FLOOR_SPACES)]
    return [*lines, f"  floor {' '.join(floor)}"]


def _space(state: State, seat: int, row: int, column: int) -> str:
    """Return a wall space: its tile, or in small its color on the colored side."""
    color = state.wall[seat, row, column]
    if color == NONE and state.wall_side == COLORED:
        return LETTERS[(column - row) % NUM_COLUMNS].lower()
    return _letter(color)


def _legend() -> str:
    colors = ", ".join(f"{LETTERS[c]} {COLORS[c]}" for c in range(NUM_COLORS))
    return f"{colors}, {MARKER_LETTER} marker; small letters: free spaces."
