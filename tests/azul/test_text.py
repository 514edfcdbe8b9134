"""Azul in words and as a drawing."""

import itertools

import pytest

from azul_env.state import COLORS
from game_core import load_game
from tests.azul.positions import LAST, LAST_TO_FLOOR, PLAYER_COUNTS, SIDES, play, set_up
from tests.games import told

pytestmark = pytest.mark.nojit

GREY = load_game("azul", wall="grey")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_each_action_has_words_of_its_own_that_lead_back_to_it(num_players, side):
    game = load_game("azul", num_players=num_players, wall=side)
    words = [game.action_to_text(action) for action in range(game.num_actions)]
    displays = [f"display {d}" for d in range(1, 2 * num_players + 2)]
    lines = [*(f"line {line}" for line in range(1, 6)), "floor"]
    offer = itertools.product([*displays, "centre"], COLORS, lines)
    columns = [f"column {column}" for column in range(1, 6)] * (side == "grey")
    assert words == [*map(", ".join, offer), *columns]
    assert [game.text_to_action(text) for text in words] == list(range(len(words)))


@pytest.mark.parametrize(
    ("tolerated", "words"),
    [
        ("display 3 red line 2", "display 3, red, line 2"),
        ("display 3,red,line 2", "display 3, red, line 2"),
        ("  Display 3 , RED,  line 2\n", "display 3, red, line 2"),
        ("display 03, red, line 2", "display 3, red, line 2"),
        ("center blue floor", "centre, blue, floor"),
        ("Centre, Black, Floor", "centre, black, floor"),
        ("COLUMN 4", "column 4"),
        (" column  4 ", "column 4"),
    ],
)
def test_other_ways_to_say_it(tolerated, words):
    assert GREY.action_to_text(GREY.text_to_action(tolerated)) == words


@pytest.mark.parametrize(
    "text",
    [
        "",
        "red",
        "display 3, red",
        "display 0, red, line 2",
        "display 6, red, line 2",
        "display -1, red, line 2",
        "display, red, line 2",
        "display 3, green, line 2",
        "display 3, red, line 0",
        "display 3, red, line 6",
        "display 3, red, line 2, floor",
        "centre 1, red, floor",
        "column 0",
        "column 6",
        "column",
    ],
)
@pytest.mark.parametrize("side", SIDES)
def test_other_words_are_refused_with_examples(text, side):
    game = load_game("azul", wall=side)
    with pytest.raises(ValueError, match="say 'display 3, red, line 2'") as caught:
        game.text_to_action(text)
    assert repr(text) in str(caught.value)
    assert "displays 1 to 5" in str(caught.value)
    assert ("'column 4'" in str(caught.value)) == (side == "grey")


def test_on_the_colored_side_there_are_no_columns_to_name():
    with pytest.raises(ValueError, match="'column 4' is no action of Azul"):
        load_game("azul").text_to_action("column 4")


def test_the_drawing_shows_all_that_is_on_the_table():
    position = set_up(
        player=1,
        round_number=3,
        displays=("byyw", "", "kkrr"),
        centre="bbw",
        lid="rrw",
        lines={0: ("b", "", "kk"), 1: ("", "", "", "wwww", "y")},
        walls={0: ("....w", ".....", "kw"), 1: (".y...",)},
        floors={0: "r1", 1: "bbbbbbb"},
        marker_owner=0,
        scores=(12, 0),
    )
    assert str(position).splitlines() == [
        "Round 3. player_1 to take tiles.",
        "display 1: BYYW",
        "display 3: RRKK",
        "centre: BBW",
        "bag: B9 Y16 R15 K15 W11  lid: B0 Y0 R2 K0 W1",
        "player_0: 12 points",
        "      B | b y r k W",
        "     .. | w b y r k",
        "    .KK | K W b y r",
        "   .... | r k w b y",
        "  ..... | y r k w b",
        "  floor R 1 . . . . .",
        "player_1: 0 points",
        "      . | b Y r k w",
        "     .. | w b y r k",
        "    ... | k w b y r",
        "   WWWW | r k w b y",
        "  ....Y | y r k w b",
        "  floor B B B B B B B",
        "B blue, Y yellow, R red, K black, W white, 1 marker; "
        "small letters: free spaces.",
    ]


def test_the_drawing_shows_the_marker_in_the_centre():
    assert "\ncentre: W 1\n" in str(set_up(centre="w"))
    assert "\ncentre: empty 1\n" in str(set_up(displays=LAST))
    assert "\ncentre: empty\n" in str(set_up(displays=LAST, marker_owner=0))


def test_the_drawing_asks_for_a_column():
    position = set_up(wall="grey", displays=LAST, lines={1: ("", "rr")})
    play(position, LAST_TO_FLOOR)
    lines = str(position).splitlines()
    assert lines[0] == "Round 1. player_1 to choose the wall column for line 2."
    assert "     RR | . . . . ." in lines


def test_the_drawing_of_a_finished_game_names_the_winners():
    position = set_up(displays=LAST, walls={0: ("byrkw",), 1: ("byrkw",)})
    headline = str(play(position, LAST_TO_FLOOR)).splitlines()[0]
    assert headline.startswith("The game is over after 1 round")
    assert "player_0 and player_1 win with 2 points and 1 complete row" in headline


def test_what_a_round_scores_is_told():
    position = set_up(displays=LAST, lines={0: ("b", "yy")}, floors={1: "r"})
    words = told(position, position.game.text_to_action(LAST_TO_FLOOR))
    gains = [int(score) for score in position.states[0].score]
    assert gains[0] > 0
    assert words == f"{LAST_TO_FLOOR}: player_0 {gains[0]:+d}"
