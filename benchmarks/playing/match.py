"""A person's game against bots, played in a thread, and what a page may know of it.

The person is an agent as the bots are: it gets a view, which is a determinized copy of
the game, and waits until the page answers. All that leaves this module is drawn and
described from such copies, so nothing can be told that the seat may not know.
"""

import dataclasses
import secrets
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.playing.questions import check_playable, help_for, question_for
from benchmarks.viewer.pictures import ending
from game_core.agents.agent import Agent, View, as_agent
from game_core.agents.find import find_agent
from game_core.agents.play import FORFEIT, AgentError, GameLog, play
from game_core.envs.screen import film
from game_core.game import Game, IllegalActionError
from game_core.position import Position
from game_core.scene import Scene
from game_core.streams import Purpose, generator
from game_core.validation.seeds import MAX_SEED, as_seed
from game_core.validation.text import error_words, told_apart

__all__ = ["Match", "RefusedError", "Table"]

HUMAN = "human"
"""What the person is called, in logs too."""


class RefusedError(Exception):
    """What a page asked for cannot be done now, in words; nothing has changed."""


class _LeftError(BaseException):
    """The person has begun another game; no bot is to catch or to lose by it."""


@dataclasses.dataclass(frozen=True)
class Table:
    """Who plays what.

    Attributes:
        game: The game and its options.
        bots: Names of the bots at the other seats, in order.
        seat: The person's.
        adviser: Name of the bot that gives hints.
        seed: Of the first game, those that follow count on from it; None for seeds
            that nobody knows.
    """

    game: Game
    bots: tuple[str, ...]
    seat: int
    adviser: str
    seed: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What all are called, by seat."""
        return (*self.bots[: self.seat], HUMAN, *self.bots[self.seat :])

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The same, bots of the same name told apart."""
        return told_apart(self.names)

    def agents(self) -> list[Any]:
        """Return the bots and, behind them, the adviser.

        Raises:
            ValueError: If no game can be played at this table.
        """
        players = self.game.num_players
        if len(self.bots) != players - 1:
            raise ValueError(
                f"got {len(self.bots)} bots for the {players - 1} other seats of a "
                f"game with {players} players"
            )
        self.game.check_seat(self.seat)
        check_playable(self.game)
        return [find_agent(name, self.game.id) for name in (*self.bots, self.adviser)]


@dataclasses.dataclass(frozen=True)
class Move:
    """A decision as the person saw it; the first one is the start, without any.

    Attributes:
        scene: What there was to see.
        seat: Who decided; None at the start.
        words: What was decided.
    """

    scene: Scene
    seat: int | None
    words: str


