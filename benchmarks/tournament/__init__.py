"""Tournaments: what is played, by whom, in which processes, and the file of results."""

from benchmarks.tournament.run import Place, run_tournament
from benchmarks.tournament.schedule import Tournament

__all__ = ["Place", "Tournament", "run_tournament"]
