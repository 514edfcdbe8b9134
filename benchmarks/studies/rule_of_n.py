"""A study of Can't Stop: which rule of N is the best, and does 28 hold?

``python -m benchmarks.studies.rule_of_n [--games N] [--seed S] [--workers W] [--json
FILE]``. Each strategy of the field plays each other one, two at a table. All are
compiled and play in batches; together they play as many games as the public study of 38
strategies, which took 3.9 hours for 3.6 million.

Each match is of pairs, two games with the same seed and the seats swapped: see
``benchmarks/studies/round_robin.py``.
"""

import dataclasses
import itertools
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from benchmarks.cli.console import print_plain
from benchmarks.cli.tables import progress_bar
from benchmarks.ratings.bradley_terry import Rating, Ratings, rate
from benchmarks.ratings.intervals import Interval, score_interval
from benchmarks.ratings.sprt import PAIR_SCORES
from benchmarks.report import formatting
from benchmarks.speed.measure import machine
from benchmarks.studies.round_robin import LITERATURE, RULES, Clock, Study, Tally, run
from game_core.validation import options

__all__ = ["find_out", "main", "standings", "verdict"]

PUBLIC_GAMES, PUBLIC_HOURS = 3_600_000, 3.9
"""What the public study of 38 strategies played, and how long it took."""

MAX_WORKERS = 1024

PLAIN_WIDTH = 130
"""Width of tables where there is no terminal."""


@dataclasses.dataclass(frozen=True)
class Findings:
    """What a study came to.

    Attributes:
        ratings: Of the strategies, relative to the Rule of 28 if that takes part.
        scores: Strategy -> its mean score with a 95 % interval over pairs.
        cross: (Strategy, opponent) -> the strategy's score in their pairs.
        decisions: Strategy -> its decisions in a game on average.
        counts: Match -> pairs by score of its first (5,) int64.
    """

    ratings: Ratings
    scores: dict[str, Interval]
    cross: dict[tuple[str, str], Interval]
    decisions: dict[str, float]
    counts: dict[tuple[str, str], np.ndarray]


def find_out(study: Study, tallies: Iterable[Tally]) -> Findings:
    """Return what the batches of a study come to, in whatever order they are."""
    counts = {match: np.zeros(len(PAIR_SCORES), np.int64) for match in study.matches}
    decided = dict.fromkeys(study.field, 0)
    for tally in tallies:
        counts[tally.match] += tally.counts
        for name, decisions in zip(tally.match, tally.decisions.tolist(), strict=True):
            decided[name] += decisions
    sets: dict[tuple[str, str], np.ndarray] = {}
    for (name, other), of_match in counts.items():
        sets[name, other] = np.repeat(PAIR_SCORES, of_match)
        sets[other, name] = np.repeat(1 - PAIR_SCORES, of_match)
    by_name = {
        name: np.concatenate([sets[name, o] for o in study.field if o != name])
        for name in study.field
    }
    shares = {(a, b): np.stack([sets[a, b], sets[b, a]], axis=1) for a, b in counts}
    games = 2 * study.pairs * (len(study.field) - 1)
    anchor = LITERATURE if LITERATURE in study.field else None
    return Findings(
        ratings=rate(shares, anchor, study.seed),
        scores={name: score_interval(scores) for name, scores in by_name.items()},
        cross={match: score_interval(scores) for match, scores in sets.items()},
        decisions={name: decisions / games for name, decisions in decided.items()},
        counts=counts,
    )


def standings(findings: Findings) -> Table:
    """Return a table of the strategies, the best first."""
    table = Table(title="Strategies of Can't Stop, two players", title_justify="left")
    table.add_column("strategy")
    headings = ("score", "95 % interval", "Elo", "95 % interval", "above the next")
    for heading in (*headings, "decisions a game"):
        table.add_column(heading, justify="right")
    ratings = findings.ratings
    for row, below in itertools.zip_longest(ratings, ratings.rows[1:]):
        score = findings.scores[row.agent]
        table.add_row(
            row.agent,
            formatting.percent(score.mean),
            _percent_range(score),
            f"{row.elo:.1f}",
            "fixed" if row.agent == ratings.anchor else _range(row),
            "" if below is None else _elo(ratings.difference(row.agent, below.agent)),
            f"{findings.decisions[row.agent]:.1f}",
        )
    return table


def cross_table(findings: Findings) -> Table:
    """Return a table of each strategy (row) against each other one (column)."""
    table = Table(
        title="Score of the row against the column, in %", title_justify="left"
    )
    names = [row.agent for row in findings.ratings]
    table.add_column("")
    for place in range(1, len(names) + 1):
        table.add_column(str(place), justify="right")
    for place, name in enumerate(names, start=1):
        scores = [findings.cross.get((name, other)) for other in names]
        cells = ["" if score is None else f"{100 * score.mean:.1f}" for score in scores]
        table.add_row(f"{place} {name}", *cells)
    return table


