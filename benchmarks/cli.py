"""The command ``tabletop``: a dataclass for each subcommand, whose ``run`` does it."""

import dataclasses
import datetime
import inspect
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tyro import cli
from tyro.conf import Positional, arg, subcommand

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.tournament import Tournament

SUCCESS, FAILURE, WRONG_USE, INTERRUPTED = 0, 1, 2, 130

DESCRIPTION = """Board games for reinforcement learning, from the command line.

For instance: tabletop tournament cant_stop --agents random my_bot.py:my_bot"""

PLAIN_WIDTH = 160
"""Width of tables where there is no terminal."""


class UsageError(ValueError):
    """A wrong use of the command, in words for the user."""


@dataclasses.dataclass(frozen=True)
class TournamentCommand:
    """Let agents play each other, and log every game.

    All play all, at every seat with the same seeds. An agent of your own runs in a
    process of its own, and loses a game in which it takes too long, crashes or plays
    an illegal action.

    Attributes:
        game: Id of the game, for instance cant_stop.
        agents: Names of baselines (see "tabletop agents"), or your own agents as
            my_bot.py:my_bot or my_package.my_module:my_bot.
        games: Games in each match, rounded up so that all sit at every seat.
        seed: The same seed plays the same tournament.
        num_players: Players in a game.
        option: Other options of the game, for instance columns_to_win=4
            occupied=jump.
        time_limit: Seconds that your own agents have for a move.
        start_limit: Seconds that they have to start, and once again for their first
            move.
        out: File for the results; by default results/GAME-TIME.jsonl.
    """

    game: Annotated[Positional[str], arg(metavar="GAME")]
    agents: Annotated[tuple[str, ...], arg(metavar="AGENT AGENT ...")]
    games: int = 1000
    seed: int = 0
    num_players: int = 2
    option: Annotated[tuple[str, ...], arg(metavar="NAME=VALUE ...")] = ()
    time_limit: Annotated[float, arg(metavar="SECONDS")] = 1.0
    start_limit: Annotated[float, arg(metavar="SECONDS")] = 60.0
    out: Annotated[Path | None, arg(metavar="PATH")] = None

    def run(self, console: "Console") -> int:
        """Play the tournament and print its tables; return the exit status."""
        from benchmarks.report import print_results, progress_bar
        from benchmarks.tournament import Schedule, run_tournament

        tournament = self._tournament()
        out = self.out or default_path(self.game)
        with progress_bar(console) as progress:
            task = progress.add_task("Playing", total=Schedule(tournament).games)
            try:
                results = run_tournament(
                    tournament, out, lambda log, results: progress.advance(task)
                )
            except KeyboardInterrupt:
                games = (
                    f"the games so far are in {out}" if out.exists() else "no game yet"
                )
                _complain(f"interrupted; {games}")
                return INTERRUPTED
        print_results(console, results, out)
        return SUCCESS

    def _tournament(self) -> "Tournament":
        from benchmarks.tournament import Tournament

        return Tournament(
            game=self.game,
            agents=self.agents,
            games=self.games,
            seed=self.seed,
            options={"num_players": self.num_players} | parse_options(self.option),
            time_limit=self.time_limit,
            start_limit=self.start_limit,
        )


@dataclasses.dataclass(frozen=True)
class ReplayCommand:
    """Check that all games in a file replay to their results, or show one of them.

    Attributes:
        file: A file that a tournament wrote.
        game: Number of the game to show, from 1; by default all are checked.
    """

    file: Annotated[Positional[Path], arg(metavar="FILE")]
    game: Annotated[int | None, arg(metavar="NUMBER")] = None

    def run(self, console: "Console") -> int:
        """Check the file or show a game; return the exit status."""
        if self.game is None:
            return self._verify(console)
        from benchmarks.replays import in_words, read_game

        for text in in_words(read_game(self.file, self.game)):
            _print_plain(console, text)
        return SUCCESS

    def _verify(self, console: "Console") -> int:
        from benchmarks.replays import planned_games, verify
        from benchmarks.report import progress_bar

        with progress_bar(console) as progress:
            task = progress.add_task("Replaying", total=planned_games(self.file))
            verdict = verify(self.file, lambda: progress.advance(task))
        if verdict.planned is not None and verdict.games < verdict.planned:
            of_all = f"{verdict.games} of {verdict.planned} games"
            _print_plain(console, f"The tournament was cut short: {of_all} are there.")
        if not verdict.faults:
            _print_plain(console, f"All {verdict.games} games replay to their results.")
            return SUCCESS
        line, reason = verdict.faults[0]
        _complain(f"{self.file}, line {line}: {reason}")
        _complain(f"{len(verdict.faults)} of {verdict.games} games do not replay")
        return FAILURE


@dataclasses.dataclass(frozen=True)
class AgentsCommand:
    """List the agents that come with the package.

    Attributes:
        game: Id of the game that they play; by default all games.
    """

    game: Annotated[Positional[str | None], arg(metavar="GAME")] = None

    def run(self, console: "Console") -> int:
        """List the agents; return the exit status."""
        from game_core.registry import GAMES, agent_names

        if self.game is not None and self.game not in GAMES:
            raise UsageError(
                f"unknown game {self.game!r}; known games: {', '.join(GAMES)}"
            )
        for game_id in [self.game] if self.game else GAMES:
            _print_plain(console, game_id)
            for name in agent_names(game_id):
                _print_plain(console, f"  {name:<20} {_summary(name, game_id)}")
        return SUCCESS


Command = (
    Annotated[TournamentCommand, subcommand("tournament")]
    | Annotated[ReplayCommand, subcommand("replay")]
    | Annotated[AgentsCommand, subcommand("agents")]
)


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Args:
        args: The arguments; by default those of this process.
    """
    args = sys.argv[1:] if args is None else args
    command = cli(
        Command, prog="tabletop", description=DESCRIPTION, args=args or ["--help"]
    )
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    try:
        return command.run(console)
    except (ValueError, OSError) as error:
        _complain(str(error))
        return WRONG_USE
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED


def parse_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Return options given as "name=value".

    A value is a whole number, None, or else a word; the game checks it.

    Raises:
        UsageError: For another form, an option given twice, or "num_players".
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not (name and equals):
            raise UsageError(f"option {pair!r} is not of the form name=value")
        if name == "num_players":
            raise UsageError(f"option {pair!r}: give --num-players {text}")
        if name in options:
            raise UsageError(f"option {name!r} is given twice")
        options[name] = _value(text)
    return options


def default_path(game_id: str) -> Path:
    """Return a new name for a file of results."""
    return Path("results") / f"{game_id}-{datetime.datetime.now():%Y%m%d-%H%M%S}.jsonl"


def _value(text: str) -> Any:
    """Return what an option's text stands for: a JSON object, a constant, a number."""
    if text.startswith("{"):
        try:
            return json.loads(text)
        except ValueError as error:
            raise UsageError(f"{text!r} is no JSON object: {error}") from None
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return {"None": None, "True": True, "False": False}.get(text, text)


def _summary(name: str, game_id: str) -> str:
    from game_core.registry import find_agent

    return (inspect.getdoc(find_agent(name, game_id)) or "").partition("\n")[0]


def _print_plain(console: "Console", text: str) -> None:
    console.print(text, markup=False, emoji=False, highlight=False, soft_wrap=True)


def _complain(message: str) -> None:
    print(f"tabletop: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
