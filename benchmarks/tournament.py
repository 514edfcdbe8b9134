"""Tournaments: everyone against everyone, at every seat, with every game on file.

``run_tournament(Tournament("cant_stop", ("random", "my_bot.py:my_bot")))``.

A file of results has a JSON object on each line: first ``{"tournament": {...}}``, then
for each game its ``GameLog`` with the keys "match", "set" and "rotation" beside it. The
same tournament gives the same bytes again, unless a bot is not deterministic or takes
too long.
"""

import contextlib
import dataclasses
import importlib.metadata
import itertools
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from benchmarks.results import Fixture, Results
from benchmarks.sandbox import START_LIMIT, TIME_LIMIT, Sandbox
from game_core.agent import agent_seed
from game_core.game import Game
from game_core.play import GameLog, play
from game_core.registry import find_agent, load_game
from game_core.seeding import as_seed

PACKAGE = "tabletop-marl"
LONGEST_LIMIT = 24 * 60 * 60.0

Seated = Callable[[int], Any]
"""Seed of an agent -> the agent for one game."""

OnGame = Callable[[GameLog, Results], object]


@dataclasses.dataclass(frozen=True)
class Tournament:
    """What is to be played.

    Attributes:
        game: Game id.
        agents: Names of baselines, which play in this process; or "file.py:name" or
            "package.module:name", which play in a sandbox. One that is given again
            takes part as another, called "name (2)".
        games: Games in each match, rounded up to whole sets.
        seed: Of the tournament; the seeds of all games follow from it.
        options: Options of the game, "num_players" among them.
        time_limit: Seconds for a move of an agent in a sandbox.
        start_limit: Seconds for it to start; see ``Sandbox``.
    """

    game: str
    agents: tuple[str, ...]
    games: int = 1000
    seed: int = 0
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    time_limit: float = TIME_LIMIT
    start_limit: float = START_LIMIT


class Schedule:
    """All games of a tournament in order.

    The matches are all combinations of as many agents as the game has seats. A set is
    a game played once for each rotation of a match's agents around the table. The
    first sets of all matches come first, so that a run cut short is balanced.

    Attributes:
        game: The game and its options.
        matches: The combinations of agents.
        sets: Number of sets in each match.
        games: Number of games in all.
    """

    def __init__(self, tournament: Tournament) -> None:
        """Plan the games.

        Raises:
            ValueError: If the tournament cannot be played as it is described.
        """
        self.game = game = load_game(tournament.game, **tournament.options)
        _check(tournament, game)
        self._seed = as_seed(tournament.seed)
        self.matches = list(
            itertools.combinations(labels(tournament), game.num_players)
        )
        self.sets = math.ceil(tournament.games / game.num_players)
        self.games = self.sets * game.num_players * len(self.matches)

    def __iter__(self) -> Iterator[Fixture]:
        """Yield the games."""
        for number in range(self.sets):
            for match, agents in enumerate(self.matches):
                seed = set_seed(self._seed, match, number)
                for rotation in range(len(agents)):
                    seated = agents[rotation:] + agents[:rotation]
                    yield Fixture(match, number, rotation, seed, seated)


def labels(tournament: Tournament) -> dict[str, str]:
    """Return what each agent is called in the results: label -> agent."""
    agents = tournament.agents
    counts = [agents[:i].count(agent) + 1 for i, agent in enumerate(agents)]
    return {
        agent if count == 1 else f"{agent} ({count})": agent
        for agent, count in zip(agents, counts, strict=True)
    }


def set_seed(tournament_seed: int, match: int, number: int) -> int:
    """Return the seed of all games in a set of a match."""
    words = np.random.SeedSequence([tournament_seed, match, number])
    return int(words.generate_state(1, np.uint64)[0])


def run_tournament(
    tournament: Tournament, out: Path | None = None, on_game: OnGame | None = None
) -> Results:
    """Play a tournament.

    Args:
        tournament: What is to be played.
        out: File for the results, which must not exist; None for none. Every game is
            in it as soon as it is over.
        on_game: Called after each game with its log and the results so far.

    Raises:
        ValueError: If the tournament cannot be played as it is described, a bot does
            not load, or the file exists.
    """
    schedule = Schedule(tournament)
    results = Results(schedule.matches)
    with contextlib.ExitStack() as stack:
        seated = _enter_agents(tournament, schedule.game, stack)
        file = stack.enter_context(_open_new(out))
        _write(file, {"tournament": _header(tournament, schedule)})
        for fixture in schedule:
            log = _play(schedule.game, fixture, seated)
            places = ("match", "set", "rotation")
            _write(file, vars(log) | {key: getattr(fixture, key) for key in places})
            results.add(fixture, log)
            if on_game is not None:
                on_game(log, results)
    return results


def is_own_bot(spec: str) -> bool:
    """Tell whether an agent is the user's own and plays in a sandbox."""
    return ":" in spec


def _check(tournament: Tournament, game: Game) -> None:
    agents, seats = tournament.agents, game.num_players
    if seats < 2:
        raise ValueError(f"a tournament of {game.id} takes 2 players or more")
    if len(agents) < seats:
        raise ValueError(
            f"got {len(agents)} agents ({', '.join(agents)}) for {seats} seats; name "
            f"{seats} or more"
        )
    if tournament.games < 1:
        raise ValueError(f"games={tournament.games} is not at least 1")
    for name in ("time_limit", "start_limit"):
        seconds = getattr(tournament, name)
        if not 0 < seconds <= LONGEST_LIMIT:
            raise ValueError(
                f"{name}={seconds} is not a number of seconds above 0, up to a day"
            )


def _enter_agents(
    tournament: Tournament, game: Game, stack: contextlib.ExitStack
) -> dict[str, Seated]:
    """Load the baselines, and start the user's own bots until ``stack`` is left."""
    limits = {
        "time_limit": tournament.time_limit,
        "start_limit": tournament.start_limit,
    }
    baselines, own = {}, {}
    for label, spec in labels(tournament).items():
        (own if is_own_bot(spec) else baselines)[label] = spec
    seated = {
        label: _in_this_process(find_agent(spec, game.id))
        for label, spec in baselines.items()
    }
    for label, spec in own.items():
        seated[label] = stack.enter_context(Sandbox(spec, game, **limits)).player
    return seated


def _in_this_process(agent: Any) -> Seated:
    return lambda seed: agent


def _play(game: Game, fixture: Fixture, seated: Mapping[str, Seated]) -> GameLog:
    agents = [
        seated[spec](agent_seed(fixture.seed, seat))
        for seat, spec in enumerate(fixture.agents)
    ]
    return play(game, agents, fixture.seed, names=fixture.agents, forfeits=True)


def _open_new(path: Path | None) -> TextIO:
    if path is None:
        return open(os.devnull, "w", encoding="utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        raise ValueError(f"{path} exists; give another file for the results") from None


def _write(file: TextIO, content: Mapping[str, Any]) -> None:
    """Write a line at once, so that a run that is killed leaves whole lines."""
    file.write(json.dumps(content) + "\n")
    file.flush()


def _header(tournament: Tournament, schedule: Schedule) -> dict[str, Any]:
    return {
        **dataclasses.asdict(tournament),
        "options": dict(schedule.game.options),
        "version": schedule.game.version,
        "games": schedule.sets * schedule.game.num_players,
        "games_in_all": schedule.games,
        "package": f"{PACKAGE} {_package_version()}",
    }


def _package_version() -> str:
    try:
        return importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
