"""One learning seat, or PettingZoo's tutorial: which learns Can't Stop better?

``python -m benchmarks.studies.tutorial_comparison [--steps N] [--seeds S] [--out
PATH]``. Both recipes of ``baselines/training/recipes.py`` learn by MaskablePPO, from
play against themselves alone, and with the settings of the tutorial, which are the
defaults of Stable-Baselines3; only that both play sixteen games at a time instead of
one, and learn from minibatches of 256 instead of 64, which takes a third of the time.
Neither meets the bots that judge them on the way.

Steps are decisions that are learned from: in the tutorial those of both players, with
one seat those of the learner, whose opponents' decisions come on top.
"""

import itertools
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from baselines.training.config import PpoSettings, SelfPlay, TrainConfig
from baselines.training.evaluate import score_against
from baselines.training.recipes import ONE_SEAT, TUTORIAL, Recipe, train
from benchmarks.cli.console import print_plain
from benchmarks.report.formatting import percent
from benchmarks.speed.measure import machine
from game_core.validation import options

__all__ = ["COLOURS", "JUDGES", "MODES", "ROLLOUT", "main"]

GAME = "cant_stop"
JUDGES = ("random", "rule_of_28")
MODES = ("drawn", "greedy")
"""How a policy chooses: it draws from its distribution, or takes its mode."""

NUM_ENVS, ROLLOUT = 16, 2048
EVALUATION_SEED = 2_000_000
MAX_STEPS, MAX_SEEDS, MAX_GAMES = 10**9, 100, 10**6

PLAIN_WIDTH = 100
COLOURS = {ONE_SEAT: "#0072B2", TUTORIAL: "#D55E00"}
"""Blue and vermilion of Okabe and Ito's palette, told apart by all."""

STYLES = {ONE_SEAT: "-", TUTORIAL: "--"}

SHOWN_SETTINGS = (
    *("game", "algorithm", "steps", "num_envs", "net_arch", "activation"),
    *("learning_rate", "gamma", "self_play", "ppo"),
)
"""Settings that stand beside the figures."""

Key = tuple[str, str]


class Curve(NamedTuple):
    """How one training went.

    Attributes:
        recipe: What was trained by.
        seed: Of the training.
        steps: Where the policy was judged.
        scores: (Judge, mode) -> part of the games won, at each of them.
        seconds: Processor time of learning, without judging.
    """

    recipe: Recipe
    seed: int
    steps: list[int]
    scores: dict[Key, list[float]]
    seconds: float


def settings(seed: int, steps: int, every: int) -> TrainConfig:
    """Return the settings of both recipes: the defaults of MaskablePPO, nearly."""
    return TrainConfig(
        GAME,
        steps=steps,
        num_envs=NUM_ENVS,
        opponents=(),
        seed=seed,
        net_arch=(64, 64),
        activation="tanh",
        learning_rate=3e-4,
        decay=False,
        gamma=0.99,
        self_play=SelfPlay(share=1.0, every=every),
        ppo=PpoSettings(
            n_steps=ROLLOUT // NUM_ENVS, batch_size=256, n_epochs=10, ent_coef=0.0
        ),
    )


def learn(recipe: Recipe, config: TrainConfig, games: int) -> Curve:
    """Train once, and judge the policy on the way by so many games of each kind."""
    game = config.make_game()
    curve = Curve(recipe, config.seed, [], {key: [] for key in keys()}, 0.0)
    seconds, began = 0.0, time.process_time()
    for steps, network in train(recipe, config):
        seconds += time.process_time() - began
        curve.steps.append(steps)
        for judge, mode in keys():
            policy = network if mode == "drawn" else network.act_always_best()
            score = score_against(policy, game, judge, games, EVALUATION_SEED)
            curve.scores[judge, mode].append(score.mean)
        began = time.process_time()
    return curve._replace(seconds=seconds)


def keys() -> list[Key]:
    """Return what there is a curve of: judge and mode."""
    return list(itertools.product(JUDGES, MODES))


def mean_curve(curves: list[Curve], key: Key) -> np.ndarray:
    """Return the mean of some curves at each step."""
    return np.mean([curve.scores[key] for curve in curves], axis=0)


def as_table(curves: dict[Recipe, list[Curve]]) -> Table:
    """Return where the curves end: the mean, and the least and most of the seeds."""
    table = Table(title="Games won at the end", title_justify="left")
    for heading in ("against", "actions", *curves):
        table.add_column(heading)
    for key in keys():
        cells: list[str] = []
        for of_recipe in curves.values():
            ends = [curve.scores[key][-1] for curve in of_recipe]
            span = f"{percent(min(ends))} to {percent(max(ends))}"
            cells.append(f"{percent(float(np.mean(ends)))} ({span})")
        table.add_row(*key, *cells)
    return table


