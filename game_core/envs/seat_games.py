"""One learning seat: many games in which everybody else is played by opponents.

``SeatGames`` is what the environments of ``game_core.envs.seat`` have in common. The
learner meets a game only where it has to decide: opponents move inside ``reset`` and
``step``, and what a game pays reaches the learner though others moved last. So all
decisions of a trajectory are of one player, and of one seat.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
from gymnasium.error import ResetNeeded

from game_core.agents.policy import new_memories
from game_core.compiled.jit import jit
from game_core.compiled.rng import below, next_bits
from game_core.deprecation import renamed_method
from game_core.envs.opponents import Opponent, as_opponent
from game_core.envs.shaping import Shaping, as_shaping
from game_core.game import Game, IllegalActionError
from game_core.streams import Purpose, start_stream
from game_core.validation.options import word_or_number

__all__ = ["LEARNER", "NO_SEEDS", "Outcome", "SeatGames"]

AGENT, SEATING = int(Purpose.AGENT), int(Purpose.SEATING)  # for compiled code
ANY_SEAT = -1
LEARNER = -1
"""Stands in ``SeatGames.seating`` where an opponent's number would."""

ILLEGAL_REWARD = -1.0

NO_SEEDS = np.zeros(0, np.uint64)

MAX_UNDECIDED = 1000
"""Games in a row, without a decision of the learner, after which there is none."""

DRAWN = "drawn"
ARRAYS = ("states", "seats", "seating", "memories", "decisions", "streams", DRAWN)
"""All that changes in ``SeatGames`` as games go on."""


class Outcome(NamedTuple):
    """What a decision of the learner came to, in each of n games.

    Attributes:
        rewards: Of the learner (n,) float64: what was paid, and what shaping adds.
        terminated: Games that were played to their end, or lost by an illegal
            action, (n,) bool.
        truncated: Games that were cut short, (n,) bool.
        illegal: Games that ended by an illegal action of the learner, (n,) bool.
        paid: What the game pays the learner (n,) float64, in the step that ends it.
    """

    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    illegal: np.ndarray
    paid: np.ndarray


