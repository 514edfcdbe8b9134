"""What environments show: every mode, the last position, nothing where nobody looks."""

import copy
import pickle
import re
import sys
import xml.etree.ElementTree as ET
from functools import partial

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import render_test

from azul_env import azul_v0
from cant_stop_env import cant_stop_v0
from cant_stop_env.state import STOP
from game_core.envs.screen import RENDER_MODES
from game_core.envs.seat import SeatEnv
from game_core.position import Position
from game_core.registry import load_game
from game_core.render import ansi, raster, window
from game_core.render.window import NoDisplayError
from game_core.scene import Scene
from icecool_env import icecool_v0
from tests.cant_stop.positions import set_up
from tests.games import run_python

ENVS = {"cant_stop": cant_stop_v0, "azul": azul_v0, "icecool": icecool_v0}
FLICK = [1.0, 0.4, 0.3, 0.0, 0.4, 0.0]


@pytest.fixture(autouse=True)
def _no_display(monkeypatch):
    """SDL's own driver for machines without a display."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.delenv("DISPLAY", raising=False)


def is_svg(text):
    return ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"


def begun(game, mode, **options):
    env = ENVS[game].env(render_mode=mode, **options)
    env.reset(seed=1)
    return env


@pytest.mark.parametrize("game", ENVS)
def test_pettingzoo_renders_in_every_mode(game):
    shown = {
        "ansi": lambda text: "\x1b[" in text and "player_0" in text,
        "svg": is_svg,
        "rgb_array_list": lambda film: all(p.shape[2] == 3 for p in film),
    }
    render_test(partial(ENVS[game].env, num_players=2), custom_tests=shown)


@pytest.mark.parametrize("game", ENVS)
def test_colored_text_is_the_text(game):
    env = begun(game, "ansi", num_players=3)
    assert ansi.plain(env.render()) == str(env.unwrapped.position)


@pytest.mark.parametrize("game", ENVS)
def test_pixels_are_of_the_picture_and_even(game):
    env = begun(game, "rgb_array", num_players=4)
    pixels = env.render()
    assert pixels.dtype == np.uint8
    assert pixels.flags.c_contiguous
    assert [side % 2 for side in pixels.shape[:2]] == [0, 0]
    assert (pixels == raster.pixels(env.unwrapped.picture())).all()
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20


def test_text_in_pixels_needs_no_font_of_the_system():
    """A picture without its text differs: the font that is shipped is found."""
    env = begun("cant_stop", "svg")
    silent = re.sub("<text.*?</text>", "", env.render())
    assert (raster.pixels(env.render()) != raster.pixels(silent)).any()


def shown_in_window(env):
    import pygame

    surface = env.unwrapped._screen._window._opened.get_surface()
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


def test_window_shows_every_position_the_last_one_included():
    env = begun("cant_stop", "human")
    start = shown_in_window(env)
    env.set_state(set_up(owner={2: 0, 3: 0}, runners={12: 3}).states)
    env.step(STOP)
    end = shown_in_window(env)
    assert env.terminations["player_0"]
    assert (start != end).any()
    scene = env.unwrapped._screen._scenes[-1]
    assert "wins" in env.unwrapped.picture()
    picture = raster.pixels(env.unwrapped.game.picture(scene), end.shape[1])
    assert (picture == end).all()
    env.close()


def test_window_that_is_closed_stays_closed():
    env = begun("azul", "human")
    env.unwrapped._screen._window.close()
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert env.render() is None


def test_each_environment_has_a_window_of_its_own():
    one, other = begun("cant_stop", "human"), begun("azul", "human")
    before = shown_in_window(one)
    assert before.shape != shown_in_window(other).shape
    other.close()
    one.step(int(one.last()[0]["action_mask"].argmax()))
    assert (shown_in_window(one) != before).any()
    one.close()


def test_film_has_all_since_the_last_time_and_flicks_move():
    env = begun("icecool", "rgb_array_list")
    env.step([0.0] * 6)
    placed = len(env.render())
    assert placed == 2 * 12  # half a second for the start, and for what it led to
    env.step(FLICK)
    flick = env.render()
    assert len(flick) > placed
    assert len({picture.tobytes() for picture in flick}) > 10
    assert env.render() == []


def test_copies_show_what_they_do_and_have_no_window():
    env = begun("cant_stop", "human")
    picture = env.unwrapped.picture()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone()):
        assert other.unwrapped._screen._window is None
        other.step(int(np.flatnonzero(other.last()[0]["action_mask"])[0]))
        assert other.unwrapped.picture() != picture
        other.close()
    assert env.unwrapped.picture() == picture


def test_seat_environment_shows_itself_in_every_mode():
    for mode in RENDER_MODES:
        env = SeatEnv("azul", "random", render_mode=mode)
        env.reset(seed=1)
        env.step(int(env.action_masks().argmax()))
        shown = env.render()
        if mode == "ansi":
            assert ansi.plain(shown) == str(env.position)
        if mode == "svg":
            assert shown == env.position._repr_svg_()
        env.close()
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert SeatEnv("cant_stop").render() is None


def test_notebooks_get_a_picture():
    env = cant_stop_v0.env()
    assert env._repr_svg_() is None
    env.reset(seed=1)
    position = env.unwrapped.position
    assert is_svg(env._repr_svg_())
    assert env._repr_svg_() == position._repr_svg_()


def test_game_without_a_picture_shows_its_text(toy):
    position = Position.new(load_game("toy"), 1)
    assert "player_1 at" in position._repr_svg_()
    assert is_svg(position._repr_svg_())


@pytest.mark.parametrize("mode", ["rgb_array", "human"])
def test_without_the_extra_only_drawing_fails_and_says_what_to_install(
    mode, monkeypatch
):
    monkeypatch.setitem(sys.modules, "pylunasvg", None)
    monkeypatch.setitem(sys.modules, "pygame", None)
    raster._lunasvg.cache_clear()
    env = cant_stop_v0.env(render_mode=mode)

    def show():
        env.reset(seed=1)
        env.render()

    with pytest.raises(ImportError, match=r"'tabletop-marl\[render\]'.*ansi"):
        show()
    svg = begun("cant_stop", "svg")
    assert is_svg(svg.render())


def test_without_a_display_a_window_says_so(monkeypatch):
    window.begin_display().display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "none_of_these")
    with pytest.raises(NoDisplayError, match=r"no window can be opened .*rgb_array"):
        begun("cant_stop", "human")


def test_a_window_that_nobody_can_see_says_so(monkeypatch):
    """SDL falls back on such a window where there is no display."""
    monkeypatch.setattr(window, "_is_chosen", lambda: False)
    with pytest.warns(UserWarning, match="nobody sees this window"):
        begun("cant_stop", "human").close()
    with pytest.raises(NoDisplayError, match="there is no display"):
        window.check_display()


def test_user_may_close_the_window(monkeypatch):
    import pygame

    monkeypatch.setattr(window, "is_visible", lambda _: True)
    env, other = begun("cant_stop", "human"), begun("cant_stop", "human")
    seen = env.unwrapped._screen._window
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=seen._opened))
    other.step(int(other.last()[0]["action_mask"].argmax()))
    assert seen.closed
    assert env.render() is None
    assert not other.unwrapped._screen._window.closed
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    other.step(int(other.last()[0]["action_mask"].argmax()))
    assert other.unwrapped._screen._window.closed


def test_nothing_is_drawn_where_nobody_looks():
    """Neither imported nor kept: a step without a mode does nothing more."""
    done = run_python(
        "import sys\n"
        "from cant_stop_env import cant_stop_v0\n"
        "for mode in (None, 'rgb_array'):\n"
        "    env = cant_stop_v0.raw_env(render_mode=mode)\n"
        "    env.reset(seed=1)\n"
        "    env.step(env.position.legal_actions()[0])\n"
        "    print(env._screen is None, 'pylunasvg' in sys.modules)\n"
        "print([name for name in ('pygame', 'PIL') if name in sys.modules])\n"
    )
    assert done.stdout.split("\n")[:3] == ["True False", "False False", "[]"]


def test_hidden_cards_are_drawn_only_for_who_may_see_them():
    game = load_game("icecool", num_players=2)
    states = Position.new(game, 1).states
    states["face_down"][0, :, 3] = 2
    other = states.copy()
    other["face_down"][0, 1] = (0, 1, 1, 0)
    assert game.picture(Scene(states)) != game.picture(Scene(other))
    mine, unknown = (game.picture(Scene(s, seat=0)) for s in (states, other))
    assert mine == unknown
    assert game.picture(Scene(states, seat=1)) != game.picture(Scene(other, seat=1))


def test_stop_is_faint_where_the_rules_do_not_allow_it():
    for occupied, faint in (("share", False), ("no_rest", True)):
        shared = set_up(pieces={1: {7: 3}}, runners={7: 3}, occupied=occupied)
        stop = re.search(r"<g( opacity=.0.3.)?><g id=.action-78", shared._repr_svg_())
        assert stop is not None
        assert (stop[1] is not None) == faint


@pytest.mark.parametrize("mode", ["rgb_array", "rgb_array_list"])
def test_gymnasium_records_a_video(mode, tmp_path):
    env = gymnasium.wrappers.RecordVideo(
        gymnasium.make("tabletop/CantStop-v0", render_mode=mode, seat=0),
        f"{tmp_path}/videos",
        disable_logger=True,
    )
    env.reset(seed=1)
    for _ in range(3):
        env.step(int(env.get_wrapper_attr("action_masks")().argmax()))
    env.close()
    assert [file.suffix for file in (tmp_path / "videos").iterdir()] == [".mp4"]


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo before 1.27")
def test_pettingzoo_records_a_video(tmp_path):
    from pettingzoo.utils.wrappers.record_video import RecordVideo

    env = cant_stop_v0.env(render_mode="rgb_array")
    env = RecordVideo(env, f"{tmp_path}/videos", disable_logger=True)
    env.reset(seed=1)
    for _ in range(3):
        observation = env.last()[0]
        assert observation is not None
        env.step(int(observation["action_mask"].argmax()))
    env.close()
    assert [file.suffix for file in (tmp_path / "videos").iterdir()] == [".mp4"]
