"""A game with continuous actions, as small as can be: walking to a goal on a plane.

In turn the players walk by up to 1 east and 1 north, and the wind adds up to a tenth.
Who ends a move within 0.5 of the goal wins; otherwise nobody does.
"""

from types import MappingProxyType
from typing import Any

import numpy as np
from gymnasium import spaces

from game_core.compiled.jit import jit
from game_core.compiled.loops import bind
from game_core.compiled.record import Cells, Record, field, record_dtype
from game_core.compiled.rng import below, unit_float
from game_core.compiled.rules import Rules, always_legal, no_mask
from game_core.game import Game
from game_core.layout import Layout
from game_core.validation import options

MAX_PLAYERS = 4
REACH = 0.5
FARTHEST = 1000.0
GOALS = {"middle": (0.0, 0.0), "corner": (2.0, -1.0)}


class State(Record):
    """A game of walking."""

    most_moves: int = field(np.int64)  # moves after which the game is cut short
    moves: int = field(np.int64)  # moves made
    goal: Cells = field(np.float64, 2)  # an option
    place: Cells = field(np.float64, MAX_PLAYERS, 2)  # where each player stands


STATE = record_dtype(State)


@jit
def reset(state: Any) -> None:
    state.terminated = False
    state.truncated = False
    state.moves = 0
    state.place[:] = 0
    for seat in range(state.num_players):
        for axis in range(2):
            state.place[seat, axis] = 4 * unit_float(state) - 2
    state.player = below(state, state.num_players)


@jit
def distance(state: Any, seat: int) -> float:
    east = state.place[seat, 0] - state.goal[0]
    north = state.place[seat, 1] - state.goal[1]
    return np.sqrt(east * east + north * north)


@jit
def step(state: Any, action: Any) -> None:
    for axis in range(2):
        wind = unit_float(state) / 10
        state.place[state.player, axis] += action[axis] + wind
    state.moves += 1
    if distance(state, state.player) <= REACH:
        state.terminated = True
    elif state.moves >= state.most_moves:
        state.truncated = True
    else:
        state.player = (state.player + 1) % state.num_players


@jit
def rewards(state: Any, out: Any) -> None:
    if state.terminated:
        out[:] = -1 / (state.num_players - 1)
        out[state.player] = 1


@jit
def observe(state: Any, seat: int, out: Any) -> None:
    for ahead in range(state.num_players):
        other = (seat + ahead) % state.num_players
        for axis in range(2):
            out[2 * ahead + axis] = state.place[other, axis] - state.goal[axis]


RULES = Rules(
    reset=reset,
    is_legal=always_legal,
    step=step,
    legal_actions=no_mask,
    rewards=rewards,
    observe=observe,
)


def action_to_text(action: Any) -> str:
    return f"{action[0]:.2f} east and {action[1]:.2f} north"


def text_to_action(text: str) -> Any:
    east, _, _, north, _ = text.split()
    return np.array([float(east), float(north)], np.float32)


def describe(states: np.ndarray, action: Any) -> str:
    state = states[0]
    east, north = state.place[state.player]
    return f"{action_to_text(action)} from ({east:.2f}, {north:.2f})"


def draw_text(states: np.ndarray) -> str:
    state = states[0]
    lines = [f"Move {state.moves}. player_{state.player}"]
    for seat in range(state.num_players):
        lines.append(f"player_{seat} at {state.place[seat].round(2).tolist()}")
    return "\n".join(lines)


def make_game(
    num_players: int = 2, goal: str = "middle", most_moves: int = 40, **unknown: Any
) -> Game:
    options.refuse_unknown(unknown, ("num_players", "goal", "most_moves"))
    options.whole_number("num_players", num_players, 2, MAX_PLAYERS)
    checked = {"num_players": num_players, "goal": goal, "most_moves": most_moves}
    return Game(
        id="toy",
        version=0,
        options=MappingProxyType(checked),
        num_players=num_players,
        state_dtype=STATE,
        fixed={
            "num_players": num_players,
            "goal": np.array(GOALS[goal]),
            "most_moves": most_moves,
        },
        bounds={"player": (0, num_players - 1), "place": (-FARTHEST, FARTHEST)},
        action_space=spaces.Box(-1, 1, (2,), np.float32),
        observation_space=spaces.Box(
            -2 * FARTHEST, 2 * FARTHEST, (2 * num_players,), np.float32
        ),
        loops=bind("toy", RULES),
        observation_layout=Layout.of(("places", (num_players, 2), "from the goal")),
        action_to_text=action_to_text,
        text_to_action=text_to_action,
        draw_text=draw_text,
        action_components=("east", "north"),
        describe=describe,
    )
