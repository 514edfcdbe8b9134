"""Azul against the slow implementation in ``tests/naive``, decision by decision."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from azul_env.state import (
    FLOOR,
    FLOOR_SPACES,
    MARKER,
    MAX_DISPLAYS,
    MAX_PLAYERS,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_LINES,
    PLACES,
    TILES_PER_COLOR,
)
from game_core import Game, load_game
from tests.azul.positions import PLAYER_COUNTS, SIDES, held_in_rows
from tests.games import COMPILED, THOROUGH
from tests.naive import azul as naive

BATCH = 100 if COMPILED else 4
BATCHES = 10 * THOROUGH if COMPILED else 2
LATE_GAMES = BATCH // 8  # of a batch
CROWDED_BATCHES = 2 * THOROUGH if COMPILED else 2

FIELDS = (
    "player",
    "round_number",
    "starting_player",
    "marker_owner",
    "tiling",
    "tiling_line",
    "bag",
    "lid",
    "sources",
    "line_color",
    "line_count",
    "wall",
    "floor",
    "floor_count",
    "score",
    "terminated",
    "truncated",
    "rng",
)
NO_TILES = [0] * NUM_COLORS
NO_SEATS_BOARD = (
    [NONE] * NUM_LINES,
    [0] * NUM_LINES,
    [[NONE] * NUM_COLUMNS] * NUM_LINES,
    [NONE] * FLOOR_SPACES,
    0,
    0,
)


class Oracle(naive.Azul):
    """The oracle; it lists the legal actions of a position only once."""

    listed: set[str] | None = None

    def legal(self) -> set[str]:
        """Lists the actions open to the player to decide."""
        if self.listed is None:
            self.listed = super().legal()
        return self.listed

    def play(self, action: str) -> None:
        """Plays one action."""
        super().play(action)
        self.listed = None


def as_oracle_says(oracle: Oracle) -> tuple[Any, ...]:
    """Return the oracle's position as the ``FIELDS`` of a record."""
    over = oracle.terminated or oracle.truncated
    ran_out = oracle.terminated and sum(oracle.bag) + sum(oracle.lid) == 0
    tiling = oracle.phase == "tiling" and not over
    marker_owner = NONE if oracle.marker_owner is None else oracle.marker_owner
    no_displays = [NO_TILES] * (MAX_DISPLAYS - len(oracle.displays))
    boards = [
        (
            [NONE if color is None else color for color, _ in oracle.lines[seat]],
            [count for _, count in oracle.lines[seat]],
            [[NONE if c is None else c for c in row] for row in oracle.walls[seat]],
            [MARKER if t == naive.MARKER else t for t in oracle.floors[seat]]
            + [NONE] * (FLOOR_SPACES - len(oracle.floors[seat])),
            len(oracle.floors[seat]),
            oracle.scores[seat],
        )
        for seat in range(oracle.num_players)
    ]
    boards += [NO_SEATS_BOARD] * (MAX_PLAYERS - len(boards))
    return (
        NONE if over else oracle.player,
        NONE if ran_out else oracle.round,
        NONE if ran_out else oracle.starting_player,
        NONE if ran_out else marker_owner,
        tiling,
        oracle.tiling_line if tiling else NONE,
        oracle.bag,
        oracle.lid,
        [*oracle.displays, oracle.centre, *no_displays],
        *map(list, zip(*boards, strict=True)),
        oracle.terminated,
        oracle.truncated,
        oracle.random.stream,
    )


def as_records_say(states: np.ndarray) -> Iterator[tuple[Any, ...]]:
    """Yield the ``FIELDS`` of records, ``NONE`` where a field has no meaning.

    ``test_rules`` says what they hold at the end of a game.
    """
    seen = states.copy()
    no_tiles = [~states[field].any(axis=1) for field in ("bag", "lid")]
    ran_out = states["terminated"] & no_tiles[0] & no_tiles[1]
    seen["player"][states["terminated"] | states["truncated"]] = NONE
    for field in ("round_number", "starting_player", "marker_owner"):
        seen[field][ran_out] = NONE
    seen["tiling_line"][~states["tiling"]] = NONE
    return zip(*(seen[field].tolist() for field in FIELDS), strict=True)


def write_record(states: np.ndarray, row: int, oracle: Oracle) -> None:
    """Make a record what the oracle says."""
    for field, value in zip(FIELDS, as_oracle_says(oracle), strict=True):
        states[field][row] = value
    states["row_holds"][row] = held_in_rows(states["wall"][row])


