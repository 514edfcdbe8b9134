"""``tabletop train``: from the command to a policy with its evaluation."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from baselines.networks.network import Network
from benchmarks.cli.train_progress import TrainingDisplay
from tests.games import REPOSITORY, run_python

pytestmark = pytest.mark.slow

SMALL = (
    *("--option", "columns_to_win=1", "--num-envs", "8", "--net-arch", "8"),
    *("--ppo.n-steps", "4", "--ppo.batch-size", "16", "--opponents", "random"),
    *("--evaluation.games", "4", "--evaluation.every", "64"),
    *("--imitation.expert", "rule_of_28", "--imitation.decisions", "50"),
    *("--imitation.workers", "1"),
)


@pytest.fixture
def trained(tabletop):
    """Train a small policy; -> exit status, output, errors."""

    def trained(*words):
        return tabletop("train", "cant_stop", "--out", "run", *SMALL, *words)

    return trained


def test_a_run_tells_how_it_goes_and_what_came_of_it(trained, tmp_path):
    status, out, err = trained("--steps", "64", "--evaluation.final-games", "8")
    assert (status, err) == (0, "")
    assert "The expert has taken 50 decisions" in out
    assert re.search(r"The policy imitates it: cross entropy 0\.\d+ of 0\.000", out)
    assert re.search(r"^0 steps, .*: \d+% of random$", out, re.M)
    assert re.search(r"^64 steps, [\d,]+ steps/s: \d+% of random$", out, re.M)
    games = (tmp_path / "run" / "evaluation-000000000064.jsonl").read_text()
    assert games.count('"ended"') == 8
    assert "The report is in run/report.html" in out
    folder = tmp_path / "run"
    assert json.loads((folder / "imitation.json").read_text())["decisions"] >= 50
    for name in ("curves.png", "report.html", "versions.json", "progress.csv"):
        assert (folder / name).stat().st_size > 0
    network, facts = Network.load(folder / "policy.npz")
    assert network.sizes.tolist()[1:] == [8, 1]
    assert (facts["game"], facts["steps"]) == ("cant_stop", 64)


def test_a_run_goes_on_for_longer(trained, tabletop):
    assert trained("--steps", "32", "--evaluation.final-games", "0")[0] == 0
    status, out, _ = tabletop("train", "resume", "run", "--steps", "96")
    assert status == 0
    assert "96 steps" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--opponents", "nobody"], "nobody"),
        (["--algorithm", "sac"], 'networks over "moves" are for maskable_ppo'),
        (["--start", "gone.npz"], "there is no file 'gone.npz'"),
        (["--task", "roll"], "'roll' is for the learner alone, and pays for itself"),
        (["--ppo.batch-size", "7"], "does not divide the 32 decisions"),
        (["--option", "columns_to_win=0"], "columns_to_win=0 is not allowed"),
    ],
)
def test_what_cannot_be_trained_is_said_before_anything_is_written(
    trained, tmp_path, words, told
):
    status, out, err = trained(*words)
    assert (status, out) == (2, "")
    assert told in err
    assert not (tmp_path / "run").exists()


def test_a_folder_without_a_run_cannot_be_resumed(tabletop):
    status, _, err = tabletop("train", "resume", "nowhere")
    assert status == 2
    assert "nowhere holds no training run" in err


def test_help_shows_the_settings_of_the_preset(tabletop):
    status, out, _ = tabletop("train", "azul", "--help")
    assert status == 0
    for words in ("--imitation.expert", "--self-play.share", "--ppo.ent-coef"):
        assert words in out
    assert "mcts(simulations=256)" in out


def test_ctrl_c_writes_a_checkpoint_to_go_on_from(tabletop, tmp_path):
    words = ["train", "cant_stop", "--out", "run", *SMALL, "--steps", "1000000"]
    code = f"import sys; from benchmarks.cli import main; sys.exit(main({words}))"
    running = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert running.stdout is not None
    for line in running.stdout:
        if "64 steps" in line:
            break
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "stopping after what is under way" in err
    steps = int(re.findall(r"stopped after (\d+) steps", err)[0])
    places = sorted((tmp_path / "run" / "checkpoints").iterdir())
    assert int(places[-1].name) == steps
    assert "'tabletop train resume run' goes on" in err


def test_ctrl_c_in_the_last_update_leaves_the_evaluation_for_later(
    trained, tabletop, tmp_path, monkeypatch
):
    def interrupt_at_the_end(self, report):
        if report.steps == report.total:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(TrainingDisplay, "report", interrupt_at_the_end)
    words = ("--steps", "32", "--evaluation.final-games", "4")
    status, _, err = trained(*words)
    assert status == 130
    assert "stopped before the evaluation was over; 'tabletop train resume" in err
    assert not list((tmp_path / "run").glob("evaluation-*.jsonl"))
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "benchmarks.cli.tournament.play", lambda *_: None
    )  # interrupted
    assert tabletop("train", "resume", "run")[0] == 130


def test_an_expert_that_fails_is_told_in_one_line(trained, tmp_path):
    file = tmp_path / "expert.py"
    file.write_text("def expert(view):\n    raise ValueError('two\\nlines')\n")
    status, _, err = trained("--imitation.expert", f"{file}:expert")
    assert status == 1
    assert err == (
        f"tabletop: the expert '{file}:expert' cannot be imitated in cant_stop: it "
        "raised ValueError: two lines\n"
    )


def test_without_the_extra_it_says_what_to_install():
    done = run_python(
        "import sys\n"
        "class WithoutTorch:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'torch':\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, WithoutTorch())\n"
        "from benchmarks.cli import main\n"
        "sys.exit(main(['train', 'cant_stop']))"
    )
    assert done.returncode == 2
    assert "pip install 'tabletop-marl[train]'" in done.stderr
    assert "Traceback" not in done.stderr
