"""How many lines a game takes beside its rules and its pictures.

A limit is what a game takes now, or a little more: whoever exceeds one either found
something new to say about the game, and raises the limit, or has repeated what
``game_core`` should do for every game.
"""

import ast
import re

import pytest

from game_core.catalog import package_of
from tests.games import REPOSITORY

MODULES = ("__init__", "{}_v0", "game", "state", "observe", "text")
"""All modules of a small game but ``rules.py`` and ``draw.py``."""

PLUMBING = MODULES[:3]
"""Those that hold nothing of the game but its options and what it is made of."""

NOT_NEEDED = ("Seen", "decode", "restore", "read_lines", "read_tiles", "read_wall")
"""Definitions that a game can do without: they read observations, for bots."""


def module(game_id, name):
    """Return the text of a module of a game."""
    path = REPOSITORY / package_of(game_id) / f"{name.format(game_id)}.py"
    return path.read_text(encoding="utf-8")


def code_lines(text):
    """Count lines of code.

    Not counted are blank lines, comments, docstrings, imports, ``__all__`` and what is
    not needed.
    """
    tree = ast.parse(text)
    lines = {
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and is_left_out(node):
            first = min(part.lineno for part in (node, *decorators(node)))
            lines -= set(range(first, (node.end_lineno or first) + 1))
    return len(lines)


def decorators(node):
    return getattr(node, "decorator_list", [])


def is_left_out(node):
    """Tell whether the lines of a statement do not count."""
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "__all__"
    if isinstance(node, ast.Expr):
        value = getattr(node.value, "value", None)
        return isinstance(value, str)
    is_import = isinstance(node, ast.Import | ast.ImportFrom)
    return is_import or getattr(node, "name", None) in NOT_NEEDED


def test_lines_of_code_are_counted():
    text = (
        '"""Words."""\nimport a\n\n__all__ = [\n    "f",\n]\n\n# why\n@jit\ndef f():\n'
    )
    text += '    """Words.\n\n    More.\n    """\n    return 1  # one\n'
    assert code_lines(text) == 3
    assert code_lines(text + "@jit\ndef decode():\n    return 2\n") == 3


@pytest.mark.parametrize(("game_id", "limit"), [("cant_stop", 300), ("azul", 380)])
def test_a_game_takes_few_lines_of_code_beside_its_rules_and_pictures(game_id, limit):
    assert sum(code_lines(module(game_id, name)) for name in MODULES) <= limit


@pytest.mark.parametrize("game_id", ["cant_stop", "azul"])
def test_a_game_takes_few_lines_that_are_not_about_it(game_id):
    """All lines count, blank ones and docstrings included."""
    lines = sum(len(module(game_id, name).splitlines()) for name in PLUMBING)
    assert lines <= 180


def test_the_game_of_the_guide_is_as_small_as_it_says():
    """Pig, in docs/guides/add_a_game.md; of its other files, all lines count."""
    page = (REPOSITORY / "docs/guides/add_a_game.md").read_text(encoding="utf-8")
    files = re.findall(r"^```python\n# my_pig/(\w+)\.py\n(.*?)^```$", page, re.M | re.S)
    assert len(files) == len(MODULES) + 1
    assert "in about\n140 lines of code" in page
    code = [code_lines(text) for _, text in files]
    imports = [len(re.findall(r"^(?:from|import) ", text, re.M)) for _, text in files]
    assert 135 <= sum(code) + sum(imports) <= 145
    beside = [len(text.splitlines()) for name, text in files if name != "rules"]
    assert sum(beside) <= 160
