"""Shaping by potentials: what it adds, and that no policy is the better for it."""

import itertools
from typing import Any, cast

import numpy as np
import pytest

from game_core import load_game
from game_core.envs.seat import SeatEnv, SeatVectorEnv
from game_core.envs.seat_games import SeatGames
from game_core.envs.shaping import Shaping
from tests.baselines import nim
from tests.core.opponents import lowest

GAMMA = 0.9


def any_worth(states: np.ndarray) -> np.ndarray:
    """Return numbers that have nothing to do with what is good in Can't Stop."""
    seats = np.arange(states["num_players"][0])
    return np.sin((states["rng"] % 1000).astype(np.float64)[:, np.newaxis] + seats)


def worth_of_stones(states: np.ndarray) -> np.ndarray:
    """Return a worth that is highest for the learner where it is about to lose."""
    table = np.array([3.0, -2.0, 0.5, -1.5, 4.0, -0.5])
    return np.stack([table[states["stones"]], -table[states["stones"]]], axis=1)


def play_on(games: SeatGames, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Play random actions to the end; return discounted sums of rewards and pay.

    Also return how often the learner decided.
    """
    shaped, paid = np.zeros(games.num_envs), np.zeros(games.num_envs)
    decisions = np.zeros(games.num_envs, np.int64)
    while not games.over.all():
        going = ~games.over
        masks = games.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        outcome = games.step(actions)
        assert not outcome.rewards[~going].any()
        shaped += GAMMA**decisions * outcome.rewards
        paid += GAMMA**decisions * outcome.paid
        decisions += going
    return shaped, paid, decisions


@pytest.mark.parametrize(("num_players", "max_turns"), [(2, 1000), (3, 12)])
def test_what_is_added_in_a_whole_game_is_the_first_potential(num_players, max_turns):
    """Whoever moves in between; a game cut short keeps its last potential."""
    game = load_game(
        "cant_stop", num_players=num_players, columns_to_win=1, max_turns=max_turns
    )
    games = SeatGames(game, 40, shaping=Shaping(any_worth, GAMMA))
    rows = np.arange(40)
    games.reset(rows, rows.astype(np.uint64))
    first = any_worth(games.states)[rows, games.seats]
    shaped, paid, decisions = play_on(games, np.random.default_rng(2))
    last = any_worth(games.states)[rows, games.seats]
    cut = games.states["truncated"]
    assert cut.any() == (num_players == 3)
    assert (~cut).any()
    expected = paid - first + np.where(cut, GAMMA**decisions * last, 0)
    np.testing.assert_allclose(shaped, expected, atol=1e-9)
    assert np.abs(paid[~cut]).min() > 0


def test_every_policy_gains_or_loses_the_same_by_it():
    """So the best one stays the best: all 54 policies of Nim with five stones."""
    game = nim.make_game(stones=5)
    choices = [range(min(3, stones)) for stones in range(1, 6)]
    policies = np.array(list(itertools.product(*choices)))
    returns = []
    for shaping in (None, Shaping(worth_of_stones, GAMMA)):
        games = SeatGames(game, len(policies), lowest, seat=0, shaping=shaping)
        rows = np.arange(len(policies))
        games.reset(rows, rows.astype(np.uint64))
        total, discount = np.zeros(len(policies)), 1.0
        while not games.over.all():
            stones = np.maximum(games.states["stones"], 1)
            total += discount * games.step(policies[rows, stones - 1]).rewards
            discount *= GAMMA
        returns.append(total)
    plain, shaped = returns
    assert len(np.unique(plain.round(9))) > 2
    first = worth_of_stones(game.new_states(np.zeros(1, np.uint64)))[0, 0]
    np.testing.assert_allclose(shaped, plain - first, atol=1e-9)


def test_environments_take_it_and_say_what_is_wrong():
    shaping = Shaping(any_worth, GAMMA)
    single = SeatEnv("cant_stop", shaping=shaping)
    many = SeatVectorEnv("cant_stop", 2, shaping=shaping)
    seen, info = single.reset(seed=4)
    many_seen, _ = many.reset(seed=4)
    assert (seen == many_seen[0]).all()
    action = int(np.flatnonzero(info["action_mask"])[0])
    reward = single.step(action)[1]
    masks = many.action_masks()
    actions = [action, int(np.flatnonzero(masks[1])[0])]
    assert many.step(np.array(actions))[1][0] == reward != 0
    with pytest.raises(ValueError, match="unknown potential 'hope'; known"):
        SeatEnv("icecool", shaping=Shaping("hope"))
    with pytest.raises(ValueError, match="cant_stop has none of its own"):
        SeatEnv("cant_stop", shaping=Shaping("cards"))
    with pytest.raises(ValueError, match=r"gamma=2 is not allowed; give 0 to 1"):
        SeatEnv("cant_stop", shaping=Shaping(any_worth, 2))


@pytest.mark.parametrize(
    ("shaping", "words"),
    [
        ("cards", "shaping='cards' is not allowed; give a .*Shaping"),
        (any_worth, "is not allowed; give a .*Shaping"),
        (Shaping("cards"), "cant_stop has none of its own"),
        (Shaping(cast(Any, 3)), "potential=3 is not allowed"),
        (Shaping(any_worth, cast(Any, "1")), "gamma='1' is not allowed"),
        (Shaping(any_worth, float("nan")), "gamma=nan is not allowed"),
    ],
)
def test_what_is_no_shaping_is_refused(shaping, words):
    with pytest.raises(ValueError, match=words):
        SeatEnv("cant_stop", shaping=shaping)


def test_a_potential_says_what_a_position_is_worth_to_each_seat():
    states = load_game("cant_stop").new_states(np.arange(3, dtype=np.uint64))
    wrong: list[Any] = [0.0, np.zeros(3), np.zeros((3, 1)), np.zeros((2, 2))]
    for worth in wrong:
        with pytest.raises(ValueError, match=r"should be \(n, players\)"):
            Shaping(lambda states, worth=worth: worth).of(states, np.ones(3, np.int64))
