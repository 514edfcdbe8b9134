"""What is hidden in ICECOOL, the cards of others, shows nowhere; chances are fair.

A statistical test gives a false alarm about once in 8 million runs; see
``chi_square_limit``.
"""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from game_core import Position, load_game
from icecool_env import cards
from icecool_env.state import FLICK, SKATES
from tests.games import chi_square, chi_square_limit
from tests.icecool.positions import D1, PLAYER_COUNTS, hand, passes, set_up
from tests.icecool.positions import flick as told_flick

COPIES = 20_000

nojit = pytest.mark.nojit


def hands_of(states: np.ndarray, *seats: int) -> list[tuple[int, ...]]:
    """Return the cards of seats, by value from 1, in each record."""
    cards = states["face_down"][:, seats, 1:].reshape(len(states), -1)
    return [tuple(row) for row in cards.tolist()]


def ways(pool: tuple[int, ...], cards: int) -> dict[tuple[int, ...], int]:
    """Return in how many ways a pool gives each content of a hand of some cards."""
    contents = itertools.product(*(range(count + 1) for count in pool))
    return {
        content: math.prod(map(math.comb, pool, content))
        for content in contents
        if sum(content) == cards
    }


def surprise(outcomes: list, weights: dict) -> float:
    """Return the chi-square of outcomes, divided by its limit."""
    seen, total = Counter(outcomes), sum(weights.values())
    assert seen.keys() <= weights.keys(), "what cannot be was dealt"
    n = len(outcomes)
    expected = np.array([n * weight / total for weight in weights.values()])
    assert expected.min() >= 5
    counts = np.array([seen[content] for content in weights])
    chi2 = np.sum((counts - expected) ** 2 / expected)
    return float(chi2 / chi_square_limit(len(weights)))


def fair(position: Position, seat: int, copies: int = COPIES) -> np.ndarray:
    """Return records that ``seat`` cannot tell from a position."""
    states = np.repeat(position.states, copies)
    seats = np.full(copies, seat)
    seeds = np.arange(copies, dtype=np.uint64)
    return position.game.determinize(states, seats, seeds)


HANDS = {0: "12", 1: "133", 2: "2", 3: "33"}
OTHER_HANDS = {0: "12", 1: "112", 2: "3", 3: "12"}


@nojit
@pytest.mark.parametrize("phase", [FLICK, SKATES])
@pytest.mark.parametrize("grid", [None, {}])
def test_a22_what_differs_only_in_hidden_cards_is_the_same_to_who_cannot_know(
    phase, grid
):
    options = {"num_players": 4, "player": 1, "face_up": {2: 2}, "grid": grid}
    if phase == SKATES:
        hands = ({**HANDS, 1: "113"}, {**OTHER_HANDS, 1: "112"})
    else:
        hands = (HANDS, OTHER_HANDS)
    positions = [set_up(phase=phase, hands=cards, **options) for cards in hands]
    one, other = positions
    assert one.states.tobytes() != other.states.tobytes()
    assert (one.observation(0) == other.observation(0)).all()
    copies = [position.determinize(0, 7).states.tobytes() for position in positions]
    assert copies[0] == copies[1]
    for seat in (1, 2, 3):
        assert (one.observation(seat) != other.observation(seat)).any()


@nojit
def test_a22_what_is_left_in_the_deck_shows_only_as_a_number():
    one = set_up(left="11123", hands={1: "2"})
    other = set_up(left="33322", hands={1: "2"})
    for seat in range(3):
        assert (one.observation(seat) == other.observation(seat)).all()
    fewer = set_up(left="3332", hands={1: "2"})
    assert (one.observation(0) != fewer.observation(0)).any()


