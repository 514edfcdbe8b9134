"""The ICECOOL oracle against the rule sheet, rule by rule.

Nothing slides here: a test says where a flick ends and what happened in it.
"""

import math
from collections.abc import Iterator

import pytest

from icecool_env.school import STANDARD, Room

from . import icecool
from .dice import Dice
from .icecool import (
    BY_CAP,
    BY_CATCH,
    BY_FISH,
    EXIT,
    FLICK,
    NONE,
    PASS,
    PLACE,
    SKATES,
    TOUCH,
    Event,
    Icecool,
    Point,
    velocity_and_spin,
)

# Where the Catcher and a Runner that is nowhere special stand, and the red circle.
KITCHEN = (417.5, 482.5)
GYM = (500.0, 200.0)
CIRCLE = (182.5, 117.5)

# R2: the doors by number, and which fish hang on three of them.
D1, D2, D3, D4, C1 = range(5)

YES = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
NO = (-1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def new_game(num_players: int = 3, **options) -> Icecool:
    """Sets up a game; seat 0 is the Catcher, in the middle of the Kitchen."""
    options = {"first_catcher": 0, "catcher_start": "centre"} | options
    return Icecool(num_players, seed=5, slide=lambda x, y, *_: (x, y, []), **options)


def whole(step: int, kind: int, seat: int, other: int = NONE) -> Event:
    """Adds to an event what it leaves out."""
    return step, kind, seat, other


def flick(game: Icecool, to: Point | None = GYM, *events, red=0.0, **moved) -> None:
    """Flicks for the player to move.

    Args:
        game: The game.
        to: Where the penguin ends; None for where it stands.
        events: What happens, each a step, a kind, a seat, and the other seat or door.
        red: The red-line component of the action.
        moved: Where others end, as `s2=(x, y)` for seat 2.
    """

    def slide(x, y, on_board, flicked, velocity, spin):
        ends = {f"s{flicked}": to} | moved
        for name, end in ends.items():
            if end is not None:
                x[int(name[1])], y[int(name[1])] = end
        return x, y, [whole(*event) for event in events]

    game.slide = slide
    game.step((1.0, 0.0, 0.0, 0.0, 0.0, red))


def stand(game: Icecool, seat: int, x: float, y: float) -> None:
    """Puts a penguin somewhere; its first flick is done."""
    game.x[seat], game.y[seat] = x, y
    game.on_board[seat] = 1
    game.first_flick[seat] = 0


def at(game: Icecool, seat: int) -> Point:
    """Says where a penguin is."""
    return game.x[seat], game.y[seat]


def cards(game: Icecool) -> list[int]:
    """Counts the face-down cards of each seat."""
    return [sum(hand) for hand in game.face_down]


def ended(game: Icecool) -> list[int]:
    """Lists how the rounds ended."""
    return [kind for kind in range(3) for _ in range(game.endings[kind])]


# The floor plan.


def pieces_of(lines: list[icecool.Line]) -> Iterator[tuple[bool, float, float, float]]:
    """Describes lines as the school does its walls, each part once."""
    for (x0, y0), (x1, y1) in lines:
        yield (True, x0, y0, y1) if x0 == x1 else (False, y0, x0, x1)


def test_r2_the_walls_are_those_of_the_school():
    """Sides of rooms that lie in one another count once."""
    covered = set()
    for upright, place, start, end in pieces_of(icecool.walls(STANDARD)):
        covered |= {
            (upright, place, k / 2) for k in range(int(2 * start), int(2 * end))
        }
    expected = set()
    for upright, place, start, end in STANDARD.pieces:
        expected |= {
            (upright, place, k / 2) for k in range(int(2 * start), int(2 * end))
        }
    assert covered == expected


def test_r2_the_doors_are_those_of_the_school():
    doors = icecool.openings(STANDARD)
    for door, same in zip(doors, STANDARD.doors, strict=True):
        assert (door.upright, door.wall) == STANDARD.wall_of(same)[:2]
        assert (door.low.name, door.high.name) == STANDARD.rooms_of(same)
    assert [door.fish for door in doors] == [0, 1, NONE, 2, NONE, NONE, NONE]


# Set-up, turns and placing.


def test_r4_random_and_fixed_first_catcher():
    catchers = set()
    for seed in range(30):
        game = Icecool(3, seed=seed, slide=lambda *_: ([], [], []))
        dice = Dice.from_seed(seed)
        assert game.catcher == game.player == dice.below(3)
        assert game.stream == dice.stream
        catchers.add(game.catcher)
    assert catchers == {0, 1, 2}
    assert new_game().stream == Dice.from_seed(5).stream


@pytest.mark.parametrize("wrong", [{"num_players": 1}, {"num_players": 2, "deck2": 1}])
def test_no_such_game(wrong: dict):
    with pytest.raises(ValueError, match="no such"):
        new_game(**wrong)


def test_r9_the_catcher_is_placed_inside_the_red_line():
    game = new_game(catcher_start="chosen", first_catcher=2)
    assert (game.phase, game.player) == (PLACE, 2)
    assert game.on_board == [0, 0, 0]
    game.step((-1.0, 0.5, 0.0, 0.0, 0.0, 0.0))
    assert at(game, 2) == (278.0, 408.0 + 0.75 * 149.0)
    assert (game.phase, game.player) == (FLICK, 0)
    assert game.on_board == [1, 0, 1]


def test_r10_and_r12_clockwise_from_the_circle():
    game = new_game(4)
    assert at(game, 0) == KITCHEN
    for seat in (1, 2, 3):
        assert game.player == seat
        assert at(game, seat) == CIRCLE
        assert game.first_flick[seat] == 1
        flick(game, (50.0 + 100 * seat, 60.0))
        assert game.first_flick[seat] == 0
    assert game.player == 0
    flick(game, KITCHEN)
    assert game.player == 1
    assert at(game, 1) == (150.0, 60.0)
    assert game.flicks == 4


def test_r12_the_spot_is_taken():
    game = new_game(4)
    flick(game, None, (3, EXIT, 1))
    # Equally near all around: the lowest x.
    assert at(game, 2) == pytest.approx((CIRCLE[0] - 30.01, CIRCLE[1]), abs=1e-9)
    flick(game, None, (3, EXIT, 2))
    # Two are as near and of the same x: the lower y.
    height = 30.01 * math.sqrt(3) / 2
    expected = (CIRCLE[0] - 15.005, CIRCLE[1] - height)
    assert at(game, 3) == pytest.approx(expected, abs=1e-9)
    assert game.first_flick == [0, 1, 1, 1]


@pytest.mark.parametrize(("off", "left"), [(0.0, 0.0), (5e-10, 0.0), (1e-8, 0.01)])
def test_r12_thirty_millimetres_are_enough(off: float, left: float):
    game = new_game()
    flick(game, (CIRCLE[0] + 30.0 - off, CIRCLE[1]))
    assert at(game, 2) == pytest.approx((CIRCLE[0] - left, CIRCLE[1]), abs=1e-7)
    assert (at(game, 2) == CIRCLE) == (left == 0.0)


# Flicks.


@pytest.mark.parametrize(
    ("action", "velocity", "spin"),
    [
        ((0, 0, -1, 0.049, -0.5, 0), (150, 0, 0), 0),
        ((0, -0.5, 1, 0.05, 0, 0), (0, -2200, 0), -5.5),
        ((-0.3, 0.4, 0, -1, 0, 0), (-705, 940, 0), 58.75),
        ((0, 1, 1, 0, 0.4, 0), (0, 2200 * math.cos(math.pi / 6), 1100), 0),
    ],
)
def test_r6_velocity_and_spin(action, velocity, spin):
    assert velocity_and_spin(action) == (
        pytest.approx(velocity, abs=1e-9),
        pytest.approx(spin),
    )


def test_the_last_flick_is_kept():
    game = new_game()
    flick(game, GYM)
    assert (new_game().flicked, game.flicked) == (NONE, 1)
    assert game.velocity == [1175.0, 0.0, 0.0]
    assert game.spin == 0
    assert (game.was_x, game.was_y) == ([417.5, 182.5, 0], [482.5, 117.5, 0])
    assert game.was_on_board == [1, 1, 0]


def test_r14_again_until_off_the_circle():
    game = new_game()
    flick(game, (CIRCLE[0] + 19.9, CIRCLE[1]))
    assert (game.player, game.first_flick[1], game.reflicks) == (1, 1, 1)
    flick(game, (CIRCLE[0], CIRCLE[1] - 20.0))
    assert (game.player, game.first_flick[1], game.reflicks) == (2, 0, 0)


def test_r14_not_again():
    game = new_game(reflick=False)
    flick(game, CIRCLE)
    assert (game.player, game.first_flick[1], game.reflicks) == (2, 0, 0)


def test_r14_twenty_times():
    game = new_game()
    for count in range(1, 20):
        flick(game, (180.0, 117.5))
        assert game.reflicks == count
    flick(game, (180.0, 117.5))
    # The red line is as near above as below: the lower y.
    assert at(game, 1) == (180.0, 43.0)
    assert (game.player, game.first_flick[1], game.reflicks) == (2, 0, 0)


def test_r14_an_exit_keeps_the_first_flick():
    game = new_game()
    flick(game, (180.0, 117.5))
    flick(game, (700.0, 300.0), (9, EXIT, 1))
    assert at(game, 1) == (180.0, 117.5)
    assert (game.player, game.first_flick[1], game.reflicks) == (2, 1, 0)


def test_r14_pushed_on_and_off_the_circle():
    game = new_game(4)
    flick(game, None, (9, EXIT, 1))
    flick(game, GYM, s1=(CIRCLE[0] + 19.0, CIRCLE[1]))
    assert game.first_flick[1] == 1
    flick(game, (50.0, 300.0), s1=(CIRCLE[0] + 21.0, CIRCLE[1]))
    assert game.first_flick[1] == 0


def test_r14_put_back_is_not_pushed_off():
    game = new_game(4)
    flick(game, None, (9, EXIT, 1))
    # Seat 2 starts 30 mm beside the circle.
    flick(game, (50.0, 60.0), (9, EXIT, 2))
    assert game.first_flick == [0, 1, 1, 1]
    flick(game, (50.0, 300.0), (9, EXIT, 2), s2=(700.0, 0.0))
    assert game.first_flick == [0, 1, 1, 0]


# Fish.


def test_r15_a_runner_takes_its_fish_once():
    game = new_game()
    dice = Dice.from_seed(5)
    deck = [1] * 15 + [2] * 15 + [3] * 15
    first = deck.pop(dice.below(45))
    second = deck.pop(dice.below(44))
    flick(game, GYM, (4, PASS, 1, D4), (8, PASS, 1, D4), (9, PASS, 1, D1))
    assert game.fish_taken == [[0, 0, 0], [1, 0, 1], [0, 0, 0]]
    assert [game.face_down[1][v] for v in (1, 2, 3)] == [
        (first, second).count(v) for v in (1, 2, 3)
    ]
    assert [game.deck[v] for v in (1, 2, 3)] == [deck.count(v) for v in (1, 2, 3)]
    assert game.stream == dice.stream


def test_r15_no_fish_for_the_catcher_nor_at_other_doors():
    game = new_game()
    flick(game, GYM, (1, PASS, 0, D1), (2, PASS, 1, D3), (3, PASS, 1, C1))
    assert cards(game) == [0, 0, 0]


def test_r30_a_pushed_runner_takes_fish():
    game = new_game()
    flick(game)
    flick(game, (100.0, 50.0), (5, PASS, 1, D4))
    assert game.fish_taken[1] == [0, 0, 1]
    assert cards(game) == [0, 1, 0]


@pytest.mark.parametrize(("strict", "fish"), [(True, 0), (False, 1)])
def test_r33_no_fish_from_inside_the_frame(strict: bool, fish: int):
    game = new_game(stuck_strict=strict)
    stand(game, 1, 380.0, 85.0)
    flick(game, GYM, (5, PASS, 1, D4), (6, PASS, 1, D1))
    assert game.fish_taken[1] == [1, 0, fish]


# Catches.


def test_r19_touching_the_catcher_once_a_round():
    game = new_game()
    flick(game, GYM, (1, TOUCH, 1, 2), (2, TOUCH, 0, 1), (3, TOUCH, 1, 0))
    assert game.caught == [0, 1, 0]


def test_a4_runners_touching_each_other():
    game = new_game()
    flick(game, GYM, (1, TOUCH, 1, 2))
    assert game.caught == [0, 0, 0]


# Ends of a round.


def two_fish(game: Icecool, seat: int) -> None:
    """Gives a Runner all fish but that of D4."""
    game.fish_taken[seat] = [1, 1, 0]


def test_r24_third_fish_ends_the_round_at_its_step():
    game = new_game()
    two_fish(game, 1)
    flick(game, GYM, (5, PASS, 1, D4), (6, TOUCH, 1, 0), (6, PASS, 2, D1))
    assert ended(game) == [BY_FISH]
    # One for the fish, one for each of three ID cards.
    assert cards(game) == [1, 2, 1]
    assert (game.round_number, game.catcher) == (1, 1)


def test_r24_events_of_the_same_step_count():
    game = new_game()
    game.caught = [0, 0, 1]
    two_fish(game, 1)
    flick(game, GYM, (5, TOUCH, 0, 1), (5, PASS, 1, D4), (6, PASS, 2, D4))
    # Both ends hold: by fish.
    assert ended(game) == [BY_FISH]
    assert cards(game) == [3, 1, 0]


def test_r24_finish_flick():
    game = new_game(finish_flick=True)
    two_fish(game, 1)
    flick(game, GYM, (5, PASS, 1, D4), (6, TOUCH, 1, 0), (7, PASS, 2, D1))
    assert cards(game) == [2, 1, 2]


def test_r24_all_caught():
    game = new_game()
    flick(game, GYM, (5, TOUCH, 0, 1))
    flick(game, (50.0, 50.0), (5, TOUCH, 0, 2), (6, PASS, 2, D4))
    assert ended(game) == [BY_CATCH]
    assert cards(game) == [3, 0, 0]


def test_r25_the_catcher_draws_first_then_clockwise():
    game = new_game(first_catcher=1)
    dice = Dice.from_seed(5)
    deck = [1] * 15 + [2] * 15 + [3] * 15
    drawn = [deck.pop(dice.below(len(deck))) for _ in range(4)]
    two_fish(game, 2)
    flick(game, GYM, (5, PASS, 2, D4))
    hands = [[hand.count(v) for v in range(4)] for hand in (drawn[3:], drawn[1:2])]
    assert game.face_down[0] == hands[0]
    assert game.face_down[1] == hands[1]
    assert game.stream == dice.stream


def test_r26_a_new_round():
    game = new_game()
    two_fish(game, 1)
    flick(game, GYM, (5, TOUCH, 1, 0), (6, PASS, 1, D4))
    assert game.catcher == 1
    assert (game.phase, game.player) == (FLICK, 2)
    assert game.on_board == [0, 1, 1]
    assert (at(game, 1), at(game, 2)) == (KITCHEN, CIRCLE)
    assert game.caught == [0, 0, 0]
    assert game.fish_taken == [[0, 0, 0]] * 3
    assert game.first_flick == [0, 0, 1]
    # The last flick is still to be seen.
    assert (game.flicks, game.flicked, game.was_x[0]) == (0, 1, KITCHEN[0])


def test_a21_cap():
    game = new_game(max_flicks=2)
    flick(game)
    flick(game, (50.0, 300.0), (5, TOUCH, 0, 2))
    assert ended(game) == [BY_CAP]
    assert cards(game) == [2, 1, 0]
    assert new_game(4)._most_flicks() == 400


def test_a21_the_cap_comes_last():
    game = new_game(max_flicks=1)
    two_fish(game, 1)
    flick(game, GYM, (5, PASS, 1, D4))
    assert ended(game) == [BY_FISH]


def test_a19_an_empty_deck():
    for blank, total in ((False, 0), (True, 1)):
        game = new_game(blank_cards=blank)
        game.deck = [0, 0, 0, 0]
        stream = game.stream
        flick(game, GYM, (5, PASS, 1, D4))
        assert game.face_down[1] == [total, 0, 0, 0]
        assert game.fish_taken[1] == [0, 0, 1]
        assert game.stream == stream


# Skates.


def test_r22_skates_at_the_end_of_a_turn():
    game = new_game()
    game.face_down[1] = [0, 5, 0, 0]
    flick(game)
    for up in (2, 4):
        assert (game.phase, game.player) == (SKATES, 1)
        game.step(YES)
        assert (game.phase, game.player, game.face_up[1]) == (FLICK, 1, up)
        flick(game)
    # One card of value 1 is left.
    assert game.player == 2
    assert game.face_down[1] == [0, 1, 0, 0]
    assert game.scores() == [0, 5, 0]


def test_r22_no_skates_wanted_and_none_during_repeated_flicks():
    game = new_game()
    game.face_down[1] = [0, 2, 0, 0]
    flick(game, CIRCLE)
    assert (game.phase, game.player) == (FLICK, 1)
    flick(game)
    assert game.phase == SKATES
    game.step(NO)
    assert (game.phase, game.player) == (FLICK, 2)
    assert game.face_down[1] == [0, 2, 0, 0]


def test_r3_no_skates_in_tournaments():
    game = new_game(deck="tournament")
    assert game.deck == [0, 45, 0, 0]
    game.face_down[1] = [0, 2, 0, 0]
    flick(game)
    assert (game.phase, game.player) == (FLICK, 2)


def test_r34_skates_after_an_exit():
    game = new_game()
    game.face_down[1] = [0, 2, 0, 0]
    flick(game, (700.0, 0.0), (5, EXIT, 1))
    assert (game.phase, game.player) == (SKATES, 1)
    game.step(YES)
    assert (game.player, game.first_flick[1]) == (1, 1)


# Out of the school.


@pytest.mark.parametrize(("void", "fish", "caught"), [(False, 1, 1), (True, 0, 0)])
def test_r34_events_before_an_exit(void: bool, fish: int, caught: int):
    game = new_game(void_on_exit=void)
    flick(game, GYM)
    flick(
        game,
        (700.0, 0.0),
        (2, PASS, 2, D4),
        (3, TOUCH, 0, 2),
        (4, PASS, 1, D4),
        (9, EXIT, 2),
    )
    assert game.fish_taken[1:] == [[0, 0, 1], [0, 0, fish]]
    assert game.caught == [0, 0, caught]


def test_r35_back_to_the_nearest_free_spot():
    game = new_game()
    stand(game, 1, 100.0, 100.0)
    stand(game, 2, 300.0, 150.0)
    flick(game, (310.0, 150.0), (9, EXIT, 2), s2=(700.0, 100.0))
    assert at(game, 1) == (310.0, 150.0)
    assert at(game, 2) == pytest.approx((310.0 - 30.01, 150.0), abs=1e-9)


def test_r35_who_waits_is_in_nobodys_way():
    game = new_game()
    stand(game, 1, 100.0, 100.0)
    stand(game, 2, 130.0, 100.0)
    events = [(9, EXIT, 1), (9, EXIT, 2)]
    # Where seat 2 left the school is no hindrance.
    flick(game, (700.0, 100.0), *events, s2=(101.0, 100.0))
    assert (at(game, 1), at(game, 2)) == ((100.0, 100.0), (130.0, 100.0))


def test_a12_beside_a_wall():
    game = new_game()
    stand(game, 1, 18.0, 60.0)
    # Straight away from the other is into the wall; the spot slides along it.
    spot = game._free_spot(18.0, 60.0, [(20.0, 65.0)])
    height = math.sqrt(30.01**2 - 2.0**2)
    assert spot == pytest.approx((18.0, 65.0 - height), abs=1e-9)


def test_a12_in_the_same_room():
    game = new_game()
    # In a doorway, as far as the room reaches.
    spot = game._free_spot(360.0, 80.0, [(340.0, 80.0)])
    assert spot[0] <= 365.0
    assert math.dist(spot, (340.0, 80.0)) >= 30.01 - 1e-9
    assert game._free_spot(366.0, 80.0, [(340.0, 80.0)]) == pytest.approx(
        (370.01, 80.0)
    )


def test_a12_a_gap_between_two():
    game = new_game()
    # They leave a gap of 0.02 mm on the red line.
    stand(game, 1, 30.0, 100.0)
    stand(game, 2, 43.0, 69.98)
    stand(game, 0, 43.0, 130.02)
    assert game._others(1) == [(43.0, 130.02), (43.0, 69.98)]
    flick(game, None, red=1.0)
    assert at(game, 1) == (43.0, 100.0)
    game = new_game()
    stand(game, 1, 30.0, 110.0)
    stand(game, 2, 43.0, 69.98)
    stand(game, 0, 43.0, 130.02)
    flick(game, None, red=1.0)
    assert at(game, 1) == pytest.approx((43.0, 100.01), abs=1e-9)


def test_a12_no_spot_at_all(monkeypatch: pytest.MonkeyPatch):
    game = new_game()
    monkeypatch.setattr(game, "_clear_of_walls", lambda point: [-1.0])
    assert game._free_spot(100.0, 100.0, [(105.0, 100.0)]) == (100.0, 100.0)


# Walls and doorways before a flick.


@pytest.mark.parametrize(
    ("x", "y", "spot"),
    [
        (30.0, 100.0, (43.0, 100.0)),
        (350.0, 20.0, (322.0, 43.0)),
        # In front of a door.
        (80.0, 210.0, (80.0, 192.0)),
        # On the line and inside of it.
        (43.0, 100.0, (43.0, 100.0)),
        (44.0, 100.0, (44.0, 100.0)),
    ],
)
def test_r27_to_the_red_line(x: float, y: float, spot: Point):
    game = new_game()
    stand(game, 1, x, y)
    flick(game, None)
    assert at(game, 1) == (x, y)
    stand(game, 2, x, y)
    stand(game, 1, 300.0, 300.0)
    flick(game, None, red=0.1)
    assert at(game, 2) == (game.was_x[2], game.was_y[2]) == spot


def test_r27_the_nearest_point_is_taken():
    game = new_game()
    stand(game, 1, 30.0, 100.0)
    stand(game, 2, 55.0, 100.0)
    flick(game, None, red=1.0)
    # As near above as below: the lower y.
    below = 100.0 - math.sqrt(30.01**2 - 12.0**2)
    assert at(game, 1) == pytest.approx((43.0, below), abs=1e-9)


def test_r27_no_point_is_free():
    game = new_game()
    cupboard = Room("Cupboard", 100.0, 100.0, 186.0, 186.0)
    stand(game, 1, 125.0, 125.0)
    stand(game, 2, 150.0, 143.0)
    game._put_on_red_line(1, cupboard)
    assert at(game, 1) == (125.0, 125.0)
    stand(game, 2, 173.02, 143.0)
    game._put_on_red_line(1, cupboard)
    assert at(game, 1) == (143.0, 143.0)


@pytest.mark.parametrize(
    ("depth", "wish", "options", "x"),
    [
        (-11.9, 0.0, {}, 365 - 11.9),
        (-11.9, 0.5, {}, 322.0),
        (-11.9, 0.6, {}, 408.0),
        (-12.0, 0.6, {}, 322.0),
        (0.0, 0.5, {}, 408.0),
        (0.0, 1.0, {}, 322.0),
        (17.9, 1.0, {}, 408.0),
        (-11.9, 0.6, {"stuck_room": "majority"}, 322.0),
        (-11.9, -1.0, {"stuck_move": "must"}, 322.0),
        (-11.9, 0.6, {"stuck_move": "must"}, 408.0),
        (18.0, 0.0, {"stuck_move": "must"}, 383.0),
    ],
)
def test_r32_red_line_out_of_a_doorway(depth, wish, options, x):
    game = new_game(**options)
    stand(game, 1, 365.0 + depth, 80.0)
    flick(game, None, red=wish)
    assert at(game, 1) == (pytest.approx(x), 80.0)


# Two players.


def test_r41_the_first_catch():
    game = new_game(2)
    game.face_down[0] = [0, 2, 0, 0]
    flick(game)
    assert game.player == 0
    flick(game, (480.0, 100.0), (2, TOUCH, 0, 1), (3, TOUCH, 0, 1), (4, PASS, 1, D4))
    assert game.caught == [0, 1]
    assert game.fish_taken[1] == [0, 0, 1]
    # No skates for the Catcher; the Runner is on the circle and to move.
    assert (game.phase, game.player) == (FLICK, 1)
    assert at(game, 1) == CIRCLE
    assert game.first_flick == [0, 1]


@pytest.mark.parametrize(("following", "player"), [("runner", 1), ("catcher", 0)])
def test_r41_the_runner_causes_the_first_catch(following: str, player: int):
    game = new_game(2, self_catch_next=following)
    game.face_down[1] = [0, 2, 0, 0]
    flick(game, (400.0, 450.0), (2, TOUCH, 1, 0))
    assert (game.phase, game.player) == (FLICK, player)
    assert at(game, 1) == CIRCLE
    assert game.first_flick == [0, 1]
    if player == 0:
        flick(game, (400.0, 450.0))
    flick(game, CIRCLE)
    assert (game.player, game.reflicks) == (1, 1)


def test_r42_the_second_catch():
    game = new_game(2)
    flick(game, GYM, (2, TOUCH, 1, 0))
    flick(game, GYM, (2, TOUCH, 1, 0), (3, PASS, 1, D4))
    assert ended(game) == [BY_CATCH]
    assert cards(game) == [2, 0]


def test_r41_fish_in_the_flick_of_the_first_catch_end_the_round():
    game = new_game(2)
    two_fish(game, 1)
    flick(game, GYM, (2, TOUCH, 1, 0), (3, PASS, 1, D4))
    assert ended(game) == [BY_FISH]
    assert cards(game) == [2, 1]


def test_a21_the_first_catch_at_the_cap():
    game = new_game(2, max_flicks=1)
    flick(game, GYM, (2, TOUCH, 1, 0))
    assert ended(game) == [BY_CAP]
    assert cards(game) == [2, 0]


# The end.


@pytest.mark.parametrize(("num_players", "rounds"), [(2, 4), (3, 3), (4, 4)])
def test_r37_the_end_of_the_game(num_players: int, rounds: int):
    game = new_game(num_players, max_flicks=1)
    for number in range(rounds):
        assert (game.round_number, game.catcher) == (number, number % num_players)
        assert game.rewards("win") == [0.0] * num_players
        flick(game)
    assert game.terminated
    assert game.player == rounds % num_players
    assert ended(game) == [BY_CAP] * rounds
    assert cards(game) == [rounds] * num_players
    with pytest.raises(ValueError, match="over"):
        game.step(YES)


def finished(*hands: tuple[list[int], int], **options) -> Icecool:
    """Ends a game with these face-down cards by value and revealed cards."""
    game = new_game(len(hands), **options)
    game.face_down = [down for down, _ in hands]
    game.face_up = [up for _, up in hands]
    game.terminated = True
    return game


def test_r38_points_then_cards_then_shared():
    game = finished(([0, 0, 3, 0], 0), ([0, 4, 1, 0], 0), ([0, 0, 2, 0], 2))
    assert game.scores() == [6, 6, 6]
    assert game.winners() == [1]
    assert game.rewards("win") == [-0.5, 1.0, -0.5]
    game = finished(([1, 0, 3, 0], 0), ([0, 0, 2, 0], 2), ([0, 0, 0, 1], 0))
    assert game.winners() == [0, 1]
    assert game.rewards("win") == [0.25, 0.25, -0.5]


@pytest.mark.parametrize(("deck", "all_points"), [("45", 90), ("42", 84)])
def test_rewards_by_margin(deck: str, all_points: int):
    game = finished(([0, 0, 3, 0], 0), ([0, 1, 0, 0], 0), ([0, 0, 0, 1], 0), deck=deck)
    assert game.rewards("margin") == pytest.approx(
        [4 / all_points, -3.5 / all_points, -0.5 / all_points]
    )
    with pytest.raises(ValueError, match="unknown"):
        game.rewards("points")
