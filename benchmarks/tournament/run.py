"""Tournaments: everyone against everyone, at every seat, with every game on file.

``run_tournament(Tournament("cant_stop", ("random", "my_bot.py:my_bot")))``.

The same tournament gives the same file again, for any number of workers and however
often it was stopped and continued, unless a bot is not deterministic or takes too long.
"""

import contextlib
import dataclasses
import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from benchmarks.package import version_in_words
from benchmarks.tournament.early_stopping import StopRule, never, stop_rule
from benchmarks.tournament.results import Results
from benchmarks.tournament.results_file import Header, ResultsFile
from benchmarks.tournament.runner import Game, Order, Setup
from benchmarks.tournament.schedule import (
    Fixture,
    Schedule,
    Tournament,
    is_own_bot,
    set_of_games,
)
from benchmarks.tournament.workers import (
    Crew,
    Pending,
    play_here,
    play_in_processes,
    play_on_ray,
)
from game_core.agents.agent import as_agent
from game_core.agents.find import find_agent, split_settings
from game_core.agents.play import GameLog
from game_core.streams import STREAMS

__all__ = ["Place", "Run", "check_agents", "open_run", "run_tournament"]

FIXED = (
    *("game", "version", "options", "seed", "test"),
    *("time_limit", "start_limit", "game_time_limit", "memory_limit"),
)
"""What is the same in all headers of a file."""

