"""The AEC environment: what PettingZoo expects, and what it does not ask for.

Can't Stop stands for all games here; what it does not need of the core is tested with
the games that need it. PettingZoo's own tests run in ``tests/games_alike``.
"""

import copy
import pickle
import random
import warnings

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import parallel_api_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import cant_stop_env
from cant_stop_env import cant_stop_v0
from cant_stop_env.state import STOP
from game_core import Game, IllegalActionError, Position
from game_core.envs.screen import RENDER_MODES
from tests.cant_stop.positions import play, set_up
from tests.games import (
    dict_observations_warn,
    one_action,
    play_on,
)

MAKERS = {"raw": cant_stop_v0.raw_env, "wrapped": cant_stop_v0.env}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


@pytest.fixture
def env(make):
    """Return an environment in mid-game, with seed 7."""
    env = make(num_players=3)
    env.reset(seed=7)
    play_on(env, np.random.default_rng(7), 10)
    return env


def everything(env) -> tuple:
    """Return all that an AEC environment shows."""
    return (
        env.get_state().tobytes(),
        env.agents.copy(),
        env.agent_selection,
        env.rewards.copy(),
        env._cumulative_rewards.copy(),
        env.terminations.copy(),
        env.truncations.copy(),
        copy.deepcopy(env.infos),
        [
            {key: part.tolist() for key, part in env.observe(agent).items()}
            for agent in env.possible_agents
        ],
    )


def finished(make, **options):
    """Return an environment in which the next stop wins for the first player."""
    env = make(**options)
    env.reset(seed=1)
    env.set_state(set_up(**options, owner={2: 0, 3: 0}, runners={12: 3}).states)
    env.step(STOP)
    return env


# What PettingZoo's own tests ask for.


@dict_observations_warn
def test_pettingzoo_state_and_parallel_conversion():
    env = cant_stop_v0.env(num_players=3)
    env.reset(seed=3)
    with warnings.catch_warnings():  # state_test plays without masks
        warnings.filterwarnings("ignore", r".*The game ends\.")
        state_test(env, turn_based_aec_to_parallel(cant_stop_v0.env()))
        parallel_api_test(turn_based_aec_to_parallel(cant_stop_v0.env()), 300)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo before 1.27")
def test_pettingzoo_finds_it_by_name():
    entry_point = pettingzoo.spec("aec", "tabletop/cant_stop-v0").entry_point
    assert isinstance(entry_point, str)
    assert cant_stop_env.__name__ in entry_point
    env = pettingzoo.make("aec", "tabletop/cant_stop-v0", num_players=3)
    env.reset(seed=0)
    assert env.agents == ["player_0", "player_1", "player_2"]


def test_name_modes_and_spaces(make):
    env = make(num_players=4)
    assert str(env) == env.metadata["name"] == "cant_stop_v0"
    assert env.metadata["is_parallelizable"] is False
    assert set(env.metadata["render_modes"]) == set(RENDER_MODES)
    assert env.possible_agents == [f"player_{seat}" for seat in range(4)]
    for agent in env.possible_agents:
        assert env.action_space(agent) is env.action_space(agent)
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.observation_space(agent)["action_mask"].dtype == np.int8


# Rendering.


def test_rendering_without_a_mode_says_how_to_get_one(make):
    env = make()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None


def test_an_unknown_render_mode_is_refused_with_the_known_ones(make):
    with pytest.raises(ValueError, match="'rgb' is not allowed; give 'human' or 'rgb_"):
        make(render_mode="rgb")


# Copies.


COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "clone": lambda env: env.clone(),
}


@pytest.fixture(params=COPIES)
def duplicate(request):
    return COPIES[request.param]


def test_a_copy_in_mid_game_goes_on_identically_and_independently(env, duplicate):
    before = everything(env)
    other = duplicate(env)
    assert type(other) is type(env)
    assert everything(other) == before
    future = play_on(env, np.random.default_rng(1))
    assert everything(other) == before
    assert play_on(other, np.random.default_rng(1)) == future
    env.reset()
    other.reset()
    assert everything(other) == everything(env)  # the stream goes on the same too


def test_a_copy_of_a_finished_game_is_finished_the_same(make, duplicate):
    env = finished(make)
    other = duplicate(env)
    assert everything(other) == everything(env)
    env.step(None)
    assert other.agents == ["player_0", "player_1"]
    other.step(None)
    assert everything(other) == everything(env)


