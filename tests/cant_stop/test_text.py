"""Can't Stop in words and as a drawing."""

import pytest

from cant_stop_env.state import ACTION_OF_PAIR, ROLL, STOP
from game_core import load_game
from tests.cant_stop.positions import play, set_up
from tests.games import told

pytestmark = pytest.mark.nojit

GAME = load_game("cant_stop")


def test_each_action_has_words_of_its_own_that_lead_back_to_it():
    words = [GAME.action_to_text(action) for action in range(GAME.num_actions)]
    assert len(set(words)) == 79
    assert [GAME.text_to_action(text) for text in words] == list(range(79))


def test_the_words_are_columns_roll_and_stop():
    words = {GAME.action_to_text(action) for action in range(GAME.num_actions)}
    columns = range(2, 13)
    pairs = {f"{a} and {b}" for a in columns for b in columns if a <= b}
    assert words == {"roll", "stop", *map(str, columns), *pairs}


@pytest.mark.parametrize(
    ("tolerated", "words"),
    [
        ("10 and 6", "6 and 10"),
        ("10, 6", "6 and 10"),
        ("6,10", "6 and 10"),
        ("6 10", "6 and 10"),
        ("  6 AND 10 ", "6 and 10"),
        ("7 7", "7 and 7"),
        (" 05", "5"),
        ("Roll", "roll"),
        (" STOP\n", "stop"),
    ],
)
def test_other_ways_to_say_it(tolerated, words):
    assert GAME.action_to_text(GAME.text_to_action(tolerated)) == words


@pytest.mark.parametrize(
    "text",
    ["", "go", "1", "13", "6 and", "6 and 13", "1 and 6", "2 3 4", "-6", "6.0", "610"],
)
def test_other_words_are_refused_with_examples(text):
    with pytest.raises(ValueError, match="'roll', 'stop', one column") as caught:
        GAME.text_to_action(text)
    assert repr(text) in str(caught.value)


def test_the_drawing_shows_pieces_runners_and_owners():
    position = set_up(
        num_players=3,
        player=1,
        dice=(1, 5, 4, 6),
        pieces={0: {3: 1, 4: 2}, 1: {3: 1}, 2: {4: 6}},
        runners={3: 2, 4: 6},
        owner={12: 2},
    )
    assert str(position).splitlines() == [
        "Turn 1. player_1 to choose columns. Dice 1 5 4 6",
        " 2 | .  .  .",
        " 3 | 01 ^  .  .  .",
        " 4 | .  0  .  .  .  2^ .",
        " 5 | .  .  .  .  .  .  .  .  .",
        " 6 | .  .  .  .  .  .  .  .  .  .  .",
        " 7 | .  .  .  .  .  .  .  .  .  .  .  .  .",
        " 8 | .  .  .  .  .  .  .  .  .  .  .",
        " 9 | .  .  .  .  .  .  .  .  .",
        "10 | .  .  .  .  .  .  .",
        "11 | .  .  .  .  .",
        "12 | .  .  2  conquered by player_2",
        "Columns conquered: player_0 0, player_1 0, player_2 1 (3 to win). "
        "^ runner, 0-3 pieces by seat.",
    ]


def test_the_drawing_of_a_finished_game_names_the_winner():
    position = play(set_up(owner={2: 0, 3: 0}, runners={12: 3}), "stop")
    headline = str(position).splitlines()[0]
    assert headline == "The game is over after 1 turn. player_0 wins with 3 columns."


def test_what_came_of_an_action_is_told():
    position = set_up(runners={2: 2, 12: 2, 3: 1})
    busts = set()
    for _ in range(40):
        copy = position.determinize(0)
        words, turns = told(copy, ROLL), copy.state.turns
        busts.add(words == "roll: bust")
        dice = " ".join(str(die) for die in copy.state.dice)
        assert words == ("roll: bust" if turns else f"roll: {dice}")
    assert busts == {True, False}
    position = set_up(owner={3: 0}, runners={12: 3, 2: 3, 7: 1})
    assert told(position, STOP) == "stop: conquers 2 and 12"
    assert told(set_up(runners={7: 1}), STOP) == "stop"
    assert told(set_up(dice=(1, 1, 6, 6)), ACTION_OF_PAIR[2, 12]) == "2 and 12"
