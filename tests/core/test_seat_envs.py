"""One seat as Gymnasium environments: single and batched, against the AEC one."""

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordAll

import azul_env
import cant_stop_env
import icecool_env
from game_core import IllegalActionError, Position, find_agent, load_game
from game_core.envs.aec import GameEnv
from game_core.envs.seat import SeatEnv, SeatVectorEnv
from tests.core.opponents import (
    POOLS,
    BatchHighest,
    highest,
    homing,
    learner_action,
    lowest,
)
from tests.games import one_action

pytestmark = pytest.mark.usefixtures("toy")

NEXT_STEP, SAME_STEP, DISABLED = (
    AutoresetMode.NEXT_STEP,
    AutoresetMode.SAME_STEP,
    AutoresetMode.DISABLED,
)
GAMES = [
    ("cant_stop", {"num_players": 2, "columns_to_win": 1, "max_turns": 30}),
    ("cant_stop", {"num_players": 4, "max_turns": 9}),
    ("azul", {"num_players": 3, "max_rounds": 1}),
    ("toy", {"num_players": 3, "most_moves": 7}),
]
IDS = ("tabletop/Azul-v0", "tabletop/CantStop-v0", "tabletop/Icecool-v0")
SHORT: dict[str, Any] = {"columns_to_win": 1, "max_turns": 30}
LONG: dict[str, Any] = {"columns_to_win": 1, "max_turns": 300}


def all_arrays(games, row: int = 0) -> dict[str, bytes]:
    """Return all that changes in one row of ``SeatGames``."""
    return {
        name: array.tobytes() if name == "drawn" else array[row : row + 1].tobytes()
        for name, array in games.get_state().items()
    }


def test_the_packages_register_their_games():
    packages = (azul_env, cant_stop_env, icecool_env)
    assert len(packages) == len(IDS)
    assert set(IDS) <= set(gymnasium.registry)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_row_i_is_the_environment_with_seed_plus_i(game_id, options, mode):
    """Gymnasium's own vector of single environments is what it is held to."""

    def make():
        return SeatEnv(game, POOLS[game_id])

    game = load_game(game_id, **options)
    many = SeatVectorEnv(game, 7, POOLS[game_id], autoreset_mode=mode)
    singles = SyncVectorEnv([make] * 7, autoreset_mode=mode)
    rng = np.random.default_rng(1)
    ended = np.zeros(7, bool)
    games_ended = 0
    returned = many.reset(seed=40), singles.reset(seed=40)
    for _ in range(80):
        check_same(*returned)
        for row, single in enumerate(singles.envs):
            assert isinstance(single, SeatEnv)
            assert all_arrays(many.games, row) == all_arrays(single.games)
        masks = returned[0][-1].get("action_mask", [None] * 7)
        actions = np.array([learner_action(game, mask, rng) for mask in masks])
        if mode is NEXT_STEP and game.discrete:
            actions[ended] = 0  # ignored, legal or not
        returned = many.step(actions), singles.step(actions)
        ended = returned[0][2] | returned[0][3]
        games_ended += ended.sum()
        if mode is DISABLED and ended.any():
            check_same(*returned)
            mask = {"reset_mask": ended}
            returned = many.reset(options=dict(mask)), singles.reset(options=mask)
            returned[1][1].clear()  # Gymnasium tells of the rows that were reset only
    assert games_ended > 10


def check_same(many, singles) -> None:
    """Fail unless two vector environments returned the same."""
    *results, infos = many
    *expected, expected_infos = singles
    for one, other in zip(results, expected, strict=True):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()
    for key in ("action_mask", "illegal_action"):
        if key in expected_infos:
            assert infos[key].dtype == expected_infos[key].dtype
            assert infos[key].tolist() == expected_infos[key].tolist()
            assert infos[f"_{key}"].all()
    assert ("final_obs" in infos) == ("final_obs" in expected_infos)
    if "final_obs" in infos:
        ended = expected_infos["_final_obs"]
        assert infos["_final_obs"].tolist() == ended.tolist()
        assert infos["_final_info"].tolist() == ended.tolist()
        final, expected = infos["final_info"], expected_infos["final_info"]
        assert final.keys() == expected.keys()
        for key, values in expected.items():
            assert final[key].dtype == values.dtype
            assert final[key].tolist() == values.tolist()
        for row, last in enumerate(infos["final_obs"]):
            if ended[row]:
                assert last.tobytes() == expected_infos["final_obs"][row].tobytes()
            else:
                assert last is None


