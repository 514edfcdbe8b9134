"""Positions of Can't Stop set up by hand, and all that can be wrong with one."""

import itertools
from collections.abc import Mapping
from functools import cache

import numpy as np

from cant_stop_env import rules
from cant_stop_env.state import NOBODY
from game_core import Position, load_game
from tests.naive.cant_stop import SPACES, CantStop, Dice, Roll

ROLLS = list(itertools.product(range(1, 7), repeat=4))


def set_up(
    *,
    player: int = 0,
    dice: Roll | None = None,
    pieces: Mapping[int, Mapping[int, int]] | None = None,
    runners: Mapping[int, int] | None = None,
    owner: Mapping[int, int] | None = None,
    **options,
) -> Position:
    """Return a position with these things on the board and nothing else.

    Args:
        player: The seat to move.
        dice: A roll to choose from; None if the player is asked to roll or stop.
        pieces: Seat -> column -> space.
        runners: Column -> space.
        owner: Column -> the seat that conquered it; its piece is put on top.
        **options: Of the game.
    """
    game = load_game("cant_stop", **options)
    position = Position.new(game, 0)
    state = position.states[0]
    rules.take_off_runners(state)
    state.player = player
    state.pieces[:] = 0
    state.owner[:] = NOBODY
    for seat, spaces in (pieces or {}).items():
        for column, space in spaces.items():
            state.pieces[seat, column] = space
    for column, seat in (owner or {}).items():
        state.owner[column] = seat
        state.pieces[seat, column] = SPACES[column]
    for column, space in (runners or {}).items():
        state.runners[column] = space
        state.free_runners -= 1
    if dice is not None:
        state.dice[:] = dice
        rules.find_choices(state)
    return Position(game, position.states)


def legal(position: Position) -> set[str]:
    """Return the legal actions in words."""
    return {position.game.action_to_text(int(a)) for a in position.legal_actions()}


def play(position: Position, *words: str) -> Position:
    """Play actions given in words."""
    for word in words:
        position.step(position.game.text_to_action(word))
    return position


def roll(position: Position, dice: Roll) -> Position:
    """Play "roll", for a player whose dice fall as given."""
    position.states["rng"] = stream_that_rolls(dice)
    return play(position, "roll")


@cache
def stream_that_rolls(dice: Roll) -> int:
    """Return a random stream whose next four dice are these."""
    return next(s for s in itertools.count() if Dice(s).roll_four() == dice)


def by_column(values: np.ndarray, nothing: int = 0) -> dict[int, int]:
    """Return the entries of an array over columns that hold something."""
    return {column: int(v) for column, v in enumerate(values) if v != nothing}


def runners_of(position: Position) -> dict[int, int]:
    """Return column -> space of the runners."""
    return by_column(position.states[0].runners)


def pieces_of(position: Position, seat: int) -> dict[int, int]:
    """Return column -> space of a seat's pieces."""
    return by_column(position.states[0].pieces[seat])


def owners_of(position: Position) -> dict[int, int]:
    """Return column -> seat of the conquered columns."""
    return by_column(position.states[0].owner, NOBODY)


def oracle_of(position: Position) -> CantStop:
    """Return the oracle in the same position, asked the same question."""
    state = position.states[0]
    oracle = CantStop(0, position.game.num_players)
    oracle.occupied = position.game.options["occupied"]
    oracle.set_up(
        player=position.player,
        dice=tuple(state.dice.tolist()) if state.choosing else None,
        pieces=[pieces_of(position, seat) for seat in range(oracle.num_players)],
        runners=runners_of(position),
        owner=owners_of(position),
    )
    return oracle


def status(position: Position) -> list[str]:
    """Return everything that is wrong with a position, in words."""
    return [*_wrong_pieces(position), *_wrong_runners(position), *_wrong_end(position)]


def _wrong_pieces(position: Position) -> list[str]:
    state = position.states[0]
    faults = []
    seats = range(position.game.num_players)
    if state.pieces[len(seats) :].any():
        faults.append("a piece of a player who is not in the game")
    if state.pieces[:, :2].any() or (state.owner[:2] != NOBODY).any():
        faults.append("something in a column that is not on the board")
    for column, top in SPACES.items():
        spaces = state.pieces[: len(seats), column].tolist()
        owner = int(state.owner[column])
        if owner not in (NOBODY, *seats):
            faults.append(f"column {column} belongs to seat {owner}")
        if not all(0 <= space <= top for space in spaces):
            faults.append(f"a piece outside column {column}")
        if [s for s in seats if spaces[s] == top] != [s for s in seats if s == owner]:
            faults.append(f"a piece on top of {column} and its owner do not agree")
        if owner != NOBODY and np.count_nonzero(spaces) != 1:
            faults.append(f"other pieces in conquered column {column}")
        taken = [space for space in spaces if space]
        if state.occupied != 0 and len(set(taken)) < len(taken):
            faults.append(f"two pieces on a space of column {column}")
    return faults


def _wrong_runners(position: Position) -> list[str]:
    state = position.states[0]
    faults = []
    if np.count_nonzero(state.runners) + state.free_runners != 3:
        faults.append("not three runners")
    if state.runners[:2].any():
        faults.append("a runner in a column that is not on the board")
    for column, space in runners_of(position).items():
        own = state.pieces[state.player, column]
        if not own < space <= SPACES.get(column, 0):
            faults.append(f"the runner in {column} is outside it or below the piece")
        if state.owner[column] != NOBODY:
            faults.append(f"a runner in conquered column {column}")
        others = np.delete(state.pieces[:, column], state.player)
        if position.game.options["occupied"] == "jump" and space in others:
            faults.append(f"the runner in {column} did not jump")
    return faults


def _wrong_end(position: Position) -> list[str]:
    state, game = position.states[0], position.game
    faults = []
    if not 0 <= state.player < game.num_players:
        faults.append("nobody's turn")
    if not all(1 <= die <= 6 for die in state.dice):
        faults.append("a die with no such face")
    columns = np.bincount(list(owners_of(position).values()) or [0], minlength=1)
    owned = len(owners_of(position))
    won = owned and max(columns) >= game.options["columns_to_win"]
    if bool(state.terminated) != bool(won or owned == len(SPACES)):
        faults.append("over or not against the columns conquered")
    cap = game.options["max_turns"]
    capped = cap is not None and state.turns >= cap
    if bool(state.truncated) != bool(capped and not state.terminated):
        faults.append("cut short or not against the cap")
    if cap is not None and state.turns > cap:
        faults.append("more turns than the cap")
    choices = state.choices[: state.num_choices].tolist()
    expected = set()
    if not position.over and state.choosing:
        expected = oracle_of(position).legal()
        if not expected:
            faults.append("nothing to choose")
    if sorted(map(game.action_to_text, choices)) != sorted(expected):
        faults.append("the choices are not what the dice allow")
    if position.over and (state.choosing or state.free_runners != 3):
        faults.append("a turn goes on after the end")
    return faults
