"""What the end of the round will bring, against what it does bring."""

import numpy as np
import pytest

from azul_env.forecast import floor_cost, points_of_line
from azul_env.rules import is_full
from azul_env.state import FLOOR_COST, NUM_LINES
from game_core import Position, load_game
from tests.azul.positions import FREE_WALL, set_up
from tests.games import any_action

RED = 2


def forecast_score(position: Position, seat: int) -> int:
    """Return a seat's points after the tiling, if it takes no more tiles."""
    state = position.states[0]
    points = int(state.score[seat])
    for line in range(NUM_LINES):
        if is_full(state, seat, line):
            color = int(state.line_color[seat, line])
            points += points_of_line(state, seat, line, color)
    return max(0, points - int(FLOOR_COST[state.floor_count[seat]]))


@pytest.mark.nojit
@pytest.mark.bounds
def test_who_takes_no_more_tiles_gets_the_points_forecast():
    rounds = 0
    for seed in range(20):
        position = Position.new(load_game("azul"), seed)
        rng = np.random.default_rng(seed)
        while not position.over:
            number = int(position.states["round_number"][0])
            other = 1 - position.player
            forecast = forecast_score(position, other)
            position.step(any_action(position, rng))
            if position.states["round_number"][0] != number:
                assert position.states["score"][0, other] == forecast
                rounds += 1
    assert rounds > 100


@pytest.mark.nojit
@pytest.mark.bounds
def test_more_tiles_than_the_floor_line_has_room_for_cost_no_more():
    state = set_up(floors={0: "byrkw"}).states[0]
    assert [floor_cost(state, 0, things) for things in range(4)] == [0, 3, 6, 6]


@pytest.mark.nojit
@pytest.mark.bounds
def test_on_the_grey_side_the_best_space_that_takes_the_color_counts():
    walls = {0: ("br...", *FREE_WALL[1:])}
    state = set_up(walls=walls, wall="grey").states[0]
    assert points_of_line(state, 0, 1, RED) == 2  # below blue, not below red
    walls = {0: (".r...", *FREE_WALL[1:])}
    state = set_up(walls=walls, wall="grey").states[0]
    assert points_of_line(state, 0, 1, RED) == 1
