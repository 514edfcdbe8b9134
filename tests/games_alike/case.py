"""What the tests of this folder have to know of a game."""

import importlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from game_core import Game, Position, load_game
from game_core.catalog import maker_of, package_of
from game_core.validation.game_options import Declared, options_of

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
            if game.options["reward"] == "win":
                assert position.rewards == pytest.approx(shares_of_the_win(position))

    def holds_for(self, *drawn: SearchStrategy[Any]) -> Callable[[Any], None]:
        """Return a decorator that runs a function with examples of what is drawn."""

        def run(holds: Any) -> None:
            hypothesis.settings(max_examples=self.examples)(
                hypothesis.given(*drawn)(holds)
            )()

        return run


@st.composite
def any_game(draw: st.DrawFn, game_id: str, **few: SearchStrategy[Any]) -> Game:
    """Draw a game with any options that it declares.

    Args:
        draw: Of hypothesis.
        game_id: The game.
        **few: Values of options of which most that are allowed are much alike, or
            which only the game itself can list.
    """
    options: dict[str, Any] = {}
    for name, declared in options_of(maker_of(game_id)).items():
        if name in few:
            options[name] = draw(few[name])
        else:
            options[name] = draw(values_of(declared, options.get("num_players", 0)))
    return load_game(game_id, **options)


def values_of(declared: Declared, num_players: int) -> SearchStrategy[Any]:
    """Return the values that an option takes."""
    low, high = declared.option.low, declared.option.high
    kinds = {
        bool: st.booleans(),
        int: st.integers(low, num_players - 1 if high is None else high),
        type(None): st.none(),
    }
    words = [st.sampled_from(declared.words)] if declared.words else []
    return st.one_of(*words, *(kinds[kind] for kind in declared.types if kind in kinds))


def shares_of_the_win(position: Position) -> np.ndarray:
    """Return what each seat gets if those that stand best share the win (players,)."""
    n = position.game.num_players
    text = importlib.import_module(f"{package_of(position.game.id)}.text")
    winners = text.winners(position.states[0])
    shares = np.full(n, -1 / (n - 1))
    shares[winners] = (n / len(winners) - 1) / (n - 1)
    return shares


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
