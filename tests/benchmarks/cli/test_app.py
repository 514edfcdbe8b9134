"""The command ``tabletop``: what a user sees, and how it fails."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import get_args

import pytest

from benchmarks.cli.app import Command, main
from benchmarks.cli.console import parse_options
from benchmarks.report.formatting import command
from benchmarks.tournament.results_file import headers_in
from tests.games import run_python

HERE = ["--workers", "1"]
SEED_3 = ["--games", "20", "--seed", "3", *HERE]


@pytest.fixture
def results(tabletop, tmp_path):
    """A file with the results of a small tournament."""
    path = tmp_path / "results.jsonl"
    agents = ["--agents", "random", "rule_of_28"]
    status, _, _ = tabletop("tournament", "cant_stop", *agents, *SEED_3, "--out", path)
    assert status == 0
    return path


def test_a_tournament_prints_its_tables_and_where_the_games_are(tabletop, tmp_path):
    status, out, err = tabletop(
        *("tournament", "cant_stop", "--agents", "random", "rule_of_28"),
        *("--games", "5", "--option", "columns_to_win=1", "occupied=jump"),
    )
    assert (status, err) == (0, "")
    assert re.search(r"^The seed is \d+\.$", out, re.M)
    path, times = sorted((tmp_path / "results").iterdir())
    assert re.fullmatch(r"cant_stop-\d{8}-\d{6}\.jsonl", path.name)
    assert times.name == f"{path.name}.times.jsonl"
    assert f"The games are in results/{path.name}" in out
    assert re.search(r"rule_of_28 .* [\d.]+ to [\d.]+ % .* 3 .* 0 ", out)
    options = json.loads(path.read_text().partition("\n")[0])["tournament"]["options"]
    assert options["columns_to_win"] == 1
    assert options["occupied"] == "jump"


def test_three_agents_have_a_cross_table_and_forfeits_are_told(tabletop, bot_file):
    bot = f"{shutil.copy(bot_file, 'mine.py')}:illegal"
    status, out, _ = tabletop(
        *("tournament", "cant_stop", "--agents", "random", "rule_of_28", bot),
        *("--games", "2", "--out", "some.jsonl", *HERE),
    )
    assert status == 0
    assert "Score of the row" in out
    assert re.search(rf"{bot} .* 0\.0 % .* 4 ", out)
    told = r"illegal action: player_\d cannot play '.*' \(\d+\) now"
    assert re.search(f"{bot} forfeits game 4: {told}", out)

    status, out, _ = tabletop("replay", "some.jsonl", "--game", "4")
    assert status == 0
    assert re.search(rf"player_\d forfeits: {told}", out)


def test_the_same_command_writes_the_same_file(tabletop, results):
    agents = ["--agents", "random", "rule_of_28"]
    tabletop("tournament", "cant_stop", *agents, *SEED_3, "--out", "again.jsonl")
    assert results.with_name("again.jsonl").read_bytes() == results.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ["tournament", "cant_stop", "--agents", "random", "rule_of_28", *SEED_3],
        [
            *("tournament", "cant_stop", "--agents", "random", "rule_of_28", "{bot}"),
            *("--gauntlet", "{bot}", "--games", "3", "--num-players", "3", "--until"),
            *("5", "--option", "occupied=jump", "--memory-limit", "2000", *HERE),
        ],
        [
            *("compare", "cant_stop", "random", "rule_of_28", "--max-games", "6"),
            *("--elo1", "30.5", *HERE),
        ],
    ],
)
def test_the_command_that_a_report_shows_plays_the_same_file(tabletop, bot_file, words):
    bot = str(bot_file.with_name("my bots.py"))
    shutil.copy(bot_file, bot)
    words = [word.format(bot=f"{bot}:first") for word in words]
    tabletop(*words, "--out", "one.jsonl")
    header = headers_in(Path("one.jsonl"))[-1]
    tabletop(*shlex.split(command(header))[1:], *HERE, "--out", "other.jsonl")
    assert Path("other.jsonl").read_bytes() == Path("one.jsonl").read_bytes()


def test_four_players(tabletop):
    status, _, err = tabletop(
        *("tournament", "cant_stop", "--agents", "random", "rule_of_28"),
        *("--num-players", "4"),
    )
    assert status == 2
    assert err == (
        "tabletop: got 2 agents (random, rule_of_28) for 4 seats; name 4 or more\n"
    )


def test_replay_checks_every_game(tabletop, results):
    assert tabletop("replay", results) == (
        *(0, "All 20 games replay to their results.\n", ""),
    )


def test_replay_tells_that_a_tournament_was_cut_short(tabletop, results):
    lines = results.read_text().splitlines(keepends=True)
    results.write_text("".join(lines[:6]))
    status, out, _ = tabletop("replay", results)
    assert status == 0
    assert "cut short: 5 of 20 games are there" in out


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda game: game["rewards"].reverse(), "the game pays"),
        (lambda game: game["actions"].pop(), "the game is unfinished"),
        (lambda game: game["actions"].insert(0, 78), "move 0: .* cannot play 'stop'"),
        (lambda game: game.update(seed=game["seed"] + 1), "move|the game"),
        (lambda game: game.update(version=99), "version 99"),
        (lambda game: game.update(options=7), "."),
        (lambda game: game.pop("actions"), "no game log"),
    ],
)
def test_replay_names_the_first_line_that_differs(tabletop, results, change, reason):
    lines = results.read_text().splitlines()
    game = json.loads(lines[4])
    change(game)
    lines[4] = json.dumps(game)
    results.write_text("\n".join(lines))
    status, out, err = tabletop("replay", results)
    assert (status, out) == (1, "")
    assert re.match(rf"tabletop: {results}, line 5: .*{reason}", err)
    assert err.endswith("1 of 20 games do not replay\n")


def test_replay_shows_a_game_move_by_move(tabletop, results):
    game = json.loads(results.read_text().splitlines()[2])
    status, out, _ = tabletop("replay", results, "--game", "2")
    assert status == 0
    assert f"cant_stop with seed {game['seed']}: player_0 (rule_of_28)" in out
    moves = [line for line in out.splitlines() if re.match(r"player_\d \(.*\): ", line)]
    assert len(moves) == len(game["actions"])
    assert re.fullmatch(r"player_\d \(\w+\): (\d+ and \d+|\d+)", moves[0])
    assert out.count("Columns conquered:") > 5
    assert "wins with 3 columns" in out
    assert re.search(r"Rewards: player_0 -?1, player_1 -?1$", out.strip())


def test_agents_are_listed_with_what_they_do(tabletop):
    status, out, _ = tabletop("agents", "cant_stop")
    assert status == 0
    assert re.search(r"^random .* Play a uniformly random legal action\. *$", out, re.M)
    assert re.search(r"^rule_of_28 .* \w", out, re.M)
    assert re.search(
        r"^2 players, rule_of_28 at 0: \d{4}-\d\d-\d\d, tabletop", out, re.M
    )
    assert "azul" not in out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("tournament go --agents a b", "unknown game 'go'; known games: "),
        ("tournament cant_stop --agents random rando", "unknown agent 'rando'"),
        ("tournament cant_stop --agents random no.py:me", "there is no file 'no.py'"),
        ("tournament cant_stop --agents a b --option x", "'x' is not of the form"),
        ("tournament cant_stop --agents a b --option x=1", "unknown option 'x'"),
        (
            "tournament cant_stop --agents a b --option columns_to_win=40",
            "columns_to_win=40 is not allowed; give a whole number from 1 to 11",
        ),
        ("tournament cant_stop --agents a b --num-players 9", "num_players=9 is not"),
        ("tournament cant_stop --agents random rule_of_28 --games 0", "games=0 is not"),
        (
            "tournament cant_stop --agents random rule_of_28 --ray a b",
            "--ray takes one address or none, and no --workers",
        ),
        (
            "tournament cant_stop --agents random ppo(file='no.npz')",
            "there is no file 'no.npz'",
        ),
        (
            "tournament cant_stop --agents random rule_of_28 --report /dev/null/x",
            "/dev/null/x",
        ),
        (
            "tournament cant_stop --agents random rule_of_28 --out a.html --report "
            "a.html",
            "a.html is for the games; give the report another name",
        ),
        (
            "compare cant_stop random rule_of_28 --elo1 1e9",
            "elo1=1e+09 is not allowed; give a number from -1000 to 1000",
        ),
        ("compare cant_stop random rule_of_28 --elo1 -3", "elo0=0 is not below elo1=-"),
        ("replay no_such_file.jsonl", "there is no file 'no_such_file.jsonl'"),
        ("replay .", "Is a directory"),
        ("agents go", "unknown game 'go'"),
    ],
)
def test_a_wrong_use_is_one_line_and_exit_status_2(tabletop, command, message):
    status, out, err = tabletop(*command.split())
    assert (status, out) == (2, "")
    assert re.fullmatch(rf"tabletop: .*{re.escape(message)}.*\n", err)


@pytest.mark.parametrize("number", [0, 21, -1])
def test_a_game_that_is_not_there(tabletop, results, number):
    status, _, err = tabletop("replay", results, "--game", number)
    assert status == 2
    assert f"there is no game {number} in {results}; it has 1 to 20" in err


def test_a_file_without_games(tabletop, tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    assert tabletop("replay", "empty.jsonl")[0] == 2


def test_results_of_another_tournament_are_never_touched(tabletop, results):
    before = results.read_bytes()
    agents = ["--agents", "random", "rule_of_28"]
    words = ["--seed", "4", "--out", results]
    status, _, err = tabletop("tournament", "cant_stop", *agents, *words)
    assert status == 2
    assert f"{results} exists and is of another tournament: seed is 3 there" in err
    assert results.read_bytes() == before


def test_a_file_that_is_there_is_continued(tabletop, results):
    before = results.read_bytes()
    lines = before.splitlines(keepends=True)
    results.write_bytes(b"".join(lines[:8]))
    command = ["tournament", "cant_stop", "--agents", "random", "rule_of_28", *SEED_3]
    status, out, _ = tabletop(*command, "--out", results)
    assert status == 0
    assert "Continuing: 7 of 20 games are there." in out
    assert results.read_bytes() == before


def test_a_gauntlet_plays_the_others_and_they_not_each_other(tabletop):
    status, out, _ = tabletop(
        *("tournament", "cant_stop", "--agents", "random", "rule_of_28"),
        *("--gauntlet", "fifty_percent", *SEED_3, "--out", "some.jsonl"),
    )
    assert status == 0
    assert "fifty_percent" in out
    _, out, _ = tabletop("replay", "some.jsonl")
    assert out == "All 40 games replay to their results.\n"


def test_a_comparison_ends_with_who_is_stronger(tabletop):
    words = [
        "compare",
        "cant_stop",
        "rule_of_28",
        "random",
        "--elo1",
        "100",
        *SEED_3[2:],
    ]
    status, out, err = tabletop(*words, "--out", "some.jsonl")
    assert (status, err) == (0, "")
    assert out.startswith("rule_of_28 is stronger than random (")
    assert out.endswith("The games are in some.jsonl\n")
    status, out, _ = tabletop(*words, "--elo1", "1", "--max-games", "2")
    assert status == 1
    assert "Undecided" in out


def test_an_interrupted_tournament_says_where_its_games_are(tabletop, monkeypatch):
    def interrupt(*args, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("benchmarks.tournament.runner.play", interrupt)
    agents = ["--agents", "random", "rule_of_28", *HERE]
    status, _, err = tabletop("tournament", "cant_stop", *agents, "--out", "some.jsonl")
    assert status == 130
    assert err == "tabletop: interrupted; the games so far are in some.jsonl\n"


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_help_names_the_commands_and_an_example(tabletop, words):
    status, out, _ = tabletop(*words)
    assert status == 0
    for part in ("tournament", "compare", "replay", "agents", "my_bot.py:my_bot"):
        assert part in out


def test_options_are_numbers_constants_objects_or_words():
    pairs = ["columns_to_win=4", "max_turns=None", "occupied=jump", "x=-1", "y=a=b"]
    pairs += ["reflick=False", "void_on_exit=True", 'grid={"sides": 1}']
    assert parse_options(pairs) == {
        "reflick": False,
        "void_on_exit": True,
        "grid": {"sides": 1},
        "columns_to_win": 4,
        "max_turns": None,
        "occupied": "jump",
        "x": -1,
        "y": "a=b",
    }


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (["=4"], "not of the form name=value"),
        (["x=1", "x=2"], "'x' is given twice"),
        (["x={1: 2}"], "no JSON object"),
        (["num_players=3"], "give --num-players instead"),
    ],
)
def test_options_that_are_refused(pairs, message):
    with pytest.raises(ValueError, match=message):
        parse_options(pairs)


def test_the_command_line_loads_without_games_or_compiler():
    code = "import sys, benchmarks.cli.app; print('numba' in sys.modules)"
    assert run_python(code).stdout == "False\n"


COMMANDS = [
    get_args(command)[0].__name__.removesuffix("Command").lower()
    for command in get_args(Command)
]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_tells_defaults_in_words(name, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    out, _ = capsys.readouterr()
    assert out.startswith(f"usage: tabletop {name} ")
    assert "default: None" not in out
    assert "default: )" not in out
