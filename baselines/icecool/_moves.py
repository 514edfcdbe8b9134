"""What each legal move of ICECOOL on a grid leads to, as numbers that a network weighs.

A flick is a direction, a strength and a start; whether it takes a fish follows from
where the walls are on its way, which a network that sees positions alone would have to
learn for every place. So geometry traces each way (``_rays.py``), and the network
learns what that is worth. Everything is computed from the observation, which shows the
whole position, and from the school.
"""

import math
from typing import Any

import numpy as np

from baselines.icecool._bounces import DRAG
from baselines.icecool._features import (
    doors_to_fish,
    doors_to_room,
    fish_lacking,
    lacks_fish_of,
)
from baselines.icecool._lines import distance_of_lines, distance_to_line
from baselines.icecool._on_grid import masks_seen
from baselines.icecool._rays import FLIGHT, NOBODY, fly
from baselines.icecool._shots import (
    CHOICES,
    PENGUINS,
    TOLERANCE,
    beyond_goal,
    can_be_caught,
    place_at_door,
    start_of,
    stretch,
    way_to,
)
from game_core.compiled.jit import jit
from game_core.game import Game
from game_core.layout import Layout
from icecool_env.geometry import room_at
from icecool_env.grid import (
    NUM_SPOTS,
    RED_LINE_CHOICES,
    num_flicks,
    write_action,
)
from icecool_env.observe import restore as restore
from icecool_env.rules import speed_of
from icecool_env.spots import distance_to_walls, doorway_of
from icecool_env.state import (
    CLEAR_OF_WALL,
    FASTEST,
    FLICK,
    MAX_ROOMS,
    NONE,
    NUM_COMPONENTS,
    PLACE,
    SKATES,
    STRENGTH,
    TOUCHING,
    State,
    X,
    Y,
)

OWN, OTHER = 0, 1  # seats in a position read from an observation

MAX_BOUNCES = 3  # before the rest that show as a number of their own

FEATURES = Layout.of(
    ("spot", (), "1 for a spot in the Kitchen"),
    ("yes", (), "1 for another turn on skates"),
    ("no", (), "1 for none"),
    ("at", (2,), "x and y of the spot, or of where the flick comes to rest, / 600 mm"),
    ("strength", (2,), "speed / 2200 mm/s, and the same squared"),
    ("choice", (RED_LINE_CHOICES,), "from where it stands, or from which red line"),
    (
        "bounces",
        (MAX_BOUNCES + 1,),
        "1 for as many before it rests, the last for three and more",
    ),
    ("doors", (), "passed / 2"),
    ("fish", (2,), "fish taken / 2, and 1 if one is taken before any bounce"),
    ("last", (), "1 if it takes the last fish"),
    ("margin", (), "least room beside it at the surest fish / 15 mm"),
    ("bounces_to_fish", (), "before the surest fish / 3"),
    ("slide", (), "how far it would slide beyond the surest fish / 300 mm, at most 1"),
    ("stuck", (), "1 if it rests in a door"),
    ("touch", (2,), "1 if it touches a penguin; 1 if before any bounce"),
    ("aside", (), "how far beside its middle / 30 mm"),
    ("hard", (), "how far it would slide beyond it / 300 mm, at most 1"),
    ("catch", (2,), "1 if the Catcher so catches; 1 if a Runner is so caught"),
    ("fish_doors", (), "doors to pass for the next fish, from where it rests / 4"),
    ("sees_fish", (), "1 if a door with the next fish can be hit straight from there"),
    ("fish_away", (), "distance to the nearest door with a fish / 600 mm"),
    ("seen", (), "1 if a Runner that rests there can be hit straight by the Catcher"),
    ("sees", (), "1 if the Catcher can hit a Runner straight from there"),
    ("apart", (), "distance from the other penguin / 600 mm"),
    ("apart_doors", (), "doors between the two / 4"),
    ("wall", (), "distance from the nearest wall / 60 mm, at most 1"),
)
"""What is told of a move, in order."""

FEATURE = FEATURES.offsets()
"""Where each of that begins."""


SCHOOL = 600.0  # mm that show as 1
SLIDE = 300.0
NEAR_WALL = 60.0


