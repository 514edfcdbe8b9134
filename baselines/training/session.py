"""A training run in this process, from where it begins or goes on to where it stops."""

import dataclasses
import time
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from baselines.networks.network import Network
from baselines.ppo import check_game
from baselines.training.checkpoint import Checkpoint, write_checkpoint
from baselines.training.config import TrainConfig
from baselines.training.evaluate import Score, score_against, score_in_task
from baselines.training.export import facts_of, load_into, network_of
from baselines.training.imitation import learn_from_expert
from baselines.training.listener import Listener, Report, StoppedError
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
from game_core.envs.opponents import as_opponent
from game_core.envs.shaping import Shaping
from game_core.registry import load_task

__all__ = ["Session"]

GAMES = "games_"
"""Stands before the names of the games' arrays in a checkpoint."""

SAC_ROW = 1000
"""Steps between two rows of the table, as SAC's updates are too many for one each."""

SAC_LOG_GAMES = 50
"""Games between two entries in TensorBoard, likewise."""

EVALUATION_SEED = 1_000_000


@dataclasses.dataclass
class Tally:
    """Games of training that ended since the last row of the table.

    Attributes:
        games: How many.
        reward: Sum of the learner's rewards.
        decisions: Of the learner, in all games.
        seconds: How long they took.
    """

    games: int = 0
    reward: float = 0.0
    decisions: int = 0
    seconds: float = 0.0


