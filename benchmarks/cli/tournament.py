"""The subcommands of ``tabletop`` that play: a tournament, and a comparison of two."""

import contextlib
import dataclasses
import datetime
import os
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tyro.conf import OmitArgPrefixes, Positional, arg

from benchmarks.cli.console import (
    FAILURE,
    INTERRUPTED,
    SUCCESS,
    FailedError,
    UsageError,
    complain,
    optional,
    parse_options,
    print_plain,
)

__all__ = ["CompareCommand", "TournamentCommand", "interrupted_by_sigterm", "play"]

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.cli.progress import Describe
    from benchmarks.tournament.results import Results
    from benchmarks.tournament.run import Place
    from benchmarks.tournament.schedule import Tournament

GAMES, MAX_GAMES = 1000, 100_000
"""Games in a match: as many as that, or at most where something else ends it."""


class Terminated(KeyboardInterrupt):
    """The system, or another user, asked this process to end."""


@dataclasses.dataclass(frozen=True)
class Playing:
    """How the games are played.

    Attributes:
        seed: The same seed gives the same games. By default the seed of the --out file,
            if there is one, or else a random seed.
        option: Options of the game, for example columns_to_win=4 occupied=jump.
        workers: Number of processes; the results do not depend on it. By default one
            for each processor core.
        ray: Play on the Ray cluster at this address; without an address, on one that
            Ray finds or starts.
        time_limit: Seconds that your own agents have for each move.
        game_time_limit: Seconds that they have for all their moves in a game. By
            default there is no limit.
        start_limit: Seconds that they have to start, and again for their first move.
        memory_limit: Memory that they may use, in MiB. By default there is no limit.
        out: File for the results. An existing file is continued: only games that it
            lacks are played, and you may ask for more games or agents. By default
            results/GAME-TIME.jsonl.
    """

    seed: Annotated[int | None, optional("INT")] = None
    option: Annotated[tuple[str, ...], optional("NAME=VALUE ...")] = ()
    workers: Annotated[int | None, optional("INT")] = None
    ray: Annotated[tuple[str, ...] | None, optional("[ADDRESS]")] = None
    time_limit: Annotated[float, arg(metavar="SECONDS")] = 1.0
    game_time_limit: Annotated[float | None, optional("SECONDS")] = None
    start_limit: Annotated[float, arg(metavar="SECONDS")] = 60.0
    memory_limit: Annotated[int | None, optional("MIB")] = None
    out: Annotated[Path | None, optional("PATH")] = None

    def place(self) -> "Place":
        """Return where to play.

        Raises:
            UsageError: If Ray is given two addresses, or workers of ours, too.
        """
        from benchmarks.tournament.run import Place

        if self.ray is None:
            workers = (os.cpu_count() or 1) if self.workers is None else self.workers
            return Place(workers=workers)
        if len(self.ray) > 1 or self.workers is not None:
            raise UsageError("--ray takes one address or none, and no --workers")
        return Place(ray=True, address=self.ray[0] if self.ray else None)

    def tournament(self, game: str, num_players: int, **settings: Any) -> "Tournament":
        """Return what is to be played."""
        from benchmarks.tournament.schedule import Tournament

        return Tournament(
            game=game,
            seed=self.seed,
            options={"num_players": num_players} | parse_options(self.option),
            time_limit=self.time_limit,
            start_limit=self.start_limit,
            game_time_limit=self.game_time_limit,
            memory_limit=self.memory_limit,
            **settings,
        )


