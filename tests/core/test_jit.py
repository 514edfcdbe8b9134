"""Compiled code: never stale, never unchecked by mistake, and never a must.

Each test plays in a new process on a copy of the packages, since what is under test
is what one process leaves on disk for the next.
"""

import json
import shutil
from pathlib import Path

import pytest

from game_core.compiled.jit import CodeFiles
from tests.games import REPOSITORY, run_python

pytestmark = pytest.mark.slow

PACKAGES = [folder.parent.name for folder in REPOSITORY.glob("*/py.typed")]

NEW_GAME = """
import json
import numpy as np
from game_core import load_game

game = load_game("cant_stop", starting_player=0)
state = game.new_states(np.array([7], np.uint64))[0]
stats = game.loops.reset_rows.stats
print(json.dumps({
    "dice": state.dice.tolist(),
    "free runners": int(state.free_runners),
    "hits": sum(stats.cache_hits.values()),
    "compiled": sum(stats.cache_misses.values()),
}))
"""
"""Sets up a game in one compiled call, ``reset_rows``, which reaches through
``batch.py``, ``rng.py``, ``rules.py`` and ``state.py``."""


FIRST_TIME = {"dice": [5, 2, 6, 6], "free runners": 3, "hits": 0, "compiled": 1}
"""What it says where nothing is compiled yet."""


def copy_packages(target: Path) -> Path:
    """Copy our packages without the compiled code beside them."""
    for package in PACKAGES:
        shutil.copytree(
            REPOSITORY / package,
            target / package,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    return target


def play(folder: Path, **settings: str) -> dict:
    """Run ``NEW_GAME`` in a folder of packages; fail if it does not."""
    done = run_python(NEW_GAME, folder, **settings)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def compiled_files(folder: Path) -> dict[Path, bytes]:
    """Return the files of compiled code in a folder with their contents."""
    return {file: file.read_bytes() for file in folder.rglob("*.nb[ic]")}


@pytest.fixture(scope="module")
def warm(tmp_path_factory) -> Path:
    """Return a folder of packages in which a game has been played once."""
    folder = copy_packages(tmp_path_factory.mktemp("warm"))
    assert play(folder) == FIRST_TIME
    return folder


def test_unchanged_sources_are_compiled_once(warm):
    before = compiled_files(warm)
    assert before
    assert play(warm) == FIRST_TIME | {"hits": 1, "compiled": 0}
    assert compiled_files(warm) == before


def test_a_game_of_the_users_own_has_no_other_compiled_anew(warm):
    before = compiled_files(warm)
    add = "from game_core.catalog import GAMES; GAMES['x'] = 'json:make_game'\n"
    done = run_python(add + NEW_GAME, warm)
    assert json.loads(done.stdout) == FIRST_TIME | {"hits": 1, "compiled": 0}
    assert compiled_files(warm) == before


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        (
            "cant_stop_env/state.py",
            "NUM_RUNNERS = 3",
            "NUM_RUNNERS = 2",
            {"free runners": 2},
        ),
        (
            "cant_stop_env/rules.py",
            "state.dice[die] = roll % FACES + 1",
            "state.dice[die] = 4",
            {"dice": [4, 4, 4, 4]},
        ),
        (
            "game_core/compiled/rng.py",
            "return np.int64(product >> SHIFT_32)",
            "return np.int64(0)",
            {"dice": [1, 1, 1, 1]},
        ),
    ],
)
def test_an_edited_rule_is_played_at_once(warm, tmp_path, file, old, new, changed):
    folder = tmp_path / "edited"
    shutil.copytree(warm, folder)
    source = folder / file
    text = source.read_text(encoding="utf-8")
    assert text.count(old) == 1
    source.write_text(text.replace(old, new), encoding="utf-8")
    assert play(folder) == FIRST_TIME | changed


def test_checked_code_is_not_taken_from_an_unchecked_run(warm, tmp_path):
    folder = tmp_path / "checked"
    shutil.copytree(warm, folder)
    assert play(folder)["compiled"] == 0
    assert play(folder, NUMBA_BOUNDSCHECK="1")["compiled"] == 1
    assert play(folder)["compiled"] == 1  # nor the other way round


def test_reading_past_an_array_raises_when_bounds_are_checked(tmp_path):
    """Else the run of the property tests with checks would check nothing."""
    code = """
import numpy as np
from game_core import load_game

game = load_game("cant_stop")
states = game.new_states(np.array([1], np.uint64))
game.loops.observe_all(states, np.array([0]), np.zeros((1, 3), np.float32))
"""
    done = run_python(code, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert done.returncode != 0
    assert "IndexError" in done.stderr


class Late(CodeFiles):
    """A process that was slow: it saw an empty index, and its code comes late."""

    def _load_index(self):
        return {}

    def _save_data(self, name, data):
        self.waiting = name, data

    def write_code(self):
        super()._save_data(*self.waiting)


def test_processes_that_compile_at_once_do_not_get_each_others_code(tmp_path):
    one, two = (Late(str(tmp_path), "f", b"sources") for _ in range(2))
    one.save("signature one", "code of one")
    two.save("signature two", "code of two")
    two.write_code()
    one.write_code()
    later = CodeFiles(str(tmp_path), "f", b"sources")
    assert later.load("signature one") in (None, "code of one")
    assert later.load("signature two") == "code of two"


def test_code_of_older_sources_is_neither_taken_nor_kept(tmp_path):
    CodeFiles(str(tmp_path), "f", b"old sources").save("signature", "old code")
    now = Late(str(tmp_path), "f", b"new sources")
    now.save("signature", "new code")  # the index is there, the code is not yet
    later = CodeFiles(str(tmp_path), "f", b"new sources")
    assert later.load("signature") is None
    assert not list(tmp_path.glob("*.nbc"))
    later.save("signature", "new code")
    assert later.load("signature") == "new code"


def test_without_any_folder_to_write_to_it_plays_and_warns_once(tmp_path):
    folder = copy_packages(tmp_path)
    for file in folder.rglob("__init__.py"):
        # Root may write anywhere, but not into a plain file.
        (file.parent / "__pycache__").touch()
    no_folder = tmp_path / "no_folder"
    no_folder.touch()
    code = NEW_GAME + "game.action_masks(np.array([state]))\n"
    done = run_python(
        code,
        folder,
        HOME=str(no_folder),
        XDG_CACHE_HOME=str(no_folder),
        NUMBA_CACHE_DIR=str(no_folder),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["free runners"] == 3
    assert done.stderr.count("RuntimeWarning") == 1
    assert "Set NUMBA_CACHE_DIR to a folder" in done.stderr
    assert not compiled_files(folder)


PLAY_MANY = """
import hashlib
from game_core import VectorGame

digest = hashlib.sha256()
for occupied in ("share", "jump", "no_rest"):
    games = VectorGame("cant_stop", 4, num_players=3, occupied=occupied, max_turns=9)
    games.reset(seed=2**64 - 2)
    for _ in range(60):
        rewards, _, _ = games.step(games.sample_actions())
        for array in (games.states, games.action_mask, games.observation, rewards):
            digest.update(array.tobytes())
print(digest.hexdigest())
"""


def test_without_the_compiler_the_same_seeds_give_the_same_bytes():
    compiled = run_python(PLAY_MANY)
    plain = run_python(
        PLAY_MANY, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error::RuntimeWarning"
    )
    assert compiled.returncode == plain.returncode == 0, plain.stderr
    assert plain.stdout == compiled.stdout
