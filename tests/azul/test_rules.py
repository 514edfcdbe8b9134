"""Azul rule by rule, numbered as in ``docs/rules/azul.md``."""

import numpy as np
import pytest

from azul_env import azul_v0
from azul_env.state import NONE
from game_core import IllegalActionError, Position, load_game
from tests.azul.positions import (
    FREE_WALL,
    LAST,
    LAST_TO_FLOOR,
    LETTERS,
    NO_LINES,
    PATTERN,
    PLAYER_COUNTS,
    SIDES,
    displays_of,
    floor_of,
    legal,
    lines_of,
    play,
    scores_of,
    set_up,
    set_up_with_one_tile_left,
    tiles_in,
    tiles_of,
    wall_of,
)
from tests.naive.dice import Dice

pytestmark = pytest.mark.nojit

COLUMNS = {f"column {column}" for column in range(1, 6)}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_az1_setup(num_players, side):
    position = Position.new(load_game("azul", num_players=num_players, wall=side), 5)
    state = position.states[0]
    displays = {2: 5, 3: 7, 4: 9}[num_players]
    assert [len(tiles) for tiles in displays_of(position)] == [4] * displays + [0]
    assert state.bag.sum() == 100 - 4 * displays
    assert tiles_of(state).tolist() == [20] * 5
    assert tiles_in(state.lid) == ""
    assert scores_of(position) == [0] * num_players
    for seat in range(num_players):
        assert lines_of(position, seat) == list(NO_LINES)
        assert wall_of(position, seat) == list(FREE_WALL)
        assert floor_of(position, seat) == ""
    assert state.round_number == 1
    assert position.player == state.starting_player
    assert not position.over


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_az1_tiles_come_from_the_bag_at_random(num_players):
    game = load_game("azul", num_players=num_players)
    for seed in range(10):
        dice = Dice.from_seed(seed)
        position = Position.new(game, seed)
        assert position.player == dice.below(num_players)
        assert displays_of(position)[:-1] == deal(dice, "", game.num_players)[0]


def test_az1_an_option_fixes_the_starting_seat():
    for seat in range(4):
        game = load_game("azul", num_players=4, starting_player=seat)
        assert {Position.new(game, seed).player for seed in range(20)} == {seat}


def test_az1_a_random_player_gets_the_marker():
    game = load_game("azul", num_players=4)
    starters = [Position.new(game, seed).player for seed in range(40)]
    assert set(starters) == {0, 1, 2, 3}


def deal(dice, lid, num_players, bag=20 * LETTERS):
    """Deal tiles by hand; return displays, bag and lid."""
    bag, lid, displays = sorted(bag, key=LETTERS.index), list(lid), []
    for _ in range(2 * num_players + 1):
        display = ""
        for _ in range(4):
            if not bag:
                bag, lid = sorted(lid, key=LETTERS.index), []
            if bag:
                display += bag.pop(dice.below(len(bag)))
        displays.append("".join(sorted(display, key=LETTERS.index)))
    return displays, "".join(bag), "".join(lid)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_az2_the_marker_is_in_the_centre_and_its_owner_begins(seat):
    game = load_game("azul", num_players=3, starting_player=seat)
    position = Position.new(game, 1)
    assert position.player == seat
    assert position.states[0].marker_owner == NONE
    assert "centre: empty 1" in str(position)


def test_az2_all_tiles_of_a_color_from_a_display_and_the_rest_to_the_centre():
    position = set_up(displays=("byyw", "rrrr"), centre="ww")
    play(position, "display 1, yellow, line 3")
    assert lines_of(position, 0) == ["", "", "yy", "", ""]
    assert displays_of(position)[:2] == ["", "rrrr"]
    assert displays_of(position)[-1] == "bwww"
    assert floor_of(position, 0) == ""
    assert position.states[0].marker_owner == NONE


def test_az2_all_tiles_of_a_color_from_the_centre():
    position = set_up(displays=("byyw",), centre="byyyr", marker_owner=1)
    play(position, "centre, yellow, line 4")
    assert lines_of(position, 0) == ["", "", "", "yyy", ""]
    assert displays_of(position)[0] == "byyw"
    assert displays_of(position)[-1] == "br"


