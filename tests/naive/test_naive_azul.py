"""The Azul oracle against the rule sheet, rule by rule."""

import random

import pytest

from .azul import COLOURS, MARKER, WALLS, Azul, Floor, Line, Wall, tile_score
from .dice import Dice

BLUE, YELLOW, RED, BLACK, WHITE = range(5)

# Letters of the colours in pictures of walls; "." is a free space.
LETTERS = "byrkw"

FREE = "....."


def position(num_players: int = 2, colour_side: str = "colored", **board) -> Azul:
    """Sets up a position with seat 0 to decide unless told otherwise."""
    game = Azul(0, num_players, wall=colour_side, starting_player=0)
    game.set_up(**board)
    return game


def tiles(letters: str) -> list[int]:
    """Counts the tiles of a word such as "bbyk"."""
    return [letters.count(letter) for letter in LETTERS]


def wall(*rows: str) -> Wall:
    """Reads the picture of a wall; rows left out at the bottom are free."""
    rows += (FREE,) * (5 - len(rows))
    return [[None if x == "." else LETTERS.index(x) for x in row] for row in rows]


def lines(*words: str) -> list[Line]:
    """Reads pattern lines such as "", "bb", "r"; those left out are empty."""
    words += ("",) * (5 - len(words))
    return [(LETTERS.index(w[0]), len(w)) if w else (None, 0) for w in words]


def picture(wall: Wall) -> list[str]:
    """Draws a wall the way `wall()` reads it."""
    return ["".join("." if x is None else LETTERS[x] for x in row) for row in wall]


def finish(game: Azul, line: str = "floor") -> None:
    """Plays the one blue tile that the offer is still about."""
    game.play(f"display 1, blue, {line}")


# A display with the one tile that ends the round, for `finish`.
LAST = [tiles("b")]


@pytest.mark.parametrize(("num_players", "displays"), [(2, 5), (3, 7), (4, 9)])
def test_az1_setup(num_players: int, displays: int):
    game = Azul(3, num_players)
    assert len(game.displays) == displays
    assert all(sum(display) == 4 for display in game.displays)
    assert sum(game.bag) == 100 - 4 * displays
    assert game.tiles() == [20] * 5
    assert game.scores == [0] * num_players
    assert game.lid == game.centre == [0] * 5
    assert game.round == 1
    assert game.phase == "offer"
    assert game.marker_owner is None
    assert game.player == game.starting_player


def test_az1_random_seat_and_fixed_seat():
    starters = set()
    for seed in range(50):
        game = Azul(seed, 3)
        assert game.starting_player == Dice.from_seed(seed).below(3)
        starters.add(game.starting_player)
        assert Azul(seed, 3, starting_player=2).player == 2
    assert starters == {0, 1, 2}


def sorted_bag(counts: list[int]) -> list[int]:
    """Lays the tiles of a bag in a row, sorted by colour."""
    return [colour for colour in range(5) for _ in range(counts[colour])]


def test_az1_draws_replayed_by_hand():
    for seed in range(20):
        dice = Dice.from_seed(seed)
        assert dice.below(4) == Azul(seed, 4).starting_player
        bag = sorted_bag([20] * 5)
        for display in Azul(seed, 4).displays:
            drawn = [bag.pop(dice.below(len(bag))) for _ in range(4)]
            assert display == [drawn.count(colour) for colour in range(5)]
        assert Azul(seed, 4).bag == [bag.count(colour) for colour in range(5)]


def test_az1_a_fixed_seat_draws_nothing_for_it():
    dice = Dice.from_seed(9)
    bag = sorted_bag([20] * 5)
    drawn = [bag.pop(dice.below(len(bag))) for _ in range(4)]
    game = Azul(9, 2, starting_player=1)
    assert game.displays[0] == [drawn.count(colour) for colour in range(5)]


@pytest.mark.parametrize(
    "wrong",
    [{"num_players": 1}, {"num_players": 5}, {"wall": "white"}, {"starting_player": 2}],
)
def test_az1_no_such_game(wrong: dict):
    with pytest.raises(ValueError, match="no such"):
        Azul(0, **wrong)


