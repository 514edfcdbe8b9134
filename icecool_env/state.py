"""The penguins, the decisions and the record of a game of ICECOOL."""

import numpy as np

from game_core.compiled.record import Cells, Record, field, record_dtype

__all__ = [
    "BY_CAP",
    "BY_CATCH",
    "BY_FISH",
    "CARDS_FOR_SKATES",
    "CIRCLE_RADIUS",
    "CLEAR_OF_WALL",
    "COMPONENTS",
    "DECKS",
    "EXIT",
    "FASTEST",
    "FASTEST_SPIN",
    "FISH_DOORS",
    "FLICK",
    "HEIGHT",
    "LINTEL_HEIGHT",
    "MARGIN",
    "MAX_CARDS",
    "MAX_DOORS",
    "MAX_EVENTS",
    "MAX_FLICKS",
    "MAX_PIECES",
    "MAX_PLAYERS",
    "MAX_ROOMS",
    "MIN_PLAYERS",
    "NONE",
    "NUM_COMPONENTS",
    "NUM_ENDINGS",
    "NUM_EVENT_FIELDS",
    "NUM_PHASES",
    "NUM_VALUES",
    "PASS",
    "PENGUIN_HEIGHT",
    "PENGUIN_RADIUS",
    "PLACE",
    "RANDOM_CATCHER",
    "RED_LINE",
    "REWARD",
    "SIDE",
    "SKATES",
    "SLOWEST",
    "STATE",
    "STEEPEST",
    "STRAIGHT",
    "STRENGTH",
    "TOUCH",
    "TOUCHING",
    "TOURNAMENT",
    "VERSION",
    "WALL_HEIGHT",
    "State",
    "X",
    "Y",
]

VERSION = 0  # grows when the same seed and actions can lead to another record

MIN_PLAYERS, MAX_PLAYERS = 2, 4

# R2: decided, in millimetres.
PENGUIN_RADIUS = 15.0
PENGUIN_HEIGHT = 42.0
WALL_HEIGHT = 65.0
LINTEL_HEIGHT = 50.0  # R2: the lower edge of the wall over a door
CLEAR_OF_WALL = 18.0  # a penguin's radius and half a wall
TOUCHING = 2 * PENGUIN_RADIUS
CIRCLE_RADIUS = 20.0  # R14

# The school: see school.py.
FISH_DOORS = 3
MAX_ROOMS, MAX_DOORS = 8, 12
MAX_PIECES = 40  # of wall: eight rooms that doors connect have at most 25 walls

# What the player to move decides (a value of ``phase``).
PLACE, FLICK, SKATES = 0, 1, 2
NUM_PHASES = 3

# The components of an action.
X, Y, STRENGTH, SIDE, HEIGHT, RED_LINE = range(6)
COMPONENTS = (
    "direction x",
    "direction y",
    "strength",
    "side",
    "height",
    "red line",
)
NUM_COMPONENTS = len(COMPONENTS)

# How the numbers of a flick become motion (R6).
SLOWEST, FASTEST = 150.0, 2200.0  # mm/s
FASTEST_SPIN = 110.0  # rad/s, at full strength
STEEPEST = 75.0  # degrees
STRAIGHT = 0.05  # a hit nearer to the middle is one in the middle

# What happens in a flick, in the order in which the rules judge it (A1).
TOUCH, PASS, EXIT = 0, 1, 2
NUM_EVENT_FIELDS = 4  # step, kind, seat, and the other seat or the door
MAX_EVENTS = MAX_PLAYERS * (MAX_PLAYERS - 1) // 2 + MAX_PLAYERS * (MAX_DOORS + 1)

# R3: cards by value; a blank one has the value 0 (A19).
DECKS = {
    "45": (0, 15, 15, 15),
    "42": (0, 14, 14, 14),
    "tournament": (0, 45, 0, 0),
}
TOURNAMENT = "tournament"
NUM_VALUES = 4
MAX_CARDS = 45
CARDS_FOR_SKATES = 2

# How a round ended.
BY_FISH, BY_CATCH, BY_CAP = 0, 1, 2
NUM_ENDINGS = 3

NONE = -1  # no room, no door, no fish
RANDOM_CATCHER = -1  # the first Catcher, when it is not a fixed seat
MAX_FLICKS = 10**9

