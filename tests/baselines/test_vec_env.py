"""``SeatVecEnv``: what people do with Stable-Baselines3 works."""

import warnings
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO, SAC
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import (
    VecEnv,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)

from baselines.training.vec_env import SeatVecEnv
from game_core import IllegalActionError, load_game
from game_core.envs.seat import SeatEnv, SeatVectorEnv
from tests.core.opponents import POOLS, learner_action

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("toy", "one_thread")]

SHORT: dict[str, Any] = {"columns_to_win": 1, "max_turns": 30}
ICECOOL: dict[str, Any] = {"max_flicks": 2, "seat": 0}


@pytest.fixture
def one_thread():
    """Let torch use one thread: several wait for each other on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def short(num_envs: int = 4, **settings) -> SeatVecEnv:
    """Return short games of Can't Stop."""
    return SeatVecEnv("cant_stop", num_envs, **SHORT, **settings)


def small(**settings) -> dict:
    """Return settings for learning that is over at once.

    Fresh ones: Stable-Baselines3 writes into ``policy_kwargs``.
    """
    defaults = {"n_steps": 32, "batch_size": 64, "n_epochs": 1}
    network = {"policy_kwargs": {"net_arch": [8]}, "device": "cpu", "seed": 0}
    return {**defaults, **network, **settings}


def first_legal(env) -> np.ndarray:
    return get_action_masks(env).argmax(axis=1)


def reset(env: VecEnv) -> np.ndarray:
    """Begin new games; return what is seen, in one array."""
    seen = env.reset()
    assert isinstance(seen, np.ndarray)
    return seen


def step(
    env: VecEnv, actions: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
    """Play actions; return what is seen, in one array, and the rest."""
    seen, rewards, dones, infos = env.step(actions)
    assert isinstance(seen, np.ndarray)
    return seen, rewards, dones, infos


def learned(model) -> list[bytes]:
    """Return the weights of a model."""
    return [tensor.numpy().tobytes() for tensor in model.policy.state_dict().values()]


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("cant_stop", {"num_players": 3, "max_turns": 12}),
        ("azul", {"max_rounds": 1}),
        ("toy", {"num_players": 3, "most_moves": 7}),
    ],
)
def test_it_plays_what_the_environment_of_gymnasium_plays(game_id, options):
    game = load_game(game_id, **options)
    mode = AutoresetMode.SAME_STEP
    env = SeatVecEnv(game, 7, POOLS[game_id])
    other = SeatVectorEnv(game, 7, POOLS[game_id], autoreset_mode=mode)
    env.seed(40)
    seen, (expected, infos) = env.reset(), other.reset(seed=40)
    rng = np.random.default_rng(1)
    ends = {"terminated": 0, "truncated": 0, "illegal": 0}
    for _ in range(150):
        assert seen.tobytes() == expected.tobytes()
        assert env.games.states.tobytes() == other.games.states.tobytes()
        masks = infos.get("action_mask", [None] * 7)
        if game.discrete:
            assert get_action_masks(env).tolist() == (masks == 1).tolist()
        actions = np.array([learner_action(game, mask, rng) for mask in masks])
        seen, rewards, dones, own_infos = step(env, actions)
        expected, paid, terminated, truncated, infos = other.step(actions)
        assert rewards.dtype == np.float32
        assert rewards.tolist() == paid.astype(np.float32).tolist()
        assert dones.tolist() == (terminated | truncated).tolist()
        for row, info in enumerate(own_infos):
            if not dones[row]:
                assert info == {}
                continue
            illegal = infos["final_info"]["illegal_action"][row]
            assert (
                info["terminal_observation"].tolist()
                == infos["final_obs"][row].tolist()
            )
            assert info["TimeLimit.truncated"] == truncated[row]
            assert info["illegal_action"] == illegal
            ends["terminated"] += terminated[row] and not illegal
            ends["truncated"] += truncated[row]
            ends["illegal"] += illegal
    assert ends["terminated"] + ends["truncated"] > 20
    assert ends["truncated"] > 0
    assert (ends["illegal"] > 0) == game.discrete


