"""``Network``: a trained policy that needs neither torch nor a pickle to play.

It is a multilayer perceptron over observations; or over legal moves, each with the
observation and what the move does, where ``baselines/<game>/_moves.py`` says that. What
it makes of one row does not depend on the others that come with it: compiled code takes
row by row, in the same order of additions, so that games come out the same in any
batch.
"""

import dataclasses
import json
import zlib
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Self, cast, get_args
from zipfile import BadZipFile

import numpy as np

from baselines.networks.moves import describe_moves
from game_core.agents.agent import Batch
from game_core.compiled.jit import jit
from game_core.compiled.rng import unit_float

__all__ = ["Network"]

Head = Literal["categorical", "gaussian", "squashed"]
Rows = Literal["positions", "moves"]
Activation = Literal["relu", "tanh"]

FACTS = "facts"

DAMAGE = (
    *(AttributeError, LookupError, TypeError, ValueError, OSError, EOFError),
    *(MemoryError, RuntimeError, BadZipFile, zlib.error),
)
"""What reading a file may raise that is cut short, changed or made up."""

TINY = 2.0**-54
"""Stands in for a uniform number that is exactly 0, which has no logarithm."""


@dataclasses.dataclass(frozen=True, eq=False)
class Network:
    """A policy network.

    Attributes:
        layers: Weights (inputs, outputs) float32 and biases (outputs,) of each layer;
            the last one gives logits of numbered actions, or means of continuous
            ones.
        head: "categorical" for numbered actions; for continuous ones "gaussian",
            which is cut off at the bounds -1 and 1, or "squashed", which goes through
            tanh.
        activation: Between the layers.
        log_std: Logarithms of the standard deviations (k,) of continuous actions; or
            a layer (weights, biases) that gives them from the last hidden one.
        rows: "positions" for a network over observations; "moves" for one over legal
            moves, which gives one logit for each.
        sample: Whether to draw actions, or to take the most probable one.
    """

    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    head: Head = "categorical"
    activation: Activation = "relu"
    log_std: Any = None
    rows: Rows = "positions"
    sample: bool = True

    @cached_property
    def sizes(self) -> np.ndarray:
        """Inputs of the first layer, and outputs of each (layers + 1,) int64."""
        first = self.layers[0][0].shape[0]
        return np.array([first, *(len(bias) for _, bias in self.layers)], np.int64)

    def outputs(self, observations: np.ndarray) -> np.ndarray:
        """Return logits or means (k, outputs) float32 for observations (k, inputs)."""
        return self._outputs_of(self._parameters, observations)

    def logits(self, batch: Batch) -> np.ndarray:
        """Return a logit for each numbered action (k, actions) float32.

        Those of illegal actions mean nothing.
        """
        if self.rows == "positions":
            return self.outputs(batch.observations)
        moves, features = describe_moves(batch.game, batch.observations)
        seen = batch.observations[moves[:, 0]]
        logits = np.zeros((len(batch.observations), batch.game.num_actions), np.float32)
        outputs = self.outputs(np.concatenate([seen, features], axis=1))
        logits[moves[:, 0], moves[:, 1]] = outputs[:, 0]
        return logits

    def act_batch(self, batch: Batch) -> np.ndarray:
        """Return an action for each of several games; see ``BatchAgent``."""
        if self.head == "categorical":
            logits = self.logits(batch)
            actions = np.zeros(len(logits), np.int64)
            pick_actions(logits, batch.masks, batch.memories, self.sample, actions)
            return actions
        means = self.outputs(batch.observations)
        if self.sample:
            noise = np.zeros(means.shape, np.float32)
            draw_normal(batch.memories, noise)
            means = means + np.exp(self._log_stds(batch.observations)) * noise
        return np.tanh(means) if self.head == "squashed" else np.clip(means, -1, 1)

    def act_always_best(self) -> "Network":
        """Return the same network with greedy actions."""
        return dataclasses.replace(self, sample=False)

    def save(self, path: Path, facts: dict[str, Any]) -> None:
        """Write the network to a file of NumPy arrays.

        Args:
            path: Of the file; its name ends in .npz.
            facts: What there is to know of it, for instance the game; as JSON.
        """
        arrays: dict[str, np.ndarray] = {}
        for number, (weights, bias) in enumerate(self.layers):
            arrays[f"weights_{number}"] = weights
            arrays[f"bias_{number}"] = bias
        if isinstance(self.log_std, tuple):
            arrays["log_std_weights"], arrays["log_std_bias"] = self.log_std
        elif self.log_std is not None:
            arrays["log_std"] = self.log_std
        own = {"head": self.head, "activation": self.activation, "rows": self.rows}
        arrays[FACTS] = np.array(json.dumps(own | facts))
        cast(Any, np.savez_compressed)(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> tuple[Self, dict[str, Any]]:
        """Return the network in a file that ``save`` wrote, and its facts.

        Raises:
            FileNotFoundError: If there is none.
            ValueError: If it holds no network.
        """
        try:
            with path.open("rb") as content:  # which np.load may leave open
                arrays = dict(np.load(content, allow_pickle=False))
            facts = read_facts(str(arrays.pop(FACTS)))
            count = sum(name.startswith("weights_") for name in arrays)
            layers = tuple(
                (arrays[f"weights_{number}"], arrays[f"bias_{number}"])
                for number in range(count)
            )
            log_std: Any = arrays.get("log_std")
            if "log_std_weights" in arrays:
                log_std = arrays["log_std_weights"], arrays["log_std_bias"]
            rows = facts.get("rows", "positions")
            network = cls(layers, facts["head"], facts["activation"], log_std, rows)
            network._check()
        except FileNotFoundError:
            raise FileNotFoundError(f"there is no file {str(path)!r}") from None
        except DAMAGE as error:
            raise ValueError(f"{path} holds no network: {error}") from None
        return network, facts

    def _check(self) -> None:
        """Raise ``ValueError`` unless all parts are known and fit together."""
        for name, words in (("head", Head), ("activation", Activation), ("rows", Rows)):
            if getattr(self, name) not in get_args(words):
                raise ValueError(f"{name} {getattr(self, name)!r} is unknown")
        check_layers(self.layers)
        if self.head == "categorical":
            return
        last = self.layers[-1][1]
        if isinstance(self.log_std, tuple):
            check_layers((*self.layers[:-1], self.log_std))
            spread = self.log_std[1]
        else:
            spread = np.asarray(self.log_std)
        if spread.shape != last.shape or spread.dtype != last.dtype:
            raise ValueError(f"log_std is not of the {len(last)} actions")
        if not np.isfinite(spread).all():
            raise ValueError("log_std is not of finite numbers")

    @cached_property
    def _parameters(self) -> np.ndarray:
        return _flat(self.layers)

    def _log_stds(self, observations: np.ndarray) -> np.ndarray:
        if not isinstance(self.log_std, tuple):
            return self.log_std
        layers = (*self.layers[:-1], self.log_std)
        return np.clip(self._outputs_of(_flat(layers), observations), *LOG_STD_BOUNDS)

    def _outputs_of(self, parameters: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        out = np.zeros((len(inputs), self.sizes[-1]), np.float32)
        forward(parameters, self.sizes, inputs, self.activation == "relu", out)
        return out


def read_facts(text: str) -> dict[str, Any]:
    """Return what a file says of its network.

    Raises:
        ValueError: If it is no JSON, or nothing of the kind.
    """
    facts: Any = json.loads(text)
    if not (isinstance(facts, dict) and isinstance(facts.get("options", {}), dict)):
        raise ValueError(f"its facts are no facts of a game: {text[:40]!r}")
    return cast(dict[str, Any], facts)


def check_layers(layers: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
    """Raise ``ValueError`` unless layers fit together, and are of finite numbers."""
    shapes = [weights.shape for weights, _ in layers]
    biases = [bias.shape for _, bias in layers]
    fit = all(
        len(shape) == 2 and shape[1:] == bias
        for shape, bias in zip(shapes, biases, strict=True)
    )
    if not fit or any(a[1] != b[0] for a, b in pairwise(shapes)) or not layers:
        raise ValueError(f"layers of shapes {shapes}, {biases} do not fit together")
    for part in (part for layer in layers for part in layer):
        if part.dtype != np.float32 or not np.isfinite(part).all():
            raise ValueError("weights are not all finite numbers in float32")


LOG_STD_BOUNDS = (-20.0, 2.0)
"""As in Stable-Baselines3's SAC, which clips what its network says there."""


def _flat(layers: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    parts = [part.ravel() for layer in layers for part in layer]
    return np.concatenate(parts).astype(np.float32)


@jit
def forward(
    parameters: Any, sizes: Any, inputs: Any, relu: bool, out: np.ndarray
) -> None:
    """Write what a multilayer perceptron makes of each row of ``inputs``.

    Inputs that are zero are skipped, and there are many. Additions are in the order
    of the inputs, for each output on its own, whatever the instructions used.

    Args:
        parameters: Weights and biases of all layers, one after the other, float32.
        sizes: Inputs of the first layer, and outputs of each.
        inputs: (n, sizes[0]) float32.
        relu: The activation: this one, or tanh.
        out: (n, sizes[-1]) float32, written.
    """
    values, sums = np.zeros(sizes.max(), np.float32), np.zeros(sizes.max(), np.float32)
    for row in range(len(inputs)):
        values[: sizes[0]] = inputs[row]
        start = 0
        for layer in range(len(sizes) - 1):
            if layer > 0:
                activate(sums, relu, values)
            end = start + (sizes[layer] + 1) * sizes[layer + 1]
            add_layer(
                parameters[start:end],
                values[: sizes[layer]],
                sums[: sizes[layer + 1]],
            )
            start = end
        out[row] = sums[: sizes[-1]]


@jit
def add_layer(parameters: Any, values: np.ndarray, sums: np.ndarray) -> None:
    """Write into ``sums`` (outputs,) what a layer makes of ``values`` (inputs,)."""
    outputs = len(sums)
    sums[:] = parameters[len(values) * outputs :]
    for j in range(len(values)):
        if values[j] != 0.0:
            value, weights = values[j], parameters[j * outputs : (j + 1) * outputs]
            for k in range(outputs):
                sums[k] += value * weights[k]


@jit
def activate(sums: np.ndarray, relu: bool, values: np.ndarray) -> None:
    """Write into ``values`` what goes on to the next layer."""
    for k in range(len(sums)):
        values[k] = max(sums[k], np.float32(0.0)) if relu else np.tanh(sums[k])


@jit
def pick_actions(
    logits: np.ndarray,
    masks: np.ndarray,
    memories: np.ndarray,
    sample: bool,
    actions: np.ndarray,
) -> None:
    """Write a legal action for each row: the greedy one, or one drawn by softmax.

    Drawing takes the greatest sum of a logit and Gumbel noise, which has that
    distribution: E. J. Gumbel, "Statistical theory of extreme values", 1954.

    Args:
        logits: (n, actions) float32.
        masks: (n, actions) int8.
        memories: (n,) records whose streams advance.
        sample: Whether to draw.
        actions: (n,) int64, written.
    """
    for row in range(len(logits)):
        most, actions[row] = -np.inf, -1
        for action in range(logits.shape[1]):
            if masks[row, action]:
                score = np.float64(logits[row, action])
                if sample:
                    uniform = max(unit_float(memories[row]), TINY)
                    score -= np.log(-np.log(uniform))
                if actions[row] < 0 or score > most:
                    most, actions[row] = score, action


@jit
def draw_normal(memories: np.ndarray, out: np.ndarray) -> None:
    """Write standard normal numbers (n, k), each row from the stream of its memory.

    G. E. P. Box, M. E. Muller, "A note on the generation of random normal deviates",
    Annals of Mathematical Statistics 29(2), 1958.
    """
    for row in range(len(out)):
        for k in range(out.shape[1]):
            radius = np.sqrt(-2.0 * np.log(max(unit_float(memories[row]), TINY)))
            out[row, k] = radius * np.cos(2.0 * np.pi * unit_float(memories[row]))
