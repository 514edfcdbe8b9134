"""Run a script of ``docs/clients`` for a few steps, beside the library that it is for.

``python -m tests.clients NAME``, in an environment that has that library; it is what
``make test-clients`` does for each. PettingZoo's own test is run there too, since each
library comes with other versions of PettingZoo and Gymnasium. An error ends it.
"""

import re
import subprocess
import sys
import warnings
from typing import NamedTuple

from tests.games import REPOSITORY

MATCH = r"won [0-9]+ of 100 games against random"
LEARNING = r"[0-9]+ games, value loss [0-9.]+"


class Client(NamedTuple):
    """What a script is to do.

    Attributes:
        steps: To ask for: enough for an update.
        lines: Regular expressions, each of a line that it is to print.
    """

    steps: int
    lines: tuple[str, ...]


CLIENTS = {
    "torchrl": Client(2048, (LEARNING, MATCH)),
    "tianshou": Client(
        1600,
        (
            r"1600 steps, [0-9]+ games",
            r"return against random at both seats: -?[0-9.]+, -?[0-9.]+",
        ),
    ),
    "rllib": Client(2048, (r"2048 steps, " + LEARNING, MATCH)),
    "agilerl": Client(4096, (r"4096 steps, mean return of [0-9]+ games: .*", MATCH)),
}

ILLEGAL = "The game ends."
"""What our environments warn of when an illegal action ended a game."""


def check_script(name: str) -> None:
    """Run the script; raise ``RuntimeError`` unless it does what it is to do."""
    client = CLIENTS[name]
    script = REPOSITORY / "docs" / "clients" / f"with_{name}.py"
    done = subprocess.run(
        [sys.executable, str(script), str(client.steps)],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    print(done.stdout)
    lines = done.stdout.splitlines()
    missing = [
        pattern
        for pattern in client.lines
        if not any(re.fullmatch(pattern, line.strip()) for line in lines)
    ]
    if done.returncode or missing or ILLEGAL in done.stderr:
        raise RuntimeError(
            f"{script.name} ended with {done.returncode}; no line is {missing}\n"
            f"{done.stderr}"
        )


def check_environments() -> None:
    """Run PettingZoo's test of its interface with the versions that there are."""
    from pettingzoo.test import api_test

    from azul_env import azul_v0
    from cant_stop_env import cant_stop_v0
    from icecool_env import icecool_v0

    warnings.filterwarnings("ignore", "Observation", UserWarning)
    for module in (azul_v0, cant_stop_v0, icecool_v0):
        api_test(module.env(), num_cycles=50)


if __name__ == "__main__":
    check_environments()
    check_script(sys.argv[1])
