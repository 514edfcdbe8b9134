"""The command ``tabletop``, and bots of ``bots.py`` as a user's own file."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from benchmarks.cli.app import main
from game_core import Position, View, load_game, play
from game_core.streams import Purpose, derive
from tests.benchmarks import bots


@pytest.fixture
def tabletop(capsys, tmp_path, monkeypatch):
    """``tabletop(words)`` runs the command; -> exit status, output, errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def tabletop(*words):
        try:
            status = main([str(word) for word in words])
        except SystemExit as leaving:
            status = leaving.code
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return tabletop


@pytest.fixture(scope="session")
def bot_file(tmp_path_factory):
    """The path of the bots' file, as in "PATH:first"."""
    return Path(shutil.copy(bots.__file__, tmp_path_factory.mktemp("bots")))


@pytest.fixture(scope="module")
def short_game():
    """A game for bots that do what they should not."""
    return load_game("cant_stop", starting_player=0, max_turns=20)


@pytest.fixture
def do_in(bot_file, short_game):
    """``do_in(sandbox, deed)``: the log of a game of ``chameleon`` at seat 0.

    Before, it plays a legal move, so that its process has started.
    """
    deed_file = bot_file.with_name("deed.txt")

    def do_in(sandbox, deed):
        position = Position.new(short_game, 1)
        deed_file.write_text("first")
        first_view = View(short_game, 0, position, np.random.default_rng(1))
        sandbox.player(1).act(first_view)
        deed_file.write_text(deed)
        player = sandbox.player(derive(5, Purpose.AGENT, 0))
        return play(short_game, [player, bots.first], 5, forfeits=True)

    return do_in


@pytest.fixture
def assert_forfeits():
    """``assert_forfeits(log, reason)``: seat 0 forfeited for a reason (a pattern)."""

    def assert_forfeits(log, reason):
        assert (log.ended, log.forfeit_seat) == ("forfeit", 0)
        assert log.rewards == (-1.0, 1.0)
        assert re.search(reason, log.forfeit_reason), log.forfeit_reason
        assert len(log.forfeit_reason) < 1000

    return assert_forfeits
