"""What to try with Can't Stop."""

import numpy as np
from hypothesis import strategies as st

from game_core import Position
from tests.cant_stop.positions import status
from tests.games import PLAYER_COUNTS, VARIANTS, wander
from tests.games_alike.case import EXAMPLES, SEEDS, Case, any_game

GAMES = any_game("cant_stop", max_turns=st.none() | st.integers(1, 80))


@st.composite
def positions(draw) -> Position:
    """Positions that random play leads to, the end of the game included."""
    position = Position.new(draw(GAMES), draw(SEEDS))
    return wander(position, draw(SEEDS), draw(st.integers(0, 250)))


ALLOWED = [
    {},
    {"num_players": 1},
    {"num_players": 4, "starting_player": 3},
    {"num_players": np.int64(3), "columns_to_win": np.int8(1)},
    {"columns_to_win": 11, "max_turns": None},
    {"max_turns": 1},
    {"max_turns": 10**9, "starting_player": 0},
    {"occupied": "share", "reward": "win"},
    {"occupied": "jump", "reward": "margin"},
    {"occupied": "no_rest"},
]

REFUSED = [
    ({"x": 2}, "unknown option 'x'; known options: num_players, "),
    ({"a": 1, "b": 2}, "unknown option 'a', 'b'"),
    ({"num_players": 0}, "num_players=0 .* whole number from 1 to 4"),
    ({"num_players": 5}, "num_players=5 .* whole number from 1 to 4"),
    ({"num_players": 2.0}, "num_players=2.0 .* whole number from 1 to 4"),
    ({"num_players": True}, "num_players=True"),
    ({"num_players": "2"}, "num_players='2'"),
    ({"columns_to_win": 0}, "columns_to_win=0 .* from 1 to 11"),
    ({"columns_to_win": 12}, "columns_to_win=12 .* from 1 to 11"),
    ({"occupied": "skip"}, "occupied='skip' .*'share' or 'jump' or 'no_rest'"),
    ({"occupied": 1}, "occupied=1"),
    ({"occupied": ["jump"]}, "occupied="),
    ({"starting_player": 2}, "starting_player=2 .*'roll' or .* from 0 to 1"),
    ({"starting_player": -1}, "starting_player=-1"),
    ({"starting_player": "first"}, "starting_player='first' .*'roll' or"),
    ({"max_turns": 0}, "max_turns=0 .* None or a whole number from 1 to"),
    ({"max_turns": 10**9 + 1}, "max_turns=1000000001"),
    ({"max_turns": 2.5}, "max_turns=2.5"),
    ({"reward": "points"}, "reward='points' .*'win' or 'margin'"),
    ({"reward": None}, "reward=None"),
]

CASE = Case(
    games=GAMES,
    positions=positions(),
    status=status,
    decisions=40,
    examples=EXAMPLES,
    hidden=(),
    boundschecked=True,
    environments=[
        {"num_players": n, "occupied": occupied}
        for n in PLAYER_COUNTS
        for occupied in VARIANTS
    ],
    allowed=ALLOWED,
    refused=REFUSED,
    golden_kind=lambda options: (options["occupied"], options["num_players"]),
    golden={(occupied, n): 3 for occupied in VARIANTS for n in PLAYER_COUNTS},
)