class Session:
    """A training run in this process.

    Attributes:
        config: What is asked for.
        folder: Of the run.
        model: The algorithm of Stable-Baselines3.
        env: The games.
        past: Past selves.
        progress: The table of how it went.
        steps: Decisions so far, where the last update ended.
        seconds: How long they took, without pauses.
        taught: How an expert was imitated, if one was.
        stopped: Whether the run was stopped before its end.
    """

    def __init__(self, config: TrainConfig, folder: RunFolder) -> None:
        """Make everything; ``begin`` or ``go_on`` fills it.

        Raises:
            OSError: If a file that a bot needs is not there.
            ValueError: For an unknown game, option, opponent or file.
        """
        torch.set_num_threads(config.threads)
        self.config, self.folder = config, folder
        self.game = config.make_game()
        players = () if config.task else config.rivals
        for name in filter(None, (*players, config.imitation.expert)):
            as_opponent(name, self.game)  # says now, and not hours later, who cannot
        self.past = PastSelves({}, config.self_play.keep)
        self.env = self._make_env()
        self.model: Any = make_model(config, self.env)
        self.progress = Progress(folder, config)
        self.steps = 0
        self.seconds = 0.0
        self.taught: dict[str, Any] = {}
        self.stopped = False
        self._scores: dict[str, Score] = {}
        self._tally = Tally()
        self._clock = 0.0

    def _make_env(self) -> SeatVecEnv:
        config = self.config
        if config.task:
            return SeatVecEnv.of(load_task(self.game, config.task, config.num_envs))
        opponents = mixed(config.opponents, self.past, config.self_play.share)
        shaping = Shaping(config.shaping, config.gamma) if config.shaping else None
        return SeatVecEnv(self.game, config.num_envs, opponents, shaping=shaping)

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint has to be of, so that this run can go on from it."""
        config = self.config
        return facts_of(self.game) | {
            "algorithm": config.algorithm,
            "network": [config.network, *config.net_arch, config.activation],
            "number_of_games": config.num_envs,
            "list_of_opponents": self.env.games.opponents,
            "task": config.task or None,
            "size_of_replay_buffer": (
                config.sac.buffer_size if config.algorithm == "sac" else None
            ),
        }

    def begin(self, listener: Listener) -> None:
        """Begin with new games, and maybe with a policy that is there or an expert.

        Raises:
            FileNotFoundError: If the policy is not there.
            LessonsError: If the expert fails.
            StoppedError: If the listener wants to stop before it is taught.
            ValueError: If the policy is of another game, or of another kind of
                network; or if there is no such expert.
        """
        if self.config.start is not None:
            network, facts = Network.load(self.config.start)
            check_game(self.config.start, facts, network, self.game)
            load_into(self.model, network)
        if self.config.imitation.expert:
            self.taught = learn_from_expert(
                self.model, self.game, self.config.imitation, self.config.seed, listener
            )
        self.past.add(network_of(self.model))
        self.env.seed(self.config.seed)
        self.model._last_obs = self.env.reset()
        self.model._last_episode_starts = np.ones(self.config.num_envs, np.bool_)

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Begin where a checkpoint was written.

        Raises:
            ValueError: If a file is damaged.
        """
        facts = checkpoint.facts
        self.steps, self.seconds = facts["steps"], facts["seconds"]
        self._tally = Tally(**facts["tally"])
        for number in facts["snapshots"]:
            network, _ = Network.load(self.folder.snapshot(number))
            self.past.networks[number] = network
        self.env.reset()
        arrays = {
            name.removeprefix(GAMES): array
            for name, array in checkpoint.arrays.items()
            if name.startswith(GAMES)
        }
        self.env.games.set_state(arrays, self.env.games.agents)
        self.progress = Progress.read(self.folder, self.config, self.steps)
        set_model(self.model, checkpoint)

    def learn(self, listener: Listener) -> None:
        """Learn to the end, or until the listener wants to stop.

        Raises:
            OSError: If a file cannot be written.
        """
        model, config = self.model, self.config
        self.progress.write(self.folder)
        for number, network in self.past.networks.items():
            self._write_snapshot(number, network)
        logger = configure(str(self.folder.tensorboard), ["tensorboard"])
        model.set_logger(logger)
        watch = Watch(self, listener)
        self._clock = time.monotonic()
        try:
            if self.taught:
                self.folder.write_json("imitation.json", self.taught)
                self._evaluate()
                listener.report(self._add_row(evaluated=True))
                self._write_checkpoint()
            if self.steps < config.steps:
                model.learn(
                    config.steps - self.steps,
                    callback=watch,
                    log_interval=SAC_LOG_GAMES if config.algorithm == "sac" else 1,
                    reset_num_timesteps=False,
                )
                self.between_updates(listener)
        except StoppedError:
            self.stopped = True
        finally:
            logger.close()

    def count(self, paid: np.ndarray, dones: np.ndarray) -> None:
        """Count a step of all games, and what those that ended paid."""
        tally = self._tally
        tally.decisions += len(dones)
        if dones.any():
            tally.games += int(dones.sum())
            tally.reward += float(paid[dones].sum())

    def between_updates(self, listener: Listener) -> None:
        """Do what is due after an update: snapshot, evaluation, row, checkpoint.

        Raises:
            OSError: If a file cannot be written.
            StoppedError: If the listener wants to stop.
        """
        before, self.steps = self.steps, self.model.num_timesteps
        if self.steps == before:
            return  # no update yet
        config, at_end = self.config, self.steps >= self.config.steps
        now = time.monotonic()
        self._tally.seconds += now - self._clock
        self._clock = now

        def due(every: int) -> bool:
            return self.steps // every > before // every

        if (
            config.self_play.share > 0
            and not config.task
            and due(config.self_play.every)
        ):
            network = network_of(self.model)
            self._write_snapshot(self.past.add(network), network)
        evaluate = at_end or due(config.evaluation.every)
        if evaluate:
            self._evaluate()
        if config.algorithm != "sac" or evaluate or due(SAC_ROW):
            listener.report(self._add_row(evaluate))
        stop = listener.wants_stop() and not at_end
        if stop or at_end or due(config.checkpoints.every):
            self._write_checkpoint()
        if stop:
            raise StoppedError

    def _evaluate(self) -> None:
        """Play against all rivals."""
        network = network_of(self.model)
        if not self.config.evaluation.sample:
            network = network.act_always_best()
        for name in self.config.rivals:
            games = self.config.evaluation.games
            score = self._score(network, name, games)
            self._scores[name] = score
            self.model.logger.record(f"eval/{name}", score.mean)

    def _score(self, network: Network, rival: str, games: int) -> Score:
        if self.config.task:
            task = load_task(self.game, self.config.task, games)
            return score_in_task(network, task, EVALUATION_SEED)
        return score_against(network, self.game, rival, games, EVALUATION_SEED)

    def _add_row(self, evaluated: bool) -> Report:
        """Add a row to the table, and return what to report."""
        tally, self._tally = self._tally, Tally()
        self.seconds += tally.seconds
        rate = tally.decisions / max(tally.seconds, 1e-9)
        row: Row = {STEPS: self.steps, SECONDS: self.seconds, RATE: rate}
        ended = max(tally.games, 1)
        means = tally.games, tally.reward / ended, tally.decisions / ended
        row |= dict(zip(RESULTS, means, strict=True))
        logged = self.model.logger.name_to_value
        for name in LOSSES[self.config.algorithm]:
            if f"train/{name}" in logged:
                row[name] = float(logged[f"train/{name}"])
        if evaluated:
            for name, score in self._scores.items():
                row[SCORE + name], row[ERROR + name] = score
        self.progress.add(row)
        scores = dict(self._scores)
        return Report(self.steps, self.config.steps, rate, scores, evaluated)

    def _write_snapshot(self, number: int, network: Network) -> None:
        facts = facts_of(self.game) | {"steps": self.steps}
        self.folder.write_network(self.folder.snapshot(number), network, facts)

    def _write_checkpoint(self) -> None:
        """Write all that it takes to go on, and the policy and curves as they are."""
        facts, arrays, tensors = save_model(self.model)
        facts |= {
            "identity": self.identity,
            "steps": self.steps,
            "seconds": self.seconds,
            "tally": dataclasses.asdict(self._tally),
            "snapshots": sorted(self.past.networks),
        }
        games = self.env.games.get_state()
        arrays |= {GAMES + name: array for name, array in games.items()}
        checkpoint = Checkpoint(facts, arrays, tensors)
        keep = self.config.checkpoints.keep
        write_checkpoint(self.folder, self.steps, checkpoint, keep)
        about = {
            "steps": self.steps,
            "seconds": round(self.seconds),
            "config": self.config.to_json(),
        }
        network, game = network_of(self.model), facts_of(self.game)
        self.folder.write_network(self.folder.policy, network, game | about)
        if self.progress.rows:
            title = f"{self.game.id}, {self.config.algorithm}"
            self.folder.write(
                self.folder.curves,
                lambda path: draw_curves(self.progress, title, path),
            )


class Watch(BaseCallback):
    """What Stable-Baselines3 calls while it learns."""

    def __init__(self, session: Session, listener: Listener) -> None:
        super().__init__()
        self.session = session
        self.listener = listener

    def _on_rollout_start(self) -> None:
        self.session.between_updates(self.listener)

    def _on_step(self) -> bool:
        self.session.count(self.session.env.paid, self.locals["dones"])
        return True
