"""Train a policy: ``train(PRESETS["cant_stop"], Path("runs/first"))``.

Self-play with past selves and bots, evaluations, checkpoints. ``resume`` goes on from
the last checkpoint, with the same numbers as if the run had never stopped.
"""

import dataclasses
from pathlib import Path

from baselines.training.checkpoint import latest, read_checkpoint
from baselines.training.config import TrainConfig
from baselines.training.listener import Listener, StoppedError
from baselines.training.run_folder import RunFolder
from baselines.training.session import Session

__all__ = ["resume", "train"]


def train(config: TrainConfig, out: Path, listener: Listener | None = None) -> Session:
    """Train a policy.

    Args:
        config: What is asked for.
        out: Folder for the run.
        listener: Hears how it goes, and may stop it.

    Returns:
        The run, as far as it went.

    Raises:
        FileExistsError: If the folder holds a run.
        OSError: If a file cannot be written; ``resume`` goes on from the last
            checkpoint.
        LessonsError: If the expert fails that is to be imitated.
        ValueError: For a configuration that cannot be, or if somebody else trains in
            the folder.
    """
    config.check()
    folder = RunFolder(out)
    folder.check_new()
    session, listener = Session(config, folder), listener or Listener()
    try:
        session.begin(listener)
    except StoppedError:
        session.stopped = True
        return session
    with folder.locked():
        folder.begin(config)
        session.learn(listener)
    return session


def resume(
    out: Path, steps: int | None = None, listener: Listener | None = None
) -> Session:
    """Go on with a training run from its last checkpoint.

    Args:
        out: Folder of the run.
        steps: How many there are to be in all, if not as many as were asked for.
        listener: Hears how it goes, and may stop it.

    Returns:
        The run, as far as it went.

    Raises:
        FileNotFoundError: If there is no run, or no checkpoint.
        OSError: If a file cannot be written.
        ValueError: If the checkpoint is damaged, or of another game, or if somebody
            else trains in the folder.
    """
    folder = RunFolder(out)
    config = folder.read_config()
    if steps is not None:
        config = dataclasses.replace(config, steps=steps)
    config.check()
    with folder.locked():
        place = latest(folder)
        session = Session(config, folder)
        session.go_on(read_checkpoint(place, session.identity))
        folder.write_config(config)
        session.learn(listener or Listener())
    return session
