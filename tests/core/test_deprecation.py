"""Old names work as before, and warn of the new ones."""

import importlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import benchmarks
import game_core
from game_core import Position, Purpose, derive, load_game
from game_core.agents.agent import agent_seed
from game_core.envs.seat_games import SeatGames
from tests.games import REPOSITORY

MODULES = {**game_core.MOVED, **benchmarks.MOVED}
NAMES = [
    ("game_core.registry", "GAMES"),
    ("game_core.registry", "agent_names"),
    ("game_core.registry", "find_agent"),
    ("game_core.registry", "find_potential"),
    ("game_core.compiled.rules", "Verb"),
    ("game_core.compiled.rules", "copy_records"),
    ("game_core.compiled.rules", "record_dtype"),
    ("benchmarks.ratings", "Ratings"),
    ("benchmarks.ratings", "UnconnectedError"),
    ("benchmarks.ratings", "rate"),
    ("icecool_env.physics", "run_flick"),
    ("icecool_env.physics", "simulate"),
    ("game_core.compiled.rules", "Verbs"),
]


@pytest.mark.parametrize("old", MODULES)
def test_a_module_is_found_under_its_old_name(monkeypatch, old):
    monkeypatch.delitem(sys.modules, old, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {MODULES[old]};"):
        module = importlib.import_module(old)
    assert module is importlib.import_module(MODULES[old])


def test_a_module_runs_under_its_old_name():
    command = [sys.executable, "-W", "always", "-m", "benchmarks.standings", "--help"]
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert "--share" in done.stdout
    assert "is now benchmarks.studies.standings" in done.stderr


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_name_that_moved_is_found_where_it_was(module, name):
    with pytest.warns(DeprecationWarning, match=rf"{module}.{name} is now \w+\."):
        assert getattr(importlib.import_module(module), name)


def test_the_verb_of_determinization_is_new():
    game = load_game("icecool")
    position = Position.new(game, 1)
    with pytest.warns(
        DeprecationWarning, match=r"Position\.fair_copy is now .*\.deter"
    ):
        copy = position.fair_copy(0, 5)
    assert (copy.states == position.determinize(0, 5).states).all()
    with pytest.warns(DeprecationWarning, match=r"Game\.fair_copies is now .*\.determ"):
        game.fair_copies(position.states, game.seats[:1], np.zeros(1, np.uint64))


def test_the_seed_of_an_agent_is_derived():
    with pytest.warns(
        DeprecationWarning, match=r"agent_seed.* is now derive\(seed, Purpose\.AGENT"
    ) as warned:
        assert agent_seed(5, 1) == derive(5, Purpose.AGENT, 1)
    assert warned[0].filename == __file__


def test_games_of_one_seat_begin_and_play_as_before():
    games = SeatGames(load_game("cant_stop"), 2)
    with pytest.warns(DeprecationWarning, match=r"SeatGames\.begin is now .*\.reset"):
        games.begin(np.arange(2))
    masks = games.game.action_masks(games.states)
    with pytest.warns(DeprecationWarning, match=r"SeatGames\.play is now .*\.step"):
        games.play(masks.argmax(axis=1))


def test_a_module_that_has_moved_is_an_attribute_of_its_package():
    sys.modules.pop("game_core.vector", None)
    with pytest.warns(DeprecationWarning, match=r"game_core\.vector is now"):
        module = game_core.__getattr__("vector")
    assert module.VectorGame is game_core.VectorGame
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = game_core.nothing  # pyright: ignore[reportAttributeAccessIssue]


def test_the_module_that_a_function_hides_is_named():
    with pytest.raises(ModuleNotFoundError, match=r"is now game_core\.agents\.play"):
        importlib.import_module("game_core.play")


def test_games_pickled_by_earlier_versions_load():
    content = (
        b"cgame_core.game\n_load_by_options\n(Vcant_stop\n(dVnum_players\nI3\nstR."
    )
    with pytest.warns(
        DeprecationWarning, match=r"is now game_core\.catalog\.make_game"
    ):
        game = pickle.loads(content)
    assert game.num_players == 3
