"""One turn of Can't Stop, solved: exact expectations over all rolls that may come.

The turn is a Markov decision process. Its states are where the runners stand, counted
in moves: a runner that has entered has made one, and ``spaces`` has the space that
it is on after each number of moves, up to the top. A state can stop, which is
worth what ``_values.py`` says of the board then, or roll; a roll that allows nothing
leaves the board as it was before the turn. Moves only go up, so the values are found
from the top down: first for three runners, then for two, and for one.
"""

import itertools
import math
from typing import Any

import numpy as np

from baselines.cant_stop._rolls import PAIRINGS, ROLL_CHANCE
from baselines.cant_stop._values import (
    bonus_of_turn,
    needed,
    of_space,
    strength,
)
from cant_stop_env.state import (
    FIRST_COLUMN,
    HEIGHT,
    JUMP,
    MAX_PLAYERS,
    NO_REST,
    NOBODY,
    NUM_COLUMNS,
    NUM_RUNNERS,
    State,
)
from game_core.compiled.jit import jit

NEVER = -1.0
"""The value of what cannot be done: less than any chance."""

NO = -1
"""No column: there is no runner."""

Moves = tuple[int, int, int]
"""What up to three runners have made."""

TALLEST = int(HEIGHT.max())

# What a roll can do for three runners, first to third: one of them moves, one moves
# twice, or two of them move. A class of rolls allows the same of these.
ONE, TWICE, TWO = 0, 3, 6
NUM_MOVES = 9
PAIRS_OF_RUNNERS = ((0, 1), (0, 2), (1, 2))
TRIPLES = np.array(list(itertools.combinations(range(NUM_COLUMNS), NUM_RUNNERS)))
MAX_OPTIONS = 3

PAIRS = np.array(list(itertools.combinations(range(NUM_COLUMNS), 2)))
PAIR_NUMBER = np.zeros((NUM_COLUMNS,) * 2, np.int64)
PAIR_NUMBER[tuple(PAIRS.T)] = np.arange(len(PAIRS))
TRIPLE_NUMBER = np.zeros((NUM_COLUMNS,) * 3, np.int64)
TRIPLE_NUMBER[tuple(TRIPLES.T)] = np.arange(len(TRIPLES))


def move_of_pairing(pairing: tuple[int, int], triple: list[int]) -> int:
    """Return what two sums do for three runners, or -1 for nothing."""
    runners = [triple.index(c) for c in pairing if c in triple]
    if not runners:
        return -1
    if len(runners) == 1:
        return ONE + runners[0]
    if runners[0] == runners[1]:
        return TWICE + runners[0]
    return TWO + PAIRS_OF_RUNNERS.index((min(runners), max(runners)))


