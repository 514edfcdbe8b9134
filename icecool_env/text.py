"""ICECOOL in words: actions both ways, what they do, and the school as text."""

import functools
import itertools
import math
from typing import Any

import numpy as np

from game_core.render.ansi import FAINT, GOLD, SEAT_CODES, paint_marks
from game_core.scene import Scene
from game_core.validation.text import best_seats, counted, who_wins
from icecool_env.cards import points, standing
from icecool_env.grid import NUM_SPOTS, SPOTS_ACROSS, SPOTS_UP, Grid
from icecool_env.observe import height, width
from icecool_env.physics.slide import last_flick
from icecool_env.rules import (
    CATCHES_OF_TWO,
    num_rounds,
    red_line_room,
    set_up_flick,
)
from icecool_env.school import DOOR_HALF_WIDTH, School
from icecool_env.spots import middle_of, red_rectangle, red_spot
from icecool_env.state import (
    BY_CATCH,
    COMPONENTS,
    EXIT,
    FISH_DOORS,
    FLICK,
    NONE,
    NUM_COMPONENTS,
    PLACE,
    RED_LINE,
    SIDE,
    State,
)

__all__ = [
    "action_to_text",
    "color_text",
    "describe",
    "draw_text",
    "grid_texts",
    "headline",
    "number_to_text",
    "outcome",
    "text_to_action",
    "text_to_number",
    "winners",
]

COMPASS = (
    "east",
    "north-east",
    "north",
    "north-west",
    "west",
    "south-west",
    "south",
    "south-east",
)
DEGREES_PER_WIND = 360 // len(COMPASS)

COLUMN_MM, LINE_MM = 10.0, 20.0  # that a character of the drawing covers
WALL, DOOR, FISH_DOOR, RED_LINE_DOT, CIRCLE = "#", " ", "F", ".", "o"
LEGEND = (
    f"0-3 penguins by seat, {FISH_DOOR} door with fish, {RED_LINE_DOT} red line, "
    f"{CIRCLE} red circle."
)


def action_to_text(action: Any) -> str:
    """Return a continuous action as its six numbers, exactly."""
    return " ".join(repr(float(number)) for number in action)


def text_to_action(text: str) -> np.ndarray:
    """Return the action whose six numbers stand in a text.

    Raises:
        ValueError: If there are not six numbers from -1 to 1.
    """
    try:
        numbers = [float(word) for word in str(text).replace(",", " ").split()]
    except ValueError:
        numbers = []
    if len(numbers) != NUM_COMPONENTS or not all(-1 <= n <= 1 for n in numbers):
        raise ValueError(
            f"{text!r} is no action of ICECOOL; give {NUM_COMPONENTS} numbers from -1 "
            f"to 1: {', '.join(COMPONENTS)}"
        )
    return np.array(numbers, np.float32)


def describe(states: np.ndarray, action: Any, school: School) -> str:
    """Return what a continuous action will do in a position (1,), in words."""
    after = states.copy()
    state = after[0]
    if state.phase == FLICK:
        return _flick_in_words(state, action, school)
    if state.phase == PLACE:
        left, bottom, right, top = red_rectangle(state, state.kitchen)
        x = left + (float(action[0]) + 1) / 2 * (right - left)
        y = bottom + (float(action[1]) + 1) / 2 * (top - bottom)
        return f"place the penguin at ({x:.0f}, {y:.0f}) in the {school.kitchen}"
    return "skates: take another turn" if action[0] > 0 else "no skates"


def _flick_in_words(state: State, action: Any, school: School) -> str:
    seat = state.player
    room = red_line_room(state, seat, float(action[RED_LINE]))
    moves = room != NONE and red_spot(state, seat, room)[0]
    set_up_flick(state, action)
    vx, vy, up = state.velocity
    degrees = math.degrees(math.atan2(vy, vx)) % 360
    wind = COMPASS[round(degrees / DEGREES_PER_WIND) % len(COMPASS)]
    speed = math.sqrt(vx * vx + vy * vy + up * up)
    words = [f"flick {wind} ({degrees:.0f} degrees) at {speed:.0f} mm/s"]
    if state.spin:
        side = "right" if action[SIDE] > 0 else "left"
        words.append(f"hit {abs(action[SIDE]):.0%} to the {side}")
    if up > 0:
        elevation = math.degrees(math.atan2(up, math.hypot(vx, vy)))
        words.append(f"jumping at {elevation:.0f} degrees")
    if moves:
        words.append(f"from the red line of the {school.rooms[room].name}")
    return ", ".join(words)


