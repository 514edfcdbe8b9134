"""The page that ``tabletop render`` writes, stepped through by keys and buttons."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from benchmarks.viewer.pictures import shots, write_picture
from game_core.agents.find import find_agent
from game_core.agents.play import play
from game_core.registry import load_game


@pytest.fixture(scope="module")
def log():
    game = load_game("cant_stop", num_players=2, columns_to_win=1)
    agents = [find_agent("random", "cant_stop")] * 2
    return play(game, agents, 1, names=("<b>&", "-->\u2028</script><!--<script>"))


@pytest.fixture
def page(browser, log, tmp_path):
    write_picture(log, tmp_path / "game.html")
    browser.get_log("browser")  # forgets what came before
    browser.get((tmp_path / "game.html").as_uri())
    return browser


def text(page, selector):
    return page.find_element(By.CSS_SELECTOR, selector).text


def press(page, key):
    ActionChains(page).send_keys(key).perform()


def test_keys_step_through_all_moves(page, log):
    seen = shots(log)
    last = len(seen) - 1
    assert text(page, "output") == f"0 / {last}"
    for at in range(1, last + 1):
        press(page, Keys.ARROW_RIGHT)
        assert text(page, "output") == f"{at} / {last}"
        shown = text(page, "[aria-current]")
        assert shown == f"{at}. {' '.join(seen[at].words.split())}"
    for key, at in ((Keys.ARROW_LEFT, last - 1), (Keys.HOME, 0), (Keys.END, last)):
        press(page, key)
        assert text(page, "output") == f"{at} / {last}"
    assert page.get_log("browser") == []


def test_play_shows_the_game_and_pauses(page, log):
    button = page.find_element(By.ID, "play")
    button.click()
    WebDriverWait(page, 20).until(lambda _: text(page, "output").startswith("2 /"))
    assert button.text == "Pause"
    button.click()
    assert button.text.endswith("Play")
    press(page, Keys.END)
    press(page, Keys.SPACE)
    assert text(page, "output").startswith("0 /")
