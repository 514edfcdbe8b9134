"""Azul as a ``Game``: its options, and its rooms tied together."""

import functools
from types import MappingProxyType
from typing import Annotated, Literal, TypedDict, Unpack

import numpy as np
from gymnasium import spaces

from azul_env import draw, observe, rules, text
from azul_env.state import (
    FLOOR_SPACES,
    GREY,
    MARKER,
    MAX_PLAYERS,
    MAX_POINTS,
    MAX_ROUNDS,
    MIN_PLAYERS,
    NO_CAP,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    RANDOM_START,
    REWARD,
    STATE,
    TILES_PER_COLOR,
    VERSION,
    WALL,
    num_displays,
    num_offer_actions,
)
from game_core.compiled.loops import bind
from game_core.compiled.rules import Rules
from game_core.game import Game
from game_core.validation.game_options import Option, check_options, takes_options

__all__ = ["AzulOptions", "make_game"]

RULES = Rules(
    reset=rules.reset,
    is_legal=rules.is_legal,
    step=rules.step,
    legal_actions=rules.legal_actions,
    rewards=rules.rewards,
    observe=observe.observe,
)


class AzulOptions(TypedDict, total=False):
    """The options of Azul."""

    num_players: Annotated[int, Option(2, "2 to 4.", MIN_PLAYERS, MAX_PLAYERS)]
    wall: Annotated[
        Literal["colored", "grey"],
        Option(
            "colored",
            '"colored" for the side with a fixed color on each space, "grey" for the '
            "one where players choose the column.",
        ),
    ]
    starting_player: Annotated[
        Literal["random"] | int,
        Option("random", '"random", or the seat that starts the first round.'),
    ]
    max_rounds: Annotated[
        int | None,
        Option(
            100,
            "Rounds after which an unfinished game is truncated; None for no cap.",
            1,
            MAX_ROUNDS,
        ),
    ]
    reward: Annotated[
        Literal["win", "margin"],
        Option(
            "win",
            '"win" pays 1 to the winner, "margin" pays by points; see '
            "``rules.rewards``.",
        ),
    ]


@takes_options(AzulOptions)
def make_game(**given: Unpack[AzulOptions]) -> Game:
    """Return Azul with these options."""
    checked = check_options(AzulOptions, given)
    num_players, start = checked["num_players"], checked["starting_player"]
    wall_side = WALL[checked["wall"]]
    columns = NUM_COLUMNS if wall_side == GREY else 0
    return Game(
        id="azul",
        version=VERSION,
        options=MappingProxyType(checked),
        num_players=num_players,
        state_dtype=STATE,
        fixed={
            "num_players": num_players,
            "num_displays": num_displays(num_players),
            "wall_side": wall_side,
            "first_seat": RANDOM_START if start == "random" else start,
            "max_rounds": checked["max_rounds"] or NO_CAP,
            "reward": REWARD[checked["reward"]],
        },
        bounds={
            "player": (0, num_players - 1),
            "round_number": (1, MAX_ROUNDS),
            "starting_player": (0, num_players - 1),
            "marker_owner": (NONE, num_players - 1),
            "tiling_line": (0, NUM_LINES),
            "bag": (0, TILES_PER_COLOR),
            "lid": (0, TILES_PER_COLOR),
            "sources": (0, TILES_PER_COLOR),
            "line_color": (NONE, NUM_COLORS - 1),
            "line_count": (0, NUM_LINES),
            "wall": (NONE, NUM_COLORS - 1),
            "row_holds": (0, 1),
            "floor": (NONE, MARKER),
            "floor_count": (0, FLOOR_SPACES),
            "score": (0, MAX_POINTS),
        },
        action_space=spaces.Discrete(num_offer_actions(num_players) + columns),
        observation_space=spaces.Box(
            0.0, 1.0, (observe.size(num_players, wall_side),), np.float32
        ),
        loops=bind("azul", RULES),
        observation_layout=observe.layout(num_players, wall_side),
        action_to_text=functools.partial(text.action_to_text, num_players=num_players),
        text_to_action=functools.partial(
            text.text_to_action, num_players=num_players, grey=wall_side == GREY
        ),
        draw_text=text.draw_text,
        color_text=text.color_text,
        outcome=text.outcome,
        draw_svg=draw.draw_svg,
    )