def check(game: Game) -> None:
    """Raise ``ValueError`` unless the moves of a game can be described."""
    if game.num_players != 2 or not game.options["grid"]:
        raise ValueError(
            "a network over moves of ICECOOL is for num_players=2 and a grid of "
            "flicks; take one over positions (--network positions)"
        )


def legal_moves(game: Game, observations: np.ndarray, boards: np.ndarray) -> np.ndarray:
    """Return the legal moves (k, actions) int8 of positions; see ``MovesModule``."""
    return masks_seen(game, observations)


@jit
def describe_all(boards: Any, moves: np.ndarray, features: np.ndarray) -> None:
    """Write what moves (m, 2) lead to into ``features``; see ``MovesModule``."""
    flights, action = np.zeros(1, FLIGHT), np.zeros(NUM_COMPONENTS)
    doors = np.zeros((2, MAX_ROOMS))
    for k in range(len(moves)):
        state, out = boards[moves[k, 0]], features[k]
        write_action(state, moves[k, 1], action)
        if state.phase != FLICK:
            describe_answer(state, moves[k, 1] - num_flicks(state), action, out)
            continue
        if k == 0 or moves[k, 0] != moves[k - 1, 0]:
            count_doors(state, doors)
        choice = moves[k, 1] % RED_LINE_CHOICES
        found, x, y = start_of(state, OWN, CHOICES[choice])
        if not found:
            x, y = state.x[OWN], state.y[OWN]
        speed = speed_of(action[STRENGTH])
        fly(state, OWN, (x, y), (action[X], action[Y], speed), flights[0])
        part = speed / FASTEST
        out[FEATURE.strength], out[FEATURE.strength + 1] = part, part * part
        out[FEATURE.choice + choice] = 1
        describe_flight(state, flights[0], out)
        describe_rest(state, doors, out)


@jit
def count_doors(state: State, doors: np.ndarray) -> None:
    """Write how many doors lead from each room to a fish, and to the other penguin."""
    doors_to_fish(state, OWN, NONE, doors[0])
    room = room_at(state, state.x[OTHER], state.y[OTHER])
    if room != NONE:
        doors_to_room(state, room, doors[1])


@jit
def describe_answer(state: State, answer: int, action: Any, out: np.ndarray) -> None:
    """Write what a spot in the Kitchen, or an answer about skates, is."""
    if state.phase == PLACE:
        out[FEATURE.spot] = 1
        out[FEATURE.at], out[FEATURE.at + 1] = (action[X] + 1) / 2, (action[Y] + 1) / 2
    elif state.phase == SKATES:
        out[FEATURE.yes if answer > NUM_SPOTS else FEATURE.no] = 1


@jit
def describe_flight(state: State, flight: Any, out: np.ndarray) -> None:
    """Write what happens on the way of a flick, and where it comes to rest."""
    out[FEATURE.at], out[FEATURE.at + 1] = flight.x / SCHOOL, flight.y / SCHOOL
    out[FEATURE.bounces + min(flight.bounces, MAX_BOUNCES)] = 1
    out[FEATURE.doors] = flight.passes / 2.0
    if state.catcher != OWN:
        describe_passes(state, flight, out)
    out[FEATURE.stuck] = stuck_at(state, flight.x, flight.y)
    if flight.touched != NOBODY:
        describe_touch(state, flight, out)


@jit
def describe_passes(state: State, flight: Any, out: np.ndarray) -> None:
    """Write which fish a Runner takes: the one that is surest comes first."""
    fish, first = 0, NONE
    for door in range(state.num_doors):
        if flight.passed[door] and lacks_fish_of(state, OWN, door):
            fish += 1
            if first == NONE or flight.bounces_to[door] < flight.bounces_to[first]:
                first = door
    if fish > 0:
        out[FEATURE.fish] = fish / 2.0
        out[FEATURE.fish + 1] = flight.bounces_to[first] == 0
        out[FEATURE.last] = fish >= fish_lacking(state, OWN)
        out[FEATURE.margin] = flight.margin[first] / 15.0
        out[FEATURE.bounces_to_fish] = flight.bounces_to[first] / 3.0
        out[FEATURE.slide] = min(flight.energy_at[first] / DRAG / SLIDE, 1.0)


