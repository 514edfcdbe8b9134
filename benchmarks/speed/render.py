"""What a frame costs: the picture as SVG, and its pixels.

``python -m benchmarks.speed.render [--games 3]``. Frames are those of random games with
the most players, each drawn anew after its action, ICECOOL with its last flick.
Processor time, of one core.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from game_core.catalog import GAMES
from game_core.game import Game
from game_core.position import Position
from game_core.registry import load_game
from game_core.render import raster
from game_core.scene import Scene

__all__ = ["main"]

MAX_PLAYERS = 4
EVERY = 7
"""Frames are drawn of every so many positions."""

MILLISECONDS = 1000.0


class Cost(NamedTuple):
    """What frames of a game cost.

    Attributes:
        game: Id of the game.
        frames: How many were drawn.
        size: Of the pictures, "600 x 508".
        svg: Milliseconds for the SVG, median.
        pixels: Milliseconds for its pixels, median.
        frame: Milliseconds for both, median.
        slowest: Milliseconds for both, 95th percentile.
    """

    game: str
    frames: int
    size: str
    svg: float
    pixels: float
    frame: float
    slowest: float


def measure(game_id: str, games: int) -> Cost:
    """Return what frames of some random games cost."""
    game = load_game(game_id, num_players=MAX_PLAYERS)
    size = ""
    costs: list[tuple[float, float]] = []
    for scene in scenes(game, games):
        svg, draws = _timed(lambda scene=scene: game.picture(scene))
        pixels, rasters = _timed(lambda svg=svg: raster.pixels(svg))
        size = f"{pixels.shape[1]} x {pixels.shape[0]}"
        costs.append((draws, rasters))
    costs = costs[1:]  # the first one loads the rasterizer and its font
    both = sorted(sum(cost) for cost in costs)
    return Cost(
        game=game_id,
        frames=len(costs),
        size=size,
        svg=statistics.median(cost[0] for cost in costs),
        pixels=statistics.median(cost[1] for cost in costs),
        frame=statistics.median(both),
        slowest=both[int(0.95 * (len(both) - 1))],
    )


def scenes(game: Game, games: int) -> Iterator[Scene]:
    """Yield every so many positions of random games, each with its last action."""
    rng = np.random.default_rng(0)
    for seed in range(games):
        position = Position.new(game, seed)
        step = 0
        while not position.over:
            before, action = position.copy().states, position.sample_action(rng)
            position.step(action)
            if step % EVERY == 0:
                yield Scene(position.copy().states, before, action)
            step += 1


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    done = work()
    return done, MILLISECONDS * (time.process_time() - start)


def main(games: int = 1) -> None:
    """Measure what a frame costs.

    Args:
        games: Random games of each kind to draw frames of.
    """
    table = Table(title="Milliseconds for a frame")
    for column in ("game", "frames", "pixels", "SVG", "raster", "both", "95 %"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for game_id in GAMES:
        cost = measure(game_id, games)
        figures = (cost.svg, cost.pixels, cost.frame, cost.slowest)
        table.add_row(
            game_id, f"{cost.frames}", cost.size, *(f"{ms:.1f}" for ms in figures)
        )
    Console().print(table)


if __name__ == "__main__":
    tyro.cli(main)
