"""Workers of pytest-xdist that wait for each other's compiled code.

It is on disk for all of them; what two need at the same time, both would compile.
"""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Let one process at a time compile a function; those that wait then load it.

    Args:
        folder: For the locks, one file for each function.
    """
    folder.mkdir(exist_ok=True)
    compile_now = Dispatcher.compile

    def compile_alone(dispatcher: Any, signature: Any) -> Any:
        if isinstance(dispatcher._cache, NullCache):  # part of a caller, which waits
            return compile_now(dispatcher, signature)
        function = dispatcher.py_func
        with open(
            folder / f"{function.__module__}.{function.__qualname__}", "w"
        ) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return compile_now(dispatcher, signature)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dispatcher, "compile", compile_alone)
        yield
