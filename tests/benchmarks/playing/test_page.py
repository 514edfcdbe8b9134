"""The page to play in, without a browser: who is let in, what is told, what is played.

``tests/browser`` has the page itself in a browser.
"""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client, TestResponse

from benchmarks.cli.app import main
from benchmarks.playing import match as matches
from benchmarks.playing.match import Match, Table
from benchmarks.playing.server import FILES, POSTS, application
from game_core.agents.play import GameLog, replay
from game_core.position import Position
from game_core.registry import load_game
from game_core.scene import Scene
from tests.games import REPOSITORY

PORT = 8421
ADDRESS = f"http://127.0.0.1:{PORT}"
TEMPLATES = REPOSITORY / "benchmarks" / "playing" / "templates"

GAMES = {
    "cant_stop": {"columns_to_win": 1},
    "azul": {"max_rounds": 1},
    "icecool": {"max_flicks": 3},
}
"""Games that take few decisions."""


class Page:
    """What the page asks for, in the words of the tests."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.state: dict[str, Any] = {"tag": ""}

    def get(self, path: str) -> TestResponse:
        response = self.client.get(path, base_url=ADDRESS)
        assert response.status_code == 200, response.text
        return response

    def get_json(self, path: str) -> Any:
        return self.get(path).json

    def post(self, path: str, status: int = 200, **content: Any) -> Any:
        content = {"tag": self.state["tag"], **content}
        response = self.client.post(path, base_url=ADDRESS, json=content)
        assert response.status_code == status, response.text
        return response.json

    def look(self) -> dict[str, Any]:
        self.state = self.get_json("/state")
        return self.state

    def wait(self) -> dict[str, Any]:
        """Look again and again until the person is asked, or the game is over."""
        state = self.look()
        while state["asked"] is None and state["ending"] is None:
            state = self.state = self.get_json(f"/state?unlike={state['tag']}")
        return state

    def film(self, move: int) -> Any:
        return self.get_json(f"/film?game={self.state['game']}&move={move}")


def page_of(match: Match) -> Page:
    """Return a page for a match, which need not have begun."""
    return Page(Client(application(match, PORT)))


def some_action(asked: dict[str, Any]) -> Any:
    """Return a legal action; in Can't Stop to stop, where that is allowed."""
    if asked["kind"] == "choose":
        stop = [move for move in asked["moves"] if move["words"] == "stop"]
        return (stop or asked["moves"])[0]["action"]
    return [1.0, 0.3, 0.2, 0.1, 0.4, 0.0]


def sit_down(
    game_id: str,
    bots: Sequence[str] = ("random",),
    seat: int = 0,
    hints: str = "random",
    **options: Any,
) -> Page:
    """Return the page of a match that has begun."""
    options = {"num_players": len(bots) + 1, **GAMES[game_id], **options}
    game = load_game(game_id, **options)
    match = Match(Table(game, tuple(bots), seat, hints, seed=5))
    match.begin()
    return page_of(match)


def play_on(page: Page) -> Iterator[dict[str, Any]]:
    """Yield the states in which the person is asked, and the last one."""
    while page.wait()["ending"] is None:
        yield page.state
        page.post("/move", action=some_action(page.state["asked"]))
    yield page.state


@pytest.fixture(params=GAMES)
def page(request):
    """A page in which the person is asked for the first time."""
    page = sit_down(request.param)
    page.wait()
    return page


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_a_game_is_played_to_its_end_and_its_log_replays(game_id, players):
    page = sit_down(game_id, ["random"] * (players - 1), seat=1)
    for state in play_on(page):
        if state["asked"]:
            assert page.client.get("/log", base_url=ADDRESS).status_code == 409
    response = page.get("/log")
    assert "attachment" in response.headers["Content-Disposition"]
    log = GameLog.from_json(response.text)
    *positions, last = [(p.player, a) for p, a in replay(log)]
    assert [seat for seat, _ in positions] == [
        move["seat"] for move in page.state["moves"][1:]
    ]
    assert log.agents[1] == "human"
    assert last[1] is None
    assert page.film(len(positions))[-1][0].startswith("<svg")


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_to_be_clicked_is_in_the_picture(game_id):
    """Each step of each legal move, and each once."""
    options = {"wall": "grey", "max_rounds": 2} if game_id == "azul" else {}
    page = sit_down(game_id, **options)
    seen = set()
    for state in play_on(page):
        picture = page.film(len(state["moves"]) - 1)[-1][0]
        for move in (state["asked"] or {}).get("moves", []):
            for name, _ in move["steps"]:
                assert picture.count(f'id="{name}"') == 1
                seen.add(name.partition("-")[0])
            assert move["words"]
    expected = {
        "cant_stop": {"action"},
        "azul": {"source", "line", "floor", "wall"},
        "icecool": set(),
    }
    assert seen >= expected[game_id]


def test_steps_tell_all_moves_apart():
    page = sit_down("azul")
    moves = page.wait()["asked"]["moves"]
    assert len({json.dumps(move["steps"]) for move in moves}) == len(moves) > 50


