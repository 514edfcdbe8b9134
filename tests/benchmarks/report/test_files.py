"""The report in files: all that was played, for any tournament, and nothing foreign."""

import csv
import io
import itertools
import json
import re
import sys
from html.parser import HTMLParser

import pytest

from benchmarks.report.digest import Digest
from benchmarks.report.files import write_report
from benchmarks.report.highlights import (
    MAX_FRAMES,
    Candidates,
    Frame,
    frames,
    shortened,
)
from benchmarks.tournament.schedule import set_of_games
from game_core import GameLog, find_agent, load_game, play

EVIL = "<script>alert('x')</script> $x^2$ | `&amp;`"
VOID = ("meta", "input")


def crashing(view):
    """Raise at the third move with a message that a page must not run."""
    if view.state.turns > 2:
        raise ValueError(EVIL)
    return view.sample_action()


def write_results(path, agents, sets, game="cant_stop", cut=0, **options):
    """Write a file of results in which all play at random, but the bad ones."""
    game = load_game(game, **options)
    header = {
        "game": game.id,
        "agents": list(agents),
        "options": dict(game.options),
        "seed": 7,
        "games_in_all": 10_000 if cut else None,
        "package": "tabletop-marl 0",
        "version": game.version,
    }
    lines = [json.dumps({"tournament": header})]
    at_random = find_agent("random", game.id)
    for number in range(sets):
        for match in itertools.combinations(sorted(agents), game.num_players):
            for fixture in set_of_games(7, match, number):
                names = fixture.agents
                seated = [crashing if "bad" in n else at_random for n in names]
                log = play(game, seated, fixture.seed, names=names, forfeits=True)
                places = {"set": number, "rotation": fixture.rotation}
                decisions = {"decisions": [len(log.actions)] + [0] * (len(names) - 1)}
                lines.append(json.dumps(vars(log) | places | decisions))
    lines = lines[: len(lines) - cut]
    path.write_text("\n".join(lines) + "\n")
    return path


class Tags(HTMLParser):
    """Checks that tags close in order, and collects texts and attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.links, self.scripts = [], [], [], 0

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.scripts += tag == "script"
        self.links += [v for k, v in attrs if k in ("src", "href", "action", "data")]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def parsed(page):
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    return tags


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The folder with the report of a tournament of four, one of them bad."""
    folder = tmp_path_factory.mktemp("report")
    agents = ("random", "bad", "good", EVIL)
    path = write_results(folder / "played.jsonl", agents, 6, max_turns=60)
    times = {"good": [100, 0.25, 0.1], "random": [10, 0.5, 0.2]}
    (folder / "played.jsonl.times.jsonl").write_text(json.dumps(times) + "\n")
    return path, write_report(path, folder / "out")


def test_the_folder_has_a_page_markdown_and_tables(report):
    _, written = report
    names = ["report.html", "report.md", "standings.csv", "cross_table.csv"]
    assert [path.name for path in written] == names
    assert all(path.stat().st_size for path in written)


def test_the_page_needs_nothing_else(report):
    page = report[1][0].read_text()
    assert parsed(page).links == []
    for foreign in ("@import", "url(http", "fetch(", "XMLHttpRequest", "<link", "<img"):
        assert foreign not in page
    used = set(re.findall(r"https?://[^\"'<\s\\]+", page))
    # Names of XML, which nobody fetches.
    assert used <= {"http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"}


def test_what_others_wrote_is_text(report):
    """Names of agents and reasons of forfeits, in the table, the plot and the data."""
    page = report[1][0].read_text()
    assert "<script>alert" not in page
    tags = parsed(page)
    games = page.count('class="game"')
    assert tags.scripts == games + 1
    assert sum(EVIL in text for text in tags.texts) > 3
    assert any("raised ValueError: <script>alert" in text for text in tags.texts)


def test_the_page_tells_everything(report):
    page = report[1][0]
    text = " ".join(" ".join(parsed(page.read_text()).texts).split())
    for part in (
        "A tournament of 4 agents: 72 games",
        "max_turns=60",
        "tabletop tournament cant_stop --agents random",
        "played.jsonl",
        "fixed",
        "2.5 ms",
        "Who beats whom",
        "bad: ",
        "The first forfeit: by bad",
        "The longest game",
        "player_1",
    ):
        assert part in text, part


def test_a_game_can_be_stepped_through_to_its_end(report):
    path, written = report
    page = written[0].read_text()
    data = re.findall(r'<script type="application/json">(.*?)</script>', page, re.S)
    digest = Digest.read(path)
    shown = digest.shown_games()
    assert len(data) == len(shown) >= 3
    for text, game in zip(data, shown, strict=True):
        film = json.loads(text)
        turns, tags = film["turns"], film["tags"]
        assert turns[0]["moves"] == []
        assert sum(len(turn["moves"]) for turn in turns) == len(game.log.actions)
        pictures = ["".join(tags[n] for n in turn["picture"]) for turn in turns]
        assert pictures == [turn.picture for turn in game.turns]
        assert pictures[-1] in page


def test_the_same_results_give_the_same_bytes(report, tmp_path):
    path, written = report
    again = write_report(path, tmp_path)
    assert [p.read_bytes() for p in again] == [p.read_bytes() for p in written]


