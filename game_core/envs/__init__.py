"""Environments: PettingZoo, arrays of games, and one seat against opponents."""
