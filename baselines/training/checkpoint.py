"""Checkpoints: all that a training run needs to go on as if it had not stopped.

A checkpoint is a folder: ``facts.json`` says what it is of and has the digests of the
others, ``arrays.npz`` has NumPy arrays, ``torch.pt`` the networks and optimisers. None
of them is read in a way that could execute what is in it.
"""

import hashlib
import io
import json
import shutil
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, NamedTuple, cast
from zipfile import BadZipFile

import numpy as np
import torch

from baselines.training.run_folder import RunFolder

__all__ = ["Checkpoint", "latest", "read_checkpoint", "write_checkpoint"]

FORMAT = 1
DAMAGE = (KeyError, TypeError, ValueError, EOFError, UnpicklingError, BadZipFile)
FACTS, ARRAYS, TORCH = "facts.json", "arrays.npz", "torch.pt"


class Checkpoint(NamedTuple):
    """What is in a checkpoint.

    Attributes:
        facts: What is JSON; "identity" says what it is of.
        arrays: Name -> array.
        torch: What torch saves: tensors and numbers in dicts and lists.
    """

    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]
    torch: dict[str, Any]


def write_checkpoint(
    folder: RunFolder, steps: int, checkpoint: Checkpoint, keep: int
) -> Path:
    """Write a checkpoint, whole or not at all, and delete old ones.

    Args:
        folder: Of the run.
        steps: Steps so far, which name it.
        checkpoint: What is in it.
        keep: How many of the latest are kept.

    Raises:
        OSError: If it cannot be written; the ones before are as they were.
    """

    def write(place: Path) -> None:
        cast(Any, np.savez)(place / ARRAYS, **checkpoint.arrays)
        tensors = io.BytesIO()  # as torch would call a full disk a RuntimeError
        torch.save(checkpoint.torch, tensors)
        (place / TORCH).write_bytes(tensors.getvalue())
        digests = {name: _digest(place / name) for name in (ARRAYS, TORCH)}
        facts = {"format": FORMAT, "digests": digests, **checkpoint.facts}
        (place / FACTS).write_text(json.dumps(facts), encoding="utf-8")

    path = folder.checkpoints / f"{steps:012}"
    folder.write_folder(path, write)
    for old in _all(folder)[:-keep]:
        shutil.rmtree(old)
    return path


def latest(folder: RunFolder) -> Path:
    """Return the latest checkpoint of a run.

    Raises:
        FileNotFoundError: If there is none.
    """
    there = _all(folder)
    if not there:
        raise FileNotFoundError(
            f"{folder.path} has no checkpoint to go on from: train anew, in another "
            "folder"
        )
    return there[-1]


def read_checkpoint(path: Path, identity: dict[str, Any]) -> Checkpoint:
    """Return what is in a checkpoint.

    Args:
        path: Its folder.
        identity: What it has to be of: the game, its options and the like.

    Raises:
        ValueError: If it is damaged, or of something else.
    """
    try:
        facts = json.loads((path / FACTS).read_text(encoding="utf-8"))
        _check_identity(path, facts["identity"], identity)
        for name, digest in facts["digests"].items():
            if _digest(path / name) != digest:
                raise ValueError(f"{name} is not what was written")
        with np.load(path / ARRAYS, allow_pickle=False) as file:
            arrays = dict(file)
        tensors = torch.load(path / TORCH, weights_only=True)
    except OtherCheckpointError:
        raise
    except (*DAMAGE, OSError, RuntimeError) as error:
        raise ValueError(
            f"the checkpoint {path} is damaged: {error}; delete it to go on from the "
            "one before"
        ) from None
    return Checkpoint(facts, arrays, tensors)


class OtherCheckpointError(ValueError):
    """A checkpoint of something else."""


def _check_identity(path: Path, there: dict[str, Any], here: dict[str, Any]) -> None:
    for name, value in here.items():
        if there.get(name) != value:
            raise OtherCheckpointError(
                f"the checkpoint {path} is of another {name.replace('_', ' ')}: "
                f"{there.get(name)!r}, and here it is {value!r}"
            )


def _all(folder: RunFolder) -> list[Path]:
    return sorted(
        path for path in folder.checkpoints.glob("*") if path.name.isdecimal()
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
