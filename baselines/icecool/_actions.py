"""Actions as the game takes them: six numbers, or the nearest number of a grid."""

import functools
from typing import Any

import numpy as np

from game_core.agents.agent import View
from game_core.compiled.jit import jit
from game_core.game import Game
from game_core.position import Position
from icecool_env.grid import write_action
from icecool_env.state import (
    HEIGHT,
    NUM_COMPONENTS,
    State,
)

WEIGHTS = np.array([6.0, 6.0, 2.0, 1.0, 3.0, 1.0])
"""How much each component counts when a grid has no number for an action."""


def as_legal(view: View, action: np.ndarray) -> Any:
    """Return an action as it is, or the legal number nearest to it on a grid."""
    if not view.game.discrete:
        return action.astype(np.float32)
    return int(nearest(view.position, action[None])[0])


def nearest(position: Position, actions: np.ndarray) -> np.ndarray:
    """Return for actions (k, 6) the nearest legal numbers (k,), on a grid."""
    legal = position.legal_actions()
    choices = weighted(table(position.game)[legal])
    gaps = [np.square(choices - action).sum(axis=1) for action in weighted(actions)]
    return legal[np.argmin(gaps, axis=1)]


def weighted(actions: np.ndarray) -> np.ndarray:
    """Return actions (k, 6) so that distances count; all heights up to 0 are flat."""
    points = actions * WEIGHTS
    points[:, HEIGHT] = np.maximum(points[:, HEIGHT], 0.0)
    return points


@functools.lru_cache(maxsize=4)
def table(game: Game) -> np.ndarray:
    """Return what all numbers of a grid stand for (actions, 6)."""
    actions = np.zeros((game.num_actions, NUM_COMPONENTS))
    write_all(game.template[0], actions)
    return actions


@jit
def write_all(state: State, actions: np.ndarray) -> None:
    """Write what all numbers of a grid stand for (actions, 6)."""
    for number in range(len(actions)):
        write_action(state, number, actions[number])