ILLEGAL = [None, "roll", -1, 10**6, True, 1.5, [], [1, 2], {}, [2.0] * 6, [None] * 6]


def test_an_illegal_move_is_refused_and_nothing_changes(page):
    before = page.look()
    for action in ILLEGAL:
        assert page.post("/move", 409, action=action)["error"]
    if page.state["asked"]["kind"] == "choose":
        legal = {move["action"] for move in page.state["asked"]["moves"]}
        page.post("/move", 409, action=next(a for a in range(99) if a not in legal))
    for content in (b"", b"[]", b"{", b'{"tag": "1.1"}', b"[" * 9000):
        kind = "application/json"
        response = page.client.post(
            "/move", base_url=ADDRESS, data=content, content_type=kind
        )
        assert response.status_code == 400
    assert page.look() == before


def test_a_move_is_for_the_position_that_was_seen():
    """A second tab sees the same game; what is too late there changes nothing."""
    page = sit_down("cant_stop", starting_player=0)
    page.wait()
    other = Page(page.client)
    other.state = dict(page.state)
    page.post("/move", action=some_action(page.state["asked"]))
    assert "gone on" in other.post("/move", 409, action=0)["error"]
    assert page.wait()["moves"] == other.wait()["moves"]


FOREIGN: dict[str, dict[str, Any]] = {
    "another host": {"base_url": f"http://evil.example:{PORT}"},
    "another port": {"base_url": "http://127.0.0.1:80"},
    "another origin": {"headers": {"Origin": "http://evil.example"}},
    "no origin": {"headers": {"Origin": "null"}},
}


@pytest.mark.parametrize("what", FOREIGN)
def test_foreign_pages_are_refused(what):
    page = sit_down("cant_stop", starting_player=0)
    before = page.wait()
    ask = {"base_url": ADDRESS, **FOREIGN[what]}
    if "base_url" in FOREIGN[what]:
        for path in (*FILES, "/state", "/film?game=1&move=0", "/log"):
            response = page.client.get(path, **ask)
            assert response.status_code == 403
            assert "roll" not in response.text
    action = some_action(before["asked"])
    content = {"tag": before["tag"], "action": action}
    for path in POSTS:
        assert page.client.post(path, json=content, **ask).status_code == 403
    assert page.look() == before


def test_forms_of_other_pages_are_refused():
    """They may be sent unasked, and old browsers send no origin with them."""
    page = sit_down("cant_stop", starting_player=0)
    before = page.wait()
    content = json.dumps({"tag": before["tag"]})
    for path in POSTS:
        response = page.client.post(
            path, base_url=ADDRESS, data=content, content_type="text/plain"
        )
        assert response.status_code == 400
        assert page.client.get(path, base_url=ADDRESS).status_code == 405
    assert page.look() == before


def test_nothing_is_told_that_the_seat_may_not_know():
    """Films are those of any determinized copy, and no seed is named before the end."""
    page = sit_down("icecool", ["aimer", "aimer"], max_flicks=20)
    texts, films = [], []
    for state in play_on(page):
        texts.append(json.dumps(state))
        films += [page.film(n) for n in range(len(films), len(state["moves"]))]
        if state["asked"]:
            texts.append(json.dumps(page.post("/hint")))
    log = GameLog.from_json(page.get("/log").text)
    game = load_game(log.game, **log.options)
    assert not any("seed" in text or "deck" in text for text in texts)
    assert any(position.state.face_down[1:].any() for position, _ in replay(log))
    names = page.state["names"]
    before, secrets, at = None, 0, 0
    for at, (position, action) in enumerate(replay(log)):
        if position.over:
            break
        for seed in (1, 2):
            copy = position.determinize(0, seed).states
            scene = Scene(copy, *(before or (None, None)), 0, names)
            assert game.picture(scene) == films[at][-1][0]
        true = Scene(position.states, *(before or (None, None)), None, names)
        secrets += game.picture(true) != films[at][-1][0]
        before = position.determinize(0).states, action
    assert at > 5
    assert secrets > 0


def test_a_hint_is_a_legal_move_and_changes_nothing(page):
    found = page.post("/hint")
    assert page.look()["moves"] == page.state["moves"]
    assert found == page.post("/hint")
    assert found["words"]
    page.post("/move", action=found["action"])


def test_an_adviser_that_fails_says_so(bot_file):
    page = sit_down("cant_stop", hints=f"{bot_file}:raises", starting_player=0)
    before = page.wait()
    assert "gives no hint" in page.post("/hint", 409)["error"]
    assert page.look() == before


def test_a_bot_that_raises_forfeits_with_its_reason(bot_file):
    page = sit_down("cant_stop", [f"{bot_file}:raises"], starting_player=1)
    ending = page.wait()["ending"]
    assert re.search(r"raises forfeits: raised \w+", ending)
    assert GameLog.from_json(page.get("/log").text).ended == "forfeit"


def test_resigning_loses_the_game():
    page = sit_down("azul")
    page.wait()
    page.post("/resign")
    assert page.wait()["ending"] == "You have resigned"
    log = GameLog.from_json(page.get("/log").text)
    assert [position.over for position, _ in replay(log)][-1] is False
    assert "not your move" in page.post("/resign", 409)["error"]