class SeatGames:
    """``num_envs`` games, in each of which the learner plays one seat.

    Every game draws, from a stream of its row, the learner's seat (unless it is
    fixed) and the opponent at each other seat. Row i plays what any other number of
    rows plays with its seed.

    Attributes:
        game: The game and its options.
        num_envs: Number of rows.
        states: The games (num_envs,) records. The learner is to move in each, or it
            is over.
        seats: The learner's seat in each game (num_envs,) int64.
        seating: Number of the opponent at each seat (num_envs, players) int64.
        memories: What each seat keeps (num_envs, players).
        decisions: Decisions of compiled opponents (num_envs, players) int64.
        streams: The streams that seats and opponents are drawn from (num_envs,).
        shaping: What is added to rewards, if anything.
        drawn: Numbers of the opponents that new games draw from: (1, k) for all
            seats, or (players, 1) for each.
        begun: Whether the games can go on. They have to begin first; and again, after
            a ``step`` that was interrupted or that an opponent's error ended.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Any = "random",
        seat: Any = "random",
        shaping: Shaping | None = None,
    ) -> None:
        """Make the array; ``reset`` begins the games.

        Args:
            game: The game and its options.
            num_envs: Number of rows.
            opponents: An agent or several: names, functions of a view, objects with
                ``act`` or with ``act_batch``. Each game draws one of them for each
                seat, each as likely. Or one for each seat but the learner's, as
                ``{seat: agent}``, for all seats if that is drawn.
            seat: The learner's seat in all games, or "random".
            shaping: What is added to rewards; None for nothing.

        Raises:
            OSError: If a file that an opponent needs is not there.
            ValueError: For no opponent, an unknown one, a seat out of range, or an
                unknown potential.
        """
        self.game = game
        self.shaping = None if shaping is None else as_shaping(shaping, game.id)
        self.num_envs = num_envs
        self.begun = False
        seat = word_or_number("seat", seat, "random", 0, game.num_players - 1)
        self._seat = ANY_SEAT if seat == "random" else seat
        self._agents: list[Any] = []
        self._opponents: list[Opponent] = []
        self.drawn = np.zeros((1, 0), np.int64)
        self.streams = new_memories(game, num_envs)
        self.states = np.repeat(game.template, num_envs)
        self.seats = np.zeros(num_envs, np.int64)
        self.seating = np.full((num_envs, game.num_players), LEARNER)
        self.memories = new_memories(game, num_envs, game.num_players)
        self.decisions = np.zeros((num_envs, game.num_players), np.int64)
        self.set_opponents(opponents)

    @property
    def over(self) -> np.ndarray:
        """Games in which there is nothing left to decide (num_envs,) bool."""
        return self.states["terminated"] | self.states["truncated"]

    @property
    def opponents(self) -> list[str]:
        """Names of those that games to begin will draw from."""
        return [self._opponents[number].name for number in self.drawn.ravel()]

    def set_opponents(self, opponents: Any) -> None:
        """Let games draw from other opponents, from the next one in each row on.

        Args:
            opponents: As in ``__init__``. One that is there twice is met twice as
                often.

        Raises:
            OSError: If a file that one needs is not there; nothing has changed.
            ValueError: For no opponent, or an unknown one; nothing has changed.
        """
        listed = self._of_seats(opponents)
        agents, places = without_repetitions(list(chain.from_iterable(listed)))
        new = [as_opponent(agent, self.game) for agent in agents]
        used = [number for number in np.unique(self.seating) if number != LEARNER]
        numbers = np.full(len(self._opponents) + 1, LEARNER)  # the last: the learner
        numbers[used] = np.arange(len(used))
        self.seating = numbers[self.seating]
        self._agents = [*(self._agents[number] for number in used), *agents]
        self._opponents = [*(self._opponents[number] for number in used), *new]
        self.drawn = len(used) + np.array(places, np.int64).reshape(len(listed), -1)

    def _of_seats(self, opponents: Any) -> list[list[Any]]:
        """Return the agents to draw from, as a list for all seats or one for each."""
        if isinstance(opponents, str) or not isinstance(opponents, Sequence | Mapping):
            return [[opponents]]
        if not opponents:
            raise ValueError("no opponents: give one at least, for instance 'random'")
        if isinstance(opponents, Mapping):
            given = cast(Mapping[int, Any], opponents)
            others = [int(seat) for seat in self.game.seats if seat != self._seat]
            if set(given) != set(others):
                raise ValueError(
                    f"opponents for the seats {list(given)} are not allowed; give one "
                    f"for each of {others}, or a list to draw from"
                )
            nobody = given[others[0]]  # stands at the learner's seat, where none plays
            return [[given.get(seat, nobody)] for seat in range(self.game.num_players)]
        return [list(cast(Sequence[Any], opponents))]

    @property
    def agents(self) -> list[Any]:
        """The opponents as they were given, by their numbers in ``seating``."""
        return self._agents.copy()

    def get_state(self) -> dict[str, np.ndarray]:
        """Return copies of all arrays, from which ``set_state`` goes on.

        Agents that get views, and keep something of their own between decisions, are
        the exception: what they keep is not in here.

        Raises:
            gymnasium.error.ResetNeeded: If the games cannot go on.
        """
        self.check_begun()
        return {name: getattr(self, name).copy() for name in ARRAYS}

    def set_state(
        self, arrays: Mapping[str, np.ndarray], agents: Sequence[Any]
    ) -> None:
        """Go on from what ``get_state`` returned.

        Args:
            arrays: The arrays.
            agents: What ``agents`` was then.

        Raises:
            ValueError: If the arrays are of other games, another number of games or
                of agents; nothing has changed.
        """
        opponents = [as_opponent(agent, self.game) for agent in agents]
        self._check_state(arrays, len(opponents))
        self._agents, self._opponents = list(agents), opponents
        for name in ARRAYS:
            # The same object: code is compiled for it, not for equal ones from a file.
            dtype = getattr(self, name).dtype
            setattr(self, name, arrays[name].copy().view(dtype))
        self.begun = True

    def _check_state(
        self, arrays: Mapping[str, np.ndarray], num_opponents: int
    ) -> None:
        """Raise ``ValueError`` for arrays that these games cannot go on from."""
        for name in ARRAYS:
            if name not in arrays:
                raise ValueError(f"{name} is missing")
            here, given = getattr(self, name), arrays[name]
            if name == DRAWN:
                fits = given.ndim == 2 and len(given) in (1, self.game.num_players)
            else:
                fits = given.shape[1:] == here.shape[1:]
            if given.dtype != here.dtype or not fits:
                raise ValueError(f"{name} is of another game")
            if name != DRAWN and len(given) != len(here):
                raise ValueError(f"{name} is of {len(given)} games, not {len(here)}")
        bounds = {
            "seats": (0, self.game.num_players - 1),
            "seating": (LEARNER, num_opponents - 1),
            DRAWN: (0, num_opponents - 1),
        }
        for name, (low, high) in bounds.items():
            given = arrays[name]
            if not given.size or given.min() < low or given.max() > high:
                raise ValueError(f"{name} should be numbers from {low} to {high}")
        learner = self.game.seats == arrays["seats"][:, np.newaxis]
        if not np.array_equal(arrays["seating"] == LEARNER, learner):
            raise ValueError("seating does not agree with seats")
        self.game.adopt(arrays["states"])

    def reset(self, rows: np.ndarray, seeds: np.ndarray = NO_SEEDS) -> None:
        """Begin new games, and play them up to the learner's first decision.

        A game that is over before the learner had any is followed by another one.

        Args:
            rows: (k,) int64.
            seeds: (k,) uint64; empty to continue the streams of the rows.

        Raises:
            RuntimeError: If the learner never comes to decide.
            IllegalActionError: For an illegal action of an opponent.
        """
        self.begun = False  # until all is done: Ctrl-C may leave games half played
        for _ in range(MAX_UNDECIDED):
            if not len(rows):
                break
            self.game.loops.reset_rows(self.states, rows, seeds)
            for opponent in self._opponents:
                opponent.forget(rows)
            self.draw_seats(rows, seeds)
            self.let_opponents_play()
            rows = rows[self.over[rows]]
            seeds = NO_SEEDS
        if len(rows):
            raise RuntimeError(
                f"{MAX_UNDECIDED} games of {self.game.id} in a row were over before "
                "the learner had to decide: is its seat to move at all?"
            )
        self.begun = True

    begin = renamed_method("begin", "reset")
    play = renamed_method("play", "step")

    def draw_seats(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Draw who sits where in the games ``rows``; arguments as of ``reset``."""
        arrays = Draw(self.streams, self.seats, self.seating, self.memories)
        draw_seats(arrays, rows, seeds, self._seat, self.drawn)

    def step(self, actions: np.ndarray) -> Outcome:
        """Play the learner's decision in every game, and the others' after it.

        An action that is illegal now ends its game with -1. A game that is over stays
        as it is.

        Args:
            actions: As ``Game.as_actions`` returns them.

        Raises:
            IllegalActionError: For an action outside the action space, before
                anything has changed; or for an illegal action of an opponent, which
                it names.
            gymnasium.error.ResetNeeded: If the games cannot go on.
        """
        self.check_begun()
        was_over, worth_before = self.over, self._potentials()
        illegal = self._illegal(actions) & ~was_over
        self.begun = False  # until all is done, as in reset
        self.states["terminated"][illegal] = True
        self.game.loops.play_all(self.states, actions)
        self.let_opponents_play()
        self.begun = True
        paid = self.pay(self.over & ~was_over)
        paid[illegal] = ILLEGAL_REWARD
        rewards = paid.copy()
        if self.shaping is not None:
            gain = self.shaping.gamma * self._potentials() - worth_before
            rewards[~was_over] += gain[~was_over]
        terminated, truncated = self.states["terminated"], self.states["truncated"]
        return Outcome(rewards, terminated.copy(), truncated.copy(), illegal, paid)

    def pay(self, ended: np.ndarray) -> np.ndarray:
        """Return what games that ended (num_envs,) bool pay the learner, 0 else."""
        paid, rows = np.zeros(self.num_envs), np.flatnonzero(ended)
        if len(rows):
            payoffs = self.game.payoffs(self.states[rows])
            paid[rows] = payoffs[np.arange(len(rows)), self.seats[rows]]
        return paid

    def _potentials(self) -> np.ndarray:
        """Return what positions are worth to the learner (num_envs,)."""
        if self.shaping is None:
            return np.zeros(self.num_envs)
        return self.shaping.of(self.states, self.seats)

    def observations(self) -> np.ndarray:
        """Return what the learner sees (num_envs, size) float32."""
        return self.game.observations(self.states, self.seats)

    def action_masks(self) -> np.ndarray:
        """Return its legal actions (num_envs, actions) int8; all ones in a game over.

        Raises:
            ValueError: If actions are continuous.
            gymnasium.error.ResetNeeded: If the games cannot go on.
        """
        self.check_begun()
        masks = self.game.action_masks(self.states)
        masks[self.over] = 1
        return masks

    def check_begun(self) -> None:
        """Raise ``ResetNeeded`` if the games cannot go on; see ``begun``."""
        if not self.begun:
            raise ResetNeeded(
                "reset() needs to be called first, for all games, and after a step "
                "that was interrupted"
            )

    def rows_to_play(self, number: int) -> np.ndarray:
        """Return the rows (k,) int64 where opponent ``number`` is to move."""
        movers = self.seating[np.arange(self.num_envs), self.states["player"]]
        return np.flatnonzero((movers == number) & ~self.over)

    def let_opponents_play(self) -> None:
        """Play until the learner is to move in every game, or it is over."""
        while True:
            waiting = (self.states["player"] != self.seats) & ~self.over
            if not waiting.any():
                return
            for number, opponent in enumerate(self._opponents):
                try:
                    opponent.play_on(self, number)
                except IllegalActionError as error:
                    raise IllegalActionError(
                        f"opponent {opponent.name!r}: {error}"
                    ) from None

    def _illegal(self, actions: np.ndarray) -> np.ndarray:
        """Return where actions cannot be played (num_envs,) bool."""
        if self.game.loops.find_illegal(self.states, actions) < 0:
            return np.zeros(self.num_envs, np.bool_)
        outside = (actions < 0) | (actions >= self.game.num_actions)
        for row in np.flatnonzero(outside & ~self.over):
            self.game.as_action(actions[row])  # which refuses it
        masks = self.action_masks()
        return masks[np.arange(self.num_envs), np.where(outside, 0, actions)] == 0


