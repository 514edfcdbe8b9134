"""What the README and the pages of ``docs`` show works as printed.

The blocks of a page run in their order: Python in one namespace, but one that begins
with a comment such as ``# my_bot.py`` or ``# my_game/rules.py`` is that file; commands
as in a terminal, with fewer games. Of the commands behind a comment ``<!-- parsed only:
why -->`` only the arguments are read.
"""

import functools
import importlib.util
import inspect
import json
import re
import runpy
import shlex
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import gymnasium
import pytest
import tyro

import benchmarks.cli
import benchmarks.cli.app
from game_core.catalog import GAMES
from game_core.registry import load_game
from tests.games import dict_observations_warn, module_at, run_python

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(
    r"^(?:<!-- parsed only: (.+?) -->\n)?```(python|console)\n(.*?)^```$", re.M | re.S
)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in PAGES}
PAGES_WITH_BLOCKS = [name for name, text in SHOWN.items() if BLOCK.search(text)]
MAX_GAMES = 20


class Block(NamedTuple):
    """A block of a page: the line before it, and why it is only parsed, if it is."""

    line: int
    parsed_only: str | None
    language: str
    text: str


def blocks(page):
    text = SHOWN[page]
    for match in BLOCK.finditer(text):
        yield Block(text.count("\n", 0, match.start(3)), *match.groups())


@pytest.fixture
def games_of_this_page():
    """Forget afterwards the games that a page adds."""
    for game_id in GAMES:  # whose packages register them only once
        load_game(game_id)
    with mock.patch.dict(GAMES), mock.patch.dict(gymnasium.registry):
        yield


@dict_observations_warn
@pytest.mark.usefixtures("games_of_this_page")
@pytest.mark.parametrize("page", PAGES_WITH_BLOCKS)
def test_page_works_as_printed(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names = {"__name__": "page"}
    for block in blocks(page):
        file = re.match(r"# (my_\w+(?:/\w+)?\.py)\n", block.text)
        if file:
            Path(file[1]).parent.mkdir(exist_ok=True)
            Path(file[1]).write_text(block.text, "utf-8")
            importlib.invalidate_caches()
        elif block.language == "python":
            code = "\n" * block.line + block.text
            exec(compile(code, str(ROOT / page), "exec"), names)
        else:
            for line in block.text.splitlines():
                run(shlex.split(line, comments=True), block.parsed_only, monkeypatch)
    capsys.readouterr()


def run(words, parsed_only, monkeypatch):
    """Run a line of a terminal, or only read its arguments."""
    program, *arguments = words
    if program == "make":
        check_targets(arguments)
    elif program == "pip":
        check_requirements(arguments[1:])
    elif arguments[0].startswith("docs/clients/"):
        compile((ROOT / arguments[0]).read_text("utf-8"), arguments[0], "exec")
    elif parsed_only or program == "python":
        with monkeypatch.context() as patch:
            patch.setattr(tyro, "cli", only_parse)
            patch.setattr(benchmarks.cli.app, "cli", only_parse)
            with pytest.raises(ParsedError):
                start(program, arguments, patch)
    else:
        run_tabletop(program, arguments)


def start(program, arguments, monkeypatch):
    """Start a command in this process."""
    if program == "tabletop":
        benchmarks.cli.main(arguments)
        return
    assert program == "python"
    if arguments[0] == "-m":
        spec = importlib.util.find_spec(arguments[1])
        assert spec is not None
        if spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{arguments[1]}.__main__")
        assert spec is not None
        assert spec.origin is not None
        path, arguments = spec.origin, arguments[1:]
    else:
        path = str(ROOT / arguments[0])
    monkeypatch.setattr(sys, "argv", [path, *arguments[1:]])
    runpy.run_path(path, run_name="__main__")


class ParsedError(Exception):
    """The arguments of a command were read and found right."""


def only_parse(what, *, read=tyro.cli, **settings):
    """Read arguments as tyro does, and do nothing with them."""
    if inspect.isfunction(what):

        @functools.wraps(what)
        def nothing(*_, **__):
            raise ParsedError

        read(nothing, **settings)
    read(what, **settings)
    raise ParsedError


def run_tabletop(program, arguments):
    """Run ``tabletop``; a tournament with few games, all of which have to end."""
    assert program == "tabletop"
    if arguments[0] != "tournament":
        assert benchmarks.cli.main(arguments) == 0
        return
    games = arguments.index("--games") + 1
    arguments[games] = str(min(int(arguments[games]), MAX_GAMES))
    if "--out" not in arguments:
        arguments += ["--out", f"{arguments[1]}.jsonl"]
    assert benchmarks.cli.main([*arguments, "--workers", "1"]) == 0
    out = Path(arguments[arguments.index("--out") + 1])
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    ends = [line["ended"] for line in lines if "actions" in line]
    assert ends == ["terminated"] * (3 * int(arguments[games]))


def check_targets(targets):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.M), target


