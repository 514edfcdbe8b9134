"""What each legal move of Can't Stop does, as numbers that a network can weigh.

How likely the next roll is a bust follows from the set of columns in which a runner
could move then: a network that sees the position alone would have to learn it for each
of the sets. Told that, and where the runners stand after each move, it has to learn
what they are worth. Everything is computed from the observation, which shows the whole
position.
"""

from typing import Any

import numpy as np

from baselines.cant_stop._heuristic import points_of_turn
from baselines.cant_stop._rolls import CHANCE
from baselines.cant_stop.rule_of_28 import WEIGHTS
from cant_stop_env.observe import FACES
from cant_stop_env.rules import can_move_in, find_choices, legal_actions, move_runners
from cant_stop_env.state import (
    COLUMNS_OF_ACTION,
    FIRST_COLUMN,
    HEIGHT,
    LAST_COLUMN,
    NOBODY,
    NUM_COLUMNS,
    NUM_DICE,
    NUM_RUNNERS,
    ROLL,
    STOP,
)
from game_core.compiled.jit import jit
from game_core.game import Game

OWN = 0  # the seat of the observer in a position read from an observation

ENOUGH = 28.0  # points that show as 1

FEATURES = (
    ("roll", 1, "1 for rolling"),
    ("stop", 1, "1 for stopping"),
    ("moved", NUM_COLUMNS, "by column: times that the move names it / 2"),
    ("runner", NUM_COLUMNS, "by column, after the move: 1 if a runner is in it"),
    ("height", NUM_COLUMNS, "by column, after the move: of the runner / top"),
    ("gained", NUM_COLUMNS, "by column, after the move: spaces of this turn / top"),
    ("free", 1, "runners not on the board, after the move / 3"),
    ("safe", 1, "chance that a roll then is no bust"),
    ("points", 1, "of the turn then, by the Rule of 28 / 28"),
    ("gain", 1, "sum of the spaces of this turn, each / top"),
    ("topped", 1, "columns topped in this turn / 3"),
    ("won", 1, "columns conquered if the turn stopped then / columns to win"),
    ("wins", 1, "1 if that wins"),
    ("rivals", 1, "sum of the rivals' highest pieces where runners are, each / top"),
    ("rival_won", 1, "most columns that a rival has / columns to win"),
)
"""The features of a move in order: name, size, meaning."""

NUM_FEATURES = sum(size for _, size, _ in FEATURES)


def check(game: Game) -> None:
    """Raise ``ValueError`` unless the moves of a game can be described: all can."""


def describe_moves(
    observations: np.ndarray, game: Game, masks: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return moves of positions, and what they do.

    Args:
        observations: (k, size) float32 of the seats to move.
        game: The game.
        masks: The legal moves to describe (k, actions); None for all legal ones.

    Returns:
        Moves (m, 2) int64, the row of the position and the action, ordered by both;
        and their features (m, ``NUM_FEATURES``) float32.
    """
    boards = game.template.repeat(len(observations))
    legal = np.zeros((len(observations), game.num_actions), np.int8)
    read_positions(observations, boards, legal)
    moves = np.argwhere(legal if masks is None else masks)
    features = np.zeros((len(moves), NUM_FEATURES), np.float32)
    describe_all(boards, moves, game.template.copy(), features)
    return moves, features


@jit
def read_positions(observations: Any, boards: Any, masks: Any) -> None:
    """Fill records (k,) from observations (k, size), and zeroed masks (k, actions)."""
    for i in range(len(boards)):
        read_position(observations[i], boards[i])
        legal_actions(boards[i], masks[i])


@jit
def read_position(seen: Any, state: Any) -> None:
    """Fill what moves depend on into a record from an observation (size,)."""
    n, place = state.num_players, 0
    state.player = OWN
    state.owner[:] = NOBODY
    for seat in range(n):
        for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
            space = round(seen[place] * HEIGHT[column])
            state.pieces[seat, column] = space
            if space == HEIGHT[column]:
                state.owner[column] = seat
            place += 1
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        state.runners[column] = round(seen[place] * HEIGHT[column])
        place += 1
    place += NUM_COLUMNS  # conquered
    state.free_runners = round(seen[place] * NUM_RUNNERS)
    read_dice(seen[place + 1 :], state)
    state.num_choices = 0
    state.choosing = seen[place + 1 + FACES] > 0
    if state.choosing:
        find_choices(state)


@jit
def read_dice(seen: Any, state: Any) -> None:
    """Fill the dice from the entries of an observation that begin with them."""
    die = 0
    for face in range(FACES):
        for _ in range(round(seen[face] * NUM_DICE)):
            state.dice[die] = face + 1
            die += 1


@jit
def describe_all(boards: Any, moves: Any, scratch: Any, features: Any) -> None:
    """Write what moves do into zeroed features.

    Args:
        boards: (k,) records.
        moves: (m, 2), the row of the position and the action.
        scratch: (1,) record, overwritten.
        features: (m, ``NUM_FEATURES``), written.
    """
    after = scratch[0]
    for k in range(len(moves)):
        action, out = moves[k, 1], features[k]
        scratch[0] = boards[moves[k, 0]]
        out[0], out[1] = action == ROLL, action == STOP
        for column in COLUMNS_OF_ACTION[action]:
            if column != 0:
                out[2 + column - FIRST_COLUMN] += 0.5
        if after.choosing:
            move_runners(after, action)
        place = describe_runners(after, out, 2 + NUM_COLUMNS)
        describe_turn(after, out, place)


@jit
def describe_runners(after: Any, out: Any, place: int) -> int:
    """Write where the runners stand; return the place behind it."""
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        space, at = after.runners[column], place + column - FIRST_COLUMN
        if space > 0:
            gained = space - after.pieces[OWN, column]
            out[at] = 1
            out[at + NUM_COLUMNS] = space / HEIGHT[column]
            out[at + 2 * NUM_COLUMNS] = gained / HEIGHT[column]
    return place + 3 * NUM_COLUMNS


@jit
def describe_turn(after: Any, out: Any, place: int) -> None:
    """Write what the turn has come to, and what a roll would risk."""
    movable, gain, topped, rivals = 0, 0.0, 0, 0.0
    won = np.zeros(after.num_players, np.int64)
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        movable |= can_move_in(after, column) << column
        if after.owner[column] != NOBODY:
            won[after.owner[column]] += 1
        space, highest = after.runners[column], 0
        if space > 0:
            gain += (space - after.pieces[OWN, column]) / HEIGHT[column]
            topped += space == HEIGHT[column]
            for seat in range(1, after.num_players):
                highest = max(highest, after.pieces[seat, column])
            rivals += highest / HEIGHT[column]
    out[place] = after.free_runners / NUM_RUNNERS
    out[place + 1] = CHANCE[movable]
    out[place + 2] = points_of_turn(WEIGHTS[0], after) / ENOUGH
    out[place + 3] = gain
    out[place + 4] = topped / NUM_RUNNERS
    out[place + 5] = (won[OWN] + topped) / after.columns_to_win
    out[place + 6] = topped > 0 and won[OWN] + topped >= after.columns_to_win
    out[place + 7] = rivals
    for seat in range(1, after.num_players):
        out[place + 8] = max(out[place + 8], won[seat] / after.columns_to_win)
