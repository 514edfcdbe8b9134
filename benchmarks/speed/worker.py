"""The process of which ``benchmarks.speed`` starts two, to see them work side by side.

Run as ``python -m benchmarks.speed.worker GAME STEPS``. It says "ready" once everything
is compiled; then, for each line it is sent, it plays and answers with the decisions
made and the seconds of processor time that they took.
"""

import sys
import time

from game_core.envs.vector import VectorGame

__all__ = ["main"]

NUM_ENVS = 4096


def main() -> None:
    """Play as many steps as the command line says for each line of the input."""
    game_id, steps = sys.argv[1], int(sys.argv[2])
    games = VectorGame(game_id, NUM_ENVS)
    games.reset(seed=0)
    games.step(games.sample_actions())
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        for _ in range(steps):
            games.step(games.sample_actions())
        print(steps * NUM_ENVS, time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()
