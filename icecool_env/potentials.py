"""The potentials of ICECOOL, by name: see ``game_core.envs.shaping``."""

import numpy as np

from icecool_env.state import MARGIN, NUM_VALUES

__all__ = ["EVEN", "cards"]

EVEN = 12.0
"""Points of lead with which a game is about decided, three to one or so."""


def cards(states: np.ndarray) -> np.ndarray:
    """Return the lead in points of cards held and of ID cards taken.

    With the reward "margin" it is in the same units as what a game pays; with "win" it
    goes through tanh, from -1 to 1.

    Args:
        states: (n,) records.

    Returns:
        (n, players) float64.
    """
    n = int(states["num_players"][0])
    held = _points_held(states)[:, :n] + _mean_value(states) * _ids_won(states)[:, :n]
    lead = (n * held - held.sum(axis=1, keepdims=True)) / (n - 1)
    values = np.arange(NUM_VALUES)
    deck = (states["deck_cards"] @ values)[:, np.newaxis]
    worth = np.tanh(lead / EVEN)
    margin = np.flatnonzero(states["reward"] == MARGIN)
    worth[margin] = (lead / deck)[margin]
    return worth


def _points_held(states: np.ndarray) -> np.ndarray:
    """Return the points of the cards of all seats (n, seats)."""
    return states["face_down"] @ np.arange(NUM_VALUES) + states["face_up"]


def _mean_value(states: np.ndarray) -> np.ndarray:
    """Return what a card of the whole deck is worth on average (n, 1)."""
    deck = states["deck_cards"].astype(np.float64)
    points = deck @ np.arange(NUM_VALUES)
    return (points / deck.sum(axis=1))[:, np.newaxis]


def _ids_won(states: np.ndarray) -> np.ndarray:
    """Return how many ID cards seats gain by catches of this round (n, seats).

    The Catcher gains one for each Runner that it caught, and the Runner loses its own.
    """
    caught = (states["caught"] > 0).astype(np.float64)
    won, rows = -caught, np.arange(len(states))
    won[rows, states["catcher"]] += caught.sum(axis=1)
    return won
