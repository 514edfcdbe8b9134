"""The functions ``env`` and ``raw_env`` of a game's PettingZoo module.

A game declares them with their options, for help texts and type checkers::

    @checked_env_of(make_game)
    def env(
        *, render_mode: str | None = None, **options: Unpack[PigOptions]
    ) -> CheckedEnv:
        \"\"\"Return Pig with all checks.\"\"\"
        ...
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from game_core.envs.aec import CheckedEnv, GameEnv
from game_core.game import Game
from game_core.validation.options import refuse_unknown

__all__ = ["checked_env_of", "raw_env_of"]

F = TypeVar("F", bound=Callable[..., Any])

ARGUMENTS = """

Args:
    render_mode: None, "human", "rgb_array", "rgb_array_list", "ansi" or "svg"; see
        ``game_core.envs.aec.GameEnv``.
    **options: See ``{}.make_game``.

Raises:
    ValueError: For an unknown option, or a value that is not allowed.
"""


RENDER = inspect.Parameter(
    "render_mode", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None
)


def checked_env_of(make_game: Callable[..., Game]) -> Callable[[F], F]:
    """Return a decorator for ``env``: all checks, as PettingZoo's own games have."""

    def make(render_mode: str | None, options: dict[str, Any]) -> CheckedEnv:
        return CheckedEnv(GameEnv(make_game(**options), render_mode))

    return _declared(make, make_game)


def raw_env_of(make_game: Callable[..., Game]) -> Callable[[F], F]:
    """Return a decorator for ``raw_env``: bad actions raise ``IllegalActionError``."""

    def make(render_mode: str | None, options: dict[str, Any]) -> GameEnv:
        return GameEnv(make_game(**options), render_mode)

    return _declared(make, make_game)


def _declared(
    make: Callable[[str | None, dict[str, Any]], Any], make_game: Callable[..., Game]
) -> Callable[[F], F]:
    def decorate(declaration: F) -> F:
        @functools.wraps(declaration)
        def factory(*, render_mode: str | None = None, **options: Any) -> Any:
            if not takes_others:
                refuse_unknown([name for name in options if name not in known], known)
            return make(render_mode, options)

        signature = _signature(declaration, make_game)
        known = signature.parameters
        takes_others = any(one.kind is one.VAR_KEYWORD for one in known.values())
        cast(Any, factory).__signature__ = signature
        summary = inspect.cleandoc(declaration.__doc__ or "")
        factory.__doc__ = summary + ARGUMENTS.format(make_game.__module__)
        return cast(F, factory)

    return decorate


def _signature(
    declaration: Callable[..., Any], make_game: Callable[..., Game]
) -> inspect.Signature:
    """Return the signature of a declaration with the options by their names."""
    render_mode = inspect.signature(declaration).parameters.get("render_mode", RENDER)
    options = inspect.signature(make_game).parameters.values()
    by_name = [
        one.replace(kind=one.KEYWORD_ONLY)
        for one in options
        if one.kind is not one.VAR_KEYWORD
    ]
    others = [one for one in options if one.kind is one.VAR_KEYWORD]
    return inspect.signature(declaration).replace(
        parameters=[*by_name, render_mode, *others]
    )