def test_bots_of_one_name_are_told_apart_and_each_game_explains_itself(page):
    assert all(len(words) > 40 for words in page.state["help"])
    assert len(page.state["help"]) == 2
    three = sit_down("azul", ["random", "random"], seat=1).look()
    assert three["names"] == ["random (0)", "human", "random (2)"]


def test_a_bot_cannot_end_the_thread_of_a_game(monkeypatch):
    def leave(view):
        raise KeyboardInterrupt

    monkeypatch.setattr(matches, "find_agent", lambda name, game_id: leave)
    page = sit_down("cant_stop", starting_player=1)
    assert page.wait()["ending"] == "random forfeits: raised KeyboardInterrupt"


def test_a_long_request_is_refused_in_json(page):
    answer = page.post("/move", 413, action=[0] * 10_000)
    assert answer == {"error": "give at most 10000 bytes"}


def test_another_game_has_the_next_seed_and_films_of_its_own():
    logs = []
    game = load_game("cant_stop", columns_to_win=1, starting_player=0)
    match = Match(Table(game, ("random",), 0, "random", seed=5), logs.append)
    match.begin()
    page = page_of(match)
    page.wait()
    first = page.state
    page.post("/new")
    assert page.wait()["game"] != first["game"]
    assert page.post("/new", 409, tag=first["tag"])["error"].startswith("another game")
    film = f"/film?game={first['game']}&move=0"
    assert page.client.get(film, base_url=ADDRESS).status_code == 409
    for _ in play_on(page):
        pass
    assert [log.seed for log in logs] == [6]


def test_one_can_play_alone():
    page = sit_down("cant_stop", bots=())
    *_, last = play_on(page)
    assert last["ending"] == "You win"


def test_files_name_nothing_outside_and_only_what_exists():
    """Addresses, paths and ids in the page are those of the server and the page."""
    page = sit_down("cant_stop")
    texts = {path: page.get(path).text for path in FILES}
    for text in texts.values():
        outside = set(re.findall(r"\w+://[^\"' )]+", text))
        assert outside <= {"http://www.w3.org/2000/svg"}
    html, script, style = (texts[path] for path in ("/", "/play.js", "/play.css"))
    linked = re.findall(r'(?:href|src)="(/[^"]*)"', html)
    linked += re.findall(r'url\("([^"]*)"\)', style)
    assert {"/play.css", "/play.js"} <= set(linked)
    assert all(page.client.head(p, base_url=ADDRESS).status_code < 410 for p in linked)
    called = re.findall(r'(get|post)\([`"](/\w+)', script)
    assert {path for verb, path in called if verb == "post"} == set(POSTS)
    assert {path for verb, path in called if verb == "get"} == {"/state", "/film"}
    ids = set(re.findall(r'\bid="([\w-]+)"', html)) | {"aim"}
    page.look()
    picture = page.film(0)[-1][0]
    drawn = set(re.findall(r'\bid="([\w-]+)"', picture)) | {"school"}
    named = set(re.findall(r"[\"'`]#([\w-]+)", script))
    assert named <= ids | drawn
    assert {"play", "undo", "hint", "new", "resign", "skip", "again"} <= ids
    headers = page.get("/").headers
    assert headers["Content-Security-Policy"].startswith("default-src 'self';")


def complaint(capsys, *arguments):
    assert main(["play", *arguments]) == 2
    return capsys.readouterr().err


def test_wrong_uses_are_named(capsys, monkeypatch):
    assert "--against" in complaint(capsys, "azul")
    assert "unknown agent" in complaint(capsys, "azul", "--against", "nobody")
    assert "seat" in complaint(capsys, "azul", "--against", "random", "--seat", "2")
    grid = ["--option", 'grid={"directions": 4}']
    assert "grid" in complaint(capsys, "icecool", "--against", "random", *grid)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = complaint(capsys, "cant_stop", "--against", "random", "--port", port)
        assert f"port {port}" in words
        assert "--port 0" in words
    monkeypatch.setitem(sys.modules, "werkzeug.serving", None)
    assert "[play]" in complaint(capsys, "cant_stop", "--against", "random")


def test_the_command_serves_this_machine_and_ends_with_ctrl_c(tmp_path):
    out = tmp_path / "games.jsonl"
    command = "play cant_stop --against random --port 0 --no-browser --seed 1 --out"
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "benchmarks.cli", *command.split(), str(out)],
        cwd=Path(REPOSITORY),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert address, line
        with urllib.request.urlopen(address[0], timeout=60) as response:
            assert b"play.js" in response.read()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
    finally:
        process.kill()
        process.communicate()


def test_positions_of_the_page_are_new_ones():
    """``Position`` at the start is what the picture of move 0 shows."""
    page = sit_down("azul")
    game = load_game("azul", num_players=2, max_rounds=1)
    start = Position.new(game, 5)
    page.wait()
    scene = Scene(start.states, seat=0, names=("human", "random"))
    assert page.film(0)[-1][0] == game.picture(scene)
