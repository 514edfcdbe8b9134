"""What an environment shows: text, a picture, its pixels, or a window."""

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from game_core.compiled.record import copy_records
from game_core.game import Game
from game_core.render import raster
from game_core.render.svg import FRAMES_PER_SECOND
from game_core.render.window import Window
from game_core.scene import Scene

__all__ = ["POSITIONS_PER_SECOND", "RENDER_MODES", "Screen", "film", "render_fps"]

RENDER_MODES = ("human", "rgb_array", "rgb_array_list", "ansi", "svg")
POSITIONS_PER_SECOND = 2
LARGEST_WINDOW = 1000  # pixels across
MAX_SCENES = 1000  # kept for "rgb_array_list" until somebody asks


class Screen:
    """Shows the positions of one environment, in one of ``RENDER_MODES``.

    "human" opens a window. "rgb_array" gives pixels (height, width, 3) uint8, and
    "rgb_array_list" a film of all since it was asked for the last time, in which a
    flick moves. "ansi" gives colored text, and "svg" the picture as text.

    Attributes:
        mode: One of ``RENDER_MODES``.
    """

    def __init__(self, game: Game, mode: str) -> None:
        """Make a screen; nothing is drawn or imported until somebody looks."""
        self.mode = mode
        self._game = game
        self._scenes: deque[Scene] = deque(maxlen=MAX_SCENES)
        self._window: Window | None = None
        self._is_new = False

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles have no window open."""
        return self.__dict__ | {"_window": None, "_scenes": self._scenes.copy()}

    def begin(self, states: np.ndarray) -> None:
        """Show a new game, (1,) record."""
        self._scenes.clear()
        self.move_on(states)

    def move_on(self, states: np.ndarray) -> None:
        """Show a position (1,) that several actions may have led to."""
        self._add(Scene(copy_records(states)))

    def move(self, before: np.ndarray, action: Any, states: np.ndarray) -> None:
        """Show an action, which led from one record (1,) to another."""
        self._add(Scene(copy_records(states), before, action))

    def _add(self, scene: Scene) -> None:
        if self.mode != "rgb_array_list":
            self._scenes.clear()
        self._scenes.append(scene)
        self._is_new = True
        if self.mode == "human":
            self.render()

    def render(self) -> Any:
        """Return what the mode asks for; None for a window.

        Raises:
            GraphicsMissingError: If that takes the extra ``render``.
            NoDisplayError: If there is no display for a window.
        """
        game, scenes = self._game, self._scenes
        if self.mode == "rgb_array_list":
            return self._film()
        scene = scenes[-1]
        if self.mode == "ansi":
            return game.colored_text(scene.states)
        if self.mode == "svg":
            return game.picture(scene)
        if self.mode == "rgb_array":
            return raster.pixels(game.picture(scene))
        return self._show_in_window(scene)

    def _film(self) -> list[np.ndarray]:
        """Return the film of all scenes since the last time."""
        pictures: list[np.ndarray] = []
        while self._scenes:
            for svg, seconds in film(self._game, self._scenes.popleft()):
                pictures += [raster.pixels(svg)] * round(seconds * FRAMES_PER_SECOND)
        return pictures

    def _show_in_window(self, scene: Scene) -> None:
        """Show how a scene came about, the first time, and where it led."""
        if self._window is None:
            self._window = Window(self._game.id)
        frames = film(self._game, scene)
        if not self._is_new:
            frames = [(self._game.picture(scene), 1 / POSITIONS_PER_SECOND)]
        self._is_new = False
        for svg, seconds in frames:
            self._window.show(svg, seconds)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


def render_fps(mode: str | None) -> int:
    """Return how many of the pictures of a mode make a second of a film."""
    return FRAMES_PER_SECOND if mode == "rgb_array_list" else POSITIONS_PER_SECOND


def film(game: Game, scene: Scene) -> Iterator[tuple[str, float]]:
    """Yield the pictures of a scene, each with the seconds that it is shown."""
    frames = list(game.frames(scene))
    for svg in frames[:-1]:
        yield svg, 1 / FRAMES_PER_SECOND
    yield frames[-1], 1 / POSITIONS_PER_SECOND
