"""What this package is called, and files that it writes."""

import importlib.metadata
from pathlib import Path

PACKAGE = "tabletop-marl"


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
    """Return the name and version of this package."""
    try:
        return f"{PACKAGE} {importlib.metadata.version(PACKAGE)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{PACKAGE} not installed"
