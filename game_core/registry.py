"""Games by name, and their ids in the registries of PettingZoo and Gymnasium."""

# pyright: reportMissingTypeStubs=false

import importlib
import importlib.util
from typing import Any, cast

import gymnasium

from game_core.catalog import make_game, package_of
from game_core.deprecation import renamed_attributes
from game_core.game import Game

__all__ = [
    "as_game",
    "load_game",
    "load_task",
    "register_task_with_gymnasium",
    "register_with_gymnasium",
    "register_with_pettingzoo",
]

NAMESPACE = "tabletop"


def load_game(game_id: str, /, **options: Any) -> Game:
    """Return a game by its id, for instance ``load_game("azul", num_players=3)``.

    Args:
        game_id: One of ``game_core.catalog.GAMES``.
        **options: The game's own options; the docstring of its ``make_game`` lists
            them.

    Raises:
        ValueError: For an unknown game, an unknown option or a value out of range.
    """
    return make_game(game_id, options)


def as_game(game: str | Game, options: dict[str, Any]) -> Game:
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
    name = f"{NAMESPACE}/{game_id}-v{version}"
    if name not in aec_registry:
        register("aec", name, f"{package_of(game_id)}.{game_id}_v{version}:env")


def register_with_gymnasium(game_id: str, version: int) -> None:
    """Make ``gymnasium.make("tabletop/<Game>-v<version>")`` find one seat of a game."""
    place = "game_core.envs.seat:Seat"
    _register(f"{_capitalized(game_id)}-v{version}", place, {"game": game_id})


def register_task_with_gymnasium(game_id: str, task: str, version: int) -> None:
    """Make ``gymnasium.make("tabletop/<Game><Task>-v<version>")`` find a task.

    The game's package has ``TaskEnv`` and ``TaskVectorEnv`` in its ``tasks.py``.
    """
    place = f"{package_of(game_id)}.tasks:Task"
    name = f"{_capitalized(game_id)}{_capitalized(task)}-v{version}"
    _register(name, place, {"task": task})


def load_task(game: "Game", task: str, num_envs: int) -> Any:
    """Return a task in a game, as ``SeatGames``.

    Raises:
        ValueError: If there is none.
    """
    name = f"{package_of(game.id)}.tasks"
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"task={task!r} is not allowed: {game.id} has no tasks")
    return importlib.import_module(name).TaskGames(task, num_envs, **game.options)


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


__getattr__ = renamed_attributes(
    __name__,
    {
        "GAMES": "game_core.catalog:GAMES",
        "agent_names": "game_core.agents.find:agent_names",
        "find_agent": "game_core.agents.find:find_agent",
        "find_potential": "game_core.agents.find:find_potential",
    },
)
