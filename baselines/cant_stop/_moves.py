"""What each legal move of Can't Stop does, as numbers that a network can weigh.

How likely the next roll is a bust follows from the set of columns in which a runner
could move then: a network that sees the position alone would have to learn it for each
of the sets. Told that, and where the runners stand after each move, it has to learn
what they are worth. Everything is computed from the observation, which shows the whole
position.
"""

import numpy as np

from baselines.cant_stop._heuristic import points_of_turn
from baselines.cant_stop._rolls import CHANCE
from baselines.cant_stop.rule_of_28 import WEIGHTS
from cant_stop_env.observe import restore as restore
from cant_stop_env.rules import can_move_in, move_runners
from cant_stop_env.state import (
    COLUMNS_OF_ACTION,
    FIRST_COLUMN,
    HEIGHT,
    LAST_COLUMN,
    NOBODY,
    NUM_COLUMNS,
    NUM_RUNNERS,
    ROLL,
    STOP,
    State,
)
from game_core.compiled.jit import jit
from game_core.game import Game
from game_core.layout import Layout

OWN = 0  # the seat of the observer in a position read from an observation

ENOUGH = 28.0  # points that show as 1

FEATURES = Layout.of(
    ("roll", (), "1 for rolling"),
    ("stop", (), "1 for stopping"),
    ("moved", (NUM_COLUMNS,), "by column: times that the move names it / 2"),
    ("runner", (NUM_COLUMNS,), "by column, after the move: 1 if a runner is in it"),
    ("height", (NUM_COLUMNS,), "by column, after the move: of the runner / top"),
    ("gained", (NUM_COLUMNS,), "by column, after the move: spaces of this turn / top"),
    ("free", (), "runners not on the board, after the move / 3"),
    ("safe", (), "chance that a roll then is no bust"),
    ("points", (), "of the turn then, by the Rule of 28 / 28"),
    ("gain", (), "sum of the spaces of this turn, each / top"),
    ("topped", (), "columns topped in this turn / 3"),
    ("won", (), "columns conquered if the turn stopped then / columns to win"),
    ("wins", (), "1 if that wins"),
    ("rivals", (), "sum of the rivals' highest pieces where runners are, each / top"),
    ("rival_won", (), "most columns that a rival has / columns to win"),
)
"""What is told of a move, in order."""

FEATURE = FEATURES.offsets()
"""Where each of that begins."""


def check(game: Game) -> None:
    """Raise ``ValueError`` unless the moves of a game can be described: all can."""


def legal_moves(game: Game, observations: np.ndarray, boards: np.ndarray) -> np.ndarray:
    """Return the legal moves (k, actions) int8 of positions; see ``MovesModule``."""
    return game.action_masks(boards)


@jit
def describe_all(boards: np.ndarray, moves: np.ndarray, features: np.ndarray) -> None:
    """Write what moves (m, 2) do into zeroed ``features``; see ``MovesModule``."""
    if len(moves) == 0:
        return
    scratch = boards[:1].copy()
    after = scratch[0]
    for k in range(len(moves)):
        action, out = moves[k, 1], features[k]
        scratch[0] = boards[moves[k, 0]]
        out[FEATURE.roll], out[FEATURE.stop] = action == ROLL, action == STOP
        for column in COLUMNS_OF_ACTION[action]:
            if column != 0:
                out[FEATURE.moved + column - FIRST_COLUMN] += 0.5
        if after.choosing:
            move_runners(after, action)
        describe_runners(after, out)
        describe_turn(after, out)


@jit
def describe_runners(after: State, out: np.ndarray) -> None:
    """Write where the runners stand."""
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        space, place = after.runners[column], column - FIRST_COLUMN
        if space > 0:
            gained = space - after.pieces[OWN, column]
            out[FEATURE.runner + place] = 1
            out[FEATURE.height + place] = space / HEIGHT[column]
            out[FEATURE.gained + place] = gained / HEIGHT[column]


@jit
def describe_turn(after: State, out: np.ndarray) -> None:
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
    out[FEATURE.free] = after.free_runners / NUM_RUNNERS
    out[FEATURE.safe] = CHANCE[movable]
    out[FEATURE.points] = points_of_turn(WEIGHTS[0], after) / ENOUGH
    out[FEATURE.gain] = gain
    out[FEATURE.topped] = topped / NUM_RUNNERS
    out[FEATURE.won] = (won[OWN] + topped) / after.columns_to_win
    out[FEATURE.wins] = topped > 0 and won[OWN] + topped >= after.columns_to_win
    out[FEATURE.rivals] = rivals
    most = 0
    for seat in range(1, after.num_players):
        most = max(most, won[seat])
    out[FEATURE.rival_won] = most / after.columns_to_win
