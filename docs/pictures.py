"""Draws the pictures in ``docs/pictures`` from the games in ``docs/games.jsonl``.

``python docs/pictures.py`` draws them anew, after a change of drawing, rules or dice;
``--check`` only says which are stale. ``--play-anew`` plays the games anew first, which
takes some minutes, and is needed only when a game's version has changed. The film shows
some moves of a game of its own, ``docs/film.jsonl``, and takes the extra ``render``.
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import tyro

from benchmarks.viewer.pictures import Shot, shots, write_gif
from game_core.agents.find import find_agent
from game_core.agents.play import GameLog, play
from game_core.envs.screen import film
from game_core.registry import load_game
from game_core.render import raster

FOLDER = Path(__file__).parent
GAMES = FOLDER / "games.jsonl"
PICTURES = FOLDER / "pictures"

TABLES = (
    ("cant_stop", {}, ("glenn_aloi",)),
    ("cant_stop", {}, ("glenn_aloi", "rule_of_28")),
    ("cant_stop", {}, ("rule_of_28", "fifty_percent", "glenn_aloi")),
    ("cant_stop", {}, ("glenn_aloi", "fifty_percent", "rule_of_28", "random")),
    ("azul", {}, ("greedy", "greedy")),
    ("azul", {"wall": "grey"}, ("greedy", "random")),
    ("azul", {}, ("greedy", "random", "greedy")),
    ("azul", {}, ("greedy", "greedy", "random", "greedy")),
    ("icecool", {}, ("aimer", "random")),
    ("icecool", {}, ("random", "aimer", "aimer")),
    ("icecool", {}, ("aimer", "random", "aimer", "random")),
)
"""Games to show: id, options, and the agents by seat."""

SEED = 7

FILM = PICTURES / "icecool.gif"
FILM_GAME = FOLDER / "film.jsonl"
FILM_TABLE, FILM_SEED = ("icecool", {}, ("planner", "aimer")), 1
FILM_WIDTH = 720  # pixels
FILM_START = 1.0  # seconds

FILM_MOVES = slice(21, 25)
"""What the film shows: the planner takes one fish, then two in one flick, and wins."""


def play_games() -> None:
    """Play the games and write them to ``GAMES`` and ``FILM_GAME``."""
    GAMES.write_text("".join(_game(table, SEED) for table in TABLES), encoding="utf-8")
    FILM_GAME.write_text(_game(FILM_TABLE, FILM_SEED), encoding="utf-8")


def _game(table: tuple[str, dict[str, str], tuple[str, ...]], seed: int) -> str:
    game_id, options, names = table
    game = load_game(game_id, num_players=len(names), **options)
    agents = [find_agent(name, game_id) for name in names]
    print(f"{game_id}, {len(names)} players, {options}")
    return f"{play(game, agents, seed, names=names).to_json()}\n"


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the name of each picture and its SVG."""
    for line in GAMES.read_text(encoding="utf-8").splitlines():
        log = GameLog.from_json(line)
        game = load_game(log.game, **log.options)
        seen = shots(log)
        grey = "-grey" if log.options.get("wall") == "grey" else ""
        table = f"{log.game}-{len(log.agents)}{grey}"
        chosen = {"start": seen[0], "middle": _middle(seen), "end": seen[-1]}
        for when, shot in chosen.items():
            svg = game.picture(shot.scene).replace("><", ">\n<")  # to be compared
            yield f"{table}-{when}.svg", f"{svg}\n"


def _middle(seen: list[Shot]) -> Shot:
    """Return the position in the middle of a game; after a flick, not a question."""
    middle = len(seen) // 2
    for shot in seen[middle:]:
        before = shot.scene.before
        if before is None or "phase" not in (before.dtype.names or ()):
            return seen[middle]
        if before["phase"][0] == 1:
            return shot
    return seen[middle]


def frames_of_film() -> list[tuple[str, float]]:
    """Return the pictures of the film, as SVG, each with the seconds it is shown."""
    log = GameLog.from_json(FILM_GAME.read_text(encoding="utf-8"))
    game = load_game(log.game, **log.options)
    frames = [f for shot in shots(log)[FILM_MOVES] for f in film(game, shot.scene)]
    return [(frames[0][0], FILM_START), *frames[1:]]


def digest_of(frames: list[tuple[str, float]]) -> str:
    """Return what the file of the film says of its pictures, to be compared."""
    return hashlib.sha256(repr(frames).encode()).hexdigest()


def stale() -> list[str]:
    """Return the names of pictures that are missing, left over or not as drawn now."""
    drawn = dict(pictures()) | {FILM.name: digest_of(frames_of_film())}
    there = {path.name: path.read_text("utf-8") for path in PICTURES.glob("*.svg")}
    if FILM.exists():
        with raster.graphics("PIL.Image").open(FILM) as image:
            there[FILM.name] = image.info.get("comment", b"").decode()
    names = sorted(drawn.keys() | there.keys())
    return [name for name in names if drawn.get(name) != there.get(name)]


def main(check: bool = False, play_anew: bool = False) -> int:
    """Draw the pictures.

    Args:
        check: Only say which are stale; the exit status is 1 if any is.
        play_anew: Play the games first.
    """
    if check:
        names = stale()
        print("\n".join(f"stale: {name}" for name in names) or "All are as drawn now.")
        return 1 if names else 0
    if play_anew:
        play_games()
    PICTURES.mkdir(exist_ok=True)
    for path in PICTURES.glob("*.svg"):
        path.unlink()
    for name, svg in pictures():
        (PICTURES / name).write_text(svg, encoding="utf-8")
    frames = frames_of_film()
    write_gif(frames, FILM, FILM_WIDTH, comment=digest_of(frames))
    return 0


if __name__ == "__main__":
    sys.exit(tyro.cli(main))
