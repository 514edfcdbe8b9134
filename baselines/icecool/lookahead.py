"""Try hundreds of flicks, then look several flicks ahead from the best of them."""

from typing import Any

import numpy as np

from baselines.icecool._actions import as_legal
from baselines.icecool._futures import Futures, unlike
from baselines.icecool.aimer import place, yes_or_no
from baselines.icecool.planner import candidates, wants_skates
from game_core.agent import View
from game_core.options import whole_number
from icecool_env.state import PLACE, SKATES

FLICKS = 1000
MOST_FLICKS = 10**6

GAP = 0.5
"""In cards: flicks that are so much worse one flick ahead are not looked into."""

TRUST = 0.7
"""Weight of what is seen several flicks ahead; the rest is what one flick shows."""


class Lookahead:
    """Look several flicks ahead from the best of hundreds: replies, and its own next.

    It tries the planner's 260 flicks on copies, and sees what each leads to by numbers
    that were fitted to played rounds. From the best that are unlike it plays on: up to
    100 flicks of the others in turn, of which the next player's best two that are
    unlike count, the likelier the better they are for it; and then 60 flicks of its own
    next turn, of which the best counts. As Catcher it thus looks for where Runners can
    hardly get away from. If it holds skates it also sees what another flick at once
    leads to. It answers the question for skates like the planner and is placed like the
    aimer. On a grid it tries the numbers nearest to those flicks.

    What cards will be drawn, and who else holds skates, plays no part. The same seed
    gives the same flicks: the budget is counted in flicks, not in time.

    How much this gains is not settled. In 16 pairs of games it won 56 % against planner
    (95 % interval 42 to 71), by 1.3 points a game (-0.4 to 3.1); at one seat among
    three planners 19 % of 16 games, where 25 % would be even. A move took 0.6 s on a
    busy machine, three times as long as the planner's.
    """

    def __init__(self, flicks: int = FLICKS) -> None:
        """Choose how far to look.

        Args:
            flicks: How many are played for a move; the one looked into last is seen
                to its end, so that some hundreds more are played.

        Raises:
            ValueError: If ``flicks`` is no whole number from 1 to a million.
        """
        self.flicks = whole_number("flicks", flicks, 1, MOST_FLICKS)

    def act(self, view: View) -> Any:
        """Return the best flick, or another decision."""
        state = view.state
        if state.phase == PLACE:
            return as_legal(view, place(view))
        if state.phase == SKATES:
            return as_legal(view, yes_or_no(wants_skates(view)))
        return self._best(view)

    def _best(self, view: View) -> Any:
        """Return the flick that leads to most."""
        futures = Futures(view.position, view.seat, view.rng)
        actions, states, values = tried(futures, view)
        best, most = 0, -np.inf
        for i in unlike(states, values):
            if values[i] < most - GAP:
                break
            ahead = futures.worth(states[i : i + 1])
            worth = values[i] + TRUST * (ahead - values[i])
            if worth > most:
                best, most = i, worth
            if futures.flicks >= self.flicks:
                break
        return actions[best]


def tried(futures: Futures, view: View) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the planner's flicks, what they lead to, and what that is worth."""
    position = view.position
    actions = candidates(position, view.seat, view.rng)
    states = futures.first(position.states, actions)
    return actions, states, futures.values(states)[:, view.seat]


lookahead = Lookahead