def classify_rolls() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the classes of rolls for each triple of columns.

    Returns:
        How many classes there are (triples,); their moves (triples, classes, 3), -1
        for none; and their chances (triples, classes).
    """
    found: list[dict[tuple[int, ...], float]] = []
    pairings = (PAIRINGS - FIRST_COLUMN).tolist()
    for triple in TRIPLES.tolist():
        classes: dict[tuple[int, ...], float] = {}
        for pairs, chance in zip(pairings, ROLL_CHANCE, strict=True):
            moves = {move_of_pairing(pair, triple) for pair in pairs} - {-1}
            key = tuple(sorted(moves))
            classes[key] = classes.get(key, 0.0) + float(chance)
        found.append(classes)
    most = max(map(len, found))
    moves = np.full((len(TRIPLES), most, MAX_OPTIONS), -1)
    chances = np.zeros((len(TRIPLES), most))
    for t, classes in enumerate(found):
        for k, (key, chance) in enumerate(classes.items()):
            moves[t, k, : len(key)] = key
            chances[t, k] = chance
    return np.array([len(classes) for classes in found]), moves, chances


NUM_CLASSES, CLASS_MOVES, CLASS_CHANCE = classify_rolls()


SIZE = TALLEST + 1

TURN = np.dtype(
    (
        np.record,
        [
            # Columns are counted from 0; moves are those that a runner has made.
            ("top", np.int64, (NUM_COLUMNS,)),  # moves to the top; 0: conquered
            ("spaces", np.int64, (NUM_COLUMNS, SIZE)),  # the space after moves
            ("rests", np.int8, (NUM_COLUMNS, SIZE)),  # 1 if it may stop there
            # What a runner counts more than the piece does, and the whole board
            # without runners, by how many columns are conquered in this turn.
            ("gains", np.float64, (NUM_RUNNERS + 1, NUM_COLUMNS, SIZE)),
            ("base", np.float64, (NUM_RUNNERS + 1,)),
            ("lost", np.float64, (MAX_PLAYERS, NUM_COLUMNS)),  # by others with columns
            ("others", np.float64, (MAX_PLAYERS,)),  # what their boards count
            ("seat", np.int64),  # the player
            ("needed", np.int64),  # columns it needs
            ("num_players", np.int64),
            ("bust", np.float64),  # the chance to win if the runners are lost
            ("scratch", np.int64, (2, NUM_RUNNERS)),  # columns and moves of runners
            # Values of states: with one runner, two and three, columns ascending.
            ("one", np.float64, (NUM_COLUMNS, SIZE)),
            ("two", np.float64, (len(PAIRS), SIZE, SIZE)),
            ("three", np.float64, (len(TRIPLES), SIZE, SIZE, SIZE)),
        ],
    )
)
"""A turn, and the values of its states as far as they are known."""


@jit
def begin_turn(turn: Any, state: State) -> None:
    """Write the turn that a position is in the middle of; no value is known then."""
    turn.top[:] = 0
    turn.seat, turn.num_players = state.player, state.num_players
    turn.needed = needed(state, state.player)
    for c in range(NUM_COLUMNS):
        if state.owner[FIRST_COLUMN + c] == NOBODY:
            list_spaces(state, turn, c)
    weigh_own_board(state, turn)
    weigh_other_boards(state, turn)


@jit
def list_spaces(state: State, turn: Any, c: int) -> None:
    """Write where a runner is after each number of moves, as the rules move it.

    A runner that is on the board has made one move, wherever it stands.
    """
    column = FIRST_COLUMN + c
    here, runner = state.pieces[state.player, column], state.runners[column]
    moves = 0
    while here < HEIGHT[column]:
        moves += 1
        if moves == 1 and runner > 0:
            here = runner
        else:
            here += 1
            while state.occupied == JUMP and is_taken(state, column, here):
                here += 1
        turn.spaces[c, moves] = here
        turn.rests[c, moves] = not (
            state.occupied == NO_REST and is_taken(state, column, here)
        )
    turn.top[c] = moves


@jit
def is_taken(state: State, column: int, space: int) -> bool:
    """Tell whether an opponent's piece is on a space."""
    for seat in range(state.num_players):
        if seat != state.player and state.pieces[seat, column] == space:
            return True
    return False


@jit
def weigh_own_board(state: State, turn: Any) -> None:
    """Write what the player's board counts, by how many columns are conquered now."""
    seat, left = turn.seat, turn.needed
    for conquests in range(NUM_RUNNERS + 1):
        then = max(0, left - conquests)
        turn.base[conquests] = strength(state, seat, then)
        for c in range(NUM_COLUMNS):
            column = FIRST_COLUMN + c
            piece = of_space(then, column, state.pieces[seat, column])
            for moves in range(1, turn.top[c] + 1):
                gain = -piece  # a conquered column counts no more for its spaces
                if moves < turn.top[c]:
                    gain += of_space(then, column, turn.spaces[c, moves])
                turn.gains[conquests, c, moves] = gain


@jit
def weigh_other_boards(state: State, turn: Any) -> None:
    """Write what the other boards count, and what the turn is worth without runners."""
    seat, n = turn.seat, turn.num_players
    for ahead in range(n - 1):
        other = (seat + 1 + ahead) % n
        theirs = needed(state, other)
        turn.others[other] = strength(state, other, theirs) + bonus_of_turn(ahead, n)
        for c in range(NUM_COLUMNS):
            column = FIRST_COLUMN + c
            turn.lost[other, c] = of_space(theirs, column, state.pieces[other, column])
    turn.others[seat] = turn.base[0]  # alone, one plays against the board as it was
    turn.bust = chance_of(turn, turn.base[0], 0)


@jit
def chance_of(turn: Any, own: float, conquered: int) -> float:
    """Return the chance to win of the player, once its turn is over.

    Args:
        turn: The turn.
        own: What its board counts then.
        conquered: The columns it has conquered, as bits.
    """
    seat, n = turn.seat, turn.num_players
    if n == 1:
        return 1.0 / (1.0 + math.exp(turn.others[seat] - own))
    total = 1.0
    for other in range(n):
        if other != seat:
            theirs = turn.others[other]
            for c in range(NUM_COLUMNS):
                if conquered >> c & 1:
                    theirs -= turn.lost[other, c]
            total += math.exp(theirs - own)
    return 1.0 / total


