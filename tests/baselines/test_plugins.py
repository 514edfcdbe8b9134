"""Modules that games add to agents which play every game."""

from pathlib import Path

import pytest

from baselines import _plugins
from baselines._plugins import grid_module, moves_module, search_module
from game_core.catalog import GAMES

BASELINES = Path(_plugins.__file__).parent
KINDS = {"_moves": moves_module, "_mcts": search_module, "_on_grid": grid_module}


def modules(kind: str) -> set[str]:
    """Return the games that have a module of a kind."""
    return {file.parent.name for file in BASELINES.glob(f"*/{kind}.py")}


@pytest.mark.parametrize("kind", KINDS)
def test_modules_are_found_by_the_name_of_their_game(kind):
    assert modules(kind)
    for game_id in GAMES:
        found = KINDS[kind](game_id)
        assert (found is not None) == (game_id in modules(kind))
    assert KINDS[kind]("a game without agents") is None


@pytest.mark.parametrize("kind", KINDS)
def test_the_type_checker_compares_each_module_with_its_protocol(kind):
    text = (BASELINES / "_plugin_types.py").read_text(encoding="utf-8")
    for game_id in modules(kind):
        assert f"from baselines.{game_id} import {kind} as " in text


@pytest.mark.parametrize(
    ("kind", "protocol"),
    [
        ("_moves", _plugins.MovesModule),
        ("_mcts", _plugins.SearchModule),
        ("_on_grid", _plugins.GridModule),
    ],
)
def test_modules_have_all_that_agents_ask_for(kind, protocol):
    members = {name for name in vars(protocol) if not name.startswith("_")}
    assert members
    for game_id in modules(kind):
        assert members <= set(dir(KINDS[kind](game_id)))
