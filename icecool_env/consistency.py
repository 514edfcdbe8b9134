"""What has to hold in a record of ICECOOL beyond the bounds of its fields."""

import numpy as np

from icecool_env.state import CARDS_FOR_SKATES, FLICK, NONE, SKATES

__all__ = ["check"]


def check(states: np.ndarray) -> None:
    """Refuse invalid records (k,), with which rules or physics would go astray.

    Raises:
        ValueError: For the first thing that is wrong, and the record it is in.
    """
    n, rows = int(states["num_players"][0]), np.arange(len(states))
    player, flicked = states["player"], states["flicked"]
    ones = states["face_down"][rows, player, 1]
    on_board = states["on_board"][rows, player]
    cards = states["deck"] + states["face_down"].sum(axis=1)
    cards[:, 1] += states["face_up"].sum(axis=1)
    asked, flicks = states["phase"] == SKATES, states["phase"] == FLICK
    for wrong, what in (
        (
            (cards != states["deck_cards"])[:, 1:].any(axis=1),
            "the cards in the deck and in hands are not those of the whole deck",
        ),
        (states["on_board"][:, n:].any(axis=1), "there are penguins of no player"),
        (~_are_in_rooms(states), "a penguin stands outside the school"),
        (flicks & (on_board == 0), "the penguin to be flicked is off the board"),
        (
            asked & ((ones < CARDS_FOR_SKATES) | ~states["skates"]),
            "who is asked about skates has no two cards of value 1 for them",
        ),
        ((states["caught"] > (2 if n == 2 else 1)).any(axis=1), "caught too often"),
        (
            (flicked != NONE) & (states["was_on_board"][rows, flicked] == 0),
            "the penguin that was flicked last was off the board",
        ),
    ):
        if wrong.any():
            raise ValueError(f"invalid states: {what} (record {int(np.argmax(wrong))})")


def _are_in_rooms(states: np.ndarray) -> np.ndarray:
    """Tell for records (k,) whether all their penguins are in the school (k,) bool."""
    rooms = states["room"][:, None, : int(states["num_rooms"][0])]
    x, y = states["x"][..., None], states["y"][..., None]
    in_x = (rooms[..., 0] <= x) & (x <= rooms[..., 2])
    in_y = (rooms[..., 1] <= y) & (y <= rooms[..., 3])
    return ((in_x & in_y).any(axis=2) | (states["on_board"] == 0)).all(axis=1)