OnGame = Callable[[GameLog, Results], object]


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a tournament is played.

    Attributes:
        workers: Processes of this machine; 1 for this process.
        ray: Whether a Ray cluster plays instead.
        address: Of the cluster; None for the one that Ray finds or starts.
    """

    workers: int = 1
    ray: bool = False
    address: str | None = None

    def crew(self, setup: Setup) -> contextlib.AbstractContextManager[Crew]:
        """Return those who play, to be entered.

        Raises:
            ValueError: If there are no workers.
        """
        if self.ray:
            return play_on_ray(setup, self.address)
        if self.workers < 1:
            raise ValueError(f"workers={self.workers} is not at least 1")
        if self.workers == 1:
            return play_here(setup)
        return play_in_processes(setup, self.workers)


HERE = Place()


def run_tournament(
    tournament: Tournament,
    out: Path | None = None,
    on_game: OnGame | None = None,
    place: Place = HERE,
) -> Results:
    """Play a tournament, or resume one.

    Args:
        tournament: What is to be played.
        out: File for the results; None for none. If it is there and of the same
            tournament, the games in it are not played again.
        on_game: Called after each game with its log and the results so far.
        place: Where to play.

    Raises:
        ValueError: If the tournament cannot be played as it is described, a bot does
            not load, or the file is of another one.
        WorkerDiedError: If a process that plays dies. The file can be gone on with.
    """
    with open_run(tournament, out, place) as run:
        for log in run:
            if on_game is not None:
                on_game(log, run.results)
        return run.results


@contextlib.contextmanager
def open_run(
    tournament: Tournament, out: Path | None = None, place: Place = HERE
) -> Iterator["Run"]:
    """Prepare a tournament, which is played as its ``Run`` is iterated over.

    The arguments and errors are those of ``run_tournament``.
    """
    with ResultsFile(out) as file, contextlib.ExitStack() as stack:
        if tournament.seed is None and file.headers:
            seed = file.headers[-1].get("seed")
            tournament = dataclasses.replace(tournament, seed=seed)
        schedule = Schedule(tournament)
        check_agents(schedule)
        header = _header(tournament, schedule)
        _check_same(file, header)
        run = Run(schedule, _results_so_far(file, schedule), file)
        if run.missing:
            crew = stack.enter_context(place.crew(_setup(tournament, schedule)))
            run.prepare(crew, header, stop_rule(tournament))
        yield run


class _Set(NamedTuple):
    """Games of a set under way."""

    number: int
    order: Order
    pending: Pending


class Run:
    """A tournament under way; iterating over it plays and yields the games.

    Attributes:
        schedule: What is played.
        results: What it has come to so far.
        there: Number of games that were on file when it was opened.
        missing: Number of games of the schedule that were not.
    """

    def __init__(self, schedule: Schedule, results: Results, file: ResultsFile) -> None:
        self.schedule = schedule
        self.results = results
        self.there = results.games
        known = results.games_among(schedule.matches, schedule.sets)
        self.missing = schedule.games - known
        self._file = file
        self._rule = never
        self._crew: Crew | None = None

    def prepare(self, crew: Crew, header: Header, rule: StopRule) -> None:
        """Start the own bots, and then write a header if the file needs one.

        Raises:
            ValueError: If a bot does not load.
        """
        own = [name for name, spec in self.schedule.agents.items() if is_own_bot(spec)]
        for pending in [crew.submit(Order(load=name)) for name in own]:
            pending.result()
        if not self._file.headers or _differ(self._file.headers[-1], header):
            self._file.begin(header | {"games_in_all": self.there + self.missing})
        self._crew, self._rule = crew, rule

    def __iter__(self) -> Iterator[GameLog]:
        """Yield the logs of the games that are played, each once it is on file."""
        if self._crew is None:
            return
        reached = -1
        for number, order, pending in self._in_order(self._crew):
            if number > reached and self._rule(self.results, number):
                return
            reached = number
            for fixture, game in zip(order.fixtures, pending.result(), strict=True):
                self._keep(fixture, game)
                yield game.log

    def _in_order(self, crew: Crew) -> Iterator[_Set]:
        """Yield the sets in the order of the schedule, while later ones are played."""
        orders = self._orders()
        under_way: deque[_Set] = deque()
        dropped = len(self.results.dropped)
        while True:
            for number, order in orders:
                under_way.append(_Set(number, order, crew.submit(order)))
                if len(under_way) >= crew.window:
                    break
            if not under_way:
                return
            yield under_way.popleft()
            if len(self.results.dropped) > dropped:
                dropped = len(self.results.dropped)
                under_way = deque(self._renewed(one, crew) for one in under_way)

    def _orders(self) -> Iterator[tuple[int, Order]]:
        """Yield the number of each set and what of it has to be played."""
        for number in range(self.schedule.sets):
            for match in self.schedule.matches:
                fixtures = [
                    fixture
                    for fixture in set_of_games(self.schedule.seed, match, number)
                    if not self.results.has(fixture)
                ]
                if fixtures:
                    yield number, Order(fixtures, self._dropped(fixtures))

    def _dropped(self, fixtures: list[Fixture]) -> frozenset[str]:
        return frozenset(self.results.dropped) & frozenset(fixtures[0].match)

    def _renewed(self, one: _Set, crew: Crew) -> _Set:
        """Order again a set that was ordered before one of its agents was dropped."""
        dropped = self._dropped(list(one.order.fixtures))
        if dropped == one.order.dropped:
            return one
        one.pending.cancel()
        order = one.order._replace(dropped=dropped)
        return _Set(one.number, order, crew.submit(order))

    def _keep(self, fixture: Fixture, game: Game) -> None:
        self._file.add(fixture, game.log, game.decisions)
        self._file.add_times(game.times)
        self.results.add(fixture, game.log, game.decisions)


def check_agents(schedule: Schedule) -> None:
    """Make each baseline once, so that a wrong setting is no lost game.

    One that has a method ``check(game)`` is asked whether it can play this game.

    Raises:
        OSError: If a file that one needs is not there.
        ValueError: If there is no such baseline, or it cannot play with its settings.
    """
    for spec in schedule.agents.values():
        if not is_own_bot(spec):
            try:
                agent = as_agent(find_agent(spec, schedule.game.id))
            except TypeError as error:
                raise ValueError(f"agent {spec!r} cannot be made: {error}") from None
            if hasattr(agent, "check"):
                cast(Any, agent).check(schedule.game)


def _setup(tournament: Tournament, schedule: Schedule) -> Setup:
    limits = {
        "time_limit": tournament.time_limit,
        "start_limit": tournament.start_limit,
        "game_limit": tournament.game_time_limit,
        "memory_limit": tournament.memory_limit,
    }
    return Setup(
        schedule.game.id,
        dict(schedule.game.options),
        schedule.agents,
        {name: limit for name, limit in limits.items() if limit is not None},
    )


def _results_so_far(file: ResultsFile, schedule: Schedule) -> Results:
    results = Results(schedule.matches, list(schedule.agents))
    for number, game in enumerate(file.games(), start=1):
        fixture = game.fixture
        planned = set_of_games(schedule.seed, fixture.match, fixture.set)
        if fixture not in planned or results.has(fixture):
            raise ValueError(
                f"{file.path} exists and is of another tournament: game {number} has "
                f"seed {fixture.seed} or seats that do not follow from seed "
                f"{schedule.seed}; give another file for the results"
            )
        results.add(fixture, game.log, game.decisions)
    return results


def _header(tournament: Tournament, schedule: Schedule) -> Header:
    header = {
        **dataclasses.asdict(tournament),
        "seed": schedule.seed,
        "streams": STREAMS,
        "options": dict(schedule.game.options),
        "version": schedule.game.version,
        "games": schedule.sets * schedule.game.num_players,
        "bots": _fingerprints(schedule),
        "package": version_in_words(),
    }
    return json.loads(json.dumps(header))


def _fingerprints(schedule: Schedule) -> dict[str, str]:
    """Return digests of the user's own files, which tell whether they have changed."""
    digests = {}
    for spec in schedule.agents.values():
        file = Path(split_settings(spec)[0].rpartition(":")[0])
        if is_own_bot(spec) and file.is_file():
            digests[spec] = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return digests


def _check_same(file: ResultsFile, wanted: Header) -> None:
    """Raise ``ValueError`` unless a file can be gone on with."""
    for header in file.headers:
        for key in FIXED:
            if header.get(key) != wanted[key]:
                raise ValueError(
                    f"{file.path} exists and is of another tournament: {key} is "
                    f"{header.get(key)!r} there, not {wanted[key]!r}; give another "
                    "file for the results"
                )
        streams = header.get("streams", 0)
        if streams != wanted["streams"]:
            raise ValueError(
                f"{file.path} exists and was begun with version {streams} of the "
                f"agents' random streams; this is version {wanted['streams']}, where "
                "they draw other numbers. Its games still replay; give another file "
                "for the results"
            )
        for bot, digest in wanted["bots"].items():
            if header.get("bots", {}).get(bot, digest) != digest:
                raise ValueError(
                    f"{bot} has changed since it played in {file.path}; give another "
                    "file for the results"
                )


def _differ(header: Header, wanted: Header) -> bool:
    plan = {key: value for key, value in header.items() if key != "games_in_all"}
    return plan != wanted