def verdict(findings: Findings) -> str:
    """Return in words which rule of N is the best, and how far 28 is from it."""
    ratings = findings.ratings
    rules = [row.agent for row in ratings if row.agent in (LITERATURE, *RULES)]
    if LITERATURE not in rules or len(rules) < 2:
        return f"{ratings.rows[0].agent} is the best of the field."
    if rules[0] == LITERATURE:
        ahead = _elo(ratings.difference(LITERATURE, rules[1]))
        return f"Of the rules of N, 28 is the best: {ahead} Elo above {rules[1]}."
    ahead = _elo(ratings.difference(rules[0], LITERATURE))
    duel = findings.cross[rules[0], LITERATURE]
    return (
        f"Of the rules of N, {rules[0]} is the best: {ahead} Elo above {LITERATURE}, "
        f"which it beats with {formatting.percent(duel.mean)} ({_percent_range(duel)})."
    )


def timing(study: Study, workers: int, clock: Clock) -> str:
    """Return in words how long the games took, and what the public study took."""
    games = study.all_games
    public = PUBLIC_GAMES / (PUBLIC_HOURS * 3600)
    processes = f"{workers} process{'es' * (workers > 1)}"
    return (
        f"{games:,} games in {clock.seconds:.1f} s, of which {clock.warming:.1f} s to "
        f"compile or read the strategies; {games / clock.playing:,.0f} games/s in "
        f"{processes}. Processor time: {clock.used:.1f} s, that is "
        f"{clock.used / clock.seconds:.2f} cores. At the {public:.0f} games/s of the "
        f"public study: {games / public / 3600:.2f} hours, "
        f"{games / public / clock.seconds:.0f} times as long."
    )


def as_json(study: Study, findings: Findings, clock: Clock) -> dict[str, Any]:
    """Return all figures as JSON objects."""

    def of(row: Rating) -> dict[str, Any]:
        return {
            "strategy": row.agent,
            "elo": [row.elo, row.low, row.high],
            "score": list(findings.scores[row.agent]),
            "decisions_per_game": findings.decisions[row.agent],
        }

    return {
        "machine": machine(),
        "seed": study.seed,
        "games": study.all_games,
        "anchor": findings.ratings.anchor,
        "strategies": [of(row) for row in findings.ratings],
        "pair_scores": PAIR_SCORES.tolist(),
        "matches": [
            {"strategies": list(match), "pairs_by_score": counts.tolist()}
            for match, counts in findings.counts.items()
        ],
        "clock": {**clock._asdict(), "seconds": clock.seconds},
    }


def main(
    games: int = PUBLIC_GAMES,
    seed: int = 0,
    workers: int | None = None,
    out: Annotated[Path | None, tyro.conf.arg(name="json", metavar="FILE")] = None,
) -> None:
    """Play the study, print what it came to and write it down.

    Args:
        games: Games of all matches together.
        seed: Of the study; the same one gives the same figures.
        workers: Processes that play; by default one for each core.
        out: File for the figures.
    """
    try:
        study = Study(games, seed)
        count = os.cpu_count() or 1 if workers is None else workers
        options.whole_number("workers", count, 1, MAX_WORKERS)
        console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
        tallies, clock = _run_and_show(study, count, console)
    except ValueError as error:
        sys.exit(f"study: {error}")
    except KeyboardInterrupt:
        sys.exit("study: interrupted")
    findings = find_out(study, tallies)
    for table in (standings(findings), cross_table(findings)):
        console.print(table)
    for text in (verdict(findings), timing(study, count, clock)):
        print_plain(console, text)
    if out is not None:
        figures = as_json(study, findings, clock)
        out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _run_and_show(
    study: Study, workers: int, console: Console
) -> tuple[list[Tally], Clock]:
    """Play a study and show how far it is."""
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))
    with progress_bar(console) as progress:
        task = progress.add_task("Playing", total=study.all_games)
        return run(study, workers, lambda pairs: progress.advance(task, 2 * pairs))


def _percent_range(score: Interval) -> str:
    """Return an interval with two decimals: there are that many games."""
    return f"{100 * score.low:.2f} to {100 * score.high:.2f} %"


def _range(elo: Interval | Rating) -> str:
    return f"{elo.low:.1f} to {elo.high:.1f}"


def _elo(difference: Interval) -> str:
    return f"{difference.mean:.1f} ({_range(difference)})"


if __name__ == "__main__":
    tyro.cli(main)
