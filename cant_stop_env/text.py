"""Can't Stop in words: actions both ways, and the board as lines of text."""

import re

import numpy as np

from cant_stop_env.rules import columns_won
from cant_stop_env.state import (
    ACTION_OF_PAIR,
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
from game_core.render.ansi import FAINT, GOLD, SEAT_CODES, paint_marks
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

RUNNER = "^"
EMPTY = "."


def action_to_text(action: int) -> str:
    """Return an action in words: "6 and 10", "7 and 7", "5", "roll" or "stop"."""
    if action == ROLL:
        return "roll"
    if action == STOP:
        return "stop"
    first, second = COLUMNS_OF_ACTION[action]
    return f"{first} and {second}" if second else f"{first}"


def text_to_action(text: str) -> int:
    """Return the action that words mean; "10, 6" and "6 and 10" are the same.

    Raises:
        ValueError: If they are not the words of an action.
    """
    words = text.strip().lower()
    if words in ("roll", "stop"):
        return ROLL if words == "roll" else STOP
    found = re.fullmatch(r"(\d+)(?:\s*(?:and|,|\s)\s*(\d+))?", words)
    columns = [int(number) for number in found.groups() if number] if found else []
    if not columns or not all(FIRST_COLUMN <= c <= LAST_COLUMN for c in columns):
        raise ValueError(
            f"{text!r} is no action of Can't Stop; say 'roll', 'stop', one column "
            "from 2 to 12 ('5'), or two ('6 and 10')"
        )
    if len(columns) == 1:
        return FIRST_SINGLE + columns[0] - FIRST_COLUMN
    return int(ACTION_OF_PAIR[columns[0], columns[1]])


def draw_text(states: np.ndarray) -> str:
    """Return the position of a (1,) record as lines of text, a column a line."""
    state = states[0]
    spaces = {
        column: [_marks(state, column, space) for space in range(1, top + 1)]
        for column, top in enumerate(HEIGHT)
        if top
    }
    width = max(len(mark) for marks in spaces.values() for mark in marks)
    lines = [headline(state)]
    for column, marks in spaces.items():
        owner = state.owner[column]
        won = "" if owner == NOBODY else f"  conquered by player_{owner}"
        line = " ".join(mark.ljust(width) for mark in marks).rstrip()
        lines.append(f"{column:>2} | {line}{won}")
    return "\n".join([*lines, _legend(state)])


def color_text(text: str) -> str:
    """Return what ``draw_text`` returns in color: pieces, runners and free spaces."""
    codes = {str(seat): code for seat, code in enumerate(SEAT_CODES)}
    codes |= {RUNNER: GOLD, EMPTY: FAINT}
    lines: list[str] = []
    for line in text.splitlines():
        column, bar, rest = line.partition(" | ")
        spaces, conquered, owner = rest.partition("  conquered")
        lines.append(f"{column}{bar}{paint_marks(spaces, codes)}{conquered}{owner}")
    return "\n".join(lines)


def _marks(state: State, column: int, space: int) -> str:
    seats = [s for s in range(state.num_players) if state.pieces[s, column] == space]
    runner = RUNNER if state.runners[column] == space else ""
    return "".join(str(seat) for seat in seats) + runner or EMPTY


def headline(state: State) -> str:
    """Return in a sentence how the game stands."""
    turns = counted(state.turns, "turn")
    dice = " ".join(str(die) for die in state.dice)
    if state.truncated:
        return f"The game was cut short after {turns}: nobody wins."
    if state.terminated:
        return f"The game is over after {turns}. {_winners(state)}"
    task = "choose columns" if state.choosing else "roll or stop"
    return f"Turn {state.turns + 1}. player_{state.player} to {task}. Dice {dice}"


def outcome(scene: Scene) -> str:
    """Return what a roll showed, or which columns a stop conquered."""
    now, then = scene.now, scene.then
    if scene.action == ROLL:
        return "bust" if now.turns > then.turns else " ".join(map(str, now.dice))
    if scene.action != STOP:
        return ""
    won = [str(c) for c, owner in enumerate(now.owner) if owner != then.owner[c]]
    return f"conquers {' and '.join(won)}" if won else ""


def winners(state: State) -> list[int]:
    """Return the seats with the most columns."""
    return best_seats([columns_won(state, s) for s in range(state.num_players)])


def _winners(state: State) -> str:
    seats = winners(state)
    won = counted(columns_won(state, seats[0]), "column")
    return f"{who_wins([f'player_{seat}' for seat in seats])} with {won}."


def _legend(state: State) -> str:
    counts = ", ".join(
        f"player_{seat} {columns_won(state, seat)}" for seat in range(state.num_players)
    )
    goal = f"{state.columns_to_win} to win"
    return f"Columns conquered: {counts} ({goal}). {RUNNER} runner, 0-3 pieces by seat."
