"""What the subcommands of ``tabletop`` share: exit statuses, options and words."""

import json
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tyro.conf import arg

__all__ = [
    "FAILURE",
    "INTERRUPTED",
    "PIPE_CLOSED",
    "SUCCESS",
    "WRONG_USE",
    "FailedError",
    "UsageError",
    "complain",
    "optional",
    "parse_options",
    "print_plain",
    "tell_of_compiling",
]

if TYPE_CHECKING:
    from rich.console import Console


SUCCESS, FAILURE, WRONG_USE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141


class UsageError(ValueError):
    """A wrong use of the command, in words for the user."""


class FailedError(RuntimeError):
    """An end of the command through no fault of the user's, in words."""


def parse_options(
    pairs: Sequence[str], players: str = "give --num-players instead"
) -> dict[str, Any]:
    """Return options given as "name=value".

    A value is a whole number, None, or else a word; the game checks it.

    Args:
        pairs: The options.
        players: How else the command learns the number of players.

    Raises:
        UsageError: For another form, an option given twice, or "num_players".
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not (name and equals):
            raise UsageError(f"option {pair!r} is not of the form name=value")
        if name == "num_players":
            raise UsageError(f"option {pair!r} is not allowed: {players}")
        if name in options:
            raise UsageError(f"option {name!r} is given twice")
        options[name] = _value(text)
    return options


def optional(metavar: str) -> Any:
    """Return how help shows an argument whose description tells its default."""
    return arg(metavar=metavar, help_behavior_hint="")


def print_plain(console: "Console", text: str) -> None:
    """Print a text as it is: names and reasons are not markup."""
    console.print(text, markup=False, emoji=False, highlight=False, soft_wrap=True)


def tell_of_compiling() -> None:
    """Say so in the terminal, once, when code is compiled: it takes half a minute."""
    from numba.core import event

    class Told(event.Listener):
        """Has told of it, or not."""

        yet = False

        def on_start(self, event: Any) -> None:
            """Tell of it the first time."""
            if not self.yet and sys.stderr.isatty():
                self.yet = True
                complain("compiling the game, this once: up to half a minute")

        def on_end(self, event: Any) -> None:
            """Say nothing."""

    event.register("numba:compile", Told())


def complain(message: str) -> None:
    """Print what went wrong to the standard error."""
    print(f"tabletop: {message}", file=sys.stderr)


def _value(text: str) -> Any:
    """Return what an option's text stands for: a JSON object, a constant, a number."""
    if text.startswith("{"):
        try:
            return json.loads(text)
        except ValueError as error:
            raise UsageError(f"{text!r} is no JSON object: {error}") from None
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return {"None": None, "True": True, "False": False}.get(text, text)
