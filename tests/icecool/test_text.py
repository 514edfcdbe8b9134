"""ICECOOL in words and as a drawing."""

import numpy as np
import pytest

from game_core import Position, load_game
from icecool_env.state import FLICK, PLACE, SKATES
from tests.icecool.positions import (
    CIRCLE,
    D1,
    D2,
    IN_KITCHEN,
    MIRRORED,
    PLAYER_COUNTS,
    set_up,
)

pytestmark = pytest.mark.nojit

GAME = load_game("icecool")


def test_an_action_in_words_is_its_numbers_exactly():
    rng = np.random.default_rng(3)
    for _ in range(100):
        action = rng.uniform(-1, 1, 6).astype(np.float32)
        words = GAME.action_to_text(action)
        again = GAME.text_to_action(words)
        assert again.dtype == np.float32
        assert again.tobytes() == action.tobytes()


@pytest.mark.parametrize(
    "text", ["1 0 .5 -1 0 0", " 1,0,0.5, -1, 0 ,0\n", "1 0 5e-1 -1.0 -0 +0"]
)
def test_other_ways_to_say_it(text):
    assert GAME.text_to_action(text).tolist() == [1, 0, 0.5, -1, 0, 0]


@pytest.mark.parametrize(
    "text", ["", "north", "1 0 0 0 0", "1 0 0 0 0 0 0", "1 0 0 0 0 x", "[1 0 0 0 0 0]"]
)
def test_other_words_are_refused(text):
    with pytest.raises(
        ValueError, match="6 numbers from -1 to 1: direction x, dir"
    ) as e:
        GAME.text_to_action(text)
    assert repr(text) in str(e.value)


@pytest.mark.parametrize(
    ("spot", "action", "words"),
    [
        ((100, 100), (1, 0, 1, 0, -1, -1), "flick east (0 degrees) at 2200 mm/s"),
        ((100, 100), (0, 0, -1, 0, 0, 1), "flick east (0 degrees) at 150 mm/s"),
        ((100, 100), (0, 1, 0, 0, 0, 0), "flick north (90 degrees) at 1175 mm/s"),
        ((100, 100), (-1, -1, 0, 0, 0, 0), "flick south-west (225 degrees) at 1175 mm"),
        ((100, 100), (1, 0, 1, 0.5, 0, 0), ", hit 50% to the right"),
        ((100, 100), (1, 0, 1, -1, 0, 0), ", hit 100% to the left"),
        ((100, 100), (1, 0, 1, 0, 0.8, 0), ", jumping at 60 degrees"),
        ((25, 100), (1, 0, 1, 0, 0, 1), ", from the red line of the Classroom"),
        ((80, 230), (1, 0, 1, 0, 0, 0.4), ", from the red line of the Classroom"),
        ((80, 230), (1, 0, 1, 0, 0, 0.6), ", from the red line of the Lunchroom"),
    ],
)
def test_a_flick_in_words(spot, action, words):
    position = set_up(places={1: spot})
    said = position.describe_action(action)
    assert words in said
    assert said.startswith("flick ")
    assert ("red line" in said) == ("red line" in words)
    assert ("hit" in said) == ("hit" in words)
    assert ("jumping" in said) == ("jumping" in words)


def test_what_must_move_is_said_to():
    position = set_up(places={1: (80, 230)}, stuck_move="must")
    words = position.describe_action((1, 0, 0, 0, 0, -1))
    assert words.endswith(", from the red line of the Classroom")


def test_placing_and_skates_in_words():
    position = Position.new(GAME, 0)
    assert position.describe_action((-1, 1, 0, 0, 0, 0)) == (
        "place the penguin at (278, 557) in the Kitchen"
    )
    asked = set_up(phase=SKATES, hands={1: "11"})
    assert asked.describe_action((0.1, 0, 0, 0, 0, 0)) == "skates: take another turn"
    assert asked.describe_action((0, 1, 1, 1, 1, 1)) == "no skates"


@pytest.mark.parametrize("phase", [PLACE, FLICK, SKATES])
def test_describing_and_drawing_change_nothing(phase):
    position = set_up(phase=phase, places={1: (80, 230)}, hands={1: "11"})
    before = position.states.tobytes()
    position.describe_action((1, 0, 0, 0.5, 0.5, 1))
    str(position)
    assert position.states.tobytes() == before


