"""How the numbers in ``_weights.py`` were found.

``python -m baselines.cant_stop._tuning``, some 12 minutes on two busy cores. In the
first round ``glenn_aloi`` plays itself, in each later one ``turn_optimal`` does with
the numbers so far, after openings of up to six turns by ``glenn_aloi``. The numbers are
then fitted by logistic regression: who won, from the board at the start of each turn.
Columns as far from 7 count alike. Each round writes the file anew and runs in a new
process, since compiled code has the numbers in it. Games are for two players, to three
columns.
"""

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from baselines.cant_stop import glenn_aloi, turn_optimal
from baselines.cant_stop._values import MAX_NEEDED, needed
from cant_stop_env.rules import step
from cant_stop_env.state import (
    FIRST_COLUMN,
    HEIGHT,
    LAST_COLUMN,
    NOBODY,
    STATE,
)
from game_core import load_game
from game_core.agents.policy import new_memories
from game_core.compiled.jit import jit

OPENING = 6
OF_GLENN = 5
"""Games of ``glenn_aloi`` in the first round for each one of ``turn_optimal`` later."""

STEPS = 5  # of Newton's
MAX_TURNS = 60
KINDS = 6
"""Columns that differ: 2 to 7, of which each but 7 stands for two."""

SPACES = int(HEIGHT.max())
SIZE = MAX_NEEDED * (1 + KINDS * SPACES) + 1
"""Numbers to find: for each number of columns needed one, and one for each space of
each kind of column; and the bonus of who is to move."""

SMOOTHING, SHRINKING = 30.0, 0.1
"""How much it counts, in games, that spaces differ from halfway between their
neighbours, and that numbers differ from 0."""

FILE = Path(__file__).with_name("_weights.py")


@jit
def play_and_record(
    states: np.ndarray, openings: Any, memory: Any, best: bool, turns: Any
) -> int:
    """Play games (n,) to their end and record the positions at the start of turns.

    Args:
        states: (n,) records of new games.
        openings: (n,) int64, turns that ``glenn_aloi`` plays first.
        memory: Of the policies.
        best: Whether ``turn_optimal`` plays on from there; else ``glenn_aloi`` does.
        turns: (n * ``MAX_TURNS``,) records, written; their ``rng`` is set to the seat
            that wins.

    Returns:
        How many were recorded.
    """
    count = 0
    for i in range(len(states)):
        state, first, last = states[i], count, -1
        while not (state.terminated or state.truncated):
            if state.turns != last and count - first < MAX_TURNS:
                last = state.turns
                turns[count] = state
                count += 1
            if best and state.turns >= openings[i]:
                step(state, turn_optimal.choose(state, memory))
            else:
                step(state, glenn_aloi.choose(state, memory))
        for k in range(first, count):
            turns[k].rng = np.uint64(state.player)
    return count


@jit
def write_features(turns: Any, features: np.ndarray, won: Any) -> None:
    """Write what the mover has more than the other (n, ``SIZE``), and if it won."""
    for i in range(len(turns)):
        state = turns[i]
        for seat in range(2):
            sign = 1.0 if seat == state.player else -1.0
            row = (min(MAX_NEEDED, needed(state, seat)) - 1) * (1 + KINDS * SPACES)
            features[i, row] += sign
            for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
                space = state.pieces[seat, column]
                if state.owner[column] == NOBODY and space > 0:
                    kind = min(column, 14 - column) - FIRST_COLUMN
                    features[i, row + 1 + kind * SPACES + space - 1] += sign
        features[i, SIZE - 1] = 1.0
        won[i] = 1.0 if np.int64(state.rng) == state.player else 0.0


def record(games: int, seed: int, best: bool) -> np.ndarray:
    """Return the positions at the start of the turns of some games."""
    game = load_game("cant_stop")
    rng = np.random.default_rng(seed)
    states = game.new_states(rng.integers(1 << 63, size=games).astype(np.uint64))
    turns = np.zeros(games * MAX_TURNS, STATE)
    openings = rng.integers(OPENING + 1, size=games)
    memory = new_memories(game, 1)[0]
    return turns[: play_and_record(states, openings, memory, best, turns)]