@jit
def describe_touch(state: State, flight: Any, out: np.ndarray) -> None:
    """Write how a flick touches another penguin."""
    out[FEATURE.touch] = 1
    out[FEATURE.touch + 1] = flight.bounces == 0
    out[FEATURE.aside] = abs(flight.aside) / 30.0
    out[FEATURE.hard] = min(flight.energy / DRAG / SLIDE, 1.0)
    if state.catcher == OWN:
        out[FEATURE.catch] = can_be_caught(state, flight.touched)
    elif flight.touched == state.catcher:
        out[FEATURE.catch + 1] = can_be_caught(state, OWN)


@jit
def stuck_at(state: State, x: float, y: float) -> bool:
    """Tell whether a penguin at a place would be stuck in a door."""
    own_x, own_y = state.x[OWN], state.y[OWN]
    state.x[OWN], state.y[OWN] = x, y
    stuck = doorway_of(state, OWN) != NONE
    state.x[OWN], state.y[OWN] = own_x, own_y
    return stuck


@jit
def describe_rest(state: State, doors: np.ndarray, out: Any) -> None:
    """Write what the place is good for where a flick comes to rest."""
    x, y = out[FEATURE.at] * SCHOOL, out[FEATURE.at + 1] * SCHOOL
    room = room_at(state, x, y)
    out[FEATURE.wall] = min(distance_to_walls(state, x, y) / NEAR_WALL, 1.0)
    if room == NONE:
        return
    if state.catcher != OWN:
        out[FEATURE.fish_doors] = doors[0, room] / 4.0
        describe_fish(state, x, y, out)
    if not state.on_board[OTHER]:
        return
    dx, dy = state.x[OTHER] - x, state.y[OTHER] - y
    out[FEATURE.apart] = math.sqrt(dx * dx + dy * dy) / SCHOOL
    out[FEATURE.apart_doors] = doors[1, room] / 4.0
    there = (state.x[OTHER], state.y[OTHER])
    if state.catcher == OWN:
        if can_be_caught(state, OTHER):
            goal = (*there, PENGUINS + OTHER)
            out[FEATURE.sees] = is_open(state, OWN, (x, y), goal)
    elif can_be_caught(state, OWN):
        out[FEATURE.seen] = is_open(state, OTHER, there, (x, y, PENGUINS + OWN))


@jit
def describe_fish(state: State, x: float, y: float, out: np.ndarray) -> None:
    """Write whether a Runner sees its next fish from where it rests, and how far it is.

    Fish that the flick takes count as still to be taken; the network knows of them.
    """
    nearest = SCHOOL
    for door in range(state.num_doors):
        if lacks_fish_of(state, OWN, door):
            to_x, to_y = place_at_door(state, door, 0.0, 0.0)
            dx, dy = to_x - x, to_y - y
            nearest = min(nearest, math.sqrt(dx * dx + dy * dy))
            unseen = out[FEATURE.sees_fish] == 0.0
            if unseen and is_open(state, OWN, (x, y), (to_x, to_y, door)):
                out[FEATURE.sees_fish] = 1
    out[FEATURE.fish_away] = nearest / SCHOOL


@jit
def is_open(state: State, seat: int, start: Any, goal: Any) -> bool:
    """Tell whether a seat can hit a goal straight; arguments as of ``direct_shots``."""
    way, length = way_to(start, goal)
    line = stretch(way, length + beyond_goal(state, goal, way))
    for i in range(state.num_pieces):
        x0, y0, x1, y1 = state.piece[i]
        if (
            max(line[0], line[2]) > x0 - CLEAR_OF_WALL
            and min(line[0], line[2]) < x1 + CLEAR_OF_WALL
            and max(line[1], line[3]) > y0 - CLEAR_OF_WALL
            and min(line[1], line[3]) < y1 + CLEAR_OF_WALL
            and distance_of_lines(line, (x0, y0, x1, y1)) < CLEAR_OF_WALL - TOLERANCE
        ):
            return False
    for other in range(state.num_players):
        if (
            state.on_board[other]
            and other not in (seat, goal[2] - PENGUINS)
            and distance_to_line(state.x[other], state.y[other], line) < TOUCHING
        ):
            return False
    return True
