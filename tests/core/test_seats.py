"""Who sits where: draws of seats and opponents, new opponents, and going on."""

from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from game_core import load_game
from game_core.envs.seat import SeatEnv, SeatVectorEnv
from game_core.envs.seat_games import LEARNER, SeatGames
from tests.core.opponents import BatchDrawing, anything, highest, lowest
from tests.games import chi_square, chi_square_limit

MANY = 4000


def begun(
    num_envs: int = MANY,
    opponents: Any = "random",
    seat: int | str = "random",
    **options: Any,
) -> SeatGames:
    """Return games with the seeds 0, 1, ..."""
    games = SeatGames(load_game("cant_stop", **options), num_envs, opponents, seat)
    games.reset(np.arange(num_envs), np.arange(num_envs, dtype=np.uint64))
    return games


def first_legal(games: SeatGames) -> np.ndarray:
    return games.action_masks().argmax(axis=1)


def snapshot(games: SeatGames) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in games.get_state().items()}


def test_each_seat_is_drawn_as_often():
    games = begun(num_players=4)
    assert chi_square(np.bincount(games.seats)) < chi_square_limit(4)
    first = games.seats.copy()
    games.reset(np.arange(MANY))
    pairs = 4 * first + games.seats  # the next game's does not depend on it
    assert chi_square(np.bincount(pairs, minlength=16)) < chi_square_limit(16)


def test_each_seat_draws_its_opponent_on_its_own():
    pool = ["random", "rule_of_28", "glenn_aloi"]
    games = begun(opponents=pool, seat=1, num_players=4)
    assert (games.seats == 1).all()
    assert (games.seating[:, 1] == LEARNER).all()
    others = games.seating[:, [0, 2, 3]] @ [9, 3, 1]
    assert chi_square(np.bincount(others, minlength=27)) < chi_square_limit(27)


def test_an_opponent_listed_twice_is_met_twice_as_often():
    """Six standard deviations: a false alarm once in 500 million runs."""
    games = begun(opponents=["random", "rule_of_28", "random"], seat=0)
    assert games.opponents == ["random", "rule_of_28", "random"]
    share = np.mean([games.agents[n] == "random" for n in games.seating[:, 1]])
    assert abs(share - 2 / 3) < 6 * np.sqrt(2 / 9 / MANY)


def test_opponents_are_given_for_each_seat():
    by_seat = {0: "random", 2: "rule_of_28", 3: "random"}
    games = begun(20, by_seat, seat=1, num_players=4)
    for number, seats in (("random", [0, 3]), ("rule_of_28", [2])):
        assert (games.seating[:, seats] == games.agents.index(number)).all()
    again = SeatGames(games.game, 20, by_seat, 1)
    again.set_state(games.get_state(), games.agents)
    again.reset(np.arange(20))
    assert np.array_equal(again.seating, games.seating)
    drawn = begun(20, {0: "random", 1: "rule_of_28"})
    others = drawn.seating[np.arange(20), 1 - drawn.seats]
    names = np.array(drawn.agents)[others]
    assert (names == np.where(drawn.seats == 0, "rule_of_28", "random")).all()


@pytest.mark.parametrize("given", [{1: "random"}, {0: "random", 1: "random", 2: 3}])
def test_opponents_for_other_seats_are_refused(given):
    with pytest.raises(ValueError, match=r"not allowed; give one for each of \[0, 1\]"):
        begun(2, given)


def test_the_learner_is_to_move_in_every_game():
    games = begun(num_players=3, opponents=["random", "rule_of_28"])
    for _ in range(10):
        waiting = ~games.over
        assert (games.states["player"] == games.seats)[waiting].all()
        games.step(first_legal(games))


def last_legal(env: SeatEnv) -> int:
    return int(np.flatnonzero(env.action_masks())[-1])


class Logging:
    """Log the turns in which it was asked."""

    def __init__(self, log: list):
        self.log = log

    def act(self, view):
        self.log.append(int(view.state.turns))
        return highest(view)


