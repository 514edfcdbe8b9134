"""Games in the page of ``tabletop play``, from the first click to the end.

``make test-browser`` runs this; the ordinary tests do not find it by its name, since
it needs Chromium and its driver. ``tests/benchmarks/playing/test_page.py`` has what can
be held without. With ``SCREENSHOTS=folder`` in the environment the pages can be looked
at.
"""

import os
import threading
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from benchmarks.playing.match import Match, Table
from benchmarks.playing.server import listen, make_server
from game_core.agents.play import replay
from game_core.registry import load_game

PATIENCE = 120  # seconds


class Played:
    """A game in the browser's page."""

    def __init__(self, browser, game_id, bots, seat=0, **options):
        self.logs = []
        self.browser = browser
        game = load_game(game_id, num_players=len(bots) + 1, **options)
        table = Table(game, tuple(bots), seat, bots[0], seed=5)
        self.match = Match(table, self.logs.append)
        self.match.begin()
        with listen(0) as listening:
            self.server = make_server(self.match, listening)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        browser.get(f"http://127.0.0.1:{self.server.port}/")

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector)[0].text

    def script(self, code):
        return self.browser.execute_script(code)

    def wait(self, condition):
        WebDriverWait(self.browser, PATIENCE, 0.1).until(lambda _: condition())

    def wait_for_turn(self):
        """Wait until something is asked; return whether it is, or the game is over."""
        asked = "return state !== null && isAsked()"
        over = "return state !== null && state.ending !== null && !passing"
        self.wait(lambda: self.script(asked) or self.script(over))
        return not self.script(over)

    def click(self, selector):
        self.find(selector)[0].click()

    def press(self, *keys):
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def moves(self):
        return self.script("return state.moves.length")

    def play(self):
        """Confirm what is chosen, and wait until it has been played."""
        before = self.moves()
        self.click("#play")
        self.wait(lambda: self.moves() > before)

    def look(self, name):
        if "SCREENSHOTS" in os.environ:
            folder = Path(os.environ["SCREENSHOTS"])
            self.browser.save_screenshot(folder / f"{name}.png")

    def assert_over(self):
        """The end is told, the log replays, and nothing has gone wrong on the way."""
        assert not self.script("return state.ending === null")
        assert "win" in self.text("#status").lower()
        assert self.find("#log")[0].is_displayed()
        log = self.script("return fetch('/log').then(r => r.text())")
        (kept,) = self.logs
        assert log.strip() == kept.to_json()
        assert sum(1 for _ in replay(kept)) == self.moves()
        assert self.browser.get_log("browser") == []


@pytest.fixture
def begin(browser):
    games = []

    def begin(*args, **options):
        games.append(Played(browser, *args, **options))
        return games[-1]

    yield begin
    for game in games:
        game.server.shutdown()


def click_in_picture(game):
    """Choose the last move by clicking what is lit, step by step."""
    while game.find("#board .lit") and not game.find("#play:enabled"):
        game.script("""
            const lit = [...document.querySelectorAll("#board .lit")].at(-1);
            const click = new MouseEvent("click", {bubbles: true});
            lit.querySelector("rect").dispatchEvent(click);
        """)


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("cant_stop", {"columns_to_win": 1, "max_turns": 40}),
        ("azul", {"max_rounds": 1}),
        ("azul", {"max_rounds": 1, "wall": "grey"}),
    ],
)
def test_games_are_clicked_to_their_end(begin, game_id, options):
    game = begin(game_id, ["random"], **options)
    game.wait_for_turn()
    game.look(f"{game_id}-start")
    while game.wait_for_turn():
        click_in_picture(game)
        game.look(f"{game_id}-chosen")
        game.play()
    game.look(f"{game_id}-end")
    game.assert_over()


def drag(game, dx, dy):
    """Drag from the penguin to a place in the picture."""
    penguin = game.find(f"#penguin-{game.match.table.seat}")[0]
    actions = webdriver.ActionChains(game.browser, duration=50)
    actions.move_to_element(penguin).click_and_hold().move_by_offset(dx, dy)
    actions.release().perform()


def test_icecool_is_dragged_to_its_end(begin):
    game = begin("icecool", ["random"], max_flicks=2, first_catcher=0)
    game.wait_for_turn()
    assert game.script("return state.asked.kind") == "place"
    game.play()
    flicks = 0
    while game.wait_for_turn():
        if game.script("return state.asked.kind") == "flick":
            assert not game.find("#play:enabled")
            drag(game, -80, 60)
            dx, dy, strength, side, height, _ = game.script("return action")
            assert dx < -0.7
            assert dy < -0.5
            assert 0.1 < (strength + 1) / 2 < 0.9
            assert (side, height) == (0, 0)
            game.look("icecool-flick")
            flicks += 1
        elif game.script("return state.asked.kind") == "choose":
            click_in_picture(game)
        game.play()
    assert flicks
    game.look("icecool-end")
    game.assert_over()


