"""What a player of ICECOOL sees, as numbers from 0 to 1, and how to read them.

One ``layout`` says where each of them stands: for who writes an observation, for who
reads it, and for the documentation. The values of other players' face-down cards, and
what is left in the deck, show nowhere.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from game_core.compiled.jit import jit
from game_core.game import Game
from game_core.layout import Block, Layout
from icecool_env.rules import num_rounds
from icecool_env.spots import can_choose_room, doorway_of, is_close_to_wall
from icecool_env.state import (
    FISH_DOORS,
    MAX_CARDS,
    NONE,
    NUM_PHASES,
    NUM_VALUES,
    State,
)

__all__ = ["Seen", "decode", "height", "layout", "observe", "restore", "size", "width"]

PER_PLAYER = Layout.of(
    ("on_board", (), "1 if the penguin is in the school"),
    ("x", (), "place from west to east / width of the school; 0 off the board"),
    ("y", (), "place from south to north / height of it; 0 off the board"),
    ("first_flick", (), "1 if it has to be flicked off the red circle"),
    ("close_to_wall", (), "1 if it may be put on the red line of its room"),
    ("stuck", (), "1 if it is stuck in a door"),
    ("choice_of_rooms", (), "1 if it is stuck and may go to either room"),
    ("catcher", (), "1 for the Catcher"),
    ("caught", (), "times caught / 2"),
    ("fish", (FISH_DOORS,), "by door with fish: 1 if it has taken its own"),
    ("face_down", (), "cards held face down / 45"),
    ("face_up", (), "cards revealed / 45"),
    ("to_move", (), "1 for the player to move"),
    ("seat", (), "seat of the table / (players - 1)"),
)
"""The blocks of an observation that come once for each player."""

FOR_ALL = Layout.of(
    ("own_cards", (NUM_VALUES,), "by value, 0 to 3: own face-down cards / 45"),
    (
        "phase",
        (NUM_PHASES,),
        "1 if the observer has to place, to flick, to say whether to skate",
    ),
    ("deck", (), "cards left / 45"),
    ("round", (), "rounds completed / all rounds"),
    ("flicks", (), "flicks of this round / max_flicks"),
)
"""The blocks that come once, behind those of the last player."""

PLAYER_ENTRIES = PER_PLAYER.size

AT_PLAYER, AT_ALL = PER_PLAYER.offsets(), FOR_ALL.offsets()
"""Where blocks begin in the entries of one player, and in those that come once."""


@functools.cache
def layout(num_players: int) -> Layout:
    """Return the blocks of an observation in order.

    Players are counted from the observer: 0 is the observer, then clockwise.
    """
    players = [
        Block(
            f"{block.name}_{player}", block.shape, f"player {player}: {block.meaning}"
        )
        for player in range(num_players)
        for block in PER_PLAYER
    ]
    return Layout([*players, *FOR_ALL])


def size(num_players: int) -> int:
    """Return the number of entries of an observation."""
    return layout(num_players).size


@jit
def observe(state: State, seat: int, out: np.ndarray) -> None:
    """Write what ``seat`` sees into zeroed ``out`` (size,), as ``layout`` has it."""
    n = state.num_players
    for k in range(n):
        first = k * PLAYER_ENTRIES
        observe_player(state, (seat + k) % n, out[first : first + PLAYER_ENTRIES])
    for_all = out[n * PLAYER_ENTRIES :]
    cards_left = 0
    for value in range(NUM_VALUES):
        for_all[AT_ALL.own_cards + value] = state.face_down[seat, value] / MAX_CARDS
        cards_left += state.deck[value]
    if state.player == seat and not state.terminated:
        for_all[AT_ALL.phase + state.phase] = 1.0
    for_all[AT_ALL.deck] = cards_left / MAX_CARDS
    rounds = state.round_number + state.terminated
    for_all[AT_ALL.round] = rounds / num_rounds(n)
    for_all[AT_ALL.flicks] = state.flicks / state.max_flicks


@jit
def observe_player(state: State, seat: int, out: np.ndarray) -> None:
    """Write what everybody sees of a player into ``out`` (``PLAYER_ENTRIES``,)."""
    if state.on_board[seat]:
        door = doorway_of(state, seat)
        stuck = door != NONE
        out[AT_PLAYER.on_board] = 1.0
        out[AT_PLAYER.x] = state.x[seat] / width(state)
        out[AT_PLAYER.y] = state.y[seat] / height(state)
        out[AT_PLAYER.close_to_wall] = not stuck and is_close_to_wall(state, seat)
        out[AT_PLAYER.stuck] = stuck
        choice = stuck and can_choose_room(state, seat, door)
        out[AT_PLAYER.choice_of_rooms] = choice
    out[AT_PLAYER.first_flick] = state.first_flick[seat]
    out[AT_PLAYER.catcher] = seat == state.catcher
    out[AT_PLAYER.caught] = state.caught[seat] / 2.0
    for fish in range(FISH_DOORS):
        out[AT_PLAYER.fish + fish] = state.fish_taken[seat, fish]
    cards = 0
    for value in range(NUM_VALUES):
        cards += state.face_down[seat, value]
    out[AT_PLAYER.face_down] = cards / MAX_CARDS
    out[AT_PLAYER.face_up] = state.face_up[seat] / MAX_CARDS
    out[AT_PLAYER.to_move] = state.player == seat and not state.terminated
    out[AT_PLAYER.seat] = seat / (state.num_players - 1)


@jit
def restore(seen: Any, state: State) -> None:
    """Fill a record with what an observation (size,) shows; the observer is seat 0.

    This is ``observe`` the other way round: everything but the random stream, the
    values of hidden cards, and what only serves to see the last flick again. Options
    and school stand in the record. After the end the number of the round is that of
    all rounds.
    """
    n = state.num_players
    wide, high = width(state), height(state)
    for seat in range(n):
        own = seen[seat * PLAYER_ENTRIES :]
        state.on_board[seat] = own[AT_PLAYER.on_board] > 0
        state.x[seat] = own[AT_PLAYER.x] * wide
        state.y[seat] = own[AT_PLAYER.y] * high
        state.first_flick[seat] = own[AT_PLAYER.first_flick] > 0
        if own[AT_PLAYER.catcher] > 0:
            state.catcher = seat
        state.caught[seat] = round(own[AT_PLAYER.caught] * 2.0)
        for fish in range(FISH_DOORS):
            state.fish_taken[seat, fish] = own[AT_PLAYER.fish + fish] > 0
        state.face_up[seat] = round(own[AT_PLAYER.face_up] * MAX_CARDS)
        if own[AT_PLAYER.to_move] > 0:
            state.player = seat
    for_all = seen[n * PLAYER_ENTRIES :]
    for value in range(NUM_VALUES):
        cards = round(for_all[AT_ALL.own_cards + value] * MAX_CARDS)
        state.face_down[0, value] = cards
    for phase in range(NUM_PHASES):
        if for_all[AT_ALL.phase + phase] > 0:
            state.phase = phase
    state.round_number = round(for_all[AT_ALL.round] * num_rounds(n))
    state.flicks = round(for_all[AT_ALL.flicks] * state.max_flicks)


@jit
def width(state: State) -> float:
    """Return the width of the school."""
    most = 0.0
    for room in range(state.num_rooms):
        most = max(most, state.room[room, 2])
    return most


@jit
def height(state: State) -> float:
    """Return the height of the school on the plan."""
    most = 0.0
    for room in range(state.num_rooms):
        most = max(most, state.room[room, 3])
    return most


class Seen(NamedTuple):
    """What an observation shows; see ``decode``.

    Players are counted from the observer, who is 0, clockwise.

    Attributes:
        on_board: Whether penguins are in the school (players,).
        x: Their places from west to east in mm (players,); 0 off the board.
        y: The same from south to north.
        first_flick: Whether they have to be flicked off the red circle (players,).
        close_to_wall: Whether they may be put on a red line (players,).
        stuck: Whether they are stuck in a door (players,).
        choice_of_rooms: Whether they are, and may go to either room (players,).
        catcher: Who is the Catcher.
        caught: How often each was caught in this round (players,).
        fish_taken: Whether each has its fish of a door (players, doors with fish).
        face_down: How many cards each holds face down (players,).
        face_up: How many each has revealed (players,).
        player: Who is to move; ``NONE``, which is -1, once the game is over.
        seat: The observer's seat of the table.
        own_cards: How many cards of each value from 0 to 3 the observer holds face
            down (4,).
        phase: What the observer has to decide, 0 to place, 1 to flick, 2 whether to
            skate; ``NONE`` if it is not the one to move.
        deck: Cards left.
        rounds: Completed so far.
        flicks: Of this round so far.
    """

    on_board: np.ndarray
    x: np.ndarray
    y: np.ndarray
    first_flick: np.ndarray
    close_to_wall: np.ndarray
    stuck: np.ndarray
    choice_of_rooms: np.ndarray
    catcher: int
    caught: np.ndarray
    fish_taken: np.ndarray
    face_down: np.ndarray
    face_up: np.ndarray
    player: int
    seat: int
    own_cards: np.ndarray
    phase: int
    deck: int
    rounds: int
    flicks: int


def decode(observation: np.ndarray, game: Game) -> Seen:
    """Return what an observation (size,) shows, in millimetres and whole numbers.

    >>> from game_core import Position, load_game
    >>> position = Position.new(load_game("icecool", first_catcher=1), seed=0)
    >>> seen = decode(position.observation(seat=0), position.game)
    >>> seen.catcher, seen.on_board.tolist(), seen.deck
    (1, [False, False], 45)

    Args:
        observation: ``view.observation`` of a bot, or what ``env.observe(agent)``
            returns; with a grid of flicks, ``env.observe(agent)["observation"]``.
        game: The game with its options, ``view.game`` of a bot.

    Raises:
        ValueError: If it is no observation of this game.
    """
    state, shown = game.read(observation, restore)
    n = game.num_players
    of_players = np.asarray(observation, np.float32)[: n * PLAYER_ENTRIES]
    by_player = PER_PLAYER.split(of_players.reshape(n, -1))
    decides = bool(shown["phase"].any())
    return Seen(
        on_board=state.on_board[:n] > 0,
        x=state.x[:n].copy(),
        y=state.y[:n].copy(),
        first_flick=state.first_flick[:n] > 0,
        close_to_wall=by_player["close_to_wall"] > 0,
        stuck=by_player["stuck"] > 0,
        choice_of_rooms=by_player["choice_of_rooms"] > 0,
        catcher=int(state.catcher),
        caught=state.caught[:n].astype(np.int64),
        fish_taken=state.fish_taken[:n] > 0,
        face_down=_whole(by_player["face_down"] * MAX_CARDS),
        face_up=state.face_up[:n].astype(np.int64),
        player=int(state.player) if by_player["to_move"].any() else NONE,
        seat=round(float(shown["seat_0"]) * (n - 1)),
        own_cards=state.face_down[0].astype(np.int64),
        phase=int(state.phase) if decides else NONE,
        deck=round(float(shown["deck"]) * MAX_CARDS),
        rounds=int(state.round_number),
        flicks=int(state.flicks),
    )


def _whole(numbers: np.ndarray) -> np.ndarray:
    """Return the nearest whole numbers."""
    return np.rint(numbers).astype(np.int64)
