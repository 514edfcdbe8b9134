"""Training runs: exact resuming, what is in their folders, policies that go out."""

import csv
import dataclasses
import json
from typing import Any

import numpy as np
import pytest
import torch

from baselines.networks.network import Network
from baselines.training.config import (
    PRESETS,
    Checkpoints,
    Evaluation,
    PpoSettings,
    SacSettings,
    SelfPlay,
    TrainConfig,
)
from baselines.training.evaluate import score_against
from baselines.training.export import load_into, network_of
from baselines.training.listener import Listener
from baselines.training.models import make_model
from baselines.training.progress import TIMED
from baselines.training.self_play import PastSelves, mixed
from baselines.training.train import resume, train
from baselines.training.vec_env import SeatVecEnv
from game_core.agents.agent import Batch
from game_core.agents.policy import new_memories
from game_core.envs.seat_games import SeatGames
from game_core.registry import load_game, load_task

pytestmark = pytest.mark.slow

SMALL = TrainConfig(
    "cant_stop",
    options={"columns_to_win": 1},
    steps=320,
    num_envs=8,
    opponents=("random", "rule_of_28"),
    net_arch=(8,),
    self_play=SelfPlay(every=64, keep=2),
    evaluation=Evaluation(every=128, games=8),
    checkpoints=Checkpoints(every=10**9),
    ppo=PpoSettings(n_steps=4, batch_size=16, n_epochs=2),
    sac=SacSettings(16, buffer_size=200, learning_starts=40, gradient_steps=1),
)

ICECOOL = dataclasses.replace(
    SMALL,
    game="icecool",
    options={"max_flicks": 4, "deck": "tournament"},
    opponents=("random",),
    steps=160,
    evaluation=Evaluation(every=10**9, games=2),
)

CONFIGS = {
    "maskable_ppo": SMALL,
    "grid": ICECOOL,
    "ppo": dataclasses.replace(ICECOOL, algorithm="ppo"),
    "sac": dataclasses.replace(ICECOOL, algorithm="sac", steps=160),
}


class StopAt(Listener):
    """Stops a run after a number of places between two updates."""

    def __init__(self, places: int) -> None:
        self.places = places

    def wants_stop(self) -> bool:
        self.places -= 1
        return self.places < 0