def test_az2_all_of_one_colour_from_a_display():
    game = position(displays=[tiles("byyw"), tiles("rrrr")])
    game.play("display 1, yellow, line 3")
    assert game.lines[0] == lines("", "", "yy")
    assert game.displays[0] == tiles("")
    assert game.displays[1] == tiles("rrrr")
    assert game.centre == tiles("bw")
    assert game.player == 1
    assert game.marker_owner is None
    assert game.tiles() == [20] * 5


def test_az2_all_of_one_colour_from_the_centre():
    game = position(displays=[tiles("byyw")], centre=tiles("yyyrb"))
    game.play("centre, yellow, line 4")
    assert game.lines[0] == lines("", "", "", "yyy")
    assert game.displays[0] == tiles("byyw")
    assert game.centre == tiles("rb")
    assert game.player == 1


def test_az2_actions_by_name():
    full = wall("byrkw", "wbyrk", "kwbyr", "rkwby")
    game = position(
        displays=[tiles(""), tiles("bbkk")],
        centre=tiles("w"),
        walls=[full, wall()],
        lines=[lines("", "", "", "", "b"), lines()],
    )
    assert game.legal() == {
        "display 2, blue, floor",
        "display 2, blue, line 5",
        "display 2, black, floor",
        "centre, white, floor",
    }


def test_az2_clockwise():
    game = position(3, player=2, displays=[tiles("bbbb"), tiles("yyyy"), tiles("r")])
    game.play("display 1, blue, line 5")
    assert game.player == 0
    game.play("display 2, yellow, line 5")
    assert game.player == 1


def test_az2_illegal_actions_are_refused():
    game = position(displays=[tiles("byyw")])
    for action in ("display 1, red, floor", "display 2, blue, floor", "column 1"):
        with pytest.raises(ValueError, match="not legal"):
            game.play(action)


def test_az3_the_marker_goes_to_the_leftmost_free_space():
    game = position(centre=tiles("bbyk"), floors=[[RED], [WHITE]])
    game.play("centre, blue, line 1")
    # The marker first, then the tile too many.
    assert game.floors == [[RED, MARKER, BLUE], [WHITE]]
    assert game.marker_owner == 0
    game.play("centre, yellow, line 1")
    assert game.floors == [[RED, MARKER, BLUE], [WHITE]]
    assert game.marker_owner == 0


def test_az3_the_owner_starts_the_next_round():
    game = position(3, centre=tiles("bk"), displays=[tiles("b")])
    game.play("display 1, blue, floor")
    game.play("centre, black, floor")
    game.play("centre, blue, floor")
    assert game.round == 2
    assert game.starting_player == game.player == 1
    assert game.marker_owner is None
    assert game.floors == [[], [], []]


def test_az3_the_marker_with_a_full_floor():
    floor: Floor = [RED] * 7
    game = position(centre=tiles("bbyk"), floors=[floor, []], scores=[20, 0])
    game.play("centre, blue, line 1")
    assert game.floors[0] == [RED] * 7
    assert game.marker_owner == 0
    assert game.lid == tiles("b")
    game.play("centre, yellow, floor")
    assert game.floors[1] == [YELLOW]
    game.play("centre, black, line 2")
    # All seven spaces cost 14; the blue tile on the wall scored 1.
    assert game.scores == [7, 0]
    assert game.starting_player == 0
    assert game.round == 2
    assert game.tiles() == [20] * 5


def test_az3_the_marker_takes_the_last_space():
    floor: Floor = [RED] * 6
    game = position(centre=tiles("bbyk"), floors=[floor, []])
    game.play("centre, blue, line 1")
    assert game.floors[0] == [*floor, MARKER]
    assert game.lid == tiles("b")


def test_az4_one_colour_a_line():
    game = position(
        displays=[tiles("bbyy")],
        lines=[lines("", "b", "bb", "yyy", "r"), lines()],
    )
    assert game.legal() == {
        "display 1, blue, floor",
        "display 1, blue, line 1",
        "display 1, blue, line 2",
        "display 1, blue, line 3",
        "display 1, yellow, floor",
        "display 1, yellow, line 1",
        "display 1, yellow, line 4",
    }


def test_az4_a_complete_line_takes_no_more():
    game = position(displays=[tiles("b")], lines=[lines("b", "bb", "bbb"), lines()])
    assert game.legal() == {
        "display 1, blue, floor",
        "display 1, blue, line 4",
        "display 1, blue, line 5",
    }