def test_a_copy_before_the_first_reset_can_be_reset(make, duplicate):
    env = make(num_players=3)
    other = duplicate(env)
    env.reset(seed=4)
    other.reset(seed=4)
    assert everything(other) == everything(env)


def test_a_clone_shares_no_dict_with_the_original(env):
    other = env.clone()
    before = everything(env)
    other.rewards["player_0"] = 5.0
    other.infos["player_0"]["note"] = "of the clone"
    other.agents.remove("player_1")
    assert everything(env) == before


def test_a_clone_with_a_seed_is_the_same_position_with_other_dice(env):
    clones = [env.clone(seed=seed) for seed in (1, 1, 2)]
    for clone in clones:
        assert everything(clone)[1:] == everything(env)[1:]
        assert clone.get_state()["rng"] != env.get_state()["rng"]
    futures = [play_on(clone, np.random.default_rng(3), 40) for clone in clones]
    assert futures[0] == futures[1] != futures[2]


def test_a_state_taken_and_set_again_goes_on_identically(env, make):
    state = env.get_state()
    before = everything(env)
    future = play_on(env, np.random.default_rng(2))
    other = make(num_players=3)
    for target in (env, other):  # after the game, and before any
        target.set_state(state)
        assert everything(target)[1:] == before[1:]
        assert play_on(target, np.random.default_rng(2)) == future


def test_a_state_handed_out_or_in_is_a_copy(env):
    before = everything(env)
    state = env.get_state()
    state["turns"] = 500
    assert everything(env) == before
    env.set_state(state)
    state["turns"] = 7
    assert env.get_state()["turns"] == 500


def test_a_finished_state_is_set_as_finished(make):
    ended = finished(make)
    env = make()
    env.set_state(ended.get_state())
    assert everything(env)[:7] == everything(ended)[:7]
    assert env.last()[1:4] == (1.0, True, False)
    assert play_on(env, np.random.default_rng(0))
    assert env.agents == []


def test_a_truncated_state_is_set_as_truncated(make):
    ended = play(set_up(max_turns=1, runners={6: 1}), "stop")
    env = make(max_turns=1)
    env.set_state(ended.states)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}


@pytest.mark.parametrize(
    "foreign",
    [
        pytest.param(lambda state: np.zeros(1), id="floats"),
        pytest.param(lambda state: state.view(np.uint8), id="bytes"),
        pytest.param(lambda state: None, id="None"),
        pytest.param(lambda state: state["pieces"], id="one field"),
        pytest.param(lambda state: state[:0], id="no record"),
        pytest.param(lambda state: state.repeat(2), id="two records"),
        pytest.param(lambda state: state.repeat(2).reshape(1, 2), id="two in a row"),
        pytest.param(lambda state: set_up(num_players=2).states, id="other players"),
        pytest.param(
            lambda state: set_up(num_players=3, columns_to_win=5).states,
            id="other options",
        ),
    ],
)
def test_a_foreign_state_is_refused_and_changes_nothing(env, foreign):
    before = everything(env)
    with pytest.raises(ValueError, match=r"record|state|players|option"):
        env.set_state(foreign(env.get_state()))
    assert everything(env) == before


# Illegal actions.


def test_raw_raises_for_an_illegal_action_and_changes_nothing():
    env = cant_stop_v0.raw_env()
    env.reset(seed=1)
    env.set_state(set_up(player=1, dice=(1, 5, 4, 6)).states)
    before = everything(env)
    with pytest.raises(IllegalActionError) as caught:
        env.step(STOP)
    message = str(caught.value)
    assert message.startswith("player_1 cannot play 'stop' (78) now")
    for words in ("'6 and 10'", "'5 and 11'", "'7 and 9'"):
        assert words in message
    assert everything(env) == before


