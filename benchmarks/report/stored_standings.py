"""The standings that come with the package: ``standings.json``, and as Markdown.

``python -m benchmarks.studies.standings`` makes them; ``tabletop agents`` shows them.
"""

import dataclasses
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.report import formatting

__all__ = [
    "DATA",
    "StoredBot",
    "StoredTable",
    "elo_words",
    "markdown",
    "read_standings",
    "store",
    "stored_bots",
]

if TYPE_CHECKING:
    from benchmarks.report.summary import Standing, Tables

DATA = Path(__file__).with_name("standings.json")

COLUMNS = (
    *("Bot", "Elo", "95 %", "Ahead of the next", "Score", "Games"),
    *("Decisions a game", "Time a move"),
)

INTRODUCTION = """# Standings

Every bot of the package plays against every other one. In each table one bot is fixed
at an Elo rating of 0. Intervals are 95 %, over sets of games: a set has the same seed,
and each bot plays once at every seat. A score is the share of wins in all games of a
bot. Slow bots play fewer games, so scores stand for different mixes of opponents:
compare bots by Elo. Compare times only with each other, as they depend on the machine.

[benchmarks/studies/standings.py](../benchmarks/studies/standings.py) says how many
games a match has. `tabletop agents` says how the bots play. The commands below write
this page."""


@dataclasses.dataclass(frozen=True)
class StoredBot:
    """A bot's line in the standings of a game.

    Attributes:
        name: The bot.
        elo: Its rating, with the ends of its 95 % interval; those of one are 0.
        ahead: By how many Elo it is above the next, with the ends; None for the last.
        score: Its mean part of a win in its games, of which some opponents have more.
        games: Number of its games.
        decisions: Its decisions in a game on average.
        seconds: Seconds for a move on average; None if not known.
    """

    name: str
    elo: tuple[float, float, float]
    ahead: tuple[float, float, float] | None
    score: float
    games: int
    decisions: float
    seconds: float | None


@dataclasses.dataclass(frozen=True)
class StoredTable:
    """The standings of a game for a number of players.

    Attributes:
        game: Game id.
        version: Version of its rules.
        num_players: Players in a game.
        date: When they were played, year-month-day.
        package: Name and version of the package that played.
        command: The command that played.
        share: The part of the games of a full run that were played.
        games: Number of games in all.
        bounds: Sentences about bots that won or lost every game.
        bots: The bots, the best first.
    """

    game: str
    version: int
    num_players: int
    date: str
    package: str
    command: str
    share: float
    games: int
    bounds: tuple[str, ...]
    bots: tuple[StoredBot, ...]

    @property
    def about(self) -> str:
        """When, with what and how much was played, in words."""
        part = "" if self.share >= 1 else f", {self.share:.3g} of those of a full run"
        return f"{self.date}, {self.package}, {self.games} games{part}"

    @property
    def anchor(self) -> str:
        """The bot whose rating is 0."""
        return next(bot.name for bot in self.bots if not any(bot.elo))

    def bot(self, name: str) -> StoredBot | None:
        """Return the line of a bot; None if it did not play."""
        return next((bot for bot in self.bots if bot.name == name), None)


def stored_bots(tables: "Tables") -> tuple[StoredBot, ...]:
    """Return what is kept of a tournament whose agents all have ratings."""
    return tuple(_stored_bot(standing) for standing in tables.standings)


def read_standings(path: Path = DATA) -> list[StoredTable]:
    """Return the standings in a file, none if there is none.

    Raises:
        ValueError: If it holds something else.
    """
    if not path.exists():
        return []
    try:
        return [_read_table(table) for table in json.loads(path.read_bytes())["tables"]]
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"{path} holds no standings: {error!r}; "
            "python -m benchmarks.studies.standings makes them"
        ) from None


def store(table: StoredTable, path: Path = DATA) -> list[StoredTable]:
    """Put a table into a file, in place of the one of this game and size; return all.

    Raises:
        OSError: If it cannot be written.
        ValueError: If the file holds something else.
    """
    tables = {(t.game, t.num_players): t for t in read_standings(path)}
    tables[table.game, table.num_players] = table
    ordered = [tables[key] for key in sorted(tables)]
    content = {"tables": [dataclasses.asdict(table) for table in ordered]}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return ordered


def markdown(tables: Iterable[StoredTable]) -> str:
    """Return the standings in Markdown."""
    parts = [INTRODUCTION]
    for table in tables:
        parts += [
            f"## {table.game}, {table.num_players} players",
            f"{table.about}; rules version {table.version}.",
            _markdown_table([_cells(bot) for bot in table.bots]),
            *table.bounds,
            f"```console\n{table.command}\n```",
        ]
    return "\n\n".join(parts) + "\n"


def elo_words(bot: StoredBot) -> tuple[str, str]:
    """Return a rating and its interval."""
    elo, low, high = map(formatting.elo, bot.elo)
    return elo, "fixed" if low == high else f"{low} to {high}"


def _cells(bot: StoredBot) -> list[str]:
    ahead = formatting.UNKNOWN
    if bot.ahead is not None:
        mean, low, high = map(formatting.elo, bot.ahead)
        ahead = f"{mean} ({low} to {high})"
    return [
        f"`{bot.name}`",
        *elo_words(bot),
        ahead,
        formatting.percent(bot.score),
        str(bot.games),
        f"{bot.decisions:.1f}",
        formatting.duration(bot.seconds),
    ]


def _markdown_table(rows: Sequence[Sequence[str]]) -> str:
    lines = [COLUMNS, ["---"] + ["---:"] * (len(COLUMNS) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _stored_bot(row: "Standing") -> StoredBot:
    assert row.rating is not None
    assert row.score is not None
    assert row.decisions is not None
    rating, ahead = row.rating, row.ahead
    return StoredBot(
        name=row.agent,
        elo=_rounded(rating.elo, rating.low, rating.high),
        ahead=None if ahead is None else _rounded(*ahead),
        score=round(row.score.mean, 4),
        games=row.games,
        decisions=round(row.decisions, 1),
        seconds=row.seconds and float(f"{row.seconds:.2g}"),
    )


def _rounded(value: float, low: float, high: float) -> tuple[float, float, float]:
    return round(value, 1), round(low, 1), round(high, 1)


def _read_table(table: dict[str, Any]) -> StoredTable:
    bots = tuple(
        StoredBot(**{name: _frozen(value) for name, value in bot.items()})
        for bot in table["bots"]
    )
    return StoredTable(**table | {"bots": bots, "bounds": _frozen(table["bounds"])})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