@pytest.mark.parametrize("side", WALLS)
def test_az4_not_where_the_wall_row_holds_the_colour(side: str):
    mine = wall("b....", FREE, "..b..", FREE, "....b")
    game = position(2, side, displays=[tiles("b")], walls=[mine, wall()])
    assert game.legal() == {
        "display 1, blue, floor",
        "display 1, blue, line 2",
        "display 1, blue, line 4",
    }
    game.set_up(player=1, displays=[tiles("b")], walls=[mine, wall()])
    assert len(game.legal()) == 6


def test_az5_the_excess_goes_to_the_floor():
    game = position(
        displays=[tiles("bbbb"), tiles("y")], lines=[lines("", "b"), lines()]
    )
    game.play("display 1, blue, line 2")
    assert game.lines[0] == lines("", "bb")
    assert game.floors[0] == [BLUE] * 3


def test_az5_straight_to_the_floor():
    game = position(displays=[tiles("byyw"), tiles("k")], floors=[[MARKER], []])
    game.play("display 1, yellow, floor")
    assert game.floors[0] == [MARKER, YELLOW, YELLOW]
    assert game.lines[0] == lines()


def test_az5_beyond_seven_into_the_lid():
    floor: Floor = [RED, RED, MARKER, RED, RED]
    for target, in_the_lid in (("floor", "bb"), ("line 1", "b")):
        game = position(
            marker_owner=0,
            displays=[tiles("bbbb"), tiles("y")],
            floors=[floor, []],
        )
        game.play(f"display 1, blue, {target}")
        assert game.floors[0] == [*floor, BLUE, BLUE]
        assert game.lid == tiles(in_the_lid)
        assert game.tiles() == [20] * 5


def test_az6_the_phase_ends_when_nothing_is_left():
    game = position(displays=[tiles("bbyy")])
    game.play("display 1, blue, line 2")
    assert game.round == 1
    assert game.lines[0] == lines("", "bb")
    game.play("centre, yellow, line 3")
    assert game.round == 2
    assert game.lines == [lines(), lines("", "", "yy")]


def test_az6_nobody_took_from_the_centre():
    game = position(3, player=0, starting_player=2, displays=LAST)
    finish(game)
    assert game.round == 2
    assert game.starting_player == game.player == 2
    assert game.marker_owner is None


def test_az7_complete_lines_move_and_others_stay():
    mine = lines("y", "r", "kkk", "", "wwwww")
    game = position(displays=LAST, lines=[mine, lines("", "bb")])
    finish(game)
    assert picture(game.walls[0]) == [".y...", FREE, "k....", FREE, "...w."]
    assert picture(game.walls[1]) == [FREE, ".b...", FREE, FREE, FREE]
    assert game.lines == [lines("", "r"), lines()]
    # Two black, four white, a blue one of seat 1 and one from the floor of seat 0.
    assert game.lid == [2, 0, 0, 2, 4]
    assert game.tiles() == [20] * 5


def test_az7_from_top_to_bottom():
    # Blue scores 1, then white a run of 3; from the bottom up it would be 2 and 3.
    game = position(
        displays=LAST,
        lines=[lines("b", "ww"), lines()],
        walls=[wall(FREE, FREE, "k...."), wall()],
    )
    finish(game, "line 5")
    assert picture(game.walls[0])[:3] == ["b....", "w....", "k...."]
    assert game.scores == [4, 0]


def test_az7_scores_before_penalties():
    # With penalties first the score would be 1 instead of 0.
    game = position(displays=LAST, lines=[lines("y"), lines()], floors=[[RED, RED], []])
    finish(game)
    assert game.scores == [0, 0]
    assert game.walls[0][0][1] == YELLOW


def test_az8_wall_pattern():
    rows = ["byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb"]
    for colour in range(5):
        game = position(
            lines=[[(colour, line + 1) for line in range(5)], lines()],
        )
        game.tile_walls()
        letter = LETTERS[colour]
        assert picture(game.walls[0]) == [
            "".join(letter if x == letter else "." for x in row) for row in rows
        ]


