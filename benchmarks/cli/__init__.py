"""The command ``tabletop``."""

from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Args:
        args: The arguments; by default those of this process.
    """
    from benchmarks.cli import app  # no other room needs all of its imports

    return app.main(args)


__all__ = ["main"]
