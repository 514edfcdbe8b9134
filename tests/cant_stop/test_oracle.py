"""Can't Stop against the slow implementation in ``tests/naive``, game by game."""

import random
from collections import Counter

import numpy as np
import pytest

from cant_stop_env.state import LAST_COLUMN, MAX_PLAYERS, NOBODY
from game_core import Game, load_game
from tests.games import COMPILED, PLAYER_COUNTS, THOROUGH, VARIANTS
from tests.naive.cant_stop import CantStop

GAMES = 1000 * THOROUGH if COMPILED else 10

NUMBERS = ("player", "choosing", "turns", "terminated", "truncated", "rng")
BYTES = ("dice", "pieces", "runners", "owner")  # quicker to compare than lists
FIELDS = (*NUMBERS, *BYTES)

WIDTH = LAST_COLUMN + 1
NO_OWNERS = np.full(WIDTH, NOBODY, np.int8).tobytes()

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
    pieces, runners = bytearray(MAX_PLAYERS * WIDTH), bytearray(WIDTH)
    for seat, spaces in enumerate(oracle.pieces):
        for column, space in spaces.items():
            pieces[seat * WIDTH + column] = space
    for column, space in oracle.runners.items():
        runners[column] = space
    owner = bytearray(NO_OWNERS)
    for column, seat in oracle.owner.items():
        owner[column] = seat
    return (
        oracle.player,
        oracle.phase == "choose" and not over,
        oracle.turns,
        oracle.terminated,
        oracle.truncated,
        oracle.random.stream,
        bytes(oracle.dice),
        pieces,
        runners,
        owner,
    )


def as_records_say(states: np.ndarray) -> list[tuple]:
    """Return the ``FIELDS`` of records."""
    numbers = [states[field].tolist() for field in NUMBERS]
    chunks = []
    for field in BYTES:
        raw, size = states[field].tobytes(), states.dtype[field].itemsize
        chunks.append([raw[k : k + size] for k in range(0, len(raw), size)])
    return list(zip(*numbers, *chunks, strict=True))


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
        differing = [f"{field} {a!r} != {b!r}" for field, a, b in rows if a != b]
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
        records = as_records_say(states)
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
