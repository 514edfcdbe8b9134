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
    parse_options,
    print_plain,
)

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.cli.progress import Describe
    from benchmarks.tournament.results import Results
    from benchmarks.tournament.run import Place, Tournament

GAMES, MAX_GAMES = 1000, 100_000
"""Games in a match: as many as that, or at most where something else ends it."""


class Terminated(KeyboardInterrupt):
    """The system, or another user, asked this process to end."""


@dataclasses.dataclass(frozen=True)
class Playing:
    """How games are played.

    Attributes:
        seed: The same seed plays the same games; by default that of the file given
            with --out, or else a random one.
        option: Options of the game, for instance columns_to_win=4 occupied=jump.
        workers: Processes that play; by default as many as there are processors. The
            games are the same for any number.
        ray: Play on a Ray cluster at this address, or on the one that Ray finds or
            starts.
        time_limit: Seconds that your own agents have for a move.
        game_time_limit: Seconds that they have for all moves of a game.
        start_limit: Seconds that they have to start, and once again for their first
            move.
        memory_limit: MiB of memory that they may use.
        out: File for the results; by default results/GAME-TIME.jsonl. One that is
            there is continued: games in it are not played again, and more games or
            agents may follow.
    """

    seed: Annotated[int | None, arg(metavar="INT")] = None
    option: Annotated[tuple[str, ...], arg(metavar="NAME=VALUE ...")] = ()
    workers: Annotated[int | None, arg(metavar="INT")] = None
    ray: Annotated[tuple[str, ...] | None, arg(metavar="[ADDRESS]")] = None
    time_limit: Annotated[float, arg(metavar="SECONDS")] = 1.0
    game_time_limit: Annotated[float | None, arg(metavar="SECONDS")] = None
    start_limit: Annotated[float, arg(metavar="SECONDS")] = 60.0
    memory_limit: Annotated[int | None, arg(metavar="MIB")] = None
    out: Annotated[Path | None, arg(metavar="PATH")] = None

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
        from benchmarks.tournament.run import Tournament

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
    """Let agents play each other, and log every game.

    All play all, at every seat with the same seeds. An agent of your own runs in a
    process of its own, and loses a game in which it takes too long, crashes or plays
    an illegal action. Ctrl-C ends a tournament, and the same command with the file of
    its results (--out) goes on with it.

    Attributes:
        game: Id of the game, for instance cant_stop.
        agents: Names of baselines (see "tabletop agents"), or your own agents as
            my_bot.py:my_bot or my_package.my_module:my_bot.
        gauntlet: Play only the matches with one or more of these agents.
        games: Games in each match, rounded up so that all sit at every seat; by
            default 1000, or 100000 with --until.
        until: Stop as soon as every rating's 95 % interval is narrower than that;
            those of agents that win, or lose, every game are not waited for.
        num_players: Players in a game.
        report: Folder, or file that ends in .html, for a report.
    """

    game: Annotated[Positional[str], arg(metavar="GAME")]
    agents: Annotated[tuple[str, ...], arg(metavar="AGENT AGENT ...")]
    playing: OmitArgPrefixes[Playing]
    gauntlet: Annotated[tuple[str, ...], arg(metavar="AGENT ...")] = ()
    games: Annotated[int | None, arg(metavar="INT")] = None
    until: Annotated[float | None, arg(metavar="ELO")] = None
    num_players: int = 2
    report: Annotated[Path | None, arg(metavar="PATH")] = None

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
    """Find out which of two agents is the stronger, in as few games as that takes.

    They play in pairs, with the seats swapped and the same seed, until a sequential
    test decides between two differences in strength.

    Attributes:
        game: Id of the game, for instance cant_stop.
        first: The one agent, a baseline or your own.
        second: The other one.
        elo0: One difference: the first is so much stronger, in Elo.
        elo1: The other difference, which is greater.
        alpha: Probability of deciding for elo1 where elo0 is true.
        beta: Probability of deciding for elo0 where elo1 is true.
        max_games: Stop undecided after so many games.
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
