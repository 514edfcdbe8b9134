"""The folder of a training run: where what is, and files that are whole or not there.

``config.json`` (what was asked for), ``versions.json``, ``progress.csv`` and
``curves.png`` (how it went), ``tensorboard/``, ``checkpoints/``, ``snapshots/`` (past
selves), ``policy.npz`` (the policy as it is), ``lock`` (held by who trains in it).
"""

import contextlib
import importlib.metadata
import json
import os
import platform
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from baselines.networks.network import Network
from baselines.training.config import TrainConfig
from game_core.processes import lock

__all__ = ["RunFolder", "naming"]

PACKAGES = ("tabletop-marl", "torch", "stable-baselines3", "sb3-contrib", "numpy")


class RunFolder:
    """The files of one training run.

    Attributes:
        path: The folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def checkpoints(self) -> Path:
        """Folder of the checkpoints."""
        return self.path / "checkpoints"

    @property
    def policy(self) -> Path:
        """File of the policy as it is."""
        return self.path / "policy.npz"

    @property
    def progress(self) -> Path:
        """Table of how it went."""
        return self.path / "progress.csv"

    @property
    def curves(self) -> Path:
        """Picture of how it went."""
        return self.path / "curves.png"

    @property
    def tensorboard(self) -> Path:
        """Folder of TensorBoard's files."""
        return self.path / "tensorboard"

    def snapshot(self, number: int) -> Path:
        """Return the file of a past self."""
        return self.path / "snapshots" / f"{number:06}.npz"

    def check_new(self) -> None:
        """Raise ``OSError`` if the folder holds a run, or cannot be made."""
        if (self.path / "config.json").exists():
            raise FileExistsError(
                f"{self.path} holds a training run: resume it (tabletop train "
                f"resume {self.path}), or give another folder with --out"
            )
        path = self.path.absolute()
        there = next(one for one in (path, *path.parents) if one.exists())
        if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            raise OSError(
                f"cannot make {self.path}: {there} is no folder that can be written "
                "to; give another folder with --out"
            )

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Let nobody else train in the folder during a block; make it if need be.

        Raises:
            OSError: If it cannot be written.
            ValueError: If somebody else does.
        """
        path = self.path / "lock"
        with naming(path):
            self.path.mkdir(parents=True, exist_ok=True)
            file = path.open("ab")
        with file:
            try:
                lock(file)
            except BlockingIOError:
                raise ValueError(
                    f"{self.path} is being trained in already: wait until that ends, "
                    "or train in another folder"
                ) from None
            yield

    def begin(self, config: TrainConfig) -> None:
        """Make the folder for a new run.

        Raises:
            FileExistsError: If there is one by now.
            OSError: If it cannot be written.
        """
        self.check_new()
        self.write_config(config)
        self.write_json("versions.json", versions())

    def write_config(self, config: TrainConfig) -> None:
        """Write what is asked for."""
        self.write_json("config.json", config.to_json())

    def read_config(self) -> TrainConfig:
        """Return what was asked for.

        Raises:
            FileNotFoundError: If the folder holds no run.
            ValueError: If the file is damaged.
        """
        path = self.path / "config.json"
        try:
            return TrainConfig.from_json(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise FileNotFoundError(
                f"{self.path} holds no training run: there is no config.json"
            ) from None
        except (AttributeError, ValueError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None

    def write_json(self, name: str, values: Any) -> None:
        """Write a file of JSON."""
        text = json.dumps(values, indent=2) + "\n"
        self.write(self.path / name, lambda path: path.write_text(text, "utf-8"))

    def write_network(
        self, path: Path, network: Network, facts: dict[str, Any]
    ) -> None:
        """Write a policy."""
        self.write(path, lambda temporary: network.save(temporary, facts))

    def write(self, path: Path, write: Callable[[Path], Any]) -> None:
        """Write a file so that it is whole or as it was before.

        Args:
            path: The file.
            write: Writes the path that it is given, which is beside it.

        Raises:
            OSError: If it cannot be written, with the name of the file.
        """
        temporary = path.with_name(f"_{path.name}")  # whose end says the format
        with naming(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                write(temporary)
                os.replace(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)

    def write_folder(self, path: Path, write: Callable[[Path], Any]) -> None:
        """Write a folder so that it is whole or not there; see ``write``."""
        temporary = path.with_name(f"_{path.name}")
        with naming(path):
            shutil.rmtree(temporary, ignore_errors=True)
            temporary.mkdir(parents=True)
            try:
                write(temporary)
                shutil.rmtree(path, ignore_errors=True)
                os.replace(temporary, path)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an ``OSError`` say which file could not be written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise OSError(
            error.errno,
            f"cannot write {path}: {reason}; what was there before is as it was, and "
            "training can go on from the last checkpoint",
        ) from error


def versions() -> dict[str, Any]:
    """Return what the numbers of a run may depend on."""
    return {
        "packages": {name: _version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu_count": os.cpu_count(),
    }


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
