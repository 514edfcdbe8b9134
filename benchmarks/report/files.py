"""The report of a tournament in files: HTML to look at, Markdown and CSV to take along.

``write_report(Path("results/azul.jsonl"), Path("report"))``.
"""

import csv
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.package import writable
from benchmarks.report import formatting
from benchmarks.report.digest import Digest
from benchmarks.report.html import facts, page, require_packages, subtitle
from benchmarks.report.summary import Standing, Tables, seat_scores

__all__ = ["check_report", "write_report"]


def write_report(results: Path, out: Path) -> list[Path]:
    """Write the report of a file of results, whether or not it is finished.

    Args:
        results: The file.
        out: A folder, which gets ``report.html``, ``report.md``, ``standings.csv`` and
            ``cross_table.csv``; or a name that ends in ``.html``, for that one alone.

    Returns:
        What was written.

    Raises:
        ImportError: If jinja2 or matplotlib is not installed.
        OSError: If a file cannot be read or written.
        ValueError: If ``results`` is no file of results.
    """
    digest = Digest.read(results)
    wanted: dict[Path, Callable[[Digest], str]]
    if out.suffix == ".html":
        wanted = {out: page}
    else:
        wanted = {
            out / "report.html": page,
            out / "report.md": markdown,
            out / "standings.csv": lambda digest: standings_csv(digest.tables),
            out / "cross_table.csv": lambda digest: cross_table_csv(digest.tables),
        }
    for path, text_of in wanted.items():
        text = text_of(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return list(wanted)


def check_report(results: Path, out: Path) -> None:
    """Find out before the games whether their report can be written.

    Raises:
        ImportError, OSError: As ``write_report`` does.
        ValueError: If the report would take the place of the results.
    """
    require_packages()
    file = out if out.suffix == ".html" else out / "report.html"
    if out.resolve() == results.resolve():
        raise ValueError(f"{out} is for the games; give the report another name")
    writable(file)


def markdown(digest: Digest) -> str:
    """Return the report in Markdown; the same results give the same text.

    Times are left out of it, since no two runs have the same.
    """
    tables = digest.tables
    parts = [
        f"# {digest.header['game']}",
        f"{subtitle(digest)}.",
        "\n".join(f"- {name}: {_code(value)}" for name, value in facts(digest).items()),
        "## Standings",
        f"There are no ratings: {tables.unrated}." if tables.unrated else "",
        _table(_STANDINGS, [_standing(row, tables) for row in tables.standings]),
        *map(_plain, map(str, tables.separated)),
        "## Score of the row against the column",
        _cross(tables),
        _seats(digest),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def standings_csv(tables: Tables) -> str:
    """Return the standings as CSV; what is not known is left empty."""
    header = (
        "agent,elo,elo_low,elo_high,sure_ahead_of_next,score,score_low,score_high,"
        "sets,games,decisions_per_game,seconds_per_move,forfeits"
    )
    rows = [
        [
            row.agent,
            *_numbers(row.rating and (row.rating.elo, row.rating.low, row.rating.high)),
            *_numbers((row.sure,)),
            *_numbers(row.score and tuple(row.score)),
            row.sets,
            row.games,
            *_numbers((row.decisions, row.seconds)),
            row.forfeits,
        ]
        for row in tables.standings
    ]
    return _csv(header.split(","), rows)


def cross_table_csv(tables: Tables) -> str:
    """Return the cross table as CSV, with a line for each pair that met."""
    rows = [
        [agent, opponent, *_numbers(tuple(tables.cross[agent, opponent]))]
        for agent in tables.agents
        for opponent in tables.agents
        if (agent, opponent) in tables.cross
    ]
    return _csv(["agent", "opponent", "score", "score_low", "score_high"], rows)


_STANDINGS = (
    "Agent",
    "Elo",
    "95 %",
    "Ahead of the next",
    "Score",
    "Games",
    "Decisions a game",
    "Forfeits",
)


def _standing(row: Standing, tables: Tables) -> list[str]:
    rating, ahead, unknown = row.rating, row.ahead, formatting.UNKNOWN
    return [
        _code(row.agent),
        formatting.elo(rating.elo) if rating else unknown,
        formatting.rating_range(rating, tables.anchor),
        f"{formatting.elo(ahead.mean)} ({formatting.elo_range(ahead)})"
        if ahead
        else unknown,
        formatting.percent(row.score.mean) if row.score else unknown,
        str(row.games),
        unknown if row.decisions is None else f"{row.decisions:.1f}",
        str(row.forfeits),
    ]


def _cross(tables: Tables) -> str:
    rows = []
    for agent in tables.agents:
        scores = [tables.cross.get((agent, opponent)) for opponent in tables.agents]
        cells = [
            f"{formatting.percent(score.mean)} ({formatting.percent_range(score)})"
            if score
            else ""
            for score in scores
        ]
        rows.append([_code(agent), *cells])
    return _table(["", *map(_code, tables.agents)], rows)


def _seats(digest: Digest) -> str:
    seats = seat_scores(digest.results)
    if not seats:
        return ""
    rows = [
        [
            f"player_{seat}",
            formatting.percent(score.mean),
            formatting.percent_range(score),
        ]
        for seat, score in enumerate(seats)
    ]
    return "## Score of each seat\n\n" + _table(["Seat", "Score", "95 %"], rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _code(text: str) -> str:
    """Return text that Markdown shows as it is, in a table, too."""
    plain = " ".join(text.split()).replace("`", "'").replace("|", "\\|")
    return f"`{plain}`"


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is, outside of a table."""
    return re.sub(r"([\\`*_{}\[\]<>#|&!])", r"\\\1", text)


def _numbers(values: Sequence[float | None] | None) -> list[str]:
    if values is None:
        return [""] * 3
    return ["" if value is None else f"{value:.6g}" for value in values]


def _csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([header, *rows])
    return file.getvalue()