def move_opponents(env: GameEnv, learner: str, opponent) -> None:
    """Play for all but the learner, until it has to decide or the game is over."""
    while env.agent_selection != learner and not env.position.over:
        seat = env.possible_agents.index(env.agent_selection)
        env.step(opponent(env.position.observation(seat), env.position))


def highest_by_hand(observation, position):
    return int(position.legal_actions()[-1])


def homing_by_hand(observation, position):
    return np.clip(-observation[:2], -1, 1)


@pytest.mark.parametrize(
    ("game_id", "options", "opponent", "by_hand", "passed_over_expected"),
    [
        ("cant_stop", {"num_players": 2, **LONG}, highest, highest_by_hand, False),
        ("cant_stop", {"num_players": 4, **LONG}, highest, highest_by_hand, False),
        ("azul", {"max_rounds": 1, "num_players": 3}, highest, highest_by_hand, False),
        ("toy", {"num_players": 3, "most_moves": 9}, homing, homing_by_hand, True),
    ],
)
def test_it_is_the_aec_environment_as_one_seat_meets_it(
    game_id, options, opponent, by_hand, passed_over_expected
):
    """The test plays for the others, by hand; also several games in a row."""
    game = load_game(game_id, **options)
    seat = game.num_players - 1
    env, aec = SeatEnv(game, opponent, seat=seat), GameEnv(game)
    learner, rng = aec.possible_agents[seat], np.random.default_rng(2)
    passed_over = in_a_row = 0
    paid_by_others = set()

    def begin(seed=None):
        nonlocal passed_over
        aec.reset(seed=seed)
        move_opponents(aec, learner, by_hand)
        while aec.position.over:
            passed_over += 1
            aec.reset()
            move_opponents(aec, learner, by_hand)
        return env.reset(seed=seed)

    seen, info = begin(seed=5)
    for _ in range(300):
        assert aec.agent_selection == learner
        check_observation(aec.observe(learner), seen, info)
        action = env.action_space.sample() if not game.discrete else None
        if action is None:
            action = one_action(info["action_mask"], rng)
        aec.step(action)
        in_a_row += aec.agent_selection == learner and not aec.position.over
        mover = aec.agent_selection
        move_opponents(aec, learner, by_hand)
        seen, reward, terminated, truncated, info = env.step(action)
        assert env.position.states.tobytes() == aec.get_state().tobytes()
        assert terminated == aec.position.terminated
        assert truncated == aec.position.truncated
        assert reward == aec.rewards[learner]
        if terminated or truncated:
            assert seen.tolist() == observation_of(aec, learner).tolist()
            if mover != learner:
                paid_by_others.add(reward)
            seen, info = begin()
    assert (passed_over > 0) == passed_over_expected
    assert (in_a_row > 20) == (game_id == "cant_stop")
    assert (min(paid_by_others, default=0) < 0) == (game_id != "azul")


def observation_of(aec: GameEnv, learner: str) -> np.ndarray:
    seen = aec.observe(learner)
    return seen["observation"] if isinstance(seen, dict) else seen


def check_observation(expected, seen, info) -> None:
    if isinstance(expected, dict):
        assert info["action_mask"].dtype == np.int8
        assert info["action_mask"].tolist() == expected["action_mask"].tolist()
        expected = expected["observation"]
    assert seen.dtype == np.float32
    assert seen.tobytes() == expected.tobytes()


def history(env: SeatEnv, steps: int, seed: int | None = None) -> list:
    """Play legal actions; return all that the environment gives."""
    rng = np.random.default_rng(0)
    events = []
    if seed is not None:
        events.append(env.reset(seed=seed)[0].tobytes())
    for _ in range(steps):
        action = (
            one_action(env.action_masks(), rng)
            if env.games.game.discrete
            else rng.uniform(-1, 1, env.action_space.shape)
        )
        seen, *rest, _ = env.step(action)
        events.append((seen.tobytes(), *rest))
        if rest[1] or rest[2]:
            events.append(env.reset()[0].tobytes())
    return events


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rule_of_28", find_agent("rule_of_28", "cant_stop")),
        (highest, BatchHighest()),
        (highest, BatchHighest),
        ([highest], (highest, highest)),
    ],
    ids=["policy and agent", "view and batch", "view and class", "list and tuple"],
)
def test_how_an_opponent_is_given_does_not_matter(one, other):
    events = [
        history(SeatEnv("cant_stop", given, seat=0, **SHORT), 200, seed=3)
        for given in (one, other)
    ]
    assert events[0] == events[1]


