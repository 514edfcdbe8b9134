"""Ratings and statistics; they know results of games as numbers alone."""

from typing import Any

MOVED = {
    "Ratings": "benchmarks.ratings.bradley_terry:Ratings",
    "UnconnectedError": "benchmarks.ratings.bradley_terry:UnconnectedError",
    "rate": "benchmarks.ratings.bradley_terry:rate",
}
"""Names of the module that this package was: name -> new place."""


def __getattr__(name: str) -> Any:
    from game_core.deprecation import renamed_attributes  # which takes long to import

    return renamed_attributes(__name__, MOVED)(name)
