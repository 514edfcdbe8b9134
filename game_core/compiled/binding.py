"""``Binding``: code written once for all games, compiled for one of them.

Such code names what differs from game to game, the rules for instance, as if it were
functions of its own file. A binding makes copies of it in which those names are the
game's. numba keeps code bound like this on disk, which it does not do for functions
that arrive as arguments.
"""

import hashlib
from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from game_core.compiled.jit import jit

__all__ = ["Binding"]

DIGITS = 16
"""Of the digest that tells bindings apart: in a file name, so not many."""


class Binding(NamedTuple):
    """Names that mean something else in each game.

    Attributes:
        key: Tells the code of different bindings apart on disk.
        names: What stands for each name: functions, decorated with ``@jit`` if
            ``compiled``, and numbers.
        compiled: False to leave all in plain Python.
    """

    key: str
    names: Mapping[str, Any]
    compiled: bool = True

    def extend(self, **names: Any) -> "Binding":
        """Return a binding of these names too.

        Args:
            **names: Functions, decorated with ``@jit`` if this one is compiled;
                numbers, and arrays of numbers.
        """
        meanings = "\n".join(
            f"{name} {_meaning(names[name])}" for name in sorted(names)
        )
        digest = hashlib.sha256(meanings.encode()).hexdigest()[:DIGITS]
        key = f"{self.key}.{digest}"
        return Binding(key, {**self.names, **names}, self.compiled)

    def bind(self, functions: Iterable[Any]) -> list[Any]:
        """Return copies of plain functions, bound and compiled.

        Each finds the names of this binding, the copies before it, and else what its
        own file has.
        """
        scope = dict(self.names)
        for function in functions:
            source = cast(FunctionType, function)
            copy = FunctionType(
                source.__code__, {**source.__globals__, **scope}, source.__name__
            )
            copy.__module__ = source.__module__
            copy.__doc__ = source.__doc__
            copy.__qualname__ = f"{self.key}.{source.__name__}"
            scope[source.__name__] = (
                jit(copy, beside=self._modules()) if self.compiled else copy
            )
        return [scope[cast(FunctionType, function).__name__] for function in functions]

    def _modules(self) -> list[str]:
        """Return the modules whose functions the names stand for."""
        functions = [getattr(value, "py_func", value) for value in self.names.values()]
        return sorted({f.__module__ for f in functions if isinstance(f, FunctionType)})


def _meaning(value: Any) -> str:
    """Return what tells the value of a name from others, in any process."""
    function = getattr(value, "py_func", value)
    if isinstance(function, FunctionType):
        return f"{function.__module__}.{function.__qualname__}"
    return repr(np.asarray(value).tolist())
