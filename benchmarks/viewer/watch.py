"""Games between agents, shown while they are played."""

import time
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from game_core.agents.play import GameLog, play
from game_core.envs.screen import POSITIONS_PER_SECOND, film
from game_core.game import Game
from game_core.position import Position
from game_core.render.ansi import plain
from game_core.render.window import Window
from game_core.scene import Scene
from game_core.validation.text import told_apart

__all__ = ["InTerminal", "InWindow", "Show", "WindowClosedError", "watch"]

LAST_POSITION = 3.0  # seconds
CLEAR = "\x1b[H\x1b[2J"


class WindowClosedError(Exception):
    """The user has closed the window."""


class Show(Protocol):
    """Shows games."""

    def __call__(self, scene: Scene, words: str, seconds: float) -> None:
        """Show a scene, with what was done in words, for some seconds."""

    def close(self) -> None:
        """End the show."""


class InWindow:
    """Shows games in a window."""

    def __init__(self, game: Game) -> None:
        """Make a window; it opens with the first scene."""
        self._game = game
        self._window = Window(game.id)

    def __call__(self, scene: Scene, words: str, seconds: float) -> None:
        """Show a scene.

        Raises:
            WindowClosedError: If the user has closed the window.
            NoDisplayError: If there is no display.
            ImportError: If the extra ``render`` is not installed.
        """
        del words
        *passing, (last, _) = film(self._game, scene)
        for svg, passes_in in [*passing, (last, seconds)]:
            self._window.show(svg, passes_in)
            if self._window.closed:
                raise WindowClosedError

    def close(self) -> None:
        """Close the window."""
        self._window.close()


class InTerminal:
    """Shows games as colored text: one position in the place of the other."""

    def __init__(self, game: Game, moving: bool, colored: bool) -> None:
        """Make it; if it is not ``moving``, all positions stand under each other."""
        self._game = game
        self._moving = moving
        self._colored = colored

    def __call__(self, scene: Scene, words: str, seconds: float) -> None:
        """Show a scene."""
        text = self._game.colored_text(scene.states)
        if not self._colored:
            text = plain(text)
        print(f"{CLEAR if self._moving else ''}{words}\n\n{text}\n", flush=True)
        if self._moving:
            time.sleep(seconds)

    def close(self) -> None:
        """Leave the last position where it stands."""


def watch(
    game: Game, agents: Sequence[Any], names: tuple[str, ...], seed: int, show: Show
) -> GameLog:
    """Play a game and show every position.

    Args:
        game: The game and its options.
        agents: By seat.
        names: Of the agents.
        seed: Of the game.
        show: What shows it.

    Raises:
        WindowClosedError: If the user has closed the window.
    """
    start = Position.new(game, seed)
    shown = told_apart(names)
    show(Scene(start.states, names=shown), "Start", 1 / POSITIONS_PER_SECOND)

    def on_action(before: np.ndarray, action: Any, after: Position) -> None:
        scene = Scene(after.copy().states, before, action, names=shown)
        seat = Position(game, before).player
        words = f"{names[seat]} (player_{seat}): {game.describe_last(scene)}"
        seconds = LAST_POSITION if after.over else 1 / POSITIONS_PER_SECOND
        show(scene, words, seconds)

    return play(game, agents, seed, names=names, on_action=on_action)
