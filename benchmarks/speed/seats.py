"""Steps a second of ``SeatVecEnv``, which Stable-Baselines3 learns from.

``python -m benchmarks.speed.seats [--num-envs 256] [--json FILE]``. A step is a random
decision of the learner with its mask, all that the opponent answers, and what the
learner then sees. The yardstick is ``VectorGame`` with masks and observations, where
nobody answers. Processor time of one core, alternately in one run.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from rich.console import Console

from baselines.training.vec_env import SeatVecEnv
from benchmarks.speed.measure import Row, as_table, compare, machine, take_turns
from game_core import VectorGame
from game_core.agents.policy import new_memories
from game_core.compiled import loops
from game_core.envs.vector import MAX_ENVS
from game_core.validation import options

__all__ = ["OPPONENTS", "YARDSTICK", "main", "seats"]

OPPONENTS = {
    "cant_stop": ("random", "rule_of_28", "glenn_aloi"),
    "azul": ("random", "greedy"),
}
"""Game -> compiled opponents to play against."""

YARDSTICK = "VectorGame, nobody answers"
WARMING = 20
"""Steps before the clock starts: games are compiled, and spread over their phases."""

MAX_TURNS = 1000
PLAIN_WIDTH = 130


def seats(game: str, num_envs: int, opponent: str, steps: int) -> Callable[[], float]:
    """Return what measures steps a second against an opponent."""
    env = SeatVecEnv(game, num_envs, opponent)
    env.seed(0)
    env.reset()
    stream, actions = new_memories(env.games.game, 1), np.zeros(num_envs, np.int64)

    def step() -> None:
        masks = np.stack(env.env_method("action_masks"))  # as sb3_contrib asks for them
        loops.sample_all(masks.view(np.int8), stream, actions)
        env.step(actions)

    return rate(step, num_envs, steps)


def nobody(game: str, num_envs: int, steps: int) -> Callable[[], float]:
    """Return what measures decisions a second of ``VectorGame``."""
    games = VectorGame(game, num_envs)
    games.reset(seed=0)

    def step() -> None:
        _ = games.action_mask, games.observation
        games.step(games.sample_actions())

    return rate(step, num_envs, steps)


def rate(step: Callable[[], None], num_envs: int, steps: int) -> Callable[[], float]:
    """Return what measures how many games a second ``step`` moves on."""
    for _ in range(WARMING):
        step()

    def measure() -> float:
        began = time.process_time()
        for _ in range(steps):
            step()
        return num_envs * steps / (time.process_time() - began)

    return measure


def rates(game: str, num_envs: int, turns: int, steps: int) -> list[Row]:
    """Measure a game against each of its opponents, once a turn."""
    contenders = {YARDSTICK: nobody(game, num_envs, steps)} | {
        f"against {opponent}": seats(game, num_envs, opponent, steps)
        for opponent in OPPONENTS[game]
    }
    return compare(take_turns(contenders, turns), "steps/s", YARDSTICK)


def main(
    num_envs: int = 256,
    turns: int = 5,
    steps: int = 500,
    out: Annotated[Path | None, tyro.conf.arg(name="json", metavar="FILE")] = None,
) -> None:
    """Measure how fast one learning seat is, print it and write it down.

    Args:
        num_envs: Games at once.
        turns: Samples of each thing.
        steps: Steps of all games in a sample.
        out: File for the figures.
    """
    try:
        options.whole_number("num_envs", num_envs, 1, MAX_ENVS)
        options.whole_number("turns", turns, 1, MAX_TURNS)
        options.whole_number("steps", steps, 1, MAX_ENVS)
    except ValueError as error:
        sys.exit(f"benchmarks.speed.seats: {error}")
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    about = machine()
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    figures: dict[str, object] = {"machine": about, "num_envs": num_envs}
    for game in OPPONENTS:
        rows = rates(game, num_envs, turns, steps)
        console.print(as_table(f"{game}, {num_envs} games", rows))
        figures[game] = [row.as_json() for row in rows]
    if out is not None:
        out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    tyro.cli(main)
