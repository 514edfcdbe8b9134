"""What a tournament is to play: its matches, sets and seeds.

A match is a combination of agents, as many as the game has seats. A set is a game
played once for each rotation of a match's agents around the table, always with the
same seed. That seed follows from the tournament's seed, the number of the set and the
names in the match: a game stays as it is when agents or sets are added around it.
"""

import dataclasses
import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.ratings.match import Match
from benchmarks.sandbox.limits import START_LIMIT, TIME_LIMIT
from game_core.agents.find import split_settings
from game_core.game import Game
from game_core.registry import load_game
from game_core.validation.seeds import as_seed

__all__ = [
    "Fixture",
    "Schedule",
    "Tournament",
    "is_own_bot",
    "labels",
    "set_of_games",
    "set_seed",
]

LONGEST_LIMIT = 24 * 60 * 60.0


class Fixture(NamedTuple):
    """One game of a tournament, to be played.

    Attributes:
        match: The agents that play each other.
        set: Number of the set in its match, from 0; its games have the same seed.
        rotation: Number of the game in its set; the agents move on by as many seats.
        seed: Seed of the game.
        agents: The agents by seat.
    """

    match: Match
    set: int
    rotation: int
    seed: int
    agents: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Tournament:
    """What is to be played.

    Attributes:
        game: Game id.
        agents: Names of baselines, which play in the tournament's own processes; or
            "file.py:name" or "package.module:name", which play in sandboxes. One that
            is given again takes part as another, called "name (2)".
        games: Games in each match, rounded up to whole sets.
        seed: Of the tournament; the seeds of all games follow from it. None for the
            one in the file of results, or else a random one.
        options: Options of the game, "num_players" among them.
        gauntlet: Agents of which every match has one or more; they take part whether
            or not they are among ``agents``. None for all matches that there are.
        until: Stop before ``games`` once every interval of a rating is narrower than
            this, in Elo; None for never.
        test: Settings of ``benchmarks.ratings.sprt.SequentialTest``, which stops the
            match of two agents before ``games`` once it has decided; None for none.
        time_limit: Seconds for a move of an agent in a sandbox.
        start_limit: Seconds for it to start; see ``Sandbox``.
        game_time_limit: Seconds for all its moves of a game; None for no limit.
        memory_limit: MiB of memory for it; None for the default of ``Sandbox``.
    """

    game: str
    agents: tuple[str, ...]
    games: int = 1000
    seed: int | None = None
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    gauntlet: tuple[str, ...] = ()
    until: float | None = None
    test: Mapping[str, float] | None = None
    time_limit: float = TIME_LIMIT
    start_limit: float = START_LIMIT
    game_time_limit: float | None = None
    memory_limit: int | None = None


class Schedule:
    """All games of a tournament in order.

    The first sets of all matches come first, so that a run cut short is balanced. Who
    sits next to whom is drawn for each set.

    Attributes:
        game: The game and its options.
        seed: Of the tournament.
        agents: The agents: label -> name as it was given.
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
        self.seed = as_seed(tournament.seed)
        self.agents = labels(tournament.agents, tournament.gauntlet)
        _check(tournament, self.agents, game)
        self.matches = _matches(self.agents, tournament.gauntlet, game.num_players)
        self.sets = math.ceil(tournament.games / game.num_players)
        self.games = self.sets * game.num_players * len(self.matches)

    def __iter__(self) -> Iterator[Fixture]:
        """Yield the games."""
        for number in range(self.sets):
            for match in self.matches:
                yield from set_of_games(self.seed, match, number)


def labels(agents: Sequence[str], gauntlet: Sequence[str] = ()) -> dict[str, str]:
    """Return what each agent is called in the results: label -> agent."""
    counts = [agents[:i].count(agent) + 1 for i, agent in enumerate(agents)]
    named = {
        agent if count == 1 else f"{agent} ({count})": agent
        for agent, count in zip(agents, counts, strict=True)
    }
    return named | {agent: agent for agent in gauntlet if agent not in named}


def set_of_games(seed: int, match: Match, number: int) -> list[Fixture]:
    """Return the games of a set, one for each rotation.

    Args:
        seed: Of the tournament.
        match: The agents.
        number: Of the set, from 0.
    """
    drawn = set_seed(seed, match, number)
    others = sorted(match[1:], key=lambda agent: _digest(drawn, agent))
    circle = (match[0], *others)
    return [
        Fixture(match, number, k, drawn, circle[k:] + circle[:k])
        for k in range(len(match))
    ]


def set_seed(tournament_seed: int, match: Match, number: int) -> int:
    """Return the seed of all games in a set of a match.

    It is a hash, and not from ``derive``, as the names of the agents are part of it.
    """
    return int.from_bytes(_digest(tournament_seed, number, *match)[:8], "little")


def is_own_bot(spec: str) -> bool:
    """Tell whether an agent is the user's own and plays in a sandbox."""
    return ":" in split_settings(spec)[0]


def _digest(*parts: int | str) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def _matches(
    agents: Mapping[str, str], gauntlet: Sequence[str], seats: int
) -> list[Match]:
    return [
        tuple(sorted(match))
        for match in itertools.combinations(agents, seats)
        if not gauntlet or set(gauntlet) & set(match)
    ]


def _check(tournament: Tournament, agents: Mapping[str, str], game: Game) -> None:
    seats = game.num_players
    if seats < 2:
        raise ValueError(f"a tournament of {game.id} takes 2 players or more")
    if len(agents) < seats:
        raise ValueError(
            f"got {len(agents)} agents ({', '.join(agents)}) for {seats} seats; name "
            f"{seats} or more"
        )
    if tournament.games < 1:
        raise ValueError(f"games={tournament.games} is not at least 1")
    if tournament.until is not None and not tournament.until > 0:
        raise ValueError(f"until={tournament.until} is not a number of Elo above 0")
    if tournament.memory_limit is not None and tournament.memory_limit < 1:
        raise ValueError(f"memory_limit={tournament.memory_limit} is not at least 1")
    for name in ("time_limit", "start_limit", "game_time_limit"):
        seconds = getattr(tournament, name)
        if seconds is not None and not 0 < seconds <= LONGEST_LIMIT:
            raise ValueError(
                f"{name}={seconds} is not a number of seconds above 0, up to a day"
            )