def pickled(env: SeatEnv) -> SeatEnv:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("copies", [copy.deepcopy, pickled])
@pytest.mark.parametrize(("game_id", "options"), [GAMES[1], GAMES[3]])
def test_a_copy_plays_on_as_the_original(game_id, options, copies):
    env = SeatEnv(game_id, POOLS[game_id], **options)
    history(env, 10, seed=8)
    again = copies(env)
    assert all_arrays(again.games) == all_arrays(env.games)
    assert history(env, 100) == history(again, 100)


def test_a_seed_says_it_all_and_none_goes_on():
    env = SeatEnv("cant_stop", POOLS["cant_stop"], **SHORT)
    first = history(env, 100, seed=3)
    on = history(env, 100)
    assert history(env, 100, seed=3) == first
    assert history(env, 100) == on
    assert history(env, 100, seed=4) != first
    fresh = [SeatEnv("cant_stop") for _ in range(2)]
    starts = [one.reset() and all_arrays(one.games)["streams"] for one in fresh]
    assert starts[0] != starts[1]


def test_no_global_random_state_is_used_or_touched():
    def run(poison: int) -> list:
        random.seed(poison)
        np.random.seed(poison)  # noqa: NPY002 - the state nobody should touch
        before = random.getstate(), pickle.dumps(np.random.get_state())  # noqa: NPY002
        env = SeatEnv("cant_stop", POOLS["cant_stop"], **SHORT)
        events = history(env, 100, seed=5)
        after = random.getstate(), pickle.dumps(np.random.get_state())  # noqa: NPY002
        assert after == before
        return events

    assert run(1) == run(2)


def test_an_illegal_action_ends_the_game_with_minus_one():
    env = SeatEnv("cant_stop", lowest, seat=0)
    _, info = env.reset(seed=1)
    illegal = int(np.argmin(info["action_mask"]))
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"] is True
    assert info["action_mask"].all()
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(0)
    _, info = env.reset()
    assert info["illegal_action"] is False


@pytest.mark.parametrize("action", [-1, 79, 10**30, 1.5, True, None, "roll", [3]])
def test_what_is_no_action_is_refused_and_changes_nothing(action):
    env = SeatEnv("cant_stop", lowest)
    env.reset(seed=1)
    before = all_arrays(env.games)
    with pytest.raises(IllegalActionError, match="a whole number from 0 to 78"):
        env.step(action)
    assert all_arrays(env.games) == before
    history(env, 20)


@pytest.mark.parametrize("action", [[0, 1.01], [np.nan, 0], [0, 0, 0], 0.5, None])
def test_what_is_no_flick_is_refused_and_changes_nothing(action):
    env = SeatEnv("toy", "random")
    env.reset(seed=1)
    before = all_arrays(env.games)
    with pytest.raises(IllegalActionError, match="2 numbers from -1 to 1"):
        env.step(action)
    assert all_arrays(env.games) == before


@pytest.mark.parametrize(
    "actions", [[0, 0, 79], [0, -1, 0], [0, 0], [0.0, 0, 0], None, [[0], [1], [2]]]
)
def test_what_are_no_actions_is_refused_and_changes_no_game(actions):
    env = SeatVectorEnv("cant_stop", 3, ["rule_of_28", BatchHighest()])
    env.reset(seed=1)
    before = {name: array.tobytes() for name, array in env.games.get_state().items()}
    with pytest.raises(IllegalActionError, match="whole number"):
        env.step(actions)
    after = {name: array.tobytes() for name, array in env.games.get_state().items()}
    assert after == before


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_game_cut_short_is_truncated(mode):
    env = SeatVectorEnv(
        "cant_stop", 2, "random", 0, mode, starting_player=0, max_turns=1
    )
    _, infos = env.reset(seed=1)
    truncated = np.zeros(2, bool)
    while not truncated.any():
        actions = infos["action_mask"].argmax(axis=1)
        _, rewards, terminated, truncated, infos = env.step(actions)
        assert not rewards.any()
        assert not terminated.any()


