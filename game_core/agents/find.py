"""Agents, policies and potentials by name, loaded only when asked for.

Agents are found by convention: the agent ``x`` of the game ``g`` is the attribute ``x``
of ``baselines/g/x.py``, or of ``baselines/x.py`` if it plays every game. Names that
begin with an underscore are no agents.
"""

import ast
import copyreg
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from game_core.catalog import package_of
from game_core.validation.text import did_you_mean, unknown

__all__ = [
    "agent_names",
    "find_agent",
    "find_policy",
    "find_potential",
    "split_settings",
]

_NAME_AND_SETTINGS = re.compile(r"(.*?\.py:[^()]*|[^(]*)(\(.*)?", re.DOTALL)


def find_agent(spec: str, game_id: str) -> Any:
    """Return the agent that a name stands for, as its file has it.

    Args:
        spec: The name of a baseline, "file.py:name" or "package.module:name"; behind
            it, in parentheses, settings for an agent that takes some, for instance
            "mcts(simulations=500)".
        game_id: The game it is to play.

    Raises:
        ValueError: If there is none, or it does not take the settings; the message
            lists the baselines for the game.
    """
    spec, settings = _read_settings(spec)
    place, colon, attribute = spec.rpartition(":")
    if colon:
        module = _module_of_file(place) if place.endswith(".py") else _module(place)
        if not hasattr(module, attribute):
            problem = f"{place} has no {attribute!r}: agent {spec!r} is unknown"
            advice = "name one of its functions or classes"
            raise ValueError(
                did_you_mean(problem, attribute, _named_in(module), advice)
            )
        return _with_settings(spec, getattr(module, attribute), settings)
    module = _module_of_baseline(spec, game_id)
    return _with_settings(spec, getattr(module, spec), settings)


def find_policy(name: str, game_id: str, discrete: bool = True) -> Any:
    """Return a baseline as a compiled policy, or None if it has no such form.

    The policy of the agent ``x`` is the function ``choose`` of its module, or
    ``choose_vector`` where actions are continuous; see ``game_core.agents.policy``.

    Raises:
        ValueError: If there is no such baseline.
    """
    module = _module_of_baseline(name, game_id)
    return getattr(module, "choose" if discrete else "choose_vector", None)


def find_potential(spec: str, game_id: str) -> Any:
    """Return the potential that a name stands for; see ``game_core.envs.shaping``.

    Args:
        spec: A function of ``potentials.py`` in the game's package, or
            "package.module:name".
        game_id: The game it is for.

    Raises:
        ValueError: If there is none.
    """
    place, _, attribute = spec.rpartition(":")
    package = package_of(game_id)
    if not place and importlib.util.find_spec(f"{package}.potentials") is None:
        raise ValueError(
            f"potential {spec!r} is not allowed: {game_id} has none of its own; give a "
            "function, or 'package.module:name'"
        )
    module = _module(place or f"{package}.potentials")
    if not hasattr(module, attribute):
        raise ValueError(unknown("potential", attribute, _named_in(module)))
    return getattr(module, attribute)


def _named_in(module: ModuleType) -> list[str]:
    """Return the names of the functions and classes that a module itself has."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
    ]


def _module_of_baseline(name: str, game_id: str) -> ModuleType:
    names = agent_names(game_id)
    if not names:
        raise ValueError(
            f"no agent {name!r}: another package baselines hides that of this library; "
            f"the first in sys.path is taken, {sys.path[:2]}"
        )
    if name.endswith(".py"):
        file = Path(name).name
        raise ValueError(
            f"{name!r} is a file; name the function in it, too, as {file}:my_bot"
        )
    if name not in names:
        advice = (
            f"agents of {game_id}: {', '.join(names)}, or your own as my_bot.py:my_bot"
        )
        raise ValueError(did_you_mean(f"unknown agent {name!r}", name, names, advice))
    return importlib.import_module(names[name])


def split_settings(spec: str) -> tuple[str, str]:
    """Return an agent's name and its settings, parentheses included, as they stand.

    Parentheses in the path of a file belong to the name: "bots (old)/my.py:bot".
    """
    match = _NAME_AND_SETTINGS.fullmatch(spec)
    return (match[1], match[2] or "") if match else (spec, "")


def _read_settings(spec: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the settings in "name(setting=value, ...)"."""
    name, settings = split_settings(spec)
    if not settings:
        return spec, {}
    try:
        call = cast(ast.Call, ast.parse(f"_{settings}", mode="eval").body)
        if call.args or not isinstance(call.func, ast.Name):
            raise ValueError
        return name, {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (AttributeError, SyntaxError, ValueError):
        raise ValueError(
            f"agent {spec!r} cannot be read; settings look like "
            f"'{name}(simulations=500)'"
        ) from None


def _with_settings(spec: str, agent: Any, settings: dict[str, Any]) -> Any:
    """Return a class of agents with some of its arguments given."""
    if not settings:
        return agent
    if not isinstance(agent, type):
        raise ValueError(f"agent {spec!r} takes no settings")
    try:
        inspect.signature(agent).bind(**settings)
    except TypeError as error:
        takes = list(inspect.signature(agent).parameters)
        other = next((name for name in settings if name not in takes), None)
        advice = f"settings: {', '.join(takes) or 'none'}"
        problem = f"agent {spec!r}: {error}"
        raise ValueError(did_you_mean(problem, other, takes, advice)) from None

    def init(self: Any) -> None:
        agent.__init__(self, **settings)

    body = {
        "__init__": init,
        "__doc__": agent.__doc__,
        MADE_OF: (spec, agent, settings),
    }
    kind: Any = Configured if type(agent) is type else type(agent)
    return kind(agent.__name__, (agent,), body)


MADE_OF = "_made_of"


class Configured(type):
    """What classes of agents are with some of their arguments given.

    Pickle finds other classes by their names, and these by what they are made of.
    """


def _reduce_configured(made: Configured) -> Any:
    return _with_settings, getattr(made, MADE_OF)


copyreg.pickle(cast(Any, Configured), _reduce_configured)


def agent_names(game_id: str) -> dict[str, str]:
    """Return the baselines for a game: name -> module."""
    names: dict[str, str] = {}
    for package in ("baselines", f"baselines.{game_id}"):
        spec = importlib.util.find_spec(package)
        if spec is None or spec.submodule_search_locations is None:
            continue
        for module in pkgutil.iter_modules(spec.submodule_search_locations):
            if not module.ispkg and not module.name.startswith("_"):
                names[module.name] = f"{package}.{module.name}"
    return names


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (ModuleNotFoundError, TypeError, ValueError) as error:
        raise ValueError(f"module {name!r} cannot be imported: {error}") from None


def _module_of_file(path: str) -> ModuleType:
    file = Path(path)
    if not file.is_file():
        raise ValueError(f"there is no file {path!r}")
    spec = importlib.util.spec_from_file_location(f"_agent_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses and pickle look it up
    spec.loader.exec_module(module)
    return module
