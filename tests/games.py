"""Games to test with, ways to play them, and how far chance may lead."""

import importlib.util
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_core import Position
from game_core.compiled.jit import config
from game_core.scene import Scene

COMPILED = not config.DISABLE_JIT
THOROUGH = int(os.environ.get("THOROUGH", "1"))
"""How many times as many games, flicks and examples; see ``make thorough``.

A test whose repetitions take long writes their number as ``40 * THOROUGH``: 40 are
enough for ``make test`` to notice what would be noticed at all.
"""
PLAYER_COUNTS = (1, 2, 3, 4)
VARIANTS = ("share", "jump", "no_rest")

REPOSITORY = Path(__file__).parents[1]

# PettingZoo expects a Dict observation of nobody but its own environments.
dict_observations_warn = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning:pettingzoo.test",
    "ignore:Observation space for each agent probably should be:UserWarning"
    ":pettingzoo.test",
)


def any_action(position: Position, rng: np.random.Generator) -> int:
    """Return one of the legal actions, each as likely."""
    return int(rng.choice(position.legal_actions()))


def wander(position: Position, seed: int, decisions: int) -> Position:
    """Play ``decisions`` random actions, fewer if the game ends before."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        if position.over:
            break
        position.step(any_action(position, rng))
    return position


def one_action(mask: np.ndarray, rng: np.random.Generator) -> int:
    """Return one of the actions that a mask allows, each as likely."""
    return int(rng.choice(np.flatnonzero(mask)))


def play_on(env, rng: np.random.Generator, decisions: int = 10**6) -> list[bytes]:
    """Play random actions in an AEC environment, dead steps included.

    Returns the position after each action, until the game is over for all agents or
    ``decisions`` are used up.
    """
    history = []
    for _ in env.agent_iter(decisions):
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else one_action(observation["action_mask"], rng))
        history.append(env.get_state().tobytes())
    return history


def chi_square(counts: np.ndarray) -> float:
    """Return the chi-square statistic of counts that should all be alike."""
    expected = np.sum(counts) / len(counts)
    return float(np.sum((counts - expected) ** 2) / expected)


def chi_square_limit(values: int) -> float:
    """Return what ``chi_square`` of ``values`` counts exceeds once in 8 million.

    B. Laurent, P. Massart, "Adaptive estimation of a quadratic functional by model
    selection", Annals of Statistics 28(5), 2000, lemma 1: a chi-square variable with k
    degrees of freedom exceeds k + 2 sqrt(k x) + 2 x with probability at most exp(-x);
    here x = 16, exp(-16) = 1.1e-7.
    """
    freedom, x = values - 1, 16
    return freedom + 2 * math.sqrt(freedom * x) + 2 * x


def module_at(path: Path) -> Any:
    """Return the module in a file that is in no package."""
    spec = importlib.util.spec_from_file_location(f"at_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_python(
    code: str, folder: Path = REPOSITORY, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run code in a new process in which numba has these settings and no others."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**inherited, "PYTHONPATH": str(folder), **settings},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def told(position: Position, action: Any) -> str:
    """Play an action; return it and its outcome in words."""
    before = position.states.copy()
    position.step(action)
    scene = Scene(position.states, before, action)
    return position.game.describe_last(scene)
