"""Many games with continuous actions in one array, and steps in several threads."""

import copy
import itertools
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from game_core import IllegalActionError, Position, VectorGame, load_game
from game_core.compiled.jit import jit
from game_core.compiled.rng import next_bits
from game_core.envs.aec import GameEnv
from tests.games import chi_square, chi_square_limit, run_python

pytestmark = pytest.mark.usefixtures("toy")

MODES = tuple(AutoresetMode)


def started(num_envs: int, seed: int = 3, **options) -> VectorGame:
    """Return a batch of games with seeds 3, 4, ..."""
    games = VectorGame("toy", num_envs, **options)
    games.reset(seed=seed)
    return games


def everything_of(games: VectorGame, steps: int) -> list[bytes]:
    """Play random actions; return all that each step gives."""
    history = []
    for _ in range(steps):
        results = games.step(games.sample_actions())
        parts = (*results, games.states, games.final_states, games.observation)
        history += [part.tobytes() for part in parts]
    return history


def test_row_i_is_the_single_environment_with_seed_plus_i():
    games = started(5, seed=40, num_players=3, most_moves=15)
    envs = [GameEnv(games.game) for _ in range(5)]
    for row, env in enumerate(envs):
        env.reset(seed=40 + row)
    terminations = truncations = 0
    for _ in range(400):
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
                assert final.tobytes() == env.get_state().tobytes()
                finals += 1
                env.reset()
            assert games.states[row : row + 1].tobytes() == env.get_state().tobytes()
            seen = env.observe(env.agent_selection)
            assert isinstance(seen, np.ndarray)
            assert games.observation[row].tolist() == seen.tolist()
        assert len(games.final_states) == finals
        terminations += terminated.sum()
        truncations += truncated.sum()
    assert min(terminations, truncations) >= 10


@pytest.mark.parametrize("mode", MODES)
def test_the_batch_size_does_not_matter(mode):
    few, many = (started(n, autoreset_mode=mode, most_moves=5) for n in (3, 8))
    for _ in range(30):
        actions = many.sample_actions()
        results = zip(few.step(actions[:3]), many.step(actions), strict=True)
        for of_few, of_many in results:
            assert of_few.tolist() == of_many[:3].tolist()
        assert few.states.tobytes() == many.states[:3].tobytes()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_a_game_that_is_over_takes_any_numbers(mode):
    games = started(3, autoreset_mode=mode, most_moves=1)
    _, _, truncated = games.step(np.zeros((3, 2)))
    assert truncated.all()
    games.reset(reset_mask=np.array([True, False, True]))
    actions = np.zeros((3, 2))
    actions[1] = (np.nan, 1e300)
    before = games.states[1:2].tobytes()
    rewards, _, truncated = games.step(actions)
    assert not rewards.any()
    again = mode is AutoresetMode.NEXT_STEP
    assert truncated.tolist() == [True, not again, True]
    assert (games.states[1:2].tobytes() != before) == again


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("value", "says"),
    [
        (np.nan, "is nan"),
        (1.0000000001, "is 1.0000000001"),
        (-np.inf, "is -inf"),
        (1e300, r"is 1e\+300"),
    ],
)
def test_an_action_outside_the_box_in_one_row_changes_no_row(workers, value, says):
    games = started(20, workers=workers)
    before = games.states.tobytes()
    actions = np.zeros((20, 2))
    actions[13:, 1] = value
    with pytest.raises(
        IllegalActionError, match=rf"row 13, component 1 \(north\) {says}; .* -1 to 1"
    ):
        games.step(actions)
    assert games.states.tobytes() == before


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(3),
        np.zeros((2, 2)),
        np.zeros((3, 3)),
        np.zeros((2, 3)),
        np.zeros((3, 2, 1)),
        np.zeros((3, 2), bool),
        np.zeros((3, 2), complex),
        np.zeros((3, 2), object),
        [[0, 0], [0, True], [0, 0.5]],
        [[0, 0], [0], [0, 0]],
        [["a", "b"]] * 3,
        0.5,
        None,
    ],
    ids=repr,
)
def test_actions_of_another_kind_are_refused_and_change_nothing(actions):
    games = started(3)
    before = games.states.tobytes()
    with pytest.raises(
        IllegalActionError, match=r"it is .*2 numbers from -1 to 1 .* each of 3 games"
    ):
        games.step(actions)
    assert games.states.tobytes() == before


@pytest.mark.parametrize(
    "same",
    [np.float64, np.float16, np.longdouble, np.asfortranarray, np.ndarray.tolist],
)
def test_numbers_of_any_type_and_order_are_actions(same):
    actions = np.array([[0.5, -1], [0, 0.25], [1, 1]], np.float32)
    games, others = started(3), started(3)
    games.step(actions)
    others.step(same(actions))
    assert games.states.tobytes() == others.states.tobytes()


def test_there_is_no_mask():
    with pytest.raises(ValueError, match=r"continuous: .* sample_actions\(\)"):
        _ = started(3).action_mask


