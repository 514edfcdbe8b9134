"""Train a policy: ``train(PRESETS["cant_stop"], Path("runs/first"))``.

Self-play with past selves and bots, evaluations, checkpoints; ``resume`` goes on from
the last checkpoint with the same numbers as if the run had not stopped.
"""

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from baselines._network import Network
from baselines.ppo import check_game
from baselines.training.checkpoint import (
    Checkpoint,
    latest,
    read_checkpoint,
    write_checkpoint,
)
from baselines.training.config import TrainConfig
from baselines.training.evaluate import Score, score_against
from baselines.training.export import facts_of, load_into, network_of
from baselines.training.models import make_model, save_model, set_model
from baselines.training.progress import (
    ERROR,
    LOSSES,
    RATE,
    RESULTS,
    SCORE,
    SECONDS,
    STEPS,
    Progress,
    Row,
    draw_curves,
)
from baselines.training.run_folder import RunFolder
from baselines.training.self_play import PastSelves, mixed
from baselines.training.vec_env import SeatVecEnv

GAMES = "games_"
"""Stands before the names of the arrays of games in a checkpoint."""

SAC_ROW = 1000
"""Steps between two rows of the table, where updates are too many for one each."""

EVALUATION_SEED = 1_000_000


class Report(NamedTuple):
    """How far a run is.

    Attributes:
        steps: Decisions of the learner so far.
        total: How many there will be.
        rate: Decisions in a second, of late.
        scores: The last evaluation: name of a bot -> score.
        evaluated: Whether it is new.
    """

    steps: int
    total: int
    rate: float
    scores: dict[str, Score]
    evaluated: bool


class Finished(NamedTuple):
    """What a run came to.

    Attributes:
        folder: The folder of the run.
        steps: Decisions of the learner.
        stopped: Whether it was stopped before its end.
    """

    folder: RunFolder
    steps: int
    stopped: bool


OnReport = Callable[[Report], object]
Stop = Callable[[], bool]


def train(
    config: TrainConfig,
    out: Path,
    on_report: OnReport = lambda report: None,
    stop: Stop = lambda: False,
) -> Finished:
    """Train a policy.

    Args:
        config: What is asked for.
        out: Folder for the run.
        on_report: Called after each row of the table.
        stop: Asked between updates whether to write a checkpoint and stop.

    Raises:
        FileExistsError: If the folder holds a run.
        OSError: If a file cannot be written; ``resume`` goes on from the last
            checkpoint.
        ValueError: For a configuration that cannot be.
    """
    config.check()
    folder = RunFolder(out)
    session = Session(config, folder, on_report, stop)
    folder.begin(config)
    session.begin()
    return session.learn()


def resume(
    out: Path,
    steps: int | None = None,
    on_report: OnReport = lambda report: None,
    stop: Stop = lambda: False,
) -> Finished:
    """Go on with a training run from its last checkpoint.

    Args:
        out: Folder of the run.
        steps: How many there are to be in all, if not as many as were asked for.
        on_report: As in ``train``.
        stop: As in ``train``.

    Raises:
        FileNotFoundError: If there is no run, or no checkpoint.
        OSError: If a file cannot be written.
        ValueError: If the checkpoint is damaged, or of another game.
    """
    folder = RunFolder(out)
    config = folder.read_config()
    if steps is not None:
        config = dataclasses.replace(config, steps=steps)
    config.check()
    place = latest(folder)
    session = Session(config, folder, on_report, stop)
    session.go_on(read_checkpoint(place, session.identity))
    folder.write_config(config)
    return session.learn()


class Stopped(Exception):  # noqa: N818: nothing went wrong
    """Ends the loop of Stable-Baselines3 between two updates."""


class Session:
    """A run in this process.

    Attributes:
        config: What is asked for.
        folder: Of the run.
        model: The algorithm, with the games.
        past: Past selves.
        steps: Decisions so far, at the last place between two updates.
        seconds: How long it took, without pauses.
    """

    def __init__(
        self, config: TrainConfig, folder: RunFolder, on_report: OnReport, stop: Stop
    ) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.folder = config, folder
        self.game = config.make_game()
        self.past = PastSelves({}, config.self_play.keep)
        opponents = mixed(config.opponents, self.past, config.self_play.share)
        self.env = SeatVecEnv(self.game, config.num_envs, opponents)
        self.model: Any = make_model(config, self.env)
        self.progress = Progress(folder, config)
        self.steps = 0
        self.seconds = 0.0
        self.results = Results()
        self._on_report, self._stop = on_report, stop
        self._scores: dict[str, Score] = {}

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint has to be of, so that this run can go on from it."""
        facts = facts_of(self.game)
        facts |= {"algorithm": self.config.algorithm, "games": self.config.num_envs}
        return facts | {"opponents": list(self.env.games.opponents)}

    def begin(self) -> None:
        """Begin with new games, and maybe a policy that is there."""
        if self.config.start is not None:
            network, facts = Network.load(self.config.start)
            check_game(self.config.start, facts, network, self.game)
            load_into(self.model, network)
        self._take_snapshot()
        self.env.seed(self.config.seed)
        self.model._last_obs = self.env.reset()
        self.model._last_episode_starts = np.ones(self.config.num_envs, np.bool_)

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Begin where a checkpoint was written."""
        facts = checkpoint.facts
        for number in facts["snapshots"]:
            path = self.folder.snapshot(number)
            self.past.networks[number], _ = Network.load(path)
        self.env.reset()
        games = self.env.games
        arrays = {
            name.removeprefix(GAMES): array
            for name, array in checkpoint.arrays.items()
            if name.startswith(GAMES)
        }
        games.set_state(arrays, games.agents)
        self.steps, self.seconds = facts["steps"], facts["seconds"]
        self.results = Results(*facts["results"])
        self.progress = Progress.read(self.folder, self.config, self.steps)
        set_model(self.model, checkpoint)

    def learn(self) -> Finished:
        """Learn to the end, or until it is stopped."""
        model, config = self.model, self.config
        logger = configure(str(self.folder.tensorboard), ["tensorboard"])
        model.set_logger(logger)
        stopped = False
        if self.steps < config.steps:
            try:
                model.learn(
                    config.steps - self.steps,
                    callback=Watch(self),
                    log_interval=1 if config.algorithm != "sac" else 50,
                    reset_num_timesteps=False,
                )
                self.between_updates()
            except Stopped:
                stopped = True
            finally:
                logger.close()
        self._write_results()
        return Finished(self.folder, self.steps, stopped)