def fit(turns: np.ndarray) -> np.ndarray:
    """Return the numbers (``SIZE``,) by penalised logistic regression, Newton's way."""
    penalty = np.eye(SIZE) * SHRINKING
    for block in range(MAX_NEEDED * KINDS):
        left, kind = divmod(block, KINDS)
        start = left * (1 + KINDS * SPACES) + 1 + kind * SPACES
        height = int(HEIGHT[FIRST_COLUMN + kind])
        # From no piece, which counts 0, over the spaces below the top.
        bend = np.zeros((max(0, height - 2), SIZE))
        for k in range(len(bend)):
            bend[k, start + k : start + k + 2] = (-2.0, 1.0)
            if k > 0:
                bend[k, start + k - 1] = 1.0
        penalty += SMOOTHING * bend.T @ bend
    numbers = np.zeros(SIZE)
    for _ in range(STEPS):
        slope, curve = -penalty @ numbers, penalty.copy()
        for part in np.array_split(turns, 1 + len(turns) // 50_000):
            features = np.zeros((len(part), SIZE), np.float32)
            won = np.zeros(len(part), np.float32)
            write_features(part, features, won)
            chance = 1.0 / (1.0 + np.exp(-features @ numbers))
            slope += features.T @ (won - chance)
            curve += (features * (chance * (1.0 - chance))[:, None]).T @ features
        numbers += np.linalg.solve(curve, slope)
    return numbers


def write_weights(numbers: np.ndarray, command: str) -> None:
    """Write ``_weights.py``."""
    blocks = numbers[:-1].reshape(MAX_NEEDED, 1 + KINDS * SPACES)
    conquests = ", ".join(f"{value:.3f}" for value in blocks[:, 0] - blocks[-1, 0])
    rows = []
    for left in range(MAX_NEEDED):
        for kind in range(KINDS):
            start, height = 1 + kind * SPACES, int(HEIGHT[FIRST_COLUMN + kind])
            values = blocks[left, start : start + height - 1]
            rows.append(f'    "{" ".join(f"{value:.2f}" for value in values)}",')
    text = TEMPLATE.format(
        command=command, bonus=numbers[-1], conquests=conquests, rows="\n".join(rows)
    )
    FILE.write_text(text, encoding="utf-8")


TEMPLATE = '''"""What spaces and conquered columns count; see ``_values.py``.

Written by:
{command}
"""

import numpy as np

NEXT = {bonus:.3f}

# By columns still needed; with none the game is won.
OF_CONQUESTS = np.array([0.0, {conquests}])

# The spaces below the top of the columns 2 to 7, which are those of 12 to 8 too; first
# for a player who needs one column, then two, then three.
ROWS = (
{rows}
)

OF_SPACE = np.zeros((4, 13, 14))
"""By columns still needed, column and space; no piece counts 0."""

for _row, _text in enumerate(ROWS):
    _left, _kind = divmod(_row, 6)
    _values = [float(value) for value in _text.split()]
    for _column in (2 + _kind, 12 - _kind):
        OF_SPACE[1 + _left, _column, 1 : 1 + len(_values)] = _values
'''


def main(
    games: int = 3000, rounds: int = 3, seed: int = 0, workers: int = 2, at: int = 0
) -> None:
    """Find the numbers by self-play and write them to ``_weights.py``.

    Args:
        games: Games of ``turn_optimal`` in each round but the first.
        rounds: How many rounds.
        seed: The same seed finds the same numbers, with as many workers.
        workers: Processes.
        at: Round to begin with.
    """
    best = at > 0
    each = (games if best else OF_GLENN * games) // workers
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        seeds = [seed + 1000 * at + k for k in range(workers)]
        parts = pool.map(record, [each] * workers, seeds, [best] * workers)
        turns = np.concatenate(list(parts))
    numbers = fit(turns)
    command = (
        f"python -m baselines.cant_stop._tuning --games {games} --rounds {rounds} "
        f"--seed {seed} --workers {workers}"
    )
    write_weights(numbers, command)
    print(f"round {at}: {len(turns)} turns, next {numbers[-1]:.3f}", flush=True)
    if at + 1 < rounds:
        arguments = f"{command} --at {at + 1}".split()[1:]
        subprocess.run([sys.executable, *arguments], check=True)


if __name__ == "__main__":
    tyro.cli(main)
