"""Where the games of a tournament are played: here, in processes or on a cluster.

A crew is one runner or many (``benchmarks.tournament.runner``), each in a process of
its own; it takes orders and carries them out in any order it likes.
"""

import contextlib
import functools
import logging
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any, Protocol

from benchmarks.tournament.runner import Game, Order, Runner, Setup
from game_core.processes import end_with, holding_ctrl_c, outlive_ctrl_c

__all__ = [
    "Crew",
    "Pending",
    "WorkerDiedError",
    "play_here",
    "play_in_processes",
    "play_on_ray",
]

ORDERS_A_WORKER = 4
"""Orders under way for each worker: enough that none waits for a slower one."""


class Pending(Protocol):
    """Games that are being played."""

    def result(self) -> list[Game]:
        """Return them, when they are over."""
        ...

    def cancel(self) -> Any:
        """Do not play them, if they have not begun."""
        ...


class Crew(Protocol):
    """Those who play.

    Attributes:
        window: How many orders it should have at a time.
    """

    window: int

    def submit(self, order: Order) -> Pending:
        """Take an order."""
        ...


class WorkerDiedError(RuntimeError):
    """A process that plays games was killed from outside, or ran out of memory."""


@contextlib.contextmanager
def play_here(setup: Setup) -> Iterator[Crew]:
    """Play in this process, each game when its result is asked for."""
    runner = Runner(setup)
    try:
        yield _Here(runner)
    finally:
        runner.close()


class _Here:
    window = 1

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def submit(self, order: Order) -> Pending:
        return _Deferred(functools.partial(self._runner.carry_out, order))


class _Deferred:
    """Games that are played when they are asked for."""

    def __init__(self, play_games: Callable[[], list[Game]]) -> None:
        self.result = play_games

    def cancel(self) -> None:
        pass


@contextlib.contextmanager
def play_in_processes(setup: Setup, workers: int) -> Iterator[Crew]:
    """Play in processes of this machine.

    They end with this process, however that ends, and at the end of the block at once.
    """
    context = multiprocessing.get_context("spawn")
    alive, ours = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(workers, context, _begin, (setup, alive))
    try:
        yield _Processes(executor, workers * ORDERS_A_WORKER)
    finally:
        ours.close()
        executor.shutdown(cancel_futures=True)
        alive.close()


class _Processes:
    def __init__(self, executor: ProcessPoolExecutor, window: int) -> None:
        self._executor = executor
        self.window = window

    def submit(self, order: Order) -> Pending:
        try:
            with holding_ctrl_c():  # as this starts the processes, one by one
                return _OfProcess(self._executor.submit(_carry_out, order))
        except BrokenProcessPool as error:
            raise _died() from error


class _OfProcess:
    def __init__(self, future: "Future[list[Game]]") -> None:
        self._future = future
        self.cancel = future.cancel

    def result(self) -> list[Game]:
        try:
            return self._future.result()
        except BrokenProcessPool as error:
            raise _died() from error


def _died() -> WorkerDiedError:
    return WorkerDiedError(
        "a process that played games died, perhaps for lack of memory; fewer --workers "
        "take less"
    )


_runners: list[Runner] = []
"""The runner of this process, where it is one of a crew."""


def _begin(setup: Setup, alive: Connection) -> None:
    """Make this process one of a crew, for as long as ``alive`` is open."""
    outlive_ctrl_c()
    _runners.append(Runner(setup))
    end_with(alive, _runners[0].close)


def _carry_out(order: Order) -> list[Game]:
    return _runners[0].carry_out(order)


@contextlib.contextmanager
def play_on_ray(setup: Setup, address: str | None = None) -> Iterator[Crew]:
    """Play on a Ray cluster, whose machines have this package and the bots, too.

    Args:
        setup: What is played.
        address: Of the cluster; None for the one that Ray finds, or else one of this
            machine alone.

    Raises:
        ValueError: If Ray is not installed.
        ConnectionError: If there is no such cluster.
    """
    try:
        import ray
    except ImportError:
        raise ValueError(
            "--ray needs Ray, which is not installed: pip install "
            "'tabletop-marl[distributed]'"
        ) from None
    joined = ray.is_initialized()
    if not joined:
        ray.init(address=address, include_dashboard=False, logging_level=logging.ERROR)
    try:
        yield _OnRay(ray, setup)
    finally:
        if not joined:
            ray.shutdown()


class _OnRay:
    def __init__(self, ray: Any, setup: Setup) -> None:
        self._ray = ray
        self._setup = ray.put(setup)
        self._remote = ray.remote(_carry_out_on_ray)
        processors = int(ray.cluster_resources().get("CPU", 1))
        self.window = max(1, processors) * ORDERS_A_WORKER

    def submit(self, order: Order) -> Pending:
        return _OfRay(self._ray, self._remote.remote(self._setup, order))


class _OfRay:
    def __init__(self, ray: Any, reference: Any) -> None:
        self._ray = ray
        self._reference = reference

    def result(self) -> list[Game]:
        try:
            return self._ray.get(self._reference)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None

    def cancel(self) -> None:
        """Do nothing: Ray interrupts games that have begun, in the middle of a move."""


def _carry_out_on_ray(setup: Setup, order: Order) -> list[Game]:
    """Carry out an order in a process that may have served another tournament."""
    if not _runners or _runners[0].setup != setup:
        while _runners:
            _runners.pop().close()
        _runners.append(Runner(setup))
    return _runners[0].carry_out(order)
