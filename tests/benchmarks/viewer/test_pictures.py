"""Logged games as pictures, games that are watched, and the pictures in ``docs``."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from benchmarks.speed import render
from benchmarks.viewer.pictures import shots
from game_core import load_game, play
from game_core.agents.play import GameLog
from game_core.render.window import begin_display
from tests.games import REPOSITORY, module_at


def careful(view):
    """Stop as soon as that is legal: it is the last of all actions."""
    return view.legal_actions[-1]


@pytest.fixture
def log(tmp_path):
    """A file with one short game, in the current folder."""
    game = load_game("cant_stop", columns_to_win=1)
    names = ("</script>", "second")
    path = tmp_path / "game.jsonl"
    path.write_text(play(game, [careful, careful], 3, names=names).to_json() + "\n")
    return path


def title_of(path):
    """Return the text of a picture's first element."""
    return ET.fromstring(path.read_text())[0].text or ""


def test_a_position_as_svg_and_png(tabletop, log, tmp_path):
    from PIL import Image

    seen = shots(GameLog.from_json(log.read_text()))
    assert tabletop("render", log, "-o", "end.svg")[:2] == (
        *(0, "The picture is in end.svg\n"),
    )
    assert tabletop("render", log, "-o", "start.svg", "--move", 0)[0] == 0
    assert "wins" in title_of(tmp_path / "end.svg")
    assert "Turn 1." in title_of(tmp_path / "start.svg")
    assert seen[-1].words.endswith(" wins")
    assert tabletop("render", log, "-o", "some.png", "--width", 300)[0] == 0
    with Image.open(tmp_path / "some.png") as picture:
        assert picture.size == (300, 254)


def test_a_game_as_gif_shows_every_position(tabletop, log, tmp_path):
    from PIL import Image, ImageSequence

    assert tabletop("render", log, "--out", "game.gif", "--width", 120)[0] == 0
    seen = shots(GameLog.from_json(log.read_text()))
    shown = 0
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.size[0] == 120
        for frame in ImageSequence.Iterator(gif):
            shown += frame.info["duration"]
    assert shown == 500 * (len(seen) - 1) + 3000


def test_a_page_needs_no_network_and_no_extra(tabletop, log, tmp_path, monkeypatch):
    for name in ("pylunasvg", "pygame", "PIL"):
        monkeypatch.setitem(sys.modules, name, None)
    assert tabletop("render", log, "-o", "game.html")[0] == 0
    page = (tmp_path / "game.html").read_text()
    assert set(re.findall(r"https?://[^\s\"\\]+", page)) == {
        "http://www.w3.org/2000/svg"
    }
    assert page.count("</script>") == 1
    found = re.search(r"const film = (.*);\n", page)
    assert found is not None
    film = json.loads(found[1])
    seen = shots(GameLog.from_json(log.read_text()))
    assert [move["words"] for move in film["moves"]] == [shot.words for shot in seen]
    game = load_game("cant_stop", columns_to_win=1)
    for move, shot in zip(film["moves"], seen, strict=True):
        tags = [film["tags"][number] for number in move["frames"][-1]]
        assert "".join(tags) == game.picture(shot.scene)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "game.bmp"], "ends in '.bmp'; a picture ends in .gif, .html, .svg"),
        (["-o", "game.gif", "--move", "3"], "leave out the number of one"),
        (["-o", "game.svg", "--move", "999"], "move 999 is not there"),
        (["-o", "game.svg", "--game", "2"], "there is no game 2"),
        (["-o", "game.png", "--width", "9"], "--width 9 is not from 16 to 4096"),
    ],
)
def test_what_cannot_be_drawn_says_why(tabletop, log, words, says):
    status, _, err = tabletop("render", log, *words)
    assert status == 2
    assert says in err


def test_names_that_no_file_can_hold_are_drawn(tabletop, log, tmp_path):
    data = json.loads(log.read_text())
    data["agents"] = ["\x1b[2Jred\x00", "\ud800\ufffe"]
    (tmp_path / "odd.jsonl").write_text(json.dumps(data) + "\n")
    for picture in ("odd.SVG", "odd.png", "odd.html"):
        assert tabletop("render", "odd.jsonl", "-o", picture)[0] == 0
    ET.fromstring((tmp_path / "odd.SVG").read_text())
    out = tabletop("replay", "odd.jsonl", "--game", "1")[1]
    assert "\x1b" not in out
    assert "\N{REPLACEMENT CHARACTER}[2Jred" in out


def test_a_reader_that_has_enough_is_no_error():
    command = "-m benchmarks.cli watch azul --agents random random --text | head -1"
    done = subprocess.run(
        f"{sys.executable} {command}; echo ${{PIPESTATUS[0]}}",
        cwd=REPOSITORY,
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("Start\n141\n", "")


def test_a_game_is_watched_as_text_and_logged(tabletop, tmp_path):
    agents = ["--agents", "random", "rule_of_28", "--option", "columns_to_win=1"]
    watch = ["watch", "cant_stop", *agents, "--seed", "3", "--out", "game.jsonl"]
    status, out, _ = tabletop(*watch, "--text")
    assert status == 0
    assert out.startswith("Start\n\nTurn 1. player_")
    assert re.search(r"\nrule_of_28 \(player_1\): (\d+ and \d+|\d+)\n\n", out)
    assert re.search(r" wins\. The seed is 3\.\n$", out)
    assert "\x1b" not in out
    seen = shots(GameLog.from_json((tmp_path / "game.jsonl").read_text()))
    assert out.count("Columns conquered:") == len(seen)


def test_a_game_is_watched_in_a_window(tabletop, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    agents = ["--agents", "rule_of_28", "rule_of_28", "--option", "columns_to_win=1"]
    status, out, _ = tabletop("watch", "cant_stop", *agents, "--seed", "1")
    assert (status, out) == (0, "rule_of_28 (1) wins. The seed is 1.\n")


def test_without_a_display_it_is_watched_in_the_terminal(tabletop, monkeypatch):
    begin_display().display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "none_of_these")
    agents = ["--agents", "rule_of_28", "rule_of_28", "--option", "columns_to_win=1"]
    status, out, _ = tabletop("watch", "cant_stop", *agents)
    assert status == 0
    assert out.startswith("In the terminal, since no window can be opened here")
    assert "Turn 1. player_" in out


def test_every_frame_is_measured(capsys):
    render.main(games=1)
    out = capsys.readouterr().out
    assert all(game in out for game in ("azul", "cant_stop", "icecool"))


@pytest.fixture(scope="module")
def docs_pictures():
    return module_at(REPOSITORY / "docs" / "pictures.py")


def test_pictures_in_the_documentation_are_as_drawn_now(docs_pictures):
    """Else run ``python docs/pictures.py``, and look at them."""
    assert docs_pictures.stale() == []


def test_the_film_of_the_readme_shows_flicks_and_loads_quickly(docs_pictures):
    from PIL import Image

    assert "docs/pictures/icecool.gif" in (REPOSITORY / "README.md").read_text("utf-8")
    assert docs_pictures.FILM.stat().st_size <= 600_000
    with Image.open(docs_pictures.FILM) as film:
        assert getattr(film, "n_frames", 1) >= 60
        assert film.info["loop"] == 0
