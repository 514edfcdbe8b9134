"""How a training run goes: a table on disk, which resuming goes on with, and curves."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from baselines.training.config import TrainConfig
from baselines.training.evaluate import Score
from baselines.training.run_folder import RunFolder, naming

__all__ = [
    "ERROR",
    "LOSSES",
    "RATE",
    "RESULTS",
    "SCORE",
    "SECONDS",
    "STEPS",
    "TIMED",
    "Progress",
    "Row",
    "draw_curves",
]

Row = dict[str, float | None]

STEPS, SECONDS, RATE = "steps", "seconds", "steps_per_second"
TIMED = (SECONDS, RATE)
"""Columns that no two runs have in common."""

RESULTS = ("games", "reward", "decisions_per_game")
"""Games that ended since the last row, and their means."""

SCORE, ERROR = "score_", "error_"

LOSSES = {
    "maskable_ppo": (
        *("policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl"),
        *("clip_fraction", "explained_variance", "learning_rate"),
    ),
    "ppo": (
        *("policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl"),
        *("clip_fraction", "explained_variance", "std", "learning_rate"),
    ),
    "sac": ("actor_loss", "critic_loss", "learning_rate"),
}
"""What Stable-Baselines3 logs as "train/..."."""


class Progress:
    """The table ``progress.csv``: a row for each update, or for every so many steps.

    Attributes:
        rows: All rows so far: column -> number, or None where there is none.
    """

    def __init__(self, folder: RunFolder, config: TrainConfig) -> None:
        """Begin with no row and no file."""
        self.rows: list[Row] = []
        self.rivals = config.rivals
        self._path = folder.progress
        self._columns = [
            *(STEPS, SECONDS, RATE, *RESULTS, *LOSSES[config.algorithm]),
            *(kind + name for name in self.rivals for kind in (SCORE, ERROR)),
        ]

    @classmethod
    def read(cls, folder: RunFolder, config: TrainConfig, steps: int) -> Self:
        """Return the table in a folder up to a number of steps.

        Raises:
            OSError: If there is none.
        """
        progress = cls(folder, config)
        with progress._path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if any(value is None for value in row.values()):
                    break  # a line that was not written to its end
                numbers = {
                    name: float(row[name]) if row[name] else None for name in row
                }
                if (numbers[STEPS] or 0) > steps:
                    break
                progress.rows.append(numbers)
        return progress

    def write(self, folder: RunFolder) -> None:
        """Write the file with all rows so far.

        Raises:
            OSError: If it cannot be written.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self._columns)
        writer.writerows(map(self._line, self.rows))
        content = text.getvalue()
        folder.write(self._path, lambda path: path.write_text(content, "utf-8"))

    def add(self, row: Row) -> None:
        """Add a row, and write it at the end of the file.

        Raises:
            OSError: If it cannot be written.
        """
        self.rows.append(row)
        with (
            naming(self._path),
            self._path.open("a", encoding="utf-8", newline="") as file,
        ):
            csv.writer(file, lineterminator="\n").writerow(self._line(row))

    def scores(self, name: str) -> list[tuple[float, Score]]:
        """Return the evaluations against a bot: steps and score."""
        return [
            (row[STEPS] or 0.0, Score(mean, row[ERROR + name] or 0.0))
            for row in self.rows
            if (mean := row.get(SCORE + name)) is not None
        ]

    def _line(self, row: Row) -> list[Any]:
        values = (row.get(name) for name in self._columns)
        return [
            int(value) if value is not None and value == int(value) else value
            for value in values
        ]


def draw_curves(progress: Progress, title: str, path: Path) -> None:
    """Draw a picture of scores, of rewards in training and of losses over steps."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter

    figure = Figure(figsize=(10, 7), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, parse_math=False)
    (scores, rewards), (first, second) = figure.subplots(2, 2)
    for name in progress.rivals:
        _draw_scores(scores, progress.scores(name), name)
    scores.axhline(0.5, color="0.6", linewidth=0.8)
    scores.set(title="Games won, with 95 % intervals", ylim=(0, 1))
    if progress.rivals:
        scores.legend(loc="best", fontsize="small")
    _draw_columns(rewards, progress.rows, ("reward",))
    rewards.set(title="Reward in training, mean of games")
    losses = [name for name in progress.rows[-1] if "loss" in name]
    _draw_columns(first, progress.rows, losses)
    first.set(title="Losses")
    others = ("approx_kl", "clip_fraction", "explained_variance", "ent_coef", "std")
    _draw_columns(second, progress.rows, others)
    second.set(title="Of the updates", ylim=(-0.25, 1.25))
    last = progress.rows[-1][STEPS]
    for axes in (scores, rewards, first, second):
        axes.set(xlabel="Decisions of the learner", xlim=(0, last or 1))
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.grid(color="0.9", linewidth=0.6)
    figure.savefig(path, dpi=110)


def _draw_scores(axes: Any, scores: list[tuple[float, Score]], name: str) -> None:
    steps = [at for at, _ in scores]
    means = [score.mean for _, score in scores]
    low = [max(0.0, score.mean - score.error) for _, score in scores]
    high = [min(1.0, score.mean + score.error) for _, score in scores]
    (line,) = axes.plot(steps, means, marker=".", label=f"against {name}")
    axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.15, linewidth=0)


def _draw_columns(axes: Any, rows: Sequence[Row], names: Sequence[str]) -> None:
    drawn = False
    for name in names:
        points = [(row[STEPS], row[name]) for row in rows if row.get(name) is not None]
        if points:
            axes.plot(*zip(*points, strict=True), label=name, linewidth=1)
            drawn = True
    if drawn and len(names) > 1:
        axes.legend(fontsize="small")
