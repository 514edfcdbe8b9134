"""What holds in every position of every game, whatever its options and its chance."""

import copy
import pickle

import numpy as np
import pytest

from game_core import IllegalActionError, Position, load_game
from game_core.catalog import GAMES
from tests.games_alike import CASES
from tests.games_alike.case import SEEDS, play

each_game = pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case, id=game_id, marks=[pytest.mark.bounds] if case.boundschecked else []
        )
        for game_id, case in CASES.items()
    ],
)
CHOICES = 40
"""Random actions that are played on from a position."""

OUTSIDE = (-(2**63), -1, 127, 128, 255, 256, 511, 512, 2**31, 2**63 - 1)
"""Numbers that are no actions, or not of a small game."""


@each_game
def test_nothing_is_wrong_after_any_decision_from_the_beginning(case):
    @case.holds_for(case.games, SEEDS)
    def _(game, seed):
        position = Position.new(game, seed)
        rng = np.random.default_rng(seed)
        case.check(position)
        for _ in range(case.decisions):
            if position.over:
                break
            position.step(position.sample_action(rng))
            case.check(position)


@each_game
def test_nothing_is_wrong_late_in_a_game(case):
    @case.holds_for(case.positions)
    def _(position):
        case.check(position)


@each_game
def test_mask_is_the_set_of_actions_that_step_accepts(case):
    @case.holds_for(case.positions)
    def _(position):
        if not position.game.discrete:
            return
        before = position.states.tobytes()
        accepted = set()
        for action in {*range(position.game.num_actions), *OUTSIDE}:
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


@each_game
def test_what_is_no_continuous_action_changes_nothing(case):
    @case.holds_for(case.positions)
    def _(position):
        if position.game.discrete:
            return
        before = position.states.tobytes()
        low, high = position.game.action_bounds
        for action in (low - 0.1, high + 0.1, np.full_like(low, np.nan), low[1:], 0):
            with pytest.raises(IllegalActionError):
                position.step(action)
            assert position.states.tobytes() == before


@each_game
def test_the_loop_over_records_refuses_what_the_mask_does_not_allow(case):
    @case.holds_for(case.positions)
    def _(position):
        if not position.game.discrete:
            return
        before = position.states.tobytes()
        allowed = set(position.legal_actions().tolist())
        for action in {*range(position.game.num_actions), *OUTSIDE} - allowed:
            trial = position.copy().states
            refused = position.game.loops.step_all(trial, np.array([action]))
            assert refused == (-1 if position.over else 0)
            assert trial.tobytes() == before


@each_game
def test_a_copy_and_the_original_go_the_same_way_apart(case):
    @case.holds_for(case.positions, SEEDS)
    def _(position, seed):
        before = position.states.tobytes()
        copies = [
            position.copy(),
            copy.deepcopy(position),
            pickle.loads(pickle.dumps(position)),
        ]
        followed = play(position, seed, CHOICES)
        for other in copies:
            assert other.states.tobytes() == before
            assert play(other, seed, CHOICES) == followed


@each_game
def test_a_determinized_copy_differs_only_in_what_is_hidden_and_to_come(case):
    @case.holds_for(case.positions, SEEDS)
    def _(position, seed):
        before = position.states.tobytes()
        for seat in range(position.game.num_players):
            fair = position.determinize(seat, seed)
            assert fair.states["rng"] != position.states["rng"]
            assert case.status(fair) == []
            seen = position.observation(seat)
            assert fair.observation(seat).tobytes() == seen.tobytes()
            rest = fair.copy().states
            for field in ("rng", *case.hidden):
                rest[field] = position.states[field]
            assert rest.tobytes() == before
            again = position.determinize(seat, seed)
            assert play(fair, seed, CHOICES) == play(again, seed, CHOICES)
            assert case.status(fair) == []
        assert position.states.tobytes() == before


@each_game
def test_a_saved_record_goes_on_as_the_game_it_was(tmp_path_factory, case):
    @case.holds_for(case.positions, SEEDS)
    def _(position, seed):
        file = tmp_path_factory.mktemp("saved") / "game.npy"
        np.save(file, position.states)
        loaded = Position(position.game, position.game.adopt(np.load(file)))
        assert loaded.states.dtype == position.game.state_dtype
        assert play(loaded, seed, CHOICES) == play(position, seed, CHOICES)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(
    "duplicate",
    [
        Position.copy,
        copy.deepcopy,
        lambda position: pickle.loads(pickle.dumps(position)),
        lambda position: position.determinize(0, 3).determinize(0, 3),
    ],
    ids=["copy", "deepcopy", "pickle", "determinize"],
)
def test_a_copy_is_the_same_bytes_whatever_was_in_memory_before(game_id, duplicate):
    """Fields alone are equal even where the bytes between them are rubbish."""
    position = Position.new(load_game(game_id), 1).determinize(0, 3)
    for byte in (0, 255, 85):
        used = [np.full(position.states.nbytes, byte, np.uint8) for _ in range(50)]
        del used
        copies = {duplicate(position).states.tobytes() for _ in range(50)}
        assert copies == {position.states.tobytes()}