def check_requirements(arguments):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for argument in arguments:
        extra = re.fullmatch(r"(?:\.|tabletop-marl)(?:\[(\w+)\])?", argument)
        if extra:
            assert extra[1] is None or extra[1] in project["optional-dependencies"]
        elif argument not in ("-r", "-e"):
            assert (ROOT / argument).is_file(), argument


@pytest.mark.parametrize("target", ["demo", "test"])
def test_command_of_the_first_screen_is_a_make_target(target):
    first_screen = "\n".join(SHOWN["README.md"].splitlines()[:25])
    assert f"make {target}" in first_screen
    check_targets([target])


def test_every_link_of_a_page_to_a_file_leads_somewhere():
    dead = [
        f"{page}: {link}"
        for page in SHOWN
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", SHOWN[page])
        if not (ROOT / page).parent.joinpath(link).exists()
    ]
    assert not dead


def test_pages_of_games_have_the_same_headings_and_tell_their_version():
    pages = {game: SHOWN[f"docs/games/{game}.md"] for game in GAMES}
    headings = {tuple(re.findall(r"^## (.*)$", page, re.M)) for page in pages.values()}
    assert len(headings) == 1
    for game, page in pages.items():
        assert f"\n- **{load_game(game).version}**: " in page


@pytest.fixture(scope="module")
def tables():
    return module_at(ROOT / "docs" / "tables.py")


def test_tables_of_pages_are_current(tables):
    stale = [str(path.relative_to(ROOT)) for path in tables.stale()]
    assert not stale, "write them anew: python docs/tables.py"


def test_a_table_is_written_between_its_comments_and_nothing_else_changes(tables):
    page = "A\n<!-- generated: {} -->\n{}<!-- end generated -->\nB\n"
    filled = page.format("version azul", f"\n{tables.version('azul')}\n\n")
    filled += page.format("games", f"\n{tables.games()}\n\n")
    empty = page.format("version azul", "") + page.format("games", "")
    stale = filled.replace("version 0", "version 9")
    assert {tables.with_tables(page) for page in (empty, stale, filled)} == {filled}


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("<!-- generated: gamse -->\n<!-- end generated -->", "unknown table 'gamse'"),
        ("<!-- generated: games -->\n", "needs one <!-- end generated -->"),
        ("<!-- generated: games -->\n" * 2 + "<!-- end generated -->", "needs one"),
        ("<!-- end generated -->", "needs one"),
    ],
)
def test_a_place_for_a_table_that_cannot_be_filled_is_an_error(page, words, tables):
    with pytest.raises(ValueError, match=words):
        tables.with_tables(page)


def test_the_api_reference_needs_no_extra_but_docs():
    modules = re.findall(r"automodule:: ([\w.]+)", "".join(SHOWN.values()))
    assert "baselines.training.train" in modules
    result = run_python(f"""
import importlib, sys
sys.path.insert(0, "docs")

class OnlyDocs:
    def find_spec(self, name, path=None, target=None):
        if name in {OTHER_EXTRAS}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, OnlyDocs())
import conf
from sphinx.ext.autodoc.mock import mock
with mock(conf.autodoc_mock_imports):
    for name in {modules}:
        importlib.import_module(name)
""")
    assert result.returncode == 0, result.stderr


OTHER_EXTRAS = (
    *("matplotlib", "PIL", "pygame", "pylunasvg", "ray", "werkzeug"),
    *("sb3_contrib", "stable_baselines3", "tensorboard", "torch"),
)
