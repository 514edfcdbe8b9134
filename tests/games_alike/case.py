"""What the tests of this folder have to know of a game."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from game_core import Game, Position

EXAMPLES = hypothesis.settings().max_examples
"""Of a property, where a game does not say how many."""

SEEDS = st.integers(0, 2**64 - 1)


class Case(NamedTuple):
    """A game and what to try with it.

    Attributes:
        games: The game with any options.
        positions: Positions that play leads to, the end of the game included.
        status: Returns what is wrong with a position, in words; see
            ``tests/<game>/positions.py``.
        decisions: How many are watched from the beginning of a game.
        examples: Of a property that is for all positions.
        hidden: Fields of the record that some seat cannot see all of.
        boundschecked: Whether its properties also run with ``NUMBA_BOUNDSCHECK=1``.
        environments: Options with which PettingZoo's tests run.
        allowed: Options that the game takes.
        refused: Options that it does not take, and a pattern for what it says.
        golden_kind: Options -> the kind of golden game that they make.
        golden: Kind of golden game -> how many there are at least.
    """

    games: SearchStrategy[Game]
    positions: SearchStrategy[Position]
    status: Callable[[Position], list[str]]
    decisions: int
    examples: int
    hidden: tuple[str, ...]
    boundschecked: bool
    environments: Sequence[dict[str, Any]]
    allowed: Sequence[dict[str, Any]]
    refused: Sequence[tuple[dict[str, Any], str]]
    golden_kind: Callable[[dict[str, Any]], Hashable]
    golden: Mapping[Any, int]

    def check(self, position: Position) -> None:
        """Check all that holds after any decision."""
        game = position.game
        assert self.status(position) == []
        assert game.adopt(position.states).tobytes() == position.states.tobytes()
        for seat in range(game.num_players):
            seen = position.observation(seat)
            assert np.isfinite(seen).all()
            assert game.observation_space.contains(seen)
        if not position.terminated:
            assert not position.rewards.any()
        elif game.num_players > 1:
            assert position.rewards.sum() == pytest.approx(0)

    def holds_for(self, *drawn: SearchStrategy[Any]) -> Callable[[Any], None]:
        """Return a decorator that runs a function with examples of what is drawn."""

        def run(holds: Any) -> None:
            hypothesis.settings(max_examples=self.examples)(
                hypothesis.given(*drawn)(holds)
            )()

        return run


def play(position: Position, seed: int, decisions: int) -> list[bytes]:
    """Play random actions, fewer if the game ends before; return all that followed."""
    rng = np.random.default_rng(seed)
    history = []
    for _ in range(decisions):
        if position.over:
            break
        position.step(position.sample_action(rng))
        history.append(position.states.tobytes())
    return history
