"""Games between agents, and their logs, which replay.

A log holds the game's id, version and options, the seed and the actions: all that it
takes to see the same game again. A file of logs has one as JSON on each line.
"""

import dataclasses
import json
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self, cast

import numpy as np

from game_core.agents.agent import Agent, View, as_agent
from game_core.game import Game, IllegalActionError
from game_core.position import Position
from game_core.registry import load_game
from game_core.streams import Purpose, derive, generator
from game_core.validation.seeds import as_seed
from game_core.validation.text import error_words

__all__ = [
    "FORFEIT",
    "TERMINATED",
    "TRUNCATED",
    "AgentError",
    "GameLog",
    "ReplayError",
    "play",
    "replay",
]

TERMINATED, TRUNCATED, FORFEIT = "terminated", "truncated", "forfeit"


class ReplayError(ValueError):
    """A log that does not lead where it says."""


class AgentError(Exception):
    """An agent that gave no action, in words that can stand in a log."""


@dataclasses.dataclass(frozen=True)
class GameLog:
    """What happened in one game.

    Attributes:
        game: Game id.
        version: Version of the game's rules.
        options: All options of the game.
        seed: Seed of the game.
        agents: Names of the agents by seat.
        actions: The actions in order: numbers; or for continuous actions tuples of
            floats, which are exactly those of float32 that were played.
        rewards: What the game paid, by seat.
        ended: "terminated", "truncated" or "forfeit".
        forfeit_seat: The seat that forfeited, or None.
        forfeit_reason: Why it did, or None.
    """

    game: str
    version: int
    options: Mapping[str, Any]
    seed: int
    agents: tuple[str, ...]
    actions: tuple[int | tuple[float, ...], ...]
    rewards: tuple[float, ...]
    ended: str
    forfeit_seat: int | None = None
    forfeit_reason: str | None = None

    def to_json(self) -> str:
        """Return the log as one line of JSON."""
        return json.dumps(vars(self))

    @classmethod
    def from_json(cls, line: str) -> Self:
        """Return the log that a line of JSON holds; other keys are passed over.

        Raises:
            ReplayError: If it holds none.
        """
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ReplayError(f"no game log: {error!r} in {line[:80]!r}") from None
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Return the log that an object of JSON holds; other keys are passed over.

        Raises:
            ReplayError: If it holds none.
        """
        try:
            fields: dict[str, Any] = {
                field.name: data[field.name]
                for field in dataclasses.fields(cls)
                if field.name in data
            }
            sequences: dict[str, Any] = {
                name: tuple(map(_as_tuple, fields[name]))
                for name in ("agents", "actions", "rewards")
            }
            log = cls(**fields | sequences)
        except (TypeError, KeyError, ValueError) as error:
            start = reprlib.repr(data)
            raise ReplayError(f"no game log: {error!r} in {start}") from None
        log._check()
        return log

    def _check(self) -> None:
        """Raise ``ReplayError`` unless the fields are of their kinds and sizes."""
        kinds: dict[str, Any] = {"game": str, "version": int, "seed": int, "ended": str}
        wrong = [n for n, kind in kinds.items() if type(getattr(self, n)) is not kind]
        if not isinstance(self.options, dict):
            wrong.append("options")
        parts = {"agents": _is_name, "actions": _is_action, "rewards": _is_number}
        for name, allowed in parts.items():
            if not all(map(allowed, getattr(self, name))):
                wrong.append(name)
        if wrong:
            raise ReplayError(f"no game log: {', '.join(wrong)} cannot be read")


def play(
    game: Game,
    agents: Sequence[Any],
    seed: int | None = None,
    *,
    names: Sequence[str] | None = None,
    forfeits: bool = False,
    on_action: Callable[[np.ndarray, Any, Position], object] | None = None,
) -> GameLog:
    """Play one game between agents.

    Args:
        game: The game and its options.
        agents: One for each seat: functions of a view, or objects with ``act``.
        seed: Of the game; agents get generators that depend on it and on their seat.
            None for a random one, which stands in the log.
        names: Names of the agents for the log; by default those of their code.
        forfeits: Whether an agent that raises, exits or plays an illegal action loses
            the game; otherwise its error is raised.
        on_action: Called after each action with the record (1,) before it, the
            action, and the position after it; what it raises ends the game.

    Returns:
        The log. In a forfeit the offender gets -1 and the others share 1.

    Raises:
        ValueError: For another number of agents or names than players.
        IllegalActionError: For an illegal action, unless ``forfeits``.
    """
    if len(agents) != game.num_players:
        raise ValueError(f"got {len(agents)} agents for {game.num_players} seats")
    if names is not None and len(names) != game.num_players:
        raise ValueError(f"got {len(names)} names for {game.num_players} seats")
    seed = as_seed(seed)
    names = names or [_name(agent) for agent in agents]
    seated = [_Seated(game, agent, seed, seat) for seat, agent in enumerate(agents)]
    position = Position.new(game, seed)
    actions: list[Any] = []
    reason: str | None = None
    while not position.over and reason is None:
        try:
            copy_seed = derive(seed, Purpose.DETERMINIZATION, len(actions))
            shown = position.determinize(position.player, copy_seed)
            action = game.as_action(seated[position.player].act(shown))
            before = position.states if on_action is None else position.copy().states
            position.play_checked(action)
            actions.append(action if game.discrete else tuple(action.tolist()))
        except (Exception, SystemExit) as error:
            if not forfeits:
                raise
            reason = _reason(error)
        else:
            if on_action is not None:
                on_action(before, action, position)
    return _log(position, seed, names, actions, reason)


def _log(
    position: Position,
    seed: int,
    names: Sequence[str],
    actions: Sequence[Any],
    reason: str | None,
) -> GameLog:
    """Return the log of a game; ``reason`` says why the seat to move forfeits."""
    game = position.game
    return GameLog(
        game=game.id,
        version=game.version,
        options=dict(game.options),
        seed=seed,
        agents=tuple(names),
        actions=tuple(actions),
        rewards=tuple(_rewards(position, reason is not None)),
        ended=_how_it_ended(position) if reason is None else FORFEIT,
        forfeit_seat=None if reason is None else position.player,
        forfeit_reason=reason,
    )


class _Seated:
    """An agent at a seat, for one game; a class of agents is made at its first move."""

    def __init__(self, game: Game, agent: Any, seed: int, seat: int) -> None:
        self._game = game
        self._agent = agent if isinstance(agent, type) else as_agent(agent)
        self._rng = generator(seed, Purpose.AGENT, seat)
        self.seat = seat

    def act(self, shown: Position) -> Any:
        """Return the agent's action.

        Raises:
            AgentError: For an illegal action that it met while planning.
            BaseException: Whatever the agent raises.
        """
        if isinstance(self._agent, type):
            self._agent = as_agent(self._agent)
        try:
            return self._agent.act(View(self._game, self.seat, shown, self._rng))
        except IllegalActionError as error:
            raise AgentError(f"raised {type(error).__name__}: {error}") from error


def replay(log: GameLog) -> Iterator[tuple[Position, Any]]:
    """Yield each position of a logged game with the action then played.

    An action is an ``int``, or for continuous actions an array (k,) float32. The last
    position comes with None. The same ``Position`` is yielded each time.

    Raises:
        ReplayError: Where the game does not go as the log says.
    """
    game = load_game(log.game, **log.options)
    if game.version != log.version:
        raise ReplayError(
            f"the log is of {log.game} version {log.version}; this is version "
            f"{game.version}, whose rules or dice differ"
        )
    if len(log.agents) != game.num_players:
        raise ReplayError(f"got {len(log.agents)} agents for {game.num_players} seats")
    position = Position.new(game, log.seed)
    for number, action in enumerate(log.actions):
        try:
            yield position, game.as_action(action)
            position.step(action)
        except IllegalActionError as error:
            raise ReplayError(f"move {number}: {error}") from None
    ended = _how_it_ended(position)
    if log.ended != (ended if position.over else FORFEIT):
        state = ended if position.over else "unfinished"
        raise ReplayError(f"the game is {state}, but the log says {log.ended}")
    if log.ended == FORFEIT and log.forfeit_seat != position.player:
        raise ReplayError(
            f"player_{position.player} is to move, but the log says that "
            f"player_{log.forfeit_seat} forfeits"
        )
    if list(log.rewards) != _rewards(position, log.ended == FORFEIT):
        raise ReplayError(
            f"the game pays {_rewards(position, log.ended == FORFEIT)}, but the log "
            f"says {list(log.rewards)}"
        )
    yield position, None


def _how_it_ended(position: Position) -> str:
    return TERMINATED if position.terminated else TRUNCATED


def _rewards(position: Position, forfeit: bool) -> list[float]:
    if not forfeit:
        return position.rewards.tolist()
    others = position.game.num_players - 1
    rewards = [1 / others if others else 0.0] * position.game.num_players
    rewards[position.player] = -1.0
    return rewards


def _reason(error: BaseException) -> str:
    if isinstance(error, IllegalActionError):
        return f"illegal action: {error_words(error)}"
    if isinstance(error, AgentError):
        return str(error)
    return f"raised {type(error).__name__}: {error_words(error)}"


def _as_tuple(part: Any) -> Any:
    return tuple(cast(list[Any], part)) if isinstance(part, list) else part


def _is_name(part: Any) -> bool:
    return type(part) is str


def _is_number(part: Any) -> bool:
    return type(part) in (int, float)


def _is_action(part: Any) -> bool:
    return type(part) is int or (
        isinstance(part, tuple) and all(map(_is_number, cast(tuple[Any, ...], part)))
    )


def _name(agent: Agent | Any) -> str:
    return getattr(agent, "__name__", type(agent).__name__)
