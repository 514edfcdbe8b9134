"""Games with continuous actions, one at a time: what is played, refused and shown."""

import copy
import dataclasses
import pickle
from functools import partial

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, seed_test

from game_core import IllegalActionError, Position, View, load_game
from game_core.envs.aec import CheckedEnv, GameEnv
from game_core.render import ansi
from tests.core import toy as rules
from tests.games import chi_square, chi_square_limit

pytestmark = pytest.mark.usefixtures("toy")

RULE = r"an action of toy is an array of 2 numbers from -1 to 1 \(east, north\)"


class BrokenArray:
    """Fails when NumPy asks what it holds."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("on the graphics card")


class NoArray:
    """Tells NumPy nonsense."""

    def __array__(self, dtype=None, copy=None):
        return "nonsense"


class Wordless(BrokenArray):
    """Fails without words, and cannot be shown."""

    def __array__(self, dtype=None, copy=None):
        raise type("WordlessError", (Exception,), {"__str__": lambda self: 1 / 0})

    def __repr__(self):
        raise RuntimeError


class Meters(np.ndarray):
    """An array of another class, as pandas and others have."""


def raw_env(render_mode=None, **options) -> GameEnv:
    return GameEnv(load_game("toy", **options), render_mode)


def env(render_mode=None, **options) -> CheckedEnv:
    return CheckedEnv(raw_env(render_mode, **options))


@pytest.fixture(params=[raw_env, env], ids=["raw", "wrapped"])
def make(request):
    return request.param


@pytest.fixture
def position():
    return Position.new(load_game("toy", num_players=3), 5)


def play_on(env, seed: int, decisions: int = 10**6) -> list[bytes]:
    """Play random actions; return the position after each."""
    rng = np.random.default_rng(seed)
    history = []
    for _ in env.agent_iter(decisions):
        _, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else rng.uniform(-1, 1, 2))
        history.append(env.get_state().tobytes())
    return history


# What is an action.


@pytest.mark.parametrize(
    "action",
    [
        [0.5, -1],
        (0.5, -1.0),
        [np.float32(0.5), np.array(-1)],
        np.array([0.5, -1]),
        np.array([0.5, -1], np.float32),
        np.array([0.5, -1], np.float16),
        np.array([0.5, -1], np.longdouble),
        np.array([[0.5, 9], [-1, 9]])[:, 0],
        np.array([0.5, -1]).view(Meters),
        np.ma.array([0.5, -1]),
        np.array([0.5, -1]).data,
    ],
    ids=lambda action: f"{type(action).__name__} {getattr(action, 'dtype', '')}",
)
def test_two_numbers_of_any_type_are_an_action(position, action):
    same = position.copy()
    position.step(action)
    same.step(np.array([0.5, -1], np.float32))
    assert position.states.tobytes() == same.states.tobytes()
    taken = position.game.as_action(action)
    assert (type(taken), taken.dtype, taken.tolist()) == (
        np.ndarray,
        np.float32,
        [0.5, -1],
    )


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.float64])
def test_the_corners_of_the_box_are_actions(position, kind):
    corner = np.array([1, -1]).astype(kind)
    assert position.game.as_action(corner).tolist() == [1, -1]
    assert position.game.as_action(corner.tolist()).tolist() == [1, -1]


def test_an_action_as_taken_is_a_copy(position):
    action = np.array([0.5, -1], np.float32)
    position.game.as_action(action)[:] = 0
    assert action.tolist() == [0.5, -1]


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ([np.nan, 0], r"component 0 \(east\) is nan"),
        ([0, np.inf], r"component 1 \(north\) is inf"),
        ([-np.inf, 0], r"component 0 \(east\) is -inf"),
        ([0, 1.0000000001], r"component 1 \(north\) is 1.0000000001"),
        (np.array([0, -2]), r"component 1 \(north\) is -2"),
        (np.array([1e300, 0]), r"component 0 \(east\) is 1e\+300"),
        (np.array([2**64 - 1, 0], np.uint64), "component 0 .* is 18446744073709551615"),
        (np.array([-(2**63), 0]), "component 0 .* is -9223372036854775808"),
        ([10**400, 0], "it is object"),
        ([0.5], r"it is float64 of shape \(1,\)"),
        ([0.5, 0, 0], r"it is float64 of shape \(3,\)"),
        ([[0.5, 0]], r"it is float64 of shape \(1, 2\)"),
        ([], r"it is float64 of shape \(0,\)"),
        (0.5, r"action 0.5 \(float\): it is float64 of shape \(\)"),
        (1, r"action 1 \(int\): it is int64 of shape \(\)"),
        (np.array(0.5), r"it is float64 of shape \(\)"),
        (None, r"action None \(NoneType\): it is object"),
        ("east", r"action 'east' \(str\): it is str"),
        (["0.5", "0"], "it is str"),
        ([None, 0], "it is object"),
        ({"east": 1}, "it is object"),
        (np.array([0.5, 0], object), "it is object"),
        (True, "it is bool"),
        ([True, False], "it is bool"),
        ([True, 0.5], "it is in part True or False"),
        ([np.True_, 0.5], "it is in part True or False"),
        (np.array([True, False]), "it is bool"),
        ([0.5j, 0], "it is complex128"),
        (np.array([1, 2], "m8[s]"), "it is timedelta64"),
        ([[1], [2, 3]], "it is no array"),
        (np.ma.array([0.5, 0], mask=[False, True]), "it is masked in part"),
        ([np.ma.masked, 0], "it is no array"),
        pytest.param(
            BrokenArray(),
            "it is no array .RuntimeError: on the graphics card",
            id="broken",
        ),
        pytest.param(NoArray(), "it is no array .ValueError", id="nonsense"),
        pytest.param(
            Wordless(),
            "it is no array .WordlessError: .an error without words",
            id="wordless",
        ),
    ],
    ids=str,
)
def test_what_is_no_action_is_refused_in_words_and_changes_nothing(make, action, says):
    environment = make(num_players=3)
    environment.reset(seed=5)
    before = environment.get_state().tobytes()
    with pytest.raises(IllegalActionError, match=f"{says}.*; {RULE}"):
        environment.step(action)
    assert environment.get_state().tobytes() == before
    assert environment.agents == environment.possible_agents


def test_components_without_names_and_other_bounds_are_told():
    low, high = np.array([[0, -2], [1, 2]], np.float32)
    box = spaces.Box(low, high)
    game = dataclasses.replace(load_game("toy"), action_space=box, action_components=())
    with pytest.raises(
        IllegalActionError, match=r"component 1 is 3; .* \[ 0. -2.\] to \[1. 2.\]$"
    ):
        game.as_action([0, 3])
    assert game.as_action([0.5, -2]).tolist() == [0.5, -2]


def test_a_finished_game_refuses_actions_and_has_none_to_draw(position):
    rng = np.random.default_rng(0)
    while not position.over:
        position.step(position.sample_action(rng))
    with pytest.raises(IllegalActionError, match="the game is over"):
        position.step([0, 0])
    with pytest.raises(ValueError, match="the game is over"):
        position.sample_action(rng)


# There is no list of actions.


def test_what_needs_a_list_of_actions_says_what_to_use_instead(position):
    view = View(position.game, position.player, position, np.random.default_rng(1))
    uses = (
        position.action_mask,
        position.legal_actions,
        lambda: view.legal_actions,
        lambda: view.action_mask,
        lambda: position.game.num_actions,
        lambda: position.game.action_masks(position.states),
    )
    for use in uses:
        with pytest.raises(ValueError, match=r"continuous: .* sample_action\(\)"):
            use()
    assert not position.game.discrete
    assert load_game("cant_stop").discrete


@pytest.mark.parametrize(
    ("bounds", "seed"), [(((-1, -1), (1, 1)), 1), (((0, -2), (1, 2)), 2)]
)
def test_drawn_actions_are_uniform_in_the_box(bounds, seed):
    low, high = (np.float32(bound) for bound in bounds)
    game = dataclasses.replace(load_game("toy"), action_space=spaces.Box(low, high))
    position, rng = Position.new(game, 1), np.random.default_rng(seed)
    drawn = np.array([position.sample_action(rng) for _ in range(5000)])
    assert drawn.dtype == np.float32
    tenths = ((drawn - low) / (high - low) * 10).astype(int)
    counts = np.bincount(tenths[:, 0] * 10 + tenths[:, 1], minlength=100)
    assert chi_square(counts) < chi_square_limit(100)


def test_a_view_draws_with_its_own_generator(position):
    views = [
        View(position.game, 0, position, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    ]
    same, again, other = (view.sample_action().tolist() for view in views)
    assert same == again != other
    assert same == position.sample_action(np.random.default_rng(1)).tolist()


def test_drawing_numbered_actions_keeps_the_games_of_old_seeds():
    position = Position.new(load_game("cant_stop"), 3)
    rng, same = np.random.default_rng(4), np.random.default_rng(4)
    while not position.over:
        legal = position.legal_actions()
        action = position.sample_action(rng)
        assert type(action) is int
        assert action == legal[same.integers(len(legal))]
        position.step(action)


# Words.


def test_words_of_an_action_depend_on_the_position(position):
    position.states["place"][0, position.player] = (1.5, -0.25)
    words = "0.50 east and -1.00 north"
    assert position.game.action_to_text([0.5, -1]) == words
    assert position.describe_action([0.5, -1]) == f"{words} from (1.50, -0.25)"
    with pytest.raises(IllegalActionError, match="component 0"):
        position.describe_action([2, 0])


def test_words_of_a_refused_action_are_those_of_the_position():
    game = dataclasses.replace(
        load_game("cant_stop"),
        describe=lambda states, action: f"{action} in turn {states['turns'][0]}",
    )
    position = Position.new(game, 1)
    with pytest.raises(
        IllegalActionError,
        match=r"cannot play '78 in turn 0' \(78\) now; .* are '\d+ in turn 0' \(",
    ):
        position.step(78)
    assert load_game("cant_stop").describe_action(position.states, 78) == "stop"


# Records.


@pytest.mark.parametrize(
    ("field", "place", "value", "says"),
    [
        ("goal", 1, 0.25, r"other options: goal\[1\] is 0.25 in record 0 and -1.0 he"),
        ("goal", 0, np.nan, r"other options: goal\[0\] is nan in record 0 and 2.0 he"),
        ("most_moves", ..., 7, "other options: most_moves is 7 in record 0 and 40 he"),
        ("place", (0, 1), np.nan, r"place is out of its bounds, -1000.0 to 1000.0"),
        ("place", (1, 0), 1000.5, r"place is out of its bounds, -1000.0 to 1000.0"),
        ("place", (1, 0), -np.inf, r"place is out of its bounds, -1000.0 to 1000.0"),
    ],
)
def test_foreign_records_of_floats_and_arrays_are_refused(field, place, value, says):
    game = load_game("toy", goal="corner")
    states = game.new_states(np.array([1], np.uint64))
    assert game.adopt(states).tobytes() == states.tobytes()
    states[field][0, place] = value
    with pytest.raises(ValueError, match=says):
        game.adopt(states)


def test_the_record_that_differs_is_named():
    game = load_game("toy", goal="corner")
    states = game.new_states(np.arange(3, dtype=np.uint64))
    states["goal"][2] = (2.0, 5.5)
    with pytest.raises(ValueError, match=r"goal\[1\] is 5.5 in record 2 and -1.0 her"):
        game.adopt(states)


# The AEC environment.


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_pettingzoo_api(make, num_players):
    api_test(make(num_players=num_players), num_cycles=300)


def test_pettingzoo_seeds(make):
    seed_test(partial(make, num_players=3), 100)


def test_actions_that_the_space_draws_play(make):
    environment = make()
    environment.reset(seed=3)
    for agent in environment.agent_iter():
        *_, terminated, truncated, _ = environment.last()
        space = environment.action_space(agent)
        environment.step(None if terminated or truncated else space.sample())
    assert environment.agents == []


def test_an_observation_is_the_plain_array_of_ones_own_position(make):
    environment = make(num_players=3)
    environment.reset(seed=2)
    position = environment.unwrapped.position
    for seat, agent in enumerate(environment.possible_agents):
        seen = environment.observe(agent)
        assert environment.observation_space(agent).contains(seen)
        assert seen.tolist() == position.observation(seat).tolist()
        seen[:] = 7
        assert (
            environment.observe(agent).tolist() == position.observation(seat).tolist()
        )
    seen = environment.last()[0]
    assert seen.tolist() == position.observation(position.player).tolist()
    assert environment.last(observe=False)[0] is None


def test_rewards_of_a_game_sum_to_zero(make):
    environment = make(num_players=3)
    environment.reset(seed=4)
    agent = ""
    while not any(environment.terminations.values()):
        agent = environment.agent_selection
        state = environment.get_state()[0]
        seat = int(state["player"])
        toward = np.clip(-state["place"][seat], -1, 1)
        environment.step(toward)
    assert environment.rewards.pop(agent) == 1
    assert list(environment.rewards.values()) == [-0.5, -0.5]


@pytest.mark.parametrize(
    "duplicate",
    [
        copy.deepcopy,
        lambda env: pickle.loads(pickle.dumps(env)),
        lambda env: env.clone(),
    ],
    ids=["deepcopy", "pickle", "clone"],
)
def test_a_copy_in_mid_game_goes_on_identically_and_independently(make, duplicate):
    environment = make(num_players=3)
    environment.reset(seed=7)
    play_on(environment, 7, 5)
    other = duplicate(environment)
    before = other.get_state().tobytes()
    assert before == environment.get_state().tobytes()
    future = play_on(environment, 1)
    assert other.get_state().tobytes() == before
    assert play_on(other, 1) == future


def test_a_clone_with_a_seed_is_the_same_position_with_other_chance(make):
    environment = make()
    environment.reset(seed=7)
    clones = [environment.clone(seed=seed) for seed in (1, 1, 2)]
    for clone in clones:
        assert clone.get_state()["place"].tolist() == (
            environment.get_state()["place"].tolist()
        )
    futures = [play_on(clone, 3, 6) for clone in clones]
    assert futures[0] == futures[1] != futures[2]


@pytest.mark.parametrize(
    "duplicate",
    [Position.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_of_a_position_plays_on_by_itself(position, duplicate):
    other = duplicate(position)
    position.step([1, 0])
    assert other.states.tobytes() != position.states.tobytes()
    other.step([1, 0])
    assert other.states.tobytes() == position.states.tobytes()


def test_the_position_is_drawn(make):
    environment = make(render_mode="ansi")
    environment.reset(seed=1)
    shown = ansi.plain(environment.render())
    assert shown == rules.draw_text(environment.get_state())
