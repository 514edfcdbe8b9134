"""Plots for the report, as SVG that takes its colours from the page around it."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.ratings.bradley_terry import Rating

__all__ = ["length_plot", "rating_plot", "short_name"]

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 4.6
"""Inches; as wide as a phone's screen, so that letters stay readable there."""

LONGEST_NAME = 24
"""Letters of an agent's name that a plot shows."""

MAX_BARS = 40

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # letters are the page's own
    "svg.hashsalt": "tabletop-marl",  # the same bytes each time
    "text.parse_math": False,  # a name may have a dollar in it
    "font.size": 9,
}

_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))

# matplotlib takes no colours by name of the page; it gets others, which are replaced.
_INK, _ACCENT, _LINE = "#010203", "#040506", "#070809"
_OF_PAGE = {_INK: "currentColor", _ACCENT: "var(--accent)", _LINE: "var(--line)"}


def rating_plot(ratings: Sequence[Rating]) -> str:
    """Return a plot of ratings with their intervals, the first at the top.

    Raises:
        ImportError: If matplotlib is not installed.
    """
    height = 0.75 + 0.24 * len(ratings)
    label = "Ratings of the agents with their 95 % intervals"
    return _drawn(lambda axes: _draw_ratings(axes, ratings), height, label)


def length_plot(lengths: Mapping[int, int]) -> str:
    """Return a histogram of the lengths of games: decisions -> games.

    Raises:
        ImportError: If matplotlib is not installed.
    """
    label = "How many games had how many decisions"
    return _drawn(lambda axes: _draw_lengths(axes, lengths), 1.9, label)


def short_name(agent: str) -> str:
    """Return an agent's name, without the middle if it is long."""
    if len(agent) <= LONGEST_NAME:
        return agent
    half = LONGEST_NAME // 2
    return f"{agent[: half - 1]}…{agent[-half:]}"


def _draw_ratings(axes: "Axes", ratings: Sequence[Rating]) -> None:
    places = np.arange(len(ratings))
    elo = np.array([rating.elo for rating in ratings])
    ends = np.array([(rating.low, rating.high) for rating in ratings])
    axes.hlines(places, ends[:, 0], ends[:, 1], color=_ACCENT, linewidth=2)
    axes.plot(elo, places, "o", color=_ACCENT, markersize=5)
    axes.set_yticks(places, [short_name(rating.agent) for rating in ratings])
    axes.set_ylim(len(ratings) - 0.5, -0.5)
    axes.locator_params(axis="x", nbins=6)
    axes.grid(axis="x", color=_LINE, linewidth=0.6)
    axes.set_xlabel("Elo, with 95 % intervals")


def _draw_lengths(axes: "Axes", lengths: Mapping[int, int]) -> None:
    values, counts = np.array(sorted(lengths.items())).T
    span = int(values[-1] - values[0]) + 1
    width = -(-span // MAX_BARS)
    edges = values[0] - 0.5 + width * np.arange(-(-span // width) + 1)
    axes.hist(values, edges.tolist(), weights=counts, color=_ACCENT, rwidth=0.85)
    axes.locator_params(axis="y", integer=True, nbins=5)
    axes.grid(axis="y", color=_LINE, linewidth=0.6)
    axes.set_xlabel("Decisions in a game")
    axes.set_ylabel("Games")


def _drawn(draw: Callable[["Axes"], None], height: float, label: str) -> str:
    """Return a plot as SVG.

    Args:
        draw: Draws it.
        height: Of the plot, in inches.
        label: What it shows, for those who do not see it.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_SETTINGS):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        _plain(axes)
        draw(axes)
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata=_NO_METADATA)
    text = file.getvalue()
    for colour, of_page in _OF_PAGE.items():
        text = text.replace(colour, of_page)
    start = text.index("<svg") + len("<svg")
    return f'<svg role="img" aria-label="{label}"{text[start:]}'


def _plain(axes: "Axes") -> None:
    """Leave only what tells something, in the colours of the page."""
    axes.set_axisbelow(True)
    axes.tick_params(color=_LINE, labelcolor=_INK)
    axes.xaxis.label.set_color(_INK)
    axes.yaxis.label.set_color(_INK)
    axes.spines[:].set_visible(False)
