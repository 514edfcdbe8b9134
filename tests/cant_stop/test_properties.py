"""What holds in every position of Can't Stop, whatever the options and the dice."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cant_stop_env.state import STATE
from game_core import Game, IllegalActionError, Position, load_game
from tests.cant_stop.positions import by_column, pieces_of, set_up, status
from tests.games import PLAYER_COUNTS, VARIANTS, wander
from tests.naive.cant_stop import SPACES

pytestmark = pytest.mark.bounds

SEEDS = st.integers(0, 2**64 - 1)
ACTIONS = range(79)
OUTSIDE = (-(2**63), -1, 79, 80, 127, 128, 255, 256, 2**31, 2**63 - 1)


@st.composite
def games(draw) -> Game:
    """Games with any options."""
    num_players = draw(st.sampled_from(PLAYER_COUNTS))
    seats = st.integers(0, num_players - 1)
    return load_game(
        "cant_stop",
        num_players=num_players,
        columns_to_win=draw(st.integers(1, 11)),
        occupied=draw(st.sampled_from(VARIANTS)),
        starting_player=draw(st.just("roll") | seats),
        max_turns=draw(st.none() | st.integers(1, 80)),
        reward=draw(st.sampled_from(("win", "margin"))),
    )


@st.composite
def positions(draw) -> Position:
    """Positions that random play leads to, the end of the game included."""
    position = Position.new(draw(games()), draw(SEEDS))
    return wander(position, draw(SEEDS), draw(st.integers(0, 250)))


def play_chosen(position: Position, choices: list[int]) -> list[bytes]:
    """Play one of the legal actions for each choice; return all that followed."""
    history = []
    for choice in choices:
        if position.over:
            break
        actions = position.legal_actions()
        position.step(actions[choice % len(actions)])
        history.append(position.states.tobytes())
    return history


CHOICES = st.lists(st.integers(0, 59), max_size=40)


@given(positions())
def test_mask_is_the_set_of_actions_that_step_accepts(position):
    before = position.states.tobytes()
    accepted = set()
    for action in (*ACTIONS, *OUTSIDE):
        trial = position.copy()
        try:
            trial.step(action)
        except IllegalActionError:
            assert trial.states.tobytes() == before
        else:
            assert trial.states.tobytes() != before
            accepted.add(action)
    assert accepted == set(np.flatnonzero(position.action_mask()))
    assert bool(accepted) != position.over
    assert position.states.tobytes() == before


@given(positions())
def test_the_loop_over_records_refuses_what_the_mask_does_not_allow(position):
    before = position.states.tobytes()
    mask = position.action_mask()
    for action in (*ACTIONS, *OUTSIDE):
        if action not in ACTIONS or not mask[action]:
            trial = position.copy().states
            refused = position.game.loops.step_all(trial, np.array([action]))
            assert refused == (-1 if position.over else 0)
            assert trial.tobytes() == before


@given(games(), SEEDS, CHOICES)
def test_nothing_is_wrong_after_any_step(game, seed, choices):
    position = Position.new(game, seed)
    assert status(position) == []
    for choice in choices:
        play_chosen(position, [choice])
        assert status(position) == []


@given(positions())
def test_nothing_is_wrong_late_in_a_game(position):
    assert status(position) == []


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


@given(positions(), CHOICES)
def test_a_copy_and_the_original_go_the_same_way_apart(position, choices):
    before = position.states.tobytes()
    copies = [
        position.copy(),
        copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)),
    ]
    followed = play_chosen(position, choices)
    for other in copies:
        assert other.states.tobytes() == before
        assert play_chosen(other, choices) == followed


@given(positions(), SEEDS, CHOICES)
def test_a_determinized_copy_shares_all_but_the_dice_to_come(position, seed, choices):
    before = position.states.tobytes()
    fair = position.determinize(position.player, seed)
    assert fair.states["rng"] != position.states["rng"]
    rest = fair.copy().states
    rest["rng"] = position.states["rng"]
    assert rest.tobytes() == before
    again = position.determinize(position.player, seed)
    assert play_chosen(fair, choices) == play_chosen(again, choices)
    assert position.states.tobytes() == before


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


@given(positions(), CHOICES)
def test_a_saved_record_goes_on_as_the_game_it_was(tmp_path_factory, position, choices):
    file = tmp_path_factory.mktemp("saved") / "game.npy"
    np.save(file, position.states)
    loaded = Position(position.game, position.game.adopt(np.load(file)))
    assert loaded.states.dtype == STATE
    assert play_chosen(loaded, choices) == play_chosen(position, choices)