@nojit
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
@pytest.mark.parametrize("phase", [FLICK, SKATES])
def test_a22_a_determinized_copy_differs_only_in_hidden_cards(num_players, phase):
    cards = {0: "12", 1: "1123", 2: "1", 3: "332"}
    hands = {seat: cards[seat] for seat in range(num_players)}
    position = set_up(num_players=num_players, phase=phase, hands=hands, face_up={0: 2})
    before = position.states.tobytes()
    for seat, seed in itertools.product(range(num_players), range(8)):
        copy = position.determinize(seat, seed).states
        state = copy[0]
        assert hand(state, seat) == "".join(sorted(hands[seat]))
        for other in range(num_players):
            assert len(hand(state, other)) == len(hands[other])
        if phase == SKATES:
            assert hand(state, 1).startswith("11")
        held = state.deck + state.face_down.sum(axis=0)
        assert held.tolist() == [0, 13, 15, 15]
        assert copy["rng"] != position.states["rng"]
        for field in ("rng", "deck", "face_down"):
            copy[field] = position.states[field]
        assert copy.tobytes() == before
        assert position.states.tobytes() == before


@nojit
def test_a22_the_same_seed_deals_the_same_and_others_differ():
    position = set_up(hands={1: "123", 2: "123"})
    again = [position.determinize(0, seed).states.tobytes() for seed in (1, 1, 2, 3)]
    assert again[0] == again[1]
    assert len(set(again)) == 3


@nojit
def test_a19_blank_cards_are_known_and_stay_where_they_are():
    position = set_up(blank_cards=True, left="", hands={0: "0", 1: "0012", 2: "033"})
    for seed in range(10):
        copy = position.determinize(0, seed).state
        assert copy.face_down[:, 0].tolist() == [1, 2, 1, 0]
        assert copy.face_down.sum(axis=1).tolist() == [1, 4, 3, 0]
        assert copy.deck.sum() == 0


def test_a22_hidden_cards_are_dealt_as_from_a_shuffled_pile():
    """Three 1s, three 2s and two 3s are dealt to two hands and the deck."""
    position = set_up(left="123", hands={0: "3", 1: "12", 2: "123"})
    pool = (3, 3, 2)
    weights = {}
    for first, one in ways(pool, 2).items():
        left = tuple(a - b for a, b in zip(pool, first, strict=True))
        weights |= {first + second: one * two for second, two in ways(left, 3).items()}
    states = fair(position, 0)
    assert surprise(hands_of(states, 1, 2), weights) < 1


@pytest.mark.parametrize("observer", [0, 2])
def test_a22_who_is_asked_about_skates_has_two_cards_of_value_1_and_chance_deals_on(
    observer,
):
    """The hand asked about is any hand of the pool with two 1s, as chance has it."""
    hands = {0: "3", 1: "1123", 2: "2"}
    position = set_up(phase=SKATES, left="1112223", hands=hands)
    pool = {0: (5, 5, 2), 2: (5, 4, 3)}[observer]
    weights = {
        content: count for content, count in ways(pool, 4).items() if content[0] >= 2
    }
    states = fair(position, observer)
    assert surprise(hands_of(states, 1), weights) < 1


def test_a22_to_the_player_who_is_asked_its_own_hand_stays_and_others_are_dealt():
    hands = {0: "13", 1: "11", 2: "2"}
    position = set_up(phase=SKATES, left="1223", hands=hands)
    states = fair(position, 1)
    assert set(hands_of(states, 1)) == {(2, 0, 0)}
    assert surprise(hands_of(states, 0), ways((2, 3, 2), 2)) < 1


# Chances of the game itself.


def test_r3_each_card_left_is_drawn_with_the_same_chance():
    position = set_up(left="122333")
    states = np.repeat(position.states, COPIES)
    states["rng"] = position.game.new_states(np.arange(COPIES, dtype=np.uint64))["rng"]
    for state in states:
        cards.draw_card(state, 1)
        cards.draw_card(state, 2)
    one = {v: tuple(np.eye(3, dtype=int)[v].tolist()) for v in range(3)}
    left = {0: 1, 1: 2, 2: 3}
    weights = {
        one[a] + one[b]: left[a] * (left[b] - (a == b))
        for a, b in itertools.product(range(3), repeat=2)
        if left[a] * (left[b] - (a == b))
    }
    assert surprise(hands_of(states, 1, 2), weights) < 1


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_r4_each_seat_is_the_first_catcher_as_often(num_players):
    game = load_game("icecool", num_players=num_players)
    states = game.new_states(np.arange(COPIES, dtype=np.uint64))
    counts = np.bincount(states["catcher"], minlength=num_players)
    assert chi_square(counts) < chi_square_limit(num_players)


