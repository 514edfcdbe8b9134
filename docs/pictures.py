"""Draws the pictures in ``docs/pictures`` from the games in ``docs/games.jsonl``.

``python docs/pictures.py`` draws them anew, after a change of drawing, rules or dice;
``--check`` only says which are stale. ``--play-anew`` plays the games anew first, which
takes some minutes, and is needed only when a game's version has changed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import tyro

from benchmarks.viewer.pictures import Shot, shots
from game_core.agents.find import find_agent
from game_core.agents.play import GameLog, play
from game_core.registry import load_game

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


def play_games() -> None:
    """Play the games and write them to ``GAMES``."""
    lines = []
    for game_id, options, names in TABLES:
        game = load_game(game_id, num_players=len(names), **options)
        agents = [find_agent(name, game_id) for name in names]
        lines.append(f"{play(game, agents, SEED, names=names).to_json()}\n")
        print(f"{game_id}, {len(names)} players, {options}")
    GAMES.write_text("".join(lines), encoding="utf-8")


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


def stale() -> list[str]:
    """Return the names of pictures that are missing, left over or not as drawn now."""
    drawn = dict(pictures())
    there = {path.name: path.read_text("utf-8") for path in PICTURES.glob("*.svg")}
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
    return 0


if __name__ == "__main__":
    sys.exit(tyro.cli(main))
