"""The subcommands of ``tabletop`` that show games: live, and from a log."""

import dataclasses
import shlex
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

__all__ = ["RenderCommand", "WatchCommand"]

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.viewer.watch import Show
    from game_core.game import Game


@dataclasses.dataclass(frozen=True)
class WatchCommand:
    """Watch agents play one game, in a window or, without a display, in the terminal.

    Attributes:
        game: Id of the game, for example cant_stop.
        agents: Agents by seat: names of built-in ones, or your own as my_bot.py:my_bot.
        seed: The same seed gives the same game. By default a random seed.
        option: Options of the game, for example columns_to_win=4 occupied=jump.
        text: Use the terminal even if there is a display.
        out: Append the log of the game to this file.
    """

    game: Annotated[Positional[str], arg(metavar="GAME")]
    agents: Annotated[tuple[str, ...], arg(metavar="AGENT AGENT ...")]
    seed: Annotated[int | None, optional("INT")] = None
    option: Annotated[tuple[str, ...], optional("NAME=VALUE ...")] = ()
    text: bool = False
    out: Annotated[Path | None, optional("PATH")] = None

    def run(self, console: "Console") -> int:
        """Play and show the game; return the exit status."""
        from benchmarks.viewer.pictures import ending
        from benchmarks.viewer.watch import WindowClosedError, watch
        from game_core.agents.find import find_agent
        from game_core.registry import load_game
        from game_core.validation.seeds import as_seed

        tell_of_compiling()
        options = {"num_players": len(self.agents)} | parse_options(
            self.option, "it is the number of names"
        )
        game = load_game(self.game, **options)
        agents = [find_agent(name, game.id) for name in self.agents]
        seed = as_seed(self.seed)
        if self.out is not None:
            writable(self.out)
        show = self._show(console, game)
        try:
            log = watch(game, agents, self.agents, seed, show)
        except WindowClosedError:
            return SUCCESS
        finally:
            show.close()
        print_plain(console, f"{ending(log)}. The seed is {seed}.")
        if self.out is not None:
            with self.out.open("a", encoding="utf-8") as file:
                file.write(f"{log.to_json()}\n")
        return SUCCESS

    def _show(self, console: "Console", game: "Game") -> "Show":
        """Return a window if one can be opened here, else the terminal."""
        from benchmarks.viewer.watch import InTerminal, InWindow
        from game_core.render.window import NoDisplayError, check_display

        if not self.text:
            try:
                check_display()
                return InWindow(game)
            except (ImportError, NoDisplayError) as error:
                print_plain(console, f"In the terminal, since {error}.")
        moving = console.is_terminal and not console.is_dumb_terminal
        return InTerminal(game, moving, moving and not console.no_color)


@dataclasses.dataclass(frozen=True)
class RenderCommand:
    """Turn a logged game into a GIF or a page to step through, or draw one position.

    Attributes:
        file: File that "tabletop tournament" or "tabletop watch --out" wrote.
        out: File to write, which ends in .gif, .html, .svg or .png.
        game: Number of the game in the file, from 1.
        move: For .svg and .png, the number of moves made so far. By default all.
        width: Width of a GIF or PNG in pixels.
    """

    file: Annotated[Positional[Path], arg(metavar="FILE")]
    out: Annotated[Path, arg(metavar="PATH", aliases=["-o"])]
    game: Annotated[int, arg(metavar="NUMBER")] = 1
    move: Annotated[int | None, optional("NUMBER")] = None
    width: Annotated[int, arg(metavar="PIXELS")] = 600

    def run(self, console: "Console") -> int:
        """Write the picture; return the exit status."""
        from benchmarks.tournament.replay import read_game
        from benchmarks.viewer.pictures import kind_of, write_picture

        tell_of_compiling()

        if not 16 <= self.width <= 4096:
            raise UsageError(f"--width {self.width} is not from 16 to 4096")
        kind_of(self.out, self.move)
        log = read_game(self.file, self.game)
        writable(self.out)
        write_picture(log, self.out, self.move, self.width)
        print_plain(console, f"The picture is in {shlex.quote(str(self.out))}")
        return SUCCESS
