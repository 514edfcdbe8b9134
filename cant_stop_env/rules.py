"""The rules of Can't Stop, numbered as in ``docs/rules/cant_stop.md``.

Each function reads or changes one record (``state.STATE``). ``step`` requires a legal
action; whoever calls it has asked ``is_legal``.
"""

import numpy as np

from cant_stop_env.state import (
    ACTION_OF_PAIR,
    COLUMNS_OF_ACTION,
    FIRST_COLUMN,
    FIRST_SINGLE,
    HEIGHT,
    JUMP,
    LAST_COLUMN,
    MARGIN,
    MAX_PLAYERS,
    NO_REST,
    NOBODY,
    NUM_DICE,
    NUM_RUNNERS,
    ROLL,
    ROLL_FOR_START,
    STOP,
    State,
)
from game_core.compiled.jit import jit
from game_core.compiled.payoffs import margin, share_of_win
from game_core.compiled.rng import below

__all__ = [
    "FACES",
    "ROLLS_OF_FOUR_DICE",
    "can_move_in",
    "columns_won",
    "find_choices",
    "is_legal",
    "legal_actions",
    "may_stop",
    "move_runners",
    "reset",
    "rewards",
    "step",
    "stop",
    "take_off_runners",
]

FACES = 6
ROLLS_OF_TWO_DICE = FACES**2
ROLLS_OF_FOUR_DICE = FACES**4


@jit
def reset(state: State) -> None:
    """CS1: set up an empty board, and begin the first turn."""
    state.terminated = False
    state.truncated = False
    state.turns = 0
    state.pieces[:] = 0
    state.owner[:] = NOBODY
    state.player = starting_player(state)
    take_off_runners(state)
    roll_until_choice(state)


@jit
def step(state: State, action: int) -> None:
    """CS7: play a legal action, and all that follows without a decision."""
    if action == ROLL:
        roll_until_choice(state)
    elif action == STOP:
        stop(state)
    else:
        move_runners(state, action)


@jit
def is_legal(state: State, action: int) -> bool:
    """Tell whether the player to move may play ``action``, any whole number."""
    if state.terminated or state.truncated:
        return False
    if state.choosing:
        for k in range(state.num_choices):
            if state.choices[k] == action:
                return True
        return False
    return action == ROLL or (action == STOP and may_stop(state))


@jit
def legal_actions(state: State, mask: np.ndarray) -> None:
    """Write 1 for each legal action into a zeroed mask (79,)."""
    if state.choosing:
        for k in range(state.num_choices):
            mask[state.choices[k]] = 1
    else:
        mask[ROLL] = 1
        if may_stop(state):
            mask[STOP] = 1


@jit
def starting_player(state: State) -> int:
    """CS2: the highest sum of two dice starts; those tied for it roll again."""
    if state.starting_player != ROLL_FOR_START:
        return state.starting_player
    rolling = (1 << state.num_players) - 1  # bit s: seat s is still in
    while rolling & (rolling - 1):  # more than one seat
        highest = 0
        tied = 0
        for seat in range(state.num_players):
            if rolling >> seat & 1:
                total = sum_of_two_dice(state)
                if total > highest:
                    highest = total
                    tied = 0
                if total == highest:
                    tied |= 1 << seat
        rolling = tied
    seat = 0
    while not rolling >> seat & 1:
        seat += 1
    return seat


@jit
def sum_of_two_dice(state: State) -> int:
    """Roll two dice."""
    roll = below(state, ROLLS_OF_TWO_DICE)
    return roll // FACES + roll % FACES + 2


@jit
def roll_four_dice(state: State) -> None:
    """CS3: roll four dice."""
    roll = below(state, ROLLS_OF_FOUR_DICE)
    for die in range(NUM_DICE - 1, -1, -1):
        state.dice[die] = roll % FACES + 1
        roll //= FACES


@jit
def roll_until_choice(state: State) -> None:
    """CS3, CS8: roll; as long as the roll allows nothing the turn passes on."""
    roll_four_dice(state)
    find_choices(state)
    while state.num_choices == 0:
        end_turn(state)
        if state.truncated:
            return
        roll_four_dice(state)
        find_choices(state)


@jit
def find_choices(state: State) -> None:
    """CS3: the dice make three pairings; collect what each allows."""
    a, b, c, d = state.dice
    state.choosing = True
    state.num_choices = 0
    add_choices(state, a + b, c + d)
    add_choices(state, a + c, b + d)
    add_choices(state, a + d, b + c)


@jit
def add_choices(state: State, one: int, other: int) -> None:
    """CS6: both sums are played if they can be, else the one that can.

    If both need a new runner and one runner is free, the player chooses.
    """
    play_one = can_move_in(state, one)
    play_other = can_move_in(state, other)
    both_new = state.runners[one] == 0 and state.runners[other] == 0
    if one == other:  # CS5
        if play_one:
            add_choice(state, ACTION_OF_PAIR[one, one])
    elif play_one and play_other and not (both_new and state.free_runners == 1):
        add_choice(state, ACTION_OF_PAIR[one, other])
    else:
        if play_one:
            add_choice(state, FIRST_SINGLE + one - FIRST_COLUMN)
        if play_other:
            add_choice(state, FIRST_SINGLE + other - FIRST_COLUMN)