def test_az2_what_is_on_offer_can_be_taken_and_nothing_else():
    mine = ("byr..", "wby..", "kwb..", "rkw..", ".....")
    position = set_up(displays=("", "bbkk"), centre="w", walls={0: mine})
    assert legal(position) == {
        "display 2, blue, line 4",
        "display 2, blue, line 5",
        "display 2, blue, floor",
        "display 2, black, line 1",
        "display 2, black, line 2",
        "display 2, black, line 5",
        "display 2, black, floor",
        "centre, white, line 1",
        "centre, white, line 5",
        "centre, white, floor",
    }


def test_az2_play_is_clockwise():
    position = set_up(num_players=3, player=1, displays=("bbbb", "yyyy", "rrrr", "k"))
    for seat, words in (
        (1, "display 1, blue, floor"),
        (2, "display 2, yellow, line 5"),
        (0, "display 3, red, line 4"),
    ):
        assert position.player == seat
        play(position, words)
    assert position.player == 1
    assert lines_of(position, 2) == ["", "", "", "", "yyyy"]
    assert lines_of(position, 0) == ["", "", "", "rrrr", ""]


def test_az3_first_from_the_centre_takes_the_marker():
    position = set_up(centre="bbyk", floors={0: "r", 1: "w"}, num_players=3, player=1)
    play(position, "centre, blue, line 1")
    assert floor_of(position, 1) == "w1b"  # the marker lies before what did not fit
    assert position.states[0].marker_owner == 1
    play(position, "centre, yellow, line 1")
    assert floor_of(position, 2) == ""
    assert position.states[0].marker_owner == 1


def test_az3_taking_from_displays_leaves_the_marker():
    position = set_up(displays=("bbbb", "yyyy"), centre="k")
    play(position, "display 1, blue, floor", "display 2, yellow, floor")
    assert position.states[0].marker_owner == NONE
    play(position, "centre, black, line 1")
    assert position.states[0].starting_player == 0


def test_az3_the_marker_on_a_full_floor_is_theirs_and_costs_nothing():
    position = set_up(
        num_players=3, player=2, centre="by", floors={2: "rrrrrrr"}, scores=(0, 0, 20)
    )
    play(position, "centre, blue, line 2")
    state = position.states[0]
    assert floor_of(position, 2) == "rrrrrrr"
    assert state.marker_owner == 2
    play(position, "centre, yellow, line 2")
    assert scores_of(position) == [0, 0, 20 - 14]
    assert tiles_in(state.lid) == "rrrrrrr"
    assert state.round_number == 2
    assert position.player == state.starting_player == 2


def test_az3_the_marker_can_take_the_last_space():
    position = set_up(centre="bby", floors={0: "rrrrrr"})
    play(position, "centre, blue, line 1")
    assert floor_of(position, 0) == "rrrrrr1"
    assert tiles_in(position.states[0].lid) == "b"


def test_az4_a_line_holds_as_many_tiles_as_its_number():
    for line in range(1, 6):
        position = set_up(displays=("bbbb", "bb", "y"), floors={})
        play(position, f"display 1, blue, line {line}", "display 3, yellow, floor")
        expected: list[str] = list(NO_LINES)
        expected[line - 1] = "b" * min(line, 4)
        assert lines_of(position, 0) == expected
        assert floor_of(position, 0) == "b" * max(0, 4 - line)


def test_az4_one_color_in_a_line():
    position = set_up(displays=("bbyy",), lines={0: ("", "b", "bb", "yyy", "r")})
    assert legal(position) == {
        "display 1, blue, line 1",
        "display 1, blue, line 2",
        "display 1, blue, line 3",
        "display 1, blue, floor",
        "display 1, yellow, line 1",
        "display 1, yellow, line 4",
        "display 1, yellow, floor",
    }


def test_az4_a_complete_line_takes_no_more():
    position = set_up(displays=("b",), lines={0: ("b", "bb", "bbb", "", "")})
    assert legal(position) == {
        "display 1, blue, line 4",
        "display 1, blue, line 5",
        "display 1, blue, floor",
    }


def test_az4_tiles_are_added_to_those_in_the_line():
    position = set_up(displays=("bbbb", "y"), lines={0: ("", "", "bb")})
    play(position, "display 1, blue, line 3")
    assert lines_of(position, 0)[2] == "bbb"
    assert floor_of(position, 0) == "bbb"


