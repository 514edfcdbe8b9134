"""Tournaments, ratings and reports; the command line; speed and studies."""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any

__all__ = ["MOVED"]

MOVED = {
    "benchmarks.physics": "benchmarks.speed.physics",
    "benchmarks.pictures": "benchmarks.viewer.pictures",
    "benchmarks.rating_evidence": "benchmarks.studies.rating_evidence",
    "benchmarks.render_speed": "benchmarks.speed.render",
    "benchmarks.results": "benchmarks.tournament.results",
    "benchmarks.schedule": "benchmarks.tournament.schedule",
    "benchmarks.search_speed": "benchmarks.speed.search",
    "benchmarks.seat_speed": "benchmarks.speed.seats",
    "benchmarks.solitaire": "benchmarks.studies.solitaire",
    "benchmarks.standings": "benchmarks.studies.standings",
    "benchmarks.stored_standings": "benchmarks.report.stored_standings",
    "benchmarks.study": "benchmarks.studies.rule_of_n",
    "benchmarks.tutorial_comparison": "benchmarks.studies.tutorial_comparison",
}
"""Modules that have moved: old name -> new name."""


class _Moved(MetaPathFinder):
    """Finds old modules; what that takes is only imported if one is sought."""

    def find_spec(
        self, fullname: str, path: Any = None, target: Any = None
    ) -> ModuleSpec | None:
        if fullname not in MOVED:
            return None
        from game_core.deprecation import MovedModules

        return MovedModules(MOVED).find_spec(fullname)


sys.meta_path.append(_Moved())
