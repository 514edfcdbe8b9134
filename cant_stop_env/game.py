"""Can't Stop as a ``Game``: its options, and its rooms tied together."""

from types import MappingProxyType
from typing import Any, Literal, TypedDict

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
)
from game_core.compiled.loops import bind
from game_core.compiled.rules import Rules
from game_core.game import Game
from game_core.validation import options

VERSION = 0

RULES = Rules(
    reset=rules.reset,
    is_legal=rules.is_legal,
    step=rules.step,
    legal_actions=rules.legal_actions,
    rewards=rules.rewards,
    observe=observe.observe,
)


class CantStopOptions(TypedDict, total=False):
    """The options of ``make_game``, for type checkers."""

    num_players: int
    columns_to_win: int
    occupied: Literal["share", "jump", "no_rest"]
    starting_player: Literal["roll"] | int
    max_turns: int | None
    reward: Literal["win", "margin"]


def make_game(
    num_players: int = 2,
    columns_to_win: int = 3,
    occupied: str = "share",
    starting_player: str | int = "roll",
    max_turns: int | None = 1000,
    reward: str = "win",
    **unknown: Any,
) -> Game:
    """Return Can't Stop with these options.

    Args:
        num_players: 1 to 4; alone, the fewer turns the better.
        columns_to_win: 3 in the base game, 4 or 5 in a variant; 1 to 11 here.
        occupied: What a runner does on a space with an opponent's piece. "share":
            nothing (base game). "jump": it skips to the next free space. "no_rest":
            while it stands there its player may not stop.
        starting_player: "roll" for the highest of two dice, or a seat.
        max_turns: Turns, of all players together, after which an unfinished game is
            truncated; None for no cap.
        reward: "win" pays 1 to the winner, or "margin" pays by columns conquered;
            see ``rules.rewards``.
        **unknown: Refused by name.

    Raises:
        ValueError: For an unknown option, or a value out of range.
    """
    options.refuse_unknown(unknown, CantStopOptions.__annotations__)
    num_players = options.whole_number("num_players", num_players, 1, MAX_PLAYERS)
    starting_player = options.word_or_number(
        "starting_player", starting_player, "roll", 0, num_players - 1
    )
    if max_turns is not None:
        max_turns = options.whole_number(
            "max_turns", max_turns, 1, MAX_TURNS, or_else="None"
        )
    return _make(
        num_players=num_players,
        columns_to_win=options.whole_number(
            "columns_to_win", columns_to_win, 1, NUM_COLUMNS
        ),
        occupied=options.one_of("occupied", occupied, OCCUPIED),
        starting_player=starting_player,
        max_turns=max_turns,
        reward=options.one_of("reward", reward, REWARD),
    )


def _make(**checked: Any) -> Game:
    """Return the game for options that were checked, one value for each."""
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