@pytest.mark.parametrize(
    ("row", "column", "points"),
    [
        # No neighbour; a corner does not count.
        (0, 4, 1),
        (1, 4, 1),
        (3, 4, 1),
        # A run in one direction only.
        (0, 0, 3),
        (0, 1, 2),
        (3, 2, 2),
        (4, 1, 3),
        (4, 4, 2),
        # Runs in both, at their ends and in their middle.
        (3, 0, 2 + 3),
        (1, 1, 3 + 3),
        (2, 2, 4 + 3),
    ],
)
def test_az9_score_of_a_tile(row: int, column: int, points: int):
    board = wall("..r..", "w.y..", "kw.y.", ".k...", "...w.")
    board[row][column] = BLUE
    assert tile_score(board, row, column) == points


def test_az9_at_most_ten():
    full = wall("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb")
    assert {tile_score(full, r, c) for r in range(5) for c in range(5)} == {10}


def test_az9_a_gap_ends_the_run():
    assert tile_score(wall("by.kw"), 0, 0) == 2
    assert tile_score(wall("b....", "w....", FREE, "r...."), 3, 0) == 1


@pytest.mark.parametrize(
    ("things", "cost"), list(enumerate((0, 1, 2, 4, 6, 8, 11, 14)))
)
def test_az10_penalties(things: int, cost: int):
    floor: Floor = [RED] * things
    game = position(floors=[floor, []], scores=[20, 20])
    game.tile_walls()
    assert game.scores == [20 - cost, 20]
    assert game.floors == [[], []]
    assert game.lid == [0, 0, things, 0, 0]


def test_az10_four_tiles_and_the_marker_cost_8():
    for place in range(5):
        floor: Floor = [RED, RED, YELLOW, WHITE]
        floor.insert(place, MARKER)
        game = position(marker_owner=1, floors=[[], floor], scores=[0, 9])
        game.tile_walls()
        assert game.scores == [0, 1]
        # The marker is no tile of the lid; it stays with its owner.
        assert game.lid == tiles("rryw")
        assert game.starting_player == 1


def test_az10_never_below_0():
    floor: Floor = [RED] * 7
    game = position(floors=[floor, [RED]], scores=[13, 0])
    game.tile_walls()
    assert game.scores == [0, 0]


def test_az11_next_round():
    game = position(4, round=6, starting_player=1, displays=LAST, player=3)
    finish(game, "line 5")
    assert game.round == 7
    assert game.player == 1
    assert [sum(display) for display in game.displays] == [4] * 9
    assert game.centre == tiles("")
    assert game.lines[3] == lines("", "", "", "", "b")
    assert sum(game.bag) == 100 - 1 - 36


def test_az11_the_lid_goes_into_the_bag_in_the_middle_of_a_display():
    game = position(displays=LAST, bag=[1, 0, 2, 0, 3], lid=[3, 9, 0, 9, 2])
    dice = Dice(game.random.stream)
    bag = sorted_bag([1, 0, 2, 0, 3])
    # The last tile of the round gets into the lid before the refill.
    lid = sorted_bag([4, 9, 0, 9, 2])
    expected = []
    for _ in range(5):
        drawn = []
        for _ in range(4):
            if not bag:
                bag, lid = lid, []
            drawn.append(bag.pop(dice.below(len(bag))))
        expected.append([drawn.count(colour) for colour in range(5)])
    finish(game)
    assert game.displays == expected
    assert game.bag == [bag.count(colour) for colour in range(5)]
    assert sum(game.bag) == 6 + 24 - 20
    assert game.lid == tiles("")
    assert game.random.stream == dice.stream


def test_az11_the_lid_waits_until_a_tile_is_missing():
    game = position(displays=LAST, bag=[4, 4, 4, 4, 4], lid=[0, 5, 0, 0, 0])
    finish(game)
    assert game.bag == tiles("")
    assert game.lid == tiles("byyyyy")


def test_az11_bag_and_lid_run_out():
    game = position(displays=LAST, bag=[0, 0, 0, 3, 0], lid=[0, 0, 2, 0, 0])
    finish(game)
    assert [sum(display) for display in game.displays] == [4, 2, 0, 0, 0]
    assert game.displays[0][BLACK] == 3
    assert game.bag == game.lid == tiles("")
    assert game.round == 2
    assert all(a.startswith(("display 1", "display 2")) for a in game.legal())