# What a game pays.
WIN, MARGIN = 0, 1
REWARD = {"win": WIN, "margin": MARGIN}


class State(Record):
    """One game."""

    # Options, fixed for the whole game.
    first_catcher: int = field(np.int8)  # a seat, or RANDOM_CATCHER
    max_flicks: int = field(np.int32)  # in a round
    reward: int = field(np.int8)  # WIN or MARGIN
    deck_cards: Cells = field(np.int8, NUM_VALUES)  # the whole deck, by value
    skates: bool = field(np.bool_)  # R22 is played
    reflick: bool = field(np.bool_)  # R14 is played
    stuck_must_move: bool = field(np.bool_)  # R33
    stuck_majority: bool = field(np.bool_)  # R32: no choice of rooms
    stuck_strict: bool = field(np.bool_)  # R33: no fish of the door stuck in
    finish_flick: bool = field(np.bool_)  # R24: events after the end of a round count
    void_on_exit: bool = field(np.bool_)  # R34
    catcher_centre: bool = field(np.bool_)  # R9: the Catcher starts in the middle
    self_catch_next_catcher: bool = field(np.bool_)  # R41
    blank_cards: bool = field(np.bool_)  # A19
    grid: Cells = field(np.int32, 4)  # see grid.py; zeros: continuous actions
    # The school (school.py), fixed too.
    num_rooms: int = field(np.int64)  # rows of ``room`` in use
    room: Cells = field(np.float64, MAX_ROOMS, 4)  # left, bottom, right, top
    classroom: int = field(np.int64)  # where Runners start
    kitchen: int = field(np.int64)  # where the Catcher starts
    num_doors: int = field(np.int64)  # rows of ``door`` in use
    door_upright: Cells = field(np.int64, MAX_DOORS)  # 1: in a wall along y, 0: along x
    door_wall: Cells = field(np.float64, MAX_DOORS)  # x of an upright wall, else y
    door_at: Cells = field(np.float64, MAX_DOORS)  # its middle along the wall
    door_room: Cells = field(np.int64, MAX_DOORS, 2)  # rooms; lower x or y first
    door_fish: Cells = field(np.int64, MAX_DOORS)  # which fish hang on it, or NONE
    num_pieces: int = field(np.int64)  # rows of ``piece`` in use
    piece: Cells = field(np.float64, MAX_PIECES, 4)  # wall: x0, y0, x1, y1
    # The game.
    phase: int = field(np.int8)  # what has to be decided: PLACE, FLICK or SKATES
    round_number: int = field(np.int64)  # from 0
    catcher: int = field(np.int64)  # seat
    deck: Cells = field(np.int8, NUM_VALUES)  # cards left, by value
    face_down: Cells = field(np.int8, MAX_PLAYERS, NUM_VALUES)  # cards held, by value
    face_up: Cells = field(np.int8, MAX_PLAYERS)  # cards revealed, all worth 1
    endings: Cells = field(np.int16, NUM_ENDINGS)  # rounds ended by fish, catch, cap
    # The round.
    flicks: int = field(np.int32)  # so far
    fish_taken: Cells = field(np.int8, MAX_PLAYERS, FISH_DOORS)  # 1 if taken
    caught: Cells = field(np.int8, MAX_PLAYERS)  # how often; R40: up to twice
    first_flick: Cells = field(np.int8, MAX_PLAYERS)  # R14: 1 if still to come
    reflicks: int = field(np.int8)  # R14: in a row, of the player to move
    # The penguins, at rest.
    on_board: Cells = field(np.int8, MAX_PLAYERS)  # R12: 0 until its first turn
    x: Cells = field(np.float64, MAX_PLAYERS)  # of its centre
    y: Cells = field(np.float64, MAX_PLAYERS)  # of its centre
    # The last flick: what it takes to see it again.
    flicked: int = field(np.int64)  # seat, or NONE before the first flick of the game
    velocity: Cells = field(np.float64, 3)  # to x, to y and up, mm/s
    spin: float = field(np.float64)  # counterclockwise, rad/s
    was_on_board: Cells = field(np.int8, MAX_PLAYERS)  # before it
    was_x: Cells = field(np.float64, MAX_PLAYERS)  # where it began
    was_y: Cells = field(np.float64, MAX_PLAYERS)  # where it began


STATE = record_dtype(State)
