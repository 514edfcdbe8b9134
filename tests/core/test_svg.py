"""The marks that all pictures share."""

import importlib.resources
import re

import pytest
from PIL import ImageFont

from game_core.position import Position
from game_core.registry import load_game
from game_core.render import svg
from game_core.validation.text import told_apart

NAMES = ("x", "a_bot_with_a_very_long_name_indeed", "<&\"'>", "\u68cb\u624b" * 20)


def test_widths_of_characters_are_those_of_the_font():
    file = importlib.resources.files("game_core.render") / "fonts" / "inter-700.ttf"
    with importlib.resources.as_file(file) as path:
        font = ImageFont.truetype(path, 100)
    for place, width in enumerate(svg.WIDTHS):
        assert font.getlength(chr(ord(" ") + place)) == pytest.approx(width, abs=0.6)


def test_text_is_cut_only_if_it_does_not_fit():
    assert svg.fitting("fifty_percent", 15, 96) == "fifty_percent"
    cut = svg.fitting("fifty_percent", 15, 90)
    assert re.fullmatch(r"fifty_\w+\N{HORIZONTAL ELLIPSIS}", cut)
    assert svg.width_of(cut, 15) <= 90 < svg.width_of("fifty_percent", 15)


@pytest.mark.parametrize("name", NAMES)
def test_name_and_what_it_does_are_one_line_that_fits(name):
    position = Position.new(load_game("icecool", num_players=2), 1)
    scene = svg.Scene(position.states, names=(name, name))
    line = svg.who(scene, [0], "flicks", 0, 0, 150)
    words = re.sub("<.*?>", "", line)
    assert words.endswith(" flicks")
    assert svg.width_of(words, 15) <= 150 - 26 or "&" in words


def test_agents_of_the_same_name_are_told_apart():
    names = told_apart(["greedy", "random", "greedy"])
    assert names == ("greedy (0)", "random", "greedy (2)")
    assert told_apart(["greedy", "random"]) == ("greedy", "random")
    files = told_apart(["/a/b/one.py:bot", "c/two.py:bot", "ppo(file='x/y.npz')"])
    assert files == ("one.py:bot", "two.py:bot", "ppo(file='x/y.npz')")
