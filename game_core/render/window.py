"""A window that shows pictures, by pygame."""

import contextlib
import os
import sys
import warnings
import weakref
from collections.abc import Generator, MutableMapping
from typing import Any

from game_core.render import raster

__all__ = ["NoDisplayError", "Window", "begin_display", "check_display"]

SHARE_OF_DISPLAY = 0.85
LARGEST = 960  # pixels, of the longer side


INVISIBLE = ("dummy", "offscreen")
"""Drivers of SDL for machines without a display; it falls back on the second."""

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
"""What Linux names its displays in. Without any SDL tries, and prints complaints."""


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
        self._opened: Any = None
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
        pygame = begin_display()
        if self._opened is None:
            self._opened = self._open(pygame, svg)
        picture = raster.pixels(svg, self._width)
        image = pygame.image.frombuffer(picture.tobytes(), picture.shape[1::-1], "RGB")
        self._opened.get_surface().blit(image, (0, 0))
        self._opened.flip()
        if is_visible(pygame):
            self._wait(pygame, seconds)

    def _open(self, pygame: Any, svg: str) -> Any:
        """Return a window for pictures like this one, and remember their width."""
        if not is_visible(pygame) and not _is_chosen():
            warnings.warn(
                "there is no display: nobody sees this window; "
                'render_mode="ansi" and "rgb_array" do without',
                stacklevel=2,
            )
        self._width = _handy_width(pygame, raster.pixels(svg).shape)
        size = raster.pixels(svg, self._width).shape[1::-1]
        opened = pygame.Window(self._title, size)
        _open_windows[opened.id] = self
        return opened

    def close(self) -> None:
        """Close the window."""
        if self._opened is not None:
            self._opened.destroy()
        self._opened = None
        self.closed = True

    def _wait(self, pygame: Any, seconds: float) -> None:
        """Wait, and notice when the user closes a window."""
        until = pygame.time.get_ticks() + 1000 * seconds
        while not self.closed:
            for event in pygame.event.get():
                _close_what_is_meant(pygame, event)
            left = until - pygame.time.get_ticks()
            if left <= 0:
                return
            pygame.time.wait(int(min(left, 20)))


def _handy_width(pygame: Any, shape: tuple[int, ...]) -> int:
    """Return the width at which pictures of a shape are as large as is handy."""
    height, width = shape[:2]
    across, up = pygame.display.get_desktop_sizes()[0]
    scale = SHARE_OF_DISPLAY * min(across / width, up / height)
    return int(width * min(scale, LARGEST / max(width, height)))


_open_windows: MutableMapping[int, Window] = weakref.WeakValueDictionary()
"""The windows of this process by their numbers, as one may be closed while another
waits."""


def _close_what_is_meant(pygame: Any, event: Any) -> None:
    """Close the window that an event wants closed, or all of them."""
    if event.type == pygame.QUIT:
        windows = list(_open_windows.values())
    elif event.type == pygame.WINDOWCLOSE and event.window is not None:
        windows = [w for i, w in _open_windows.items() if i == event.window.id]
    else:
        return
    for window in windows:
        window.close()


def begin_display() -> Any:
    """Return pygame with its display begun, which may be one that nobody can see.

    Raises:
        NoDisplayError: If there is none at all.
        GraphicsMissingError: If the extra ``render`` is not installed.
    """
    with _environment(PYGAME_HIDE_SUPPORT_PROMPT="1"):
        pygame = raster.graphics("pygame")
    nobody = sys.platform.startswith("linux") and not any(map(os.environ.get, DISPLAYS))
    driver = {"SDL_VIDEODRIVER": "dummy"} if nobody and not _is_chosen() else {}
    try:
        with _environment(**driver):
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
def _environment(**variables: str) -> Generator[None, None, None]:
    """Set environment variables for a while."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
