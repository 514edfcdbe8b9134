"""The outcome of a flick in words; not run without the compiler: flicks are slow."""

from collections import Counter

import numpy as np
import pytest

from game_core import Position, load_game
from icecool_env.state import BY_CATCH
from tests.games import told
from tests.icecool.positions import set_up


def test_what_came_of_a_flick_is_told():
    """As the record has it, in games of random flicks; values of cards are not told."""
    seen = Counter()
    for seed in range(3):
        position = Position.new(load_game("icecool", num_players=3), seed)
        rng = np.random.default_rng(seed)
        while not position.over:
            then = position.states[0].copy()
            words = told(position, rng.uniform(-1, 1, 6))
            now = position.states[0]
            assert ("the round is over" in words) == (now.endings != then.endings).any()
            held = [s.face_down.sum(axis=1) + s.face_up for s in (then, now)]
            for seat, drawn in enumerate(held[1] - held[0]):
                cards = "1 card" if drawn == 1 else f"{drawn} cards"
                assert (f"player_{seat} draws {cards}" in words) == (drawn > 0)
                caught = now.caught[seat] > then.caught[seat]
                if now.endings[BY_CATCH] > then.endings[BY_CATCH]:
                    free = seat < 3 and seat != then.catcher
                    caught = free and not then.caught[seat]
                assert (f"player_{seat} is caught" in words) == caught
            for what in ("is caught", "draws", "the round is over", "leaves"):
                seen[what] += what in words
    assert min(seen[what] for what in ("is caught", "draws", "leaves")) > 0


@pytest.mark.parametrize(("num_players", "caught"), [(2, {1: 1}), (3, {2: 1})])
def test_the_catch_that_ends_a_round_is_told(num_players, caught):
    position = set_up(
        num_players=num_players,
        player=0,
        caught=caught,
        places={0: (300, 300), 1: (340, 300)},
    )
    words = told(position, [1, 0, 0.3, 0, -1, -1])
    assert not position.state.caught.any()
    assert "player_1 is caught, " in words
    assert words.count("caught") == 1
    assert words.endswith("the round is over")
