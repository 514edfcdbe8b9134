"""``Game``: the description of a game that everything else is written against."""

import operator
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces

from game_core import registry
from game_core.batch import Loops
from game_core.options import whole_number
from game_core.verbs import copy_records

BOOLEANS: tuple[Any, ...] = (bool, np.bool_)


class IllegalActionError(ValueError):
    """An action that cannot be played here; nothing has changed."""


@dataclass(frozen=True, eq=False)
class Game:
    """One game with its options fixed: a value made of facts and functions.

    Attributes:
        id: The name it is registered under, for instance ``"azul"``.
        version: Grows when the same seed and actions can lead to another record.
        options: All options with their values, defaults included.
        num_players: From the options.
        state_dtype: Type of the records; see the game's ``state.py``.
        fixed: The fields of the record that the options fill in, with their values.
        bounds: The least and the greatest value of the other fields, as far as rules
            rely on them.
        action_space: The same for every seat.
        observation_space: What one seat sees, flat; the same for every seat.
        loops: The game's rules over arrays of records.
        observation_layout: The parts of an observation in order: name, size and
            meaning.
        action_to_text: Action -> words.
        text_to_action: Words -> action; raises ``ValueError`` for other words.
        draw_text: (1,) record -> the position as text of several lines.
    """

    id: str
    version: int
    options: Mapping[str, Any]
    num_players: int
    state_dtype: np.dtype[Any]
    fixed: Mapping[str, int]
    bounds: Mapping[str, tuple[int, int]]
    action_space: spaces.Discrete
    observation_space: spaces.Box
    loops: Loops
    observation_layout: tuple[tuple[str, int, str], ...]
    action_to_text: Callable[[int], str]
    text_to_action: Callable[[str], int]
    draw_text: Callable[[np.ndarray], str]

    def __reduce__(self) -> Any:
        """Copy and pickle by name and options."""
        return _load_by_options, (self.id, dict(self.options))

    @cached_property
    def num_actions(self) -> int:
        """Number of actions, legal or not."""
        return int(self.action_space.n)

    @cached_property
    def seats(self) -> np.ndarray:
        """The seats 0, 1, ... (players,) int64."""
        return np.arange(self.num_players)

    @cached_property
    def observation_size(self) -> int:
        """Number of entries of an observation."""
        return int(self.observation_space.shape[0])

    @cached_property
    def template(self) -> np.ndarray:
        """A record (1,) with the options filled in and all else zero."""
        states = np.zeros(1, self.state_dtype)
        for field, value in self.fixed.items():
            states[field] = value
        states.flags.writeable = False
        return states

    def new_states(self, seeds: np.ndarray) -> np.ndarray:
        """Return new games (n,) records, one for each seed (n,) uint64."""
        states = np.repeat(self.template, len(seeds))
        self.loops.reset_rows(states, np.arange(len(seeds)), seeds)
        return states

    def adopt(self, states: np.ndarray) -> np.ndarray:
        """Return a copy of foreign records (n,), or of one, as records of this game.

        Values out of bounds are refused. What happens in a position that play cannot
        lead to is not defined beyond that.

        Raises:
            ValueError: If they are not records of this game with these options.
        """
        states = np.atleast_1d(np.asarray(states))
        if states.ndim != 1:
            raise ValueError(f"states of shape {states.shape} should be (n,)")
        if states.dtype != self.state_dtype:
            raise ValueError(
                f"states are not records of {self.id}: see game.state_dtype for theirs"
            )
        for field, value in self.fixed.items():
            if np.any(states[field] != value):
                raise ValueError(
                    f"states of a game with other options: {field} is "
                    f"{sorted(set(states[field].tolist()))} in them and {value} here"
                )
        for field, (low, high) in self.bounds.items():
            if np.any((states[field] < low) | (states[field] > high)):
                raise ValueError(
                    f"states of no game: {field} is out of its bounds, {low} to {high}"
                )
        return copy_records(states.view(self.state_dtype))

    def payoffs(self, states: np.ndarray) -> np.ndarray:
        """Return the rewards (n, players) float64 of games; zero until one is over."""
        out = np.zeros((len(states), self.num_players))
        self.loops.pay_all(states, out)
        return out

    def action_masks(self, states: np.ndarray) -> np.ndarray:
        """Return the legal actions (n, actions) int8; all zero when a game is over."""
        masks = np.zeros((len(states), self.num_actions), np.int8)
        self.loops.mask_all(states, masks)
        return masks

    def observations(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Return what ``seats`` (n,) see (n, size) float32."""
        out = np.zeros((len(states), self.observation_size), np.float32)
        self.loops.observe_all(states, seats, out)
        return out

    def check_seat(self, seat: int) -> None:
        """Raise ``ValueError`` if there is no such seat."""
        whole_number("seat", seat, 0, self.num_players - 1)

    def fair_copies(
        self, states: np.ndarray, seats: np.ndarray, seeds: np.ndarray
    ) -> np.ndarray:
        """Return copies in which only what ``seats`` (n,) may know is the same.

        The random stream starts anew from ``seeds`` (n,) uint64, and what the seat
        cannot see is dealt anew, so that planning on a copy foresees nothing.
        """
        copies = copy_records(states)
        self.loops.make_fair(copies, seats, seeds)
        return copies

    def as_action(self, action: Any) -> int:
        """Return an action as ``int``.

        Raises:
            IllegalActionError: If it is not a whole number within the action space.
        """
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.num_actions or isinstance(action, BOOLEANS):
            raise IllegalActionError(
                f"action {reprlib.repr(action)} ({type(action).__name__}) is outside "
                f"the action space: an action of {self.id} is a whole number from 0 to "
                f"{self.num_actions - 1}"
            )
        return number

    def describe_actions(self, actions: Any) -> str:
        """Return actions as a list in words and numbers, for messages."""
        return ", ".join(f"{self.action_to_text(int(a))!r} ({int(a)})" for a in actions)


def _load_by_options(game_id: str, options: dict[str, Any]) -> Game:
    return registry.load_game(game_id, **options)
