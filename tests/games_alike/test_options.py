"""Options: what games allow and refuse, and what help and type checkers see of them."""

import importlib
import inspect
import json
import pickle
import typing

import pytest

from game_core import Position, load_game
from game_core.catalog import GAMES, maker_of, package_of
from game_core.validation.game_options import options_of
from tests.games_alike import CASES

pytestmark = pytest.mark.nojit

ALLOWED = [
    (game_id, given) for game_id, case in CASES.items() for given in case.allowed
]
REFUSED = [(game_id, *row) for game_id, case in CASES.items() for row in case.refused]


def declared(game_id):
    """Return what a game declares of its options, by their names."""
    return options_of(maker_of(game_id))


def makers(game_id):
    """Return all that takes the options of a game."""
    version = load_game(game_id).version
    pettingzoo = importlib.import_module(f"{package_of(game_id)}.{game_id}_v{version}")
    return (
        lambda **given: load_game(game_id, **given),
        pettingzoo.env,
        pettingzoo.raw_env,
    )


@pytest.mark.parametrize(("game_id", "given"), ALLOWED, ids=str)
def test_allowed_options_come_back_and_make_the_same_game(game_id, given):
    game = load_game(game_id, **given)
    assert given.items() <= game.options.items()
    saved = json.loads(json.dumps(dict(game.options)))
    pickled = pickle.loads(pickle.dumps(game))
    first = Position.new(game, 3).states
    for again in (load_game(game_id, **game.options), pickled):
        assert dict(again.options) == dict(game.options)
        assert Position.new(again, 3).states.tobytes() == first.tobytes()
        assert again.action_space == game.action_space
        assert again.observation_space == game.observation_space
    assert load_game(game_id, **saved).adopt(first).tobytes() == first.tobytes()
    assert game.adopt(first).tobytes() == first.tobytes()


@pytest.mark.parametrize(("game_id", "given", "says"), REFUSED, ids=str)
def test_refused_options_say_what_is_allowed(game_id, given, says):
    for make in makers(game_id):
        with pytest.raises(ValueError, match=says):
            make(**given)


@pytest.mark.parametrize("game_id", GAMES)
def test_an_unknown_option_is_told_all_known_ones(game_id):
    known = ", ".join(declared(game_id))
    for make in makers(game_id):
        with pytest.raises(ValueError, match=f"unknown option 'x'; .*: {known}"):
            make(x=2)
        with pytest.raises(ValueError, match="unknown option 'a', 'b'"):
            make(a=1, b=2)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_options_of_a_game_are_those_declared_and_their_defaults(game_id):
    defaults = {name: one.option.default for name, one in declared(game_id).items()}
    assert dict(load_game(game_id).options) == defaults
    assert next(iter(defaults)) == "num_players"


def values_around(one, num_players):
    """Return values that an option takes, and values that it does not take."""
    option, kinds = one.option, one.types
    taken, refused = list(one.words), ["no such word", ["a list"], 2.5]
    if type(None) in kinds:
        taken.append(None)
    else:
        refused.append(None)
    if bool in kinds:
        taken += [True, False]
        refused += [1, "yes"]
    elif int in kinds:
        high = num_players - 1 if option.high is None else option.high
        taken += [option.low, high]
        refused += [option.low - 1, high + 1, True, 2.0]
    return taken, refused


@pytest.mark.parametrize("game_id", GAMES)
def test_each_declared_option_takes_what_it_says_and_nothing_else(game_id):
    num_players = load_game(game_id).num_players
    for name, one in declared(game_id).items():
        if one.option.convert is not None:
            continue
        taken, refused = values_around(one, num_players)
        for value in taken:
            assert load_game(game_id, **{name: value}).options[name] == value
        for value in refused:
            with pytest.raises(ValueError, match=f"^{name}=") as error:
                load_game(game_id, **{name: value})
            assert all(repr(word) in str(error.value) for word in one.words)


@pytest.mark.parametrize("game_id", GAMES)
def test_help_shows_each_option_with_its_default_and_meaning(game_id):
    shown = inspect.signature(maker_of(game_id)).parameters
    help_text = " ".join((inspect.getdoc(maker_of(game_id)) or "").split())
    assert shown.keys() == declared(game_id).keys()
    for name, one in declared(game_id).items():
        assert shown[name].default == one.option.default
        assert f"{name}: {one.option.meaning}" in help_text


@pytest.mark.parametrize("game_id", GAMES)
def test_functions_of_the_pettingzoo_module_show_the_options_of_the_game(game_id):
    for function in makers(game_id)[1:]:
        assert pickle.loads(pickle.dumps(function)) is function
        shown = inspect.signature(function).parameters
        assert list(shown) == [*declared(game_id), "render_mode"]
        (options,) = typing.get_args(typing.get_type_hints(function)["options"])
        assert list(typing.get_type_hints(options)) == list(declared(game_id))
        assert f"``{maker_of(game_id).__module__}.make_game``" in function.__doc__
        assert 'None, "human", "rgb_array"' in function.__doc__
        with pytest.raises(TypeError, match="positional"):
            function("ansi")