@pytest.mark.parametrize("side", SIDES)
def test_az4_not_where_the_row_of_the_wall_holds_the_color(side):
    mine = ("b....", ".....", "..b..", ".....", "....b")
    side_lines = {"display 1, blue, line 2", "display 1, blue, line 4", LAST_TO_FLOOR}
    position = set_up(wall=side, displays=LAST, walls={0: mine})
    assert legal(position) == side_lines
    position = set_up(wall=side, displays=LAST, walls={1: mine})
    assert len(legal(position)) == 6  # an opponent's wall does not matter


def test_az5_the_excess_goes_to_the_floor():
    position = set_up(displays=("bbbb", "y"), floors={0: "r"})
    play(position, "display 1, blue, line 1")
    assert lines_of(position, 0)[0] == "b"
    assert floor_of(position, 0) == "rbbb"


def test_az5_straight_to_the_floor_is_always_legal():
    position = set_up(displays=("byyw", "k"), floors={0: "rrrrrrr"})
    assert "display 1, yellow, floor" in legal(position)
    position = set_up(displays=("byyw", "k"), floors={0: "r"})
    play(position, "display 1, yellow, floor")
    assert floor_of(position, 0) == "ryy"
    assert lines_of(position, 0) == list(NO_LINES)


@pytest.mark.parametrize(("line", "lid"), [("floor", "bb"), ("line 1", "b")])
def test_az5_beyond_seven_tiles_go_to_the_lid(line, lid):
    position = set_up(displays=("bbbb", "y"), floors={0: "rr1rr"}, marker_owner=0)
    play(position, f"display 1, blue, {line}")
    assert floor_of(position, 0) == "rr1rrbb"
    assert tiles_in(position.states[0].lid) == lid


def test_az6_the_offer_ends_when_displays_and_centre_are_empty():
    position = set_up(displays=("bbyy", "k"), lines={1: ("w",)})
    state = position.states[0]
    play(position, "display 1, blue, line 2", "display 2, black, line 5")
    assert state.round_number == 1
    assert lines_of(position, 0) == ["", "bb", "", "", ""]
    assert lines_of(position, 1) == ["w", "", "", "", "k"]
    play(position, "centre, yellow, line 3")
    assert state.round_number == 2
    assert lines_of(position, 0) == ["", "", "yy", "", ""]
    assert wall_of(position, 0)[1] == ".b..."
    assert wall_of(position, 1)[0] == "....w"


@pytest.mark.parametrize("started", [0, 1, 2])
def test_az6_the_same_player_starts_again_if_nobody_took_from_the_centre(started):
    position = set_up(num_players=3, started=started, player=1, displays=("bbbb", "rr"))
    play(position, "display 2, red, floor", "display 1, blue, line 4")
    assert position.states[0].round_number == 2
    assert position.player == position.states[0].starting_player == started
    assert position.states[0].marker_owner == NONE


def test_az7_complete_lines_are_tiled_and_others_stay():
    lines = {0: ("y", "r", "kkk", "", "wwwww"), 1: ("", "bb", "")}
    position = set_up(displays=LAST, lines=lines)
    play(position, LAST_TO_FLOOR)
    assert wall_of(position, 0) == [".y...", ".....", "k....", ".....", "...w."]
    assert wall_of(position, 1) == [".....", ".b...", ".....", ".....", "....."]
    assert lines_of(position, 0) == ["", "r", "", "", ""]
    assert lines_of(position, 1) == list(NO_LINES)
    # Two black, four white, a blue one of seat 1, a blue one from the floor.
    assert tiles_in(position.states[0].lid) == "bbkkwwww"
    assert tiles_of(position.states[0]).tolist() == [20] * 5


def test_az7_from_top_to_bottom_each_tile_scores_at_once():
    # Blue scores 1, then white 3; from the bottom up they would score 3 and 2.
    position = set_up(
        displays=LAST, lines={0: ("b", "ww")}, walls={0: (".....", ".....", "k....")}
    )
    play(position, "display 1, blue, line 5")
    assert scores_of(position) == [1 + 3, 0]


@pytest.mark.parametrize("color", range(5))
def test_az8_the_pattern_of_the_wall(color):
    letter = LETTERS[color]
    lines = [letter * room for room in range(1, 6)]
    displays = ("y",) if letter == "b" else LAST
    position = set_up(displays=displays, lines={0: lines})
    play(position, sorted(legal(position))[0])
    picture = ["".join(x if x == letter else "." for x in row) for row in PATTERN]
    assert wall_of(position, 0) == picture
    for row in range(5):
        assert picture[row][(row + color) % 5] == letter


