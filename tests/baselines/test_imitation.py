"""Learning from an expert before self-play."""

import dataclasses
import json
import multiprocessing
import os
import signal
import threading
import time
from typing import Any, cast

import numpy as np
import pytest
import torch

from baselines.training.config import Imitation, TrainConfig
from baselines.training.export import load_into, network_of
from baselines.training.imitation import GAMES_AT_ONCE, Lessons, imitate, lessons
from baselines.training.listener import Grade, Listener
from baselines.training.models import make_model
from baselines.training.train import resume, train
from baselines.training.vec_env import SeatVecEnv
from game_core import Purpose, derive, find_agent, load_game, play, replay
from game_core.agents.agent import Batch
from game_core.agents.policy import new_memories
from tests.baselines.test_training import SMALL, StopAt, same, table

pytestmark = pytest.mark.slow

TAUGHT = dataclasses.replace(
    SMALL,
    imitation=Imitation("rule_of_28", decisions=100, workers=1, epochs=2),
)

MOVES = TrainConfig(
    "azul",
    network="moves",
    net_arch=(16, 8),
    num_envs=8,
    ppo=dataclasses.replace(SMALL.ppo, n_steps=4, batch_size=32),
)


def all_of(game, settings, seed=1) -> Lessons:
    return Lessons(
        *map(np.concatenate, zip(*lessons(game, settings, seed), strict=True))
    )


@pytest.fixture(scope="module")
def from_search():
    game = load_game("azul")
    settings = Imitation("mcts(simulations=40)", decisions=500, workers=1)
    return game, all_of(game, settings)


def test_lessons_are_the_same_for_any_number_of_workers():
    game = load_game("cant_stop", columns_to_win=1)
    one, two = (
        all_of(game, Imitation("rule_of_28", decisions=400, workers=workers))
        for workers in (1, 2)
    )
    assert all(map(np.array_equal, one, two))
    assert len(one.returns) >= 400
    assert set(np.unique(one.returns)) == {-1.0, 1.0}
    other = all_of(game, Imitation("rule_of_28", decisions=400, workers=1), seed=2)
    assert not np.array_equal(one.observations, other.observations)


def test_lessons_are_games_with_derived_seeds():
    game = load_game("cant_stop", columns_to_win=1)
    expert = Imitation("rule_of_28", noise=0, decisions=1, workers=1)
    teaching = all_of(game, expert, seed=3)
    seen: list[np.ndarray] = []
    for number in range(GAMES_AT_ONCE):
        seed = derive(3, Purpose.LESSONS, number)
        log = play(game, [find_agent("rule_of_28", "cant_stop")] * 2, seed)
        for position, _ in replay(log):
            if not position.over and len(position.legal_actions()) > 1:
                seen.append(position.observation(position.player))
    assert np.array_equal(teaching.observations, seen)


def interrupt_children(count: int) -> None:
    """Interrupt processes as soon as they are there, before they are ready for it."""
    seen: set[int] = set()
    while len(seen) < count:
        for child in multiprocessing.active_children():
            if child.pid is not None and child.pid not in seen:
                os.kill(child.pid, signal.SIGINT)
                seen.add(child.pid)
        time.sleep(0.001)


def test_processes_outlive_ctrl_c_and_end_at_once_with_the_lessons(tmp_path):
    stuck, file = tmp_path / "stuck", tmp_path / "expert.py"
    file.write_text(
        "import os, pathlib, time\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "def expert(view):\n"
        "    (folder / f'{os.getpid()}.pid').touch()\n"
        "    while (folder / 'stuck').exists():\n"
        "        time.sleep(0.1)\n"
        "    return int(view.legal_actions[-1])\n"
    )
    game = load_game("cant_stop", columns_to_win=1)
    parts = lessons(game, Imitation(f"{file}:expert", decisions=10**9, workers=2), 0)
    early = threading.Thread(target=interrupt_children, args=(2,), daemon=True)
    early.start()
    while len(list(tmp_path.glob("*.pid"))) < 2:  # until both play
        next(parts)
    workers = multiprocessing.active_children()
    for worker in workers:
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGINT)  # as a terminal does, to all of them
    for _ in range(8):
        assert len(next(parts).returns)
    early.join(30)
    assert not early.is_alive()
    stuck.touch()  # now nothing that was begun comes to an end
    cast(Any, parts).close()
    assert len(workers) == 2
    assert not any(worker.is_alive() for worker in workers)


