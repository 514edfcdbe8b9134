"""``Position``: one game in progress, to be played, copied and looked at."""

from typing import Any, Self

import numpy as np

from game_core.compiled.record import copy_records
from game_core.deprecation import renamed_method
from game_core.game import Game, IllegalActionError
from game_core.scene import Scene
from game_core.validation.seeds import as_seed

__all__ = ["Position"]


class Position:
    """One game in progress: a batch of one.

    Attributes:
        game: The game and its options.
        states: (1,) record, the whole position, the random stream included.
        player: Seat to move; once the game is over, the seat that moved last.
        terminated: Whether the game was played to its end.
        truncated: Whether a cap cut the game short.
        over: Whether nobody has anything left to decide.
    """

    __slots__ = (
        "_action",
        "_player",
        "_terminated",
        "_truncated",
        "game",
        "over",
        "player",
        "states",
        "terminated",
        "truncated",
    )

    def __init__(self, game: Game, states: np.ndarray) -> None:
        """Go on with ``states`` (1,), which belongs to this position from now on."""
        self.game = game
        self.states = states
        self._action = game.blank_action.copy()
        self._player = states["player"]
        self._terminated = states["terminated"]
        self._truncated = states["truncated"]
        self._look()

    @classmethod
    def new(cls, game: Game, seed: int | None = None) -> Self:
        """Return the start of a game; ``None`` takes a random seed."""
        return cls(game, game.new_states(np.array([as_seed(seed)], np.uint64)))

    def __reduce__(self) -> Any:
        """Copy and pickle mid-game, the random stream included."""
        return _from_bytes, (self.game, self.states.tobytes())

    @property
    def state(self) -> Any:
        """The record; its fields are described in the game's ``state.py``."""
        return self.states[0]

    @property
    def rewards(self) -> np.ndarray:
        """Rewards (players,) float64; zero until the game is over."""
        return self.game.payoffs(self.states)[0]

    def action_mask(self) -> np.ndarray:
        """Return the legal actions (actions,) int8 of the player to move.

        Raises:
            ValueError: If actions are continuous; see ``sample_action``.
        """
        mask = np.zeros((1, self.game.num_actions), np.int8)
        self.game.loops.mask_all(self.states, mask)
        return mask[0]

    def legal_actions(self) -> np.ndarray:
        """Return the legal actions of the player to move, ascending (k,) int64.

        Raises:
            ValueError: If actions are continuous; see ``sample_action``.
        """
        return np.flatnonzero(self.action_mask())

    def sample_action(self, rng: np.random.Generator) -> Any:
        """Draw a legal action, each as likely.

        Args:
            rng: Source of the draws.

        Returns:
            ``int``; or for continuous actions (k,) float32.

        Raises:
            ValueError: If the game is over.
        """
        if self.over:
            raise ValueError("the game is over: there is no action to draw")
        if not self.game.discrete:
            return rng.uniform(*self.game.action_bounds).astype(np.float32)
        legal = self.legal_actions()
        return int(legal[rng.integers(len(legal))])

    def describe_action(self, action: Any) -> str:
        """Return in words what an action of the player to move means here.

        Raises:
            IllegalActionError: If it is not within the action space.
        """
        return self.game.describe_action(self.states, action)

    def observation(self, seat: int) -> np.ndarray:
        """Return what ``seat`` sees (size,) float32.

        Raises:
            ValueError: If there is no such seat.
        """
        self.game.check_seat(seat)
        return self.game.observations(self.states, self.game.seats[seat : seat + 1])[0]

    def step(self, action: Any) -> None:
        """Play an action for the player to move.

        Raises:
            IllegalActionError: If it cannot be played; nothing has changed.
        """
        self.play_checked(self.game.as_action(action))

    def play_checked(self, action: Any) -> None:
        """Play an action that ``game.as_action`` returned, for the player to move.

        Whether it is legal here is checked, as in ``step``, but not whether it is in
        the action space.

        Raises:
            IllegalActionError: If it cannot be played; nothing has changed.
        """
        if self.over:
            raise IllegalActionError("the game is over: no action can be played")
        self._action[0] = action
        if self.game.loops.step_all(self.states, self._action) >= 0:
            self.game.refuse(self.states, action)
        self._look()

    def copy(self) -> "Position":
        """Return a copy that will see the same dice."""
        return Position(self.game, copy_records(self.states))

    def determinize(self, seat: int, seed: int | None = None) -> "Position":
        """Return a determinized copy, which tells ``seat`` nothing it may not know.

        See ``Game.determinize``.

        Raises:
            ValueError: If there is no such seat.
        """
        self.game.check_seat(seat)
        seeds = np.array([as_seed(seed)], np.uint64)
        seats = self.game.seats[seat : seat + 1]
        copies = self.game.determinize(self.states, seats, seeds)
        return Position(self.game, copies)

    fair_copy = renamed_method("fair_copy", "determinize")

    def __str__(self) -> str:
        return self.game.draw_text(self.states)

    def _repr_svg_(self) -> str:
        """Show the position in notebooks."""
        return self.game.picture(Scene(self.states))

    def _look(self) -> None:
        self.player = int(self._player[0])
        self.terminated = bool(self._terminated[0])
        self.truncated = bool(self._truncated[0])
        self.over = self.terminated or self.truncated


def _from_bytes(game: Game, content: bytes) -> Position:
    return Position(game, np.frombuffer(content, game.state_dtype).copy())
