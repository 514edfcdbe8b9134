"""Tournaments: what is played, by whom, in which processes, and the file of results."""

from benchmarks.tournament.run import Place, Run, open_run, run_tournament
from benchmarks.tournament.schedule import Tournament

__all__ = ["Place", "Run", "Tournament", "open_run", "run_tournament"]