def test_az11_no_tile_at_all_ends_the_game():
    # Every tile lies on a wall or an incomplete line: row r of seat s misses one
    # colour, (r + s) mod 5, of which line r holds some.
    walls, held = [], []
    for seat in range(4):
        missing = [(row + seat) % 5 for row in range(5)]
        walls.append(
            [
                [c if c != missing[row] else None for c in full_row(row)]
                for row in range(5)
            ]
        )
        held.append([(c, row) if row else (None, 0) for row, c in enumerate(missing)])
    left = [4] * 5
    for seat in range(4):
        for row in range(5):
            colour, count = held[seat][row]
            if colour is not None:
                count = min(count, left[colour])
                left[colour] -= count
                held[seat][row] = (colour, count) if count else (None, 0)
    assert left == [0] * 5
    # The last tile of seat 2 is still on a display.
    colour, count = held[2][4]
    held[2][4] = (colour, count - 1)
    display = [int(c == colour) for c in range(5)]
    game = position(
        4,
        player=2,
        marker_owner=2,
        round=8,
        walls=walls,
        lines=held,
        displays=[display],
        scores=[30, 40, 30, 20],
    )
    assert game.bag == tiles("")
    game.play(f"display 1, {COLOURS[colour]}, line 5")
    assert game.terminated
    assert not game.truncated
    assert game.winners == [1]
    assert game.scores == [30, 40, 30, 20]
    assert game.tiles() == [20] * 5
    # No new round has begun.
    assert game.round == 8
    assert game.starting_player == 0
    assert game.marker_owner == 2


def full_row(row: int) -> list[int]:
    """Lists the colours of a wall row of the coloured side (AZ8)."""
    return [(column - row) % 5 for column in range(5)]


def test_az11_no_tile_at_all_bonuses():
    column = wall("b....", "w....", "k....", "r....", "y....")
    colour = wall("b....", ".b...", "..b..", "...b.", "....b")
    game = position(
        3,
        displays=[tiles("y")],
        bag=tiles(""),
        walls=[wall(), column, colour],
        scores=[5, 2, 3],
    )
    game.play("display 1, yellow, line 2")
    assert game.terminated
    assert game.scores == [5, 2 + 7, 3 + 10]
    assert game.winners == [2]


def test_az11_one_tile_of_the_floor_is_enough_to_go_on():
    game = position(displays=LAST, bag=tiles(""))
    finish(game)
    assert not game.terminated
    assert game.displays[0] == tiles("b")
    assert game.round == 2


@pytest.mark.parametrize("starting_player", [0, 1])
def test_az12_a_complete_row_ends_the_game_after_all_have_tiled(starting_player: int):
    game = position(
        starting_player=starting_player,
        displays=LAST,
        walls=[wall(".yrkw"), wall()],
        lines=[lines(), lines("", "rr")],
        floors=[[], []],
        scores=[10, 10],
    )
    stream = game.random.stream
    finish(game, "line 1")
    assert game.terminated
    assert not game.truncated
    assert picture(game.walls[0])[0] == "byrkw"
    assert picture(game.walls[1])[1] == "...r."
    # The tile scores 5, the row 2.
    assert game.scores == [17, 11]
    assert game.winners == [0]
    assert game.legal() == set()
    assert game.round == 1
    assert game.random.stream == stream
    assert game.rewards("win") == [1.0, -1.0]
    assert game.rewards("margin") == pytest.approx([0.06, -0.06])


def test_az12_bonuses():
    # Seat 0: two rows, one column, no colour.
    first = wall("byrkw", "wbyrk", "k....", "r....", "y....")
    # Seat 1: one colour, no row; the start of a column.
    second = wall("b..k.", ".b.r.", "..b..", "...b.", "....b")
    game = position(
        displays=[tiles("y")], walls=[first, second], scores=[1, 2], marker_owner=0
    )
    game.play("display 1, yellow, floor")
    assert game.terminated
    assert game.scores == [0 + 2 * 2 + 7, 2 + 10]
    assert game.winners == [1]


def test_az12_bonuses_after_penalties():
    game = position(
        displays=LAST,
        walls=[wall("byrkw"), wall()],
        floors=[[RED] * 6, []],
        scores=[3, 1],
    )
    finish(game)
    assert game.scores == [2, 1]


