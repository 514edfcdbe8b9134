"""The options of a game, declared once: for checks, help, documents and type checkers.

A game declares them in a typed dictionary, with what a type cannot say in an
``Option``::

    class PigOptions(TypedDict, total=False):
        num_players: Annotated[int, Option(2, "2 to 4.", low=2, high=4)]
        reward: Annotated[Literal["win", "margin"], Option("win", "What it pays.")]


    @takes_options(PigOptions)
    def make_game(**given: Unpack[PigOptions]) -> Game:
        checked = check_options(PigOptions, given)
"""

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from game_core.validation.options import (
    one_of,
    refuse_unknown,
    true_or_false,
    whole_number,
)

__all__ = [
    "Declared",
    "Option",
    "check_options",
    "declared_options",
    "options_of",
    "takes_options",
]

F = TypeVar("F", bound=Callable[..., Any])

REFUSED = """Raises:
    ValueError: For an unknown option, or a value that is not allowed."""

TAKES = "__takes_options__"
"""Attribute of a ``make_game``: the typed dictionary that declares its options."""

NUM_PLAYERS = "num_players"
"""The first option of every game; seats are checked against it."""


@dataclass(frozen=True)
class Option:
    """What the type of an option does not say.

    Attributes:
        default: Its value if it is left out.
        meaning: What it does, in a sentence.
        low: The least whole number.
        high: The greatest whole number; None for the last seat of the game.
        convert: Checks and converts a value that is none of words, whole numbers, True,
            False and None; raises ``ValueError``.
    """

    default: Any
    meaning: str
    low: int = 0
    high: int | None = None
    convert: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Declared:
    """An option with its name and the types of its values, by which it is checked."""

    name: str
    types: tuple[Any, ...]
    option: Option

    @functools.cached_property
    def words(self) -> list[str]:
        """The words that are allowed."""
        literals = (one for one in self.types if get_origin(one) is Literal)
        return [word for literal in literals for word in get_args(literal)]

    def check(self, value: Any, num_players: int | None) -> Any:
        """Return a value as the game takes it.

        Raises:
            ValueError: If it is not allowed.
        """
        words, option = self.words, self.option
        if option.convert is not None:
            return option.convert(value)
        if type(value) is int and any(map(str.isdecimal, words)):
            value = str(value)  # as a command line gives it
        if value is None and type(None) in self.types:
            return None
        if isinstance(value, str) and value in words:
            return str(value)
        if bool in self.types:
            return true_or_false(self.name, value)
        if int not in self.types:
            return one_of(self.name, value, words)
        high = cast(int, num_players) - 1 if option.high is None else option.high
        others = [*map(repr, words), *(["None"] if type(None) in self.types else [])]
        or_else = " or ".join(others) or None
        return whole_number(self.name, value, option.low, high, or_else)


@functools.cache
def declared_options(options: type) -> dict[str, Declared]:
    """Return the options that a typed dictionary declares, by name."""
    found: dict[str, Declared] = {}
    for name, hint in get_type_hints(options, include_extras=True).items():
        kind, option = get_args(hint)
        found[name] = Declared(name, _alternatives(kind), option)
    return found


def options_of(make_game: Callable[..., Any]) -> dict[str, Declared]:
    """Return the options that a ``make_game`` takes, by name."""
    return declared_options(getattr(make_game, TAKES))


def check_options(options: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of all options, defaults included.

    Raises:
        ValueError: For an unknown option, or a value that is not allowed.
    """
    known = declared_options(options)
    refuse_unknown([name for name in given if name not in known], known)
    checked: dict[str, Any] = {}
    for name, declared in known.items():
        value = given.get(name, declared.option.default)
        checked[name] = declared.check(value, checked.get(NUM_PLAYERS))
    return checked


def takes_options(options: type) -> Callable[[F], F]:
    """Return a decorator of a ``make_game``, which shows the options in its help."""

    def decorate(make_game: F) -> F:
        setattr(make_game, TAKES, options)
        hints = get_type_hints(options)
        lines: list[str] = []
        parameters: list[inspect.Parameter] = []
        for name, declared in declared_options(options).items():
            option, kind = declared.option, inspect.Parameter.KEYWORD_ONLY
            lines += textwrap.wrap(
                f"    {name}: {option.meaning}", 88, subsequent_indent=8 * " "
            )
            parameters.append(
                inspect.Parameter(
                    name, kind, default=option.default, annotation=hints[name]
                )
            )
        summary = inspect.cleandoc(make_game.__doc__ or "")
        make_game.__doc__ = "\n".join([summary, "", "Args:", *lines, "", REFUSED])
        shown = inspect.signature(make_game).replace(parameters=parameters)
        cast(Any, make_game).__signature__ = shown
        return make_game

    return decorate


def _alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the one type."""
    if get_origin(kind) in (None, Literal) or isinstance(kind, type):
        return (kind,)
    return get_args(kind)
