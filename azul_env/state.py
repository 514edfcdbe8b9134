"""The tiles, the actions and the record of a game of Azul."""

import numpy as np

from game_core.compiled.record import Cells, Record, field, record_dtype

__all__ = [
    "ACTIONS_PER_SOURCE",
    "COLORED",
    "COLORS",
    "FLOOR",
    "FLOOR_COST",
    "FLOOR_PENALTIES",
    "FLOOR_SPACES",
    "GREY",
    "MARGIN",
    "MARKER",
    "MAX_DISPLAYS",
    "MAX_PLAYERS",
    "MAX_POINTS",
    "MAX_ROUNDS",
    "MIN_PLAYERS",
    "NONE",
    "NO_CAP",
    "NUM_COLORS",
    "NUM_COLUMNS",
    "NUM_LINES",
    "PLACES",
    "RANDOM_START",
    "REWARD",
    "STATE",
    "TILES_PER_COLOR",
    "TILES_PER_DISPLAY",
    "VERSION",
    "WALL",
    "State",
    "num_displays",
    "num_offer_actions",
]

VERSION = 0  # grows when the same seed and actions can lead to another record

MIN_PLAYERS, MAX_PLAYERS = 2, 4

# AZ1: tiles, and factory displays by number of players.
COLORS = ("blue", "yellow", "red", "black", "white")
NUM_COLORS = len(COLORS)
TILES_PER_COLOR = 20
TILES_PER_DISPLAY = 4
MAX_DISPLAYS = 2 * MAX_PLAYERS + 1

# AZ4: pattern line i, counted from 0, holds i + 1 tiles; the wall has as many rows.
NUM_LINES = 5
NUM_COLUMNS = 5

# AZ10: what each space of the floor line costs, and what the first k cost together.
FLOOR_PENALTIES = (1, 1, 2, 2, 2, 3, 3)
FLOOR_SPACES = len(FLOOR_PENALTIES)
FLOOR_COST = np.cumsum([0, *FLOOR_PENALTIES])

NONE = -1  # no tile, no color, no seat
MARKER = NUM_COLORS  # the starting-player marker, where a tile could lie

# The side of the player boards.
COLORED, GREY = 0, 1
WALL = {"colored": COLORED, "grey": GREY}

RANDOM_START = -1  # the starting player, when it is not a fixed seat
NO_CAP = 0  # on rounds
MAX_ROUNDS = 10**9
MAX_POINTS = 10**6

# What a game pays.
WIN, MARGIN = 0, 1
REWARD = {"win": WIN, "margin": MARGIN}


class State(Record):
    """One game. Actions are listed below."""

    # Options, fixed for the whole game.
    wall_side: int = field(np.int8)  # COLORED or GREY
    first_seat: int = field(np.int8)  # who starts the game, or RANDOM_START
    reward: int = field(np.int8)  # WIN or MARGIN
    max_rounds: int = field(np.int32)  # NO_CAP: none
    # The round.
    round_number: int = field(np.int32)  # from 1
    starting_player: int = field(np.int64)  # who started this round
    marker_owner: int = field(np.int64)  # who took the marker this round, or NONE
    tiling: bool = field(np.bool_)  # grey side: the player has to choose a wall column
    tiling_line: int = field(np.int64)  # for the tile of this line
    # Tiles, counted by color.
    bag: Cells = field(np.int8, NUM_COLORS)  # to be drawn from
    lid: Cells = field(np.int8, NUM_COLORS)  # discarded
    num_displays: int = field(np.int64)  # by the number of players
    sources: Cells = field(np.int8, MAX_DISPLAYS + 1, NUM_COLORS)  # displays, centre
    # Player boards, by seat.
    line_color: Cells = field(np.int8, MAX_PLAYERS, NUM_LINES)  # NONE: an empty line
    line_count: Cells = field(np.int8, MAX_PLAYERS, NUM_LINES)  # tiles in the line
    wall: Cells = field(np.int8, MAX_PLAYERS, NUM_LINES, NUM_COLUMNS)  # color, or NONE
    row_holds: Cells = field(np.int8, MAX_PLAYERS, NUM_LINES, NUM_COLORS)  # 0 or 1
    floor: Cells = field(np.int8, MAX_PLAYERS, FLOOR_SPACES)  # color, MARKER or NONE
    floor_count: Cells = field(np.int8, MAX_PLAYERS)  # spaces filled
    score: Cells = field(np.int32, MAX_PLAYERS)  # points


STATE = record_dtype(State)

# An action of the factory offer: source (displays, then the centre) x color x line.
FLOOR = NUM_LINES  # the line that is the floor
PLACES = NUM_LINES + 1
ACTIONS_PER_SOURCE = NUM_COLORS * PLACES


def num_displays(num_players: int) -> int:
    """AZ1: 5, 7 or 9 factory displays."""
    return 2 * num_players + 1


def num_offer_actions(num_players: int) -> int:
    """Return the number of actions of the factory offer; wall columns follow them."""
    return (num_displays(num_players) + 1) * ACTIONS_PER_SOURCE
