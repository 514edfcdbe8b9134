"""Results of a tournament on the terminal."""

import itertools
import shlex
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from benchmarks.ratings.bradley_terry import MEAN
from benchmarks.ratings.intervals import Interval
from benchmarks.report import formatting
from benchmarks.report.summary import Tables, tabulate
from benchmarks.tournament.results import Results
from benchmarks.tournament.results_file import read_times

__all__ = ["forfeit_lines", "print_results", "progress_bar", "standings"]

FORFEITS_SHOWN = 5
"""Forfeits of each agent that are told one by one."""

STANDINGS = (
    "#",
    "Agent",
    "Elo",
    "95 % interval",
    "Score",
    "95 % interval",
    "Sets",
    "Decisions a game",
    "Time a move",
    "Forfeits",
)

MAX_NAMED = 6
"""Agents whose names head the columns of a cross table; more have numbers."""

MAX_IN_CROSS_TABLE = 14
"""Agents of which a cross table has room in 160 columns."""

TOO_WIDE = (
    "The cross table is too wide to be shown here; a report (--report FOLDER) has it, "
    "in colours and as CSV."
)


class _Rate(ProgressColumn):
    """How many things are done a second."""

    def __init__(self, things: str) -> None:
        super().__init__()
        self._things = things

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed or 0.0
        return Text(f"{speed:.0f} {self._things}/s")


def progress_bar(console: Console, things: str = "games") -> Progress:
    """Return a progress bar of some things, silent where there is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(things),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )


def print_results(console: Console, results: Results, path: Path) -> None:
    """Print the tables, the forfeits and where the games are."""
    tables = tabulate(results, read_times(path))
    console.print(standings(tables))
    lines = []
    if len(results.matches) > 1:
        if len(tables.agents) <= MAX_IN_CROSS_TABLE:
            console.print(cross_table(tables))
        else:
            lines.append(TOO_WIDE)
    lines += [explanation(tables), *map(str, tables.separated)]
    lines += [*forfeit_lines(results), *_where(path)]
    text = "\n".join(lines)
    console.print(text, markup=False, emoji=False, highlight=False, soft_wrap=True)


def standings(tables: Tables) -> Table:
    """Return a table of the agents, the best first."""
    table = Table(title="Standings")
    for name in STANDINGS:
        justify = "left" if name == "Agent" else "right"
        table.add_column(name, justify=justify, overflow="fold")
    for place, row in enumerate(tables.standings, start=1):
        table.add_row(
            str(place),
            Text(row.agent),
            formatting.elo(row.rating.elo) if row.rating else formatting.UNKNOWN,
            formatting.rating_range(row.rating, tables.anchor),
            formatting.percent(row.score.mean) if row.score else formatting.UNKNOWN,
            formatting.percent_range(row.score) if row.score else formatting.UNKNOWN,
            str(row.sets),
            formatting.UNKNOWN if row.decisions is None else f"{row.decisions:.1f}",
            formatting.duration(row.seconds),
            str(row.forfeits),
        )
    return table


def cross_table(tables: Tables) -> Table:
    """Return a table of each agent (row) with each other one (column)."""
    agents = tables.agents
    table = Table(title="Score of the row against the column, in %")
    table.add_column("", overflow="fold")
    named = len(agents) <= MAX_NAMED
    for place, agent in enumerate(agents, start=1):
        heading = Text(agent if named else str(place))
        table.add_column(heading, justify="right", overflow="fold")
    for place, agent in enumerate(agents, start=1):
        cells = [_cell(tables.cross.get((agent, opponent))) for opponent in agents]
        table.add_row(Text(agent if named else f"{place} {agent}"), *cells)
    return table


def explanation(tables: Tables) -> str:
    """Return what the scores and ratings mean."""
    seats = round(1 / tables.equal)
    ratings = tables.ratings
    if ratings is None:
        rated = f"There are no ratings: {tables.unrated}."
    else:
        zero = "their mean" if ratings.anchor == MEAN else ratings.anchor
        rated = (
            f"Elo is relative to {zero} at 0, and depends on who else plays: compare "
            "within this table. Intervals hold 95 %."
        )
    equal = formatting.percent(tables.equal)
    return (
        f"A score is the share of wins; equal agents have {equal}. A set is {seats} "
        "games with the same seed, each agent at every seat once. A game that is cut "
        f"short counts as shared by all. {rated}"
    )


def forfeit_lines(results: Results, shown: int = FORFEITS_SHOWN) -> list[str]:
    """Return who forfeited which game and why, and how many more there are."""
    lines = []
    for agent in results.agents:
        forfeits = results.forfeits_of(agent)
        for forfeit in itertools.islice(forfeits, shown):
            lines.append(f"{agent} forfeits game {forfeit.number}: {forfeit.reason}")
        if len(forfeits) > shown:
            lines.append(f"{agent} forfeits {len(forfeits) - shown} more games")
    return lines


def _cell(score: Interval | None) -> str:
    if score is None:
        return ""
    return f"{100 * score.mean:.1f}\n{100 * score.low:.0f}-{100 * score.high:.0f}"


def _where(path: Path) -> list[str]:
    name = shlex.quote(str(path))
    return [
        f"The games are in {path}",
        f"To check that they replay:  tabletop replay {name}",
        f"To see the first one:       tabletop replay {name} --game 1",
    ]
