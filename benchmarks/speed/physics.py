"""What a flick of ICECOOL costs, what a second thread gains, and how random play goes.

``python -m benchmarks.speed.physics [--flicks N] [--turns T] [--json FILE]``. All play
is random, four players at a table. The yardstick of a flick is the bare loop of
pymunk's public ``space.step`` over the same scenes and numbers of steps, with all of
pymunk's objects built before the clock starts; a flick all in is a step of a game: the
rules, the world built and freed, the simulation with curves and events.
"""

import functools
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from benchmarks.speed.measure import Row, as_table, compare, machine, take_turns
from game_core.compiled.record import copy_records
from game_core.envs.vector import VectorGame
from icecool_env.physics import pymunk_world
from icecool_env.physics.constants import DT
from icecool_env.physics.flick import flick_code, run_flick, world
from icecool_env.physics.slide import Flick, slide
from icecool_env.state import (
    FLICK,
    MAX_EVENTS,
    MAX_PLAYERS,
    NONE,
    NUM_ENDINGS,
    NUM_EVENT_FIELDS,
)

__all__ = [
    "ALL_IN",
    "BARE_LOOP",
    "CONTENDERS",
    "ENDINGS",
    "ONE_WORKER",
    "TWO_WORKERS",
    "Share",
    "collect",
    "costs",
    "main",
    "rest_times",
    "run_all",
    "side_by_side",
]

GAME_ID = "icecool"
PLAYERS = 4
PLAYER_COUNTS = (2, 3, 4)

ALL_IN = "a flick all in: a step of the game"
FLICK_ALONE = "a flick without the rules"
SLIDE = "slide() from Python, path logged"
BARE_LOOP = "bare loop of space.step, worlds built before"
WORLD = "a world built and freed"
PLAIN_WORLD = "a world built of pymunk's objects"
MAX_COST = 1.2
"""A flick all in is to cost at most this times the bare loop."""

ONE_WORKER, TWO_WORKERS = "workers=1", "workers=2"
TWO_WORKERS_TARGET = 1.7
GAMES_PER_WORKER_RUN = 1024

ENDINGS = ("by fish", "by catch", "by cap")
PERCENTILES = (10, 50, 90, 99, 100)

PLAIN_WIDTH = 130
"""Width of tables where there is no terminal."""


@dataclass(frozen=True)
class Scenes:
    """Flicks of random self-play.

    Attributes:
        before: (n,) records in which the player is to flick.
        actions: (n, k) float32, the flicks.
        flicked: (n,) records as they stand when the simulation begins.
        steps: (n,) steps of 1/400 s until all is at rest.
    """

    before: np.ndarray
    actions: np.ndarray
    flicked: np.ndarray
    steps: np.ndarray


