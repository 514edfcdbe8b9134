"""Play the current turn of Can't Stop optimally, given what positions are worth."""

from typing import Any

import numpy as np

from baselines.cant_stop._heuristic import stopping_wins
from baselines.cant_stop._turn import (
    NO,
    NUM_COLUMNS,
    NUM_MOVES,
    NUM_RUNNERS,
    TRIPLE_NUMBER,
    TURN,
    begin_turn,
    move_runners,
    solve,
    value_of,
    value_of_roll,
    value_of_roll_with_three,
    value_of_stop,
)
from cant_stop_env.rules import may_stop
from cant_stop_env.state import (
    COLUMNS_OF_ACTION,
    FIRST_COLUMN,
    ROLL,
    STOP,
    State,
)
from game_core.agents.agent import View
from game_core.compiled.jit import jit

__all__ = ["best_action", "choose", "turn_optimal", "values_of_stop_and_roll"]


def turn_optimal(view: View) -> int:
    """Maximize the chance of winning over the rest of the turn.

    The turn is solved exactly over all 1,296 rolls that can come next, however often it
    rolls (``_turn.py``). What the board is worth when it ends, by stopping or by a
    bust, are chances to win that were tuned by self-play (``_values.py``); they are the
    only approximation.
    """
    return int(best_action(view.state))


@jit
def choose(state: State, memory: Any) -> int:
    """Return the action: the same agent as a policy."""
    return best_action(state)


@jit
def best_action(state: State) -> int:
    """Return the action of the highest value, the lowest of equals."""
    if state.choosing and state.num_choices == 1:
        return state.choices[0]
    if not (state.choosing or may_stop(state)):
        return ROLL
    if not state.choosing and stopping_wins(state):  # no rounding may say otherwise
        return STOP
    turns = np.empty(1, TURN)
    return best_in_turn(state, turns)


@jit
def best_in_turn(state: State, turns: Any) -> int:
    """Return the best of several actions; ``turns`` (1,) are overwritten.

    They are given as an array, because a record alone would not keep its memory.
    """
    turn = turns[0]
    begin_turn(turn, state)
    if state.choosing:
        return best_choice(state, turn)
    stop, roll = values_of_stop_and_roll(state, turn)
    return STOP if stop >= roll else ROLL


@jit
def best_choice(state: State, turn: Any) -> int:
    """Return the choice of columns after which the turn is worth most."""
    best, most = -1, -1.0
    columns, moves = np.empty(NUM_RUNNERS, np.int64), np.empty(NUM_RUNNERS, np.int64)
    for k in range(state.num_choices):
        action = state.choices[k]
        first, second = COLUMNS_OF_ACTION[action]
        sums = (first - FIRST_COLUMN, second - FIRST_COLUMN)
        count = list_runners(state, columns, moves)
        count = move_runners(turn, columns, moves, count, sums)
        placed = 0
        for i in range(count):
            placed |= 1 << columns[i]
        solve(turn, placed)
        value = value_of(turn, columns, moves, count)
        if value > most or (value == most and action < best):
            best, most = action, value
    return best


@jit
def list_runners(state: State, columns: Any, moves: np.ndarray) -> int:
    """Write the columns of the runners, ascending, and return how many there are."""
    count = 0
    columns[:], moves[:] = NO, 0
    for c in range(NUM_COLUMNS):
        if state.runners[FIRST_COLUMN + c] > 0:
            columns[count], moves[count] = c, 1
            count += 1
    return count


@jit
def values_of_stop_and_roll(state: State, turn: Any) -> tuple[float, float]:
    """Return the values of stopping and of rolling once more."""
    columns, moves = np.empty(NUM_RUNNERS, np.int64), np.empty(NUM_RUNNERS, np.int64)
    count = list_runners(state, columns, moves)
    a, b, c = columns
    at = (moves[0], moves[1], moves[2])
    placed = 0
    for k in range(count):
        placed |= 1 << columns[k]
    solve(turn, placed)
    stop = value_of_stop(turn, a, b, c, at)
    if count == NUM_RUNNERS:
        triple = TRIPLE_NUMBER[a, b, c]
        return stop, value_of_roll_with_three(turn, triple, at, np.empty(NUM_MOVES))
    best = np.empty((NUM_COLUMNS, NUM_COLUMNS + 1))
    return stop, value_of_roll(turn, a, b, at, best)
