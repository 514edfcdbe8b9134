"""A round robin of compiled strategies of Can't Stop, in batches and processes.

A pair is two games with the same seed and the seats swapped: the unit of evidence. The
seeds follow from that of the study, the names of the two and the number of the pair, so
that the figures are the same for any number of processes and any size of batch.
"""

import contextlib
import dataclasses
import functools
import itertools
import math
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, NamedTuple

import numpy as np

from baselines.cant_stop import (
    glenn_aloi,
    heuristic_policy,
    rule_of_28,
    with_enough,
)
from benchmarks.ratings.sprt import PAIR_SCORES
from benchmarks.tournament.schedule import set_seed
from game_core.agents.find import find_policy
from game_core.agents.policy import play_policies
from game_core.registry import load_game
from game_core.validation import options
from game_core.validation.seeds import as_seed

__all__ = [
    "FIELD",
    "LITERATURE",
    "RULES",
    "Clock",
    "Order",
    "Study",
    "Tally",
    "find",
    "play_pairs",
    "run",
]

GAME_ID = "cant_stop"

PAIRS_AT_ONCE = 2048
"""Pairs of a batch; the figures are the same for any number."""

MAX_GAMES = 10**9

LITERATURE = "rule_of_28"
RULES = {
    f"rule_of_{n}": with_enough(rule_of_28.WEIGHTS, n)
    for n in (20, 22, 24, 26, 30, 32, 34, 36)
}
"""The Rule of 28 with another number."""

CHAMPIONS = {
    f"glenn_aloi_{n}": with_enough(glenn_aloi.WEIGHTS, n) for n in (25, 27, 31)
}
"""``glenn_aloi``, which stops at 29, with another number."""

FIELD = ("random", "fifty_percent", LITERATURE, "glenn_aloi", *RULES, *CHAMPIONS)


class Order(NamedTuple):
    """Pairs of a match, to be played in one batch.

    Attributes:
        match: The two strategies.
        first: Number of the first pair.
        size: Number of pairs.
        seed: Of the match.
    """

    match: tuple[str, str]
    first: int
    size: int
    seed: int


class Tally(NamedTuple):
    """What pairs of a match came to.

    Attributes:
        match: The two strategies.
        counts: Pairs by the score of the first, in the order of ``PAIR_SCORES`` (5,).
        decisions: How many each of the two made (2,) int64.
    """

    match: tuple[str, str]
    counts: np.ndarray
    decisions: np.ndarray


@dataclasses.dataclass(frozen=True)
class Study:
    """What is to be played.

    Attributes:
        games: Of all matches together, rounded up to as many pairs for each.
        seed: Of the study.
        field: Names of the strategies, of those in ``FIELD``.
        pairs_at_once: Pairs of a batch.
    """

    games: int
    seed: int = 0
    field: Sequence[str] = FIELD
    pairs_at_once: int = PAIRS_AT_ONCE

    def __post_init__(self) -> None:
        options.whole_number("games", self.games, 1, MAX_GAMES)
        options.whole_number("pairs_at_once", self.pairs_at_once, 1, MAX_GAMES)
        as_seed(self.seed)
        unknown = [name for name in self.field if name not in FIELD]
        if unknown or len(set(self.field)) != len(self.field) or len(self.field) < 2:
            raise ValueError(
                f"field={tuple(self.field)} is not allowed; give two or more different "
                f"ones of {', '.join(FIELD)}"
            )

    @property
    def matches(self) -> list[tuple[str, str]]:
        """The pairs of strategies that play each other."""
        return list(itertools.combinations(self.field, 2))

    @property
    def pairs(self) -> int:
        """Pairs of games in each match."""
        return math.ceil(self.games / (2 * len(self.matches)))

    @property
    def all_games(self) -> int:
        """Games of all matches together, as they are played."""
        return 2 * self.pairs * len(self.matches)

    def orders(self) -> Iterator[Order]:
        """Yield all batches."""
        for match in self.matches:
            seed = set_seed(self.seed, match, 0)
            for first in range(0, self.pairs, self.pairs_at_once):
                size = min(self.pairs_at_once, self.pairs - first)
                yield Order(match, first, size, seed)


class Clock(NamedTuple):
    """How long a study took.

    Attributes:
        warming: Seconds until every strategy was compiled, or read from disk.
        playing: Seconds of all games after that.
        used: Processor time of all processes in seconds, warming included.
    """

    warming: float
    playing: float
    used: float

    @property
    def seconds(self) -> float:
        """All together."""
        return self.warming + self.playing


@functools.cache
def find(name: str) -> Any:
    """Return a strategy of the field as a policy."""
    weights = {**RULES, **CHAMPIONS}.get(name)
    if weights is None:
        return find_policy(name, GAME_ID)
    return heuristic_policy(load_game(GAME_ID), weights)


def play_pairs(order: Order) -> Tally:
    """Play the pairs of an order."""
    numbers = np.arange(order.first, order.first + order.size, dtype=np.uint64)
    seeds = np.tile(np.uint64(order.seed) + numbers, 2)
    seating = np.repeat([[0, 1], [1, 0]], order.size, axis=0)
    policies = [find(name) for name in order.match]
    played = play_policies(load_game(GAME_ID), policies, seating, seeds)
    # A reward is -1, 0 or 1: a quarter of the pair's score for each step.
    as_dealt, swapped = np.split(played.rewards, 2)
    quarters = (as_dealt[:, 0] + swapped[:, 1] + 2).astype(np.int64)
    return Tally(
        order.match,
        np.bincount(quarters, minlength=len(PAIR_SCORES)),
        np.array([played.decisions[seating == k].sum() for k in range(2)]),
    )


def warm(name: str) -> None:
    """Compile a strategy, or read it from disk."""
    play_pairs(Order((name, name), first=0, size=1, seed=0))


Spread = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""Does some work for each of many orders, and yields the results in any order."""


@contextlib.contextmanager
def processes(workers: int) -> Iterator[Spread]:
    """Spread work over as many processes; one is this process itself."""
    if workers == 1:
        yield map
        return
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, context, _leave_interrupts)

    def spread(work: Callable[[Any], Any], orders: Iterable[Any]) -> Iterator[Any]:
        futures = [executor.submit(work, order) for order in orders]
        return (future.result() for future in as_completed(futures))

    try:
        yield spread
    finally:
        executor.shutdown(cancel_futures=True)


def run(
    study: Study, workers: int, on_pairs: Callable[[int], None] = lambda pairs: None
) -> tuple[list[Tally], Clock]:
    """Play all games of a study.

    Args:
        study: The study.
        workers: Processes that play.
        on_pairs: Called with the number of pairs whenever some are over.

    Returns:
        The tallies of the batches, in any order, and how long it took.
    """
    tallies: list[Tally] = []
    used, began = _processor_seconds(), time.perf_counter()
    with processes(workers) as spread:
        for _ in spread(warm, study.field):
            pass
        warmed = time.perf_counter()
        for tally in spread(play_pairs, study.orders()):
            tallies.append(tally)
            on_pairs(int(tally.counts.sum()))
        ended = time.perf_counter()
    used = _processor_seconds() - used
    return tallies, Clock(warmed - began, ended - warmed, used)


def _leave_interrupts() -> None:
    """Let this process end with the one that it plays for, not at Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _processor_seconds() -> float:
    """Return what this process and those of it that ended have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system
