"""What goes wrong in training says so, and loses nothing."""

import contextlib
import dataclasses
import json
import resource
import shutil

import pytest

from baselines.training.config import Evaluation, Imitation, SelfPlay
from baselines.training.imitation import LessonsError
from baselines.training.listener import Listener
from baselines.training.run_folder import RunFolder
from baselines.training.train import resume, train
from tests.baselines.test_training import CONFIGS, SMALL, StopAt, table

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """Return the folder of a run that was stopped."""
    folder = tmp_path_factory.mktemp("stopped") / "run"
    train(SMALL, folder, listener=StopAt(3))
    return folder


@pytest.fixture
def folder(stopped, tmp_path):
    """Return a copy of it."""
    return shutil.copytree(stopped, tmp_path / "copy")


def checkpoint(folder):
    return next((folder / "checkpoints").iterdir())


@contextlib.contextmanager
def files_up_to(size: int):
    """Let no file grow beyond a size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_last_checkpoint(folder):
    there = checkpoint(folder)
    with files_up_to(5_000), pytest.raises(OSError, match=r"cannot write .*last check"):
        resume(folder)
    assert list((folder / "checkpoints").iterdir()) == [there]
    assert not list(folder.rglob("_*"))
    assert resume(folder).steps == SMALL.steps


def test_a_folder_with_a_run_is_not_overwritten(folder):
    before = table(folder)
    with pytest.raises(FileExistsError, match="tabletop train resume"):
        train(SMALL, folder)
    assert table(folder) == before


def test_a_folder_without_a_run(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no training run.*config\.json"):
        resume(tmp_path)


def test_a_run_without_a_checkpoint(folder):
    shutil.rmtree(folder / "checkpoints")
    with pytest.raises(FileNotFoundError, match="no checkpoint"):
        resume(folder)


@pytest.mark.parametrize("name", ["arrays.npz", "torch.pt", "facts.json"])
@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_damaged_checkpoint(folder, name, damage):
    file = checkpoint(folder) / name
    content = file.read_bytes()
    if damage == "gone":
        file.unlink()
    elif damage == "cut":
        file.write_bytes(content[: len(content) // 2])
    else:
        middle = len(content) // 2
        file.write_bytes(content[:middle] + b"\0" + content[middle + 1 :])
    with pytest.raises(ValueError, match=r"checkpoint .* is damaged"):
        resume(folder)


def test_a_damaged_configuration(folder):
    (folder / "config.json").write_text('{"game": "cant_stop", "stepps": 5}')
    with pytest.raises(ValueError, match=r"config\.json is damaged: .*stepps"):
        resume(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "azul", "options": {}, "opponents": ["random"]}, "another game"),
        ({"options": {"columns_to_win": 2}}, "another options"),
        ({"options": {"columns_to_win": 1, "num_players": 3}}, "another options"),
        ({"num_envs": 16}, "another number of games"),
        ({"net_arch": [8, 8]}, "another network"),
        ({"opponents": ["random"]}, "another list of opponents"),
    ],
)
def test_a_checkpoint_of_something_else(folder, change, words):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ValueError, match=f"is of {words}: "):
        resume(folder)


def test_a_checkpoint_of_another_task_or_memory(tmp_path):
    sac = dataclasses.replace(
        CONFIGS["sac"], steps=16, opponents=(), task="reach_door", self_play=SelfPlay(0)
    )
    train(sac, tmp_path / "run")
    for change, words in (
        ({"task": "take_fish"}, "task: 'reach_door', and here it is 'take_fish'"),
        (
            {"sac": dataclasses.replace(sac.sac, buffer_size=50)},
            "size of replay buffer",
        ),
    ):
        RunFolder(tmp_path / "run").write_config(dataclasses.replace(sac, **change))
        with pytest.raises(ValueError, match=f"is of another {words}"):
            resume(tmp_path / "run")


@pytest.mark.parametrize("fact", ["version", "observation_size"])
def test_a_checkpoint_of_another_version(folder, fact):
    path = checkpoint(folder) / "facts.json"
    facts = json.loads(path.read_text())
    facts["identity"][fact] += 1
    path.write_text(json.dumps(facts))
    with pytest.raises(ValueError, match=f"is of another {fact.replace('_', ' ')}: "):
        resume(folder)


def test_no_pickle_is_executed(folder):
    torch_file = checkpoint(folder) / "torch.pt"
    import hashlib
    import pickle

    class Bomb:
        def __reduce__(self):
            return exec, ("raise SystemExit('executed')",)

    torch_file.write_bytes(pickle.dumps(Bomb(), protocol=2))
    path = checkpoint(folder) / "facts.json"
    facts = json.loads(path.read_text())
    digest = hashlib.sha256(torch_file.read_bytes()).hexdigest()
    facts["digests"]["torch.pt"] = digest
    path.write_text(json.dumps(facts))
    with pytest.raises(ValueError, match="is damaged"):
        resume(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"options": {"size": 3}}, "unknown option 'size'"),
        ({"opponents": ("nobody",)}, "unknown agent 'nobody'"),
        ({"opponents": ()}, "no opponents"),
        ({"algorithm": "ppo"}, "not for numbered actions: take maskable_ppo"),
        ({"steps": 0}, "steps=0 is not allowed"),
        ({"gamma": 1.5}, "gamma=1.5 is not allowed"),
        ({"net_arch": (8, 0)}, "net_arch=0"),
        (
            {"ppo": dataclasses.replace(SMALL.ppo, batch_size=13)},
            "does not divide the 32",
        ),
        ({"options": {"num_players": 1}}, "two players"),
        ({"seed": 2**32}, "seed=4294967296 is not allowed"),
        ({"learning_rate": float("nan")}, "learning_rate=nan is not allowed"),
        ({"activation": "gelu"}, "activation='gelu' is not allowed"),
        ({"algorithm": "dqn"}, "algorithm='dqn' is not allowed"),
        ({"opponents": "random"}, "opponents='random' is not allowed"),
        (
            {"ppo": dataclasses.replace(SMALL.ppo, batch_size=1)},
            r"ppo\.batch_size=1 is not allowed",
        ),
        ({"task": "reach_door"}, r"opponents=\('random', 'rule_of_28'\), self_play"),
        (
            {"task": "a", "opponents": (), "self_play": SelfPlay(0), "shaping": "b"},
            "for the learner alone, .*: shaping='b' is not allowed",
        ),
        ({"evaluation": Evaluation(opponents=("nobody",))}, "unknown agent 'nobody'"),
    ],
)
def test_a_configuration_that_cannot_be(change, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        train(dataclasses.replace(SMALL, **change), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_that_cannot_be_made_is_refused_before_the_lessons(tmp_path):
    (tmp_path / "file").touch()
    taught = dataclasses.replace(SMALL, imitation=Imitation("fifty_percent"))
    with pytest.raises(OSError, match=r"cannot make .*give another folder"):
        train(taught, tmp_path / "file" / "run", Listener())


def test_of_two_runs_in_one_folder_the_first_to_begin_is_kept(tmp_path):
    class Rival(Listener):
        def watch(self, decisions, total):
            if not (tmp_path / "run").exists():
                train(SMALL, tmp_path / "run", StopAt(2))

    taught = Imitation("fifty_percent", decisions=20, workers=1, epochs=1)
    with pytest.raises(FileExistsError, match="tabletop train resume"):
        train(dataclasses.replace(SMALL, imitation=taught), tmp_path / "run", Rival())
    assert resume(tmp_path / "run").config == SMALL


def test_of_two_who_train_in_one_folder_the_second_is_refused(folder):
    refused = []

    class Rival(Listener):
        def wants_stop(self):
            for again in (lambda: resume(folder), lambda: train(SMALL, folder)):
                with pytest.raises((ValueError, OSError)) as error:
                    again()
                refused.append(str(error.value))
            return True

    before = table(folder)
    assert resume(folder, listener=Rival()).stopped
    assert "is being trained in already" in refused[0]
    assert "holds a training run" in refused[1]
    assert len(table(folder)) == len(before) + 1
    assert not resume(folder).stopped


def test_an_expert_that_fails_is_named_with_its_game_and_error(tmp_path):
    file = tmp_path / "expert.py"
    file.write_text("def expert(view):\n    return 1 // 0\n")
    for workers in (1, 2):
        taught = Imitation(f"{file}:expert", decisions=20, workers=workers)
        with pytest.raises(LessonsError, match=r"expert.py.* in cant_stop: .*ZeroDiv"):
            train(dataclasses.replace(SMALL, imitation=taught), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_an_expert_whose_process_dies_is_told(tmp_path):
    file = tmp_path / "expert.py"
    file.write_text("import os\ndef expert(view):\n    os._exit(1)\n")
    taught = Imitation(f"{file}:expert", decisions=20, workers=2)
    with pytest.raises(LessonsError, match=r"expert.py.* died, perhaps for lack of"):
        train(dataclasses.replace(SMALL, imitation=taught), tmp_path / "run")


def test_a_bot_whose_file_is_missing_is_told_before_training_begins(tmp_path):
    gone = "ppo(file='gone.npz')"
    for change in (
        {"opponents": (gone,)},
        {"evaluation": Evaluation(opponents=(gone,))},
        {"imitation": Imitation(gone)},
    ):
        with pytest.raises(FileNotFoundError, match=r"gone\.npz"):
            train(dataclasses.replace(SMALL, **change), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_whole_numbers_are_shares_too():
    for share in (0, 1):
        dataclasses.replace(SMALL, self_play=SelfPlay(share)).check()
    with pytest.raises(ValueError, match=r"self_play\.keep=0 is not allowed"):
        dataclasses.replace(SMALL, self_play=SelfPlay(keep=0)).check()


def test_an_opponent_that_is_met_twice_as_often_is_one_rival():
    twice = dataclasses.replace(SMALL, opponents=("random", "rule_of_28", "random"))
    assert twice.rivals == ("random", "rule_of_28")


def test_a_start_that_does_not_fit(stopped, tmp_path):
    def begin(**change):
        train(dataclasses.replace(SMALL, **change), tmp_path / "run")

    with pytest.raises(FileNotFoundError, match="there is no file"):
        begin(start=tmp_path / "policy.npz")
    policy = stopped / "policy.npz"
    with pytest.raises(ValueError, match="is of cant_stop version"):
        begin(start=policy, game="azul", options={}, opponents=("random",))
    with pytest.raises(ValueError, match="number of players"):
        begin(start=policy, options={"num_players": 3})
    with pytest.raises(ValueError, match="does not fit"):
        begin(start=policy, net_arch=(4,))