def check(name: str, record: tuple, oracle: Oracle, words: set[str]) -> None:
    """Fail with the fields in which record and oracle differ."""
    expected = as_oracle_says(oracle)
    if record != expected:
        rows = zip(FIELDS, record, expected, strict=True)
        differing = [f"{field}: {a} != {b}" for field, a, b in rows if a != b]
        pytest.fail(f"{name}, round {oracle.round}: " + "; ".join(differing))
    if words != oracle.legal():
        wrong = sorted(words ^ oracle.legal())
        pytest.fail(f"{name}, round {oracle.round}, one of the two has {wrong}")


def compare(
    game: Game,
    states: np.ndarray,
    oracles: list[Oracle],
    options: list[dict],
    rng: random.Random,
) -> Counter[str]:
    """Play games in both implementations; return how they ended.

    In a third of the games anything is played; in the others tiles go to the floor with
    a chance of 0 or, now and then, 80 %.
    """
    all_words = [game.action_to_text(action) for action in range(game.num_actions)]
    names = [
        f"seed {o.random.stream} and {x}" for o, x in zip(oracles, options, strict=True)
    ]
    habits = [rng.choice((None, None, 0, 0, 0, 0.8)) for _ in oracles]
    ends: Counter[str] = Counter()
    playing = list(range(len(oracles)))
    while playing:
        assert (states["row_holds"] == held_in_rows(states["wall"])).all()
        records = as_records_say(states)
        masks = game.action_masks(states)
        paid = game.payoffs(states).tolist()
        actions = []
        for k, record in enumerate(records):
            row = playing[k]
            legal = masks[k].nonzero()[0].tolist()
            check(names[row], record, oracles[row], {all_words[a] for a in legal})
            if legal:
                action = choose(legal, habits[row], rng)
                oracles[row].play(all_words[action])
                actions.append(action)
            else:
                rewards = oracles[row].rewards(options[row]["reward"])
                assert paid[k] == pytest.approx(rewards), names[row]
                ends += how_it_ended(oracles[row])
        going_on = np.flatnonzero(masks.any(axis=1))
        playing = [playing[k] for k in going_on]
        states = states[going_on]
        assert game.loops.step_all(states, np.array(actions, np.int64)) == -1
    return ends


def choose(legal: list[int], habit: float | None, rng: random.Random) -> int:
    """Return one of the legal actions, to the floor as often as the habit says."""
    to_floor = [action for action in legal if action % PLACES == FLOOR]
    if habit is None or not to_floor or len(to_floor) == len(legal):
        return rng.choice(legal)
    if rng.random() < habit:
        return rng.choice(to_floor)
    return rng.choice([action for action in legal if action % PLACES != FLOOR])


def how_it_ended(oracle: Oracle) -> Counter[str]:
    """Return what there was to see at the end of a game."""
    ends = Counter({"games": 1, f"{len(oracle.winners)} winners": 1})
    if oracle.terminated:
        ends["columns"] = sum(map(naive.complete_columns, oracle.walls))
        ends["colors"] = sum(map(naive.complete_colours, oracle.walls))
        ends["ran out"] = not any(map(naive.complete_rows, oracle.walls))
    return ends


def random_options(rng: random.Random, num_players: int, side: str) -> dict[str, Any]:
    """Draw the other options of a game."""
    return {
        "num_players": num_players,
        "wall": side,
        "starting_player": rng.choice(("random", rng.randrange(num_players))),
        "max_rounds": rng.choice((1, 2, 5, 8, 10)),
        "reward": rng.choice(("win", "margin")),
    }


def new_games(
    options: list[dict[str, Any]], seeds: list[int]
) -> tuple[Game, np.ndarray, list[Oracle]]:
    """Return games of both implementations; the ``Game`` plays all the records."""
    games = [load_game("azul", **o) for o in options]
    states = np.concatenate([game.template for game in games])
    rows = np.arange(len(states))
    games[0].loops.reset_rows(states, rows, np.array(seeds, np.uint64))
    oracles = []
    for seed, o in zip(seeds, options, strict=True):
        rest = {name: value for name, value in o.items() if name != "reward"}
        oracles.append(Oracle(seed, **rest))
    return games[0], states, oracles


