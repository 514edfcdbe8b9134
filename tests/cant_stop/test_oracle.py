"""Can't Stop against the slow implementation in ``tests/naive``, game by game."""

import random
from collections import Counter

import numpy as np
import pytest

from cant_stop_env.state import LAST_COLUMN, MAX_PLAYERS, NOBODY
from game_core import Game, load_game
from tests.games import COMPILED, PLAYER_COUNTS, VARIANTS
from tests.naive.cant_stop import CantStop

GAMES = 2000 if COMPILED else 10

FIELDS = (
    "player",
    "choosing",
    "dice",
    "pieces",
    "runners",
    "owner",
    "turns",
    "terminated",
    "truncated",
    "rng",
)
COLUMNS = range(LAST_COLUMN + 1)
NO_PIECES = [0] * len(COLUMNS)

ANY_GAME = load_game("cant_stop")
WORDS = [ANY_GAME.action_to_text(action) for action in range(ANY_GAME.num_actions)]
ACTION_OF = {words: action for action, words in enumerate(WORDS)}


def random_options(rng: random.Random, num_players: int, occupied: str) -> dict:
    """Draw the other options of a game; one in thirty is a long one."""
    long = rng.random() < 1 / 30
    caps = (None, 1000) if long else (None, 15, 15, 8, 8, 1 + rng.randrange(5))
    return {
        "num_players": num_players,
        "occupied": occupied,
        "columns_to_win": rng.choice((4, 5, 6, 11) if long else (1, 2, 3)),
        "starting_player": rng.choice(("roll", "roll", rng.randrange(num_players))),
        "max_turns": rng.choice(caps),
        "reward": rng.choice(("win", "margin")),
    }


class Oracle(CantStop):
    """The oracle, which need not work out the same choices four times in a row."""

    known: tuple = ()

    def choices(self, dice):
        """Return what the oracle says of these dice, runners and owners."""
        key = (dice, *self.runners.items(), None, *self.owner.items())
        if not self.known or self.known[0] != key:
            self.known = (key, super().choices(dice))
        return self.known[1]


def as_oracle_says(oracle: CantStop) -> tuple:
    """Return the oracle's position as the ``FIELDS`` of a record."""
    over = oracle.terminated or oracle.truncated
    pieces = [[seat.get(column, 0) for column in COLUMNS] for seat in oracle.pieces]
    return (
        oracle.player,
        oracle.phase == "choose" and not over,
        list(oracle.dice),
        pieces + [NO_PIECES] * (MAX_PLAYERS - len(pieces)),
        [oracle.runners.get(column, 0) for column in COLUMNS],
        [oracle.owner.get(column, NOBODY) for column in COLUMNS],
        oracle.turns,
        oracle.terminated,
        oracle.truncated,
        oracle.random.stream,
    )


def legal_words(game: Game, states: np.ndarray) -> list[set[str]]:
    """Return the legal actions in words of each of many positions."""
    words: list[set[str]] = [set() for _ in states]
    rows, actions = np.nonzero(game.action_masks(states))
    for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
        words[row].add(WORDS[action])
    return words


def check(name: str, record: tuple, oracle: CantStop, words: set[str]) -> None:
    """Fail with the fields in which record and oracle differ."""
    expected = as_oracle_says(oracle)
    if record != expected:
        rows = zip(FIELDS, record, expected, strict=True)
        differing = [f"{field}: {a} != {b}" for field, a, b in rows if a != b]
        pytest.fail(f"{name}, turn {oracle.turns}: " + "; ".join(differing))
    if words != oracle.legal():
        pytest.fail(f"{name}, turn {oracle.turns}: {words} != {oracle.legal()}")


@pytest.mark.nojit
@pytest.mark.parametrize("occupied", VARIANTS)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_random_games_equal_those_of_the_oracle(num_players, occupied):
    game = load_game("cant_stop", num_players=num_players)
    rng = random.Random(f"{num_players} {occupied}")
    options = [random_options(rng, num_players, occupied) for _ in range(GAMES)]
    seeds = [0, 2**64 - 1, *(rng.getrandbits(64) for _ in range(GAMES - 2))]
    states = np.concatenate([load_game("cant_stop", **o).template for o in options])
    game.loops.reset_rows(states, np.arange(GAMES), np.array(seeds, np.uint64))
    rewards = [o.pop("reward") for o in options]
    oracles = [Oracle(s, **o) for s, o in zip(seeds, options, strict=True)]
    names = [f"seed {s}, {o}" for s, o in zip(seeds, options, strict=True)]
    ends: Counter[str] = Counter()
    playing = list(range(GAMES))
    while playing:
        records = zip(*(states[field].tolist() for field in FIELDS), strict=True)
        legal = legal_words(game, states)
        paid = game.payoffs(states).tolist()
        actions = []
        for k, record in enumerate(records):
            oracle = oracles[playing[k]]
            check(names[playing[k]], record, oracle, legal[k])
            if legal[k]:
                words = rng.choice(sorted(legal[k]))
                oracle.play(words)
                actions.append(ACTION_OF[words])
            else:
                assert paid[k] == pytest.approx(oracle.rewards(rewards[playing[k]]))
                ends[f"{len(oracle.winners)} winners"] += 1
        going_on = np.array([bool(words) for words in legal])
        playing = [row for row, on in zip(playing, going_on, strict=True) if on]
        states = states[going_on]
        assert game.loops.step_all(states, np.array(actions, np.int64)) == -1
    assert ends.total() == GAMES
    if COMPILED:  # all ways that a game can end have been seen
        assert ends["0 winners"] > 0
        assert ends["1 winners"] > 0
        assert (ends["2 winners"] > 0) == (num_players > 2)  # 11 columns
