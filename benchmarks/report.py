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

from benchmarks.intervals import Interval
from benchmarks.results import Results

FORFEITS_SHOWN = 5
"""Forfeits of each agent that are told one by one."""


class _Rate(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed or 0.0
        return Text(f"{speed:.0f} games/s")


def progress_bar(console: Console) -> Progress:
    """Return a progress bar that is silent where ``console`` is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )


def print_results(console: Console, results: Results, path: Path) -> None:
    """Print the tables, the forfeits and where the games are."""
    console.print(standings(results))
    if all(len(match) == 2 for match in results.matches) and len(results.matches) > 1:
        console.print(cross_table(results))
    lines = [explanation(results), *forfeit_lines(results), *_where(path)]
    text = "\n".join(lines)
    console.print(text, markup=False, emoji=False, highlight=False, soft_wrap=True)


def standings(results: Results) -> Table:
    """Return a table of the agents, the best first."""
    table = Table(title="Score over all games")
    for name in ("Agent", "Score", "95 % interval", "Sets", "Forfeits"):
        justify = "left" if name == "Agent" else "right"
        table.add_column(name, justify=justify, overflow="fold")
    for agent in sorted(results.agents, key=lambda a: -results.score(a).mean):
        score = results.score(agent)
        table.add_row(
            Text(agent),
            _percent(score.mean),
            _range(score),
            str(len(results.set_scores(agent))),
            str(len(results.forfeits_of(agent))),
        )
    return table


def cross_table(results: Results) -> Table:
    """Return a table of each agent (row) against each other one (column)."""
    table = Table(title="Score of the row against the column")
    table.add_column("", overflow="fold")
    for opponent in results.agents:
        table.add_column(Text(opponent), justify="right", overflow="fold")
    for agent in results.agents:
        cells = [_against(results, agent, opponent) for opponent in results.agents]
        table.add_row(Text(agent), *cells)
    return table


def explanation(results: Results) -> str:
    """Return what the scores mean."""
    seats = len(results.matches[0])
    return (
        f"A score is the share of wins; equal agents have {_percent(1 / seats)}. A set "
        f"is {seats} games with the same seed, each agent at every seat once. A game "
        "that is cut short counts as shared by all."
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


def _against(results: Results, agent: str, opponent: str) -> str:
    if agent == opponent:
        return ""
    score = results.score(agent, opponent)
    return f"{_percent(score.mean)}\n{_range(score)}"


def _where(path: Path) -> list[str]:
    name = shlex.quote(str(path))
    return [
        f"The games are in {path}",
        f"To check that they replay:  tabletop replay {name}",
        f"To see the first one:       tabletop replay {name} --game 1",
    ]


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def _range(score: Interval) -> str:
    return f"{100 * score.low:.1f} to {100 * score.high:.1f} %"