def test_wrapped_ends_the_game_for_an_illegal_action():
    env = cant_stop_v0.env(num_players=3)
    env.reset(seed=1)
    env.set_state(set_up(num_players=3, player=1, dice=(1, 5, 4, 6)).states)
    record = env.get_state().tobytes()
    with pytest.warns(UserWarning, match=r"player_1 cannot play 'stop' .* game ends"):
        env.step(STOP)
    assert env.rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}
    assert all(env.terminations.values())
    assert env.get_state().tobytes() == record
    assert not env.observe("player_1")["action_mask"].any()
    left, earned = [], {}
    for agent in env.agent_iter():
        earned[agent] = env.last()[1]
        env.step(None)
        left.append(agent)
    assert left[0] == "player_1"
    assert earned == {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}
    env.reset(seed=5)
    fresh = cant_stop_v0.env(num_players=3)
    fresh.reset(seed=5)
    assert everything(env) == everything(fresh)


@pytest.mark.parametrize(
    "action",
    [3.0, "roll", None, np.array([3]), True, np.True_, -1, 79, 10**30, -(10**30), [3]],
    ids=repr,
)
def test_what_is_no_action_raises_and_changes_nothing(env, action):
    before = everything(env)
    with pytest.raises(IllegalActionError, match="a whole number from 0 to 78"):
        env.step(action)
    assert everything(env) == before


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint8, np.array])
def test_whole_numbers_of_any_type_are_actions(make, kind):
    env = make()
    env.reset(seed=1)
    env.set_state(set_up(runners={6: 1}).states)
    env.step(kind(STOP))
    assert env.get_state()["turns"] == 1


# Order of use.


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda env: env.step(0), id="step"),
        pytest.param(lambda env: env.observe("player_0"), id="observe"),
        pytest.param(lambda env: env.last(), id="last"),
        pytest.param(lambda env: list(env.agent_iter()), id="agent_iter"),
        pytest.param(lambda env: env.state(), id="state"),
        pytest.param(lambda env: env.render(), id="render"),
        pytest.param(lambda env: env.get_state(), id="get_state"),
    ],
)
def test_wrapped_used_before_reset_asks_for_it(use):
    env = cant_stop_v0.env(render_mode="ansi")
    with pytest.raises(ResetNeeded, match="reset"):
        use(env)


@pytest.mark.parametrize(
    "name", ["agent_selection", "rewards", "terminations", "infos"]
)
def test_attributes_of_a_game_before_reset_ask_for_it(make, name):
    env = make()
    assert not hasattr(env, name)
    with pytest.raises(AttributeError, match=rf"'{name}' before reset\(\)"):
        getattr(env, name)


def test_raw_stepped_before_reset_asks_for_it():
    with pytest.raises(ResetNeeded, match="reset"):
        cant_stop_v0.raw_env().step(0)


def test_a_dead_agent_takes_no_action(make):
    env = finished(make)
    before = everything(env)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(STOP)
    assert everything(env) == before


def test_wrapped_stepped_after_the_end_warns():
    env = finished(cant_stop_v0.env)
    play_on(env, np.random.default_rng(0))
    assert env.agents == []
    with pytest.warns(UserWarning, match=r"call reset\(\) first"):
        env.step(STOP)
    assert list(env.agent_iter()) == []


def test_a_loop_that_forgets_to_step_is_told_so():
    env = cant_stop_v0.env()
    env.reset(seed=1)
    agents = iter(env.agent_iter())
    next(agents)
    with pytest.raises(ResetNeeded, match="loop"):
        next(agents)
    env.reset(seed=1)
    assert next(iter(env.agent_iter())) == env.agent_selection


def test_agent_iter_stops_after_so_many_agents(make):
    env = make()
    env.reset(seed=1)
    assert len(play_on(env, np.random.default_rng(0), 5)) == 5


# Observations, rewards, the end.


def test_only_the_selected_agent_has_legal_actions(make):
    env = make(num_players=4)
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    for agent in env.agent_iter(200):
        masks = {a: env.observe(a)["action_mask"] for a in env.possible_agents}
        assert all(mask.dtype == np.int8 for mask in masks.values())
        assert [a for a, mask in masks.items() if mask.any()] == [agent]
        env.step(one_action(masks[agent], rng))


def test_the_observed_position_is_ones_own(make):
    env = make(num_players=3)
    env.reset(seed=2)
    position = Position(env.game, env.get_state())
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)["observation"]
        assert seen.tolist() == position.observation(seat).tolist()
    assert env.state().tolist() == position.observation(0).tolist()
    assert env.state_space.contains(env.state())


