"""What there is, by name: games and agents, loaded only when asked for.

Games are named here as strings, so that neither importing one game loads another nor
the core knows any. Agents are found by convention: the agent ``x`` of the game ``g``
is the attribute ``x`` of ``baselines/g/x.py``, or of ``baselines/x.py`` if it plays
every game. Names that begin with an underscore are no agents.
"""

# pyright: reportMissingTypeStubs=false

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
from typing import TYPE_CHECKING, Any, cast

import gymnasium

if TYPE_CHECKING:
    from game_core.game import Game

NAMESPACE = "tabletop"

GAMES = {
    "azul": "azul_env.game:make_game",
    "cant_stop": "cant_stop_env.game:make_game",
    "icecool": "icecool_env.game:make_game",
}
"""Game id -> "module:function" that makes the ``Game`` from its options."""

_NAME_AND_SETTINGS = re.compile(r"(.*?\.py:[^()]*|[^(]*)(\(.*)?", re.DOTALL)


def game_packages() -> set[str]:
    """Return the top-level packages that the games live in."""
    return {target.partition(".")[0] for target in GAMES.values()}


def load_game(game_id: str, /, **options: Any) -> "Game":
    """Return a game by its id, for instance ``load_game("azul", num_players=3)``.

    Args:
        game_id: One of ``GAMES``.
        **options: The game's own options; the docstring of its ``make_game`` lists
            them.

    Raises:
        ValueError: For an unknown game, an unknown option or a value out of range.
    """
    if game_id not in list(GAMES):
        raise ValueError(f"unknown game {game_id!r}; known games: {', '.join(GAMES)}")
    return _load(GAMES[game_id])(**options)


def as_game(game: "str | Game", options: dict[str, Any]) -> "Game":
    """Return a game by its id and options, or as it is.

    Raises:
        ValueError: For an unknown game or option, or options of a game that is made.
    """
    if isinstance(game, str):
        return load_game(game, **options)
    if options:
        raise ValueError(f"{game.id} is made already; its options are fixed")
    return game


def register_with_pettingzoo(game_id: str, version: int) -> None:
    """Make ``pettingzoo.make("aec", "tabletop/<game>-v<version>")`` find a game.

    Does nothing where PettingZoo has no registry (before 1.27) or knows it already.
    """
    try:
        from pettingzoo import aec_registry, register
    except ImportError:
        return
    package = GAMES[game_id].partition(".")[0]
    name = f"{NAMESPACE}/{game_id}-v{version}"
    if name not in aec_registry:
        register("aec", name, f"{package}.{game_id}_v{version}:env")


def register_with_gymnasium(game_id: str, version: int) -> None:
    """Make ``gymnasium.make("tabletop/<Game>-v<version>")`` find one seat of a game."""
    place = "game_core.envs.seat:Seat"
    _register(f"{_capitalized(game_id)}-v{version}", place, {"game": game_id})


def register_task_with_gymnasium(game_id: str, task: str, version: int) -> None:
    """Make ``gymnasium.make("tabletop/<Game><Task>-v<version>")`` find a task.

    The game's package has ``TaskEnv`` and ``TaskVectorEnv`` in its ``tasks.py``.
    """
    place = f"{GAMES[game_id].partition('.')[0]}.tasks:Task"
    name = f"{_capitalized(game_id)}{_capitalized(task)}-v{version}"
    _register(name, place, {"task": task})


def load_task(game: "Game", task: str, num_envs: int) -> Any:
    """Return a task in a game, as ``SeatGames``.

    Raises:
        ValueError: If there is none.
    """
    name = f"{GAMES[game.id].partition('.')[0]}.tasks"
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"task={task!r} is not allowed: {game.id} has no tasks")
    return _module(name).TaskGames(task, num_envs, **game.options)


def _register(name: str, place: str, settings: dict[str, Any]) -> None:
    """Register the classes ``<place>Env`` and ``<place>VectorEnv``, once."""
    gymnasium_id = f"{NAMESPACE}/{name}"
    if gymnasium_id not in gymnasium.registry:
        cast(Any, gymnasium).register(
            gymnasium_id,
            entry_point=f"{place}Env",
            vector_entry_point=f"{place}VectorEnv",
            kwargs=settings,
        )


def _capitalized(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


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
            raise ValueError(f"{place} has no {attribute!r}: agent {spec!r} is unknown")
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
    package = GAMES[game_id].partition(".")[0]
    if not place and importlib.util.find_spec(f"{package}.potentials") is None:
        raise ValueError(
            f"potential {spec!r} is not allowed: {game_id} has none of its own; give a "
            "function, or 'package.module:name'"
        )
    module = _module(place or f"{package}.potentials")
    if not hasattr(module, attribute):
        raise ValueError(f"{module.__name__} has no potential {attribute!r}")
    return getattr(module, attribute)


def _module_of_baseline(name: str, game_id: str) -> ModuleType:
    names = agent_names(game_id)
    if not names:
        raise ValueError(
            f"no agent {name!r}: another package baselines hides that of this library; "
            f"the first in sys.path is taken, {sys.path[:2]}"
        )
    if name not in names:
        raise ValueError(
            f"unknown agent {name!r}; {game_id} has {', '.join(names)}, and your own "
            "are 'my_bot.py:my_bot'"
        )
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
        takes = ", ".join(inspect.signature(agent).parameters) or "none"
        raise ValueError(f"agent {spec!r}: {error}; settings: {takes}") from None

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


def _load(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


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