def test_az12_everything():
    full = wall("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb")
    game = position(displays=LAST, walls=[full, wall()])
    finish(game)
    assert game.scores == [5 * 2 + 5 * 7 + 5 * 10, 0]


def test_az12_columns_and_colours_do_not_end_the_game():
    column = wall("b....", "w....", "k....", "r....", "y....")
    colour = wall("b....", ".b...", "..b..", "...b.", "....b")
    game = position(displays=LAST, walls=[column, colour], scores=[5, 5])
    finish(game, "line 5")
    assert not game.terminated
    assert game.scores == [5, 5]


def test_az13_most_points():
    game = position(3, displays=LAST, walls=[wall("byrkw"), wall(), wall()])
    game.scores = [1, 9, 2]
    finish(game, "line 2")
    assert game.scores == [3, 9, 2]
    assert game.winners == [1]
    assert game.rewards("win") == pytest.approx([-0.5, 1.0, -0.5])
    assert game.rewards("margin") == pytest.approx([-0.025, 0.065, -0.04])


def test_az13_tied_players_compare_complete_rows():
    game = position(
        3, displays=LAST, walls=[wall("byrkw"), wall("byrkw", "wbyrk"), wall()]
    )
    game.scores = [12, 10, 14]
    finish(game, "line 3")
    assert game.scores == [14, 14, 14]
    assert game.winners == [1]


def test_az13_rows_do_not_beat_points():
    game = position(displays=LAST, walls=[wall("byrkw"), wall()])
    game.scores = [5, 8]
    finish(game, "line 3")
    assert game.winners == [1]


def test_az13_shared_victory():
    rows = wall("byrkw")
    game = position(4, displays=LAST, walls=[rows, wall(), rows, rows])
    game.scores = [7, 9, 6, 7]
    finish(game, "line 3")
    assert game.scores == [9, 9, 8, 9]
    assert game.winners == [0, 3]
    assert game.rewards("win") == pytest.approx([1 / 3, -1 / 3, -1 / 3, 1 / 3])
    game = position(2, displays=LAST, walls=[rows, rows])
    finish(game, "line 3")
    assert game.winners == [0, 1]
    assert game.rewards("win") == [0.0, 0.0]


def test_unknown_reward():
    with pytest.raises(ValueError, match="unknown kind"):
        position().rewards("glory")


def test_v1_the_player_chooses_the_column():
    game = position(
        2,
        "grey",
        displays=LAST,
        lines=[lines("", "yy"), lines()],
        walls=[wall("y....", ".r...", "..y.."), wall()],
    )
    finish(game, "line 5")
    assert game.phase == "tiling"
    assert game.tiling_line == 1
    assert game.player == 0
    # Column 1 and 3 hold yellow, space 2 is taken.
    assert game.legal() == {"column 4", "column 5"}
    with pytest.raises(ValueError, match="not legal"):
        game.play("column 2")
    game.play("column 4")
    assert picture(game.walls[0])[1] == ".r.y."
    assert game.lid == tiles("y")
    assert game.phase == "offer"
    assert game.tiling_line is None
    assert game.round == 2


def test_v1_scores_at_once():
    game = position(
        2,
        "grey",
        tiling_line=1,
        lines=[lines("", "yy", "kkk"), lines()],
        walls=[wall("b....", ".r..."), wall()],
    )
    game.play("column 1")
    assert game.scores == [2 + 2, 0]
    assert game.tiling_line == 2
    assert game.legal() == {f"column {c}" for c in range(1, 6)}
    game.play("column 1")
    assert game.scores == [4 + 3, 0]
    assert game.round == 2


def test_v1_a_choice_limits_the_lines_below():
    game = position(2, "grey", tiling_line=0, lines=[lines("r", "rr", "rrr"), lines()])
    game.play("column 4")
    assert game.legal() == {"column 1", "column 2", "column 3", "column 5"}
    game.play("column 2")
    assert game.legal() == {"column 1", "column 3", "column 5"}
    game.play("column 5")
    assert picture(game.walls[0])[:3] == ["...r.", ".r...", "....r"]
    assert game.lid == tiles("rrr")


