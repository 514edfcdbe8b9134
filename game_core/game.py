"""``Game``: the description of a game that everything else is written against."""

import operator
import reprlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, cast

import numpy as np
from gymnasium import spaces

from game_core.catalog import GAMES, make_game
from game_core.compiled.loops import Loops
from game_core.compiled.record import copy_records
from game_core.deprecation import renamed_attributes, renamed_method
from game_core.layout import Layout
from game_core.render import svg
from game_core.render.ansi import paint_names
from game_core.scene import Scene
from game_core.validation.arrays import BOOLEANS, as_reals
from game_core.validation.options import whole_number

__all__ = ["Game", "IllegalActionError"]

MAX_NAMED = 50
"""Legal actions that a message lists, at most."""


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
        fixed: The fields of the record that the options fill in, with their values,
            numbers or arrays.
        bounds: The least and the greatest value of the other fields, as far as rules
            rely on them.
        action_space: The same for every seat. A ``Discrete`` one numbers the actions,
            of which a position allows some. In a ``Box``, (k,) float32 and bounded,
            actions are continuous and all are legal in every position.
        observation_space: What one seat sees, flat; the same for every seat.
        loops: The game's rules over arrays of records.
        observation_layout: The blocks of an observation in order: where each stands,
            its shape and its meaning.
        action_to_text: Action -> words, whatever the position.
        text_to_action: Words -> action; raises ``ValueError`` for other words.
        draw_text: (1,) record -> the position as text of several lines.
        action_components: Names of the k components of a continuous action.
        describe: (1,) record and action -> words that depend on the position; None
            if those of ``action_to_text`` say it all.
        outcome: Scene with a last action -> its outcome, as far as its words do not
            say, or ""; None if that is never anything.
        draw_svg: Scene -> the position as a picture; None draws its text.
        draw_frames: Scene -> pictures of what the last action did, 25 a second, and
            that of the position last; None if it is done at once.
        color_text: What ``draw_text`` returns -> the same with ANSI colors; None
            colors only the names of the players.
        check: Raises ``ValueError`` for records (n,) that are invalid although
            their fields are within ``bounds``; None if nothing else is asked of them.
    """

    id: str
    version: int
    options: Mapping[str, Any]
    num_players: int
    state_dtype: np.dtype[Any]
    fixed: Mapping[str, Any]
    bounds: Mapping[str, tuple[float, float]]
    action_space: spaces.Discrete | spaces.Box
    observation_space: spaces.Box
    loops: Loops
    observation_layout: Layout
    action_to_text: Callable[[Any], str]
    text_to_action: Callable[[str], Any]
    draw_text: Callable[[np.ndarray], str]
    action_components: tuple[str, ...] = ()
    describe: Callable[[np.ndarray, Any], str] | None = None
    outcome: Callable[[Scene], str] | None = None
    draw_svg: Callable[[Scene], str] | None = None
    draw_frames: Callable[[Scene], Iterator[str]] | None = None
    color_text: Callable[[str], str] | None = None
    check: Callable[[np.ndarray], None] | None = None

    def __reduce__(self) -> Any:
        """Copy and pickle by name and options."""
        return make_game, (self.id, dict(self.options), GAMES.get(self.id))

    @cached_property
    def discrete(self) -> bool:
        """Whether actions are numbered, as opposed to continuous."""
        return isinstance(self.action_space, spaces.Discrete)

    @cached_property
    def num_actions(self) -> int:
        """Number of actions, legal or not.

        Raises:
            ValueError: If actions are continuous.
        """
        if isinstance(self.action_space, spaces.Discrete):
            return int(self.action_space.n)
        raise ValueError(
            f"the actions of {self.id} are continuous: there is no list and no mask of "
            f"legal ones, as {self.action_kind} is legal in every position; draw one "
            "with sample_action(), or with sample_actions() for many games"
        )

    @cached_property
    def action_kind(self) -> str:
        """What is an action, in words for messages."""
        if self.discrete:
            return f"a whole number from 0 to {self.num_actions - 1}"
        low, high = self.action_bounds
        same = (low == low[0]).all() and (high == high[0]).all()
        span = f"{low[0]:g} to {high[0]:g}" if same else f"{low} to {high}"
        names = (
            f" ({', '.join(self.action_components)})" if self.action_components else ""
        )
        return f"an array of {len(low)} numbers from {span}{names}"

    @cached_property
    def action_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest values of continuous actions, (k,) float64 each."""
        box = cast(spaces.Box, self.action_space)
        low, high = box.low.astype(np.float64), box.high.astype(np.float64)
        low.flags.writeable = high.flags.writeable = False
        return low, high

    @cached_property
    def blank_action(self) -> np.ndarray:
        """An action as the loops take them: zeros (1,) int64, or (1, k) float32."""
        blank = np.zeros((1, *(self.action_space.shape or ())), self.action_space.dtype)
        blank.flags.writeable = False
        return blank

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

        Values out of bounds are refused, and what the game's own ``check`` finds. What
        happens in a position that play cannot lead to is not defined beyond that.

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
            other = np.argwhere(states[field] != value)
            if len(other):
                row, *place = other[0].tolist()
                here = np.broadcast_to(value, states[field].shape)
                raise ValueError(
                    f"states of a game with other options: {field}{place or ''} is "
                    f"{states[field][row, *place]} in record {row} and "
                    f"{here[row, *place]} here"
                )
        for field, (low, high) in self.bounds.items():
            if not np.all((states[field] >= low) & (states[field] <= high)):
                raise ValueError(
                    f"invalid states: {field} is out of its bounds, {low} to {high}"
                )
        if self.check is not None and len(states):
            self.check(states)
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

    def read(
        self, observation: Any, restore: Callable[[Any, Any], None]
    ) -> tuple[Any, dict[str, np.ndarray]]:
        """Return the record that an observation (size,) shows, and its blocks by name.

        Args:
            observation: What a seat sees.
            restore: The game's own, which fills a record from an observation.

        Raises:
            ValueError: If it is no observation of this game.
        """
        entries = self.observation_layout.vector(observation)
        states = self.template.copy()
        restore(entries, states[0])
        return states[0], self.observation_layout.split(entries)

    def check_seat(self, seat: int) -> None:
        """Raise ``ValueError`` if there is no such seat."""
        whole_number("seat", seat, 0, self.num_players - 1)

    def determinize(
        self, states: np.ndarray, seats: np.ndarray, seeds: np.ndarray
    ) -> np.ndarray:
        """Return determinized copies: what ``seats`` (n,) may know, and nothing else.

        The random stream starts anew from ``seeds`` (n,) uint64, and what the seat
        cannot see is dealt anew, so that planning on a copy foresees nothing. This is
        determinization as in P. I. Cowling, E. J. Powley, D. Whitehouse, "Information
        Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012.
        """
        copies = copy_records(states)
        self.loops.determinize_all(copies, seats, seeds)
        return copies

    fair_copies = renamed_method("fair_copies", "determinize")

    def as_action(self, action: Any) -> Any:
        """Return an action as the rules take it.

        Args:
            action: A whole number; or for continuous actions an array, list or tuple
                of k numbers.

        Returns:
            ``int``; or for continuous actions a fresh array (k,) float32.

        Raises:
            IllegalActionError: If it is not within the action space.
        """
        if not self.discrete:
            return self.as_vectors(action)
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.num_actions or isinstance(action, BOOLEANS):
            raise IllegalActionError(
                f"action {reprlib.repr(action)} ({type(action).__name__}) is outside "
                f"the action space: an action of {self.id} is {self.action_kind}"
            )
        return number

    def as_actions(self, actions: Any, over: np.ndarray) -> np.ndarray:
        """Return actions in n games as the loops take them.

        Args:
            actions: (n,) whole numbers; or (n, k) numbers for continuous actions.
            over: (n,) bool, the games that are over, where any numbers will do.

        Raises:
            IllegalActionError: If they are not of this kind.
        """
        if not self.discrete:
            return self.as_vectors(actions, over)
        try:
            array = np.asarray(actions)
        except ValueError as ragged:
            raise IllegalActionError(f"actions are no array: {ragged}") from None
        if array.shape != (len(over),) or array.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions {array.dtype} {array.shape} should be whole numbers "
                f"({len(over)},), one for each game"
            )
        return np.ascontiguousarray(array, np.int64)

    def as_vectors(self, actions: Any, over: np.ndarray | None = None) -> np.ndarray:
        """Return continuous actions as the rules take them.

        Bounds are those of the numbers given, before they are rounded to float32.

        Args:
            actions: One action (k,); or one for each of n games (n, k), if ``over``
                is given.
            over: (n,) bool, the games that are over, where any numbers will do.

        Returns:
            A fresh array (k,) or (n, k) float32.

        Raises:
            IllegalActionError: If they are not within the action space; it names the
                first component that is not.
        """
        low, high = self.action_bounds
        try:
            if over is None:
                numbers = as_reals(actions, low.shape)
            else:
                numbers = as_reals(actions, (len(over), *low.shape))
        except ValueError as what:
            self._refuse_vectors(actions, over, f"it is {what}")
        with np.errstate(all="ignore"):
            outside = ~((numbers >= low) & (numbers <= high))
            if over is not None:
                outside[over] = False
            if not outside.any():
                return numbers.astype(np.float32, order="C")
        *row, place = np.argwhere(outside)[0].tolist()
        name = f" ({self.action_components[place]})" if self.action_components else ""
        where = f"row {row[0]}, " if row else ""
        problem = f"{where}component {place}{name} is {numbers[*row, place]}"
        self._refuse_vectors(actions, over, problem)

    def _refuse_vectors(
        self, actions: Any, over: np.ndarray | None, problem: str
    ) -> NoReturn:
        """Raise ``IllegalActionError`` for what are no continuous actions."""
        given = f"action {reprlib.repr(actions)} ({type(actions).__name__})"
        rule = f"an action of {self.id} is {self.action_kind}"
        if over is not None:
            given, rule = "actions", f"{rule}, one for each of {len(over)} games"
        raise IllegalActionError(f"{given}: {problem}; {rule}") from None

    def describe_action(self, states: np.ndarray, action: Any) -> str:
        """Return in words what an action means in a position, (1,) record.

        Raises:
            IllegalActionError: If it is not within the action space.
        """
        action = self.as_action(action)
        if self.describe is None:
            return self.action_to_text(action)
        return self.describe(states, action)

    def describe_last(self, scene: Scene) -> str:
        """Return in words the last action of a scene and its outcome."""
        assert scene.before is not None
        words = self.describe_action(scene.before, scene.action)
        outcome = "" if self.outcome is None else self.outcome(scene)
        return f"{words}: {outcome}" if outcome else words

    def picture(self, scene: Scene) -> str:
        """Return a position as SVG."""
        if self.draw_svg is None:
            return svg.of_text(self.draw_text(scene.states), self.id)
        return self.draw_svg(scene)

    def frames(self, scene: Scene) -> Iterator[str]:
        """Yield as SVG what the last action did, and at last the position."""
        if self.draw_frames is None:
            return iter([self.picture(scene)])
        return self.draw_frames(scene)

    def colored_text(self, states: np.ndarray) -> str:
        """Return a position (1,) as text with ANSI colors."""
        text = self.draw_text(states)
        return paint_names(text if self.color_text is None else self.color_text(text))

    def refuse(self, states: np.ndarray, action: Any) -> NoReturn:
        """Raise ``IllegalActionError`` for an illegal action in a position (1,)."""
        legal = np.flatnonzero(self.action_masks(states)[0]).tolist()
        words, *legal_words = (
            f"{self.describe_action(states, a)!r} ({a})"
            for a in (action, *legal[:MAX_NAMED])
        )
        if len(legal) > MAX_NAMED:
            legal_words.append(f"and {len(legal) - MAX_NAMED} more")
        raise IllegalActionError(
            f"player_{states['player'][0]} cannot play {words} now; the legal actions "
            f"are {', '.join(legal_words)}"
        )


# In pickles of games of earlier versions.
__getattr__ = renamed_attributes(
    __name__, {"_load_by_options": "game_core.catalog:make_game"}
)
