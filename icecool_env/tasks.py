"""Tasks on the way to ICECOOL, as environments of their own.

The learner alone moves, in the school of a game of two: it flicks until the task is
done, which pays 1, or until it has flicked ``MAX_FLICKS`` times, which cuts it short.
Observations and actions are those of the game, so that what was learned goes on there.

``gymnasium.make("tabletop/IcecoolTakeFish-v0")`` after ``import icecool_env``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode

from game_core.compiled.rng import next_bits
from game_core.envs.seat import SeatEnv, SeatVectorEnv, refuse_pictures
from game_core.envs.seat_games import SeatGames
from game_core.envs.vector import MAX_ENVS
from game_core.registry import load_game
from game_core.streams import Purpose, generator
from game_core.validation import options as options_
from icecool_env.geometry import room_at
from icecool_env.spots import red_rectangle
from icecool_env.state import (
    BY_CATCH,
    BY_FISH,
    FISH_DOORS,
    FLICK,
    State,
)

__all__ = [
    "MAX_FLICKS",
    "TASKS",
    "Task",
    "TaskEnv",
    "TaskGames",
    "TaskVectorEnv",
    "has_caught",
    "holds_a_fish",
    "is_in_another_room",
    "leave_as_it_is",
    "scatter",
    "take_most_fish",
]

MAX_FLICKS = 5
APART = 60.0  # mm between the centres of the penguins at the start, at least
MAX_TRIES = 1000

Rng = np.random.Generator


class Task(NamedTuple):
    """A task.

    Attributes:
        catcher: Whether the learner is the Catcher; else it is the Runner.
        set_up: ``set_up(state, seat, rng)`` changes a position, in which both penguins
            stand somewhere, to begin with.
        is_done: States (n,) and seats (n,) -> where it is done (n,) bool.
    """

    catcher: bool
    set_up: Callable[[Any, int, Rng], None]
    is_done: Callable[[np.ndarray, np.ndarray], np.ndarray]


def leave_as_it_is(state: State, seat: int, rng: Rng) -> None:
    """Change nothing."""


def take_most_fish(state: State, seat: int, rng: Rng) -> None:
    """Let the Runner have none, one or two of its fish already."""
    taken = int(rng.integers(FISH_DOORS))
    state.fish_taken[seat, rng.permutation(FISH_DOORS)[:taken]] = 1


def is_in_another_room(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Tell whether a penguin rests in another room than its flick began in."""
    done = states["endings"][:, BY_FISH] > 0
    for row in np.flatnonzero(states["round_number"] == 0):
        state, seat = states[row], seats[row]
        if state.flicked == seat:
            before = room_at(state, state.was_x[seat], state.was_y[seat])
            done[row] = room_at(state, state.x[seat], state.y[seat]) != before
    return done


def holds_a_fish(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Tell whether a Runner has drawn a card; those that it begins with have none."""
    rows = np.arange(len(states))
    cards = states["face_down"].sum(axis=2) + states["face_up"]
    return cards[rows, seats] > 0


def has_caught(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Tell whether the Catcher has touched the Runner."""
    touched = states["caught"][np.arange(len(states)), 1 - seats] > 0
    return touched | (states["endings"][:, BY_CATCH] > 0)


TASKS = {
    "reach_door": Task(False, leave_as_it_is, is_in_another_room),
    "take_fish": Task(False, take_most_fish, holds_a_fish),
    "catch_runner": Task(True, leave_as_it_is, has_caught),
}
"""By name: come to rest behind a door; take any fish that is missing; touch a Runner
that stands still."""


class TaskGames(SeatGames):
    """``num_envs`` games in which the learner does a task, over and over again."""

    def __init__(
        self, task: str, num_envs: int = 1, shaping: None = None, **options: Any
    ) -> None:
        """Make the array; ``begin`` begins the games.

        Args:
            task: One of ``TASKS``.
            num_envs: Number of rows.
            shaping: None: a task pays for itself alone.
            **options: Of the game, for instance ``grid``.

        Raises:
            ValueError: For an unknown task or option.
        """
        if shaping is not None:
            raise ValueError(f"shaping={shaping!r} is not allowed for tasks; give None")
        self.task = TASKS[options_.one_of("task", task, TASKS)]
        num_envs = options_.whole_number("num_envs", num_envs, 1, MAX_ENVS)
        game = load_game("icecool", **options)
        if game.num_players != 2:
            raise ValueError("tasks are for num_players=2")
        super().__init__(game, num_envs)

    def reset(self, rows: np.ndarray, seeds: np.ndarray | None = None) -> None:
        """Begin the task anew in some rows; arguments as of ``SeatGames``."""
        seeds = np.zeros(0, np.uint64) if seeds is None else seeds
        self.begun = False
        self.game.loops.reset_rows(self.states, rows, seeds)
        self.draw_seats(rows, seeds)
        for row in rows.tolist():
            rng = generator(int(next_bits(self.streams[row])), Purpose.TASK)
            state: Any = self.states[row]
            seat = int(self.seats[row])
            state.catcher = seat if self.task.catcher else 1 - seat
            scatter(state, rng)
            self.task.set_up(state, seat, rng)
            state.player, state.phase = seat, FLICK
        self.begun = True

    def let_opponents_play(self) -> None:
        """Let nobody play: the learner goes on until the task is done."""
        going = ~self.over
        done = self.task.is_done(self.states, self.seats)
        ended = done | (self.states["round_number"] > 0)
        late = self.states["flicks"] >= MAX_FLICKS
        self.states["terminated"] |= going & ended
        self.states["truncated"] |= going & ~ended & late
        rows = np.flatnonzero(going & ~ended & ~late)
        self.states["player"][rows] = self.seats[rows]
        self.states["phase"][rows] = FLICK

    def pay(self, ended: np.ndarray) -> np.ndarray:
        """Return 1 where a task has just been done (num_envs,), 0 else."""
        done = self.task.is_done(self.states, self.seats)
        return (ended & self.states["terminated"] & done).astype(np.float64)


def scatter(state: State, rng: Rng) -> None:
    """Put both penguins anywhere within the red lines, but not close together."""
    state.on_board[:2] = 1
    state.first_flick[:] = 0
    for _ in range(MAX_TRIES):
        for seat in range(2):
            room = int(rng.integers(int(state.num_rooms)))
            left, bottom, right, top = red_rectangle(state, room)
            state.x[seat], state.y[seat] = rng.uniform((left, bottom), (right, top))
        gap = float(np.hypot(state.x[0] - state.x[1], state.y[0] - state.y[1]))
        if gap >= APART:
            return


class TaskEnv(SeatEnv):
    """A task as a Gymnasium environment; see ``TaskGames``."""

    def __init__(
        self, task: str, render_mode: str | None = None, **options: Any
    ) -> None:
        """Make the environment; ``reset`` begins the task.

        Args:
            task: One of ``TASKS``.
            render_mode: See ``SeatEnv``.
            **options: Of the game, for instance ``grid``.

        Raises:
            ValueError: For an unknown task, option or mode.
        """
        self._take(TaskGames(task, **options), render_mode)


class TaskVectorEnv(SeatVectorEnv):
    """A task as many Gymnasium environments at once; see ``TaskGames``."""

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        """Make the array; ``reset`` begins the tasks.

        Args:
            task: One of ``TASKS``.
            num_envs: Number of environments.
            autoreset_mode: See ``SeatVectorEnv``.
            **options: Of the game, for instance ``grid``.

        Raises:
            ValueError: For an unknown task, option or mode.
        """
        refuse_pictures(options)
        self._take(TaskGames(task, num_envs, **options), autoreset_mode)
