"""Positions of ICECOOL set up by hand, and flicks that are told, not simulated.

Cards are words such as "113", a digit for the value of each card.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from game_core import Position, load_game
from icecool_env import rules
from icecool_env.physics.events import MOTION, note_events, start_motion
from icecool_env.school import STANDARD, Door, Room, School
from icecool_env.state import (
    EXIT,
    FISH_DOORS,
    FLICK,
    MAX_EVENTS,
    NONE,
    NUM_VALUES,
    PASS,
    PLACE,
    SKATES,
    TOUCH,
)

PLAYER_COUNTS = (2, 3, 4)

MIRRORED = School(
    rooms=tuple(
        Room(r.name, 600 - r.right, r.bottom, 600 - r.left, r.top)
        for r in STANDARD.rooms
    ),
    doors=tuple(
        Door(d.name, d.rooms, d.at, d.fish)
        if STANDARD.wall_of(d).upright
        else Door(d.name, d.rooms, 600 - d.at, d.fish)
        for d in STANDARD.doors
    ),
)

# The doors, and the fish that hang on some of them.
D1, D2, D3, D4, C1, C2, C4 = range(7)
FISH_AT = {D1: 0, D2: 1, D4: 2}

CLASSROOM, KITCHEN, LUNCHROOM, GYM, RECREATION = range(5)

# Spots inside the red lines.
CIRCLE = (182.5, 117.5)
IN_KITCHEN = (417.5, 482.5)
IN_CLASSROOM = (80.0, 150.0)
IN_LUNCHROOM = (117.5, 417.5)
IN_GYM = (482.5, 182.5)
HOME = (IN_KITCHEN, IN_CLASSROOM, IN_LUNCHROOM, IN_GYM)
"""Where the penguins stand by seat, unless told otherwise."""

Place = tuple[float, float]
Event = tuple[int, int, int, int]

FLAT_EAST = (1.0, 0.0, 0.0, 0.0, -1.0, -1.0)
FROM_RED_LINE = (1.0, 0.0, 0.0, 0.0, -1.0, 0.5)
FROM_OTHER_ROOM = (1.0, 0.0, 0.0, 0.0, -1.0, 1.0)


def set_up(
    *,
    num_players: int = 3,
    catcher: int = 0,
    player: int = 1,
    phase: int = FLICK,
    places: Mapping[int, Place | None] | None = None,
    first_flick: Sequence[int] = (),
    caught: Mapping[int, int] | None = None,
    fish: Mapping[int, Sequence[int]] | None = None,
    hands: Mapping[int, str] | None = None,
    face_up: Mapping[int, int] | None = None,
    left: str | None = None,
    round_number: int = 0,
    flicks: int = 0,
    reflicks: int = 0,
    **options: Any,
) -> Position:
    """Return a position in mid-round.

    Args:
        num_players: From 2 to 4.
        catcher: Its seat.
        player: The seat to move.
        phase: What it decides.
        places: Where penguins stand, None off the board; ``HOME`` if left out.
        first_flick: The seats whose first flick is still to come.
        caught: Seat -> how often.
        fish: Seat -> the doors whose fish it has taken.
        hands: Seat -> cards face down.
        face_up: Seat -> number of cards revealed.
        left: Cards in the deck; all that nobody has if left out.
        round_number: From 0.
        flicks: Of this round, so far.
        reflicks: In a row, of the player to move.
        **options: Of the game.
    """
    game = load_game("icecool", num_players=num_players, **options)
    position = Position.new(game, 0)
    state = position.states[0]
    state.catcher, state.player, state.phase = catcher, player, phase
    state.round_number, state.flicks, state.reflicks = round_number, flicks, reflicks
    spots = dict(enumerate(HOME[:num_players])) | dict(places or {})
    for seat, spot in spots.items():
        state.on_board[seat] = spot is not None
        state.x[seat], state.y[seat] = spot or (0.0, 0.0)
    for seat in first_flick:
        state.first_flick[seat] = 1
    for seat, times in (caught or {}).items():
        state.caught[seat] = times
    for seat, doors in (fish or {}).items():
        for door in doors:
            state.fish_taken[seat, FISH_AT[door]] = 1
    for seat, cards in (hands or {}).items():
        state.face_down[seat] = counted(cards)
    for seat, count in (face_up or {}).items():
        state.face_up[seat] = count
    state.deck[:] = all_the_rest(state) if left is None else counted(left)
    return Position(game, position.states)


def counted(cards: str) -> list[int]:
    """Return how many cards of each value a word has."""
    return [cards.count(str(value)) for value in range(NUM_VALUES)]


def all_the_rest(state: Any) -> np.ndarray:
    """Return the cards of the whole deck, by value, that nobody has."""
    left = state.deck_cards - state.face_down.sum(axis=0, dtype=np.int8)
    left[0] = 0
    left[1] -= state.face_up.sum()
    return left


def touch(step: int, seat: int, other: int) -> Event:
    """Two penguins touch."""
    return (step, TOUCH, seat, other)


def passes(step: int, seat: int, door: int) -> Event:
    """A penguin has passed a door."""
    return (step, PASS, seat, door)


def leaves(step: int, seat: int) -> Event:
    """A penguin leaves the school."""
    return (step, EXIT, seat, NONE)


def flick(
    position: Position,
    *events: Event,
    to: Mapping[int, Place] | None = None,
    action: Sequence[float] = FLAT_EAST,
) -> Any:
    """Judge a flick in which these things happened; return the record.

    Args:
        position: Whose player to move flicks; it changes.
        *events: In the order of A1.
        to: Seat -> where it comes to rest; the others stay.
        action: How the penguin is hit.
    """
    state = position.states[0]
    assert state.phase == FLICK
    rules.set_up_flick(state, np.array(action, np.float32))
    for seat, (x, y) in (to or {}).items():
        state.x[seat], state.y[seat] = x, y
    rules.judge(state, np.array(events, np.int64).reshape(-1, 4))
    rules.put_on_circle(state)
    return state


def answer(position: Position, wanted: bool) -> Any:
    """Answer the question about skates; return the record."""
    state = position.states[0]
    assert state.phase == SKATES
    rules.decide_on_skates(state, wanted)
    rules.put_on_circle(state)
    return state


def place(position: Position, across: float = 0.0, up: float = 0.0) -> Any:
    """Place the Catcher; return the record."""
    state = position.states[0]
    assert state.phase == PLACE
    rules.place(state, across, up)
    rules.put_on_circle(state)
    return state


def walk(
    position: Position, ways: Mapping[int, Sequence[Sequence[float]]]
) -> list[Event]:
    """Return what is noted while penguins go these ways, a point in each step.

    Args:
        position: Where the penguins start; it does not change.
        ways: Seat -> points (x, y), or (x, y, height of the base). The first of them
            flicked. Who has no point left stays there, at rest.
    """
    state = position.copy().states[0]
    state.flicked = next(iter(ways))
    motion = np.zeros(1, MOTION)[0]
    for seat in range(state.num_players):
        motion.present[seat] = state.on_board[seat]
        motion.x[seat], motion.y[seat] = state.x[seat], state.y[seat]
    start_motion(state, motion)
    events = np.zeros((MAX_EVENTS, 4), np.int64)
    count = 0
    steps = itertools.zip_longest(*ways.values())
    for step, points in enumerate(steps, start=1):
        motion.was_x[:], motion.was_y[:] = motion.x, motion.y
        for seat, point in zip(ways, points, strict=True):
            if point is not None and motion.present[seat]:
                x, y, *height = point
                motion.x[seat], motion.y[seat] = x, y
                motion.z[seat] = height[0] if height else 0.0
        count = note_events(state, motion, step, events, count)
        motion.present[motion.leaving == 1] = 0
        motion.leaving[:] = 0
    return [(a, b, c, d) for a, b, c, d in events[:count].tolist()]


def where(state: Any, seat: int) -> Place:
    """Return where a penguin stands."""
    assert state.on_board[seat]
    return float(state.x[seat]), float(state.y[seat])


def has_fish(state: Any, seat: int) -> list[int]:
    """Return the doors whose fish a player has taken."""
    return [door for door, fish in FISH_AT.items() if state.fish_taken[seat, fish]]


def hand(state: Any, seat: int) -> str:
    """Return the face-down cards of a player."""
    cards = state.face_down[seat].tolist()
    return "".join(str(value) * count for value, count in enumerate(cards))


def num_cards(state: Any) -> list[int]:
    """Return how many face-down cards each player has."""
    return state.face_down.sum(axis=1)[: state.num_players].tolist()


def turn(state: Any) -> tuple[int, int]:
    """Return who decides what."""
    return int(state.player), int(state.phase)


def status(position: Position) -> list[str]:
    """Return everything that is wrong with a position, in words."""
    state = position.states[0]
    return [
        *_wrong_cards(state),
        *_wrong_places(state),
        *_wrong_round(state),
        *_wrong_seats(state),
    ]


def _wrong_cards(state: Any) -> list[str]:
    faults = []
    held = state.deck + state.face_down.sum(axis=0, dtype=np.int8)
    held[1] += state.face_up.sum()
    if (held[1:] != state.deck_cards[1:]).any() or state.deck[0]:
        faults.append(f"there are {held} cards")
    if min(state.deck.min(), state.face_down.min(), state.face_up.min()) < 0:
        faults.append("fewer than no cards")
    if state.face_down[:, 0].any() and not state.blank_cards:
        faults.append("a blank card")
    if (state.face_up % 2).any():
        faults.append("a single card revealed")
    return faults


def _wrong_places(state: Any) -> list[str]:
    faults = []
    seats = np.flatnonzero(state.on_board[: state.num_players])
    for seat in seats:
        x, y = state.x[seat], state.y[seat]
        rooms = state.room[: state.num_rooms]
        inside = (rooms[:, :2] <= (x, y)).all(axis=1) & (rooms[:, 2:] >= (x, y)).all(
            axis=1
        )
        if not inside.any():
            faults.append(f"penguin {seat} is out of the school")
        pieces = state.piece[: state.num_pieces]
        near = np.clip((x, y), pieces[:, :2], pieces[:, 2:])
        if np.hypot(*(near - (x, y)).T).min() < 18 - 1e-6:
            faults.append(f"penguin {seat} is in a wall")
    for one, other in itertools.combinations(seats, 2):
        distance = np.hypot(
            state.x[one] - state.x[other], state.y[one] - state.y[other]
        )
        if distance < 30 - 1e-6:
            faults.append(f"penguins {one} and {other} overlap")
    return faults


def _wrong_round(state: Any) -> list[str]:
    faults = []
    runners = [s for s in range(state.num_players) if s != state.catcher]
    if state.fish_taken[state.catcher].any() or state.caught[state.catcher]:
        faults.append("the Catcher has fish, or was caught")
    most = 2 if state.num_players == 2 else 1
    if state.caught.max() > most:
        faults.append("caught too often")
    if not state.terminated:
        if (state.fish_taken[runners].sum(axis=1) == FISH_DOORS).any():
            faults.append("the round goes on with three fish")
        if (state.caught[runners] == most).all():
            faults.append("the round goes on with all caught")
        if state.flicks >= state.max_flicks:
            faults.append("the round goes on after its last flick")
        if state.first_flick[state.catcher]:
            faults.append("a first flick of the Catcher")
        if state.endings.sum() != state.round_number:
            faults.append("rounds that have not ended")
    rounds = 4 if state.num_players == 2 else state.num_players
    if state.terminated and state.endings.sum() != rounds:
        faults.append("over too early")
    return faults


def _wrong_seats(state: Any) -> list[str]:
    faults = []
    n = state.num_players
    if state.player not in range(n) or state.catcher not in range(n):
        faults.append("nobody's turn")
    boards = (state.face_up, state.caught, state.first_flick, state.on_board)
    if any(part[n:].any() for part in boards) or any(
        part[n:].any() for part in (state.face_down, state.fish_taken)
    ):
        faults.append("something of a player who is not in the game")
    if state.terminated:
        return faults
    if state.phase == PLACE and (
        state.player != state.catcher or state.on_board.any() or state.flicks
    ):
        faults.append("no time to place a penguin")
    if state.phase == FLICK and not state.on_board[state.player]:
        faults.append("nothing to flick")
    if state.phase == SKATES and (
        state.face_down[state.player, 1] < 2 or not state.skates
    ):
        faults.append("no cards for skates")
    if state.reflicks and not state.first_flick[state.player]:
        faults.append("a repeated flick that is no first one")
    if not 0 <= state.reflicks < 20:
        faults.append(f"{state.reflicks} repeated flicks")
    return faults