def test_what_it_hands_out_stays_as_it_was():
    env = short()
    kept = []
    env.seed(1)
    seen = env.reset()
    for _ in range(40):
        kept.append((seen, seen.copy()))
        seen, _, _, infos = step(env, first_legal(env))
        kept += [(i["terminal_observation"],) * 2 for i in infos if i]
        seen_before = seen.copy()
        env.games.observations()[...] = 7
        assert seen.tolist() == seen_before.tolist()
    assert all(array.tolist() == copied.tolist() for array, copied in kept)


def test_a_seed_is_for_the_next_reset_and_then_streams_go_on():
    def starts(env) -> list[bytes]:
        return [env.reset().tobytes() for _ in range(3)]

    env, other = short(), short()
    for one in (env, other):
        one.seed(7)
    first = starts(env)
    assert first == starts(other)
    assert len(set(first)) == 3
    env.seed(7)
    assert starts(env) == first
    assert starts(short()) != starts(short())


def test_attributes_and_methods_as_wrappers_ask_for_them():
    env = short(3)
    env.seed(1)
    env.reset()
    assert env.get_attr("render_mode") == [None] * 3
    assert env.get_attr("games", indices=[0, 2]) == [env.games] * 2
    assert env.has_attr("set_opponents")
    assert not env.has_attr("colour")
    with pytest.raises(AttributeError, match="colour"):
        env.get_attr("colour")
    masks = env.env_method("action_masks")
    assert len(masks) == 3
    some = env.env_method("action_masks", indices=[2, 0])
    assert [mask.tolist() for mask in some] == [masks[2].tolist(), masks[0].tolist()]
    one = env.env_method("action_masks", indices=1)
    assert [mask.tolist() for mask in one] == [masks[1].tolist()]
    assert masks[0].dtype == np.bool_
    assert VecNormalize(env).action_masks().tolist() == np.stack(masks).tolist()
    env.set_attr("note", "hello")
    assert env.get_attr("note") == ["hello"] * 3
    assert env.env_is_wrapped(Monitor) == [False] * 3
    with pytest.raises(AttributeError, match="no method 'fly'"):
        env.env_method("fly")
    env.close()


def test_opponents_are_set_for_all_games():
    many = short(3)
    env = VecMonitor(many)
    env.env_method("set_opponents", ["rule_of_28", "random"])
    assert many.games.opponents == ["rule_of_28", "random"]
    for use in (
        lambda: env.env_method("set_opponents", "random", indices=[0]),
        lambda: env.set_attr("note", 1, indices=[0]),
    ):
        with pytest.raises(ValueError, match="set them for all"):
            use()


def test_only_numbered_actions_have_masks():
    assert is_masking_supported(VecMonitor(short()))
    env = SeatVecEnv("toy", 2)
    assert not is_masking_supported(VecMonitor(env))
    env.reset()
    with pytest.raises(ValueError, match="continuous"):
        env.env_method("action_masks")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"num_envs": 0}, "num_envs=0 is not allowed"),
        ({"opponents": "nobody"}, "unknown agent 'nobody'"),
        ({"opponents": []}, "no opponents"),
        ({"seat": 2}, "seat=2 is not allowed"),
        ({"colour": "red"}, "unknown option 'colour'"),
    ],
)
def test_what_cannot_be_made_says_why(settings, says):
    with pytest.raises(ValueError, match=says):
        SeatVecEnv("cant_stop", **settings)


def test_reset_comes_first_and_actions_are_within_the_space():
    env = short(2)
    with pytest.raises(ResetNeeded, match=r"reset\(\) needs to be called first"):
        env.step(np.zeros(2, np.int64))
    env.seed(1)
    env.reset()
    before = env.games.states.tobytes()
    for actions in ([0, 79], [-1, 0], [0], [0.5, 0]):
        with pytest.raises(IllegalActionError, match="whole number"):
            env.step(np.array(actions))
        assert env.games.states.tobytes() == before
    env.step(first_legal(env))


@pytest.mark.parametrize("game_id", ["cant_stop", "azul", "toy"])
def test_stable_baselines_approves_the_single_environment(game_id):
    check_env(SeatEnv(game_id))


