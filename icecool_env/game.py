"""ICECOOL as a ``Game``: its options, and its rooms tied together."""

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypedDict, Unpack, cast

import numpy as np
from gymnasium import spaces

from game_core.compiled.loops import bind
from game_core.compiled.rules import Rules, always_legal, no_mask
from game_core.game import Game
from game_core.validation import options
from game_core.validation.game_options import Option, check_options, takes_options
from icecool_env import cards, consistency, draw, observe, rules, text, turn
from icecool_env import grid as grid_
from icecool_env.grid import Grid
from icecool_env.physics.munk2d import USABLE
from icecool_env.school import FARTHEST, STANDARD, School
from icecool_env.state import (
    COMPONENTS,
    DECKS,
    FASTEST,
    FASTEST_SPIN,
    MAX_CARDS,
    MAX_FLICKS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NONE,
    NUM_COMPONENTS,
    PLACE,
    RANDOM_CATCHER,
    REWARD,
    SKATES,
    STATE,
    TOURNAMENT,
    VERSION,
)

__all__ = ["IcecoolOptions", "make_game"]

FLICKS_PER_PLAYER = 100  # A21

MAX_LEVELS = 360  # of each component of a grid
MAX_ACTIONS = 10**6


def _school(given: Any) -> School:
    if given is None:
        return STANDARD
    if isinstance(given, School):
        given.check()
        return School.from_dict(given.to_dict())
    return School.from_dict(given)


