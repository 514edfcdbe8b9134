"""The command ``tabletop``: a dataclass for each subcommand, whose ``run`` does it."""

import contextlib
import dataclasses
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tyro import cli
from tyro.conf import Positional, arg, subcommand

from benchmarks.cli.console import (
    FAILURE,
    INTERRUPTED,
    PIPE_CLOSED,
    SUCCESS,
    WRONG_USE,
    FailedError,
    UsageError,
    complain,
    optional,
    print_plain,
    tell_of_compiling,
)
from benchmarks.cli.pictures import RenderCommand, WatchCommand
from benchmarks.cli.play import PlayCommand
from benchmarks.cli.tournament import CompareCommand, TournamentCommand
from benchmarks.cli.train import TrainCommand
from benchmarks.package import version_in_words

__all__ = ["Command", "main"]

if TYPE_CHECKING:
    from rich.console import Console

DESCRIPTION = """\
Let agents play Can't Stop, Azul and ICECOOL; rate, train and watch them.

Example: tabletop tournament cant_stop --agents random my_bot.py:my_bot

"tabletop COMMAND --help" explains a command; "tabletop --version" prints
the version."""

PLAIN_WIDTH = 160
"""Width of tables where there is no terminal."""


@dataclasses.dataclass(frozen=True)
class ReplayCommand:
    """Check that every game in a file replays to its result, or print one game.

    Attributes:
        file: File that a tournament wrote.
        game: Number of the game to print, from 1. By default all games are checked.
    """

    file: Annotated[Positional[Path], arg(metavar="FILE")]
    game: Annotated[int | None, optional("NUMBER")] = None

    def run(self, console: "Console") -> int:
        """Check the file or show a game; return the exit status."""
        tell_of_compiling()
        if self.game is None:
            return self._verify(console)
        from benchmarks.tournament.replay import in_words, read_game

        for text in in_words(read_game(self.file, self.game)):
            print_plain(console, text)
        return SUCCESS

    def _verify(self, console: "Console") -> int:
        from benchmarks.cli.tables import progress_bar
        from benchmarks.tournament.replay import planned_games, verify

        with progress_bar(console) as progress:
            task = progress.add_task("Replaying", total=planned_games(self.file))
            verdict = verify(self.file, lambda: progress.advance(task))
        if verdict.planned is not None and verdict.games < verdict.planned:
            of_all = f"{verdict.games} of {verdict.planned} games"
            print_plain(console, f"The tournament was cut short: {of_all} are there.")
        if not verdict.faults:
            print_plain(console, f"All {verdict.games} games replay to their results.")
            return SUCCESS
        line, reason = verdict.faults[0]
        complain(f"{self.file}, line {line}: {reason}")
        complain(f"{len(verdict.faults)} of {verdict.games} games do not replay")
        return FAILURE


@dataclasses.dataclass(frozen=True)
class AgentsCommand:
    """List the built-in agents, strongest first.

    Attributes:
        game: Id of a game. By default all games.
    """

    game: Annotated[Positional[str | None], optional("[GAME]")] = None

    def run(self, console: "Console") -> int:
        """List the agents; return the exit status."""
        from benchmarks.cli.agents import agents_of, figures_of
        from benchmarks.report.stored_standings import read_standings
        from game_core.catalog import GAMES
        from game_core.validation.text import unknown

        if self.game is not None and self.game not in GAMES:
            raise UsageError(unknown("game", self.game, GAMES))
        stored = read_standings()
        for game_id in [self.game] if self.game else GAMES:
            console.print(agents_of(game_id, stored))
            print_plain(console, figures_of(game_id, stored))
        return SUCCESS


Command = (
    Annotated[TournamentCommand, subcommand("tournament")]
    | Annotated[CompareCommand, subcommand("compare")]
    | Annotated[ReplayCommand, subcommand("replay")]
    | Annotated[AgentsCommand, subcommand("agents")]
    | Annotated[TrainCommand, subcommand("train")]
    | Annotated[PlayCommand, subcommand("play")]
    | Annotated[WatchCommand, subcommand("watch")]
    | Annotated[RenderCommand, subcommand("render")]
)


def parse(args: Sequence[str]) -> Any:
    """Return the subcommand that arguments ask for.

    Raises:
        SystemExit: If they are wrong, which is told, or ask for help.
    """
    return cli(Command, prog="tabletop", description=DESCRIPTION, args=args)


def complain_of_mistakes(args: Sequence[str]) -> None:
    """Print which arguments name no subcommand or flag, and what was probably meant."""
    from benchmarks.cli.mistakes import mistakes

    for mistake in mistakes(args, help_of):
        complain(mistake)


def help_of(subcommand: Sequence[str]) -> str:
    """Return what ``--help`` prints for a subcommand, given as its words."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
        parse([*subcommand, "--help"])
    return text.getvalue()


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Args:
        args: The arguments; by default those of this process.
    """
    args = sys.argv[1:] if args is None else args
    if list(args) == ["--version"]:
        print(version_in_words())
        return SUCCESS
    try:
        command = parse(args or ["--help"])
    except SystemExit as end:
        if end.code == WRONG_USE:
            complain_of_mistakes(args)
        raise
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    try:
        return command.run(console)
    except BrokenPipeError:
        # Who reads, for instance "head", has enough; Python is not to complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except (ValueError, OSError, ImportError) as error:
        complain(_in_words(error))
        return WRONG_USE
    except FailedError as error:
        complain(str(error))
        return FAILURE
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED


def _in_words(error: Exception) -> str:
    """Return what an error says to a user."""
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return f"there is no file {str(error.filename)!r}"
    return str(error)