@pytest.mark.parametrize("fault", ["put back", "another card"])
def test_the_statistics_notice_a_fault(fault):
    rng = np.random.default_rng(1)
    weights = ways((3, 3, 2), 3)
    if fault == "put back":
        outcomes = rng.multinomial(3, np.array([3, 3, 2]) / 8, COPIES)
        outcomes = outcomes[outcomes[:, 2] < 3]
    else:
        outcomes = rng.multivariate_hypergeometric([4, 3, 2], 3, COPIES)
        outcomes = outcomes[outcomes[:, 0] < 4]
    assert surprise([tuple(row) for row in outcomes.tolist()], weights) > 1
    just = rng.multivariate_hypergeometric([3, 3, 2], 3, COPIES)
    assert surprise([tuple(row) for row in just.tolist()], weights) < 1


# What shows.


@nojit
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_each_part_of_an_observation_is_what_its_description_says(num_players):
    last = num_players - 1
    position = set_up(
        num_players=num_players,
        player=1,
        places={1: (80, 235), 0: (590, 580)},
        caught={1: 1},
        fish={last: (D1,)},
        hands={0: "223", 1: "1"},
        face_up={last: 2},
        first_flick=(last,),
        flicks=30,
        round_number=1,
        max_flicks=120,
    )
    game = position.game
    for seat in range(num_players):
        seen = game.observation_layout.split(position.observation(seat))
        expected = what_is_seen(position, seat)
        assert seen.keys() == expected.keys()
        for name, values in expected.items():
            numbers = [float(value) for value in values]
            assert seen[name].ravel() == pytest.approx(numbers, abs=1e-6), name


def what_is_seen(position: Position, seat: int) -> dict[str, list[float]]:
    """Return the parts of an observation by their names, from their description."""
    state, n = position.state, position.game.num_players
    seen = {}
    for k in range(n):
        who = (seat + k) % n
        seen |= {
            f"on_board_{k}": [1],
            f"x_{k}": [state.x[who] / 600],
            f"y_{k}": [state.y[who] / 600],
            f"first_flick_{k}": [who == n - 1],
            f"close_to_wall_{k}": [who == 0],
            f"stuck_{k}": [who == 1],
            f"choice_of_rooms_{k}": [who == 1],
            f"catcher_{k}": [who == 0],
            f"caught_{k}": [0.5 * (who == 1)],
            f"fish_{k}": [who == n - 1, 0, 0],
            f"face_down_{k}": [{0: 3, 1: 1}.get(who, 0) / 45],
            f"face_up_{k}": [2 / 45 * (who == n - 1)],
            f"to_move_{k}": [who == 1],
            f"seat_{k}": [who / (n - 1)],
        }
    own = {0: [0, 0, 2, 1], 1: [0, 1, 0, 0]}.get(seat, [0] * 4)
    return seen | {
        "own_cards": [count / 45 for count in own],
        "phase": [0, seat == 1, 0],
        "deck": [39 / 45],
        "round": [1 / (4 if n == 2 else n)],
        "flicks": [0.25],
    }


@nojit
def test_after_the_end_nobody_is_to_move_and_all_rounds_are_completed():
    position = set_up(max_flicks=1, catcher=2, player=0, round_number=2)
    state = told_flick(position, passes(1, 0, D1))
    assert state.terminated
    for seat in range(3):
        seen = position.observation(seat)
        assert position.game.observation_space.contains(seen)
        parts = position.game.observation_layout.split(seen)
        assert (parts["round"], parts["flicks"]) == (1, 1)
        assert parts["phase"].tolist() == [0, 0, 0]
        assert not any(parts[f"to_move_{player}"] for player in range(3))


@nojit
def test_off_the_board_there_is_no_place():
    position = set_up(places={2: None})
    seen = position.game.observation_layout.split(position.observation(2))
    assert [seen[name] for name in ("on_board_0", "x_0", "y_0")] == [0, 0, 0]