def _grid(given: Any) -> Grid | None:
    """Return the grid of discrete actions that an option asks for."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise ValueError(
            f"grid={given!r} is not allowed; give None for continuous actions, or a "
            f"dict of numbers: {', '.join(Grid._fields)}"
        )
    named = {str(name): level for name, level in cast(Mapping[Any, Any], given).items()}
    try:
        unknown = [name for name in named if name not in Grid._fields]
        options.refuse_unknown(unknown, Grid._fields)
        levels = {
            name: options.whole_number(name, level, 1, MAX_LEVELS)
            for name, level in named.items()
        }
    except ValueError as error:
        raise ValueError(f"grid: {error}") from None
    grid = Grid(**levels)
    if grid.num_actions > MAX_ACTIONS:
        raise ValueError(
            f"a grid of {grid.num_actions} actions is too fine; the most are "
            f"{MAX_ACTIONS}"
        )
    return grid


class IcecoolOptions(TypedDict, total=False):
    """The options of ICECOOL."""

    num_players: Annotated[int, Option(2, "2 to 4.", MIN_PLAYERS, MAX_PLAYERS)]
    deck: Annotated[
        Literal["45", "42", "tournament"],
        Option("45", '"45" cards, "42", or "tournament": all worth 1, no skates.'),
    ]
    max_flicks: Annotated[
        int | None,
        Option(
            None,
            "Flicks after which a round ends; None for 100 times the players.",
            1,
            MAX_FLICKS,
        ),
    ]
    reward: Annotated[
        Literal["win", "margin"],
        Option(
            "win",
            '"win" pays 1 to the winner, "margin" pays by points; see '
            "``cards.rewards``.",
        ),
    ]
    first_catcher: Annotated[
        Literal["random"] | int,
        Option("random", '"random", or the seat that is Catcher first.'),
    ]
    catcher_start: Annotated[
        Literal["chosen", "centre"],
        Option(
            "chosen",
            '"chosen" by the Catcher within the Kitchen\'s red line, or its "centre" '
            "(R9).",
        ),
    ]
    reflick: Annotated[
        bool,
        Option(
            True, "Whether a first flick that stays on the circle is repeated (R14)."
        ),
    ]
    stuck_move: Annotated[
        Literal["may", "must"],
        Option("may", 'Whether a penguin stuck in a door "may" or "must" move (R33).'),
    ]
    stuck_room: Annotated[
        Literal["choose", "majority"],
        Option(
            "choose",
            'Whether it can "choose" the room, or goes to that of its "majority" '
            "(R32).",
        ),
    ]
    stuck_strict: Annotated[
        bool,
        Option(True, "Whether it gets no fish of that door in that flick (R33)."),
    ]
    finish_flick: Annotated[
        bool, Option(False, "Whether events after the end of a round count (R24).")
    ]
    void_on_exit: Annotated[
        bool,
        Option(
            False,
            "Whether events of a penguin that leaves the school in the same flick do "
            "not count (R34).",
        ),
    ]
    self_catch_next: Annotated[
        Literal["runner", "catcher"],
        Option(
            "runner",
            "Who is next when a Runner of two runs into the Catcher in its own turn: "
            'the "runner" or the "catcher" (R41).',
        ),
    ]
    blank_cards: Annotated[
        bool, Option(False, "Whether blank cards are drawn from an empty deck (A19).")
    ]
    school: Annotated[
        School | Mapping[str, Any] | None,
        Option(
            None,
            "Another floor plan, a ``School`` or what its ``to_dict`` returns.",
            convert=_school,
        ),
    ]
    grid: Annotated[
        Mapping[str, int] | None,
        Option(
            None,
            'For discrete actions, numbers of "directions", "strengths", "sides" and '
            '"heights"; those left out are 32, 4, 3 and 2.',
            convert=_grid,
        ),
    ]


@takes_options(IcecoolOptions)
def make_game(**given: Unpack[IcecoolOptions]) -> Game:
    """Return ICECOOL with these options; the rules are in ``docs/rules/icecool.md``."""
    checked = check_options(IcecoolOptions, given)
    school, grid = checked["school"], checked["grid"]
    checked["school"] = None if school == STANDARD else school.to_dict()
    checked["grid"] = None if grid is None else grid._asdict()
    n = checked["num_players"]
    forms = _continuous(school) if grid is None else _discrete(grid)
    return Game(
        id="icecool",
        version=VERSION,
        options=MappingProxyType(checked),
        num_players=n,
        state_dtype=STATE,
        fixed={
            "num_players": n,
            "grid": grid or Grid(0, 0, 0, 0),
            **_fixed_by_options(checked),
            **school.fields(),
        },
        bounds=_bounds(n),
        observation_space=spaces.Box(0.0, 1.0, (observe.size(n),), np.float32),
        observation_layout=observe.layout(n),
        draw_text=text.draw_text,
        color_text=text.color_text,
        outcome=text.outcome,
        draw_svg=functools.partial(draw.draw_svg, school=school),
        draw_frames=functools.partial(draw.draw_frames, school=school),
        check=consistency.check,
        **forms,
    )


def _continuous(school: School) -> dict[str, Any]:
    """Return what is peculiar to the game with continuous actions."""
    return {
        "action_space": spaces.Box(-1.0, 1.0, (NUM_COMPONENTS,), np.float32),
        "action_components": COMPONENTS,
        "action_to_text": text.action_to_text,
        "text_to_action": text.text_to_action,
        "describe": functools.partial(text.describe, school=school),
        "loops": bind(
            "icecool",
            Rules(
                reset=rules.reset,
                is_legal=always_legal,
                step=turn.step,
                legal_actions=no_mask,
                rewards=cards.rewards,
                observe=observe.observe,
                resample_hidden=cards.resample_hidden,
            ),
            compiled=USABLE,
        ),
    }


def _discrete(grid: Grid) -> dict[str, Any]:
    """Return what is peculiar to the game with discrete actions."""
    return {
        "action_space": spaces.Discrete(grid.num_actions),
        "action_to_text": functools.partial(text.number_to_text, grid=grid),
        "text_to_action": functools.partial(text.text_to_number, grid=grid),
        "loops": bind(
            "icecool_grid",
            Rules(
                reset=rules.reset,
                is_legal=grid_.is_legal,
                step=turn.step_on_grid,
                legal_actions=grid_.legal_actions,
                rewards=cards.rewards,
                observe=observe.observe,
                resample_hidden=cards.resample_hidden,
            ),
            compiled=USABLE,
        ),
    }


def _fixed_by_options(checked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the record that options fill in."""
    n, first, cap = (
        checked[name] for name in ("num_players", "first_catcher", "max_flicks")
    )
    return {
        "first_catcher": RANDOM_CATCHER if first == "random" else first,
        "max_flicks": FLICKS_PER_PLAYER * n if cap is None else cap,
        "reward": REWARD[checked["reward"]],
        "deck_cards": DECKS[checked["deck"]],
        "skates": checked["deck"] != TOURNAMENT,
        "reflick": checked["reflick"],
        "stuck_must_move": checked["stuck_move"] == "must",
        "stuck_majority": checked["stuck_room"] == "majority",
        "stuck_strict": checked["stuck_strict"],
        "finish_flick": checked["finish_flick"],
        "void_on_exit": checked["void_on_exit"],
        "catcher_centre": checked["catcher_start"] == "centre",
        "self_catch_next_catcher": checked["self_catch_next"] == "catcher",
        "blank_cards": checked["blank_cards"],
    }


def _bounds(n: int) -> dict[str, tuple[float, float]]:
    """Return the bounds of the other fields, as far as rules and physics need them."""
    on_plan = (0.0, FARTHEST)
    return {
        "player": (0, n - 1),
        "phase": (PLACE, SKATES),
        "round_number": (0, rules.num_rounds(n) - 1),
        "catcher": (0, n - 1),
        "deck": (0, MAX_CARDS),
        "face_down": (0, MAX_CARDS),
        "face_up": (0, MAX_CARDS),
        "endings": (0, rules.num_rounds(n)),
        "flicks": (0, MAX_FLICKS),
        "fish_taken": (0, 1),
        "caught": (0, rules.CATCHES_OF_TWO),
        "first_flick": (0, 1),
        "reflicks": (0, rules.MAX_REFLICKS),
        "on_board": (0, 1),
        "x": on_plan,
        "y": on_plan,
        "flicked": (NONE, n - 1),
        "velocity": (-FASTEST, FASTEST),
        "spin": (-FASTEST_SPIN, FASTEST_SPIN),
        "was_on_board": (0, 1),
        "was_x": on_plan,
        "was_y": on_plan,
    }
