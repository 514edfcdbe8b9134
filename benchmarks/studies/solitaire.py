"""Can't Stop alone: how many turns a rule of thumb takes, beside a published figure.

``python -m benchmarks.studies.solitaire --games 1000 --seed 0``. A check of the whole
engine against a figure that others found with theirs.
"""

import math
import statistics
from collections.abc import Sequence
from typing import Any

import tyro

from baselines.cant_stop.fifty_percent import fifty_percent
from benchmarks.ratings.intervals import Z_95, Interval
from game_core.agents.play import GameLog, play, replay
from game_core.registry import load_game

__all__ = ["main", "mean_interval", "turns_alone"]

PUBLISHED = 11.3
"""Mean turns of this stopping rule in a public study of 38 strategies."""


def turns_alone(agent: Any, games: int, seed: int) -> list[int]:
    """Return the turns that an agent takes to conquer three columns alone.

    Args:
        agent: A player of Can't Stop.
        games: How many games to play.
        seed: Of the first game; the others have the seeds that follow.
    """
    game = load_game("cant_stop", num_players=1)
    logs = (play(game, [agent], seed + number) for number in range(games))
    return [_turns(log) for log in logs]


def _turns(log: GameLog) -> int:
    *_, (position, _) = replay(log)
    return int(position.states["turns"][0])


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the mean of many independent values with its 95 % interval."""
    mean = statistics.fmean(values)
    margin = Z_95 * statistics.stdev(values) / math.sqrt(len(values))
    return Interval(mean, mean - margin, mean + margin)


def main(games: int = 1000, seed: int = 0) -> None:
    """Play Can't Stop alone with ``fifty_percent`` and print the mean turns.

    Args:
        games: How many games to play, at least 2.
        seed: Of the first game.
    """
    if games < 2:
        raise SystemExit(f"games={games} is too few for an interval; give 2 or more")
    turns = turns_alone(fifty_percent, games, seed)
    mean, low, high = mean_interval(turns)
    print(
        f"fifty_percent alone: {mean:.2f} turns a game "
        f"(95 % interval {low:.2f} to {high:.2f}, {games} games)\n"
        f"published: {PUBLISHED} turns (a public study of 38 strategies, 1,000 games "
        "each, with its own choice of columns)"
    )


if __name__ == "__main__":
    tyro.cli(main)