def table(folder) -> list[dict[str, str]]:
    """Return progress.csv without the columns that no two runs have in common."""
    with (folder / "progress.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [{k: v for k, v in row.items() if k not in TIMED} for row in rows]


def same(one, other) -> bool:
    """Tell whether nested values are the same to the last bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


@pytest.mark.parametrize("name", CONFIGS)
def test_an_interrupted_run_goes_on_to_the_same_bits(name, tmp_path):
    whole = train(CONFIGS[name], tmp_path / "whole")
    places = int(np.random.default_rng(len(name)).integers(1, 3))
    parts = train(CONFIGS[name], tmp_path / "parts", listener=StopAt(places))
    assert parts.stopped
    assert parts.steps < whole.steps
    np.random.default_rng(0)
    torch.rand(3)  # what happens between the two runs does not matter
    again = resume(tmp_path / "parts", listener=StopAt(0))
    assert again.stopped
    last = resume(tmp_path / "parts")
    assert not last.stopped
    assert same(whole.model.get_parameters(), last.model.get_parameters())
    assert table(tmp_path / "whole") == table(tmp_path / "parts")
    for array, other in zip(
        whole.env.games.get_state().values(),
        last.env.games.get_state().values(),
        strict=True,
    ):
        assert array.tobytes() == other.tobytes()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("training") / "run"
    return train(SMALL, folder)


def test_a_run_folder_holds_what_was_asked_for_and_what_came_of_it(run):
    folder = run.folder.path
    config = json.loads((folder / "config.json").read_text())
    assert TrainConfig.from_json(config) == SMALL
    assert set(json.loads((folder / "versions.json").read_text())["packages"]) >= {
        "torch",
        "stable-baselines3",
    }
    rows = table(folder)
    assert [int(row["steps"]) for row in rows] == list(range(32, 321, 32))
    evaluated = [row["steps"] for row in rows if row["score_random"]]
    assert evaluated == ["128", "256", "320"]
    assert sum(int(row["games"]) for row in rows) > 0
    assert (folder / "curves.png").stat().st_size > 10_000
    assert list((folder / "tensorboard").iterdir())
    assert [path.name for path in (folder / "checkpoints").iterdir()] == [
        "0" * 9 + "320"
    ]


def test_the_policy_of_a_run_plays_as_an_agent(run):
    network, facts = Network.load(run.folder.policy)
    assert (facts["game"], facts["options"]) == ("cant_stop", run.game.options)
    score = score_against(network, run.game, "random", 20)
    assert 0 <= score.mean <= 1
    spec = f"ppo(file={str(run.folder.policy)!r})"
    games = SeatGames(run.game, 4, [spec])
    games.reset(np.arange(4), np.arange(4, dtype=np.uint64))
    assert not games.over.any()


def test_only_the_last_checkpoints_are_kept(tmp_path):
    often = dataclasses.replace(SMALL, checkpoints=Checkpoints(every=64, keep=2))
    train(often, tmp_path)
    names = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert [int(name) for name in names] == [256, 320]


def test_more_steps_can_be_asked_for_later(tmp_path):
    train(SMALL, tmp_path)
    longer = resume(tmp_path, steps=400)
    assert longer.steps == 416
    assert resume(tmp_path).steps == 416


def test_training_begins_with_a_policy_that_is_there(run, tmp_path):
    start = dataclasses.replace(SMALL, start=run.folder.policy, seed=5)
    session = train(start, tmp_path)
    first, _ = Network.load(session.folder.snapshot(1))
    learned = network_of(run.model)
    assert np.array_equal(first.layers[0][0], learned.layers[0][0])


@pytest.mark.parametrize("name", CONFIGS)
def test_networks_say_what_the_models_say(name):
    config = CONFIGS[name]
    game = config.make_game()
    env = SeatVecEnv(game, config.num_envs)
    model = make_model(config, env)
    policy: Any = model.policy
    network = network_of(model)
    rng = np.random.default_rng(1)
    seen = rng.normal(size=(50, game.observation_size)).astype(np.float32)
    with torch.no_grad():
        inputs = torch.from_numpy(seen)
        if config.algorithm == "sac":
            means, log_std, _ = policy.actor.get_action_dist_params(inputs)
            assert np.allclose(network._log_stds(seen), log_std, atol=1e-5)
        else:
            means = policy.get_distribution(inputs).distribution
            means = means.logits if game.discrete else means.mean
            if game.discrete:
                raw = torch.from_numpy(network.outputs(seen)).log_softmax(1)
                assert np.allclose(raw, means, atol=1e-5)
                means = None
    if means is not None:
        assert np.allclose(network.outputs(seen), means, atol=1e-5)
    other = make_model(dataclasses.replace(config, seed=9), env)
    load_into(other, network)
    assert np.array_equal(network_of(other).outputs(seen), network.outputs(seen))


def test_a_policy_of_another_shape_does_not_load():
    env = SeatVecEnv(SMALL.make_game(), 8)
    small = make_model(SMALL, env)
    large = make_model(dataclasses.replace(SMALL, net_arch=(16,)), env)
    with pytest.raises(ValueError, match=r"-8-79 .* does not fit .*-16-79 "):
        load_into(large, network_of(small))


@dataclasses.dataclass
class Constant:
    """Plays the legal action at a place among all, and counts its decisions."""

    place: int
    decisions: int = 0

    def act_batch(self, batch: Batch) -> np.ndarray:
        self.decisions += len(batch.observations)
        return np.array([np.flatnonzero(mask)[self.place] for mask in batch.masks])


def test_a_game_keeps_its_snapshot_and_each_is_met_as_often():
    game = load_game("cant_stop")
    stand_ins: list[Any] = [Constant(0), Constant(-1), Constant(1)]
    first, last, third = stand_ins
    past = PastSelves({1: first, 2: last}, keep=2)
    memories = new_memories(game, 1000)
    memories["rng"] = np.arange(1000)
    masks = np.tile(np.array([1, 1, 0, 1], np.int8), (1000, 1))
    batch = Batch(game, np.zeros((1000, 1), np.float32), masks, memories)
    chosen = past.act_batch(batch)
    assert set(chosen) == {0, 3}
    assert abs(first.decisions - 500) < 80  # 5 standard deviations
    assert np.array_equal(past.act_batch(batch), chosen)
    assert past.add(third) == 3
    later = past.act_batch(batch)
    assert set(later[chosen == 0]) == {1, 3}
    assert np.all(later[chosen == 3] == 3)


@pytest.mark.parametrize(
    ("bots", "share", "selves", "each"),
    [("a", 0.5, 1, 1), ("ab", 0.5, 2, 1), ("abc", 0.25, 1, 1), ("a", 0, 0, 1)],
)
def test_past_selves_have_their_share(bots, share, selves, each):
    past = PastSelves({}, 1)
    opponents = mixed(bots, past, share)
    assert opponents.count(past) == selves
    assert all(opponents.count(bot) == each for bot in bots)
    assert mixed(bots, past, 1) == mixed((), past, 0.5) == [past]


def test_presets_can_be_trained():
    for preset in PRESETS.values():
        preset.check()
        if preset.task:
            load_task(preset.make_game(), preset.task, 2)
        else:
            SeatGames(preset.make_game(), 2, list(preset.opponents))
