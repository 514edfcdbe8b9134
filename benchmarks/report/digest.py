"""All that a report tells of a file of results, in one pass over its games."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.report.highlights import Candidates, Frame, frames, read_logs, shortened
from benchmarks.report.summary import Tables, tabulate
from benchmarks.tournament.results import Results
from benchmarks.tournament.results_file import Header, games_in, headers_in, read_times
from benchmarks.tournament.schedule import labels
from game_core.agents.play import GameLog

__all__ = ["Digest", "ShownGame"]


class ShownGame(NamedTuple):
    """A game to step through.

    Attributes:
        number: Of the game in its file, from 1.
        reason: Why it is shown.
        log: What happened in it.
        turns: Its turns; none if it does not replay.
        fault: Why it does not, or "".
    """

    number: int
    reason: str
    log: GameLog
    turns: list[Frame]
    fault: str


@dataclasses.dataclass(frozen=True)
class Digest:
    """What a file of results comes to.

    Attributes:
        path: The file.
        headers: Its headers, the last of which holds.
        results: The scores.
        tables: The tables.
        highlights: Why some games are worth a look: number of the game -> reason.
    """

    path: Path
    headers: Sequence[Header]
    results: Results
    tables: Tables
    highlights: dict[int, str]

    @property
    def header(self) -> Header:
        """The header that holds."""
        return self.headers[-1]

    @classmethod
    def read(cls, path: Path) -> "Digest":
        """Read a file of results, whether or not its tournament is finished.

        Raises:
            OSError: If it cannot be read.
            ValueError: If it is no file of results.
        """
        headers = headers_in(path)
        agents: dict[str, str] = {}
        for header in headers:
            agents |= labels(header["agents"], header.get("gauntlet", ()))
        results, candidates = Results((), list(agents)), Candidates()
        for number, game in enumerate(games_in(path), start=1):
            results.add(game.fixture, game.log, game.decisions)
            candidates.add(number, game.log)
        tables = tabulate(results, read_times(path))
        highlights = candidates.chosen(tables.ratings)
        return cls(path, headers, results, tables, highlights)

    def shown_games(self) -> list[ShownGame]:
        """Return the highlights, replayed."""
        logs = read_logs(self.path, self.highlights)
        return [
            _shown(number, reason, logs[number])
            for number, reason in self.highlights.items()
        ]


def _shown(number: int, reason: str, log: GameLog) -> ShownGame:
    try:
        turns, fault = shortened(list(frames(log))), ""
    except ValueError as error:
        turns, fault = [], str(error)
    return ShownGame(number, reason, log, turns, fault)