@pytest.mark.parametrize(
    ("picture", "points"),
    [
        (("*....",), 1),  # alone
        ((".....", ".r.r.", "..*..", ".r.r."), 1),  # corners do not count
        (("b.*.w", ".....", "..r.."), 1),  # nor does what lies beyond a gap
        (("b*...",), 2),
        ((".*yrw",), 4),
        (("w....", "*...."), 2),
        ((".....", "...*.", "...w.", "...b."), 3),
        (("..b..", "..y..", "..*..", "..r..", "..w.."), 5),
        (("b....", "*w..."), 2 + 2),
        (("..b..", "yr*.w", "....."), 2 + 3),
        (("..b..", "..y..", "bw*r.", "..r..", "..w.."), 4 + 5),
    ],
)
def test_az9_the_runs_through_a_tile(picture, points):
    row = ["*" in spaces for spaces in picture].index(True)
    column = picture[row].index("*") + 1
    position = set_up(
        wall="grey",
        displays=LAST,
        lines={0: [*[""] * row, "k" * (row + 1)]},
        walls={0: [spaces.replace("*", ".") for spaces in picture]},
        scores=(10, 0),
    )
    play(position, LAST_TO_FLOOR, f"column {column}")
    assert scores_of(position)[0] == 10 + points - 1  # for the tile on the floor


def test_az9_a_tile_scores_ten_at_most():
    wall = (*PATTERN[:2], "kw.yr", *PATTERN[3:])
    position = set_up(displays=("w",), lines={0: ("", "", "bbb")}, walls={0: wall})
    play(position, "display 1, white, floor")
    bonuses = 5 * 2 + 5 * 7 + 5 * 10
    assert scores_of(position)[0] == 10 - 1 + bonuses


@pytest.mark.parametrize(
    ("things", "cost"),
    [(0, 0), (1, 1), (2, 2), (3, 4), (4, 6), (5, 8), (6, 11), (7, 14)],
)
def test_az10_what_the_spaces_of_the_floor_line_cost(things, cost):
    position = set_up(
        displays=("w",), player=1, floors={0: "r" * things}, scores=(20, 20)
    )
    play(position, "display 1, white, line 5")
    assert scores_of(position) == [20 - cost, 20]
    assert floor_of(position, 0) == ""
    assert tiles_in(position.states[0].lid) == "r" * things


@pytest.mark.parametrize("floor", ["1rryw", "rr1yw", "rryw1"])
def test_az10_four_tiles_and_the_marker_cost_8(floor):
    position = set_up(displays=LAST, marker_owner=1, floors={1: floor}, scores=(0, 9))
    play(position, "display 1, blue, line 5")
    assert scores_of(position) == [0, 1]
    assert tiles_in(position.states[0].lid) == "yrrw"  # the marker is no tile
    assert position.player == position.states[0].starting_player == 1
    assert floor_of(position, 1) == ""


def test_az10_a_score_never_falls_below_0():
    position = set_up(displays=LAST, floors={0: "rrrrrrr", 1: "w"}, scores=(13, 0))
    play(position, LAST_TO_FLOOR)
    assert scores_of(position) == [0, 0]


def test_az10_is_paid_after_all_lines_have_scored():
    position = set_up(displays=LAST, lines={0: ("y", "", "", "", "wwwww")})
    play(position, LAST_TO_FLOOR)
    assert scores_of(position) == [2 - 1, 0]  # not 1 by paying first, or in between


def test_az11_the_owner_of_the_marker_refills_and_starts():
    position = set_up(num_players=4, centre="kb", player=2, started=1, round_number=6)
    play(position, "centre, black, line 5", "centre, blue, line 4")
    state = position.states[0]
    assert state.round_number == 7
    assert position.player == state.starting_player == 2
    assert state.marker_owner == NONE
    assert [len(tiles) for tiles in displays_of(position)] == [4] * 9 + [0]
    assert lines_of(position, 2)[4] == "k"
    assert lines_of(position, 3)[3] == "b"
    assert state.bag.sum() == 100 - 2 - 36
    assert tiles_of(state).tolist() == [20] * 5