def without_repetitions(agents: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """Return the agents, each once, and the place of each of ``agents`` among them."""
    keys = [agent if isinstance(agent, str) else id(agent) for agent in agents]
    different = dict(zip(keys, agents, strict=True))
    places = {key: place for place, key in enumerate(different)}
    return list(different.values()), [places[key] for key in keys]


class Draw(NamedTuple):
    """What ``draw_seats`` writes: the arrays of ``SeatGames`` of these names."""

    streams: np.ndarray
    seats: np.ndarray
    seating: np.ndarray
    memories: np.ndarray


@jit
def draw_seats(
    draw: Draw, rows: Any, seeds: np.ndarray, seat: int, drawn: np.ndarray
) -> None:
    """Draw who sits where in the games ``rows`` (k,).

    Args:
        draw: Written.
        rows: (k,) int64.
        seeds: Of the rows (k,) uint64; if it is empty their streams go on.
        seat: The learner's, or ``ANY_SEAT``.
        drawn: Numbers of the opponents to draw from, int64, see ``SeatGames``.
    """
    for k in range(len(rows)):
        i = rows[k]
        stream = draw.streams[i]
        if len(seeds) > 0:
            start_stream(stream, seeds[k], SEATING, 0)
        players = draw.seating.shape[1]
        draw.seats[i] = below(stream, players) if seat == ANY_SEAT else seat
        game_seed = next_bits(stream)
        for other in range(players):
            memory = draw.memories[i, other]
            start_stream(memory, game_seed, AGENT, other)
            for place in range(len(memory.numbers)):
                memory.numbers[place] = 0.0
            pool = drawn[other % len(drawn)]
            number = pool[below(stream, len(pool))]
            draw.seating[i, other] = LEARNER if other == draw.seats[i] else number
