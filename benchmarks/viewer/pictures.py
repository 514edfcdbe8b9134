"""Logged games as pictures: one as SVG or PNG, all as a GIF or a page to step through.

SVG and pages need nothing more; PNG and GIF need the extra ``render``.
"""

import importlib.resources
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from game_core.agents.play import FORFEIT, GameLog, replay
from game_core.envs.screen import film
from game_core.game import Game
from game_core.registry import load_game
from game_core.render import raster
from game_core.scene import Scene
from game_core.validation.text import printable, told_apart, who_wins

__all__ = ["Shot", "Tags", "ending", "kind_of", "shots", "write_gif", "write_picture"]

SKIPPED = 2
"""Of what moves, GIFs and pages have every second picture, 12.5 a second."""

WIDTH = 600  # pixels
LAST_POSITION = 3.0  # seconds
COLORS = 255  # of a GIF; one more is for what does not change


class Shot(NamedTuple):
    """A position of a game.

    Attributes:
        scene: What there is to see.
        words: What was done last, and by whom; how the game ended, at the last one.
    """

    scene: Scene
    words: str


def shots(log: GameLog) -> list[Shot]:
    """Return all positions of a game.

    Raises:
        ReplayError: Where it does not go as the log says.
    """
    names = told_apart(log.agents)
    found: list[Shot] = []
    before: Any = None
    mover, action = "", None
    for position, next_action in replay(log):
        states = position.states.copy()
        scene = Scene(states, before, action, names=names)
        does = f"{mover}: {position.game.describe_last(scene)}" if found else "Start"
        found.append(Shot(scene, does))
        if next_action is not None:
            mover = names[position.player]
            before, action = states, next_action
    return [*found[:-1], found[-1]._replace(words=f"{found[-1].words}. {ending(log)}")]


def ending(log: GameLog) -> str:
    """Return in words how a game ended."""
    names = told_apart(log.agents)
    if log.ended == FORFEIT and log.forfeit_seat is not None:
        reason = printable(f"{log.forfeit_reason}")
        return f"{names[log.forfeit_seat]} forfeits: {reason}"
    best = max(log.rewards)
    winners = [n for n, paid in zip(names, log.rewards, strict=True) if paid == best]
    if best <= 0 and len(log.rewards) > 1:
        return "Nobody wins"
    return who_wins(winners)


def write_picture(
    log: GameLog, path: Path, move: int | None = None, width: int = WIDTH
) -> None:
    """Write a game as a GIF or a page, or one of its positions as SVG or PNG.

    Args:
        log: The game.
        path: The file; its ending says what to write, see ``WRITERS``.
        move: For SVG and PNG, how many moves are made; None for all.
        width: Of a PNG or GIF, in pixels.

    Raises:
        ValueError: For another ending, a move that is not there, or a log that does
            not replay.
        OSError: If the file cannot be written.
        ImportError: If it needs the extra ``render``, which is not installed.
    """
    kind = kind_of(path, move)
    seen = shots(log)
    if move is not None and not 0 <= move < len(seen):
        raise ValueError(f"move {move} is not there; the game has 0 to {len(seen) - 1}")
    chosen = [seen[-1 if move is None else move]] if kind in ONE_POSITION else seen
    WRITERS[kind](load_game(log.game, **log.options), chosen, path, width)


def kind_of(path: Path, move: int | None) -> str:
    """Return the ending of a picture's name, in small letters.

    Raises:
        ValueError: If there are no such pictures, or they do not show one move.
    """
    kind = path.suffix.lower()
    if kind not in WRITERS:
        endings = ", ".join(WRITERS)
        raise ValueError(f"'{path}' ends in {kind!r}; a picture ends in {endings}")
    if move is not None and kind not in ONE_POSITION:
        raise ValueError(f"{path} has all moves; leave out the number of one")
    return kind


def _write_svg(game: Game, seen: Sequence[Shot], path: Path, width: int) -> None:
    del width
    path.write_text(game.picture(seen[0].scene), encoding="utf-8")


def _write_png(game: Game, seen: Sequence[Shot], path: Path, width: int) -> None:
    image = raster.graphics("PIL.Image")
    pixels = raster.pixels(game.picture(seen[0].scene), width)
    image.fromarray(pixels).save(path, optimize=True)


def _write_gif(game: Game, seen: Sequence[Shot], path: Path, width: int) -> None:
    write_gif([frame for shot in seen for frame in _frames(game, shot)], path, width)


def write_gif(
    frames: Sequence[tuple[str, float]], path: Path, width: int, comment: str = ""
) -> None:
    """Write pictures as a GIF, over and over again, with a rest at the last one.

    Args:
        frames: SVG, and the seconds that it is shown.
        path: The file.
        width: Of the GIF, in pixels.
        comment: What the file says of itself; nobody sees it.

    Raises:
        OSError: If the file cannot be written.
        ImportError: If the extra ``render`` is not installed.
    """
    image = raster.graphics("PIL.Image")
    durations = [round(1000 * seconds) for _, seconds in frames]
    durations[-1] = round(1000 * LAST_POSITION)
    last = image.fromarray(raster.pixels(frames[-1][0], width))
    palette = last.quantize(COLORS, image.Quantize.MEDIANCUT, dither=image.Dither.NONE)
    first, *others = (
        image.fromarray(raster.pixels(svg, width)).quantize(
            palette=palette, dither=image.Dither.NONE
        )
        for svg, _ in frames
    )
    first.save(
        path,
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        comment=comment,
    )


def _frames(game: Game, shot: Shot) -> Iterator[tuple[str, float]]:
    """Yield the pictures of a position, every second of those that only pass by."""
    *passing, last = film(game, shot.scene)
    for svg, seconds in passing[::SKIPPED]:
        yield svg, seconds * SKIPPED
    yield last


class Tags:
    """Pictures of a game as numbers of tags, nearly all of which they share.

    A picture is what ``tags`` has under its numbers, one after the other.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def tags(self) -> list[str]:
        """All tags so far, each with the text behind it."""
        return list(self._numbers)

    def encode(self, svg: str) -> list[int]:
        """Return a picture as numbers."""
        found = _TAGS.findall(svg)
        return [self._numbers.setdefault(tag, len(self._numbers)) for tag in found]


def _write_html(game: Game, seen: Sequence[Shot], path: Path, width: int) -> None:
    """Write a page that needs no network."""
    del width
    tags = Tags()
    moves: list[dict[str, Any]] = []
    for shot in seen:
        frames = [tags.encode(svg) for svg, _ in _frames(game, shot)]
        moves.append({"words": shot.words, "frames": frames})
    names = " \N{MIDDLE DOT} ".join(seen[0].scene.names)
    title = f"{game.id}: {names}"
    data = {"title": title, "tags": tags.tags, "moves": moves}
    page = importlib.resources.files("benchmarks.viewer") / "templates" / "film.html"
    content = _MARKUP.sub(r"\\u003c", json.dumps(data, separators=(",", ":")))
    path.write_text(
        page.read_text(encoding="utf-8").replace("/*FILM*/", content), encoding="utf-8"
    )


_TAGS = re.compile(r"<[^>]*>[^<]*")
_MARKUP = re.compile("<(?=[/!])")
"""What could end a script of HTML; in a text of JSON it can be written otherwise."""

WRITERS: dict[str, Callable[[Game, Sequence[Shot], Path, int], None]] = {
    ".gif": _write_gif,
    ".html": _write_html,
    ".svg": _write_svg,
    ".png": _write_png,
}
"""What writes a file, by its ending."""

ONE_POSITION = (".svg", ".png")
