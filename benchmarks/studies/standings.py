"""The standings of all bots: who plays, how many games, and where they are stored.

``python -m benchmarks.studies.standings`` plays and stores them.
For each game, and 2 and 4 players, all bots play all others. The games are in a folder,
and the same command goes on with a run that was stopped. What they come to is stored in
``benchmarks/report/standings.json`` and in ``docs/standings.md``.
"""

import dataclasses
import datetime
import hashlib
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from baselines.ppo import TRAINED, policy_of
from benchmarks.cli.console import (
    FAILURE,
    INTERRUPTED,
    SUCCESS,
    WRONG_USE,
    complain,
    print_plain,
)
from benchmarks.cli.progress import live_line
from benchmarks.cli.tables import standings
from benchmarks.cli.tournament import interrupted_by_sigterm
from benchmarks.package import writable
from benchmarks.report.stored_standings import (
    DATA,
    StoredTable,
    markdown,
    store,
    stored_bots,
)
from benchmarks.report.summary import tabulate
from benchmarks.tournament.results import Results
from benchmarks.tournament.results_file import headers_in, read_times
from benchmarks.tournament.run import Place, open_run
from benchmarks.tournament.schedule import Tournament
from benchmarks.tournament.workers import WorkerDiedError
from game_core.agents.find import agent_names
from game_core.catalog import GAMES, package_of

__all__ = [
    "BUDGETS",
    "DOCS",
    "OTHERS",
    "PLAYERS",
    "Standings",
    "bots_of",
    "digest_of_code",
    "main",
    "stages",
]

SEED = 0
PLAYERS = (2, 4)
OTHERS = "others"

BUDGETS: Mapping[tuple[str, int], Mapping[str, int]] = {
    ("cant_stop", 2): {OTHERS: 2000, "mcts": 600},
    ("cant_stop", 4): {OTHERS: 600, "mcts": 120},
    ("azul", 2): {OTHERS: 2000, "mcts": 400, "round_search": 100},
    ("azul", 4): {OTHERS: 400, "round_search": 40},
    ("icecool", 2): {OTHERS: 400, "planner": 40, "lookahead": 16, "mcts": 8},
    ("icecool", 4): {OTHERS: 60, "mcts": 12},
}
"""Game and players -> bot -> games in a match; a match has those of its slowest bot."""

ANCHORS = {"cant_stop": "rule_of_28", "azul": "greedy", "icecool": "aimer"}
"""The bots at 0: plain ones. Random will not do, as it loses nearly every game."""

DOCS = Path(__file__).parents[2] / "docs" / "standings.md"
PLAIN_WIDTH = 160

Game = Annotated[tuple[str, ...], tyro.conf.arg(metavar="GAME ...")]