def put_late_position(oracle: Oracle, rng: random.Random, crowded: bool) -> None:
    """Put a random position on the oracle's table, the round about to end.

    Walls and lines are about half full; ``crowded``, as full as they can be without a
    complete row or line. One in three of the others has lost most of its tiles, so that
    all run out.
    """
    seats = range(oracle.num_players)
    walls = [random_wall(oracle.wall, rng, crowded) for _ in seats]
    left = [TILES_PER_COLOR] * NUM_COLORS
    for color in [color for wall in walls for row in wall for color in row]:
        if color is not None:
            left[color] -= 1
    last = rng.choice([color for color in range(NUM_COLORS) if left[color] > 0])
    left[last] -= 1
    lines = []
    for wall in walls:
        lines.append([])
        for room, row in enumerate(wall):
            color = rng.choice([c for c in range(NUM_COLORS) if c not in row])
            count = min(left[color], room if crowded else rng.randint(0, room))
            left[color] -= count
            lines[-1].append((color, count) if count else (None, 0))
    floors: list[naive.Floor] = [[] for _ in seats]
    for floor in [] if crowded else floors:
        for _ in range(rng.choice((0, 0, 2, 5, 7))):
            color = rng.randrange(NUM_COLORS)
            if left[color] > 0:
                left[color] -= 1
                floor.append(color)
    if not crowded and rng.random() < 1 / 3:
        left = [rng.randint(0, min(1, count)) for count in left]
    lid = [rng.randint(0, count) for count in left]
    oracle.set_up(
        player=rng.choice(seats),
        starting_player=rng.choice(seats),
        marker_owner=rng.choice((None, *seats)),
        bag=[count - there for count, there in zip(left, lid, strict=True)],
        lid=lid,
        displays=[[int(color == last) for color in range(NUM_COLORS)]],
        lines=lines,
        walls=walls,
        floors=floors,
        scores=[rng.randint(0, 140) for _ in seats],
    )


def random_wall(side: str, rng: random.Random, crowded: bool) -> naive.Wall:
    """Return a wall without a complete row."""
    wall: naive.Wall = [[None] * NUM_COLUMNS for _ in range(NUM_LINES)]
    shifts = range(NUM_LINES) if side == "colored" else rng.sample(range(NUM_LINES), 5)
    for row in range(NUM_LINES):
        tiles = 4 if crowded else rng.choice((1, 2, 3, 4, 4))
        for column in rng.sample(range(NUM_COLUMNS), tiles):
            color = (column - shifts[row]) % NUM_COLORS
            if side == "grey" and not crowded:
                color = rng.randrange(NUM_COLORS)
            if color not in wall[row] and all(r[column] != color for r in wall):
                wall[row][column] = color
    return wall


@pytest.mark.nojit
@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_random_games_equal_those_of_the_oracle(num_players, side):
    rng = random.Random(f"{num_players} {side}")
    ends: Counter[str] = Counter()
    for batch in range(BATCHES):
        options = [random_options(rng, num_players, side) for _ in range(BATCH)]
        seeds = [rng.getrandbits(64) for _ in range(BATCH)]
        if batch == 0:
            seeds[-2:] = [0, 2**64 - 1]
        game, states, oracles = new_games(options, seeds)
        for row in range(LATE_GAMES):
            put_late_position(oracles[row], rng, crowded=False)
            write_record(states, row, oracles[row])
        ends += compare(game, states, oracles, options, rng)
    assert ends["games"] == BATCHES * BATCH
    if COMPILED:  # all ways that a game can end have been seen
        for end in ("0 winners", "1 winners", "2 winners", "columns", "colors"):
            assert ends[end] > 0, end
        assert ends["ran out"] > 0


@pytest.mark.nojit
@pytest.mark.parametrize("side", SIDES)
def test_games_in_which_all_tiles_run_out_equal_those_of_the_oracle(side):
    """With four players all 100 tiles can be on walls and in incomplete lines."""
    rng = random.Random(side)
    ends: Counter[str] = Counter()
    for _ in range(CROWDED_BATCHES):
        options = [random_options(rng, 4, side) for _ in range(BATCH)]
        seeds = [rng.getrandbits(64) for _ in range(BATCH)]
        game, states, oracles = new_games(options, seeds)
        for row, oracle in enumerate(oracles):
            put_late_position(oracle, rng, crowded=True)
            write_record(states, row, oracle)
            assert oracle.tiles() == [TILES_PER_COLOR] * NUM_COLORS
        ends += compare(game, states, oracles, options, rng)
    assert ends["ran out"] > 0