@functools.lru_cache(maxsize=4)
def grid_texts(grid: Grid) -> tuple[str, ...]:
    """Return the words of all actions of the discrete game, in order."""
    flicks = itertools.product(
        [
            f"flick {360 * d / grid.directions:g} degrees"
            for d in range(grid.directions)
        ],
        [f"strength {s + 1} of {grid.strengths}" for s in range(grid.strengths)],
        [f"side {s + 1} of {grid.sides}" for s in range(grid.sides)],
        [f"height {h + 1} of {grid.heights}" for h in range(grid.heights)],
        ["where it stands", "red line", "red line of the other room"],
    )
    spots = [
        f"place {spot % SPOTS_ACROSS + 1} of {SPOTS_ACROSS} across, "
        f"{spot // SPOTS_ACROSS + 1} of {SPOTS_UP} up"
        for spot in range(NUM_SPOTS)
    ]
    return (*map(", ".join, flicks), *spots, "no skates", "skates")


@functools.lru_cache(maxsize=4)
def grid_numbers(grid: Grid) -> dict[str, int]:
    """Return all actions of the discrete game: words -> number."""
    return {text: number for number, text in enumerate(grid_texts(grid))}


def number_to_text(number: int, grid: Grid) -> str:
    """Return an action of the discrete game in words.

    Raises:
        ValueError: If there is no such action.
    """
    if not 0 <= number < grid.num_actions:
        raise ValueError(
            f"action {number} is none of the {grid.num_actions} of this grid"
        )
    return grid_texts(grid)[number]


def text_to_number(text: str, grid: Grid) -> int:
    """Return the action of the discrete game that words mean.

    Raises:
        ValueError: If they are not the words of an action.
    """
    numbers = grid_numbers(grid)
    words = " ".join(text.lower().split())
    if words not in numbers:
        raise ValueError(
            f"{text!r} is no action of this grid; say for instance "
            f"{grid_texts(grid)[0]!r}, 'place 1 of 5 across, 1 of 3 up' or 'skates'"
        )
    return numbers[words]


def draw_text(states: np.ndarray) -> str:
    """Return the position of a (1,) record as lines of text: the school from above."""
    state = states[0]
    lines = [headline(state), *_plan(state)]
    lines += [_player(state, seat) for seat in range(state.num_players)]
    return "\n".join([*lines, LEGEND])


def color_text(text: str) -> str:
    """Return what ``draw_text`` returns in color: penguins, fish doors and walls."""
    codes = {str(seat): code for seat, code in enumerate(SEAT_CODES)}
    codes |= {WALL: "38;5;67", FISH_DOOR: GOLD, RED_LINE_DOT: FAINT, CIRCLE: "38;5;203"}
    first, *lines = text.splitlines()
    painted = [
        line if line.startswith(("player_", LEGEND)) else paint_marks(line, codes)
        for line in lines
    ]
    return "\n".join([first, *painted])


def _plan(state: State) -> list[str]:
    """Return the school, north up; penguins are the digits of their seats."""
    columns = round(width(state) / COLUMN_MM) + 1
    rows = round(height(state) / LINE_MM) + 1
    marks = np.full((rows, columns), " ")
    for room in range(state.num_rooms):
        _frame(marks, red_rectangle(state, room), RED_LINE_DOT)
    for room in range(state.num_rooms):
        _frame(marks, state.room[room].tolist(), WALL)
    for door in range(state.num_doors):
        at, wall = float(state.door_at[door]), float(state.door_wall[door])
        ends = at - DOOR_HALF_WIDTH + COLUMN_MM, at + DOOR_HALF_WIDTH - COLUMN_MM
        mark = DOOR if state.door_fish[door] == NONE else FISH_DOOR
        box = (wall, ends[0], wall, ends[1])
        _frame(
            marks, box if state.door_upright[door] else box[1::-1] + box[:1:-1], mark
        )
    _mark(marks, *middle_of(state, state.classroom), CIRCLE)
    for seat in range(state.num_players):
        if state.on_board[seat]:
            _mark(marks, float(state.x[seat]), float(state.y[seat]), str(seat))
    return ["".join(row).rstrip() for row in marks[::-1]]


