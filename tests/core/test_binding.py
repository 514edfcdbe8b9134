"""Code bound to a game: compiled once, kept on disk, and never that of another one."""

import json
import shutil

import numpy as np
import pytest

from game_core import load_game
from game_core.compiled.binding import Binding
from game_core.compiled.jit import jit
from tests.core.test_jit import copy_packages
from tests.games import run_python

pytestmark = pytest.mark.slow

MY_LOOP = """
from game_core.compiled.jit import jit

@jit
def double(number):
    return 2 * number

@jit
def triple(number):
    return 3 * number

def twice(number):
    return change(change(number)) + offset
"""

USE_IT = """
import json
from game_core.compiled.binding import Binding
from game_core.my_loop import double, triple, twice

def run(change, offset):
    bound = Binding("test", {}).extend(change=change, offset=offset).bind([twice])[0]
    result = int(bound(1))
    return result, sum(bound.stats.cache_hits.values())

print(json.dumps([run(double, 0), run(triple, 0), run(double, 5)]))
"""


@jit
def double(number):
    """Return twice the number."""
    return 2 * number


def change(number):
    """Stand for what a binding gives this name."""
    raise NotImplementedError


def inner(number):
    """Change a number once."""
    return change(number)


def outer(number):
    """Use what is bound before."""
    return inner(number) + 1


def run(folder):
    done = run_python(USE_IT, folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A folder of packages in which bound code has been run once."""
    folder = copy_packages(tmp_path_factory.mktemp("warm"))
    (folder / "game_core" / "my_loop.py").write_text(MY_LOOP, encoding="utf-8")
    assert run(folder) == [[4, 0], [9, 0], [9, 0]]
    return folder


def test_bound_code_is_taken_from_disk_by_the_next_process(warm):
    assert run(warm) == [[4, 1], [9, 1], [9, 1]]


def test_bound_code_is_compiled_anew_when_what_a_name_stands_for_changes(
    warm, tmp_path
):
    folder = tmp_path / "edited"
    shutil.copytree(warm, folder)
    source = folder / "game_core" / "my_loop.py"
    source.write_text(MY_LOOP.replace("2 * number", "7 * number"), encoding="utf-8")
    assert run(folder) == [[49, 0], [9, 0], [54, 0]]


def test_functions_of_the_users_own_are_compiled_anew_when_they_change(warm, tmp_path):
    """They lie outside the packages whose sources stamp all compiled code."""
    for factor in (2, 5):
        mine = MY_LOOP.replace("2 * number", f"{factor} * number")
        (tmp_path / "mine.py").write_text(mine, encoding="utf-8")
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + USE_IT.replace(
            "from game_core.my_loop import double, triple,",
            "from mine import double, triple\nfrom game_core.my_loop import",
        )
        done = run_python(code, warm)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)[0] == [factor**2, 0]


def test_functions_find_those_bound_before_them():
    bound = Binding("test", {}).extend(change=double).bind([inner, outer])
    assert [function(4) for function in bound] == [8, 9]


def test_the_source_stays_as_it_was():
    Binding("test", {}).extend(change=double).bind([inner])
    with pytest.raises(NotImplementedError):
        inner(4)


def test_keys_tell_meanings_apart_and_nothing_else():
    binding = Binding("test", {})
    keys = [
        binding.extend(**names).key
        for names in (
            {"change": double},
            {"change": change},
            {"other": double},
            {"low": np.zeros(2)},
            {"low": np.ones(2)},
            {"low": 0.1},
            {"low": 0.2},
        )
    ]
    assert len(set(keys)) == len(keys)
    assert binding.extend(low=0.1, change=double).key == (
        binding.extend(change=double, low=0.1).key
    )


def test_games_have_keys_of_their_own():
    """Else one would be played by the rules of another, from the disk."""
    games = [load_game(game_id) for game_id in ("cant_stop", "azul", "icecool")]
    assert len({game.loops.binding.key for game in games}) == 3
