"""The stored standings: each match with its games, one command, and what is shown."""

import itertools
import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.cli.agents import agents_of, figures_of
from benchmarks.report.stored_standings import DATA, elo_words, markdown, read_standings
from benchmarks.studies import standings
from benchmarks.studies.standings import (
    BUDGETS,
    OTHERS,
    PLAYERS,
    Standings,
    bots_of,
    stages,
)
from benchmarks.tournament.schedule import Schedule
from benchmarks.tournament.workers import WorkerDiedError
from game_core.agents.find import agent_names
from game_core.catalog import GAMES
from tests.games import REPOSITORY

FEW = ("random", "rule_of_28", "fifty_percent")


def test_there_is_a_plan_for_every_game_and_every_bot_in_it_exists():
    assert set(BUDGETS) == set(itertools.product(GAMES, PLAYERS))
    for (game, _), budgets in BUDGETS.items():
        assert set(budgets) - {OTHERS} < set(agent_names(game))


@pytest.mark.parametrize(("game", "num_players"), BUDGETS)
def test_a_match_has_the_games_of_its_slowest_bot(game, num_players):
    budgets = BUDGETS[game, num_players]
    games = Counter()
    for tournament in stages(game, num_players, share=0.5):
        schedule = Schedule(tournament)
        for match in schedule.matches:
            games[match] = max(games[match], schedule.sets * num_players)
    assert set(games) == set(
        itertools.combinations(sorted(bots_of(game, num_players)), num_players)
    )
    for match, count in games.items():
        slowest = min(budgets.get(bot, budgets[OTHERS]) for bot in match)
        assert 0 <= count - slowest / 2 < num_players


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Standings of three bots, of which one has fewer games, and where they are."""
    folder = tmp_path_factory.mktemp("standings")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standings, "agent_names", lambda game: dict.fromkeys(FEW, ""))
        patch.setattr(
            standings,
            "BUDGETS",
            {key: {OTHERS: 200, "fifty_percent": 80} for key in BUDGETS},
        )
        command = Standings(
            game=("cant_stop",),
            num_players=(2,),
            share=0.5,
            workers=1,
            out=folder / "games",
            data=folder / "standings.json",
            docs=folder / "standings.md",
        )
        command.run(Console(quiet=True))
        (games,) = (folder / "games").glob("cant_stop-2-????????.jsonl")
        before = games.read_bytes(), command.docs.read_bytes()
        command.run(Console(quiet=True))
        assert before == (games.read_bytes(), command.docs.read_bytes())
    return command


def test_one_command_plays_rates_and_stores(played):
    (table,) = read_standings(played.data)
    assert (table.game, table.num_players, table.share) == ("cant_stop", 2, 0.5)
    assert table.games == 100 + 40 + 40
    assert {bot.name: bot.games for bot in table.bots} == {
        "random": 140,
        "rule_of_28": 140,
        "fifty_percent": 80,
    }
    assert [bot.elo[0] for bot in table.bots] == sorted(
        (bot.elo[0] for bot in table.bots), reverse=True
    )
    assert table.anchor == "rule_of_28"
    worst = table.bots[-1]
    assert (worst.name, worst.ahead) == ("random", None)
    # Each wins 97 % of the games with random: 100 Elo would be 64 %, ten errors away.
    assert worst.elo[2] < -100
    assert all(bot.seconds for bot in table.bots)


def test_the_page_has_the_tables_and_the_command(played):
    page = played.docs.read_text()
    assert "## cant_stop, 2 players" in page
    assert "180 games, 0.5 of those of a full run" in page
    assert "--game cant_stop --num-players 2 --share=0.5" in page
    assert "| `rule_of_28` | 0 | fixed |" in page


def test_a_run_of_one_game_keeps_the_tables_of_others(played):
    other = {"game": "azul", "num_players": 4}
    content = json.loads(played.data.read_text())
    content["tables"] += [content["tables"][0] | other]
    kept = played.data.with_name("two.json")
    kept.write_text(json.dumps(content))
    (table,) = read_standings(played.data)
    both = standings.store(table, kept)
    assert [(t.game, t.num_players) for t in both] == [("azul", 4), ("cant_stop", 2)]
    assert read_standings(kept) == both
    kept.write_text('{"tables": [{}]}')
    with pytest.raises(ValueError, match=r"two\.json holds no standings"):
        read_standings(kept)


def test_agents_are_listed_by_strength_and_those_without_figures_last(played, capsys):
    stored = read_standings(played.data)
    Console(width=200).print(agents_of("cant_stop", stored))
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines[2:]]
    assert names[:3] == [bot.name for bot in stored[0].bots]
    assert set(names) == set(agent_names("cant_stop"))
    mcts = next(line for line in lines if line.startswith("mcts"))
    assert mcts.split()[1:4] == ["-", "-", "-"]
    assert "Monte Carlo" in mcts or "Search" in mcts
    assert f"{stored[0].date}, tabletop-marl" in figures_of("cant_stop", stored)
    assert figures_of("azul", stored) == "No standings of azul are stored.\n"


def test_games_of_a_policy_trained_anew_are_not_counted(monkeypatch, tmp_path):
    monkeypatch.setattr(standings, "TRAINED", tmp_path)
    digests = {standings.digest_of_code("azul")}
    for content in (b"one", b"two"):
        (tmp_path / "azul_2.npz").write_bytes(content)
        digests.add(standings.digest_of_code("azul"))
    assert len(digests) == 3
    before = standings.digest_of_code("cant_stop")
    (tmp_path / "azul_4.npz").write_bytes(b"")
    assert standings.digest_of_code("cant_stop") == before


def test_the_page_in_the_package_is_that_of_its_data():
    assert standings.DOCS.read_text() == markdown(read_standings(DATA))


def test_the_readme_has_the_ratings_of_the_package():
    readme = " ".join((REPOSITORY / "README.md").read_text().split())
    tables = [table for table in read_standings(DATA) if table.num_players == 2]
    assert {table.game for table in tables} == set(GAMES)
    for table in tables:
        for bot in table.bots:
            elo, between = elo_words(bot)
            rating = f"{elo} ({between})".replace(" (fixed)", "")
            assert f"| `{bot.name}` | {rating} |" in readme


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"share": 0.0}, "share=0.0 is not above 0"),
        ({"game": ("go",)}, "no standings of .*'go'.*; there are: cant_stop of 2, "),
        ({"num_players": (3,)}, "no standings of .*3.*; there are: "),
        ({"docs": Path("/dev/null/a.md")}, "/dev/null"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path, wrong, message):
    files = {"data": tmp_path / "data.json", "docs": tmp_path / "docs.md"}
    with pytest.raises((ValueError, OSError), match=message):
        Standings(out=tmp_path, **files | wrong).run(Console(quiet=True))
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_dies_is_one_line(monkeypatch, capsys):
    def die(self, console):
        raise WorkerDiedError("a process died")

    monkeypatch.setattr(Standings, "run", die)
    monkeypatch.setattr(sys, "argv", ["standings"])
    assert standings.main() == 1
    assert capsys.readouterr().err == (
        "tabletop: a process died; the same command goes on\n"
    )