class Match:
    """Games at a table, one after the other; a page may ask for what there is of it.

    Methods can be called from any thread.
    """

    def __init__(
        self, table: Table, on_log: Callable[[GameLog], object] | None = None
    ) -> None:
        """Make a match; ``begin`` begins the first game.

        Args:
            table: Who plays what.
            on_log: Called with the log of each game that is over.

        Raises:
            ValueError: If no game can be played at this table.
        """
        self.table = table
        self._agents = table.agents()
        self._on_log = on_log
        self._changed = threading.Condition()
        self._run = secrets.token_hex(4)
        self._number = 0
        self._sitting: Sitting

    def new_game(self, tag: str) -> None:
        """Leave the game, which is then lost and forgotten, and begin another.

        Args:
            tag: Of a snapshot of the game that is left.

        Raises:
            RefusedError: If that one has been left before.
        """
        with self._changed:
            if not tag.startswith(f"{self._game}."):
                raise RefusedError("another game has begun since; look at it")
            self._sitting.leave()
            self.begin()

    def begin(self) -> None:
        """Begin a game."""
        with self._changed:
            seed = self.table.seed
            if seed is not None:
                seed = (seed + self._number) & MAX_SEED
            self._number += 1
            self._sitting = Sitting(
                self.table, self._agents, as_seed(seed), self._changed, self._on_log
            )
            self._changed.notify_all()

    def snapshot(self, unlike: str = "", seconds: float = 0.0) -> dict[str, Any]:
        """Return what a page may know, as JSON has it.

        Args:
            unlike: The tag of what is known already: wait until there is more.
            seconds: How long, at most.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._tag() != unlike, seconds)
            about = {"title": self.table.game.id, "names": self.table.shown_names}
            about |= {"seat": self.table.seat, "adviser": self.table.adviser}
            about |= {"help": help_for(self.table.game)}
            about |= {"tag": self._tag(), "game": self._game}
            return about | self._sitting.seen()

    @property
    def _game(self) -> str:
        """Name of the game, which no other has, in another run of the server either."""
        return f"{self._run}-{self._number}"

    def _tag(self) -> str:
        return f"{self._game}.{self._sitting.version}"

    def film(self, game: str, move: int) -> list[tuple[str, float]]:
        """Return the pictures of a move, each with the seconds that it is shown.

        Raises:
            RefusedError: If that game is over and gone, or the move is not there.
        """
        with self._changed:
            moves = self._sitting.moves
            if game != self._game or not 0 <= move < len(moves):
                raise RefusedError(
                    f"there is no move {move} of game {game!r} to be seen"
                )
            scene = moves[move].scene
        return list(film(self.table.game, scene))

    def answer(self, tag: str, action: Any) -> None:
        """Play an action for the person.

        Args:
            tag: Of the snapshot that the person has decided upon.
            action: What to play.

        Raises:
            RefusedError: If it is another's move, or the action is illegal.
        """
        with self._changed:
            self._sitting_at(tag).answer(action)

    def resign(self, tag: str) -> None:
        """Let the person lose the game, when it is to move; see ``answer``."""
        with self._changed:
            self._sitting_at(tag).resign()

    def hint(self, tag: str) -> dict[str, Any]:
        """Return what the adviser would do: an action, and what it means in words.

        Raises:
            RefusedError: If it is another's move, or the adviser fails.
        """
        with self._changed:
            sitting = self._sitting_at(tag)
            view = sitting.view_for_adviser()
        return sitting.hint(view)

    def log(self) -> GameLog:
        """Return the log of the game, once it is over.

        Raises:
            RefusedError: As long as it goes on.
        """
        with self._changed:
            if self._sitting.log is None:
                raise RefusedError("the game is not over: there is no log yet")
            return self._sitting.log

    def _sitting_at(self, tag: str) -> "Sitting":
        if tag != self._tag():
            raise RefusedError("the game has gone on since; look at it again")
        if self._sitting.asked is None:
            raise RefusedError("it is not your move")
        return self._sitting


class Sitting:
    """One game, in a thread of its own.

    Attributes:
        version: Grows with everything that happens.
        moves: So far, the start included.
        asked: The position that the person has to decide in, as a determinized copy;
            else None.
        log: Once the game is over.
    """

    def __init__(
        self,
        table: Table,
        agents: list[Any],
        seed: int,
        changed: threading.Condition,
        on_log: Callable[[GameLog], object] | None,
    ) -> None:
        """Begin the game; see ``Table.agents`` and ``Match`` for the arguments."""
        self.version = 0
        self.asked: Position | None = None
        self.log: GameLog | None = None
        self._table = table
        self._agents = agents
        self._seed = seed
        self._changed = changed
        self._on_log = on_log
        self._reply: Callable[[], Any] | None = None
        self._left = False
        start = Position.new(table.game, seed)
        self._player = start.player
        scene = Scene(self._fair(start), seat=table.seat, names=table.shown_names)
        self.moves = [Move(scene, None, "Start")]
        threading.Thread(target=self._play, daemon=True).start()

    def seen(self) -> dict[str, Any]:
        """Return what the person may know of the game, as JSON has it."""
        over = self.log is not None
        return {
            "moves": [{"seat": m.seat, "words": m.words} for m in self.moves],
            "asked": None if self.asked is None else question_for(self.asked),
            "thinking": None if over or self.asked else self._player,
            "ending": None if self.log is None else self._ending(self.log),
        }

    def _ending(self, log: GameLog) -> str:
        """Return in words for the person how the game has ended."""
        seat, best = self._table.seat, max(log.rewards)
        if log.forfeit_seat == seat:
            return "You have resigned"
        alone = len(log.rewards) == 1
        if (
            log.ended == FORFEIT
            or log.rewards[seat] < best
            or (best <= 0 and not alone)
        ):
            return ending(log)
        others = [
            name
            for other, name in enumerate(self._table.shown_names)
            if other != seat and log.rewards[other] == best
        ]
        return f"You win{' together with ' if others else ''}{' and '.join(others)}"

    def answer(self, action: Any) -> None:
        """Play an action for the person; see ``Match.answer``."""
        position = self.asked
        assert position is not None
        try:
            position.copy().step(action)
        except IllegalActionError as error:
            raise RefusedError(error_words(error)) from None
        self._go_on(lambda: action)

    def resign(self) -> None:
        """Let the person lose."""

        def reply() -> Any:
            raise AgentError("resigned")

        self._go_on(reply)

    def leave(self) -> None:
        """End the game's thread, after the move of a bot that is thinking."""
        self._left = True
        self._changed.notify_all()

    def view_for_adviser(self) -> View:
        """Return what an adviser gets to see: no more than the person."""
        assert self.asked is not None
        game, seat = self._table.game, self._table.seat
        rng = generator(self._seed, Purpose.HINT, len(self.moves))
        return View(game, seat, self.asked.copy(), rng)

    def hint(self, view: View) -> dict[str, Any]:
        """Return what the adviser would do; see ``Match.hint``."""
        name = self._table.adviser
        try:
            agent = as_agent(self._agents[-1])
            action = view.game.as_action(agent.act(view))
            words = view.position.describe_action(action)
            view.position.play_checked(action)
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error_words(error)}"
            raise RefusedError(f"{name} gives no hint: {reason}") from None
        plain = action if view.game.discrete else action.tolist()
        return {"action": plain, "words": words}

    def _go_on(self, reply: Callable[[], Any]) -> None:
        self.asked, self._reply = None, reply
        self._happened()

    def _happened(self) -> None:
        self.version += 1
        self._changed.notify_all()

    def _fair(self, position: Position) -> np.ndarray:
        """Return what may be drawn; at the end of a game there are no secrets left."""
        if position.over:
            return position.copy().states
        return position.determinize(self._table.seat).states

    def _play(self) -> None:
        """Play the game to its end."""
        table = self._table
        agents: list[Any] = [_sheltered(agent) for agent in self._agents[:-1]]
        agents.insert(table.seat, self._ask)
        try:
            log = play(
                table.game,
                agents,
                self._seed,
                names=table.names,
                forfeits=True,
                on_action=self._on_action,
            )
        except _LeftError:
            return
        with self._changed:
            if not self._left:
                self.log = log
                self._happened()
                if self._on_log is not None:
                    self._on_log(log)

    def _ask(self, view: View) -> Any:
        """Wait for the person's answer, as an agent that thinks for long."""
        with self._changed:
            self.asked = view.position
            self._happened()
            self._changed.wait_for(lambda: self._left or self._reply is not None)
            if self._left or self._reply is None:
                raise _LeftError
            reply, self._reply = self._reply, None
        return reply()

    def _on_action(self, before: np.ndarray, action: Any, after: Position) -> None:
        mover = Position(self._table.game, before)
        scene = Scene(
            self._fair(after),
            self._fair(mover),
            action,
            self._table.seat,
            self._table.shown_names,
        )
        move = Move(scene, mover.player, self._table.game.describe_last(scene))
        with self._changed:
            if self._left:
                raise _LeftError
            self.moves.append(move)
            self._player = after.player
            self._happened()


def _sheltered(agent: Any) -> Callable[[View], Any]:
    """Return a bot that loses by errors that would end the thread of the game."""
    made: list[Agent] = []

    def act(view: View) -> Any:
        try:
            if not made:
                made.append(as_agent(agent))
            return made[0].act(view)
        except (KeyboardInterrupt, GeneratorExit) as error:
            raise AgentError(f"raised {type(error).__name__}") from None

    return act
