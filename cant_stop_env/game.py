"""Can't Stop as a ``Game``: its options, and its rooms tied together."""

from types import MappingProxyType
from typing import Annotated, Literal, TypedDict, Unpack

import numpy as np
from gymnasium import spaces

from cant_stop_env import draw, observe, rules, text
from cant_stop_env.rules import FACES
from cant_stop_env.state import (
    HEIGHT,
    MAX_CHOICES,
    MAX_PLAYERS,
    MAX_TURNS,
    NO_CAP,
    NOBODY,
    NUM_ACTIONS,
    NUM_COLUMNS,
    NUM_RUNNERS,
    OCCUPIED,
    REWARD,
    ROLL_FOR_START,
    STATE,
    VERSION,
)
from game_core.compiled.loops import bind
from game_core.compiled.rules import Rules
from game_core.game import Game
from game_core.validation.game_options import Option, check_options, takes_options

__all__ = ["CantStopOptions", "make_game"]

RULES = Rules(
    reset=rules.reset,
    is_legal=rules.is_legal,
    step=rules.step,
    legal_actions=rules.legal_actions,
    rewards=rules.rewards,
    observe=observe.observe,
)


class CantStopOptions(TypedDict, total=False):
    """The options of Can't Stop."""

    num_players: Annotated[
        int,
        Option(2, "1 to 4; alone, the fewer turns the better.", 1, MAX_PLAYERS),
    ]
    columns_to_win: Annotated[
        int,
        Option(
            3, "3 in the base game, 4 or 5 in a variant; 1 to 11 here.", 1, NUM_COLUMNS
        ),
    ]
    occupied: Annotated[
        Literal["share", "jump", "no_rest"],
        Option(
            "share",
            "What a runner does on a space with an opponent's piece. "
            '"share": nothing (base game). "jump": it skips to the next free space. '
            '"no_rest": while it stands there its player may not stop.',
        ),
    ]
    starting_player: Annotated[
        Literal["roll"] | int,
        Option("roll", '"roll" for the highest of two dice, or a seat.'),
    ]
    max_turns: Annotated[
        int | None,
        Option(
            1000,
            "Turns, of all players together, after which an unfinished game is "
            "truncated; None for no cap.",
            1,
            MAX_TURNS,
        ),
    ]
    reward: Annotated[
        Literal["win", "margin"],
        Option(
            "win",
            '"win" pays 1 to the winner, "margin" pays by columns conquered; see '
            "``rules.rewards``.",
        ),
    ]


@takes_options(CantStopOptions)
def make_game(**given: Unpack[CantStopOptions]) -> Game:
    """Return Can't Stop with these options."""
    checked = check_options(CantStopOptions, given)
    num_players, start = checked["num_players"], checked["starting_player"]
    return Game(
        id="cant_stop",
        version=VERSION,
        options=MappingProxyType(checked),
        num_players=num_players,
        state_dtype=STATE,
        fixed={
            "num_players": num_players,
            "columns_to_win": checked["columns_to_win"],
            "occupied": OCCUPIED[checked["occupied"]],
            "starting_player": ROLL_FOR_START if start == "roll" else start,
            "max_turns": checked["max_turns"] or NO_CAP,
            "reward": REWARD[checked["reward"]],
        },
        bounds={
            "player": (0, num_players - 1),
            "turns": (0, MAX_TURNS),
            "pieces": (0, int(HEIGHT.max())),
            "owner": (NOBODY, num_players - 1),
            "runners": (0, int(HEIGHT.max())),
            "free_runners": (0, NUM_RUNNERS),
            "dice": (1, FACES),
            "choices": (0, NUM_ACTIONS - 1),
            "num_choices": (0, MAX_CHOICES),
        },
        action_space=spaces.Discrete(NUM_ACTIONS),
        observation_space=spaces.Box(
            0.0, 1.0, (observe.size(num_players),), np.float32
        ),
        loops=bind("cant_stop", RULES),
        observation_layout=observe.layout(num_players),
        action_to_text=text.action_to_text,
        text_to_action=text.text_to_action,
        draw_text=text.draw_text,
        color_text=text.color_text,
        outcome=text.outcome,
        draw_svg=draw.draw_svg,
    )
