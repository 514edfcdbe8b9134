"""Options that a game declares once: what help and type checkers see of them."""

import importlib
import inspect
import pickle
import typing

import pytest

from game_core import load_game
from game_core.catalog import GAMES, maker_of, package_of
from game_core.validation.game_options import options_of

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize("game_id", GAMES)
def test_help_shows_each_option_with_its_default_and_meaning(game_id):
    make_game = maker_of(game_id)
    shown = inspect.signature(make_game).parameters
    defaults = {name: parameter.default for name, parameter in shown.items()}
    assert defaults == dict(load_game(game_id).options)
    help_text = " ".join((inspect.getdoc(make_game) or "").split())
    for name, declared in options_of(make_game).items():
        assert f"{name}: {declared.option.meaning}" in help_text


@pytest.mark.parametrize("name", ["env", "raw_env"])
@pytest.mark.parametrize("game_id", GAMES)
def test_a_function_of_a_pettingzoo_module_shows_the_options_of_its_game(game_id, name):
    game, make_game = load_game(game_id), maker_of(game_id)
    module = f"{package_of(game_id)}.{game_id}_v{game.version}"
    function = getattr(importlib.import_module(module), name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert list(inspect.signature(function).parameters) == ["render_mode", "options"]
    (declared,) = typing.get_args(typing.get_type_hints(function)["options"])
    assert list(typing.get_type_hints(declared)) == list(game.options)
    assert f"``{make_game.__module__}.make_game``" in function.__doc__
    assert 'None, "human", "rgb_array"' in function.__doc__
    with pytest.raises(TypeError, match="positional"):
        function("ansi")
