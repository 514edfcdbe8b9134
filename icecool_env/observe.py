"""What a player of ICECOOL sees, as numbers from 0 to 1.

The same data, ``layout``, sizes the observation and documents it. The values of other
players' face-down cards, and what is left in the deck, show nowhere.
"""

from typing import Any

from game_core.compiled.jit import jit
from icecool_env.rules import num_rounds
from icecool_env.spots import can_choose_room, doorway_of, is_close_to_wall
from icecool_env.state import (
    FISH_DOORS,
    MAX_CARDS,
    NONE,
    NUM_PHASES,
    NUM_VALUES,
)

PER_PLAYER = (
    ("on_board", 1, "1 if the penguin is in the school"),
    ("x", 1, "place from west to east / width of the school; 0 off the board"),
    ("y", 1, "place from south to north / height of it; 0 off the board"),
    ("first_flick", 1, "1 if it has to be flicked off the red circle"),
    ("close_to_wall", 1, "1 if it may be put on the red line of its room"),
    ("stuck", 1, "1 if it is stuck in a door"),
    ("choice_of_rooms", 1, "1 if it is stuck and may go to either room"),
    ("catcher", 1, "1 for the Catcher"),
    ("caught", 1, "times caught / 2"),
    ("fish", FISH_DOORS, "by door with fish: 1 if it has taken its own"),
    ("face_down", 1, "cards held face down / 45"),
    ("face_up", 1, "cards revealed / 45"),
    ("to_move", 1, "1 for the player to move"),
    ("seat", 1, "seat of the table / (players - 1)"),
)
"""The parts of an observation that come once for each player."""

PLAYER_ENTRIES = sum(width for _, width, _ in PER_PLAYER)

FOR_ALL = (
    ("own_cards", NUM_VALUES, "by value, 0 to 3: own face-down cards / 45"),
    (
        "phase",
        NUM_PHASES,
        "1 if the observer has to place, to flick, to say whether to skate",
    ),
    ("deck", 1, "cards left / 45"),
    ("round", 1, "rounds completed / all rounds"),
    ("flicks", 1, "flicks of this round / max_flicks"),
)
"""The parts that come once, at the end."""


def layout(num_players: int) -> tuple[tuple[str, int, str], ...]:
    """Return the parts of an observation in order: name, size, meaning.

    Players are counted from the observer: 0 is the observer, then clockwise.
    """
    players = tuple(
        (f"{name}_{player}", width, f"player {player}: {meaning}")
        for player in range(num_players)
        for name, width, meaning in PER_PLAYER
    )
    return players + FOR_ALL


def size(num_players: int) -> int:
    """Return the number of entries of an observation."""
    return sum(width for _, width, _ in layout(num_players))


@jit
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what ``seat`` sees into zeroed ``out`` (size,), as ``layout`` has it."""
    n = state.num_players
    for k in range(n):
        first = k * PLAYER_ENTRIES
        observe_player(state, (seat + k) % n, out[first : first + PLAYER_ENTRIES])
    place = n * PLAYER_ENTRIES
    cards_left = 0
    for value in range(NUM_VALUES):
        out[place + value] = state.face_down[seat, value] / MAX_CARDS
        cards_left += state.deck[value]
    place += NUM_VALUES
    if state.player == seat and not state.terminated:
        out[place + state.phase] = 1.0
    place += NUM_PHASES
    out[place] = cards_left / MAX_CARDS
    out[place + 1] = (state.round_number + state.terminated) / num_rounds(n)
    out[place + 2] = state.flicks / state.max_flicks


@jit
def observe_player(state: Any, seat: int, out: Any) -> None:
    """Write what everybody sees of a player into ``out`` (``PLAYER_ENTRIES``,)."""
    if state.on_board[seat]:
        out[0] = 1.0
        out[1] = state.x[seat] / width(state)
        out[2] = state.y[seat] / height(state)
        door = doorway_of(state, seat)
        out[4] = door == NONE and is_close_to_wall(state, seat)
        out[5] = door != NONE
        out[6] = door != NONE and can_choose_room(state, seat, door)
    out[3] = state.first_flick[seat]
    out[7] = seat == state.catcher
    out[8] = state.caught[seat] / 2.0
    for fish in range(FISH_DOORS):
        out[9 + fish] = state.fish_taken[seat, fish]
    rest = 9 + FISH_DOORS
    cards = 0
    for value in range(NUM_VALUES):
        cards += state.face_down[seat, value]
    out[rest] = cards / MAX_CARDS
    out[rest + 1] = state.face_up[seat] / MAX_CARDS
    out[rest + 2] = state.player == seat and not state.terminated
    out[rest + 3] = seat / (state.num_players - 1)


@jit
def width(state: Any) -> float:
    """Return the width of the school."""
    most = 0.0
    for room in range(state.num_rooms):
        most = max(most, state.room[room, 2])
    return most


@jit
def height(state: Any) -> float:
    """Return the height of the school on the plan."""
    most = 0.0
    for room in range(state.num_rooms):
        most = max(most, state.room[room, 3])
    return most
