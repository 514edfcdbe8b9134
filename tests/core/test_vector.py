"""Many games in one array: each row is the single game, and autoreset."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from cant_stop_env import cant_stop_v0
from cant_stop_env.state import ROLL, STOP
from game_core import IllegalActionError, Position, VectorGame, load_game
from tests.cant_stop.positions import set_up
from tests.games import (
    PLAYER_COUNTS,
    VARIANTS,
    chi_square,
    chi_square_limit,
    run_python,
)

SAME_STEP, NEXT_STEP, DISABLED = (
    AutoresetMode.SAME_STEP,
    AutoresetMode.NEXT_STEP,
    AutoresetMode.DISABLED,
)
MODES = (SAME_STEP, NEXT_STEP, DISABLED)

LAST_STOP: dict[str, Any] = {"owner": {2: 0, 3: 0}, "runners": {12: 3}}
"""Where the next stop wins."""


def started(num_envs: int, seed: int = 3, **options) -> VectorGame:
    """Return a batch of games with seeds 3, 4, ..."""
    games = VectorGame("cant_stop", num_envs, **options)
    games.reset(seed=seed)
    return games


def about_to_end(mode: AutoresetMode, workers: int = 1) -> VectorGame:
    """Return three games of which the middle one ends at the next stop."""
    games = started(3, autoreset_mode=mode, workers=workers)
    ready = set_up(runners={6: 1}).states
    for row, states in enumerate((ready, set_up(**LAST_STOP).states, ready)):
        stream = games.states["rng"][row]
        games.states[row] = states[0]
        games.states["rng"][row] = stream
    games.refresh()
    return games


ALL_STOP = np.full(3, STOP)


def row_bytes(states: np.ndarray, *rows: int) -> list[bytes]:
    """Return the bytes of some rows."""
    return [states[row : row + 1].tobytes() for row in rows]


@pytest.mark.parametrize("occupied", VARIANTS)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_row_i_is_the_single_environment_with_seed_plus_i(num_players, occupied):
    options = {"num_players": num_players, "occupied": occupied, "columns_to_win": 1}
    games = started(5, seed=40, max_turns=40, **options)
    envs = [cant_stop_v0.raw_env(max_turns=40, **options) for _ in range(5)]
    for row, env in enumerate(envs):
        env.reset(seed=40 + row)
    ended = 0
    for _ in range(600):
        finals = 0
        actions = games.sample_actions()
        rewards, terminated, truncated = games.step(actions)
        for row, env in enumerate(envs):
            env.step(actions[row])
            assert rewards[row].tolist() == list(env.rewards.values())
            assert terminated[row] == any(env.terminations.values())
            assert truncated[row] == any(env.truncations.values())
            if terminated[row] or truncated[row]:
                final = games.final_states[finals : finals + 1]
                assert final == env.get_state()
                finals += 1
                env.reset()
            assert row_bytes(games.states, row) == [env.get_state().tobytes()]
            seen = env.observe(env.agent_selection)
            assert games.action_mask[row].tolist() == seen["action_mask"].tolist()
            assert games.observation[row].tolist() == seen["observation"].tolist()
            assert games.to_move[row] == env.possible_agents.index(env.agent_selection)
        assert len(games.final_states) == finals
        ended += finals
    assert ended >= 10


@pytest.mark.parametrize("mode", MODES)
def test_the_batch_size_does_not_matter(mode):
    few, many = (started(n, autoreset_mode=mode, max_turns=8) for n in (3, 8))
    for _ in range(100):
        actions = many.sample_actions()
        results = zip(few.step(actions[:3]), many.step(actions), strict=True)
        for of_few, of_many in results:
            assert of_few.tolist() == of_many[:3].tolist()
        assert few.states.tobytes() == many.states[:3].tobytes()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("game_id", "options"),
    [("azul", {"max_rounds": 2}), ("cant_stop", {"max_turns": 9})],
)
def test_the_number_of_workers_does_not_matter(game_id, options, mode):
    batches = [
        VectorGame(game_id, 100, autoreset_mode=mode, workers=workers, **options)
        for workers in (1, 2, 3)
    ]
    for games in batches:
        games.reset(seed=3)
    ended = 0
    for _ in range(100):
        one, *others = batches
        results = one.step(one.sample_actions())
        for games in others:
            again = games.step(games.sample_actions())
            for first, second in zip(results, again, strict=True):
                assert first.tobytes() == second.tobytes()
            assert games.states.tobytes() == one.states.tobytes()
            assert games.final_states.tobytes() == one.final_states.tobytes()
        ended += len(one.final_states)
    assert ended > 50


def test_same_step_begins_the_next_game_at_once():
    games = about_to_end(SAME_STEP)
    rewards, terminated, truncated = games.step(ALL_STOP)
    assert rewards.tolist() == [[0, 0], [1, -1], [0, 0]]
    assert terminated.tolist() == [False, True, False]
    assert not truncated.any()
    assert len(games.final_states) == 1
    assert games.final_states["terminated"].all()
    assert games.final_states["owner"][0, 12] == 0
    assert games.states["turns"].tolist() == [1, 0, 1]
    assert not games.states["terminated"].any()
    assert games.action_mask.any(axis=1).all()
    rewards, terminated, _ = games.step(games.sample_actions())
    assert len(games.final_states) == 0
    assert not rewards.any()
    assert not terminated.any()


def test_next_step_begins_the_next_game_a_step_later():
    games = about_to_end(NEXT_STEP)
    _, terminated, _ = games.step(ALL_STOP)
    assert terminated.tolist() == [False, True, False]
    assert games.states["terminated"].tolist() == [False, True, False]
    assert games.final_states == games.states[1:2]
    assert games.action_mask[1].all()
    actions = games.sample_actions()
    actions[1] = -5  # ignored
    rewards, terminated, truncated = games.step(actions)
    assert not rewards.any()
    assert not terminated.any()
    assert not truncated.any()
    assert games.states["turns"].tolist() == [1, 0, 1]
    assert len(games.final_states) == 0
    games.step(games.sample_actions())
    assert not games.states["choosing"][1]  # the new game is played


def test_disabled_leaves_a_finished_game_until_reset():
    games = about_to_end(DISABLED)
    rewards, terminated, _ = games.step(ALL_STOP)
    assert rewards.tolist() == [[0, 0], [1, -1], [0, 0]]
    final = games.states[1].tobytes()
    for _ in range(3):
        actions = games.sample_actions()
        actions[1] = 10**6  # ignored
        rewards, terminated, _ = games.step(actions)
        assert terminated.tolist() == [False, True, False]
        assert not rewards.any()
        assert len(games.final_states) == 0
        assert games.states[1].tobytes() == final
    others = row_bytes(games.states, 0, 2)
    games.reset(reset_mask=terminated)
    assert games.states["turns"][1] == 0
    assert not games.states["terminated"].any()
    assert row_bytes(games.states, 0, 2) == others


def test_a_truncated_game_says_so_and_pays_nothing():
    games = started(2, max_turns=1)
    games.states[0] = set_up(max_turns=1, runners={6: 1}).states[0]
    games.refresh()
    rewards, terminated, truncated = games.step(
        np.array([STOP, games.sample_actions()[1]])
    )
    assert truncated.tolist() == [True, False]
    assert not terminated.any()
    assert not rewards.any()
    assert games.final_states["truncated"].tolist() == [True]


def test_final_states_are_bytes_of_the_record_and_nothing_else():
    """Fields alone are equal even where the bytes between them are rubbish."""
    for _ in range(50):
        games = about_to_end(SAME_STEP)
        expected = games.game.adopt(games.states[1:2])
        games.game.loops.step_all(expected, np.array([STOP]))
        used_memory = [np.full(expected.nbytes, 255, np.uint8) for _ in range(20)]
        del used_memory
        games.step(ALL_STOP)
        assert games.final_states.tobytes() == expected.tobytes()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("mode", MODES)
def test_an_illegal_action_in_one_row_changes_no_row(mode, workers):
    games = about_to_end(mode, workers)
    before = games.states.tobytes()
    with pytest.raises(IllegalActionError) as caught:
        games.step(np.array([STOP, STOP, 0]))
    message = str(caught.value)
    assert message.startswith("row 2: player_0 cannot play '2 and 2' (0) now")
    assert "'roll' (77), 'stop' (78)" in message
    assert games.states.tobytes() == before
    games.step(ALL_STOP)
    assert games.states["turns"][0] == 1


@pytest.mark.parametrize("action", [-1, 79, 2**40, -(2**63)])
def test_an_action_outside_the_space_in_one_row_changes_no_row(action):
    games = about_to_end(DISABLED)
    before = games.states.tobytes()
    with pytest.raises(IllegalActionError, match=rf"action {action} .* 0 to 78"):
        games.step(np.array([STOP, action, STOP]))
    assert games.states.tobytes() == before


@pytest.mark.parametrize(
    "actions",
    [
        pytest.param(np.full(2, STOP), id="too few"),
        pytest.param(np.full(4, STOP), id="too many"),
        pytest.param(np.full((3, 1), STOP), id="two dimensions"),
        pytest.param(STOP, id="a number"),
        pytest.param(None, id="None"),
        pytest.param(np.full(3, float(STOP)), id="floats"),
        pytest.param(np.full(3, True), id="booleans"),
        pytest.param(["stop"] * 3, id="words"),
        pytest.param(np.full(3, None), id="objects"),
        pytest.param(np.full(3, 2**64 - 1, np.uint64), id="huge"),
    ],
)
def test_actions_of_another_kind_are_refused_and_change_nothing(actions):
    games = about_to_end(SAME_STEP)
    before = games.states.tobytes()
    with pytest.raises(IllegalActionError, match=r"whole numbers? "):
        games.step(actions)
    assert games.states.tobytes() == before


@pytest.mark.parametrize("kind", [list, np.int8, np.uint8, np.uint64, np.int32])
def test_whole_numbers_of_any_type_are_actions(kind):
    games = about_to_end(DISABLED)
    games.step(list(ALL_STOP) if kind is list else ALL_STOP.astype(kind))
    assert games.states["turns"].tolist() == [1, 1, 1]


def test_reset_mask_begins_those_rows_anew_and_leaves_the_others():
    games = started(4)
    games.step(games.sample_actions())
    before = row_bytes(games.states, 0, 2)
    games.reset(seed=90, reset_mask=np.array([False, True, False, True]))
    fresh = started(4, seed=90)
    assert row_bytes(games.states, 0, 2) == before
    assert row_bytes(games.states, 1, 3) == row_bytes(fresh.states, 1, 3)


@pytest.mark.parametrize(
    "mask",
    [np.ones(3, bool), np.ones(4, int), [1, 0, 0, 0], True, np.ones((4, 1), bool)],
    ids=["too few", "ints", "list of ints", "a bool", "two dimensions"],
)
def test_other_reset_masks_are_refused_and_change_nothing(mask):
    games = started(4)
    before = games.states.tobytes()
    with pytest.raises(ValueError, match=r"reset_mask .* should be bool \(4,\)"):
        games.reset(reset_mask=mask)
    assert games.states.tobytes() == before


def test_reset_without_a_seed_goes_on_with_the_streams():
    games, again = started(4), started(4)
    for each in (games, again):
        each.step(each.sample_actions())
        each.reset()
    assert games.states.tobytes() == again.states.tobytes()
    assert not np.isin(games.states["rng"], started(4).states["rng"]).any()


def test_reset_takes_a_seed_for_each_row():
    games = VectorGame("cant_stop", 3)
    games.reset(seed=[8, 3, 2**64 - 1])
    for row, seed in enumerate([8, 3, 2**64 - 1]):
        single = Position.new(games.game, seed).states
        assert row_bytes(games.states, row) == [single.tobytes()]


@pytest.mark.parametrize(
    ("seed", "says"),
    [
        ([1, 2], "got 2 seeds for 3 games"),
        (-1, "seed -1"),
        ([1, 2, 2**64], "seed 18446744073709551616"),
        ("abc", "seed"),
        (1.5, "seed 1.5"),
        (np.zeros(3), "seed"),
    ],
)
def test_other_seeds_are_refused_and_change_nothing(seed, says):
    games = started(3)
    before = games.states.tobytes()
    with pytest.raises(ValueError, match=says):
        games.reset(seed=seed)
    assert games.states.tobytes() == before


def test_use_before_reset_asks_for_it():
    games = VectorGame("cant_stop", 2)
    with pytest.raises(ResetNeeded, match="reset"):
        games.step(np.zeros(2, int))
    with pytest.raises(ResetNeeded, match="reset"):
        games.reset(reset_mask=np.ones(2, bool))


@pytest.mark.parametrize("name", ["observation", "action_mask"])
def test_arrays_handed_out_can_be_kept_and_changed(name):
    games = started(3)
    kept = getattr(games, name)
    values = kept.tolist()
    games.step(games.sample_actions())
    assert kept.tolist() == values
    values = getattr(games, name).tolist()
    getattr(games, name)[:] = 0
    assert getattr(games, name).tolist() == values
    games.step(games.sample_actions())


def test_results_of_a_step_can_be_kept_and_changed():
    games = about_to_end(NEXT_STEP)
    results = (*games.step(ALL_STOP), games.final_states, games.to_move)
    before = games.states.tobytes()
    values = [result.tolist() for result in results]
    for result in results:
        result[:] = 0
    assert games.states.tobytes() == before
    kept = (*games.step(games.sample_actions()),)
    values = [result.tolist() for result in kept]
    games.step(games.sample_actions())
    assert [result.tolist() for result in kept] == values


def test_sampled_actions_are_legal_and_reproducible():
    games, again = started(50), started(50)
    for _ in range(60):
        actions = games.sample_actions()
        assert games.action_mask[np.arange(50), actions].all()
        assert again.sample_actions().tolist() == actions.tolist()
        games.step(actions)
        again.step(actions)
    assert len({tuple(games.sample_actions()) for _ in range(5)}) == 5


def test_sampled_actions_are_uniform():
    position = set_up(dice=(2, 4, 3, 5), runners={6: 1, 10: 1})
    legal = position.legal_actions()
    assert len(legal) == 4
    games = started(1000)
    games.states[:] = position.states[0]
    games.refresh()
    sampled = np.concatenate([games.sample_actions() for _ in range(100)])
    counts = np.bincount(sampled, minlength=79)
    assert counts.sum() == counts[legal].sum()
    assert chi_square(counts[legal]) < chi_square_limit(len(legal))


def test_sampling_does_not_use_the_streams_of_the_games():
    games = started(3)
    before = games.states.tobytes()
    games.sample_actions()
    assert games.states.tobytes() == before


def test_any_seat_can_be_observed():
    games = started(4, num_players=3)
    rows = [Position(games.game, games.states[row : row + 1]) for row in range(4)]
    seats = np.array([2, 0, 1, 2])
    seen = games.observe(seats)
    assert seen.dtype == np.float32
    for row, seat in enumerate(seats):
        assert seen[row].tolist() == rows[row].observation(int(seat)).tolist()
    assert games.observe(1).tolist() == games.observe(np.full(4, 1)).tolist()
    assert games.observe(games.to_move).tolist() == games.observation.tolist()


@pytest.mark.parametrize("seats", [3, -1, [0, 1], [0, 1, 2, 3]])
def test_seats_that_are_not_there_cannot_be_observed(seats):
    with pytest.raises(ValueError, match=r"seat|shape"):
        started(4, num_players=3).observe(seats)


@pytest.mark.parametrize("num_envs", [0, -1, 2.0, "2", True, None])
def test_other_numbers_of_games_are_refused(num_envs):
    with pytest.raises(ValueError, match="num_envs="):
        VectorGame("cant_stop", num_envs)


def test_other_arguments_are_refused():
    with pytest.raises(
        ValueError, match=r"unknown game 'go'; known games: .*cant_stop"
    ):
        VectorGame("go", 2)
    with pytest.raises(ValueError, match="unknown option 'players'"):
        VectorGame("cant_stop", 2, players=3)
    with pytest.raises(ValueError, match="its options are fixed"):
        VectorGame(load_game("cant_stop"), 2, num_players=3)
    with pytest.raises(ValueError, match="never"):
        VectorGame("cant_stop", 2, autoreset_mode="never")


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_can_be_given_by_its_value(mode):
    games = VectorGame("cant_stop", 1, autoreset_mode=mode.value)
    assert games.autoreset_mode is mode


@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))],
    ids=["deepcopy", "pickle"],
)
def test_a_copy_of_a_batch_goes_on_identically_and_independently(duplicate):
    games = started(4)
    games.step(games.sample_actions())
    other = duplicate(games)
    before = games.states.tobytes()
    for _ in range(30):
        other.step(other.sample_actions())
    assert games.states.tobytes() == before
    for _ in range(30):
        games.step(games.sample_actions())
    assert (games.states == other.states).all()


def test_roll_and_stop_have_the_numbers_these_tests_rely_on():
    game = load_game("cant_stop")
    assert [game.action_to_text(a) for a in (ROLL, STOP)] == ["roll", "stop"]


def test_a_forked_process_starts_its_own_workers():
    """Else it would wait for its parent's, which are not there."""
    games = VectorGame("azul", 32, workers=2)
    games.reset(seed=0)
    games.step(games.sample_actions())
    code = f"""
import os
from game_core import VectorGame
games = VectorGame("azul", 32, workers=2)
games.reset(seed=0)
games.step(games.sample_actions())
child = os.fork()
if child == 0:
    games.step(games.sample_actions())
    os._exit(0)
print(os.waitpid(child, 0)[1])
assert games.states.tobytes().hex() == {games.states.tobytes().hex()!r}
"""
    done = run_python(code)
    assert done.stdout.strip() == "0", done.stderr


def test_after_an_interrupted_step_reset_is_asked_for(monkeypatch):
    games = VectorGame("azul", 4)
    games.reset(seed=0)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "_play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        games.step(games.sample_actions())
    monkeypatch.undo()
    with pytest.raises(ResetNeeded, match="interrupted"):
        games.step([0, 0, 0, 0])
    games.reset()
    games.step(games.sample_actions())
