"""``@jit``: the only place with compile options, and the cache of compiled code.

numba stamps a cached function with the content of its own file only, so a caller
kept on disk goes on playing the old rule after its callee was edited, or after an
upgrade of the package. Here the stamp is a digest of all sources that a compiled
function of ours can reach, processes that compile at the same time never get each
other's code or old one, and a folder that nobody may write to means no cache rather
than an import error.

This rests on ``numba.core.caching``, which numba does not promise to keep; numba is
therefore pinned to the minor versions that the tests ran on.
"""

import functools
import glob
import hashlib
import importlib.util
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba.core import caching, types
from numba.core import config as numba_config

from game_core.catalog import game_packages

__all__ = ["CodeFiles", "config", "jit", "wraps_around"]

config = cast(Any, numba_config)

COMPILE_OPTIONS = {
    "error_model": "numpy",  # no branch for a division by zero
    "no_cfunc_wrapper": True,  # compiled functions are not called from C
    "nogil": True,  # the threads of a ``VectorGame`` play at the same time
}

INNER_OPTIONS = {"no_cpython_wrapper": True}

PACKAGES = frozenset({"game_core", *game_packages()})
"""The core and the games that come with it. A game that a user adds later is not among
them, or adding it would have the code of all the others compiled anew."""

BESIDE = "__beside__"
"""Attribute of a function: the modules that it reaches beside its own."""

P = ParamSpec("P")
R = TypeVar("R")


@functools.cache
def _digest_of_package(package: str) -> str:
    """Return a digest of the names and contents of a package's Python files."""
    try:
        spec = importlib.util.find_spec(package)
    except ValueError:
        spec = None
    if spec is None or spec.origin is None:
        return f"{package} is a script"
    origin = Path(spec.origin)
    is_package = spec.submodule_search_locations is not None
    files = sorted(origin.parent.rglob("*.py")) if is_package else [origin]
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(origin.parent)} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _stamp(modules: tuple[str, ...]) -> bytes:
    """Return what a function that reaches into ``modules`` depends on.

    These are, beside its own file, ``PACKAGES``, those of the modules, and the settings
    of numba that change the code without being part of its own key.
    """
    own = {module.partition(".")[0] for module in modules}
    settings = (f"boundscheck {config.BOUNDSCHECK}", f"opt {config.OPT}")
    parts = [*map(_digest_of_package, sorted(PACKAGES | own)), *settings]
    return "\n".join(parts).encode()


class _Stamped:
    """Makes a numba cache locator stamp a function with all that it depends on."""

    modules: tuple[str, ...]

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        locator = cast(Any, super()).from_function(py_func, py_file)
        if locator is not None:
            locator.modules = (py_func.__module__, *getattr(py_func, BESIDE, ()))
        return locator

    def get_source_stamp(self) -> bytes:
        own_file: bytes = cast(Any, super()).get_source_stamp()
        return own_file + _stamp(self.modules)


class _UserProvidedLocator(_Stamped, caching.UserProvidedCacheLocator):
    """``NUMBA_CACHE_DIR``."""


class _InTreeLocator(_Stamped, caching.InTreeCacheLocator):
    """``__pycache__`` beside the source."""


class _UserWideLocator(_Stamped, caching.UserWideCacheLocator):
    """The user's cache folder."""


class _CacheFiles(caching.CompileResultCacheImpl):
    _locator_classes = (_UserProvidedLocator, _InTreeLocator, _UserWideLocator)


class CodeFiles(caching.IndexDataCacheFile):
    """The files of one function: an index, and one for the code of each signature.

    numba numbers the files of code, and lists a file in the index before it writes it.
    Processes that compile at the same time may then give one number to two signatures,
    or take from the file what older sources had left there; both crash. Here the name
    of a file follows from the sources and the signature, and it is written first.
    """

    def save(self, key: Any, data: Any) -> None:
        """Write the code for a key, then the index; the worst case is to compile anew.

        Code of older sources is deleted.
        """
        files = cast(Any, self)
        overloads = files._load_index()
        base = files._index_name.removesuffix(".nbi")
        if not overloads:
            for old in Path(files._cache_path).glob(f"{glob.escape(base)}.*.nbc"):
                old.unlink(missing_ok=True)
        digest = hashlib.sha256(files._source_stamp + repr(key).encode())
        name = f"{base}.{digest.hexdigest()[:16]}.nbc"
        files._save_data(name, data)
        files._save_index({**overloads, key: name})


class _Cache(caching.FunctionCache):
    _impl_class = _CacheFiles

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        implementation = cast(Any, self)._impl
        self._cache_file = CodeFiles(
            cache_path=implementation.locator.get_cache_path(),
            filename_base=implementation.filename_base,
            source_stamp=implementation.locator.get_source_stamp(),
        )


@functools.cache
def _warn_once_that_nothing_is_cached() -> None:
    warnings.warn(
        "No folder for compiled code can be written to, so each process compiles "
        "anew. Set NUMBA_CACHE_DIR to a folder of yours that can be written to.",
        RuntimeWarning,
        stacklevel=4,
    )


def jit(func: Callable[P, R], beside: Iterable[str] = ()) -> Callable[P, R]:
    """Compile ``func`` on its first call, and keep the machine code on disk.

    With ``NUMBA_DISABLE_JIT=1`` the function comes back as it is.

    Args:
        func: The function.
        beside: Modules whose code it reaches without importing them.
    """
    if config.DISABLE_JIT:
        return func
    setattr(func, BESIDE, tuple(beside))
    njit = cast(Any, numba).njit
    dispatcher = njit(**COMPILE_OPTIONS)(func)
    try:
        dispatcher._cache = _Cache(func)
    except RuntimeError:
        _warn_once_that_nothing_is_cached()
    _serve_compiled_callers(dispatcher, njit(**COMPILE_OPTIONS | INNER_OPTIONS)(func))
    return dispatcher


def _serve_compiled_callers(dispatcher: Any, inner: Any) -> None:
    """Give callers that are compiled themselves a lighter version of a function.

    It has no entry from Python, is not kept on disk by itself (it is part of its
    caller there), and is the same whatever constants it is called with, for each of
    which numba would compile another one. This halves the time of the first call.
    """
    unliteral = cast(Any, types).unliteral

    def get_call_template(args: Any, kws: Any) -> Any:
        return inner.get_call_template(
            [unliteral(arg) for arg in args],
            {name: unliteral(arg) for name, arg in kws.items()},
        )

    dispatcher.get_call_template = get_call_template
    dispatcher.get_overload = inner.get_overload


def wraps_around(func: Callable[P, R]) -> Callable[P, R]:
    """Mark integer arithmetic that overflows on purpose.

    Compiled code wraps around silently; without the compiler NumPy would warn.
    """
    if config.DISABLE_JIT:
        return np.errstate(over="ignore")(func)
    return func
