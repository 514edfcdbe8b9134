"""``VectorGame``: many games of one kind in one array, played a step at a time."""

import os
import reprlib
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from game_core.compiled import loops
from game_core.game import Game, IllegalActionError
from game_core.registry import as_game
from game_core.streams import Purpose, start_stream
from game_core.validation import options as options_
from game_core.validation.seeds import Seeds, as_seeds
from game_core.validation.text import did_you_mean

__all__ = ["MAX_ENVS", "VectorGame", "as_autoreset_mode"]

MAX_ENVS = 10**9
MAX_WORKERS = 256
CHUNKS_PER_WORKER = 8
"""Rows can take very different times: who gets fast ones takes more chunks."""
NO_SEEDS = np.zeros(0, np.uint64)
SAMPLING = int(Purpose.SAMPLING)  # for compiled code


class VectorGame:
    """``num_envs`` games in one array of records; each row plays its own game.

    Row i begins with seed ``seed + i`` and is then, step by step and byte by byte, the
    single environment with that seed. All arrays that are handed out are fresh: they
    can be kept and changed.

    A game that ends begins again as ``autoreset_mode`` says, as in
    ``gymnasium.vector``:

    - ``SAME_STEP`` (default): in the step that ends it. The records of the games that
      ended are in ``final_states``, in the order of the rows where ``terminated`` or
      ``truncated`` holds.
    - ``NEXT_STEP``: in the step after; the action given for the row is ignored and
      pays nothing.
    - ``DISABLED``: when ``reset(reset_mask=...)`` asks for it; until then stepping the
      row changes and pays nothing.

    Attributes:
        game: The game and its options.
        num_envs: Number of rows.
        autoreset_mode: See above.
        workers: Number of threads that ``step`` plays in.
        states: (num_envs,) records, the games themselves. After changing them by hand
            call ``refresh``.
        final_states: (k,) records of the games that ended in the last step.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        workers: int = 1,
        **options: Any,
    ) -> None:
        """Make the array; ``reset`` begins the games.

        Args:
            game: A game id, or a game.
            num_envs: Number of rows, at least 1.
            autoreset_mode: A member of ``gymnasium.vector.AutoresetMode``, or its
                value, for instance "NextStep".
            workers: Number of threads that ``step`` plays in, 1 to 256. The results
                are the same for any. More than one pay off where a step takes long.
            **options: The game's options, if ``game`` is an id.

        Raises:
            ValueError: For an unknown game, option or mode, or a value out of range.
        """
        self.game = as_game(game, options)
        self.num_envs = options_.whole_number("num_envs", num_envs, 1, MAX_ENVS)
        self.workers = options_.whole_number("workers", workers, 1, MAX_WORKERS)
        self.autoreset_mode = as_autoreset_mode(autoreset_mode)
        self.states = np.repeat(self.game.template, self.num_envs)
        self.final_states = self.states[:0]
        self._stream = self.game.template.copy()
        self._begun = False
        self._threads: ThreadPoolExecutor | None = None
        self._process = 0  # that the threads are of
        self.refresh()

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle all but the threads, of which each copy starts its own."""
        return self.__dict__ | {"_threads": None}

    def close(self) -> None:
        """End the threads of ``workers``; another ``step`` starts new ones."""
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None

    @property
    def to_move(self) -> np.ndarray:
        """Seat to move in each game (num_envs,) int64."""
        self._check_begun()
        return self.states["player"].copy()

    @property
    def action_mask(self) -> np.ndarray:
        """Legal actions (num_envs, actions) int8 of the seats to move.

        All ones for a game that is over, where any action is accepted and ignored.

        Raises:
            ValueError: If actions are continuous; see ``sample_actions``.
        """
        return self._current_mask().copy()

    @property
    def observation(self) -> np.ndarray:
        """What the seats to move see (num_envs, size) float32."""
        return self.observe(self.states["player"])

    def observe(self, seats: Any) -> np.ndarray:
        """Return what any seats see (num_envs, size) float32.

        Args:
            seats: (num_envs,) whole numbers, or one for all games.

        Raises:
            ValueError: For other seats.
        """
        self._check_begun()
        array = np.asarray(seats)
        last = self.game.num_players - 1
        if (
            array.dtype.kind not in "iu"
            or array.shape not in ((), (self.num_envs,))
            or np.any((array < 0) | (array > last))
        ):
            raise ValueError(
                f"seats {reprlib.repr(seats)} should be whole numbers from 0 to "
                f"{last}, one or ({self.num_envs},)"
            )
        each = np.ascontiguousarray(np.broadcast_to(array, self.num_envs), np.int64)
        return self.game.observations(self.states, each)

    def reset(self, seed: Seeds = None, *, reset_mask: Any = None) -> None:
        """Begin new games.

        Args:
            seed: A number s for the seeds s, s + 1, ... of the rows; a sequence of
                one for each row; or None, which goes on with the rows' streams, after
                the first time.
            reset_mask: (num_envs,) bool, the rows to begin anew; None for all.

        Raises:
            ValueError: For a seed out of range, or a sequence or mask of another
                shape.
        """
        rows = np.arange(self.num_envs)
        if reset_mask is not None:
            reset_mask = np.asarray(reset_mask)
            if reset_mask.shape != (self.num_envs,) or reset_mask.dtype != np.bool_:
                raise ValueError(
                    f"reset_mask {reset_mask.dtype} {reset_mask.shape} should be bool "
                    f"({self.num_envs},)"
                )
            self._check_begun()
            rows = np.flatnonzero(reset_mask)
        if seed is None and self._begun:
            seeds = NO_SEEDS
        else:
            seeds = as_seeds(seed, self.num_envs)[rows]
            if reset_mask is None:
                self._seed_sampling(int(seeds[0]))
        self.game.loops.reset_rows(self.states, rows, seeds)
        self._begun = True
        self.final_states = self.states[:0]
        self.refresh()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play one action in every game.

        Args:
            actions: (num_envs,) whole numbers; or (num_envs, k) numbers for
                continuous actions.

        Returns:
            ``rewards`` (num_envs, players) float64, paid in the step that ends a game;
            ``terminated`` and ``truncated`` (num_envs,) bool.

        Raises:
            IllegalActionError: If an action cannot be played, the first of them
                named; nothing has changed in any game.
        """
        self._check_begun()
        was_over = self._over()
        played = self.game.as_actions(actions, was_over)
        row = self.game.loops.find_illegal(self.states, played)
        if row >= 0:
            self._refuse(row, np.asarray(actions)[row].tolist())
        self._begun = False  # until all is done: Ctrl-C may leave games half played
        self._play(played)
        terminated = self.states["terminated"].copy()
        truncated = self.states["truncated"].copy()
        self.final_states = self.states[:0]
        rewards = np.zeros((self.num_envs, self.game.num_players))
        ended = np.flatnonzero((terminated | truncated) & ~was_over)
        if len(ended):
            self.final_states = self.states[ended]
            rewards[ended] = self.game.payoffs(self.final_states)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self.game.loops.reset_rows(self.states, ended, NO_SEEDS)
        elif self.autoreset_mode is AutoresetMode.NEXT_STEP:
            again = np.flatnonzero(was_over)
            self.game.loops.reset_rows(self.states, again, NO_SEEDS)
            terminated[again] = truncated[again] = False
        self._begun = True
        self.refresh()
        return rewards, terminated, truncated

    def sample_actions(self) -> np.ndarray:
        """Draw one of the legal actions of each game, each as likely.

        The draws come from a stream of their own, which ``reset(seed=...)`` seeds.

        Returns:
            (num_envs,) int64; or (num_envs, k) float32 for continuous actions.
        """
        self._check_begun()
        actions = np.repeat(self.game.blank_action, self.num_envs, axis=0)
        if self.game.discrete:
            loops.sample_all(self._current_mask(), self._stream, actions)
        else:
            loops.sample_box(self._stream, *self.game.action_bounds, actions)
        return actions

    def refresh(self) -> None:
        """Forget what was computed before ``states`` changed."""
        self._mask: np.ndarray | None = None

    def _current_mask(self) -> np.ndarray:
        self._check_begun()
        if self._mask is None:
            self._mask = self.game.action_masks(self.states)
            self._mask[self._over()] = 1
        return self._mask

    def _check_begun(self) -> None:
        if not self._begun:
            raise ResetNeeded(
                "reset() needs to be called first, for all games, and after a step "
                "that was interrupted"
            )

    def _over(self) -> np.ndarray:
        return self.states["terminated"] | self.states["truncated"]

    def _refuse(self, row: int, action: Any) -> None:
        """Raise ``IllegalActionError`` for the action of a row."""
        try:
            self.game.refuse(self.states[row : row + 1], action)
        except IllegalActionError as error:
            raise IllegalActionError(f"row {row}: {error}") from None

    def _play(self, actions: np.ndarray) -> None:
        """Play legal actions, in threads a chunk of rows at a time."""
        if self.workers == 1:
            self.game.loops.play_all(self.states, actions)
            return
        if self._threads is None or self._process != os.getpid():
            # A forked process has its parent's pool, but none of its threads.
            self._threads = ThreadPoolExecutor(self.workers)
            self._process = os.getpid()
        size = -(-self.num_envs // (self.workers * CHUNKS_PER_WORKER))
        play = self.game.loops.play_all
        chunks: list[Future[None]] = []
        try:
            for i in range(0, self.num_envs, size):
                rows = slice(i, i + size)
                played = self._threads.submit(play, self.states[rows], actions[rows])
                chunks.append(played)
            for played in chunks:
                played.result()
        finally:  # Ctrl-C included, nobody plays on when this is left
            wait(chunks)

    def _seed_sampling(self, seed: int) -> None:
        start_stream(self._stream[0], np.uint64(seed), SAMPLING, 0)


def as_autoreset_mode(mode: Any) -> AutoresetMode:
    """Return a mode of ``gymnasium.vector``.

    Raises:
        ValueError: If it is none.
    """
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = [one.value for one in AutoresetMode]
        problem = f"autoreset_mode={mode!r} is not allowed"
        advice = f"give one of {', '.join(map(repr, allowed))}"
        raise ValueError(did_you_mean(problem, mode, allowed, advice)) from None
