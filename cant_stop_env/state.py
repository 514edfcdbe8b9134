"""The board, the actions and the record of a game of Can't Stop."""

import numpy as np

from game_core.compiled.record import Cells, Record, field, record_dtype

__all__ = [
    "ACTION_OF_PAIR",
    "COLUMNS_OF_ACTION",
    "FIRST_COLUMN",
    "FIRST_SINGLE",
    "HEIGHT",
    "JUMP",
    "LAST_COLUMN",
    "MARGIN",
    "MAX_CHOICES",
    "MAX_PLAYERS",
    "MAX_TURNS",
    "NOBODY",
    "NO_CAP",
    "NO_REST",
    "NUM_ACTIONS",
    "NUM_COLUMNS",
    "NUM_DICE",
    "NUM_RUNNERS",
    "OCCUPIED",
    "REWARD",
    "ROLL",
    "ROLL_FOR_START",
    "STATE",
    "STOP",
    "VERSION",
    "State",
]

VERSION = 0  # grows when the same seed and actions can lead to another record

FIRST_COLUMN = 2
LAST_COLUMN = 12
NUM_COLUMNS = LAST_COLUMN - FIRST_COLUMN + 1

# CS1: spaces in each column, by the column's number (0 and 1 name no column).
HEIGHT = np.array([0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3], np.int8)

MAX_PLAYERS = 4
NUM_RUNNERS = 3
NUM_DICE = 4
NOBODY = -1

# What a space that holds an opponent's piece means for a runner.
SHARE, JUMP, NO_REST = 0, 1, 2
OCCUPIED = {"share": SHARE, "jump": JUMP, "no_rest": NO_REST}

# How the starting player is found when it is not a fixed seat.
ROLL_FOR_START = -1

# What a game pays.
WIN, MARGIN = 0, 1
REWARD = {"win": WIN, "margin": MARGIN}

# The cap on turns: NO_CAP, or up to MAX_TURNS.
NO_CAP = 0
MAX_TURNS = 10**9

# Three ways to pair four dice, each of at most two actions.
MAX_CHOICES = 6


class State(Record):
    """One game. After a roll ``choosing`` holds, and ``choices`` are its actions."""

    # Options, fixed for the whole game.
    columns_to_win: int = field(np.int8)  # by one player
    occupied: int = field(np.int8)  # SHARE, JUMP or NO_REST
    starting_player: int = field(np.int8)  # a seat, or ROLL_FOR_START
    reward: int = field(np.int8)  # WIN or MARGIN
    max_turns: int = field(np.int32)  # NO_CAP: none
    # The board. Columns are indexed by their number; spaces count from 1.
    turns: int = field(np.int32)  # turns completed, by all players together
    pieces: Cells = field(np.int8, MAX_PLAYERS, LAST_COLUMN + 1)  # 0: no piece
    owner: Cells = field(np.int8, LAST_COLUMN + 1)  # who conquered it, or NOBODY
    runners: Cells = field(np.int8, LAST_COLUMN + 1)  # 0: no runner
    free_runners: int = field(np.int8)  # runners not on the board
    dice: Cells = field(np.int8, NUM_DICE)  # the last roll
    choosing: bool = field(np.bool_)  # columns are to be chosen; else roll or stop
    choices: Cells = field(np.int8, MAX_CHOICES)  # the actions this roll allows
    num_choices: int = field(np.int8)  # how many of them count


STATE = record_dtype(State)

# Actions 0 to 65: both columns of a pair, the smaller one first, doubles included.
PAIRS = [
    (a, b)
    for a in range(FIRST_COLUMN, LAST_COLUMN + 1)
    for b in range(a, LAST_COLUMN + 1)
]
# Actions 66 to 76: one column alone.
FIRST_SINGLE = len(PAIRS)
ROLL = FIRST_SINGLE + NUM_COLUMNS
STOP = ROLL + 1
NUM_ACTIONS = STOP + 1

# The columns that an action moves in; 0 for none.
COLUMNS_OF_ACTION = np.array(
    PAIRS + [(a, 0) for a in range(FIRST_COLUMN, LAST_COLUMN + 1)] + [(0, 0), (0, 0)]
)

# The action of a pair of columns, in either order.
ACTION_OF_PAIR = np.zeros((LAST_COLUMN + 1, LAST_COLUMN + 1), np.int64)
for _action, (_a, _b) in enumerate(PAIRS):
    ACTION_OF_PAIR[_a, _b] = ACTION_OF_PAIR[_b, _a] = _action