@pytest.mark.parametrize("action", [5, -1, 10**6])
def test_next_step_ignores_the_action_of_a_game_that_is_over(action):
    env = SeatVectorEnv("cant_stop", 2, "random")
    assert env.metadata["autoreset_mode"] is NEXT_STEP
    _, infos = env.reset(seed=1)
    legal = infos["action_mask"].argmax(axis=1)
    illegal = infos["action_mask"].argmin(axis=1)
    _, rewards, terminated, _, infos = env.step([illegal[0], legal[1]])
    assert rewards.tolist() == [-1, 0]
    assert terminated.tolist() == [True, False]
    assert infos["illegal_action"].tolist() == [True, False]
    _, rewards, terminated, _, infos = env.step(
        [action, infos["action_mask"][1].argmax()]
    )
    assert not rewards.any()
    assert not terminated.any()
    assert not infos["illegal_action"].any()
    assert not infos["action_mask"][0].all()


def test_what_it_hands_out_can_be_written_into():
    def written(mess: bool) -> list[bytes]:
        env = SeatVectorEnv("cant_stop", 3, "rule_of_28", autoreset_mode=SAME_STEP)
        single = SeatEnv("cant_stop", "rule_of_28")
        parts = [*env.reset(seed=1), *single.reset(seed=1)]
        arrays = []
        for _ in range(60):
            arrays.append(env.games.states.tobytes() + single.games.states.tobytes())
            actions = env.action_masks().argmax(axis=1)
            action = int(single.action_masks().argmax())
            if mess:
                scribble(parts)
            if single.games.over[0]:
                parts = [*env.step(actions), *single.reset()]
            else:
                parts = [*env.step(actions), *single.step(action)]
        return arrays

    assert written(mess=True) == written(mess=False)


def scribble(parts) -> None:
    """Write ones into all arrays."""
    for part in parts:
        if isinstance(part, dict):
            scribble(part.values())
        elif isinstance(part, np.ndarray) and part.dtype != object:
            part[...] = 1


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"opponents": "nobody"}, "unknown agent 'nobody'; agents of cant_stop: "),
        ({"opponents": []}, "no opponents: give one at least"),
        ({"opponents": [3]}, "3 is no agent"),
        ({"opponents": None}, "None is no agent"),
        ({"opponents": "mcts(depth=1)"}, "settings: "),
        ({"seat": 2}, "seat=2 is not allowed; give 'random' or .* from 0 to 1"),
        ({"seat": "first"}, "seat='first' is not allowed"),
        ({"seat": None}, "seat=None is not allowed"),
        ({"colour": "red"}, "unknown option 'colour'; known options: num_players"),
        ({"num_players": 9}, "num_players=9 is not allowed"),
        ({"render_mode": "pixels"}, "render_mode='pixels' is not allowed"),
    ],
)
def test_what_cannot_be_made_says_why(settings, says):
    with pytest.raises(ValueError, match=says):
        SeatEnv(**{"game": "cant_stop", **settings})


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"num_envs": 0}, "num_envs=0 is not allowed; give a whole number from 1"),
        ({"num_envs": 2.0}, "num_envs=2.0 is not allowed"),
        (
            {"autoreset_mode": "never"},
            "autoreset_mode='never' is not allowed; give one of",
        ),
    ],
)
def test_what_arrays_cannot_be_made_says_why(settings, says):
    with pytest.raises(ValueError, match=says):
        SeatVectorEnv("cant_stop", **settings)


def test_options_of_a_game_that_is_made_are_refused():
    game = load_game("cant_stop")
    with pytest.raises(ValueError, match="made already"):
        SeatEnv(game, num_players=3)
    with pytest.raises(ValueError, match="made already"):
        SeatVectorEnv(game, 2, num_players=3)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "a", [3], True])
def test_a_seed_out_of_range_is_refused_and_changes_nothing(seed):
    env = SeatEnv("cant_stop", "random")
    env.reset(seed=1)
    before = all_arrays(env.games)
    with pytest.raises(ValueError, match="is not a whole number from 0 to"):
        env.reset(seed=seed)
    assert all_arrays(env.games) == before


def test_reset_comes_first():
    env, many = SeatEnv("cant_stop"), SeatVectorEnv("cant_stop", 2)
    for use in (
        lambda: env.step(0),
        env.action_masks,
        lambda: env.position,
        lambda: many.step([0, 0]),
        many.action_masks,
        lambda: many.reset(options={"reset_mask": np.ones(2, bool)}),
    ):
        with pytest.raises(ResetNeeded, match=r"reset\(\) needs to be called first"):
            use()


@pytest.mark.parametrize("mask", [[True], np.ones(2), np.ones((2, 1), bool), "all"])
def test_a_reset_mask_of_another_shape_is_refused(mask):
    env = SeatVectorEnv("cant_stop", 2)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"should be bool \(2,\)"):
        env.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("options", [[1], "reset_mask", 3])
