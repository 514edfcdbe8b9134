"""Speed: decisions a second, the cost of a copy, and how long a start takes.

``python -m benchmarks.speed [GAME] [--json FILE] [--quick]``. All play is random and
legal. The yardstick for playing is PettingZoo's connect_four, that for starting is
``import numba``. Where OpenSpiel is installed, some of its games are played as well.
"""

import contextlib
import copy
import functools
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any, Literal, NamedTuple, cast

import tyro
from rich.console import Console

from benchmarks.speed.measure import (
    Row,
    as_table,
    compare,
    machine,
    per_second,
    take_turns,
)
from benchmarks.speed.peers import CONNECT_FOUR, make_connect_four, random_spiel_games
from game_core.compiled.record import copy_records
from game_core.envs.aec import CheckedEnv, GameEnv
from game_core.envs.vector import VectorGame
from game_core.game import Game
from game_core.position import Position
from game_core.registry import load_game

__all__ = [
    "Effort",
    "Start",
    "copying",
    "main",
    "playing",
    "random_games",
    "side_by_side",
]


class Targets(NamedTuple):
    """Ratios to the peer that are to be reached.

    Attributes:
        env: Of the environment.
        batch: Of a batch; 470 is 8 million decisions a second on a machine where the
            peer makes 17 thousand, 176 is 3 million, 88 is 1.5 million.
        observed: Of a batch whose observations are read.
    """

    env: float
    batch: float
    observed: float


TARGETS = {
    "cant_stop": Targets(env=6, batch=470, observed=176),
    "azul": Targets(env=6, batch=176, observed=88),
}

ONE_PROCESS, TWO_PROCESSES = "one process", "two processes"
TWO_PROCESSES_TARGET = 1.8

COPIED = 4096
STEPS_BEFORE_COPYING = 50

ROOT = Path(__file__).parents[2]
PLAIN_WIDTH = 130
"""Width of tables where there is no terminal."""


@dataclass(frozen=True)
class Effort:
    """How much to measure.

    Attributes:
        seconds: Length of a sample of playing or copying.
        turns: Samples of each thing.
        starts: Samples of each start, which take longest.
        batch_sizes: Games in a batch.
        player_counts: Players in a game.
        worker_steps: Steps of a batch in each sample of two processes.
    """

    seconds: float
    turns: int
    starts: int
    batch_sizes: tuple[int, ...]
    player_counts: tuple[int, ...]
    worker_steps: int


FULL = Effort(0.4, 5, 3, (1024, 4096, 16384), (2, 4), 500)
QUICK = Effort(0.1, 3, 1, (4096,), (2,), 100)


@dataclass(frozen=True)
class Start:
    """Something that a new process does first.

    Attributes:
        code: What is measured.
        setup: What is done before.
    """

    code: str
    setup: str = ""

    def seconds(self, cache: str) -> float:
        """Return how long it takes with compiled code kept in the folder ``cache``."""
        script = (
            f"import time\n{self.setup}\nstart = time.perf_counter()\n{self.code}\n"
            "print(time.perf_counter() - start)"
        )
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-c", script]
        output = subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
        return float(output)

    def seconds_cold(self, cache: str) -> float:
        """Return how long it takes after emptying the folder ``cache``."""
        shutil.rmtree(cache, ignore_errors=True)
        return self.seconds(cache)


class Run(NamedTuple):
    """What processes that played together did.

    Attributes:
        rate: Decisions a second, of all together.
        cores: Processor time a second, of all together: what other load left them.
    """

    rate: float
    cores: float


YARDSTICK = "import numba"


def imports(game_id: str) -> list[Start]:
    """Return the imports to measure."""
    return [Start(YARDSTICK), Start(f"import {game_id}_env")]


def first_steps(game_id: str) -> dict[str, Start]:
    """Return the first things that users do, by name."""
    return {
        "first step of env()": Start(
            "env.reset(seed=0)\n"
            "observation, *_ = env.last()\n"
            "env.step(int(observation['action_mask'].argmax()))\n"
            "env.last()",
            setup=f"from {game_id}_env import {game_id}_v0; env = {game_id}_v0.env()",
        ),
        "first step of VectorGame": Start(
            "games.reset(seed=0)\ngames.step(games.sample_actions())",
            setup="from game_core import VectorGame\n"
            f"games = VectorGame('{game_id}', 1024)",
        ),
    }


def playing(game_id: str, effort: Effort) -> list[Row]:
    """Measure random play through PettingZoo's interface and in batches."""
    contenders: dict[str, Callable[[], int]] = {}
    peer = make_connect_four()
    if peer is not None:
        contenders[CONNECT_FOUR] = random_games(peer)
    others = random_spiel_games()
    contenders |= others
    raw_env = GameEnv(load_game(game_id))
    contenders[f"{raw_env}.env()"] = random_games(CheckedEnv(raw_env))
    contenders[f"{raw_env}.raw_env()"] = random_games(raw_env.clone())
    ours = contenders.keys() - others.keys()
    targets: dict[str, float] = dict.fromkeys(ours, TARGETS[game_id].env)
    for players, size, observed in itertools.product(
        effort.player_counts, effort.batch_sizes, (False, True)
    ):
        seen = ", observed" if observed else ""
        name = f"batch of {size}, {players} players{seen}"
        game = load_game(game_id, num_players=players)
        contenders[name] = random_batch(game, size, observed)
        targets[name] = TARGETS[game_id][1 + observed]
    return compare(_rates(contenders, effort), "decisions/s", CONNECT_FOUR, targets)


