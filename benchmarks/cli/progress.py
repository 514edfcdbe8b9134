"""The line that a tournament shows of itself while it is played."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from benchmarks.cli.console import print_plain
from benchmarks.cli.tables import progress_bar
from benchmarks.tournament.results import Results
from benchmarks.tournament.run import Run
from game_core.agents.play import GameLog

__all__ = ["Describe", "leader", "live_line"]

FORFEITS_TOLD = 3
"""Forfeits of each agent that are told while the games go on."""

SECONDS_BETWEEN = 0.5

Describe = Callable[[Results], str]


def leader(results: Results) -> str:
    """Return who is ahead, in a few words."""
    best = max(results.played, key=lambda a: results.wins[a] / results.played[a])
    share = results.wins[best] / results.played[best]
    return f"Playing; {best} leads with {share:.0%}"


@contextmanager
def live_line(
    console: Console, run: Run, describe: Describe = leader
) -> Iterator[Callable[[GameLog], None]]:
    """Show how far a tournament is, and tell the first forfeits as they happen.

    Args:
        console: Where to.
        run: The tournament.
        describe: Says how it stands.

    Yields:
        The function to call after each game.
    """
    if run.there:
        of_all = f"{run.there} of {run.there + run.missing} games are there"
        print_plain(console, f"Continuing: {of_all}.")
    told: Counter[str] = Counter()
    shown = 0.0
    with progress_bar(console) as progress:
        total = run.there + run.missing
        task = progress.add_task("Playing", total=total, completed=run.there)

        def on_game(log: GameLog) -> None:
            nonlocal shown
            progress.advance(task)
            if log.forfeit_seat is not None:
                offender = log.agents[log.forfeit_seat]
                told[offender] += 1
                if told[offender] <= FORFEITS_TOLD:
                    number = run.results.games
                    reason = f"forfeits game {number}: {log.forfeit_reason}"
                    print_plain(progress.console, f"{offender} {reason}")
            if time.monotonic() - shown > SECONDS_BETWEEN and console.is_terminal:
                shown = time.monotonic()
                progress.update(task, description=describe(run.results))

        yield on_game