def test_sampled_actions_are_uniform_reproducible_and_ones_own():
    games, again = started(1000), started(1000)
    before = games.states.tobytes()
    sampled = np.concatenate([games.sample_actions() for _ in range(10)])
    assert sampled.dtype == np.float32
    assert np.concatenate([again.sample_actions() for _ in range(10)]).tolist() == (
        sampled.tolist()
    )
    tenths = ((sampled + 1) * 5).astype(int)
    counts = np.bincount(tenths[:, 0] * 10 + tenths[:, 1], minlength=100)
    assert chi_square(counts) < chi_square_limit(100)
    kept = games.sample_actions()
    values = kept.tolist()
    games.step(games.sample_actions())
    assert kept.tolist() == values
    assert started(1000).states.tobytes() == before


def test_use_before_reset_asks_for_it():
    games = VectorGame("toy", 2)
    with pytest.raises(ResetNeeded, match="reset"):
        games.sample_actions()
    with pytest.raises(ResetNeeded, match="reset"):
        games.step(np.zeros((2, 2)))


def test_without_the_compiler_the_same_seeds_give_the_same_bytes():
    code = """
import hashlib
from game_core import VectorGame
from game_core.catalog import GAMES

GAMES["toy"] = "tests.core.toy:make_game"
games = VectorGame("toy", 4, num_players=3, most_moves=9, workers=2)
games.reset(seed=2**64 - 2)
digest = hashlib.sha256()
for _ in range(60):
    actions = games.sample_actions()
    rewards, _, _ = games.step(actions)
    for array in (actions, games.states, games.observation, rewards):
        digest.update(array.tobytes())
print(digest.hexdigest())
"""
    compiled = run_python(code)
    plain = run_python(
        code, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error::RuntimeWarning"
    )
    assert compiled.returncode == plain.returncode == 0, plain.stderr
    assert plain.stdout == compiled.stdout


# Threads.


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("num_envs", [1, 2, 37])
def test_the_number_of_workers_does_not_matter(num_envs, mode):
    def history(workers):
        games = started(
            num_envs, workers=workers, autoreset_mode=mode, num_players=3, most_moves=9
        )
        return everything_of(games, 40)

    assert history(1) == history(2) == history(3)


@jit
def wait_for(flag, states) -> bool:
    """Wait in compiled code for another thread to raise a flag; give up in the end."""
    for _ in range(3 * 10**9):
        next_bits(states[0])  # a write, after which the flag has to be read again
        if flag[0]:
            return True
    return False


def test_compiled_code_lets_other_threads_run():
    """Else several workers would be no faster than one."""
    flag, states = np.zeros(1, np.int64), started(1).states
    flag[0] = 1
    assert wait_for(flag, states)  # it is compiled now
    flag[0] = 0
    with ThreadPoolExecutor(1) as threads:
        seen = threads.submit(wait_for, flag, states)
        time.sleep(0.05)  # by now it waits, and lets us go on
        flag[0] = 1
        assert seen.result()


def test_rows_are_played_in_threads_as_they_come_free():
    """A slow row delays nobody but the thread that has it."""
    games = started(64, workers=2)
    seen = {}

    def play_all(states, actions):
        seen.setdefault(threading.get_ident(), []).append(len(states))
        if len(seen) < 2:  # until the other thread has begun too
            begun.wait(10)
        begun.set()

    begun = threading.Event()
    loops = games.game.loops._replace(play_all=play_all)
    object.__setattr__(games.game, "loops", loops)
    games.step(games.sample_actions())
    assert len(seen) == 2
    assert threading.get_ident() not in seen
    chunks = [*itertools.chain(*seen.values())]
    assert sum(chunks) == 64
    assert max(chunks) <= 64 // 8


def test_an_error_in_a_thread_is_raised_when_all_have_ended():
    games = started(64, workers=2)
    ended = []

    def play_all(states, actions):
        if not ended:
            ended.append("failed")
            raise IndexError("past the end")
        ended.append("played")

    loops = games.game.loops._replace(play_all=play_all)
    object.__setattr__(games.game, "loops", loops)
    with pytest.raises(IndexError, match="past the end"):
        games.step(games.sample_actions())
    assert len(ended) == 16


def test_threads_begin_when_needed_and_end_with_the_games():
    before = set(threading.enumerate())

    def begun():
        return set(threading.enumerate()) - before

    games = started(8, workers=2)
    assert not begun()
    games.step(games.sample_actions())
    assert len(begun()) == 2
    games.close()
    assert not begun()
    games.step(games.sample_actions())
    threads = begun()
    assert len(threads) == 2
    del games
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))],
    ids=["deepcopy", "pickle"],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_copy_goes_on_identically_and_independently(duplicate, workers):
    games = started(9, workers=workers)
    games.step(games.sample_actions())
    other = duplicate(games)
    assert other.workers == workers
    before = games.states.tobytes()
    future = everything_of(other, 20)
    assert games.states.tobytes() == before
    assert everything_of(games, 20) == future


@pytest.mark.parametrize("workers", [0, -1, 257, 2.0, "2", True, None])
def test_other_numbers_of_workers_are_refused(workers):
    with pytest.raises(ValueError, match=r"workers=.* a whole number from 1 to 256"):
        VectorGame("toy", 2, workers=workers)


def test_a_position_goes_on_from_a_row():
    games = started(3, seed=4, workers=2)
    position = Position(games.game, games.game.adopt(games.states[1:2]))
    actions = games.sample_actions()
    games.step(actions)
    position.step(actions[1])
    assert not position.over  # or the row would hold the next game
    assert games.states[1:2].tobytes() == position.states.tobytes()
    assert position.game is not load_game("toy")
