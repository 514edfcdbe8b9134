"""What holds in every position of Azul, whatever the options and the tiles.

What holds in every game is tested in ``tests/games_alike``.
"""

import numpy as np
import pytest
from hypothesis import given

from azul_env.state import NONE
from game_core import Position, load_game
from tests.azul.positions import PLAYER_COUNTS, SIDES, set_up, status
from tests.games_alike.azul import positions

pytestmark = pytest.mark.bounds


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_nothing_is_wrong_in_a_whole_game(num_players, side):
    position = Position.new(load_game("azul", num_players=num_players, wall=side), 6)
    rng = np.random.default_rng(6)
    while not position.over:
        assert status(position) == []
        position.step(rng.choice(position.legal_actions()))
    assert status(position) == []


def in_the_offer() -> Position:
    """Return a position of the offer in which nothing is wrong."""
    return set_up(
        num_players=3,
        max_rounds=9,
        marker_owner=1,
        displays=("byyw", "kkrr"),
        centre="bw",
        lid="rrw",
        lines={0: ("b", "r"), 1: ("", "", "", "wwww")},
        walls={0: ("....w", ".....", "kw"), 1: (".y...",)},
        floors={0: "r", 1: "r1"},
        scores=(12, 3, 0),
    )


def in_the_tiling() -> Position:
    """Return a position of the tiling, on the grey side, in which nothing is wrong."""
    position = set_up(
        num_players=3,
        wall="grey",
        player=2,
        displays=("b",),
        lines={0: ("w",), 1: ("k", "rr"), 2: ("", "", "ww")},
        walls={1: ("bw",)},
        floors={1: "k"},
    )
    for words in ("display 1, blue, floor", "column 3", "column 3"):
        position.step(position.game.text_to_action(words))
    return position


@pytest.mark.parametrize(
    ("field", "place", "value", "fault"),
    [
        ("bag", (0,), 20, "there are [23 20 20 20 20] tiles"),
        ("lid", (1,), -1, "fewer than no tiles"),
        ("sources", (0, 4), 2, "more than four tiles on a display"),
        ("sources", (8, 0), 1, "a tile on a display that is not in the game"),
        ("score", (3,), 1, "something on the board of a player who is not"),
        ("wall", (3, 0, 0), 0, "something on the board of a player who is"),
        ("line_count", (0, 0), 2, "line 1 of seat 0 has 2 tiles"),
        ("line_color", (0, 0), 5, "line 1 of seat 0 is of color 5"),
        ("line_color", (0, 1), -1, "line 2 of seat 0 has a color without"),
        ("line_count", (0, 1), 0, "line 2 of seat 0 has a color without"),
        ("line_color", (0, 0), 4, "the wall beside line 1 of seat 0 holds"),
        ("wall", (0, 0, 0), 5, "something on a wall that is no tile"),
        ("row_holds", (0, 0, 4), 0, "the colors held in rows are not those"),
        ("row_holds", (2, 4, 0), 1, "the colors held in rows are not those"),
        ("wall", (0, 0, 0), 4, "a color twice in row 1 of seat 0"),
        ("wall", (0, 3, 0), 3, "a color twice in column 1 of seat 0"),
        ("wall", (0, 4, 0), 2, "a tile on the wrong space of row 5 of seat"),
        ("floor_count", (1,), 8, "8 things on the floor line of seat 1"),
        ("floor_count", (1,), 1, "the floor line of seat 1 is not filled"),
        ("floor", (2, 1), 0, "the floor line of seat 2 is not filled"),
        ("floor", (0, 0), 5, "the marker is on the floor of seat 0, who"),
        ("floor", (1, 0), 5, "two markers on the floor line of seat 1"),
        ("marker_owner", (), 2, "the marker of seat 2 is not on the floor"),
        ("marker_owner", (), 3, "seat 3 has the marker"),
        ("score", (1,), -1, "fewer than no points"),
        ("player", (), 3, "nobody's turn"),
        ("starting_player", (), -1, "nobody's turn"),
        ("tiling", (), True, "tiling with tiles on offer, or the other way"),
        ("terminated", (), True, "over without a complete row"),
        ("wall", (0, 0, slice(None)), [0, 1, 2, 3, 4], "not over with a"),
        ("truncated", (), True, "cut short before the cap"),
        ("round_number", (), 10, "more rounds than the cap"),
        ("round_number", (), 0, "more rounds than the cap"),
        ("terminated", (), True, "over with tiles on offer or on the floor"),
    ],
)
def test_status_notices_what_is_wrong_in_the_offer(field, place, value, fault):
    assert_noticed(in_the_offer(), field, place, value, fault)