def test_v1_a_single_column_is_asked_for():
    game = position(
        2,
        "grey",
        displays=LAST,
        lines=[lines("w"), lines()],
        walls=[wall("byrk."), wall()],
    )
    finish(game)
    assert game.legal() == {"column 5"}
    game.play("column 5")
    assert game.terminated
    # 5 for the tile, 1 less for the floor, 2 for the row.
    assert game.scores == [6, 0]
    assert game.phase == "offer"
    assert game.legal() == set()


def test_v1_no_space_then_all_tiles_go_to_the_floor():
    # The free spaces of row 2 are in columns that hold white already.
    board = wall("w....", ".w...", "..byr")
    game = position(
        2,
        "grey",
        displays=LAST,
        lines=[lines("", "", "www"), lines()],
        walls=[board, wall()],
        scores=[10, 10],
    )
    finish(game, "line 5")
    # Nobody is asked: the three tiles cost 4 and get into the lid.
    assert game.round == 2
    assert game.scores == [6, 10]
    assert game.lines[0] == lines("", "", "", "", "b")
    assert picture(game.walls[0])[2] == "..byr"
    assert game.lid == tiles("www")
    assert game.tiles() == [20] * 5


def test_v1_no_space_and_no_room_on_the_floor():
    board = wall("w....", ".w...", "..byr")
    game = position(
        2,
        "grey",
        marker_owner=0,
        displays=LAST,
        lines=[lines("k", "", "www"), lines("r")],
        walls=[board, wall()],
        floors=[[MARKER, RED, RED, RED, RED], []],
        scores=[20, 20],
    )
    finish(game, "line 5")
    # The row above is asked for first.
    assert game.tiling_line == 0
    assert game.floors[0] == [MARKER, RED, RED, RED, RED]
    game.play("column 3")
    # Two white ones fill the floor, the third goes to the lid with them.
    assert game.scores[0] == 20 + 1 - 14
    assert game.lid == tiles("rrrrwww")
    assert game.player == 1
    assert game.tiles() == [20] * 5


def test_v1_no_space_because_of_an_earlier_choice():
    # Row 3 is free in columns 1 and 2, and column 2 holds white.
    board = wall(FREE, FREE, "..bkr", FREE, ".w...")
    for column, expected in (("column 1", "www"), ("column 4", "ww")):
        game = position(
            2,
            "grey",
            tiling_line=0,
            lines=[lines("w", "", "www"), lines()],
            walls=[board, wall()],
        )
        game.play(column)
        if game.phase == "tiling":
            assert game.legal() == {"column 1"}
            game.play("column 1")
        assert game.lid == tiles(expected)


def test_v1_no_colour_twice_in_a_row():
    # AZ4 keeps such a line from being begun; the wall refuses the tile all the same.
    game = position(
        2, "grey", lines=[lines("", "ww"), lines()], walls=[wall(FREE, "w...."), wall()]
    )
    game.tile_walls()
    assert game.round == 2
    assert game.lid == tiles("ww")


def test_v1_seats_tile_from_the_starting_player_on():
    game = position(
        3,
        "grey",
        starting_player=2,
        displays=LAST,
        lines=[lines("y"), lines("r", "kk"), lines("w")],
        floors=[[RED], [RED], [RED]],
        scores=[5, 5, 5],
    )
    finish(game, "line 5")
    asked = []
    while game.phase == "tiling":
        asked.append((game.player, game.tiling_line, list(game.scores)))
        game.play("column 3")
    assert asked == [
        (2, 0, [5, 5, 5]),
        (0, 0, [5, 5, 5]),
        (1, 0, [5, 5, 5]),
        (1, 1, [5, 6, 5]),
    ]
    assert game.scores == [5, 7, 5]
    assert game.player == 2
    assert game.round == 2


def test_v1_the_end_is_found_after_all_have_tiled():
    game = position(
        2,
        "grey",
        displays=LAST,
        lines=[lines("w"), lines("w")],
        walls=[wall("byrk."), wall()],
    )
    finish(game)
    game.play("column 5")
    assert not game.terminated
    assert game.player == 1
    assert game.scores == [4, 0]
    game.play("column 1")
    assert game.terminated
    assert game.scores == [6, 1]


