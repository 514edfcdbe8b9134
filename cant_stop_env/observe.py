"""What a player of Can't Stop sees, as numbers from 0 to 1, and how to read them.

One ``layout`` says where each of them stands: for who writes an observation, for who
reads it, and for the documentation.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from cant_stop_env.rules import FACES, columns_won, find_choices
from cant_stop_env.state import (
    FIRST_COLUMN,
    HEIGHT,
    LAST_COLUMN,
    MAX_PLAYERS,
    NO_CAP,
    NOBODY,
    NUM_COLUMNS,
    NUM_DICE,
    NUM_RUNNERS,
    State,
)
from game_core.compiled.jit import jit
from game_core.game import Game
from game_core.layout import Layout, offsets_by

__all__ = ["Seen", "decode", "layout", "observe", "restore", "size"]


@functools.cache
def layout(num_players: int) -> Layout:
    """Return the blocks of an observation in order.

    Players are counted from the observer: 0 is the observer, then clockwise. Columns
    run from 2 to 12.
    """
    n, columns = num_players, NUM_COLUMNS
    return Layout.of(
        ("pieces", (n, columns), "by player, then column: height of the piece / top"),
        ("runners", (columns,), "by column: height of the runner / top; 0 none"),
        ("conquered", (columns,), "by column: 1 if somebody has conquered it"),
        ("free_runners", (), "runners not on the board / 3"),
        ("dice", (FACES,), "by face, 1 to 6: dice of the last roll that show it / 4"),
        ("choosing", (), "1 if columns are to be chosen, 0 for roll or stop"),
        (
            "columns_won",
            (n,),
            "by player: columns conquered / columns to win, at most 1",
        ),
        ("to_move", (n,), "by player: 1 for the one to move"),
        ("seat", (n,), "by seat of the table: 1 for the observer's own"),
        ("turns", (), "turns completed / max_turns; 0 without a cap"),
    )


def size(num_players: int) -> int:
    """Return the number of entries of an observation."""
    return layout(num_players).size


AT = offsets_by({n: layout(n) for n in range(1, MAX_PLAYERS + 1)})
"""Where the blocks begin, by number of players."""


@jit
def observe(state: State, seat: int, out: np.ndarray) -> None:
    """Write what ``seat`` sees into zeroed ``out`` (size,), as ``layout`` has it."""
    n = state.num_players
    for k in range(n):
        other = (seat + k) % n
        for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
            place = k * NUM_COLUMNS + column - FIRST_COLUMN
            out[AT.pieces[n] + place] = state.pieces[other, column] / HEIGHT[column]
        won = min(columns_won(state, other) / state.columns_to_win, 1.0)
        out[AT.columns_won[n] + k] = won
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        place = column - FIRST_COLUMN
        out[AT.runners[n] + place] = state.runners[column] / HEIGHT[column]
        out[AT.conquered[n] + place] = state.owner[column] != NOBODY
    out[AT.free_runners[n]] = state.free_runners / NUM_RUNNERS
    for die in state.dice:
        out[AT.dice[n] + die - 1] += 1 / NUM_DICE
    out[AT.choosing[n]] = state.choosing
    out[AT.to_move[n] + (state.player - seat) % n] = 1
    out[AT.seat[n] + seat] = 1
    if state.max_turns > 0:
        out[AT.turns[n]] = state.turns / state.max_turns


@jit
def restore(seen: Any, state: State) -> None:
    """Fill a record with what an observation (size,) shows; the observer is seat 0.

    This is ``observe`` the other way round: everything but the random stream, the
    order of the dice and, without a cap, the turns. Options stand in the record.
    """
    n = state.num_players
    state.owner[:] = NOBODY
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        place, top = column - FIRST_COLUMN, HEIGHT[column]
        for seat in range(n):
            space = round(seen[AT.pieces[n] + seat * NUM_COLUMNS + place] * top)
            state.pieces[seat, column] = space
            if space == top:
                state.owner[column] = seat
        state.runners[column] = round(seen[AT.runners[n] + place] * top)
    state.free_runners = round(seen[AT.free_runners[n]] * NUM_RUNNERS)
    die = 0
    for face in range(FACES):
        showing = die + round(seen[AT.dice[n] + face] * NUM_DICE)
        while die < min(showing, NUM_DICE):
            state.dice[die] = face + 1
            die += 1
    for seat in range(n):
        if seen[AT.to_move[n] + seat] > 0:
            state.player = seat
    state.turns = round(seen[AT.turns[n]] * state.max_turns)
    state.num_choices = 0
    state.choosing = seen[AT.choosing[n]] > 0
    if state.choosing:
        find_choices(state)


class Seen(NamedTuple):
    """What an observation shows; see ``decode``.

    Players are counted from the observer, who is 0, clockwise. Columns are indexed by
    their number, as in the record: 0 and 1 name none.

    Attributes:
        pieces: Spaces climbed (players, 13); 0 for no piece.
        runners: Spaces of the runners (13,); 0 for none.
        owner: Who conquered a column (13,), or ``NOBODY``, which is -1.
        columns_won: How many each player has conquered (players,).
        free_runners: Runners not on the board.
        dice: The last roll (4,) in ascending order.
        choosing: Whether columns are to be chosen; else roll or stop.
        player: Who is to move.
        seat: The observer's seat of the table.
        turns: Completed by all together; None in a game without a cap on them.
    """

    pieces: np.ndarray
    runners: np.ndarray
    owner: np.ndarray
    columns_won: np.ndarray
    free_runners: int
    dice: np.ndarray
    choosing: bool
    player: int
    seat: int
    turns: int | None


def decode(observation: np.ndarray, game: Game) -> Seen:
    """Return what an observation (size,) shows, in whole numbers.

    >>> from game_core import Position, load_game
    >>> position = Position.new(load_game("cant_stop", starting_player=0), seed=0)
    >>> seen = decode(position.observation(seat=0), position.game)
    >>> seen.dice.tolist(), seen.free_runners, seen.player
    ([3, 4, 6, 6], 3, 0)

    Args:
        observation: ``view.observation`` of a bot, or
            ``env.observe(agent)["observation"]``.
        game: The game with its options, ``view.game`` of a bot.

    Raises:
        ValueError: If it is no observation of this game.
    """
    state, shown = game.read(observation, restore)
    players = np.arange(game.num_players)
    return Seen(
        pieces=state.pieces[players].astype(np.int64),
        runners=state.runners.astype(np.int64),
        owner=state.owner.astype(np.int64),
        columns_won=(state.owner == players[:, np.newaxis]).sum(axis=1),
        free_runners=int(state.free_runners),
        dice=state.dice.astype(np.int64),
        choosing=bool(state.choosing),
        player=int(state.player),
        seat=int(shown["seat"].argmax()),
        turns=None if state.max_turns == NO_CAP else int(state.turns),
    )