def test_experts_choose_what_is_legal_and_searches_tell_what_they_tried(from_search):
    _, teaching = from_search
    assert teaching.choices[~teaching.masks].sum() == 0
    assert (teaching.masks.sum(axis=1) > 1).all()
    tried = teaching.choices.sum(axis=1)
    assert (tried >= 39).all()
    assert ((teaching.choices > 0).sum(axis=1) > 1).mean() > 0.9


def test_a_network_over_moves_learns_what_an_expert_prefers(from_search):
    game, teaching = from_search
    model = make_model(MOVES, SeatVecEnv(game, 8))
    settings = Imitation("", epochs=60, learning_rate=1e-2)
    learned, grades = zip(*imitate(model, teaching, settings, seed=0), strict=True)
    even = np.log(teaching.masks.sum(axis=1)).mean()
    assert grades[0].least < grades[-1].cross_entropy < even - 0.1
    assert learned[-1] == 60 * len(teaching.returns)


def test_networks_over_moves_say_what_their_models_say(from_search):
    game, teaching = from_search
    model = make_model(MOVES, SeatVecEnv(game, 8))
    scorer: Any = model.policy.action_net
    with torch.no_grad():
        for layer in scorer.layers:
            layer.weight.normal_(0, 0.3)
            layer.bias.normal_(0, 0.3)
        seen = teaching.observations[:40]
        wanted = scorer(torch.from_numpy(seen)).numpy()
    network = network_of(model)
    masks = teaching.masks[:40].astype(np.int8)
    logits = network.logits(Batch(game, seen, masks, new_memories(game, 40)))
    assert np.abs(wanted[teaching.masks[:40]]).max() > 0.1
    np.testing.assert_allclose(logits, wanted, atol=1e-4)
    alone = Batch(game, seen[7:8], masks[7:8], new_memories(game, 1))
    assert np.array_equal(network.logits(alone)[0], logits[7])
    other = make_model(dataclasses.replace(MOVES, seed=3), SeatVecEnv(game, 8))
    load_into(other, network)
    assert same(network_state(other), network_state(model))


def network_state(model):
    return model.policy.action_net.state_dict()


class Notes(Listener):
    """Notes what it hears of lessons, and stops after some of it."""

    def __init__(self, stop_after: int = 10**9) -> None:
        self.watched: list[int] = []
        self.grades: list[Grade] = []
        self.stop_after = stop_after

    def watch(self, decisions: int, total: int) -> None:
        self.watched.append(decisions)

    def imitate(self, decisions: int, total: int, grade: Grade) -> None:
        self.grades.append(grade)

    def wants_stop(self) -> bool:
        return len(self.watched) + len(self.grades) >= self.stop_after


def test_training_begins_with_lessons_and_resumes_to_the_same_bits(tmp_path):
    notes = Notes()
    whole = train(TAUGHT, tmp_path / "whole", notes)
    assert notes.watched[-1] == 100
    assert notes.grades
    told = json.loads((tmp_path / "whole" / "imitation.json").read_text())
    assert (told["expert"], told["decisions"] >= 100) == ("rule_of_28", True)
    assert table(tmp_path / "whole")[0]["steps"] == "0"
    train(TAUGHT, tmp_path / "parts", StopAt(len(notes.grades) + 3))
    last = resume(tmp_path / "parts")
    assert same(whole.model.get_parameters(), last.model.get_parameters())
    assert table(tmp_path / "whole") == table(tmp_path / "parts")


def test_a_stop_during_lessons_leaves_no_run(tmp_path):
    for stop_after in (1, 2):
        session = train(TAUGHT, tmp_path / "run", Notes(stop_after))
        assert session.stopped
        assert not (tmp_path / "run").exists()
    assert not train(TAUGHT, tmp_path / "run").stopped


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"imitation": Imitation("nobody")}, "nobody"),
        ({"imitation": Imitation("random", noise=2)}, r"imitation.noise=2 .* 0 to 1"),
        ({"imitation": Imitation("random", epochs=0)}, "imitation.epochs=0"),
        (
            {
                "game": "azul",
                "options": {"wall": "grey"},
                "opponents": ("random",),
                "network": "moves",
            },
            "wall='grey' is not allowed for a network over moves",
        ),
        (
            {"game": "icecool", "options": {}, "algorithm": "ppo", "network": "moves"},
            "'ppo' does not allow .* for maskable_ppo",
        ),
    ],
)
def test_lessons_that_cannot_be(changes, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        train(dataclasses.replace(SMALL, **changes), tmp_path / "run")
    assert not (tmp_path / "run").exists()
