"""What networks are told of Can't Stop's moves, against what the moves then do."""

import numpy as np
import pytest

from baselines.cant_stop._moves import FEATURES
from baselines.networks.moves import describe_moves
from cant_stop_env.state import (
    FIRST_COLUMN,
    HEIGHT,
    LAST_COLUMN,
    NUM_RUNNERS,
    ROLL,
    STOP,
)
from game_core import load_game

COLUMNS = slice(FIRST_COLUMN, LAST_COLUMN + 1)
TOP = HEIGHT[COLUMNS]


def positions(game, count: int, seed: int) -> np.ndarray:
    """Return positions of random games."""
    rng = np.random.default_rng(seed)
    states = game.new_states(rng.integers(0, 2**60, count, dtype=np.uint64))
    kept = []
    for _ in range(150):
        kept.append(states[rng.random(len(states)) < 0.1].copy())
        masks = game.action_masks(states)
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        game.loops.step_all(states, actions)
        states = states[~(states["terminated"] | states["truncated"])]
    return np.concatenate(kept)


def described(game, states):
    seats = states["player"].astype(np.int64)
    moves, features = describe_moves(game, game.observations(states, seats))
    return moves, FEATURES.split(features)


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("occupied", ["share", "jump", "no_rest"])
def test_features_say_what_a_move_does(num_players, occupied):
    game = load_game("cant_stop", num_players=num_players, occupied=occupied)
    states = positions(game, 20, seed=num_players)
    seats = states["player"].astype(np.int64)
    moves, features = described(game, states)
    assert np.array_equal(moves, np.argwhere(game.action_masks(states)))
    before, seats = states[moves[:, 0]], seats[moves[:, 0]]
    rows, actions = np.arange(len(moves)), moves[:, 1].copy()
    after = before.copy()
    assert game.loops.step_all(after, actions) < 0

    chosen = before["choosing"]
    assert chosen.any()
    assert np.array_equal(features["roll"] > 0, actions == ROLL)
    assert np.array_equal(features["stop"] > 0, actions == STOP)
    runners = after["runners"][:, COLUMNS] / TOP
    np.testing.assert_allclose(features["height"][chosen], runners[chosen], atol=1e-6)
    own = before["pieces"][rows, seats][:, COLUMNS]
    gained = np.where(runners > 0, after["runners"][:, COLUMNS] - own, 0) / TOP
    np.testing.assert_allclose(features["gained"][chosen], gained[chosen], atol=1e-6)
    free = after["free_runners"] / NUM_RUNNERS
    np.testing.assert_allclose(features["free"][chosen], free[chosen], atol=1e-6)

    stopped = actions == STOP
    conquered = (after["owner"] == seats[:, np.newaxis]).sum(axis=1)
    won = conquered / game.template["columns_to_win"][0]
    np.testing.assert_allclose(features["won"][stopped], won[stopped], atol=1e-6)
    assert np.array_equal(features["wins"][stopped] > 0, after["terminated"][stopped])


def test_the_chance_of_a_bust_is_that_of_rolls():
    """3,000 rolls from each of five positions: 4.5 standard deviations, 1 in 30,000."""
    game = load_game("cant_stop")
    states = positions(game, 200, seed=8)
    states = states[~states["choosing"] & (states["free_runners"] == 0)][:5]
    moves, features = described(game, states)
    rolls = 3000
    for row, state in enumerate(states):
        many = np.repeat(states[row : row + 1], rolls)
        many["rng"] = np.arange(rolls)
        game.loops.step_all(many, np.full(rolls, ROLL))
        went_on = (many["turns"] == state["turns"]).mean()
        at = (moves[:, 0] == row) & (moves[:, 1] == ROLL)
        safe = features["safe"][at].item()
        assert 0 < safe < 1
        assert abs(went_on - safe) < 4.5 * np.sqrt(safe * (1 - safe) / rolls)
