"""Property tests with the same examples in every run; compiled code; the toy game."""

import contextlib
import os
import re
import signal
from pathlib import Path

import hypothesis
import pytest

from game_core.catalog import GAMES
from tests.compile_once import one_at_a_time
from tests.fast_records import make_fields_fast
from tests.games import COMPILED, THOROUGH

EXAMPLES = 25 if COMPILED else 15
"""Of a property, where its test does not say how many."""

hypothesis.settings.register_profile(
    "same_examples",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=EXAMPLES * THOROUGH,
)
hypothesis.settings.load_profile("same_examples")

# A run in the background begins with Ctrl-C ignored, and all that it starts does too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if not COMPILED:
    make_fields_fast()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without a test that ``-m`` asks for: importing takes long."""
    if not re.fullmatch(r"test_\w+\.py", collection_path.name):
        return None
    text = collection_path.read_text(encoding="utf-8")
    wanted = config.option.markexpr
    if wanted == "not slow":
        return True if re.search(r"^pytestmark = .*mark\.slow", text, re.M) else None
    if wanted in ("nojit", "bounds"):
        return True if f"mark.{wanted}" not in text else None
    return None


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory):
    """Let one of the workers compile what the others then take from disk."""
    locks = tmp_path_factory.getbasetemp().parent / "locks"
    shared = COMPILED and "PYTEST_XDIST_WORKER" in os.environ
    with one_at_a_time(locks) if shared else contextlib.nullcontext():
        yield


@pytest.fixture
def toy(monkeypatch):
    """Make ``load_game("toy")`` find the game of ``tests/core/toy.py``."""
    monkeypatch.setitem(GAMES, "toy", "tests.core.toy:make_game")