def as_json(curves: dict[Recipe, list[Curve]], about: dict[str, Any]) -> dict[str, Any]:
    """Return all figures as JSON objects."""

    def of(curve: Curve) -> dict[str, Any]:
        scores = {", ".join(key): values for key, values in curve.scores.items()}
        return {
            "seed": curve.seed,
            "learning_seconds": round(curve.seconds, 1),
            "steps": curve.steps,
            "games_won": scores,
        }

    recipes = {recipe: list(map(of, some)) for recipe, some in curves.items()}
    return {**about, "recipes": recipes}


def draw(curves: dict[Recipe, list[Curve]], games: int, path: Path) -> None:
    """Draw the curves over steps: thin for each seed, thick for their mean."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter, PercentFormatter

    figure = Figure(figsize=(8, 6), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    some = next(iter(curves.values()))
    seeds, steps = len(some), some[0].steps
    for (judge, mode), axes in zip(keys(), panels.T.flat, strict=True):
        for recipe, of_recipe in curves.items():
            look = {"color": COLOURS[recipe], "linestyle": STYLES[recipe]}
            for curve in of_recipe:
                values = curve.scores[judge, mode]
                axes.plot(steps, values, **look, linewidth=0.8, alpha=0.45)
            mean = mean_curve(of_recipe, (judge, mode))
            axes.plot(steps, mean, **look, linewidth=2.2, label=recipe)
        axes.set_title(f"against {judge}, actions {mode}", fontsize=10)
        axes.grid(color="0.9", linewidth=0.6)
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.set(ylim=(0, 1), xlim=(0, steps[-1]))
    panels[0, 1].legend(loc="upper left", frameon=False)
    figure.supxlabel("Decisions learned from", fontsize=10)
    figure.suptitle(
        f"Can't Stop, games won. Thick: mean of seeds ({seeds}). {games} games a point",
        fontsize=11,
    )
    figure.savefig(path, dpi=100)


def write(
    curves: dict[Recipe, list[Curve]], config: TrainConfig, games: int, out: Path
) -> None:
    """Write the figures, and the plot of them, as far as they are there."""
    values = config.to_json()
    about = {
        "machine": machine(),
        "processor_seconds": round(time.process_time()),
        "games_a_point": games,
        "settings": {name: values[name] for name in SHOWN_SETTINGS},
    }
    text = json.dumps(as_json(curves, about), indent=1)
    out.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    draw(curves, games, out.with_suffix(".png"))


def check(steps: int, every: int, seeds: int, games: int, out: Path) -> None:
    """Raise ``ValueError`` for a value out of range, and say which one."""
    options.whole_number("seeds", seeds, 1, MAX_SEEDS)
    options.whole_number("games", games, 2, MAX_GAMES)
    options.whole_number("steps", steps, ROLLOUT, MAX_STEPS)
    options.whole_number("every", every, ROLLOUT, steps)
    for name, value, unit in (("every", every, ROLLOUT), ("steps", steps, every)):
        if value % unit:
            raise ValueError(f"{name}={value} is not a multiple of {unit}")
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {str(out.parent)!r} to write to")


def main(
    steps: int = 102_400,
    every: int = 10_240,
    seeds: int = 3,
    games: int = 400,
    out: Path = Path("docs/tutorial_comparison"),
) -> None:
    """Train by both recipes, judge them on the way and write down how it went.

    Args:
        steps: Decisions that each training learns from.
        every: Decisions from one evaluation, and one past self, to the next.
        seeds: Trainings by each recipe.
        games: Games against each bot in an evaluation, half of them at each seat.
        out: Files for the figures and the plot, without their .json and .png.
    """
    try:
        check(steps, every, seeds, games, out)
    except ValueError as error:
        sys.exit(f"tutorial_comparison: {error}")
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))
    curves: dict[Recipe, list[Curve]] = {ONE_SEAT: [], TUTORIAL: []}
    for seed in range(seeds):
        config = settings(seed, steps, every)
        for recipe, of_recipe in curves.items():
            curve = learn(recipe, config, games)
            of_recipe.append(curve)
            ends = (f"{', '.join(k)} {percent(curve.scores[k][-1])}" for k in keys())
            print_plain(console, f"{recipe}, seed {seed}: {'; '.join(ends)}")
        write(curves, config, games, out)
    console.print(as_table(curves))
    print_plain(console, f"{time.process_time():.0f} s of processor time")


if __name__ == "__main__":
    tyro.cli(main)
