"""What holds in every position of Can't Stop, whatever the options and the dice.

What holds in every game is tested in ``tests/games_alike``.
"""

import pytest
from hypothesis import given

from game_core import Position
from tests.cant_stop.positions import by_column, pieces_of, set_up, status
from tests.games_alike.cant_stop import positions
from tests.naive.cant_stop import SPACES

pytestmark = pytest.mark.bounds


@pytest.mark.parametrize(
    ("field", "place", "value", "fault"),
    [
        ("pieces", (3, 5), 1, "a piece of a player who is not in the game"),
        ("pieces", (0, 1), 1, "something in a column that is not on the board"),
        ("pieces", (0, 6), 12, "a piece outside column 6"),
        ("pieces", (0, 2), 3, "a piece on top of 2 and its owner do not agree"),
        ("pieces", (1, 12), 1, "other pieces in conquered column 12"),
        ("pieces", (1, 7), 2, "two pieces on a space of column 7"),
        ("owner", (4,), 0, "a piece on top of 4 and its owner do not agree"),
        ("owner", (8,), 0, "a runner in conquered column 8"),
        ("owner", (9,), 2, "column 9 belongs to seat 2"),
        ("runners", (3,), 1, "not three runners"),
        ("free_runners", (), 3, "not three runners"),
        ("runners", (0,), 1, "a runner in a column that is not on the board"),
        ("runners", (8,), 12, "the runner in 8 is outside it or below the piece"),
        ("runners", (8,), 2, "the runner in 8 did not jump"),
        ("player", (), 2, "nobody's turn"),
        ("dice", (0,), 7, "a die with no such face"),
        ("terminated", (), True, "over or not against the columns conquered"),
        ("truncated", (), True, "cut short or not against the cap"),
        ("turns", (), 21, "more turns than the cap"),
        ("num_choices", (), 1, "the choices are not what the dice allow"),
        ("choices", (0,), 3, "the choices are not what the dice allow"),
    ],
)
def test_status_notices_what_is_wrong(field, place, value, fault):
    position = set_up(
        occupied="jump",
        max_turns=20,
        dice=(1, 5, 4, 6),
        pieces={0: {7: 2}, 1: {8: 2}},
        runners={8: 3},
        owner={12: 0},
    )
    assert status(position) == []
    position.states[field][(0, *place)] = value
    assert fault in status(Position(position.game, position.states))


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
            assert seen[name].ravel() == pytest.approx(values, abs=1e-6), name


def what_is_seen(position: Position, seat: int) -> dict[str, list[float]]:
    """Return the parts of an observation by their names, from their description."""
    state, options = position.states[0], position.game.options
    seats = range(position.game.num_players)
    clockwise = [(seat + k) % len(seats) for k in seats]
    runners = by_column(state.runners)
    owners = [int(state.owner[column]) for column in SPACES]
    cap = options["max_turns"]
    return {
        "pieces": [
            pieces_of(position, other).get(column, 0) / top
            for other in clockwise
            for column, top in SPACES.items()
        ],
        "runners": [runners.get(column, 0) / top for column, top in SPACES.items()],
        "conquered": [float(owner >= 0) for owner in owners],
        "free_runners": [1 - len(runners) / 3],
        "dice": [state.dice.tolist().count(face) / 4 for face in range(1, 7)],
        "choosing": [float(state.choosing)],
        "columns_won": [
            min(1, owners.count(other) / options["columns_to_win"])
            for other in clockwise
        ],
        "to_move": [float(other == position.player) for other in clockwise],
        "seat": [float(other == seat) for other in seats],
        "turns": [state.turns / cap if cap else 0],
    }


@given(positions())
def test_rewards_sum_to_zero_and_nothing_is_paid_before_the_end(position):
    rewards = position.rewards
    if not position.terminated:
        assert not rewards.any()
    elif position.game.num_players > 1:
        assert rewards.sum() == pytest.approx(0)
        assert rewards.any()
    else:
        assert 0 < rewards[0] <= 1
