"""Games that can be solved by hand: Nim, a bet, and a choice among three players.

Actions 0 to 2 take 1 to 3 of the stones, and who takes the last wins. With ``lucky``
there is one move: action 0 wins for a die up to 3, action 1 for one up to ``lucky``,
action 2 loses. With ``selfish``, action 0 of the first player ends the game, a quarter
for it; after any other the second player decides: action 0 gives both a half, any other
a whole to the third.
"""

from types import MappingProxyType
from typing import Any

import numpy as np
from gymnasium import spaces

from game_core.compiled.jit import jit
from game_core.compiled.loops import bind
from game_core.compiled.record import Cells, Record, field, record_dtype
from game_core.compiled.rng import below
from game_core.compiled.rules import Rules
from game_core.game import Game
from game_core.layout import Layout

MAX_PLAYERS = 3


class State(Record):
    """A game of Nim."""

    lucky: int = field(np.int64)  # an option; 0 for none
    selfish: bool = field(np.bool_)  # an option
    first_stones: int = field(np.int64)  # an option
    stones: int = field(np.int64)  # left
    rewards: Cells = field(np.float64, MAX_PLAYERS)  # once it is over


STATE = record_dtype(State)


@jit
def reset(state: Any) -> None:
    state.terminated = False
    state.player = 0
    state.stones = state.first_stones
    state.rewards[:] = 0.0


@jit
def is_legal(state: Any, action: int) -> bool:
    return 0 <= action < min(3, state.stones)


@jit
def legal_actions(state: Any, mask: Any) -> None:
    mask[: min(3, state.stones)] = 1


@jit
def step(state: Any, action: int) -> None:
    if state.selfish:
        choose_partner(state, action)
        return
    if state.lucky > 0:
        highest = 3 if action == 0 else state.lucky
        won = action < 2 and below(state, 6) < highest
        end(state, 1.0 if won else -1.0)
        return
    state.stones -= action + 1
    if state.stones == 0:
        end(state, 1.0)
    else:
        state.player = (state.player + 1) % state.num_players


@jit
def end(state: Any, reward: float) -> None:
    state.rewards[: state.num_players] = -reward / (state.num_players - 1)
    state.rewards[state.player] = reward
    state.terminated = True


@jit
def choose_partner(state: Any, action: int) -> None:
    if state.player == 0 and action == 0:
        end(state, 0.25)
    elif state.player == 0:
        state.player = 1
    elif action == 0:
        state.rewards[:] = 0.5
        state.rewards[2] = -1.0
        state.terminated = True
    else:
        state.player = 2
        end(state, 1.0)
        state.player = 1


@jit
def rewards(state: Any, out: Any) -> None:
    for seat in range(state.num_players):
        out[seat] = state.rewards[seat]


@jit
def observe(state: Any, seat: int, out: Any) -> None:
    out[0] = state.stones


RULES = Rules(
    reset=reset,
    is_legal=is_legal,
    step=step,
    legal_actions=legal_actions,
    rewards=rewards,
    observe=observe,
)


def make_game(
    num_players: int = 2, stones: int = 10, lucky: int = 0, selfish: bool = False
) -> Game:
    """Return the game."""
    options = {
        "num_players": num_players,
        "stones": stones,
        "lucky": lucky,
        "selfish": selfish,
    }
    fixed = {**options, "first_stones": stones}
    del fixed["stones"]
    return Game(
        id="nim",
        version=0,
        options=MappingProxyType(options),
        num_players=num_players,
        state_dtype=STATE,
        fixed=fixed,
        bounds={},
        action_space=spaces.Discrete(3),
        observation_space=spaces.Box(0, 100, (1,), np.float32),
        loops=bind("nim", RULES),
        observation_layout=Layout.of(("stones", (), "left")),
        action_to_text=lambda action: f"take {action + 1}",
        text_to_action=lambda text: int(text.split()[1]) - 1,
        draw_text=lambda states: f"{states[0].stones} stones",
    )
