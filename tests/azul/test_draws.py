"""Chances of Azul, from many deals, against exact numbers.

Each test gives a false alarm about once in 8 million runs; see ``chi_square_limit``.
"""

import itertools
import math
from collections.abc import Mapping

import numpy as np
import pytest

from azul_env.state import TILES_PER_DISPLAY
from game_core import load_game
from tests.azul.positions import LAST, PLAYER_COUNTS, counted, set_up
from tests.games import chi_square, chi_square_limit

DEALS = 100_000
RARE = 10  # outcomes expected less often are counted together

FULL_BAG = (20,) * 5


def contents(tiles: int) -> list[tuple[int, ...]]:
    """Return all ways in which so many tiles can have five colors."""
    counts = itertools.product(range(tiles + 1), repeat=5)
    return [content for content in counts if sum(content) == tiles]


def chance(content, bag) -> float:
    """Return the chance to draw a content from a bag, both counted by color."""
    ways = math.prod(map(math.comb, bag, content))
    return ways / math.comb(sum(bag), sum(content))


def surprise(outcomes: np.ndarray, chances: Mapping[tuple[int, ...], float]) -> float:
    """Return the chi-square of outcomes (n, k), divided by its limit."""
    digits = 21 ** np.arange(outcomes.shape[1])  # no number is greater than 20
    _, first, counts = np.unique(
        outcomes @ digits, return_index=True, return_counts=True
    )
    values = map(tuple, outcomes[first].tolist())
    seen = dict(zip(values, counts.tolist(), strict=True))
    assert seen.keys() <= chances.keys(), "what cannot be was dealt"
    n = len(outcomes)
    assert sum(chances.values()) == pytest.approx(1)
    cells = [[n * p, seen.get(value, 0)] for value, p in chances.items()]
    common = [cell for cell in cells if cell[0] >= RARE]
    rare = np.sum([cell for cell in cells if cell[0] < RARE] or [[0, 0]], axis=0)
    if rare[0] >= RARE:
        common.append(rare.tolist())
    else:
        common[0] = (common[0] + rare).tolist()
    expected, found = np.array(common).T
    chi2 = np.sum((found - expected) ** 2 / expected)
    return float(chi2 / chi_square_limit(len(common)))


@pytest.mark.parametrize("fault", ["put back", "19 blue tiles"])
def test_the_statistics_notice_a_fault(fault):
    rng = np.random.default_rng(1)
    chances = {c: chance(c, FULL_BAG) for c in contents(TILES_PER_DISPLAY)}
    if fault == "put back":
        outcomes = rng.multinomial(TILES_PER_DISPLAY, [0.2] * 5, DEALS)
    else:
        bag = [19, 20, 20, 20, 20]
        outcomes = rng.multivariate_hypergeometric(bag, TILES_PER_DISPLAY, DEALS)
    assert surprise(outcomes, chances) > 1
    fair = rng.multivariate_hypergeometric(FULL_BAG, TILES_PER_DISPLAY, DEALS)
    assert surprise(fair, chances) < 1


def displays_of(states: np.ndarray) -> np.ndarray:
    """Return the tiles (n, displays, colors) of all displays."""
    return states["sources"][:, : int(states["num_displays"][0])].astype(int)


@pytest.fixture(scope="module", params=PLAYER_COUNTS, ids=lambda n: f"{n}-players")
def new_games(request) -> np.ndarray:
    game = load_game("azul", num_players=request.param)
    return game.new_states(np.arange(DEALS, dtype=np.uint64))


def test_az1_each_seat_starts_as_often(new_games):
    num_players = int(new_games["num_players"][0])
    counts = np.bincount(new_games["starting_player"], minlength=num_players)
    assert len(counts) == num_players
    assert chi_square(counts) < chi_square_limit(num_players)
    assert (new_games["player"] == new_games["starting_player"]).all()


@pytest.mark.parametrize("display", [0, 1, -1])
def test_az1_each_display_is_a_fair_draw_of_four_of_the_100_tiles(new_games, display):
    chances = {c: chance(c, FULL_BAG) for c in contents(TILES_PER_DISPLAY)}
    assert len(chances) == 70
    assert surprise(displays_of(new_games)[:, display], chances) < 1


@pytest.mark.parametrize("color", range(5))
def test_az1_tiles_are_drawn_without_putting_back(new_games, color):
    """How many tiles of a color all displays have together is hypergeometric."""
    displays = displays_of(new_games)
    drawn = 4 * displays.shape[1]
    chances = {
        (k,): math.comb(20, k) * math.comb(80, drawn - k) / math.comb(100, drawn)
        for k in range(min(20, drawn) + 1)
    }
    assert surprise(displays[:, :, color].sum(axis=1)[:, None], chances) < 1


def test_az1_what_lies_on_two_displays_is_a_draw_of_eight(new_games):
    """Blue tiles on the first and the second display, seen together."""
    displays = displays_of(new_games)
    chances = {
        (a, b): chance((a, 4 - a), (20, 80)) * chance((b, 4 - b), (20 - a, 76 + a))
        for a, b in itertools.product(range(5), repeat=2)
    }
    assert surprise(displays[:, :2, 0], chances) < 1


def test_az1_the_starting_seat_tells_nothing_about_the_tiles(new_games):
    num_players = int(new_games["num_players"][0])
    chances = {
        (seat, k): chance((k, 4 - k), (20, 80)) / num_players
        for seat in range(num_players)
        for k in range(5)
    }
    blue = displays_of(new_games)[:, 0, 0]
    assert surprise(np.stack([new_games["player"], blue], axis=1), chances) < 1


@pytest.mark.parametrize(
    ("bag", "lid"),
    [
        ("bbbyykkkkwwwww", "rr"),  # the lid is not needed
        ("", "bbbyyrrrrkkkkkwwwwww"),
        ("bw", "yyyyyyrrrkkkbw"),  # needed after two tiles
        ("", "byr"),
    ],
)
def test_az11_the_first_display_of_a_later_round_is_a_fair_draw(bag, lid):
    position = set_up(displays=LAST, bag=bag, lid=lid)
    states = np.repeat(position.states, DEALS)
    states["rng"] = position.game.new_states(np.arange(DEALS, dtype=np.uint64))["rng"]
    last = position.game.text_to_action("display 1, blue, line 5")
    assert position.game.loops.step_all(states, np.full(DEALS, last)) == -1
    first, then = counted(bag), counted(lid)
    if len(bag) >= TILES_PER_DISPLAY:
        first, then = [0] * 5, counted(bag)
    rest = min(TILES_PER_DISPLAY - sum(first), sum(then))
    chances = {
        tuple(a + b for a, b in zip(first, content, strict=True)): chance(content, then)
        for content in contents(rest)
    }
    possible = {content: p for content, p in chances.items() if p > 0}
    assert surprise(displays_of(states)[:, 0], possible) < 1
