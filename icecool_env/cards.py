"""The fish cards of ICECOOL: drawing, scoring, and who may know them."""

import numpy as np

from game_core.compiled.jit import jit
from game_core.compiled.payoffs import margin, share_of_win
from game_core.compiled.rng import below
from icecool_env.state import (
    CARDS_FOR_SKATES,
    MARGIN,
    NUM_VALUES,
    SKATES,
    State,
)

__all__ = ["draw_card", "num_cards", "points", "resample_hidden", "rewards", "standing"]

MORE_THAN_ALL_CARDS = 1000
MAX_DEALS = 10**5  # until a hand is possible; the rarest ones take some 800


@jit
def draw_card(state: State, seat: int) -> None:
    """R15, A19: draw a card, any of the deck with the same chance."""
    left = 0
    for value in range(NUM_VALUES):
        left += state.deck[value]
    if left == 0:
        if state.blank_cards:
            state.face_down[seat, 0] += 1
        return
    drawn, value = below(state, left), 0
    while drawn >= state.deck[value]:
        drawn -= state.deck[value]
        value += 1
    state.deck[value] -= 1
    state.face_down[seat, value] += 1


@jit
def points(state: State, seat: int) -> int:
    """R37: return what the cards of a player are worth, face down and face up."""
    total = int(state.face_up[seat])
    for value in range(NUM_VALUES):
        total += value * int(state.face_down[seat, value])
    return total


@jit
def num_cards(state: State, seat: int) -> int:
    """R38: return the number of cards of a player."""
    total = int(state.face_up[seat])
    for value in range(NUM_VALUES):
        total += int(state.face_down[seat, value])
    return total


@jit
def standing(state: State, seat: int) -> int:
    """R37, R38: return what orders players: points, then cards."""
    return points(state, seat) * MORE_THAN_ALL_CARDS + num_cards(state, seat)


@jit
def rewards(state: State, out: np.ndarray) -> None:
    """R37, R38: write what a finished game pays each seat (players,); the sum is zero.

    "win": winners share. "margin": own points less the mean of the others', as a share
    of all points in the deck.
    """
    if not state.terminated:
        return
    n = state.num_players
    best, winners, all_points, deck_points = -1, 0, 0, 0
    for value in range(NUM_VALUES):
        deck_points += value * state.deck_cards[value]
    for seat in range(n):
        all_points += points(state, seat)
        place = standing(state, seat)
        if place > best:
            best, winners = place, 0
        winners += place == best
    for seat in range(n):
        if state.reward == MARGIN:
            out[seat] = margin(points(state, seat), all_points, n) / deck_points
        else:
            out[seat] = share_of_win(standing(state, seat) == best, winners, n)


@jit
def resample_hidden(state: State, seat: int) -> None:
    """A22: deal anew what ``seat`` cannot see: the others' face-down cards, the deck.

    Who is being asked about skates has two cards of value 1: hands without are no
    possible ones, and are dealt again.
    """
    asked = state.phase == SKATES and state.player != seat
    for _ in range(MAX_DEALS):
        deal_again(state, seat)
        if not asked or state.face_down[state.player, 1] >= CARDS_FOR_SKATES:
            return


@jit
def deal_again(state: State, seat: int) -> None:
    """Put the face-down cards of all others back and draw as many for each."""
    hidden = np.zeros(state.num_players, np.int64)
    for other in range(state.num_players):
        if other != seat:
            for value in range(1, NUM_VALUES):
                hidden[other] += state.face_down[other, value]
                state.deck[value] += state.face_down[other, value]
                state.face_down[other, value] = 0
    for other in range(state.num_players):
        for _ in range(hidden[other]):
            draw_card(state, other)
