"""What to try with ICECOOL."""

import numpy as np
from hypothesis import strategies as st

from game_core import Position
from icecool_env.grid import Grid
from icecool_env.school import STANDARD, School
from tests.games import THOROUGH
from tests.games_alike.case import SEEDS, Case, any_game, play
from tests.icecool.positions import MIRRORED, PLAYER_COUNTS, status

SMALL = {"directions": 8, "strengths": 2, "sides": 3, "heights": 2}


GAMES = any_game(
    "icecool",
    max_flicks=st.sampled_from((None, 1, 20, 60)),
    school=st.sampled_from((None, MIRRORED)),
    grid=st.sampled_from((None, SMALL)),
)


@st.composite
def positions(draw) -> Position:
    """Positions that random play leads to, the end of the game included."""
    position = Position.new(draw(GAMES), draw(SEEDS))
    play(position, draw(SEEDS), draw(st.integers(0, 100)))
    return position


ALLOWED = [
    {},
    {"num_players": 2, "deck": "45"},
    {"num_players": 3, "deck": "42", "blank_cards": True},
    {"num_players": 4, "deck": "tournament", "reward": "margin"},
    {"num_players": np.int64(3), "first_catcher": np.int8(1)},
    {"num_players": 4, "first_catcher": 3},
    {"first_catcher": "random", "catcher_start": "centre"},
    {"max_flicks": None},
    {"max_flicks": 1},
    {"max_flicks": 10**9},
    {"reflick": False, "stuck_move": "must", "stuck_room": "majority"},
    {"stuck_strict": False, "finish_flick": True, "void_on_exit": True},
    {"self_catch_next": "catcher"},
    {"school": MIRRORED.to_dict()},
    {"grid": {"directions": 1, "strengths": 1, "sides": 1, "heights": 1}},
    {"num_players": 3, "school": MIRRORED.to_dict(), "grid": Grid()._asdict()},
]

REFUSED = [
    ({"x": 2}, "unknown option 'x'; known options: num_players, deck"),
    ({"num_players": 1}, "num_players=1 .* whole number from 2 to 4"),
    ({"num_players": 5}, "num_players=5"),
    ({"num_players": 2.0}, "num_players=2.0"),
    ({"num_players": True}, "num_players=True"),
    ({"deck": 43}, "deck='43' .*'45' or '42' or 'tournament'"),
    ({"deck": "54"}, "deck='54'"),
    ({"max_flicks": 0}, "max_flicks=0 .*None or a whole number from 1 to"),
    ({"max_flicks": 10**9 + 1}, "max_flicks=1000000001"),
    ({"max_flicks": 2.5}, "max_flicks=2.5"),
    ({"max_flicks": "none"}, "max_flicks='none'"),
    ({"reward": "points"}, "reward='points' .*'win' or 'margin'"),
    ({"first_catcher": 2}, "first_catcher=2 .*'random' or .* from 0 to 1"),
    ({"first_catcher": -1}, "first_catcher=-1"),
    ({"first_catcher": None}, "first_catcher=None"),
    ({"first_catcher": True}, "first_catcher=True"),
    ({"catcher_start": "center"}, "catcher_start='center' .*'chosen' or 'centre'"),
    ({"reflick": 1}, "reflick=1 .*True or False"),
    ({"stuck_move": True}, "stuck_move=True .*'may' or 'must'"),
    ({"stuck_room": "both"}, "stuck_room='both' .*'choose' or 'majority'"),
    ({"stuck_strict": None}, "stuck_strict=None"),
    ({"finish_flick": "yes"}, "finish_flick='yes'"),
    ({"void_on_exit": 0}, "void_on_exit=0"),
    ({"self_catch_next": 0}, "self_catch_next=0 .*'runner' or 'catcher'"),
    ({"blank_cards": "yes"}, "blank_cards="),
    ({"school": "big"}, "a school is a dict of 'rooms'"),
    ({"school": 5}, "a school is a dict of 'rooms'"),
    ({"school": {}}, "a school is a dict of 'rooms'"),
    ({"school": {**STANDARD.to_dict(), "attic": 1}}, "a school is a dict of"),
    ({"school": {**STANDARD.to_dict(), "kitchen": "Bar"}}, "there is no room Bar"),
    ({"school": School((), ())}, "no school to play in: there is no room Classro"),
    ({"grid": 32}, "grid=32 .*None for continuous .*directions, strengths, sides"),
    ({"grid": True}, "grid=True"),
    ({"grid": {"direction": 8}}, "'direction'.*directions, strengths, sides, heig"),
    ({"grid": {"directions": 0}}, "directions=0 .*whole number from 1 to 360"),
    ({"grid": {"sides": 361}}, "sides=361"),
    ({"grid": {"heights": 2.0}}, "heights=2.0"),
    ({"grid": {"directions": 360, "strengths": 360}}, "too fine"),
]


CASE = Case(
    games=GAMES,
    positions=positions(),
    status=status,
    decisions=10**6,
    examples=10 * THOROUGH,
    hidden=("deck", "face_down"),
    boundschecked=False,
    environments=[
        {"num_players": n, "max_flicks": 30, "grid": grid}
        for n in PLAYER_COUNTS
        for grid in (None, SMALL)
    ],
    allowed=ALLOWED,
    refused=REFUSED,
    golden_kind=lambda options: (options["num_players"], options["grid"] is not None),
    golden={(n, False): 3 for n in PLAYER_COUNTS}
    | {(n, True): 1 for n in PLAYER_COUNTS},
)