def round_from(bag, lid, num_players=2):
    """Return a new round that began with this bag and lid, and the deal by hand."""
    position = set_up(num_players=num_players, displays=LAST, bag=bag, lid=lid)
    dice = Dice(int(position.states[0].rng))
    play(position, "display 1, blue, line 5")
    assert int(position.states[0].rng) != dice.stream
    return position, deal(dice, lid, num_players, bag)


@pytest.mark.parametrize(
    ("bag", "lid", "left_in_bag"),
    [
        (LETTERS * 4, "yyyyy", 0),  # just enough: the lid waits
        (LETTERS * 5, "yyyyy", 5),
        ("brrwww", "byyyyyykkkkkkwwwbbb", 5),  # in the middle of the second display
        ("", LETTERS * 5, 5),  # at once
        ("bbbbbbbb", "wwwwwwwwwwwwww", 2),  # between two displays
    ],
)
def test_az11_the_lid_goes_into_the_bag_when_it_is_empty(bag, lid, left_in_bag):
    position, (displays, bag_after, lid_after) = round_from(bag, lid)
    state = position.states[0]
    assert displays_of(position) == [*displays, ""]
    assert tiles_in(state.bag) == bag_after
    assert tiles_in(state.lid) == lid_after
    assert len(bag_after) == left_in_bag
    assert set("".join(displays[: len(bag) // 4])) <= set(bag)


def test_az11_the_round_starts_with_what_there_is():
    position, (displays, _, _) = round_from("kkk", "rr")
    assert displays_of(position) == [*displays, ""]
    assert [len(tiles) for tiles in displays] == [4, 1, 0, 0, 0]
    assert displays[0].count("k") == 3
    assert tiles_in(position.states[0].bag) == tiles_in(position.states[0].lid) == ""
    assert not position.over
    assert {words.split(",")[0] for words in legal(position)} <= {
        "display 1",
        "display 2",
    }


def test_az11_one_tile_is_enough_to_go_on():
    position = set_up(displays=LAST, bag="")
    play(position, LAST_TO_FLOOR)
    assert not position.over
    assert displays_of(position) == ["b", "", "", "", "", ""]


@pytest.mark.parametrize("side", SIDES)
def test_az11_with_no_tile_at_all_the_game_ends(side):
    position = set_up_with_one_tile_left(wall=side)
    play(position, "display 1, red, line 5")
    state = position.states[0]
    assert position.terminated
    assert not position.truncated
    assert legal(position) == set()
    # All columns lack at least one tile, and each color is somewhere in a line.
    assert scores_of(position) == [30, 40, 30, 20]
    assert position.rewards == pytest.approx([-1 / 3, 1, -1 / 3, -1 / 3])
    assert not state.sources.any()
    assert tiles_of(state).tolist() == [20] * 5


@pytest.mark.parametrize("side", SIDES)
def test_az11_with_no_tile_at_all_no_other_round_begins(side):
    position = set_up_with_one_tile_left(wall=side)
    play(position, "display 1, red, line 5")
    assert position.player == 3  # who moved last
    assert position.states[0].round_number == 8
    assert str(position).startswith("The game is over after 8 rounds.")


def test_az11_with_no_tile_at_all_there_are_bonuses():
    column = ("b....", "w....", "k....", "r....", "y....")
    color = ("b....", ".b...", "..b..", "...b.", "....b")
    position = set_up(
        num_players=3,
        displays=("y",),
        bag="",
        walls={1: column, 2: color},
        scores=(5, 2, 3),
    )
    play(position, "display 1, yellow, line 2")
    assert position.terminated
    assert scores_of(position) == [5, 2 + 7, 3 + 10]
    assert position.rewards == pytest.approx([-0.5, -0.5, 1])


@pytest.mark.parametrize("started", [0, 1])
def test_az12_the_game_ends_after_the_wall_tiling_with_a_complete_row(started):
    position = set_up(
        started=started,
        displays=LAST,
        walls={0: (".yrkw",)},
        lines={1: ("", "rr")},
        scores=(10, 10),
    )
    stream = int(position.states[0].rng)
    play(position, "display 1, blue, line 1")
    assert position.terminated
    assert not position.truncated
    assert wall_of(position, 0)[0] == "byrkw"
    assert wall_of(position, 1)[1] == "...r."
    assert scores_of(position) == [10 + 5 + 2, 10 + 1]
    assert legal(position) == set()
    assert position.player == 0  # who moved last
    assert int(position.states[0].rng) == stream  # nothing has been dealt
    assert str(position).startswith(
        "The game is over after 1 round. player_0 wins with 17 points and 1 complete"
    )
    with pytest.raises(IllegalActionError, match="the game is over"):
        play(position, LAST_TO_FLOOR)


def test_az12_a_row_completed_by_two_players_in_one_round():
    position = set_up(
        num_players=3,
        displays=LAST,
        walls={0: (".yrkw",), 2: ("byrkw"[:-1] + ".",)},
        lines={0: ("b",), 2: ("w",)},
        scores=(0, 1, 2),
        player=1,
    )
    play(position, "display 1, blue, line 5")
    assert position.terminated
    assert scores_of(position) == [5 + 2, 1, 2 + 5 + 2]


@pytest.mark.parametrize(
    ("rows", "bonus"),
    [
        (("byrkw",), 2),
        (("byrkw", ".....", "kwbyr"), 2 * 2),
        (("byrkw", "w....", "k....", "r....", "y...."), 2 + 7),
        (("byrkw", "wb...", "kw...", "rk...", "yr..."), 2 + 2 * 7),
        (("byrkw", ".b...", "..b..", "...b.", "....b"), 2 + 10),
        (("byrkw", ".by..", "..by.", "...by", "y...b"), 2 + 2 * 10),
        (("byrkw", "wb...", "k.b..", "r..b.", "y...b"), 2 + 7 + 10),
        (("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkw."), 4 * 2 + 4 * 7 + 4 * 10),
        (PATTERN, 5 * 2 + 5 * 7 + 5 * 10),
    ],
)
def test_az12_bonuses_for_rows_columns_and_colors(rows, bonus):
    position = set_up(displays=("w",), player=1, walls={0: rows}, scores=(3, 4))
    play(position, "display 1, white, line 5")
    assert position.terminated
    assert scores_of(position) == [3 + bonus, 4]


def test_az12_bonuses_go_to_everybody_and_come_after_the_penalties():
    color = ("b....", ".b...", "..b..", "...b.", "....b")
    position = set_up(
        displays=("y",),
        walls={0: ("byrkw",), 1: color},
        floors={0: "rrrrrr", 1: "r"},
        scores=(3, 1),
        player=1,
    )
    play(position, "display 1, yellow, line 5")
    assert scores_of(position) == [0 + 2, 0 + 10]


def test_az12_columns_and_colors_do_not_end_the_game():
    column = ("b....", "w....", "k....", "r....", "y....")
    color = ("b....", ".b...", "..b..", "...b.", "....b")
    position = set_up(displays=LAST, walls={0: column, 1: color}, scores=(5, 5))
    play(position, "display 1, blue, line 5")
    assert not position.over
    assert scores_of(position) == [5, 5]


def finished(scores, rows, **options):
    """Return a finished game; ``scores`` are without bonuses, ``rows`` complete."""
    position = set_up(
        num_players=len(scores),
        displays=("w",),
        player=rows.index(0),
        walls={seat: PATTERN[:count] for seat, count in enumerate(rows)},
        scores=scores,
        **options,
    )
    play(position, "display 1, white, line 5")
    assert position.terminated
    return position


@pytest.mark.parametrize(
    ("scores", "rows", "winners"),
    [
        ((1, 9, 2), (1, 0, 0), [1]),  # most points, not who ended the game
        ((5, 8), (1, 0), [1]),  # rows do not beat points
        ((12, 10, 14), (1, 2, 0), [1]),  # 14 points each: most rows
        ((7, 9, 6, 7), (1, 0, 1, 1), [0, 3]),  # 9 points three times, one row twice
        ((4, 6), (1, 0), [0]),
        ((2, 2, 0), (1, 1, 0), [0, 1]),
        ((0, 0, 2), (1, 1, 0), [0, 1]),
    ],
)
def test_az13_most_points_then_most_rows_then_shared(scores, rows, winners):
    position = finished(scores, rows)
    n, share = len(scores), 1 / len(winners)
    paid = [(n * share - 1) / (n - 1), -1 / (n - 1)]
    expected = [paid[0] if seat in winners else paid[1] for seat in range(n)]
    assert position.rewards == pytest.approx(expected)
    assert position.rewards.sum() == pytest.approx(0)
    names = " and ".join(f"player_{seat}" for seat in winners)
    assert f"{names} win" in str(position)


def test_az13_margin_pays_the_lead_over_the_mean_of_the_others():
    position = finished((1, 9, 2), (1, 0, 0), reward="margin")
    assert scores_of(position) == [3, 9, 2]
    assert position.rewards == pytest.approx([-0.025, 0.065, -0.04])
    assert finished((7, 4), (1, 0), reward="margin").rewards.tolist() == [0.05, -0.05]


def test_az_v1_the_player_chooses_the_column():
    position = set_up(
        wall="grey",
        displays=LAST,
        lines={0: ("", "yy")},
        walls={0: ("y....", ".r...", "..y..")},
    )
    play(position, "display 1, blue, line 5")
    assert position.player == 0
    # Columns 1 and 3 hold yellow already, and the space in column 2 is taken.
    assert legal(position) == {"column 4", "column 5"}
    before = position.states.tobytes()
    for refused in ("column 1", "column 2", "column 3", LAST_TO_FLOOR):
        with pytest.raises(IllegalActionError):
            play(position, refused)
    assert position.states.tobytes() == before
    play(position, "column 4")
    assert wall_of(position, 0)[1] == ".r.y."
    assert tiles_in(position.states[0].lid) == "y"
    assert position.states[0].round_number == 2
    assert not legal(position) & COLUMNS


def test_az_v1_line_by_line_from_top_to_bottom_scoring_at_once():
    lines = {0: ("", "yy", "kkk")}
    walls = {0: ("b....", ".r...")}
    position = set_up(wall="grey", displays=LAST, lines=lines, walls=walls)
    play(position, "display 1, blue, line 5")
    assert "line 2" in str(position)
    play(position, "column 1")
    assert scores_of(position) == [2 + 2, 0]
    assert "line 3" in str(position)
    assert legal(position) == COLUMNS
    play(position, "column 1")
    assert scores_of(position) == [4 + 3, 0]
    assert position.states[0].round_number == 2


def test_az_v1_no_color_twice_in_a_column():
    lines = {0: ("r", "rr", "rrr")}
    position = set_up(wall="grey", displays=LAST, lines=lines)
    play(position, "display 1, blue, line 5", "column 4")
    assert legal(position) == COLUMNS - {"column 4"}
    play(position, "column 2")
    assert legal(position) == COLUMNS - {"column 2", "column 4"}
    play(position, "column 5")
    assert wall_of(position, 0)[:3] == ["...r.", ".r...", "....r"]


def test_az_v1_a_single_column_is_asked_for_all_the_same():
    position = set_up(
        wall="grey", displays=LAST, lines={0: ("w",)}, walls={0: ("byrk.",)}
    )
    play(position, LAST_TO_FLOOR)
    assert legal(position) == {"column 5"}
    play(position, "column 5")
    assert position.terminated
    assert scores_of(position) == [5 - 1 + 2, 0]


NO_SPACE = ("w....", ".w...", "..byr")  # row 3 is free where white stands already


def test_az_v1_without_a_legal_space_the_tiles_go_to_the_floor():
    position = set_up(
        wall="grey",
        displays=LAST,
        lines={0: ("", "", "www")},
        walls={0: NO_SPACE},
        scores=(10, 10),
    )
    play(position, "display 1, blue, line 5")
    assert position.states[0].round_number == 2  # nobody has been asked
    assert scores_of(position) == [10 - 4, 10]
    assert lines_of(position, 0) == ["", "", "", "", "b"]
    assert wall_of(position, 0) == [*NO_SPACE, ".....", "....."]
    assert tiles_in(position.states[0].lid) == "www"
    assert tiles_of(position.states[0]).tolist() == [20] * 5


def test_az_v1_without_a_legal_space_and_room_on_the_floor_the_lid_gets_them():
    position = set_up(
        wall="grey",
        marker_owner=0,
        displays=LAST,
        lines={0: ("k", "", "www"), 1: ("r",)},
        walls={0: NO_SPACE},
        floors={0: "1rrrr"},
        scores=(20, 20),
    )
    play(position, "display 1, blue, line 5")
    assert floor_of(position, 0) == "1rrrr"  # the line above comes first
    play(position, "column 3")
    assert scores_of(position)[0] == 20 + 1 - 14
    assert tiles_in(position.states[0].lid) == "rrrrwww"
    assert position.player == 1
    assert tiles_of(position.states[0]).tolist() == [20] * 5


def test_az_v1_players_tile_and_pay_one_after_the_other():
    position = set_up(
        num_players=3,
        wall="grey",
        started=2,
        player=0,
        displays=LAST,
        lines={0: ("y",), 1: ("r", "kk"), 2: ("w",)},
        floors={0: "k", 1: "k", 2: "k"},
        scores=(5, 5, 5),
    )
    play(position, "display 1, blue, line 5")
    asked = []
    while legal(position) & COLUMNS:
        asked.append((position.player, scores_of(position)))
        play(position, "column 3")
    assert asked == [
        (2, [5, 5, 5]),
        (0, [5, 5, 5]),
        (1, [5, 5, 5]),  # seats 2 and 0 have scored 1 and paid 1
        (1, [5, 6, 5]),
    ]
    assert scores_of(position) == [5, 6 + 2 - 1, 5]
    assert position.player == position.states[0].starting_player == 2
    assert position.states[0].round_number == 2


def test_az_v1_the_game_ends_when_all_have_tiled():
    position = set_up(
        wall="grey",
        displays=LAST,
        lines={0: ("w",), 1: ("w",)},
        walls={0: ("byrk.",)},
    )
    play(position, "display 1, blue, line 5", "column 5")
    assert not position.over
    assert position.player == 1
    play(position, "column 1")
    assert position.terminated
    assert scores_of(position) == [5 + 2, 1]


def test_az_v1_bonuses_wherever_the_tiles_stand():
    wall = ("brkyw", "..b..", ".b...", "....b", "...b.")
    position = set_up(wall="grey", displays=LAST, walls={0: wall}, scores=(1, 0))
    play(position, LAST_TO_FLOOR)
    assert position.terminated
    assert scores_of(position) == [0 + 2 + 10, 0]


@pytest.mark.parametrize("side", SIDES)
def test_max_rounds_truncates_after_the_tiling(side):
    position = set_up(
        wall=side,
        max_rounds=7,
        round_number=7,
        displays=LAST,
        walls={0: ("b....", "w....", "k....", "r....")},
        lines={0: ("", "", "", "", "yyyyy")},
    )
    stream = int(position.states[0].rng)
    play(position, LAST_TO_FLOOR, *["column 1"] * (side == "grey"))
    assert position.truncated
    assert not position.terminated
    assert scores_of(position) == [5 - 1, 0]  # no bonus for the column
    assert position.rewards.tolist() == [0, 0]
    assert legal(position) == set()
    assert int(position.states[0].rng) == stream
    assert str(position).startswith("The game was cut short after 7 rounds")


def test_a_complete_row_in_the_last_round_goes_before_truncation():
    position = set_up(max_rounds=1, displays=LAST, walls={0: PATTERN[:1]})
    play(position, LAST_TO_FLOOR)
    assert position.terminated
    assert not position.truncated


def test_running_out_of_tiles_goes_before_truncation():
    position = set_up(max_rounds=1, displays=LAST, bag="")
    play(position, "display 1, blue, line 5")
    assert position.terminated
    assert not position.truncated


def test_without_a_cap_rounds_go_on():
    position = set_up(max_rounds=None, displays=LAST, round_number=10**9)
    play(position, LAST_TO_FLOOR)
    assert not position.over
    assert position.states[0].round_number == 10**9 + 1


def test_the_rules_accept_no_action_once_the_game_is_over():
    position = finished((1, 2), (1, 0))
    before = position.states.tobytes()
    assert position.game.loops.step_all(position.states, np.array([5])) == -1
    assert position.states.tobytes() == before
    assert not position.action_mask().any()


@pytest.mark.parametrize("make", [azul_v0.env, azul_v0.raw_env])
def test_the_environments_take_the_options_of_the_game(make):
    env = make(num_players=3, wall="grey", render_mode="ansi")
    env.reset(seed=1)
    assert len(env.agents) == 3
    assert env.unwrapped.game.options["wall"] == "grey"
    assert "player_" in env.render()