def random_games(env: Any) -> Callable[[], int]:
    """Return what plays a random game in a PettingZoo environment.

    It returns the number of decisions; the steps in which agents leave do not count.
    """
    rng = random.Random(0)
    env.reset(seed=0)

    def play() -> int:
        decisions = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[rng.randrange(len(legal))]))
            decisions += 1
        return decisions

    return play


def random_batch(game: Game, size: int, observed: bool) -> Callable[[], int]:
    """Return what makes a random decision in many games, and returns their number."""
    games = VectorGame(game, size)
    games.reset(seed=0)

    def step() -> int:
        if observed:
            _ = games.observation
        games.step(games.sample_actions())
        return size

    return step


def copying(game_id: str, effort: Effort) -> list[Row]:
    """Measure copies of games in progress."""
    games = VectorGame(game_id, COPIED)
    games.reset(seed=0)
    for _ in range(STEPS_BEFORE_COPYING):
        games.step(games.sample_actions())
    position = Position(games.game, copy_records(games.states[:1]))
    raw_env = GameEnv(games.game)
    raw_env.set_state(position.states)
    env = CheckedEnv(raw_env)
    in_batch = f"copy_records, a state in a batch of {COPIED}"
    copies = {
        in_batch: _counted(lambda: copy_records(games.states), COPIED),
        "Position.copy()": _counted(position.copy),
        "env.unwrapped.clone()": _counted(raw_env.clone),
        "copy.deepcopy(env)": _counted(lambda: copy.deepcopy(env)),
    }
    return [
        Row(name, "us", [1e6 / rate for rate in rates])
        for name, rates in _rates(copies, effort).items()
    ]


def starting(game_id: str, effort: Effort) -> list[Row]:
    """Measure imports and first steps in new processes.

    "Cold" is with nothing compiled on disk, "warm" with everything.
    """
    contenders: dict[str, Callable[[], float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for start in imports(game_id):
            contenders[start.code] = functools.partial(start.seconds, folder)
        for name, start in first_steps(game_id).items():
            cache = str(Path(folder) / name)
            contenders[f"{name}, cold"] = functools.partial(start.seconds_cold, cache)
            contenders[f"{name}, warm"] = functools.partial(start.seconds, cache)
        samples = take_turns(contenders, effort.starts)
    return compare(samples, "s", YARDSTICK)


def side_by_side(game_id: str, effort: Effort) -> list[Row]:
    """Measure what one process and two at a time play, once they are warm."""
    with contextlib.ExitStack() as stack:
        workers = [
            stack.enter_context(_worker(game_id, effort.worker_steps)) for _ in range(2)
        ]
        _wait_for(workers)
        runs = [(_run(workers[:1]), _run(workers)) for _ in range(effort.turns)]
    samples = {
        ONE_PROCESS: [one.rate for one, _ in runs],
        TWO_PROCESSES: [two.rate for _, two in runs],
    }
    targets = {TWO_PROCESSES: TWO_PROCESSES_TARGET}
    return [
        *compare(samples, "decisions/s", ONE_PROCESS, targets),
        Row("cores that the two got", "cores", [two.cores for _, two in runs]),
    ]


SECTIONS = {
    "Playing (ratio to connect_four)": playing,
    "Copying": copying,
    "Starting (ratio to import numba)": starting,
    "Two processes (ratio to one)": side_by_side,
}


def main(
    game: tyro.conf.Positional[Literal["cant_stop", "azul"]] = "cant_stop",
    out: Annotated[Path | None, tyro.conf.arg(name="json", metavar="FILE")] = None,
    quick: bool = False,
) -> None:
    """Measure the speed of a game, print it and write it down.

    Args:
        game: Id of the game.
        out: File for the figures.
        quick: Measure less of it, in a few seconds.
    """
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    about = machine()
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    figures: dict[str, Any] = {"machine": about, "game": game, "quick": quick}
    for title, measure in SECTIONS.items():
        rows = measure(game, QUICK if quick else FULL)
        console.print(as_table(title, rows))
        figures[measure.__name__] = [row.as_json() for row in rows]
    if make_connect_four() is None:
        console.print("No ratio to connect_four: it needs pygame-ce.")
    if out is not None:
        out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _rates(
    contenders: Mapping[str, Callable[[], int]], effort: Effort
) -> dict[str, list[float]]:
    """Take samples of how much a second each contender does, warmed up before."""
    for work in contenders.values():
        work()
    timed = {
        name: functools.partial(per_second, work, effort.seconds)
        for name, work in contenders.items()
    }
    return take_turns(timed, effort.turns)


def _counted(work: Callable[[], Any], count: int = 1) -> Callable[[], int]:
    """Return what does ``work`` and returns ``count``."""

    def counted() -> int:
        work()
        return count

    return counted


def _worker(game_id: str, steps: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.speed.worker", game_id, str(steps)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


def _wait_for(workers: Sequence[subprocess.Popen[str]]) -> None:
    """Wait until the workers are warm.

    Raises:
        RuntimeError: If one did not start.
    """
    for worker in workers:
        if cast(IO[str], worker.stdout).readline() != "ready\n":
            raise RuntimeError("a worker did not start; see its error above")


def _run(workers: Sequence[subprocess.Popen[str]]) -> Run:
    """Let the workers play together."""
    start = time.perf_counter()
    for worker in workers:
        print("play", file=worker.stdin, flush=True)
    lines = [cast(IO[str], worker.stdout).readline().split() for worker in workers]
    seconds = time.perf_counter() - start
    decisions = sum(int(count) for count, _ in lines)
    processor_seconds = sum(float(used) for _, used in lines)
    return Run(decisions / seconds, processor_seconds / seconds)
