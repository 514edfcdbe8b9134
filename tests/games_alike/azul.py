"""What to try with Azul."""

import numpy as np
from hypothesis import strategies as st

from azul_env.state import FLOOR, PLACES
from game_core import Position
from tests.azul.positions import PLAYER_COUNTS, SIDES, status
from tests.games_alike.case import EXAMPLES, SEEDS, Case, any_game

GAMES = any_game("azul", max_rounds=st.none() | st.integers(1, 12))


@st.composite
def positions(draw) -> Position:
    """Positions that play leads to, the end of the game included.

    Players take any action, or one to the floor with some chance.
    """
    position = Position.new(draw(GAMES), draw(SEEDS))
    rng = np.random.default_rng(draw(SEEDS))
    to_floor = draw(st.sampled_from((0, 0, 0.3, 0.9)))
    for _ in range(draw(st.integers(0, 200))):
        if position.over:
            break
        actions = position.legal_actions()
        floor = actions[actions % PLACES == FLOOR]
        if len(floor) and rng.random() < to_floor:
            actions = floor
        position.step(rng.choice(actions))
    return position


ALLOWED = [
    {},
    {"num_players": 2, "wall": "colored"},
    {"num_players": 3, "wall": "grey", "starting_player": "random"},
    {"num_players": 4, "starting_player": 3},
    {"num_players": np.int64(3), "starting_player": np.int8(1)},
    {"max_rounds": None},
    {"max_rounds": 1, "reward": "win"},
    {"max_rounds": 10**9, "reward": "margin"},
]

REFUSED = [
    ({"x": 2}, "unknown option 'x'; known options: num_players, wall"),
    ({"a": 1, "b": 2}, "unknown option 'a', 'b'"),
    ({"num_players": 1}, "num_players=1 .* whole number from 2 to 4"),
    ({"num_players": 5}, "num_players=5 .* whole number from 2 to 4"),
    ({"num_players": 2.0}, "num_players=2.0 .* whole number from 2 to 4"),
    ({"num_players": True}, "num_players=True"),
    ({"num_players": None}, "num_players=None"),
    ({"wall": "gray"}, "wall='gray' .*'colored' or 'grey'"),
    ({"wall": 0}, "wall=0 .*'colored' or 'grey'"),
    ({"wall": ["grey"]}, "wall="),
    ({"starting_player": 2}, "starting_player=2 .*'random' or .* from 0 to 1"),
    ({"starting_player": -1}, "starting_player=-1"),
    ({"starting_player": "roll"}, "starting_player='roll' .*'random' or"),
    ({"starting_player": None}, "starting_player=None .*'random' or"),
    ({"max_rounds": 0}, "max_rounds=0 .* None or a whole number from 1 to"),
    ({"max_rounds": 10**9 + 1}, "max_rounds=1000000001"),
    ({"max_rounds": 2.5}, "max_rounds=2.5"),
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
        {"num_players": n, "wall": side} for n in PLAYER_COUNTS for side in SIDES
    ],
    allowed=ALLOWED,
    refused=REFUSED,
    golden_kind=lambda options: (options["wall"], options["num_players"]),
    golden={(side, n): 3 for side in SIDES for n in PLAYER_COUNTS},
)
