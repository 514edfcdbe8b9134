"""Measurements: samples taken alternately, their spread, and how they are shown.

Other load on a machine comes and goes. What is compared is therefore measured by
turns in one run, and a ratio is taken within each turn.
"""

import importlib.metadata
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rich.table import Table

__all__ = [
    "Row",
    "as_table",
    "compare",
    "machine",
    "per_second",
    "spread",
    "take_turns",
]

PACKAGES = ("numpy", "numba", "pettingzoo", "gymnasium")


class Spread(NamedTuple):
    """The middle and the ends of some samples."""

    median: float
    least: float
    most: float


@dataclass(frozen=True)
class Row:
    """One thing measured.

    Attributes:
        name: What was measured.
        unit: Of the samples.
        samples: One for each turn.
        yardstick: What it is compared with; "" for nothing.
        ratios: The sample over that of the yardstick, for each turn; empty without.
        target: What the median ratio is to reach; None for no target.
    """

    name: str
    unit: str
    samples: Sequence[float]
    yardstick: str = ""
    ratios: Sequence[float] = ()
    target: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON objects."""
        return {
            "name": self.name,
            "unit": self.unit,
            **spread(self.samples)._asdict(),
            "ratio_to": self.yardstick or None,
            "ratio": spread(self.ratios)._asdict() if self.ratios else None,
            "target_ratio": self.target,
        }


def take_turns(
    contenders: Mapping[str, Callable[[], float]], turns: int
) -> dict[str, list[float]]:
    """Measure each contender once a turn.

    Args:
        contenders: Name -> what measures it and returns a sample.
        turns: How many samples to take of each.

    Returns:
        Name -> samples, in the order of the turns.
    """
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(turns):
        for name, measure in contenders.items():
            samples[name].append(measure())
    return samples


def compare(
    samples: Mapping[str, Sequence[float]],
    unit: str,
    yardstick: str,
    targets: Mapping[str, float] | None = None,
) -> list[Row]:
    """Return a row for each of the samples, compared with the yardstick's.

    Args:
        samples: Name -> samples, as ``take_turns`` returns them.
        unit: Of all samples.
        yardstick: One of the names; if it is missing nothing is compared.
        targets: Name -> what its median ratio is to reach.
    """
    rows: list[Row] = []
    for name, values in samples.items():
        if name == yardstick or yardstick not in samples:
            rows.append(Row(name, unit, values))
            continue
        pairs = zip(values, samples[yardstick], strict=True)
        ratios = [value / other for value, other in pairs]
        target = (targets or {}).get(name)
        rows.append(Row(name, unit, values, yardstick, ratios, target))
    return rows


def per_second(work: Callable[[], int], seconds: float) -> float:
    """Return how many things a second ``work``, which returns their number, does."""
    done = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        done += work()
    return done / (time.perf_counter() - start)


def spread(samples: Sequence[float]) -> Spread:
    """Return the median, the least and the most of some samples."""
    return Spread(statistics.median(samples), min(samples), max(samples))


def machine() -> dict[str, str]:
    """Return what the figures were measured on: name -> value."""
    return {
        "cpu": _cpu_model(),
        "cores": str(os.cpu_count()),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in PACKAGES},
    }


def as_table(title: str, rows: Sequence[Row]) -> Table:
    """Return rows as a table for the terminal."""
    table = Table(title=title, title_justify="left")
    table.add_column("what")
    for heading in ("median", "least", "most"):
        table.add_column(heading, justify="right")
    table.add_column("unit")
    table.add_column("ratio (least to most)", justify="right")
    table.add_column("target", justify="right")
    for row in rows:
        figures = [_figure(value) for value in spread(row.samples)]
        table.add_row(row.name, *figures, row.unit, _ratio(row), _target(row))
    return table


def _ratio(row: Row) -> str:
    if not row.ratios:
        return ""
    median, least, most = (_figure(value) for value in spread(row.ratios))
    return f"{median} ({least} to {most})"


def _target(row: Row) -> str:
    if row.target is None:
        return ""
    met = spread(row.ratios).median >= row.target
    return f"{_figure(row.target)} {'met' if met else 'missed'}"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _cpu_model() -> str:
    """Return the name of the processor, which only Linux tells in full."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return models[0] if models else platform.processor()