def test_the_drawing_shows_the_school_the_penguins_and_the_players():
    position = set_up(
        num_players=4,
        player=2,
        round_number=1,
        flicks=1,
        places={1: CIRCLE, 3: None},
        fish={1: (D1, D2)},
        caught={1: 1},
        hands={0: "3", 2: "112"},
        face_up={0: 4},
    )
    lines = str(position).splitlines()
    assert lines[0] == "Round 2 of 4, 1 flick. player_2 to flick"
    plan, players = lines[1:-5], lines[-5:-1]
    assert len(plan) == 31
    assert max(map(len, plan)) == 61
    assert "".join(plan).count("F") == 11
    marks = {digit: "".join(plan).count(digit) for digit in "0123"}
    assert marks == {"0": 1, "1": 1, "2": 1, "3": 0}
    assert plan[30 - 24][42] == "0"
    assert plan[30 - 6][18] == "1"
    assert players == [
        "player_0: Catcher, 1 card face down, 4 face up",
        "player_1: 2 of 3 fish, caught, 0 cards face down",
        "player_2: 0 of 3 fish, 3 cards face down (1 1 2)",
        "player_3: 0 of 3 fish, 0 cards face down",
    ]


def test_the_plan_from_above():
    position = set_up(num_players=2, places={0: IN_KITCHEN, 1: (25, 25)})
    plan = str(position).splitlines()[1:-3]
    assert plan[0] == "#" * 61
    assert plan[-1] == "#" * 61
    assert plan[30 - 6].index("o") == 18
    wall_of_d1 = plan[30 - 12]
    assert wall_of_d1[:12] == "######FFFFF#"


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
@pytest.mark.parametrize("school", [None, MIRRORED])
def test_a_new_game_is_drawn(num_players, school):
    game = load_game("icecool", num_players=num_players, school=school, first_catcher=1)
    lines = str(Position.new(game, 0)).splitlines()
    rounds = {2: 4, 3: 3, 4: 4}[num_players]
    assert lines[0] == (f"Round 1 of {rounds}, 0 flicks. player_1 to place the penguin")
    assert len(lines) == 1 + 31 + num_players + 1
    assert "o" in "".join(lines[1:32])


def test_an_own_school_is_drawn_as_it_is():
    """The mirrored school is the plan read from right to left, but for the doors."""
    plans = []
    for school in (None, MIRRORED):
        position = set_up(num_players=2, school=school, places={0: (300, 300), 1: None})
        plans.append([row.ljust(61) for row in str(position).splitlines()[1:-3]])
    plain, mirrored = (
        ["".join("W" if c in "#F" else c for c in row) for row in plan]
        for plan in plans
    )
    rows = [row for row in range(31) if "." in plain[row] or row in (0, 30)]
    assert len(rows) > 20
    same = [plain[row].count("W") == mirrored[row].count("W") for row in rows]
    assert all(same)
    assert [plan[30 - 4].index("F") for plan in plans] == [36, 24]


def test_the_drawing_asks_about_skates():
    position = set_up(phase=SKATES, hands={1: "11"})
    assert str(position).splitlines()[0] == (
        "Round 1 of 3, 0 flicks. player_1 to say whether to take another turn on skates"
    )


def test_the_drawing_of_a_finished_game_names_the_winners():
    position = set_up(hands={0: "12", 1: "3", 2: "12"}, face_up={0: 0})
    position.states[0].terminated = True
    lines = str(position).splitlines()
    assert lines[0] == "The game is over. player_0 and player_2 win with 3 points."
    assert lines[-3] == "player_1: 1 card face down (3), 3 points"
    alone = set_up(hands={1: "1"})
    alone.states[0].terminated = True
    assert str(alone).splitlines()[0].endswith("player_1 wins with 1 point.")


def test_cards_of_others_are_not_drawn():
    one = set_up(hands={1: "12", 2: "33"})
    other = set_up(hands={1: "12", 2: "12"})
    assert str(one) == str(other)