def test_what_a_caller_does_to_what_it_got_changes_nothing(env):
    before = everything(env)
    for agent in env.possible_agents:
        observation = env.observe(agent)
        observation["observation"][:] = 0.5
        observation["action_mask"][:] = 1
        del observation["action_mask"]
    observation, _, _, _, info = env.last()
    observation["action_mask"][:] = 0
    info["env_id"] = 3
    env.state()[:] = 0.5
    assert everything(env) == before


def test_rewards_are_paid_once_and_all_agents_end_together(make):
    env = make(num_players=3, reward="margin")
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    earned = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert len(set(env.terminations.values())) == 1
        assert all(type(flag) is bool for flag in env.terminations.values())
        if terminated or truncated:
            earned[agent] = reward
            env.step(None)
            assert not any(env.rewards.values())
        else:
            assert reward == 0
            env.step(one_action(observation["action_mask"], rng))
            for other, amount in env.rewards.items():
                paid[other] += amount
    assert earned == paid
    assert max(paid.values()) > 0 > min(paid.values())
    assert sum(paid.values()) == pytest.approx(0)


def test_the_mover_ends_first_and_takes_what_it_earned(make):
    env = finished(make, num_players=3)
    assert env.rewards == {"player_0": 1.0, "player_1": -0.5, "player_2": -0.5}
    assert env._cumulative_rewards == env.rewards
    assert env.agent_selection == "player_0"
    left = []
    for agent in env.agent_iter():
        left.append(agent)
        env.step(None)
    assert left == env.possible_agents


def test_a_capped_game_is_truncated_for_all_and_pays_nothing(make):
    env = make(num_players=2, max_turns=3)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    while not any(env.truncations.values()):
        env.step(one_action(env.last()[0]["action_mask"], rng))
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert env.get_state()["turns"] == 3


# Seeds.


def test_reset_without_a_seed_goes_on_with_the_stream(make):
    envs = [make(), make()]
    for env in envs:
        env.reset(seed=11)
    starts = [[everything(env)[0] for env in envs]]
    for _ in range(5):
        for env in envs:
            play_on(env, np.random.default_rng(0), 3)
            env.reset()
        starts.append([everything(env)[0] for env in envs])
    assert all(first == second for first, second in starts)
    assert len({first for first, _ in starts}) == len(starts)


def test_without_any_seed_two_environments_differ(make):
    first, second = make(), make()
    first.reset()
    second.reset()
    assert first.get_state()["rng"] != second.get_state()["rng"]


@pytest.mark.parametrize("seed", [np.int64(5), np.uint8(5), np.array(5)])
def test_seeds_may_be_numpy_numbers(make, seed):
    env, other = make(), make()
    env.reset(seed=seed)
    other.reset(seed=5)
    assert everything(env) == everything(other)


def test_the_greatest_seed_is_one(make):
    env = make()
    env.reset(seed=2**64 - 1)
    assert env.agents


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "a", [1]], ids=repr)
def test_other_seeds_are_refused_and_change_nothing(env, seed):
    before = everything(env)
    with pytest.raises(
        ValueError, match=r"is not a whole number from 0 to 2\*\*64 - 1"
    ):
        env.reset(seed=seed)
    assert everything(env) == before
    with pytest.raises(
        ValueError, match=r"is not a whole number from 0 to 2\*\*64 - 1"
    ):
        env.clone(seed=seed)


def test_no_global_random_state_is_used_or_touched(make):
    def run(poison: int) -> list[bytes]:
        random.seed(poison)
        np.random.seed(poison)  # noqa: NPY002 - the state nobody should touch
        before = random.getstate(), pickle.dumps(np.random.get_state())  # noqa: NPY002
        env = make(num_players=3)
        env.reset(seed=5)
        history = play_on(env, np.random.default_rng(5))
        env.clone(seed=1)
        env.reset()
        history.append(env.get_state().tobytes())
        after = random.getstate(), pickle.dumps(np.random.get_state())  # noqa: NPY002
        assert after == before
        return history

    assert run(1) == run(2)


def test_an_action_is_checked_once_on_its_way(env, monkeypatch):
    checked = []
    check = Game.as_action

    def counted(game, action):
        checked.append(action)
        return check(game, action)

    monkeypatch.setattr(Game, "as_action", counted)
    mask = env.observe(env.agent_selection)["action_mask"]
    action = one_action(mask, np.random.default_rng(1))
    env.step(action)
    assert checked == [action]
