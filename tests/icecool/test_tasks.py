"""The tasks of ICECOOL as environments, and its potential."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import icecool_env
from baselines.training.evaluate import score_in_task
from baselines.training.vec_env import SeatVecEnv
from game_core import load_game
from game_core.envs.seat_games import SeatGames
from game_core.envs.shaping import Shaping
from icecool_env import potentials
from icecool_env.geometry import room_at
from icecool_env.state import FLICK
from icecool_env.tasks import MAX_FLICKS, TASKS, TaskEnv, TaskGames, TaskVectorEnv

IDS = {
    "reach_door": "tabletop/IcecoolReachDoor-v0",
    "take_fish": "tabletop/IcecoolTakeFish-v0",
    "catch_runner": "tabletop/IcecoolCatchRunner-v0",
}
FLICKS = 64
EACH_TASK = pytest.mark.parametrize("task", TASKS)


def test_all_tasks_are_registered():
    assert icecool_env.__name__ == "icecool_env"
    assert set(IDS) == set(TASKS)
    assert set(IDS.values()) <= set(gymnasium.registry)


@pytest.mark.filterwarnings("ignore:there is no display")
@EACH_TASK
def test_gymnasium_accepts_the_environments(task, capsys):
    check_env(gymnasium.make(IDS[task]).unwrapped)
    many = gymnasium.make_vec(IDS[task], num_envs=3)
    one = many.single_observation_space.shape
    assert one is not None
    assert many.reset(seed=1)[0].shape == (3, *one)
    many.close()


def test_on_a_grid_there_are_masks():
    env = gymnasium.make(IDS["take_fish"], grid={})
    _, info = env.reset(seed=3)
    action = env.action_space.sample(info["action_mask"])
    game = env.get_wrapper_attr("games").game
    assert "flick" in game.action_to_text(int(action))
    assert not env.step(action)[4]["illegal_action"]


@EACH_TASK
def test_a_task_pays_once_it_is_done_and_ends_there(task):
    games = TaskGames(task, FLICKS)
    games.reset(np.arange(FLICKS), np.arange(FLICKS, dtype=np.uint64))
    state = games.states[0].copy()
    assert (games.states["phase"] == FLICK).all()
    assert (games.states["player"] == games.seats).all()
    rng = np.random.default_rng(1)
    paid = np.zeros(FLICKS)
    flicks = 0
    while not games.over.all():
        outcome = games.step(rng.uniform(-1, 1, (FLICKS, 6)).astype(np.float32))
        paid += outcome.paid
        flicks += 1
    states, rows = games.states, np.arange(FLICKS)
    assert flicks == MAX_FLICKS
    assert 0 < paid.mean() < 1
    assert set(paid.tolist()) == {0.0, 1.0}
    done = paid == 1
    assert states["terminated"][done].all()
    assert (states["terminated"] | (states["flicks"] == MAX_FLICKS)).all()
    assert states["truncated"][~states["terminated"]].all()
    assert state.catcher == (
        games.seats[0] if task == "catch_runner" else 1 - games.seats[0]
    )
    going = done & (states["round_number"] == 0)
    if task == "take_fish":
        assert (states["face_down"].sum(axis=2)[rows, games.seats] > 0)[done].all()
    elif task == "catch_runner":
        assert (states["caught"][rows, 1 - games.seats] == 1)[going].all()
    else:
        for row in np.flatnonzero(going):
            record, seat = states[row], games.seats[row]
            began = room_at(record, record.was_x[seat], record.was_y[seat])
            assert room_at(record, record.x[seat], record.y[seat]) != began


def test_row_i_is_the_environment_with_seed_plus_i():
    many, rng = TaskVectorEnv("catch_runner", 3), np.random.default_rng(5)
    singles = [TaskEnv("catch_runner") for _ in range(3)]
    seen, _ = many.reset(seed=11)
    for row, env in enumerate(singles):
        assert (env.reset(seed=11 + row)[0] == seen[row]).all()
    for _ in range(2):
        actions = rng.uniform(-1, 1, (3, 6)).astype(np.float32)
        seen, rewards, terminated, truncated, _ = many.step(actions)
        assert not (terminated | truncated).any()  # or the next step would reset it
        for row, env in enumerate(singles):
            observation, reward, *_ = env.step(actions[row])
            assert (observation == seen[row]).all()
            assert reward == rewards[row]


def test_stable_baselines3_learns_a_task_in_three_lines():
    from stable_baselines3 import SAC

    env = SeatVecEnv.of(TaskGames("reach_door", 8))
    model = SAC("MlpPolicy", env, learning_starts=8, batch_size=8, seed=0)
    model.learn(32)
    assert model.num_timesteps == 32


class East:
    """Flicks to the east in all games."""

    def act_batch(self, batch):
        return np.tile(np.array([1, 0, 0, 0, 0, 0], np.float32), (len(batch[1]), 1))


def test_the_score_in_a_task_is_how_often_it_is_done():
    score = score_in_task(East(), TaskGames("reach_door", 40))
    assert score == score_in_task(East(), TaskGames("reach_door", 40))
    assert 0 < score.mean < 1
    assert score.error == pytest.approx(
        1.96 * np.sqrt(score.mean * (1 - score.mean) / 39)
    )


def test_tasks_do_not_follow_from_the_streams_of_their_games():
    games = TaskGames("take_fish", 3)
    games.reset(np.arange(3), np.arange(3, dtype=np.uint64))
    alone = SeatGames(games.game, 3)
    alone.reset(np.arange(3), np.arange(3, dtype=np.uint64))
    assert np.array_equal(games.seats, alone.seats)
    assert not set(games.streams["rng"]) & set(games.states["rng"])


def test_a_task_has_no_shaping():
    for made in (gymnasium.make, gymnasium.make_vec):
        made(IDS["take_fish"], shaping=None).close()
        with pytest.raises(ValueError, match="not allowed for tasks; give None"):
            made(IDS["take_fish"], shaping=Shaping("cards"))


def test_unknown_tasks_and_other_numbers_of_players_are_refused():
    with pytest.raises(ValueError, match="give 'reach_door' or 'take_fish'"):
        TaskGames("win")
    with pytest.raises(ValueError, match="num_players=2"):
        TaskGames("take_fish", num_players=3)


@pytest.mark.parametrize(("reward", "unit"), [("margin", 1 / 90), ("win", None)])
def test_the_potential_is_the_lead_in_points(reward, unit):
    game = load_game("icecool", reward=reward)
    states = game.new_states(np.zeros(2, np.uint64))
    states["catcher"] = 0
    states["face_down"][0, 0, 3], states["face_up"][0, 0] = 2, 2  # 8 points
    states["face_down"][0, 1, 1] = 3
    states["caught"][0, 1] = 1  # one ID card of two points on average, more or less
    worth = potentials.cards(states)
    lead = 8 - 3 + 4
    expected = lead * unit if unit else np.tanh(lead / potentials.EVEN)
    np.testing.assert_allclose(worth, [[expected, -expected], [0, 0]], atol=1e-12)
    assert Shaping("cards").ready("icecool").potential is potentials.cards
