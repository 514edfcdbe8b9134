"""The report of a tournament as one HTML page that needs nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from benchmarks.ratings.intervals import Interval
from benchmarks.report import formatting
from benchmarks.report.digest import Digest, ShownGame
from benchmarks.report.highlights import Frame
from benchmarks.report.plots import length_plot, rating_plot, short_name
from benchmarks.report.summary import seat_scores
from benchmarks.viewer.pictures import Tags
from game_core.agents.play import FORFEIT, TERMINATED, TRUNCATED

__all__ = ["facts", "page", "require_packages", "subtitle"]

FORFEITS_SHOWN = 5
"""Forfeits of each agent that are told one by one."""

PACKAGES = ("jinja2", "matplotlib")

ENDINGS = (TERMINATED, TRUNCATED, FORFEIT, f"{FORFEIT} of another")
"""How a game can end for an agent, as ``Results.endings`` has it."""


def require_packages() -> None:
    """Raise ``ImportError`` unless all that a report takes is installed."""
    for name in PACKAGES:
        if find_spec(name) is None:
            raise ImportError(
                f"a report takes {name}: pip install 'tabletop-marl[report]'"
            )


def page(digest: Digest) -> str:
    """Return the page.

    Agents' names and reasons of forfeits were written by others; they are shown as
    text, whatever they hold.

    Raises:
        ImportError: If jinja2 or matplotlib is not installed.
    """
    require_packages()
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("benchmarks.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["formatting"] = formatting
    environment.filters["short"] = short_name
    return environment.get_template("report.html").render(_content(digest))


def _content(digest: Digest) -> dict[str, Any]:
    """Return what the template names."""
    tables, results = digest.tables, digest.results
    ratings = tables.ratings
    return {
        "title": digest.header["game"],
        "subtitle": subtitle(digest),
        "facts": facts(digest),
        "tables": tables,
        "rating_plot": rating_plot(ratings.rows) if ratings is not None else "",
        "length_plot": length_plot(results.lengths) if results.lengths else "",
        "shade": _shade,
        "endings": ENDINGS,
        "ends": results.endings,
        "seats": seat_scores(results),
        "forfeits": dict(_forfeits(digest)),
        "shown": FORFEITS_SHOWN,
        "games": [_game(game) for game in digest.shown_games()],
    }


def subtitle(digest: Digest) -> str:
    """Return how much was played."""
    header, games = digest.header, digest.results.games
    planned = header.get("games_in_all") or 0
    if games >= planned:
        played = f"{games} games"
    elif header.get("until") or header.get("test"):
        played = f"{games} games of at most {planned}"
    else:
        played = f"{games} of {planned} games"
    return f"A tournament of {len(digest.tables.agents)} agents: {played}"


def facts(digest: Digest) -> dict[str, str]:
    """Return what a file tells about its tournament: name -> value."""
    header = digest.header
    known = {
        "Options": formatting.settings(header.get("options", {})),
        "Command": " && ".join(map(formatting.command, digest.headers)),
        "Seed": header.get("seed"),
        "Package": header.get("package"),
        "Rules": f"version {header['version']}" if "version" in header else None,
        "File": digest.path.name,
    }
    return {name: str(value) for name, value in known.items() if value is not None}


def _shade(score: Interval, equal: float) -> tuple[str, int]:
    """Return the side of a score and how strongly its cell is coloured, in percent.

    A score of equal agents has no colour, and the extremes have the strongest one.
    """
    if score.mean >= equal:
        return "win", round(70 * (score.mean - equal) / (1 - equal))
    return "loss", round(70 * (equal - score.mean) / equal)


def _forfeits(digest: Digest) -> Iterator[tuple[str, list[Any]]]:
    for agent in digest.tables.agents:
        forfeits = digest.results.forfeits_of(agent)
        if forfeits:
            yield agent, forfeits


def _game(game: ShownGame) -> Mapping[str, Any]:
    log = game.log
    players = [f"player_{seat}: {agent}" for seat, agent in enumerate(log.agents)]
    rewards = [
        f"{agent} {reward:+.3g}"
        for agent, reward in zip(log.agents, log.rewards, strict=True)
    ]
    ending = f"forfeit: {log.forfeit_reason}" if log.ended == FORFEIT else log.ended
    return {
        "number": game.number,
        "reason": game.reason,
        "players": ", ".join(players),
        "seed": log.seed,
        "result": f"{', '.join(rewards)} ({ending})",
        "fault": game.fault,
        "picture": game.turns[-1].picture if game.turns else "",
        "moves": game.turns[-1].moves if game.turns else (),
        "film": _film(game.turns),
    }


def _film(turns: Sequence[Frame]) -> dict[str, Any]:
    """Return turns as the script of the page has them."""
    tags = Tags()
    numbered = [
        {"moves": turn.moves, "picture": tags.encode(turn.picture)} for turn in turns
    ]
    return {"turns": numbered, "tags": tags.tags}
