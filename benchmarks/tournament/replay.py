"""Logged games again: checked, or move by move in words."""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.tournament.results_file import read_header
from game_core.agents.play import FORFEIT, GameLog, replay
from game_core.position import Position
from game_core.validation.text import printable

__all__ = ["in_words", "planned_games", "read_game", "verify"]


class Fault(NamedTuple):
    """A line of a file that does not replay.

    Attributes:
        line: Number of the line, from 1.
        reason: Why, in words.
    """

    line: int
    reason: str


class Verdict(NamedTuple):
    """The result of replaying a file.

    Attributes:
        games: Number of games in the file.
        planned: Number of games that the tournament was to have; None if the file
            does not say.
        faults: The games that do not lead where the file says.
    """

    games: int
    planned: int | None
    faults: tuple[Fault, ...]


def verify(path: Path, on_game: Callable[[], object] | None = None) -> Verdict:
    """Replay all games in a file of results, or of plain game logs.

    Args:
        path: The file.
        on_game: Called after each game.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is no text, or there is no game in it.
    """
    games, faults = 0, []
    for number, line in _game_lines(path):
        games += 1
        reason = _fault(line)
        if reason is not None:
            faults.append(Fault(number, reason))
        if on_game is not None:
            on_game()
    if games == 0:
        raise ValueError(f"there is no game in {path}")
    return Verdict(games, planned_games(path), tuple(faults))


def planned_games(path: Path) -> int | None:
    """Return how many games a file of results was to have.

    None if it does not say, or if the tournament ends when it has seen enough.

    Raises:
        OSError: If it cannot be read.
    """
    planned = None
    with path.open("rb") as file:
        for line in file:
            header = read_header(line)
            if header is not None:
                early = header.get("until") or header.get("test")
                planned = None if early else header.get("games_in_all")
    return planned if isinstance(planned, int) else None


def read_game(path: Path, number: int) -> GameLog:
    """Return one game of a file of results.

    Args:
        path: The file.
        number: Of the game, from 1.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it has no such game.
    """
    lines = [line for _, line in itertools.islice(_game_lines(path), max(number, 0))]
    if not 0 < number <= len(lines):
        last = sum(1 for _ in _game_lines(path))
        there = f"it has 1 to {last}" if last else "it has none"
        raise ValueError(f"there is no game {number} in {path}; {there}")
    return GameLog.from_json(lines[-1])


def in_words(log: GameLog) -> Iterator[str]:
    """Yield a game as text: every move, and the board whenever the turn passes on.

    Raises:
        ReplayError: Where the game does not go as the log says.
    """
    agents = map(printable, log.agents)
    names = [f"player_{seat} ({agent})" for seat, agent in enumerate(agents)]
    yield f"{log.game} with seed {log.seed}: {', '.join(names)}"
    shown_to = None
    for position, action in replay(log):
        if position.player != shown_to or action is None:
            shown_to = position.player
            yield f"\n{position}\n"
        if action is None:
            yield _ending(log, position)
        else:
            yield f"{names[position.player]}: {position.describe_action(action)}"


def _ending(log: GameLog, position: Position) -> str:
    paid = ", ".join(f"player_{s} {reward:g}" for s, reward in enumerate(log.rewards))
    if log.ended != FORFEIT:
        return f"Rewards: {paid}"
    reason = printable(f"{log.forfeit_reason}")
    return f"player_{position.player} forfeits: {reason}\nRewards: {paid}"


def _fault(line: str) -> str | None:
    try:
        for _ in replay(GameLog.from_json(line)):
            pass
    except (ValueError, TypeError) as error:
        return str(error)
    return None


def _game_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that should hold a game, with their numbers from 1.

    A torn line at the end is none: a tournament that is killed may leave one.
    """
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            is_header = read_header(line.encode()) is not None
            if line.strip() and not is_header and not _is_torn(line):
                yield number, line


def _is_torn(line: str) -> bool:
    if line.endswith("\n"):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False