@jit
def value_of_stop(turn: Any, a: Any, b: Any, c: Any, at: Moves) -> float:
    """Return what stopping is worth, or ``NEVER``; columns of no runner are ``NO``."""
    columns = (a, b, c)
    conquests, conquered, rests = 0, 0, True
    for k in range(NUM_RUNNERS):
        if columns[k] != NO:
            rests = rests and turn.rests[columns[k], at[k]] != 0
            if at[k] == turn.top[columns[k]]:
                conquests += 1
                conquered |= 1 << columns[k]
    if not rests:
        return NEVER
    if conquests > 0 and conquests >= turn.needed:
        return 1.0
    own = turn.base[conquests]
    for k in range(NUM_RUNNERS):
        if columns[k] != NO:
            own += turn.gains[conquests, columns[k], at[k]]
    return chance_of(turn, own, conquered)


@jit
def value_of_roll_with_three(
    turn: Any, triple: int, at: Moves, can: np.ndarray
) -> float:
    """Return what a roll is worth; ``can`` (9,) float64 is overwritten.

    ``can`` gets the value of each thing that a roll can do, or ``NEVER``.
    """
    values, tops = turn.three[triple], TRIPLES[triple]
    for k in range(NUM_RUNNERS):
        to_top = turn.top[tops[k]] - at[k]
        can[ONE + k] = can[TWICE + k] = NEVER
        if to_top > 0:
            one, two = 1, min(2, to_top)
            can[ONE + k] = values[
                at[0] + one * (k == 0), at[1] + one * (k == 1), at[2] + one * (k == 2)
            ]
            can[TWICE + k] = values[
                at[0] + two * (k == 0), at[1] + two * (k == 1), at[2] + two * (k == 2)
            ]
    for k in range(len(PAIRS_OF_RUNNERS)):
        i, j = PAIRS_OF_RUNNERS[k]
        if can[ONE + i] == NEVER or can[ONE + j] == NEVER:
            can[TWO + k] = max(can[ONE + i], can[ONE + j])
        else:
            can[TWO + k] = values[
                at[0] + (i == 0), at[1] + (i == 1 or j == 1), at[2] + (j == 2)
            ]
    total = 0.0
    for k in range(NUM_CLASSES[triple]):
        best = NEVER
        for option in range(MAX_OPTIONS):
            move = CLASS_MOVES[triple, k, option]
            if move >= 0:
                best = max(best, can[move])
        total += CLASS_CHANCE[triple, k] * (turn.bust if best == NEVER else best)
    return total


@jit
def solve_three(turn: Any, triple: int) -> None:
    """Find the values of all states of three runners in a triple of columns."""
    a, b, c = TRIPLES[triple]
    can = np.empty(NUM_MOVES)
    for i in range(turn.top[a], 0, -1):
        for j in range(turn.top[b], 0, -1):
            for k in range(turn.top[c], 0, -1):
                at = (i, j, k)
                turn.three[triple, i, j, k] = max(
                    value_of_stop(turn, a, b, c, at),
                    value_of_roll_with_three(turn, triple, at, can),
                )


@jit
def value_of_roll(turn: Any, a: Any, b: Any, at: Moves, best: Any) -> float:
    """Return what a roll is worth with one runner, or two if ``b`` is not ``NO``.

    ``best`` (columns, columns + 1) float64 is overwritten with what the best play of
    each pair of sums is worth, or ``NEVER``; the last column is for one sum alone.
    """
    for x in range(NUM_COLUMNS):
        best[x, NO] = NEVER
        if can_move(turn, a, b, at, x):
            best[x, NO] = value_after(turn, a, b, at, (x, NO))
    for x in range(NUM_COLUMNS):
        for y in range(x, NUM_COLUMNS):
            best[x, y] = value_of_sums(turn, a, b, at, (x, y, best[x, NO], best[y, NO]))
    total = 0.0
    for r in range(len(ROLL_CHANCE)):
        most = NEVER
        for k in range(MAX_OPTIONS):
            x = PAIRINGS[r, k, 0] - FIRST_COLUMN
            y = PAIRINGS[r, k, 1] - FIRST_COLUMN
            most = max(most, best[min(x, y), max(x, y)])
        total += ROLL_CHANCE[r] * (turn.bust if most == NEVER else most)
    return total