def test_markdown_tables_hold_any_name(report):
    lines = report[1][1].read_text().splitlines()
    table = [line for line in lines if line.startswith("|")]
    evil = [line for line in table if "alert" in line]
    assert evil
    header = table[0].count("|")
    assert all(line.count("|") - line.count("\\|") == header for line in table[2:6])
    assert "| `random` | 0 | fixed |" in "\n".join(table)
    assert "2.5 ms" not in "\n".join(lines)  # times differ from run to run


def test_csv_tables_can_be_read(report):
    standings, cross = (
        list(csv.DictReader(io.StringIO(file.read_text()))) for file in report[1][2:]
    )
    assert {row["agent"] for row in standings} == {"random", "bad", "good", EVIL}
    bad = next(row for row in standings if row["agent"] == "bad")
    assert int(bad["forfeits"]) > 20
    assert [row["sure_ahead_of_next"] for row in standings][2:] == ["1", ""]
    assert float(bad["elo_low"]) < float(bad["elo"]) < float(bad["elo_high"])
    good = next(row for row in standings if row["agent"] == "good")
    assert float(good["seconds_per_move"]) == 0.0025
    assert bad["seconds_per_move"] == ""
    assert len(cross) == 12
    scores = {(row["agent"], row["opponent"]): float(row["score"]) for row in cross}
    for (agent, opponent), score in scores.items():
        assert score + scores[opponent, agent] == pytest.approx(1, abs=1e-5)


def test_a_name_that_ends_in_html_is_the_page_alone(report, tmp_path):
    path, written = report
    assert write_report(path, tmp_path / "new" / "page.html") == [
        tmp_path / "new" / "page.html"
    ]
    assert list((tmp_path / "new").iterdir()) == [tmp_path / "new" / "page.html"]
    assert (tmp_path / "new" / "page.html").read_text() == written[0].read_text()


@pytest.mark.parametrize(
    ("agents", "sets", "settings"),
    [
        (("a", "b"), 2, {"cut": 3}),  # one game: no whole set
        (("a", "b"), 2, {"cut": 4}),  # no game
        (("a", "b", "c", "d"), 1, {"cut": 10}),  # a and b alone
        (("bad", "bad 2"), 2, {}),
        (("a", "b", "c"), 2, {"num_players": 3, "max_turns": 5}),
        (tuple("abcde"), 1, {"num_players": 4}),
        ([f"agent {i:02}" for i in range(30)], 1, {"max_turns": 3}),
        (("a", "b", "c"), 1, {"game": "azul", "num_players": 3}),
        (("a", "b"), 1, {"game": "icecool"}),
    ],
)
def test_any_tournament_has_a_report(agents, sets, settings, tmp_path):
    path = write_results(tmp_path / "some.jsonl", agents, sets, **settings)
    html, text, _, _ = write_report(path, tmp_path / "out")
    tags = parsed(html.read_text())
    for agent in agents:
        assert any(agent in part for part in tags.texts)
    assert all(agent in text.read_text() for agent in agents)


def test_a_tournament_cut_short_says_so(tmp_path):
    path = write_results(tmp_path / "some.jsonl", ("a", "b"), 2, cut=3)
    digest_text = write_report(path, tmp_path / "out")[1].read_text()
    assert "1 of 10000 games" in digest_text
    assert "There are no ratings" in digest_text


def test_a_game_that_does_not_replay_is_told_and_not_shown(tmp_path):
    path = write_results(tmp_path / "some.jsonl", ("a", "b"), 1)
    path.write_text(path.read_text().replace('"version": 0', '"version": 99'))
    page = write_report(path, tmp_path / "page.html")[0].read_text()
    assert "It does not replay: the log is of cant_stop version 99" in page


def log_of(agents, rewards, length, ended="terminated", seat=None):
    return GameLog(
        "x", 0, {}, 1, agents, (0,) * length, rewards, ended, seat, seat and "no"
    )


def test_highlights_are_chosen():
    candidates = Candidates()
    logs = [
        log_of(("a", "b"), (1, -1), 10),
        log_of(("a", "b"), (1, -1), 99, "truncated"),
        log_of(("a", "b"), (1, -1), 5),
        log_of(("a", "b"), (-1, 1), 4, "forfeit", 0),
        log_of(("a", "b"), (0, 0), 7),
    ]
    for number, log in enumerate(logs, start=1):
        candidates.add(number, log)
    assert candidates.chosen(None) == {
        5: "A shared win",
        2: "The longest game: 99 decisions",
        3: "The shortest game: 5 decisions",
    } | {4: "The first forfeit: by a"}


def test_turns_are_told_one_by_one_and_long_games_shortened():
    log = play(load_game("cant_stop"), [find_agent("random", "cant_stop")] * 2, seed=1)
    turns = list(frames(log))
    assert turns[0].moves == ()
    assert turns[1].moves[0].startswith("random (1): ")
    assert len(turns) < len(log.actions) / 2
    assert shortened(turns) == turns
    long = [Frame((str(i),), "") for i in range(1000)]
    kept = shortened(long)
    assert len(kept) == MAX_FRAMES + 1
    assert kept[0], kept[-1] == (long[0], long[-1])
    assert "700 turns are left out" in kept[MAX_FRAMES // 2].moves[0]


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_what_is_missing_is_named(report, tmp_path, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=rf"{missing}: pip install .*\[report\]"):
        write_report(report[0], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_results_is_refused(tmp_path):
    path = tmp_path / "other.jsonl"
    path.write_text('{"a": 1}\n')
    with pytest.raises(ValueError, match="no file of results"):
        write_report(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
