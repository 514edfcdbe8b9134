"""The rules of ICECOOL, by the numbers of ``docs/rules/icecool.md``.

Physics reports what happened in a flick; the rules here set flicks up and judge them,
without any physics.
"""

import math
from typing import Any

import numpy as np

from game_core.compiled.jit import jit
from game_core.compiled.rng import below
from icecool_env.cards import draw_card
from icecool_env.geometry import is_in_doorway, room_at
from icecool_env.spots import (
    can_choose_room,
    doorway_of,
    is_close_to_wall,
    is_on_circle,
    middle_of,
    put,
    red_rectangle,
    red_spot,
    room_of_side,
)
from icecool_env.state import (
    BY_CAP,
    BY_CATCH,
    BY_FISH,
    CARDS_FOR_SKATES,
    CIRCLE_RADIUS,
    EXIT,
    FASTEST,
    FASTEST_SPIN,
    FISH_DOORS,
    FLICK,
    HEIGHT,
    NONE,
    NUM_VALUES,
    PASS,
    PLACE,
    RANDOM_CATCHER,
    RED_LINE,
    SIDE,
    SKATES,
    SLOWEST,
    STEEPEST,
    STRAIGHT,
    STRENGTH,
    TOUCH,
    State,
    X,
    Y,
)

__all__ = [
    "CATCHES_OF_TWO",
    "MAX_REFLICKS",
    "decide_on_skates",
    "id_cards",
    "judge",
    "num_rounds",
    "place",
    "put_on_circle",
    "red_line_room",
    "reset",
    "set_up_flick",
    "speed_of",
    "was_stuck_in",
]

ROUNDS_OF_TWO = 4  # R43
CATCHES_OF_TWO = 2  # R40
MAX_REFLICKS = 20  # R14
STRAIGHT_ANGLE = 180.0  # degrees, which are pi


@jit
def reset(state: State) -> None:
    """Set up a new game: the whole deck, and the first Catcher."""
    state.terminated = state.truncated = False
    for value in range(NUM_VALUES):
        state.deck[value] = state.deck_cards[value]
    state.face_down[:] = 0
    state.face_up[:] = 0
    state.endings[:] = 0
    state.flicked = NONE
    state.velocity[:] = 0.0
    state.spin = 0.0
    state.was_on_board[:] = 0
    state.was_x[:] = 0.0
    state.was_y[:] = 0.0
    state.round_number = 0
    state.catcher = state.first_catcher
    if state.first_catcher == RANDOM_CATCHER:
        state.catcher = below(state, state.num_players)
    begin_round(state)
    put_on_circle(state)


@jit
def begin_round(state: State) -> None:
    """R8, R9: clear the board; the Catcher places its penguin in the Kitchen."""
    state.flicks = state.reflicks = 0
    state.fish_taken[:] = 0
    state.caught[:] = 0
    state.first_flick[:] = 0
    state.on_board[:] = 0
    state.x[:] = 0.0
    state.y[:] = 0.0
    state.player = state.catcher
    state.phase = PLACE
    if state.catcher_centre:
        place(state, 0.0, 0.0)


@jit
def place(state: State, across: float, up: float) -> None:
    """R9: put the Catcher inside the Kitchen's red line, -1 to 1 in each direction."""
    left, bottom, right, top = red_rectangle(state, state.kitchen)
    state.on_board[state.catcher] = 1
    state.x[state.catcher] = left + (across + 1.0) / 2.0 * (right - left)
    state.y[state.catcher] = bottom + (up + 1.0) / 2.0 * (top - bottom)
    next_player(state)


@jit
def next_player(state: State) -> None:
    """R10: the turn passes on clockwise."""
    begin_turn(state, (state.player + 1) % state.num_players)


@jit
def begin_turn(state: State, seat: int) -> None:
    """R12, R13: a Runner's first turn of a round begins on the red circle."""
    state.player = seat
    state.phase = FLICK
    state.reflicks = 0
    if not state.on_board[seat]:
        state.first_flick[seat] = 1


@jit
def put_on_circle(state: State) -> None:
    """R12, R41: put on the red circle who has to start there and is off the board."""
    for seat in range(state.num_players):
        if state.first_flick[seat] and not state.on_board[seat]:
            x, y = middle_of(state, state.classroom)
            put(state, seat, x, y)


@jit
def set_up_flick(state: State, action: Any) -> None:
    """R6, R11, R27: move to the red line if asked to; note how the penguin is hit."""
    seat = state.player
    room = red_line_room(state, seat, np.float64(action[RED_LINE]))
    if room != NONE:
        found, x, y = red_spot(state, seat, room)
        if found:
            state.x[seat], state.y[seat] = x, y
    state.flicked = seat
    for other in range(state.num_players):
        state.was_on_board[other] = state.on_board[other]
        state.was_x[other], state.was_y[other] = state.x[other], state.y[other]
    dx, dy = direction(np.float64(action[X]), np.float64(action[Y]))
    speed = speed_of(np.float64(action[STRENGTH]))
    state.spin = spin_of(np.float64(action[SIDE]), speed)
    forward, up = split_speed(speed, np.float64(action[HEIGHT]))
    state.velocity[0] = forward * dx
    state.velocity[1] = forward * dy
    state.velocity[2] = up