def test_new_opponents_play_games_that_begin_later():
    old, new = [], []
    env = SeatEnv("cant_stop", Logging(old), seat=0)
    for _ in range(2):
        env.set_opponents(Logging(old))
        env.reset(seed=1)
        env.set_opponents(Logging([]))
        env.set_opponents(Logging(new))
        old.clear()
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(last_legal(env))
            over = terminated or truncated
        assert old
        assert not new
    env.reset()
    env.step(last_legal(env))
    assert new


def test_errors_in_new_opponents_change_nothing():
    env = SeatVectorEnv("cant_stop", 5, ["rule_of_28", lowest])
    env.reset(seed=1)
    before = snapshot(env.games)
    for wrong in ([], "nobody", ["random", "nobody"], [highest, 3], {}):
        with pytest.raises(ValueError, match=r"no opponents|unknown agent|no agent"):
            env.set_opponents(wrong)
    assert snapshot(env.games) == before
    assert env.games.opponents == ["rule_of_28", "lowest"]


def test_a_learner_that_is_never_to_move_is_told_so():
    game = load_game("cant_stop", starting_player=0, max_turns=1)
    games = SeatGames(game, 2, seat=1)
    with pytest.raises(RuntimeError, match="1000 games of cant_stop in a row"):
        games.reset(np.arange(2), np.arange(2, dtype=np.uint64))
    with pytest.raises(ResetNeeded):
        games.step(np.zeros(2, np.int64))


def test_a_game_alone():
    env = SeatEnv("cant_stop", num_players=1, columns_to_win=1)
    env.reset(seed=1)
    over, reward = False, 0.0
    while not over:
        _, reward, terminated, truncated, _ = env.step(last_legal(env))
        over = terminated or truncated
    assert reward == 1.0


def test_games_go_on_from_their_arrays(tmp_path):
    pool = ["rule_of_28", "random", anything, BatchDrawing()]
    games = begun(20, pool, num_players=3, max_turns=12)
    for _ in range(15):
        games.step(first_legal(games))
        games.reset(np.flatnonzero(games.over))
    games.set_opponents(["glenn_aloi", lowest])
    again = SeatGames(games.game, 20)
    arrays: dict[str, Any] = games.get_state()
    np.savez(tmp_path / "games.npz", **arrays)
    with np.load(tmp_path / "games.npz", allow_pickle=False) as file:
        again.set_state(file, games.agents)
    for name in ("states", "memories", "streams"):  # else code compiles anew for them
        assert getattr(again, name).dtype is getattr(games, name).dtype
    assert again.opponents == games.opponents
    for _ in range(30):
        for one in (games, again):
            one.step(first_legal(one))
            one.reset(np.flatnonzero(one.over))
        assert snapshot(games) == snapshot(again)


def test_the_arrays_are_copies():
    games = begun(3)
    before = snapshot(games)
    for array in games.get_state().values():
        array[...] = 0
    assert snapshot(games) == before


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("seats", [0, 1, 2], "seats should be numbers from 0 to 1"),
        ("seats", [0, 1], "seats is of 2 games, not 3"),
        ("seating", [[0, 7], [0, -1], [0, -1]], "seating should be numbers from -1"),
        ("seating", [[0, 0], [0, 0], [0, 0]], "seating does not agree with seats"),
        ("drawn", [[]], "drawn should be numbers from 0 to 0"),
        ("drawn", [[-1]], "drawn should be numbers from 0 to 0"),
        ("drawn", [0], "drawn is of another game"),
        ("drawn", [[0], [0], [0]], "drawn is of another game"),
        ("states", [1, 2, 3], "states is of another game"),
        ("streams", None, "streams is missing"),
    ],
)
def test_games_do_not_go_on_from_other_arrays(name, value, says):
    games = begun(3)
    before = snapshot(games)
    arrays = games.get_state()
    if value is None:
        del arrays[name]
    else:
        arrays[name] = np.array(value, np.int64)
    with pytest.raises(ValueError, match=says):
        games.set_state(arrays, games.agents)
    assert snapshot(games) == before
