"""What legal moves do, as numbers for networks that weigh move by move.

How a move is described is told by ``baselines/<game>/_moves.py``, a ``MovesModule``;
what is the same for all games is here. Everything is computed from observations, so
that a network over moves knows no more than one over positions.
"""

import functools
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from baselines._plugins import MovesModule, moves_module
from game_core.compiled.binding import Binding
from game_core.game import Game

__all__ = ["describe_moves", "moves_of", "num_features"]

if TYPE_CHECKING:  # a name that means something in the loop of a game
    restore = cast(Any, None)


def moves_of(game: Game) -> MovesModule:
    """Return the module that tells what the legal moves of a game do.

    Raises:
        ValueError: If there is none for the game and its options.
    """
    module = moves_module(game.id)
    if module is None:
        raise ValueError(
            f"there are no networks over the moves of {game.id}; take one over "
            "positions"
        )
    module.check(game)
    return module


def num_features(game: Game) -> int:
    """Return how many numbers describe a move.

    Raises:
        ValueError: If there are none for the game and its options.
    """
    return moves_of(game).FEATURES.size


def describe_moves(
    game: Game, observations: np.ndarray, masks: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return moves of positions, and what they do.

    Args:
        game: The game.
        observations: (k, size) float32 of the seats to move.
        masks: The legal moves to describe (k, actions); None for all legal ones.

    Returns:
        Moves (m, 2) int64, the row of the position and the action, ordered by both;
        and their features (m, ``num_features``) float32.

    Raises:
        ValueError: If there are none for the game and its options.
    """
    module = moves_of(game)
    # ``repeat`` copies field by field, four times slower.
    boards = game.template.take(np.zeros(len(observations), np.int64))
    _restoring(game.id, module.restore)(observations, boards)
    if masks is None:
        masks = module.legal_moves(game, observations, boards)
    moves = np.argwhere(masks)
    features = np.zeros((len(moves), module.FEATURES.size), np.float32)
    module.describe_all(boards, moves, features)
    return moves, features


def restore_all(observations: Any, boards: Any) -> None:
    """Fill records (k,) from observations (k, size)."""
    for i in range(len(boards)):
        restore(observations[i], boards[i])


@functools.cache
def _restoring(game_id: str, restore_one: Any) -> Any:
    """Return ``restore_all`` for a game, compiled."""
    (bound,) = Binding(game_id, {"restore": restore_one}).bind([restore_all])
    return bound
