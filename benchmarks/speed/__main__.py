"""``python -m benchmarks.speed``: see ``benchmarks.speed.environments``."""

import tyro

from benchmarks.speed.environments import main

if __name__ == "__main__":
    tyro.cli(main)
