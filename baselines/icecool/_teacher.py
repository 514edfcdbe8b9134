"""``Teacher``: what a network over moves learns ICECOOL from, by imitation.

It decides many times as fast as the planner, and says how good each flick is that it
tried, as a tree search does by its visits: see ``baselines/training/imitation.py``.
"""

from typing import Any, NamedTuple

import numpy as np

from baselines.icecool._actions import as_legal, nearest
from baselines.icecool._shots import MAX_SHOTS, SHOT
from baselines.icecool.aimer import (
    as_actions,
    place,
    scored_shots,
    wants_skates,
    yes_or_no,
)
from baselines.icecool.planner import outcomes
from game_core.agents.agent import View
from icecool_env.state import PLACE, SKATES, STRENGTH, X, Y

SHOTS, VARIANTS, ANY = 6, 4, 12
"""The aimer's best shots, how often each is varied, and flicks beside these."""

TURN, HARDER = np.radians(3.0), 0.25
"""How far a shot is varied, at most, in direction and strength."""

ALIKE = 0.15
"""In cards: a flick that is worth so much less is tried less often, by a factor e."""

MAX_VISITS = 100


class Tried(NamedTuple):
    """What a decision tried.

    Attributes:
        visits: Number -> the more, the better it is, up to ``MAX_VISITS``.
        knows_others: Whether all other numbers are worse than these.
    """

    visits: dict[int, int]
    knows_others: bool = False


class Teacher:
    """Try some 30 flicks of a grid, and take the one that leads to most cards.

    They are numbers near the aimer's best shots, and any others. What a position is
    worth is the planner's estimate. Placement and skates are as the aimer's.

    Attributes:
        search: What the last decision tried; None if it tried nothing.
    """

    def __init__(self) -> None:
        """Begin without a decision."""
        self.search: Tried | None = None

    def act(self, view: View) -> Any:
        """Return the number that leads to most cards.

        Raises:
            ValueError: If actions are continuous.
        """
        if not view.game.discrete:
            raise ValueError("the teacher is for a grid of flicks: give one")
        self.search = None
        if view.state.phase == PLACE:
            return as_legal(view, place(view))
        if view.state.phase == SKATES:
            shots = np.zeros((MAX_SHOTS, SHOT))
            wanted = wants_skates(view.state, view.seat, shots)
            return as_legal(view, yes_or_no(wanted))
        numbers = self.candidates(view)
        values = outcomes(view.position, view.seat, numbers)
        shares = MAX_VISITS * np.exp((values - values.max()) / ALIKE)
        tried = zip(numbers.tolist(), np.rint(shares).astype(int).tolist(), strict=True)
        self.search = Tried(dict(tried))
        return int(numbers[values.argmax()])

    def candidates(self, view: View) -> np.ndarray:
        """Return numbers to try (k,), ascending."""
        shots, scores = scored_shots(view.state, view.seat)
        best = np.argsort(-scores, kind="stable")[:SHOTS]
        aimed = np.repeat(as_actions(shots[best]), VARIANTS, axis=0)
        turns = view.rng.uniform(-TURN, TURN, len(aimed))
        angles = np.arctan2(aimed[:, Y], aimed[:, X]) + turns
        aimed[:, X], aimed[:, Y] = np.cos(angles), np.sin(angles)
        harder = view.rng.uniform(-HARDER, HARDER, len(aimed))
        aimed[:, STRENGTH] = np.clip(aimed[:, STRENGTH] + harder, -1.0, 1.0)
        others = view.rng.choice(view.position.legal_actions(), ANY)
        return np.union1d(nearest(view.position, aimed), others)
