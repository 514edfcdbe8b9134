"""The highlights of a tournament: games to be looked at turn by turn."""

import math
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.ratings.bradley_terry import Ratings
from benchmarks.ratings.elo import ELO_PER_NAT
from benchmarks.tournament.results import win_shares
from benchmarks.tournament.results_file import HEADER_START
from benchmarks.viewer.pictures import shots
from game_core.agents.play import TERMINATED, GameLog
from game_core.registry import load_game

__all__ = ["MAX_FRAMES", "Candidates", "Frame", "frames", "read_logs", "shortened"]

MAX_FRAMES = 300
"""Turns of a game that are kept; of longer ones those in the middle are left out."""

UPSET = 0.25
"""A win is an upset where the ratings give it a smaller chance."""


class Frame(NamedTuple):
    """A turn of a game.

    Attributes:
        moves: What was done in it, in words; nothing before the first move.
        picture: The position after it as SVG.
    """

    moves: tuple[str, ...]
    picture: str


class Candidates:
    """Picks games out of a stream, of which it keeps the numbers alone."""

    def __init__(self) -> None:
        self._longest = self._shortest = (0, 0)
        self._closest, self._widest_gap = (0, math.inf), 0.0
        self._forfeit = (0, "")
        self._first_win: dict[tuple[str, tuple[str, ...]], int] = {}

    def add(self, number: int, log: GameLog) -> None:
        """Look at a game.

        Args:
            number: Of the game in its file, from 1.
            log: What happened in it.
        """
        if log.forfeit_seat is not None:
            if not self._forfeit[0]:
                self._forfeit = (number, log.agents[log.forfeit_seat])
            return
        length = len(log.actions)
        if length > self._longest[1]:
            self._longest = (number, length)
        if log.ended == TERMINATED:
            if not self._shortest[0] or length < self._shortest[1]:
                self._shortest = (number, length)
            self._add_win(number, log)

    def _add_win(self, number: int, log: GameLog) -> None:
        second, best = sorted(log.rewards)[-2:]
        self._closest = min(self._closest, (number, best - second), key=lambda c: c[1])
        self._widest_gap = max(self._widest_gap, best - second)
        shares = win_shares(log)
        if max(shares) == 1:
            winner = log.agents[shares.index(1)]
            self._first_win.setdefault((winner, tuple(sorted(log.agents))), number)

    def chosen(self, ratings: Ratings | None) -> dict[int, str]:
        """Return the games to show and why: number -> reason."""
        picks = [
            self._upset(ratings),
            (self._closest[0], self._how_close()),
            (self._longest[0], f"The longest game: {self._longest[1]} decisions"),
            (self._shortest[0], f"The shortest game: {self._shortest[1]} decisions"),
            (self._forfeit[0], f"The first forfeit: by {self._forfeit[1]}"),
        ]
        found: dict[int, str] = {}
        for number, reason in picks:
            if number and reason:
                found.setdefault(number, reason)
        return found

    def _how_close(self) -> str:
        gap = self._closest[1]
        if gap == 0:
            return "A shared win"
        # Where a win pays the same however narrow it is, no game is the closest.
        return "The closest game" if gap < self._widest_gap else ""

    def _upset(self, ratings: Ratings | None) -> tuple[int, str]:
        """Return the win that was the least likely by the ratings."""
        if ratings is None:
            return 0, ""
        upsets = [
            (_chance(winner, agents, ratings), number, winner)
            for (winner, agents), number in self._first_win.items()
            if all(agent in ratings for agent in agents)
        ]
        chance, number, winner = min(upsets, default=(1.0, 0, ""))
        if chance >= UPSET:
            return 0, ""
        return number, (
            f"The biggest upset: {winner} wins, as it does in {100 * chance:.1f} % of "
            "such games by the ratings"
        )


def frames(log: GameLog) -> Iterator[Frame]:
    """Yield a game turn by turn.

    Raises:
        ReplayError: Where the game does not go as the log says.
        ValueError: If its options are no longer known.
    """
    game = load_game(log.game, **log.options)
    seen = shots(log)
    moves: list[str] = []
    mover = None
    for shot in seen:
        if shot.scene.before is not None:
            moves.append(shot.words)
        player = shot.scene.now.player
        if player != mover or shot is seen[-1]:
            yield Frame(tuple(moves), game.picture(shot.scene))
            mover, moves = player, []


def shortened(turns: Sequence[Frame]) -> list[Frame]:
    """Return at most ``MAX_FRAMES`` turns, and one that says what is left out."""
    if len(turns) <= MAX_FRAMES:
        return list(turns)
    half = MAX_FRAMES // 2
    gap = Frame((f"{len(turns) - 2 * half} turns are left out here",), "")
    return [*turns[:half], gap, *turns[-half:]]


def read_logs(path: Path, numbers: Container[int]) -> dict[int, GameLog]:
    """Return some games of a file of results: number -> game.

    Args:
        path: The file.
        numbers: Of the games, from 1.
    """
    logs: dict[int, GameLog] = {}
    number = 0
    with path.open("rb") as file:
        for line in file:
            if line.startswith(HEADER_START) or not line.endswith(b"\n"):
                continue
            number += bool(line.strip())
            if number in numbers and line.strip():
                logs[number] = GameLog.from_json(line.decode())
    return logs


def _chance(winner: str, agents: tuple[str, ...], ratings: Ratings) -> float:
    strength = {a: math.exp(ratings[a].elo / ELO_PER_NAT) for a in agents}
    return strength[winner] / sum(strength.values())