@pytest.mark.parametrize("kind", [SeatEnv, SeatVectorEnv, GameEnv])
def test_options_of_reset_that_are_no_mapping_are_refused(kind, options):
    env = kind(load_game("cant_stop"))
    with pytest.raises(ValueError, match=r"options=.* is not allowed; give a dict"):
        env.reset(options=options)
    env.reset(seed=1, options={})


def test_seeds_can_be_listed_and_rows_begin_alone():
    one, other = (SeatVectorEnv("cant_stop", 3, "rule_of_28") for _ in range(2))
    one.reset(seed=5)
    other.reset(seed=[9, 6, 7])
    for row in (1, 2):
        assert all_arrays(one.games, row) == all_arrays(other.games, row)
    mask = np.array([True, False, False])
    others = [all_arrays(one.games, row) for row in (1, 2)]
    one.reset(seed=[9, 0, 0], options={"reset_mask": mask})
    again, first = all_arrays(one.games), all_arrays(other.games)
    del again["decisions"], first["decisions"]  # these are counted over all games
    assert again == first
    assert [all_arrays(one.games, row) for row in (1, 2)] == others


@pytest.mark.filterwarnings("ignore:there is no display")
@pytest.mark.parametrize("gymnasium_id", [IDS[0], IDS[1]])
def test_gymnasium_approves(gymnasium_id):
    check_env(gymnasium.make(gymnasium_id).unwrapped)


def test_episode_statistics_of_gymnasium():
    env = RecordEpisodeStatistics(gymnasium.make(IDS[1], opponents=lowest, **SHORT))
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=1)
    for _ in range(500):
        _, reward, terminated, truncated, info = env.step(
            one_action(info["action_mask"], rng)
        )
        assert ("episode" in info) == (terminated or truncated)
        if terminated or truncated:
            assert info["episode"]["r"] == reward
            _, info = env.reset()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_episode_statistics_of_many(mode):
    env = gymnasium.make_vec(
        IDS[1], num_envs=5, autoreset_mode=mode, opponents=["random"], **SHORT
    )
    assert isinstance(env.unwrapped, SeatVectorEnv)
    env = RecordAll(env)
    rng = np.random.default_rng(0)
    _, infos = env.reset(seed=1)
    episodes = 0
    for _ in range(150):
        actions = [one_action(mask, rng) for mask in infos["action_mask"]]
        _, rewards, terminated, truncated, infos = env.step(np.array(actions))
        ended = terminated | truncated
        episodes += ended.sum()
        if ended.any():
            assert infos["_episode"].tolist() == ended.tolist()
            assert infos["episode"]["r"][ended].tolist() == rewards[ended].tolist()
        if ended.any() and mode is DISABLED:
            _, infos = env.reset(options={"reset_mask": ended})
    assert episodes > 10


@pytest.mark.parametrize("given", [{}, {"vectorization_mode": "sync"}])
@pytest.mark.parametrize("gymnasium_id", [IDS[0], IDS[1]])
def test_make_vec_works_without_options(gymnasium_id, given):
    env = gymnasium.make_vec(gymnasium_id, num_envs=2, **given)
    seen, infos = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    env.action_space.seed(0)
    env.step(infos["action_mask"].argmax(axis=1))
    env.close()


@pytest.mark.parametrize("options", [{}, {"grid": {"directions": 4, "strengths": 1}}])
def test_icecool_too(options):
    env = gymnasium.make(IDS[2], opponents="random", seat=0, max_flicks=3, **options)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=1)
    assert ("action_mask" in info) == bool(options)
    over = False
    while not over:
        action = (
            one_action(info["action_mask"], rng)
            if options
            else rng.uniform(-1, 1, env.action_space.shape)
        )
        seen, _, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(seen)
        over = terminated or truncated
    if not options:
        with pytest.raises(ValueError, match="continuous"):
            env.get_wrapper_attr("action_masks")()


def test_an_array_of_games_draws_nothing_and_says_what_does():
    with pytest.raises(ValueError, match=r"no render_mode='ansi' .*gymnasium\.make"):
        SeatVectorEnv("azul", 2, render_mode="ansi")
    env = SeatVectorEnv("azul", 2)
    env.reset(seed=1)
    with pytest.raises(NotImplementedError, match=r"Position\(env"):
        env.render()
    assert "svg" in Position(env.games.game, env.games.states[:1])._repr_svg_()
