"""Policies with numbered actions in the game with continuous ones.

A network that learned on a grid of flicks says a number; the grid says which flick that
is. Which numbers are legal follows from what the seat sees.
"""

import numpy as np

from baselines.icecool._actions import table
from game_core.agents.agent import Batch, BatchAgent
from game_core.game import Game
from icecool_env.grid import (
    NUM_ANSWERS,
    NUM_SPOTS,
    OTHER_ROOM,
    OWN_ROOM,
    RED_LINE_CHOICES,
    STAY,
)
from icecool_env.state import FLICK, PLACE, SKATES

FINE = {"directions": 360, "strengths": 12}
"""The grid on which a network over moves plays: it can weigh any flick, and in the game
with continuous ones a degree beside a door may miss it."""


class OnGrid:
    """Plays the flicks that the numbers of a policy stand for; see ``BatchAgent``."""

    def __init__(self, policy: BatchAgent, numbered: Game) -> None:
        """Take a policy, and the game whose numbers it knows."""
        self.policy = policy
        self.numbered = numbered

    def act_batch(self, batch: Batch) -> np.ndarray:
        """Return continuous actions (k, 6) float32."""
        masks = masks_seen(self.numbered, batch.observations)
        numbers = self.policy.act_batch(
            Batch(self.numbered, batch.observations, masks, batch.memories)
        )
        return table(self.numbered)[numbers].astype(np.float32)


def masks_seen(game: Game, observations: np.ndarray) -> np.ndarray:
    """Return the legal numbers (k, actions) int8 that follow from what seats see.

    They are those of ``icecool_env.grid.legal_actions``, but for a red line without a
    free spot, which cannot be seen at once; there the penguin then stays.

    Args:
        game: The game with a grid.
        observations: (k, size), of the seats to move.
    """
    flicks = game.num_actions - NUM_SPOTS - NUM_ANSWERS
    seen = game.observation_layout.split(observations > 0)
    phase, stuck = seen["phase"], seen["stuck_0"]
    masks = np.zeros((len(observations), game.num_actions), np.int8)
    choices = {
        STAY: ~(stuck & (game.options["stuck_move"] == "must")),
        OWN_ROOM: stuck | seen["close_to_wall_0"],
        OTHER_ROOM: seen["choice_of_rooms_0"],
    }
    for choice, possible in choices.items():
        rows = (possible & phase[:, FLICK]).astype(np.int8)
        masks[:, choice:flicks:RED_LINE_CHOICES] = rows[:, np.newaxis]
    masks[phase[:, PLACE], flicks : flicks + NUM_SPOTS] = 1
    masks[phase[:, SKATES], flicks + NUM_SPOTS :] = 1
    return masks
