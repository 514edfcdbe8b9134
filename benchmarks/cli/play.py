"""The subcommand ``tabletop play``: a person against bots, in a page."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from benchmarks.cli.console import (
    SUCCESS,
    UsageError,
    optional,
    parse_options,
    print_plain,
    tell_of_compiling,
)
from benchmarks.package import writable

__all__ = ["PlayCommand"]

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.playing.match import Table
    from game_core.agents.play import GameLog


@dataclasses.dataclass(frozen=True)
class PlayCommand:
    """Play against bots in your browser, without a network.

    The page is served to this machine only, until you press Ctrl-C.

    Attributes:
        game: Id of the game, for example cant_stop.
        against: Bots at the other seats (see "tabletop agents"), or your own as
            my_bot.py:my_bot. Leave them out to play Can't Stop alone.
        seat: Your seat, from 0.
        seed: The same seed deals the same game; each further game has the next seed. By
            default the seeds are random.
        option: Options of the game, for example columns_to_win=4 occupied=jump.
        hints: Bot that gives hints. By default your first opponent.
        out: Append the logs of the games to this file.
        port: Port of the page; 0 takes any free one.
        browser: Open the page in your browser, rather than only print its address.
    """

    game: Annotated[Positional[str], arg(metavar="GAME")]
    against: Annotated[tuple[str, ...], optional("BOT BOT ...")] = ()
    seat: int = 0
    seed: Annotated[int | None, optional("INT")] = None
    option: Annotated[tuple[str, ...], optional("NAME=VALUE ...")] = ()
    hints: Annotated[str | None, optional("BOT")] = None
    out: Annotated[Path | None, optional("PATH")] = None
    port: int = 8421
    browser: bool = True

    def run(self, console: "Console") -> int:
        """Serve the page until Ctrl-C; return the exit status."""
        from benchmarks.playing.match import Match
        from benchmarks.playing.server import listen, make_server, werkzeug

        werkzeug("serving")
        tell_of_compiling()
        match = Match(self._table(), lambda log: self._keep(console, log))
        if self.out is not None:
            writable(self.out)
        with listen(self.port) as listening:
            server = make_server(match, listening)
        address = f"http://{server.host}:{server.port}/"
        print_plain(console, f"Play at {address} until you press Ctrl-C here.")
        match.begin()
        if self.browser:
            import webbrowser

            webbrowser.open(address)
        server.serve_forever()
        return SUCCESS

    def _table(self) -> "Table":
        from benchmarks.playing.match import Table
        from game_core.registry import load_game
        from game_core.validation.seeds import as_seed

        players = len(self.against) + 1
        options = {"num_players": players} | parse_options(
            self.option, "it is the number of names"
        )
        try:
            game = load_game(self.game, **options)
        except ValueError as error:
            if self.against or not str(error).startswith("num_players="):
                raise
            raise UsageError(f"{error}; name the bots to play --against") from None
        hints = self.hints or (self.against[0] if self.against else "random")
        seed = None if self.seed is None else as_seed(self.seed)
        return Table(game, self.against, self.seat, hints, seed)

    def _keep(self, console: "Console", log: "GameLog") -> None:
        from benchmarks.viewer.pictures import ending

        print_plain(console, f"{ending(log)}. The seed was {log.seed}.")
        if self.out is not None:
            with self.out.open("a", encoding="utf-8") as file:
                file.write(f"{log.to_json()}\n")