@jit
def value_of_sums(turn: Any, a: Any, b: Any, at: Moves, sums: Any) -> float:
    """Return what the best play of two sums is worth, or ``NEVER`` (CS5, CS6).

    ``sums`` are two columns, and what each of them is worth alone, or ``NEVER``.
    """
    x, y, alone_x, alone_y = sums
    free = 1 if b != NO else 2
    new = (x != a and x != b) + (y != a and y != b)
    if alone_x == NEVER or alone_y == NEVER or (x != y and new > free):
        return max(alone_x, alone_y)
    return value_after(turn, a, b, at, (x, y))


@jit
def can_move(turn: Any, a: Any, b: Any, at: Moves, column: int) -> bool:
    """Tell whether a runner can enter a column, or go up in it (CS4)."""
    if column == a:
        return at[0] < turn.top[a]
    if column == b:
        return at[1] < turn.top[b]
    return turn.top[column] > 0


@jit
def value_after(turn: Any, a: Any, b: Any, at: Moves, sums: Any) -> float:
    """Return the value of the state after moves that can be made, one or two."""
    columns, moves = turn.scratch[0], turn.scratch[1]
    columns[0], columns[1], moves[0], moves[1] = a, b, at[0], at[1]
    count = move_runners(turn, columns, moves, 1 if b == NO else 2, sums)
    return value_of(turn, columns, moves, count)


@jit
def move_runners(
    turn: Any, columns: Any, moves: np.ndarray, count: int, sums: Any
) -> int:
    """Move runners by one or two sums that can be played (CS4).

    Args:
        turn: The turn.
        columns: (3,) int64, the columns of the runners; new ones come last.
        moves: (3,) int64, the moves that they have made, changed.
        count: How many runners there are.
        sums: Two columns to move in, the second below 0 for none.

    Returns:
        How many runners there are then.
    """
    for column in sums:
        if column >= 0:
            place = 0
            while place < count and columns[place] != column:
                place += 1
            if place == count:
                columns[place], moves[place] = column, 0
                count += 1
            moves[place] = min(moves[place] + 1, turn.top[column])
    return count


@jit
def value_of(turn: Any, columns: Any, moves: np.ndarray, count: int) -> float:
    """Return the value of a state that was solved.

    Args:
        turn: The turn.
        columns: (3,) int64, the columns of the runners, sorted here.
        moves: (3,) int64, the moves that they have made, sorted alike.
        count: How many runners there are, from 1 to 3.
    """
    for i in range(1, count):
        for j in range(i, 0, -1):
            if columns[j] < columns[j - 1]:
                columns[j], columns[j - 1] = columns[j - 1], columns[j]
                moves[j], moves[j - 1] = moves[j - 1], moves[j]
    a, b, c = columns
    if count == 1:
        return turn.one[a, moves[0]]
    if count == 2:
        return turn.two[PAIR_NUMBER[a, b], moves[0], moves[1]]
    return turn.three[TRIPLE_NUMBER[a, b, c], moves[0], moves[1], moves[2]]


@jit
def solve(turn: Any, placed: int) -> None:
    """Find the values of all states that have runners in the columns ``placed``, bits.

    There has to be at least one.
    """
    best = np.empty((NUM_COLUMNS, NUM_COLUMNS + 1))
    for t in range(len(TRIPLES)):
        a, b, c = TRIPLES[t]
        if (1 << a | 1 << b | 1 << c) & placed == placed:
            solve_three(turn, t)
    for p in range(len(PAIRS)):
        a, b = PAIRS[p]
        if (1 << a | 1 << b) & placed == placed:
            for i in range(turn.top[a], 0, -1):
                for j in range(turn.top[b], 0, -1):
                    turn.two[p, i, j] = max(
                        value_of_stop(turn, a, b, NO, (i, j, 0)),
                        value_of_roll(turn, a, b, (i, j, 0), best),
                    )
    for a in range(NUM_COLUMNS):
        if placed == 1 << a:
            for i in range(turn.top[a], 0, -1):
                turn.one[a, i] = max(
                    value_of_stop(turn, a, NO, NO, (i, 0, 0)),
                    value_of_roll(turn, a, NO, (i, 0, 0), best),
                )