@pytest.mark.parametrize(
    ("field", "place", "value", "fault"),
    [
        ("tiling", (), False, "tiling with tiles on offer, or the other"),
        ("wall_side", (), 0, "a choice of columns on the colored side"),
        ("line_count", (0, 0), 1, "line 1 of seat 0 has been passed over"),
        ("line_count", (1, 0), 1, "line 1 of seat 1 has been passed over"),
        ("line_count", (1, 1), 1, "a column for line 2 of seat 1, not"),
    ],
)
def test_status_notices_what_is_wrong_in_the_tiling(field, place, value, fault):
    assert_noticed(in_the_tiling(), field, place, value, fault)


def assert_noticed(position: Position, field, place, value, fault) -> None:
    """Check that ``status`` finds a fault, and only after it has been made."""
    assert status(position) == []
    position.states[field][(0, *place)] = value
    faults = status(Position(position.game, position.states))
    assert any(words.startswith(fault) for words in faults), faults


@pytest.mark.nojit
@given(positions())
def test_every_seat_sees_the_position_at_any_time(position):
    game = position.game
    for seat in range(game.num_players):
        observation = position.observation(seat)
        assert game.observation_space.contains(observation)
        seen = game.observation_layout.split(observation)
        expected = what_is_seen(position, seat)
        assert seen.keys() == expected.keys()
        for name, values in expected.items():
            numbers = np.ravel(values).astype(float)
            assert seen[name].ravel() == pytest.approx(numbers, abs=1e-6), name


def what_is_seen(position: Position, seat: int) -> dict[str, np.ndarray]:
    """Return the parts of an observation by their names, from their description."""
    state, options = position.states[0], position.game.options
    seats = np.arange(position.game.num_players)
    clockwise = (seat + seats) % len(seats)
    colors = np.arange(5)
    tiles = state.wall[clockwise] != NONE
    if options["wall"] == "grey":
        tiles = state.wall[clockwise][..., None] == colors
    lines = np.zeros((len(seats), 5, 6))
    lines[..., :5] = state.line_color[clockwise][..., None] == colors
    lines[..., 5] = state.line_count[clockwise] / np.arange(1, 6)
    owners = np.append(clockwise, NONE)
    return {
        "walls": tiles,
        "lines": lines,
        "floors": state.floor_count[clockwise] / 7,
        "scores": np.minimum(state.score[clockwise] / 200, 1),
        "displays": state.sources[: state.num_displays] / 4,
        "centre": state.sources[state.num_displays] / 20,
        "bag": state.bag / 20,
        "lid": state.lid / 20,
        "marker": owners == state.marker_owner,
        "starting": clockwise == state.starting_player,
        "to_move": clockwise == position.player,
        "seat": seats == seat,
        "tiling": (np.arange(5) == state.tiling_line) & state.tiling,
        "round": np.array([state.round_number / (options["max_rounds"] or np.inf)]),
    }


@given(positions())
def test_a_score_never_falls_except_for_the_floor_line(position):
    """At most 14 points in a round."""
    before = position.states[0].score.copy()
    round_number = position.states[0].round_number
    rng = np.random.default_rng(0)
    while not position.over and position.states[0].round_number == round_number:
        position.step(rng.choice(position.legal_actions()))
    assert (position.states[0].score >= np.maximum(before - 14, 0)).all()
