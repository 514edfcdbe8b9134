"""Observations of all games: each number has one meaning, and can be read back."""

import doctest
import importlib
import itertools

import numpy as np
import pytest

from game_core import Position, load_game
from game_core.catalog import GAMES, package_of
from icecool_env.spots import can_choose_room, doorway_of, is_close_to_wall
from tests.games import COMPILED, THOROUGH

NONE = -1

OPTIONS = {
    "cant_stop": [
        {"num_players": n, **others}
        for n in (1, 2, 3, 4)
        for others in ({}, {"occupied": "jump", "max_turns": None})
    ],
    "azul": [
        {"num_players": n, "wall": wall, "max_rounds": rounds}
        for n in (2, 3, 4)
        for wall, rounds in (("colored", 100), ("grey", None), ("grey", 4))
    ],
    "icecool": [{"num_players": n, "max_flicks": 8 * n} for n in (2, 3, 4)],
}
CASES = [(game_id, options) for game_id in GAMES for options in OPTIONS[game_id]]


def positions(game, seed: int, games: int = THOROUGH) -> list[Position]:
    """Return positions on the way of random games, to their ends."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(games if COMPILED else 1):
        position = Position.new(game, seed + number)
        for decision in itertools.count():
            if game.id == "icecool":
                stand_anywhere(position, rng)
            found.append(position.copy())
            if position.over or decision == (400 if COMPILED else 40):
                break
            position.step(position.sample_action(rng))
    return found


def stand_anywhere(position: Position, rng) -> None:
    """Put each penguin in the school somewhere, now and then into a door."""
    state = position.states[0]
    for seat in np.flatnonzero(state.on_board):
        state.x[seat], state.y[seat] = rng.uniform(20, 580, 2)
        if rng.random() < 0.3:
            door = rng.integers(state.num_doors)
            middle = state.door_wall[door], state.door_at[door] + rng.uniform(-5, 5)
            upright = state.door_upright[door]
            state.x[seat], state.y[seat] = middle if upright else middle[::-1]


@pytest.mark.nojit
@pytest.mark.parametrize(("game_id", "options"), CASES)
def test_what_is_decoded_is_what_the_record_says(game_id, options):
    game = load_game(game_id, **options)
    decode = importlib.import_module(f"{package_of(game_id)}.observe").decode
    for position in positions(game, seed=21):
        for seat in range(game.num_players):
            seen = decode(position.observation(seat), game)._asdict()
            facts = FACTS[game_id](position, seat, seat + np.arange(game.num_players))
            assert seen.keys() == facts.keys()
            for name, fact in facts.items():
                if fact is None:
                    assert seen[name] is None
                else:
                    np.testing.assert_allclose(
                        seen[name], fact, atol=1e-4, err_msg=name
                    )


def cant_stop_facts(position: Position, seat: int, players) -> dict:
    state, n = position.states[0], position.game.num_players
    owner = np.where(state.owner == NONE, NONE, (state.owner - seat) % n)
    return {
        "pieces": state.pieces[players % n],
        "runners": state.runners,
        "owner": owner,
        "columns_won": [(owner == player).sum() for player in range(n)],
        "free_runners": state.free_runners,
        "dice": np.sort(state.dice),
        "choosing": state.choosing,
        "player": (state.player - seat) % n,
        "seat": seat,
        "turns": state.turns if position.game.options["max_turns"] else None,
    }


def azul_facts(position: Position, seat: int, players) -> dict:
    state, n = position.states[0], position.game.num_players
    owner = state.marker_owner
    empty = state.line_count == 0
    return {
        "wall": state.wall[players % n],
        "line_color": np.where(empty, NONE, state.line_color)[players % n],
        "line_count": state.line_count[players % n],
        "floor_count": state.floor_count[players % n],
        "score": state.score[players % n],
        "displays": state.sources[: 2 * n + 1],
        "centre": state.sources[2 * n + 1],
        "bag": state.bag,
        "lid": state.lid,
        "marker_owner": NONE if owner == NONE else (owner - seat) % n,
        "starting_player": (state.starting_player - seat) % n,
        "player": (state.player - seat) % n,
        "seat": seat,
        "tiling_line": state.tiling_line if state.tiling else NONE,
        "round_number": (
            state.round_number if position.game.options["max_rounds"] else None
        ),
    }


def icecool_facts(position: Position, seat: int, players) -> dict:
    state, n = position.states[0], position.game.num_players
    table = players % n
    doors = np.array([doorway_of(state, who) for who in table])
    on_board = state.on_board[table] > 0
    stuck = on_board & (doors != NONE)
    moves = not state.terminated
    return {
        "on_board": on_board,
        "x": np.where(on_board, state.x[table], 0),
        "y": np.where(on_board, state.y[table], 0),
        "first_flick": state.first_flick[table],
        "close_to_wall": on_board
        & (doors == NONE)
        & [is_close_to_wall(state, who) for who in table],
        "stuck": stuck,
        "choice_of_rooms": [
            s and can_choose_room(state, who, door)
            for s, who, door in zip(stuck, table, doors, strict=True)
        ],
        "catcher": (state.catcher - seat) % n,
        "caught": state.caught[table],
        "fish_taken": state.fish_taken[table],
        "face_down": state.face_down[table].sum(axis=1),
        "face_up": state.face_up[table],
        "player": (state.player - seat) % n if moves else NONE,
        "seat": seat,
        "own_cards": state.face_down[seat],
        "phase": state.phase if moves and state.player == seat else NONE,
        "deck": state.deck.sum(),
        "rounds": state.round_number + state.terminated,
        "flicks": state.flicks,
    }


FACTS = {
    "cant_stop": cant_stop_facts,
    "azul": azul_facts,
    "icecool": icecool_facts,
}


@pytest.mark.parametrize(("game_id", "options"), CASES)
def test_each_number_belongs_to_one_block_and_each_block_is_written(game_id, options):
    game = load_game(game_id, **options)
    owners = np.zeros(game.observation_size, int)
    for where in game.observation_layout.slices.values():
        owners[where] += 1
    assert (owners == 1).all()
    seen = np.array(
        [
            position.observation(seat)
            for position in positions(game, seed=22, games=4)
            for seat in range(game.num_players)
        ]
    )
    blank = {
        name
        for name, block in game.observation_layout.split(seen).items()
        if not block.any()
    }
    assert blank <= NOT_WITH_THESE.get(game_id, lambda options: set())(options)


NOT_WITH_THESE = {
    "cant_stop": lambda options: {"turns"} if "max_turns" in options else set(),
    "azul": lambda options: (
        ({"round"} if options["max_rounds"] is None else set())
        | ({"tiling"} if options["wall"] == "colored" else set())
    ),
}
"""Blocks that stay zero, as their meaning says, with some options."""


@pytest.mark.parametrize("game_id", GAMES)
def test_the_example_in_the_description_of_decode_is_true(game_id):
    module = importlib.import_module(f"{package_of(game_id)}.observe")
    failed, tried = doctest.testmod(module)
    assert tried >= 4
    assert failed == 0


@pytest.mark.parametrize("game_id", GAMES)
def test_an_observation_of_another_game_is_refused(game_id):
    game = load_game(game_id)
    decode = importlib.import_module(f"{package_of(game_id)}.observe").decode
    with pytest.raises(ValueError, match=f"give one of {game.observation_size}"):
        decode(np.zeros(game.observation_size - 1, np.float32), game)


@pytest.mark.bounds
@pytest.mark.parametrize(("game_id", "options"), CASES)
def test_anything_within_the_observation_space_is_read_without_harm(game_id, options):
    """It need not make sense; but nothing is written where the record has no place."""
    game = load_game(game_id, **options)
    decode = importlib.import_module(f"{package_of(game_id)}.observe").decode
    rng = np.random.default_rng(1)
    size = game.observation_size
    for observation in (np.ones(size), np.zeros(size), *rng.random((20, size))):
        decode(observation, game)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda seen: seen[:-1], "give one of"),
        (lambda seen: np.stack([seen, seen]), r"shape \(2, "),
        (lambda seen: seen[None], r"shape \(1, "),
        (lambda seen: {"observation": seen}, "dict of shape"),
        (lambda seen: None, "NoneType of shape"),
        (lambda seen: "seen", "str of shape"),
        (lambda seen: np.where(np.arange(len(seen)) == 3, np.nan, seen), "from 0 to 1"),
        (lambda seen: seen + 1.5, "from 0 to 1"),
        (lambda seen: seen - 1.5, "from 0 to 1"),
    ],
)
def test_what_is_no_observation_is_refused(game_id, wrong, says):
    game = load_game(game_id)
    decode = importlib.import_module(f"{package_of(game_id)}.observe").decode
    seen = Position.new(game, 1).observation(0)
    with pytest.raises(ValueError, match=says):
        decode(wrong(seen), game)
