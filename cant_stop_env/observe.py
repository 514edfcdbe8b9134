"""What a player of Can't Stop sees, as numbers from 0 to 1.

The same data, ``layout``, sizes the observation and documents it.
"""

from typing import Any

from cant_stop_env.rules import columns_won
from cant_stop_env.state import (
    FIRST_COLUMN,
    HEIGHT,
    LAST_COLUMN,
    NOBODY,
    NUM_COLUMNS,
    NUM_DICE,
    NUM_RUNNERS,
)
from game_core.compiled.jit import jit

FACES = 6


def layout(num_players: int) -> tuple[tuple[str, int, str], ...]:
    """Return the parts of an observation in order: name, size, meaning.

    Players are counted from the observer: 0 is the observer, then clockwise. Columns
    run from 2 to 12.
    """
    n = num_players
    return (
        (
            "pieces",
            n * NUM_COLUMNS,
            "by player, then column: height of the piece / top",
        ),
        ("runners", NUM_COLUMNS, "by column: height of the runner / top; 0 none"),
        ("conquered", NUM_COLUMNS, "by column: 1 if somebody has conquered it"),
        ("free_runners", 1, "runners not on the board / 3"),
        ("dice", FACES, "by face, 1 to 6: dice of the last roll that show it / 4"),
        ("choosing", 1, "1 if columns are to be chosen, 0 for roll or stop"),
        ("columns_won", n, "by player: columns conquered / columns to win, at most 1"),
        ("to_move", n, "by player: 1 for the one to move"),
        ("seat", n, "by seat of the table: 1 for the observer's own"),
        ("turns", 1, "turns completed / max_turns; 0 without a cap"),
    )


def size(num_players: int) -> int:
    """Return the number of entries of an observation."""
    return sum(width for _, width, _ in layout(num_players))


@jit
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what ``seat`` sees into zeroed ``out`` (size,), as ``layout`` has it."""
    n = state.num_players
    runners = n * NUM_COLUMNS
    conquered = runners + NUM_COLUMNS
    free_runners = conquered + NUM_COLUMNS
    dice = free_runners + 1
    choosing = dice + FACES
    won = choosing + 1
    to_move = won + n
    own_seat = to_move + n
    turns = own_seat + n

    for k in range(n):
        other = (seat + k) % n
        for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
            place = k * NUM_COLUMNS + column - FIRST_COLUMN
            out[place] = state.pieces[other, column] / HEIGHT[column]
        out[won + k] = min(columns_won(state, other) / state.columns_to_win, 1.0)
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        place = column - FIRST_COLUMN
        out[runners + place] = state.runners[column] / HEIGHT[column]
        out[conquered + place] = state.owner[column] != NOBODY
    out[free_runners] = state.free_runners / NUM_RUNNERS
    for die in state.dice:
        out[dice + die - 1] += 1 / NUM_DICE
    out[choosing] = state.choosing
    out[to_move + (state.player - seat) % n] = 1
    out[own_seat + seat] = 1
    if state.max_turns > 0:
        out[turns] = state.turns / state.max_turns