@jit
def direction(x: float, y: float) -> tuple[float, float]:
    """Return a direction of length 1; no direction at all is east."""
    length = math.sqrt(x * x + y * y)
    return (x / length, y / length) if length > 0.0 else (1.0, 0.0)


@jit
def speed_of(strength: float) -> float:
    """Return the speed of a hit of strength -1 to 1."""
    return SLOWEST + (strength + 1.0) / 2.0 * (FASTEST - SLOWEST)


@jit
def spin_of(side: float, speed: float) -> float:
    """R6: return the spin of a hit on a side; on the right it is clockwise."""
    if abs(side) < STRAIGHT:
        return 0.0
    return -FASTEST_SPIN * side * speed / FASTEST


@jit
def split_speed(speed: float, height: float) -> tuple[float, float]:
    """R6: return forward and upward speed of a hit at a height; from 0 down, flat."""
    if height <= 0.0:
        return speed, 0.0
    elevation = STEEPEST * math.pi / STRAIGHT_ANGLE * height
    return speed * math.cos(elevation), speed * math.sin(elevation)


@jit
def red_line_room(state: State, seat: int, wish: float) -> int:
    """R27, R32, R33: return the room to whose red line a penguin moves, or NONE.

    Args:
        state: The record.
        seat: Whose penguin.
        wish: At most 0: none; above 0.5: if there is a choice, the other room.
    """
    door = doorway_of(state, seat)
    if door != NONE:
        if wish <= 0.0 and not state.stuck_must_move:
            return NONE
        other = wish > 0.5 and can_choose_room(state, seat, door)
        return room_of_side(state, seat, door, other)
    if wish > 0.0 and is_close_to_wall(state, seat):
        return room_at(state, state.x[seat], state.y[seat])
    return NONE


@jit
def judge(state: State, events: np.ndarray) -> None:
    """Judge what happened in a flick, and go on to the next decision.

    Args:
        state: The record after the flick: ``flicked``, ``was_x`` and ``was_y`` tell
            how it began, ``x`` and ``y`` where the penguins are at rest.
        events: (k, 4) whole numbers in the order of A1: step, kind, seat, and the other
            seat or the door.
    """
    state.flicks += 1
    catches = judge_events(state, events)
    how = ending(state)
    if how == NONE and state.flicks >= state.max_flicks:
        how = BY_CAP
    restarts = how == NONE and catches > 0 and state.num_players == 2
    put_back(state, events, restarts)
    leave_circle(state, events)
    if how != NONE:
        end_round(state, how)
    elif restarts:
        restart_runner(state)
    elif not flicks_again(state, events):
        end_turn(state)


@jit
def judge_events(state: State, events: np.ndarray) -> int:
    """A1, R24: apply events until the round is over; return the number of catches."""
    catches, over_at = 0, NONE
    for i in range(len(events)):
        step, kind, seat, other = events[i, 0], events[i, 1], events[i, 2], events[i, 3]
        if over_at not in (NONE, step) and not state.finish_flick:
            break
        if kind == TOUCH and not is_void(state, events, seat, other):
            if catches == 0 or state.num_players > 2:
                catches += touch(state, seat, other)
        elif kind == PASS and not is_void(state, events, seat, seat):
            pass_door(state, seat, other)
        if over_at == NONE and ending(state) != NONE:
            over_at = step
    return catches


@jit
def is_void(state: State, events: np.ndarray, seat: int, other: int) -> bool:
    """R34: tell whether events of two penguins do not count because one left."""
    if not state.void_on_exit:
        return False
    for i in range(len(events)):
        if events[i, 1] == EXIT and events[i, 2] in (seat, other):
            return True
    return False


@jit
def touch(state: State, seat: int, other: int) -> int:
    """R19, R20: the Catcher takes the ID card of a Runner that it touches, once.

    Returns the number of cards taken.
    """
    if state.catcher not in (seat, other):
        return 0
    runner = other if seat == state.catcher else seat
    most = CATCHES_OF_TWO if state.num_players == 2 else 1
    if state.caught[runner] == most:
        return 0
    state.caught[runner] += 1
    return 1


@jit
def pass_door(state: State, seat: int, door: int) -> None:
    """R15, R33: a Runner that passed a door with its own fish takes it, and a card."""
    fish = state.door_fish[door]
    if seat == state.catcher or fish == NONE or state.fish_taken[seat, fish]:
        return
    if state.stuck_strict and was_stuck_in(state, seat, door):
        return
    state.fish_taken[seat, fish] = 1
    draw_card(state, seat)