@dataclasses.dataclass(frozen=True)
class TournamentCommand:
    """Play a tournament between agents and log every game.

    Every agent meets every other one, at every seat and with the same seeds. Each of
    your own agents runs in a separate process, and loses a game in which it takes too
    long, crashes or plays an illegal action. Ctrl-C stops the tournament; the same
    command with --out FILE continues it.

    Attributes:
        game: Id of the game, for example cant_stop.
        agents: Names of built-in agents (see "tabletop agents"), or your own as
            my_bot.py:my_bot or my_package.my_module:my_bot.
        gauntlet: Play only matches that include at least one of these agents.
        games: Games in each match, rounded up so that all agents play equally often at
            every seat. By default 1000, or at most 100000 with --until.
        until: Stop once the 95 % interval of every rating is narrower than this. Agents
            that win or lose all their games are not waited for.
        num_players: Number of players in a game.
        report: Write a report to this folder, or to this file that ends in .html.
    """

    game: Annotated[Positional[str], arg(metavar="GAME")]
    agents: Annotated[tuple[str, ...], arg(metavar="AGENT AGENT ...")]
    playing: OmitArgPrefixes[Playing]
    gauntlet: Annotated[tuple[str, ...], optional("AGENT ...")] = ()
    games: Annotated[int | None, optional("INT")] = None
    until: Annotated[float | None, optional("ELO")] = None
    num_players: int = 2
    report: Annotated[Path | None, optional("PATH")] = None

    def run(self, console: "Console") -> int:
        """Play the tournament and print its tables; return the exit status."""
        games = GAMES if self.until is None else MAX_GAMES
        tournament = self.playing.tournament(
            self.game,
            self.num_players,
            agents=self.agents,
            gauntlet=self.gauntlet,
            games=games if self.games is None else self.games,
            until=self.until,
        )
        out = self.playing.out or default_path(self.game)
        if self.report is not None:
            from benchmarks.report.files import check_report

            check_report(out, self.report)
        results = play(console, tournament, out, self.playing.place())
        if results is None:
            return INTERRUPTED
        from benchmarks.cli.tables import print_results

        print_results(console, results, out)
        if self.report is not None:
            from benchmarks.report.files import write_report

            for path in write_report(out, self.report):
                print_plain(console, f"The report is in {shlex.quote(str(path))}")
        return SUCCESS


@dataclasses.dataclass(frozen=True)
class CompareCommand:
    """Find out which of two agents is stronger, in as few games as possible.

    They play pairs of games, with the same seed and swapped seats, until a sequential
    probability ratio test decides between two differences in strength.

    Attributes:
        game: Id of the game, for example cant_stop.
        first: First agent, built-in or your own.
        second: Second agent.
        elo0: The smaller difference: the first agent is stronger by this many Elo.
        elo1: The greater difference.
        alpha: Probability of deciding for elo1 when elo0 is true.
        beta: Probability of deciding for elo0 when elo1 is true.
        max_games: Stop without a decision after this many games.
    """

    game: Annotated[Positional[str], arg(metavar="GAME")]
    first: Annotated[Positional[str], arg(metavar="AGENT")]
    second: Annotated[Positional[str], arg(metavar="AGENT")]
    playing: OmitArgPrefixes[Playing]
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    max_games: int = MAX_GAMES

    def run(self, console: "Console") -> int:
        """Play until it is decided, and say it; return the exit status."""
        from benchmarks.tournament.compare import Hypotheses, compared, in_words

        hypotheses = Hypotheses(self.elo0, self.elo1, self.alpha, self.beta)
        agents = (self.first, self.second)
        tournament = hypotheses.of(
            self.playing.tournament(self.game, 2, agents=agents, games=self.max_games)
        )

        def describe(results: "Results") -> str:
            test = compared(tournament, results).test
            low, high = test.bounds
            return f"Playing; LLR {test.llr:.2f} ({low:.2f} to {high:.2f})"

        out = self.playing.out or default_path(self.game)
        results = play(console, tournament, out, self.playing.place(), describe)
        if results is None:
            return INTERRUPTED
        comparison = compared(tournament, results)
        for sentence in in_words(comparison):
            print_plain(console, sentence)
        print_plain(console, f"The games are in {shlex.quote(str(out))}")
        return SUCCESS if comparison.decision else FAILURE


def default_path(game_id: str) -> Path:
    """Return a new name for a file of results."""
    return Path("results") / f"{game_id}-{datetime.datetime.now():%Y%m%d-%H%M%S}.jsonl"


@contextlib.contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end a block as Ctrl-C does, with all that has to be tidied up."""

    def interrupt(number: int, frame: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def play(
    console: "Console",
    tournament: "Tournament",
    out: Path,
    place: "Place",
    describe: "Describe | None" = None,
) -> "Results | None":
    """Play what is missing, and show it; return None where that was interrupted."""
    from benchmarks.cli.progress import leader, live_line
    from benchmarks.tournament.run import open_run
    from benchmarks.tournament.workers import WorkerDiedError

    try:
        with interrupted_by_sigterm(), open_run(tournament, out, place) as run:
            if tournament.seed is None:
                print_plain(console, f"The seed is {run.schedule.seed}.")
            with live_line(console, run, describe or leader) as on_game:
                for log in run:
                    on_game(log)
    except KeyboardInterrupt:
        games = f"the games so far are in {out}" if out.exists() else "no game yet"
        complain(f"interrupted; {games}")
        return None
    except WorkerDiedError as error:
        raise FailedError(f"{error}; to go on, give --out {out}") from None
    return run.results
