"""Names of earlier versions, which go on working for one version with a warning."""

import importlib
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from types import CodeType, ModuleType
from typing import Any, cast

__all__ = ["MovedModules", "renamed_attributes", "renamed_method", "warn_of_renaming"]


def warn_of_renaming(old: str, new: str, stacklevel: int) -> None:
    """Warn that a name is an old one; ``stacklevel`` 1 is who calls this."""
    warnings.warn(
        f"{old} is now {new}; the next version no longer knows the old name",
        DeprecationWarning,
        stacklevel=stacklevel + 1,
    )


def renamed_method(old: str, new: str) -> Callable[..., Any]:
    """Return a method under its old name."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        name = type(self).__name__
        warn_of_renaming(f"{name}.{old}", f"{name}.{new}", stacklevel=2)
        return getattr(self, new)(*args, **kwargs)

    method.__doc__ = f"Call ``{new}``, the new name; deprecated."
    return method


def renamed_attributes(module: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a module some names of which are elsewhere now.

    Args:
        module: Name of the module.
        places: Old name in it -> new place, as "module:name".
    """

    def getattr_(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, new = places[name].partition(":")
        warn_of_renaming(f"{module}.{name}", f"{home}.{new}", stacklevel=2)
        return getattr(importlib.import_module(home), new)

    return getattr_


class MovedModules(MetaPathFinder, InspectLoader):
    """Finds modules under their old names, for ``import`` and ``python -m``."""

    def __init__(self, places: Mapping[str, str]) -> None:
        """Make the finder, to be put at the end of ``sys.meta_path``.

        Args:
            places: Old name of a module -> its new one.
        """
        self.places = places

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for a module that has moved."""
        if fullname == "game_core.play":  # the function would be hidden by a module
            raise ModuleNotFoundError(
                "the module game_core.play is now game_core.agents.play", name=fullname
            )
        new = self.places.get(fullname)
        if new is None:
            return None
        origin = cast(Any, find_spec(new)).origin
        return spec_from_loader(fullname, self, origin=origin)

    def exec_module(self, module: ModuleType) -> None:
        """Put the module in its new place where the old one was sought."""
        old = module.__name__
        new = self.places[old]
        warn_of_renaming(old, new, stacklevel=2)
        sys.modules[old] = importlib.import_module(new)

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the code of the module, which ``python -m`` runs."""
        new = self.places[fullname]
        warn_of_renaming(fullname, new, stacklevel=2)
        return cast(Any, find_spec(new)).loader.get_code(new)

    def get_source(self, fullname: str) -> str | None:
        """Return the text of the module in its new place."""
        new = self.places[fullname]
        return cast(Any, find_spec(new)).loader.get_source(new)

    def is_package(self, fullname: str) -> bool:
        """Tell that none of the old names was that of a package."""
        return False