def test_monitored_normalised_and_stacked():
    monitored = VecMonitor(SeatVecEnv("cant_stop", 3, max_turns=4))
    env = VecFrameStack(VecNormalize(monitored, norm_reward=False, gamma=1.0), 2)
    env.seed(1)
    seen = reset(env)
    single = monitored.observation_space.shape
    assert single is not None
    assert seen.shape == (3, 2 * single[0])
    episodes = 0
    for _ in range(120):
        seen, rewards, dones, infos = step(env, first_legal(env))
        assert np.isfinite(seen).all()
        for row in np.flatnonzero(dones):
            episodes += 1
            assert infos[row]["episode"]["r"] == pytest.approx(rewards[row], abs=1e-5)
            assert infos[row]["terminal_observation"].shape == seen[row].shape
    assert episodes > 5


def test_masked_learning_saving_and_evaluation(tmp_path):
    env = VecMonitor(short(4, opponents=["random", "rule_of_28"]))
    best = MaskableEvalCallback(
        VecMonitor(short(2)),
        eval_freq=32,
        n_eval_episodes=4,
        best_model_save_path=str(tmp_path),
        verbose=0,
    )
    model = MaskablePPO("MlpPolicy", env, **small())
    model.learn(256, callback=best)
    assert model.num_timesteps == 256
    assert model.ep_info_buffer is not None
    assert len(model.ep_info_buffer) > 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        model.save(tmp_path / "model")
        again = MaskablePPO.load(tmp_path / "model", env=VecMonitor(short(7)))
    again.learn(256)
    rewards, lengths = evaluate_policy(
        again, VecMonitor(short(3)), n_eval_episodes=9, return_episode_rewards=True
    )
    assert isinstance(rewards, list)
    assert isinstance(lengths, list)
    assert len(rewards) == 9
    assert all(-1 <= reward <= 1 for reward in rewards)
    assert min(lengths) > 0
    assert (tmp_path / "best_model.zip").exists()


def test_no_legal_learner_ever_plays_an_illegal_action():
    env = short(4)
    model = MaskablePPO("MlpPolicy", env, **small())
    seen = reset(env)
    for _ in range(60):
        actions, _ = model.predict(seen, action_masks=get_action_masks(env))
        seen, _, _, infos = step(env, actions)
        assert not any(info.get("illegal_action") for info in infos)


def test_learning_is_the_same_again_with_the_same_seed():
    def weights(seed: int) -> list[bytes]:
        env = short(opponents=POOLS["cant_stop"])
        model = MaskablePPO("MlpPolicy", env, **small(seed=seed))
        return learned(model.learn(256))

    assert weights(1) == weights(1)
    assert weights(1) != weights(2)


def test_masked_learning_on_the_single_environment():
    env = Monitor(SeatEnv("cant_stop", **SHORT))
    model = MaskablePPO("MlpPolicy", env, **small())
    model.learn(64)
    rewards, _ = evaluate_policy(
        model, env, n_eval_episodes=3, return_episode_rewards=True
    )
    assert isinstance(rewards, list)
    assert len(rewards) == 3


@pytest.mark.parametrize("algorithm", [PPO, SAC])
def test_the_continuous_flick_is_learned_without_masks(algorithm):
    settings = small(n_steps=8, batch_size=16)
    if algorithm is SAC:
        del settings["n_steps"], settings["n_epochs"]
        settings["learning_starts"] = 4
    env = VecMonitor(SeatVecEnv("icecool", 2, **ICECOOL))
    model = algorithm("MlpPolicy", env, **settings)
    model.learn(16)
    assert model.num_timesteps == 16
    assert np.isfinite(model.policy.parameters_to_vector()).all()


def test_the_grid_of_icecool_is_learned_with_masks():
    grid = {"directions": 4, "strengths": 1, "sides": 1, "heights": 1}
    env = SeatVecEnv("icecool", 2, grid=grid, **ICECOOL)
    model = MaskablePPO("MlpPolicy", env, **small(n_steps=8, batch_size=16))
    model.learn(16)
    assert model.num_timesteps == 16