@dataclasses.dataclass(frozen=True)
class Standings:
    """Play and store the standings of all bots.

    Attributes:
        game: Ids of the games; the stored standings of others stay as they are.
        num_players: Numbers of players.
        share: Play this part of the games that a full run has.
        workers: Processes that play; by default as many as there are processors.
        out: Folder for the games.
        data: File for the standings.
        docs: File for the standings in Markdown.
    """

    game: Game = tuple(GAMES)
    num_players: tuple[int, ...] = PLAYERS
    share: float = 1.0
    workers: int | None = None
    out: Path = Path("results/standings")
    data: Path = DATA
    docs: Path = DOCS

    def run(self, console: Console) -> None:
        """Play what is missing; store and print each table as soon as it is there.

        Raises:
            OSError: If a file cannot be written.
            ValueError: For an unknown game, number of players or share.
        """
        if not 0 < self.share <= 1:
            raise ValueError(f"share={self.share} is not above 0 and at most 1")
        wanted = [(game, players) for game in self.game for players in self.num_players]
        unknown = [key for key in wanted if key not in BUDGETS]
        if unknown:
            known = ", ".join(f"{game} of {players}" for game, players in BUDGETS)
            raise ValueError(f"no standings of {unknown[0]}; there are: {known}")
        for file in (self.data, self.docs):
            writable(file)
        for game, players in wanted:
            print_plain(console, f"{game}, {players} players")
            table = self._play(console, game, players)
            self.docs.write_text(markdown(store(table, self.data)), encoding="utf-8")
        print_plain(console, f"The standings are in {self.data} and {self.docs}")

    def _play(self, console: Console, game: str, players: int) -> StoredTable:
        path = self.out / f"{game}-{players}-{digest_of_code(game)[:8]}.jsonl"
        place = Place(workers=self.workers or os.cpu_count() or 1)
        for tournament in stages(game, players, self.share):
            with (
                open_run(tournament, path, place) as run,
                live_line(console, run) as on_game,
            ):
                for log in run:
                    on_game(log)
        results, header = Results.read(path), headers_in(path)[-1]
        tables = tabulate(results, read_times(path), ANCHORS[game])
        console.print(standings(tables))
        return StoredTable(
            game=game,
            version=header["version"],
            num_players=players,
            date=f"{datetime.date.today():%Y-%m-%d}",
            package=header["package"],
            command=self.command(game, players),
            share=self.share,
            games=results.games,
            bounds=tuple(map(str, tables.separated)),
            bots=stored_bots(tables),
        )

    def command(self, game: str, players: int) -> str:
        """Return the command that plays one table."""
        parts = ["python", "-m", "benchmarks.studies.standings", "--game", game]
        parts += ["--num-players", str(players)]
        return shlex.join(parts + [f"--share={self.share:g}"] * (self.share < 1))


def stages(game: str, num_players: int, share: float = 1.0) -> list[Tournament]:
    """Return tournaments into one file, by which each match gets its number of games.

    The fast bots play first, and slower ones join with fewer games in each match.

    Args:
        game: Game id.
        num_players: Players in a game.
        share: Part of the games to play.
    """
    budgets = BUDGETS[game, num_players]
    bots = bots_of(game, num_players)
    games = {bot: budgets.get(bot, budgets[OTHERS]) for bot in bots}
    options = {"num_players": num_players}
    tournaments: list[Tournament] = []
    for count in sorted(set(games.values()), reverse=True):
        agents = tuple(bot for bot, its in games.items() if its >= count)
        joining = tuple(bot for bot, its in games.items() if its == count)
        if len(agents) >= num_players:
            tournaments.append(
                Tournament(
                    game,
                    agents,
                    games=max(1, round(share * count)),
                    seed=SEED,
                    options=options,
                    gauntlet=joining if tournaments else (),
                )
            )
    return tournaments


def bots_of(game: str, num_players: int) -> list[str]:
    """Return the bots of a game, without those that have no policy for it."""
    has_policy = policy_of(game, num_players).is_file()
    return [bot for bot in agent_names(game) if bot != "ppo" or has_policy]


def digest_of_code(game: str) -> str:
    """Return a digest of all code, and trained policies, that decide how games go.

    It is in the name of their file: games of bots that have changed are not counted.
    """
    root, bots = Path(__file__).parents[2], Path("baselines")
    rooms = (bots / "search", bots / "networks", bots / game)
    folders = (Path("game_core"), Path(package_of(game)), *rooms)
    files = sorted((root / bots).glob("*.py"))
    for folder in folders:
        files += sorted((root / folder).rglob("*.py"))
    digest = hashlib.sha256()
    for file in [*files, *sorted(TRAINED.glob(f"{game}_*.npz"))]:
        digest.update(f"{file.name} {file.stat().st_size}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def main() -> int:
    """Run the command line and return its exit status."""
    command = tyro.cli(Standings, prog="python -m benchmarks.studies.standings")
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    try:
        with interrupted_by_sigterm():
            command.run(console)
    except (ValueError, OSError) as error:
        complain(str(error))
        return WRONG_USE
    except WorkerDiedError as error:
        complain(f"{error}; the same command goes on")
        return FAILURE
    except KeyboardInterrupt:
        complain("interrupted; the same command goes on")
        return INTERRUPTED
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