def _frame(marks: np.ndarray, box: Any, mark: str) -> None:
    """Draw the edge of a rectangle: left, bottom, right, top."""
    left, right = (round(box[side] / COLUMN_MM) for side in (0, 2))
    bottom, top = (round(box[side] / LINE_MM) for side in (1, 3))
    for row in (bottom, top):
        marks[row, left : right + 1] = mark
    for column in (left, right):
        marks[bottom : top + 1, column] = mark


def _mark(marks: np.ndarray, x: float, y: float, mark: str) -> None:
    rows, columns = marks.shape
    row, column = round(y / LINE_MM), round(x / COLUMN_MM)
    if 0 <= row < rows and 0 <= column < columns:
        marks[row, column] = mark


def headline(state: State) -> str:
    """Return in a sentence how the game stands."""
    if state.terminated:
        return f"The game is over. {_winners(state)}"
    tasks = ("place the penguin", "flick", "say whether to take another turn on skates")
    return (
        f"Round {state.round_number + 1} of {num_rounds(state.num_players)}, "
        f"{counted(int(state.flicks), 'flick')}. player_{state.player} to "
        f"{tasks[state.phase]}"
    )


def outcome(scene: Scene) -> str:
    """Return the outcome of a flick: cards, catches, exits, the end of a round.

    The values of cards are not told.
    """
    now, then = scene.now, scene.then
    parts: list[str] = []
    if then.phase == FLICK:
        events = last_flick(scene.states).events
        left = {seat for _, kind, seat, _ in events if kind == EXIT}
        parts += [f"{scene.name(seat)} leaves the school" for seat in sorted(left)]
    for seat in range(now.num_players):
        if _is_caught(seat, now, then):
            parts.append(f"{scene.name(seat)} is caught")
        held = [sum(s.face_down[seat]) + s.face_up[seat] for s in (then, now)]
        if held[1] > held[0]:
            cards = counted(held[1] - held[0], "card")
            parts.append(f"{scene.name(seat)} draws {cards}")
    if now.endings != then.endings:
        parts.append("the round is over")
    return ", ".join(parts)


def _is_caught(seat: int, now: State, then: State) -> bool:
    """Tell whether a Runner was caught; the next round begins with nobody caught."""
    if now.endings[BY_CATCH] > then.endings[BY_CATCH]:
        most = CATCHES_OF_TWO if then.num_players == 2 else 1
        return seat != then.catcher and then.caught[seat] < most
    return now.caught[seat] > then.caught[seat]


def winners(state: State) -> list[int]:
    """Return the seats that stand best."""
    return best_seats([standing(state, seat) for seat in range(state.num_players)])


def _winners(state: State) -> str:
    seats = winners(state)
    won = counted(points(state, seats[0]), "point")
    return f"{who_wins([f'player_{seat}' for seat in seats])} with {won}."


def _player(state: State, seat: int) -> str:
    """Return a line about a player; cards only of who is to move, or at the end."""
    down = state.face_down[seat]
    words = [f"{counted(int(down.sum()), 'card')} face down"]
    if state.terminated or seat == state.player:
        cards = [str(value) for value in range(len(down)) for _ in range(down[value])]
        words[0] += f" ({' '.join(cards) or 'none'})"
    if state.face_up[seat]:
        words.append(f"{state.face_up[seat]} face up")
    if state.terminated:
        words.append(counted(points(state, seat), "point"))
    elif seat == state.catcher:
        words.insert(0, "Catcher")
    else:
        words.insert(0, f"{state.fish_taken[seat].sum()} of {FISH_DOORS} fish")
        if state.caught[seat]:
            words.insert(1, "caught")
    return f"player_{seat}: {', '.join(words)}"
