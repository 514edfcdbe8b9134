"""What this package is called, and files that it writes."""

import importlib.metadata
import tomllib
from pathlib import Path

__all__ = ["version_in_words", "writable"]

PACKAGE = "tabletop-marl"

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
"""Where the version stands in a checkout; there is no such file in an installation."""


def writable(path: Path) -> None:
    """Raise ``OSError`` now, and not after hours, if a file cannot be written.

    Its folder is made. What is in the file stays as it is.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    there = path.exists()
    path.open("ab").close()
    if not there:
        path.unlink()


def version_in_words() -> str:
    """Return the name and version of this package.

    Without an installation the version is that of the checkout it runs from.
    """
    try:
        return f"{PACKAGE} {importlib.metadata.version(PACKAGE)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{PACKAGE} {_version_of_checkout()}"


def _version_of_checkout() -> str:
    try:
        about = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
        return f"{about['project']['version']} (a checkout)"
    except (OSError, ValueError, KeyError):
        return "(a checkout)"