class Share:
    """Random games of one table size, and how their rounds ended."""

    def __init__(self, players: int, rounds: int) -> None:
        """Play until ``rounds`` rounds are over, in games played to their end."""
        self.players = players
        self.endings = np.zeros(NUM_ENDINGS, np.int64)
        self.games = self.decisions = 0
        # Short games end first: play as many games as are needed, all to their end.
        num_games = -(-rounds // (4 if players == 2 else players))
        games = VectorGame(
            GAME_ID, num_games, num_players=players, autoreset_mode="Disabled"
        )
        games.reset(seed=0)
        while self.games < num_games:
            over = games.states["terminated"] | games.states["truncated"]
            self.decisions += int(np.sum(~over))
            games.step(games.sample_actions())
            self.games += len(games.final_states)
            self.endings += games.final_states["endings"].sum(axis=0)

    def as_json(self) -> dict[str, Any]:
        """Return the figures as JSON objects."""
        rounds = int(self.endings.sum())
        return {
            "players": self.players,
            "games": self.games,
            "rounds": rounds,
            "decisions_per_game": self.decisions / self.games,
            **{
                name: float(count / rounds)
                for name, count in zip(ENDINGS, self.endings, strict=True)
            },
        }


def collect(count: int) -> Scenes:
    """Play at random until ``count`` flicks are known."""
    games = VectorGame(GAME_ID, min(count, 256), num_players=PLAYERS)
    games.reset(seed=0)
    before, actions, flicked, found = [], [], [], 0
    while found < count:
        states, chosen = copy_records(games.states), games.sample_actions()
        games.step(chosen)
        # A game that ended began anew and does not know its last flick any more.
        rows = np.flatnonzero(
            (states["phase"] == FLICK) & (games.states["flicked"] != NONE)
        )
        after = copy_records(games.states[rows])
        for field in ("on_board", "x", "y"):
            after[field] = after[f"was_{field}"]
        before.append(states[rows])
        actions.append(chosen[rows])
        flicked.append(after)
        found += len(rows)
    records = np.concatenate(flicked)[:count]
    return Scenes(
        np.concatenate(before)[:count],
        np.concatenate(actions)[:count],
        records,
        np.array([_steps(state) for state in copy_records(records)]),
    )


@flick_code
def run_all(states: Any, events: Any, path: Any) -> int:
    """Play the flicks that stand in records; return the number of steps."""
    steps = 0
    for i in range(len(states)):
        num_steps, _ = run_flick(states[i], events, path)
        steps += num_steps
    return steps


@flick_code
def build_all(states: Any) -> None:
    """Build the world of each record, and free it."""
    for i in range(len(states)):
        world.free(world.build(states[i]))


def bare_loop(scenes: Scenes) -> float:
    """Return the seconds of ``space.step`` alone, as often as the flicks need it."""
    spaces: list[tuple[Any, int]] = []
    for state, steps in zip(scenes.flicked, scenes.steps.tolist(), strict=True):
        own_world = pymunk_world.build(state)
        seat = int(state.flicked)
        vx, vy, _ = state.velocity.tolist()
        pymunk_world.set_velocity(own_world, seat, vx, vy)
        pymunk_world.set_spin(own_world, seat, float(state.spin))
        spaces.append((own_world.space, steps))
    start = time.perf_counter()
    for space, steps in spaces:
        for _ in range(steps):
            space.step(DT)
    return time.perf_counter() - start


def game_steps(scenes: Scenes) -> float:
    """Return the seconds of the game's step over all scenes."""
    games = VectorGame(GAME_ID, 1, num_players=PLAYERS)
    play_all = games.game.loops.play_all
    states = copy_records(scenes.before)
    start = time.perf_counter()
    play_all(states, scenes.actions)
    return time.perf_counter() - start


def flicks_alone(scenes: Scenes) -> float:
    """Return the seconds of the simulation of all scenes, with its events."""
    states = copy_records(scenes.flicked)
    events = np.zeros((MAX_EVENTS, NUM_EVENT_FIELDS), np.int64)
    path = np.zeros((0, MAX_PLAYERS, 3))
    start = time.perf_counter()
    run_all(states, events, path)
    return time.perf_counter() - start


def slides(scenes: Scenes) -> float:
    """Return the seconds of ``slide`` for all scenes."""
    given: list[tuple[np.ndarray, Flick]] = []
    for state in scenes.flicked:
        places = np.stack([state.x, state.y], axis=1)
        places[state.on_board == 0] = np.nan
        vx, vy, up = state.velocity.tolist()
        given.append((places, Flick(int(state.flicked), (vx, vy, up), state.spin)))
    start = time.perf_counter()
    for places, flick in given:
        slide(places, flick)
    return time.perf_counter() - start


def worlds(scenes: Scenes) -> float:
    """Return the seconds of building the world of all scenes and freeing it."""
    start = time.perf_counter()
    build_all(scenes.flicked)
    return time.perf_counter() - start


def plain_worlds(scenes: Scenes) -> float:
    """Return the seconds of building all worlds of pymunk's public objects."""
    start = time.perf_counter()
    for state in scenes.flicked:
        pymunk_world.build(state)
    return time.perf_counter() - start


CONTENDERS: dict[str, Callable[[Scenes], float]] = {
    BARE_LOOP: bare_loop,
    ALL_IN: game_steps,
    FLICK_ALONE: flicks_alone,
    SLIDE: slides,
    WORLD: worlds,
    PLAIN_WORLD: plain_worlds,
}


def costs(scenes: Scenes, turns: int) -> list[Row]:
    """Measure what a flick and its parts cost, in microseconds and as a rate.

    A table's target is what a ratio is to reach, so that the bound of the cost stands
    at the rates.
    """
    for measure in CONTENDERS.values():  # compiles
        measure(_first(scenes, 4))
    seconds = take_turns(
        {
            name: functools.partial(measure, scenes)
            for name, measure in CONTENDERS.items()
        },
        turns,
    )
    count = len(scenes.flicked)
    micros = {name: [1e6 * s / count for s in each] for name, each in seconds.items()}
    rates = {name: [count / s for s in seconds[name]] for name in (BARE_LOOP, ALL_IN)}
    return [
        *compare(micros, "us", BARE_LOOP),
        *compare(rates, "flicks/s", BARE_LOOP, {ALL_IN: 1 / MAX_COST}),
    ]


def side_by_side(num_games: int, steps: int, turns: int) -> list[Row]:
    """Measure one and two workers, which have to play the same games.

    The rates mean something only if the two got about twice the cores of the one.

    Raises:
        AssertionError: If their states differ by a bit.
    """
    both = {
        name: VectorGame(GAME_ID, num_games, num_players=PLAYERS, workers=workers)
        for workers, name in enumerate((ONE_WORKER, TWO_WORKERS), start=1)
    }
    cores: dict[str, list[float]] = {name: [] for name in both}

    def play(name: str) -> float:
        games, start, before = both[name], time.perf_counter(), time.process_time()
        for _ in range(steps):
            games.step(games.sample_actions())
        seconds = time.perf_counter() - start
        cores[name].append((time.process_time() - before) / seconds)
        return steps * num_games / seconds

    for games in both.values():
        games.reset(seed=0)
        games.step(games.sample_actions())
    rates: dict[str, list[float]] = {name: [] for name in both}
    for _ in range(turns):
        for name in both:
            rates[name].append(play(name))
        one, two = (games.states.tobytes() for games in both.values())
        if one != two:
            raise AssertionError("two workers played other games than one")
    for games in both.values():
        games.close()
    return [
        *compare(rates, "decisions/s", ONE_WORKER, {TWO_WORKERS: TWO_WORKERS_TARGET}),
        *compare(cores, "cores got", ONE_WORKER),
    ]


def rest_times(scenes: Scenes) -> dict[str, float]:
    """Return after how many seconds a flick is over: the mean and percentiles."""
    seconds = scenes.steps * DT
    return {
        "mean": float(np.mean(seconds)),
        **{f"{p} %": float(np.percentile(seconds, p)) for p in PERCENTILES},
    }


def as_plain_table(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    """Return figures with the same names as a table for the terminal."""
    table = Table(title=title, title_justify="left")
    for heading in rows[0]:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            *(f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values())
        )
    return table


def main(
    flicks: int = 2000,
    turns: int = 5,
    out: Annotated[Path | None, tyro.conf.arg(name="json", metavar="FILE")] = None,
) -> None:
    """Measure what flicks cost, print it and write it down.

    Args:
        flicks: Flicks in each sample.
        turns: Samples of each thing.
        out: File for the figures.
    """
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    about = machine()
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    scenes = collect(flicks)
    cost = costs(scenes, turns)
    console.print(as_table(f"A mean flick of {flicks}, {PLAYERS} players", cost))
    num_games = min(GAMES_PER_WORKER_RUN, flicks)
    workers = side_by_side(num_games, -(-flicks // num_games), turns)
    console.print(as_table(f"Two workers, a batch of {num_games}", workers))
    rest = rest_times(scenes)
    console.print(as_plain_table("Seconds until a flick is over", [rest]))
    shares = [Share(n, flicks // 10).as_json() for n in PLAYER_COUNTS]
    console.print(as_plain_table("Random play: shares of rounds that end", shares))
    if out is not None:
        figures = {
            "machine": about,
            "flicks": flicks,
            "costs": [row.as_json() for row in cost],
            "workers": [row.as_json() for row in workers],
            "rest_seconds": rest,
            "rounds": shares,
        }
        out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _steps(state: Any) -> int:
    events = np.zeros((MAX_EVENTS, NUM_EVENT_FIELDS), np.int64)
    num_steps, _ = run_flick(state, events, np.zeros((0, MAX_PLAYERS, 3)))
    return int(num_steps)


def _first(scenes: Scenes, count: int) -> Scenes:
    """Return the first of some scenes."""
    fields = (scenes.before, scenes.actions, scenes.flicked, scenes.steps)
    return Scenes(*(field[:count] for field in fields))


if __name__ == "__main__":
    tyro.cli(main)