@jit
def was_stuck_in(state: State, seat: int, door: int) -> bool:
    """R33: tell whether a penguin was stuck in a door when the flick began."""
    return is_in_doorway(state, door, state.was_x[seat], state.was_y[seat])


@jit
def ending(state: State) -> int:
    """R24, R40: return how the round ends now (``BY_FISH``, ``BY_CATCH``), or NONE."""
    needed = CATCHES_OF_TWO if state.num_players == 2 else 1
    all_caught = True
    for seat in range(state.num_players):
        if seat != state.catcher:
            taken = 0
            for fish in range(FISH_DOORS):
                taken += state.fish_taken[seat, fish]
            if taken == FISH_DOORS:
                return BY_FISH
            all_caught = all_caught and state.caught[seat] == needed
    return BY_CATCH if all_caught else NONE


@jit
def put_back(state: State, events: np.ndarray, restarts: bool) -> None:
    """R34, R35: put back those that left the school, the flicked one first.

    Those still outside block no spot; nor does the Runner of two that ``restarts``,
    which is off the board from here on.
    """
    for seat in range(state.num_players):
        goes_to_circle = restarts and seat != state.catcher
        if goes_to_circle or has_left(events, seat):
            state.on_board[seat] = 0
    for i in range(state.num_players):
        seat = (state.flicked + i) % state.num_players
        goes_to_circle = restarts and seat != state.catcher
        if has_left(events, seat) and not goes_to_circle:
            put(state, seat, state.was_x[seat], state.was_y[seat])


@jit
def leave_circle(state: State, events: np.ndarray) -> None:
    """R14: who was pushed off the circle by others has no first flick any more."""
    for seat in range(state.num_players):
        moved = state.x[seat] != state.was_x[seat] or state.y[seat] != state.was_y[seat]
        pushed = moved and seat != state.flicked and not has_left(events, seat)
        if pushed and not is_on_circle(state, seat, CIRCLE_RADIUS):
            state.first_flick[seat] = 0


@jit
def has_left(events: np.ndarray, seat: int) -> bool:
    """R34: tell whether a penguin left the school in a flick."""
    for i in range(len(events)):
        if events[i, 1] == EXIT and events[i, 2] == seat:
            return True
    return False


@jit
def restart_runner(state: State) -> None:
    """R41: after the first catch of two players the Runner starts anew, at once."""
    runner = 1 - state.catcher
    begin_turn(state, runner)
    if state.flicked == runner and state.self_catch_next_catcher:
        begin_turn(state, state.catcher)


@jit
def flicks_again(state: State, events: np.ndarray) -> bool:
    """R14: tell whether a first flick has to be repeated."""
    seat = state.flicked
    if not state.first_flick[seat] or has_left(events, seat):
        return False
    if state.reflick and is_on_circle(state, seat, CIRCLE_RADIUS):
        state.reflicks += 1
        if state.reflicks < MAX_REFLICKS:
            return True
        found, x, y = red_spot(state, seat, state.classroom)
        if found:
            state.x[seat], state.y[seat] = x, y
    state.first_flick[seat] = 0
    return False


@jit
def end_turn(state: State) -> None:
    """R22: ask for skates if the player has the cards for it, else the turn passes."""
    state.reflicks = 0
    if state.skates and state.face_down[state.player, 1] >= CARDS_FOR_SKATES:
        state.phase = SKATES
    else:
        next_player(state)


@jit
def decide_on_skates(state: State, wanted: bool) -> None:
    """R22, R23: reveal two cards for another turn, or let the turn pass on."""
    if wanted:
        state.face_down[state.player, 1] -= CARDS_FOR_SKATES
        state.face_up[state.player] += CARDS_FOR_SKATES
        begin_turn(state, state.player)
    else:
        next_player(state)


@jit
def end_round(state: State, how: int) -> None:
    """R25, R26, R37: draw for ID cards; then the next round, or the end of the game."""
    state.endings[how] += 1
    for i in range(state.num_players):
        seat = (state.catcher + i) % state.num_players
        for _ in range(id_cards(state, seat)):
            draw_card(state, seat)
    if state.round_number + 1 == num_rounds(state.num_players):
        state.terminated = True
        return
    state.round_number += 1
    state.catcher = (state.catcher + 1) % state.num_players
    begin_round(state)


@jit
def id_cards(state: State, seat: int) -> int:
    """R25: return how many ID cards a player holds."""
    if seat != state.catcher:
        return 0 if state.caught[seat] else 1
    cards = 1
    for runner in range(state.num_players):
        cards += 1 if state.caught[runner] else 0
    return cards


@jit
def num_rounds(num_players: int) -> int:
    """R7, R43: return the number of rounds of a game."""
    return ROUNDS_OF_TWO if num_players == 2 else num_players