def test_v1_colour_bonus_where_the_colours_stand():
    board = wall("brkyw", "..b..", ".b...", "....b", "...b.")
    game = position(2, "grey", displays=LAST, walls=[board, wall()], scores=[1, 0])
    finish(game)
    assert game.scores == [2 + 10, 0]


def test_truncation_after_the_tiling():
    game = position(
        round=7,
        walls=[wall("b....", "w....", "k....", "r...."), wall()],
        lines=[lines("", "", "", "", "yyyyy"), lines()],
    )
    game.max_rounds = 7
    stream = game.random.stream
    game.tile_walls()
    assert game.truncated
    assert not game.terminated
    # The tile scores, the column gives no bonus.
    assert game.scores == [5, 0]
    assert game.winners == []
    assert game.round == 7
    assert game.legal() == set()
    assert game.random.stream == stream
    assert game.rewards("win") == game.rewards("margin") == [0.0, 0.0]


def test_truncation_comes_after_the_end():
    game = position(round=7, displays=LAST, walls=[wall("byrkw"), wall()])
    game.max_rounds = 7
    finish(game)
    assert game.terminated
    assert not game.truncated


def test_running_out_of_tiles_comes_before_truncation():
    game = position(displays=LAST, bag=tiles(""))
    game.max_rounds = 1
    finish(game, "line 2")
    assert game.terminated
    assert not game.truncated


@pytest.mark.parametrize("side", WALLS)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_random_games(num_players: int, side: str):
    chooser = random.Random(num_players)
    ends = set()
    for seed in range(50):
        game = Azul(
            seed,
            num_players,
            wall=side,
            starting_player=chooser.choice(("random", 0, num_players - 1)),
            max_rounds=chooser.choice((None, 3, 100)),
        )
        check_position(game)
        while not (game.terminated or game.truncated):
            legal = game.legal()
            assert legal
            placing = {action for action in legal if not action.endswith("floor")}
            game.play(chooser.choice(sorted(placing or legal)))
            check_position(game)
        check_end(game)
        ends.add(game.terminated)
    assert ends == {True, False}


@pytest.mark.parametrize("side", WALLS)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_games_of_players_who_mostly_floor_are_truncated(num_players: int, side: str):
    chooser = random.Random(num_players)
    for seed in range(3):
        game = Azul(seed, num_players, wall=side, max_rounds=20)
        while not (game.terminated or game.truncated):
            legal = game.legal()
            assert legal
            floor = {action for action in legal if action.endswith("floor")}
            to_floor = floor and chooser.random() < 0.95
            game.play(chooser.choice(sorted(floor if to_floor else legal)))
            check_position(game)
        assert game.truncated
        assert game.round == 20
        check_end(game)


def check_end(game: Azul) -> None:
    """Checks what must hold when the game is over."""
    assert game.legal() == set()
    assert game.terminated != game.truncated
    assert bool(game.winners) == game.terminated
    assert all(floor == [] for floor in game.floors)
    for kind in ("win", "margin"):
        assert sum(game.rewards(kind)) == pytest.approx(0)
    rows = [row for wall in game.walls for row in wall]
    if game.terminated and sum(game.bag) + sum(game.lid) > 0:
        assert any(None not in row for row in rows)


def check_position(game: Azul) -> None:
    """Checks what must hold in any position."""
    assert game.tiles() == [20] * 5
    assert (game.phase == "tiling") == (game.tiling_line is not None)
    assert min(game.scores) >= 0
    markers = sum(floor.count(MARKER) for floor in game.floors)
    assert markers <= (game.marker_owner is not None)
    for seat in range(game.num_players):
        assert len(game.floors[seat]) <= 7
        for line, (colour, count) in enumerate(game.lines[seat]):
            assert 0 <= count <= line + 1
            assert (colour is None) == (count == 0)
            assert colour is None or colour not in game.walls[seat][line]
        check_wall(game.walls[seat], game.wall)


def check_wall(wall: Wall, side: str) -> None:
    """Checks that each colour stands at most once in a row and in a column."""
    for ranks in (wall, zip(*wall, strict=True)):
        for rank in ranks:
            placed = [colour for colour in rank if colour is not None]
            assert len(placed) == len(set(placed))
    if side == "colored":
        for row in range(5):
            for column, colour in enumerate(wall[row]):
                assert colour in (None, (column - row) % 5)