def test_a_flick_is_seen_on_its_way(begin, browser):
    still = {"name": "prefers-reduced-motion", "value": "no-preference"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [still]})
    game = begin("icecool", ["random"], max_flicks=1, first_catcher=1)
    game.wait_for_turn()
    game.script("""
        window.places = new Set();
        const once = draw;
        draw = svg => {
          once(svg);
          places.add(document.querySelector("#penguin-0 circle").getAttribute("cx"));
        };
    """)
    drag(game, -60, 60)
    game.play()
    game.wait_for_turn()
    assert game.script("return places.size") > 5
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_icecool_by_keyboard(begin):
    """Sliders are moved by arrow keys, and Enter flicks; Escape begins anew."""
    game = begin("icecool", ["random"], max_flicks=2, first_catcher=1)
    game.wait_for_turn()
    assert game.script("return document.activeElement.type") in ("range", "radio")
    game.script("document.querySelector('label.slide input').focus()")
    game.press(*[Keys.ARROW_RIGHT] * 10, Keys.TAB, *[Keys.ARROW_RIGHT] * 5)
    assert game.script("return Math.round(degrees())") == 10
    assert game.script("return aim.strength") == pytest.approx(-0.1)
    game.press(Keys.TAB, Keys.ARROW_LEFT, Keys.TAB, Keys.ARROW_RIGHT)
    assert game.script("return [aim.side, aim.height]") == [-0.01, 0.01]
    game.press(Keys.ESCAPE)
    assert game.script("return action") is None
    game.press(Keys.ARROW_RIGHT)
    before = game.moves()
    game.press(Keys.ENTER)
    game.wait(lambda: game.moves() > before)


@pytest.mark.parametrize("game_id", ["cant_stop", "azul"])
def test_the_keyboard_alone_is_enough(begin, game_id):
    """The first move has the focus; Enter selects, and Enter on the button plays."""
    game = (
        begin(game_id, ["random"], max_rounds=1)
        if game_id == "azul"
        else begin(game_id, ["random"], columns_to_win=1, max_turns=6)
    )
    for _ in range(4):
        if not game.wait_for_turn():
            break
        before = game.moves()
        game.press(Keys.ARROW_RIGHT)
        for _ in range(3):
            game.press(Keys.ENTER)
        game.wait(lambda before=before: game.moves() > before)


def test_a_mistaken_click_is_undone_before_it_is_confirmed(begin):
    game = begin("azul", ["random"], max_rounds=1, starting_player=0)
    game.wait_for_turn()
    click_in_picture(game)
    assert len(game.find("#board .chosen")) == 2
    game.press(Keys.ESCAPE)
    assert game.find("#board .chosen") == []
    assert not game.find("#play:enabled")
    click_in_picture(game)
    game.click("#undo")
    assert game.find("#board .chosen") == []
    assert game.moves() == 1


@pytest.mark.parametrize("game_id", ["cant_stop", "azul", "icecool"])
def test_a_hint_is_shown_and_can_be_played(begin, game_id):
    game = begin(game_id, ["random"])
    assert game.wait_for_turn()
    before = game.moves()
    game.click("#hint")
    game.wait(lambda: "would play" in game.text("#status"))
    assert game.moves() == before
    game.look(f"{game_id}-hint")
    game.play()


def test_one_can_play_while_a_hint_is_thought_about(begin):
    game = begin("azul", ["random"], max_rounds=1, starting_player=0)
    game.wait_for_turn()
    thought = threading.Event()
    game.match.hint = lambda tag: {"given": thought.wait(PATIENCE)}
    game.click("#hint")
    click_in_picture(game)
    game.play()
    thought.set()
    assert game.wait_for_turn()
    assert "would play" not in game.text("#status")


def test_reloading_and_a_second_tab_show_the_same_game(begin):
    game = begin("azul", ["random"], max_rounds=1, starting_player=0)
    game.wait_for_turn()
    click_in_picture(game)
    game.play()
    game.wait_for_turn()
    seen = game.script("return [state.tag, document.querySelector('#board').innerHTML]")
    game.browser.refresh()
    game.wait_for_turn()
    assert game.script("return state.tag") == seen[0]
    first = game.browser.current_window_handle
    game.browser.switch_to.new_window("tab")
    game.browser.get(f"http://127.0.0.1:{game.server.port}/")
    game.wait_for_turn()
    click_in_picture(game)
    game.play()
    game.wait_for_turn()
    tag = game.script("return state.tag")
    game.browser.close()
    game.browser.switch_to.window(first)
    game.wait(lambda: game.script("return state.tag") == tag)


def test_a_new_game_can_be_begun_and_a_game_resigned(begin):
    game = begin("azul", ["random"])
    game.wait_for_turn()
    game.click("#resign")
    game.browser.switch_to.alert.accept()
    game.wait(lambda: "resigned" in game.text("#status"))
    game.click("#new")
    game.wait(lambda: game.script("return state.game").endswith("-2"))
    assert game.wait_for_turn()
    assert "Your move" in game.text("#status")


def test_the_page_says_when_the_server_has_gone(begin):
    game = begin("cant_stop", ["random"])
    game.wait_for_turn()
    game.server.shutdown()
    game.server.server_close()
    game.script("follow()")
    game.wait(lambda: "still running" in game.text("#problem"))