@jit
def add_choice(state: State, action: int) -> None:
    """Collect an action once, however many pairings allow it."""
    for k in range(state.num_choices):
        if state.choices[k] == action:
            return
    state.choices[state.num_choices] = action
    state.num_choices += 1


@jit
def can_move_in(state: State, column: int) -> bool:
    """CS4, CS11, CS12: a runner can enter or go up in this column."""
    if state.owner[column] != NOBODY:
        return False
    if state.runners[column] == 0:
        return state.free_runners > 0
    return state.runners[column] < HEIGHT[column]


@jit
def move_runners(state: State, action: int) -> None:
    """CS4: play the chosen sums, one after the other; then CS7 asks."""
    first, second = COLUMNS_OF_ACTION[action]
    move_runner(state, first)
    if second != 0 and can_move_in(state, second):  # CS5: a double near the top
        move_runner(state, second)
    state.choosing = False
    state.num_choices = 0


@jit
def move_runner(state: State, column: int) -> None:
    """CS4: one space up, or in above the player's own piece.

    CS-V2 "jump": spaces that hold an opponent's piece are skipped.
    """
    if state.runners[column] == 0:
        state.free_runners -= 1
        state.runners[column] = state.pieces[state.player, column]
    state.runners[column] += 1
    if state.occupied == JUMP:
        while is_shared(state, column):
            state.runners[column] += 1


@jit
def is_shared(state: State, column: int) -> bool:
    """Tell whether the runner in a column stands on an opponent's piece."""
    space = state.runners[column]
    for seat in range(state.num_players):
        if seat != state.player and state.pieces[seat, column] == space:
            return True
    return False


@jit
def may_stop(state: State) -> bool:
    """CS7: freely; CS-V3 "no rest": not while a runner shares a space."""
    if state.occupied != NO_REST:
        return True
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        if state.runners[column] > 0 and is_shared(state, column):
            return False
    return True


@jit
def stop(state: State) -> None:
    """CS9, CS14: pieces replace the runners; win, or pass the turn on."""
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        if state.runners[column] > 0:
            state.pieces[state.player, column] = state.runners[column]
            if state.runners[column] == HEIGHT[column]:
                conquer(state, column)
    if has_won(state) or all_columns_conquered(state):
        state.terminated = True
    end_turn(state)
    if not (state.terminated or state.truncated):
        roll_until_choice(state)


@jit
def conquer(state: State, column: int) -> None:
    """CS10: the column is the player's; all other pieces in it are removed."""
    state.owner[column] = state.player
    for seat in range(state.num_players):
        if seat != state.player:
            state.pieces[seat, column] = 0


@jit
def has_won(state: State) -> bool:
    """CS14, CS-V1: the player to move holds the columns it takes."""
    return columns_won(state, state.player) >= state.columns_to_win


@jit
def all_columns_conquered(state: State) -> bool:
    """Decided: nobody can ever win any more, so the game ends; most columns win.

    It takes players who can share 11 columns without winning: three for 5, say.
    """
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        if state.owner[column] == NOBODY:
            return False
    return True


@jit
def columns_won(state: State, seat: int) -> int:
    """Count the columns that a seat has conquered."""
    count = 0
    for column in range(FIRST_COLUMN, LAST_COLUMN + 1):
        count += state.owner[column] == seat
    return count


@jit
def end_turn(state: State) -> None:
    """CS8, CS9: the runners come off and the next seat plays, unless it is over."""
    take_off_runners(state)
    state.turns += 1
    if state.terminated:
        return
    if state.turns == state.max_turns:
        state.truncated = True
        return
    state.player = (state.player + 1) % state.num_players


@jit
def take_off_runners(state: State) -> None:
    """Put all runners beside the board; nothing is left to choose."""
    state.runners[:] = 0
    state.free_runners = NUM_RUNNERS
    state.choosing = False
    state.num_choices = 0


@jit
def rewards(state: State, out: np.ndarray) -> None:
    """Write what a finished game pays each seat (players,); they sum to zero.

    "win": winners share. "margin": own columns less the mean of the others', as a part
    of the columns to win. A game alone pays 1, or 1 / turns. A truncated game pays
    nothing.
    """
    if not state.terminated:
        return
    num_players = state.num_players
    if num_players == 1:
        out[0] = 1.0 / state.turns if state.reward == MARGIN else 1.0
        return
    most, winners, conquered = 0, 0, 0
    for seat in range(num_players):
        columns = columns_won(state, seat)
        conquered += columns
        if columns > most:
            most, winners = columns, 0
        winners += columns == most
    for seat in range(num_players):
        columns = columns_won(state, seat)
        if state.reward == MARGIN:
            ahead = margin(columns, conquered, num_players)
            out[seat] = ahead / state.columns_to_win
        else:
            out[seat] = share_of_win(columns == most, winners, num_players)


assert MAX_PLAYERS < 8  # seats fit the bits of starting_player
