"""A folder with the bots of ``bots.py``, as a user's own file."""

import shutil
from pathlib import Path

import pytest

from tests.benchmarks import bots


@pytest.fixture(scope="session")
def bot_file(tmp_path_factory):
    """The path of the bots' file, as in "PATH:first"."""
    return Path(shutil.copy(bots.__file__, tmp_path_factory.mktemp("bots")))
