"""A window that shows pictures, by pygame."""

import contextlib
import os
import warnings
from typing import Any

from game_core import raster

SHARE_OF_DISPLAY = 0.85
LARGEST = 960  # pixels, of the longer side


INVISIBLE = ("dummy", "offscreen")
"""Drivers of SDL for machines without a display; it falls back on the second."""


class NoDisplayError(RuntimeError):
    """There is no display to open a window on."""


class Window:
    """A window that fits the display, and that the user may close.

    Attributes:
        closed: Whether the user has closed it; then it shows nothing any more.
    """

    def __init__(self, title: str) -> None:
        """Make a window; it opens with the first picture."""
        self.closed = False
        self._title = title
        self._pygame: Any = None
        self._surface: Any = None
        self._width = 0

    def show(self, svg: str, seconds: float) -> None:
        """Show a picture for a time.

        Where nobody can see it, it does not wait.

        Raises:
            NoDisplayError: If there is no display.
            GraphicsMissingError: If the extra ``render`` is not installed.
        """
        if self.closed:
            return
        pygame = self._start()
        if self._surface is None:
            self._width = self._width_for(raster.pixels(svg).shape)
        picture = raster.pixels(svg, self._width)
        size = picture.shape[1::-1]
        if self._surface is None:
            pygame.display.set_caption(self._title)
            self._surface = pygame.display.set_mode(size)
        image = pygame.image.frombuffer(picture.tobytes(), size, "RGB")
        self._surface.blit(image, (0, 0))
        pygame.display.flip()
        if is_visible(pygame):
            self._wait(seconds)

    def _width_for(self, shape: tuple[int, ...]) -> int:
        """Return the width at which pictures of a shape are as large as is handy."""
        height, width = shape[:2]
        across, up = self._pygame.display.get_desktop_sizes()[0]
        scale = SHARE_OF_DISPLAY * min(across / width, up / height)
        return int(width * min(scale, LARGEST / max(width, height)))

    def close(self) -> None:
        """Close the window."""
        if self._pygame is not None:
            self._pygame.display.quit()
        self._pygame = self._surface = None
        self.closed = True

    def _start(self) -> Any:
        """Return pygame with its display begun."""
        if self._pygame is None:
            pygame = self._pygame = begin_display()
            if not is_visible(pygame) and not _is_chosen():
                warnings.warn(
                    "there is no display: nobody sees this window; "
                    'render_mode="ansi" and "rgb_array" do without',
                    stacklevel=2,
                )
        return self._pygame

    def _wait(self, seconds: float) -> None:
        """Wait, and notice when the user closes the window."""
        pygame = self._pygame
        until = pygame.time.get_ticks() + 1000 * seconds
        while True:
            if any(event.type == pygame.QUIT for event in pygame.event.get()):
                self.close()
                return
            left = until - pygame.time.get_ticks()
            if left <= 0:
                return
            pygame.time.wait(int(min(left, 20)))


def begin_display() -> Any:
    """Return pygame with its display begun, which may be one that nobody can see.

    Raises:
        NoDisplayError: If there is none at all.
        GraphicsMissingError: If the extra ``render`` is not installed.
    """
    with _quiet():
        pygame = raster.graphics("pygame")
    try:
        pygame.display.init()
    except pygame.error as error:
        raise NoDisplayError(
            f"no window can be opened here ({error}); without a display use "
            'render_mode="ansi" or "rgb_array"'
        ) from error
    return pygame


def check_display() -> None:
    """Raise ``NoDisplayError`` if nobody would see a window.

    One that the environment variable ``SDL_VIDEODRIVER`` chooses is taken as seen.

    Raises:
        NoDisplayError: If there is no display.
        GraphicsMissingError: If the extra ``render`` is not installed.
    """
    if not (is_visible(begin_display()) or _is_chosen()):
        raise NoDisplayError("no window can be opened here: there is no display")


def is_visible(pygame: Any) -> bool:
    """Tell whether windows of this display can be seen."""
    return pygame.display.get_driver() not in INVISIBLE


def _is_chosen() -> bool:
    return "SDL_VIDEODRIVER" in os.environ


@contextlib.contextmanager
def _quiet() -> Any:
    """Keep pygame from printing its version when it is imported."""
    name = "PYGAME_HIDE_SUPPORT_PROMPT"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
