"""What a page asks the person to move: legal moves in words, and what to click.

A question is a dict that can be sent as JSON. Its ``kind`` is one of:

- "choose": one of ``moves``. Each has its ``action``, its ``words``, and ``steps``, a
  list of [id in the picture, words]: what is clicked one after the other. Without steps
  there is nothing in the picture to be clicked, and the words alone are offered.
- "place" (ICECOOL): a spot within ``rect``, [left, bottom, right, top] in millimetres.
- "flick" (ICECOOL): a flick from one of ``starts``, each with the ``value`` of that
  component of the action, its ``words``, and ``x`` and ``y`` in millimetres.

A game says what is clicked in a module of this package that has its id as its name;
the ids are those of its ``draw.py``. It has a function ``steps(position, action)``, or
``question(position)``; ``check(game)`` if some options cannot be played so; and
``HELP``, paragraphs that tell what the game is about and how it is played in the page.
"""

import functools
import importlib
import importlib.util
from types import ModuleType
from typing import Any

from game_core.game import Game
from game_core.position import Position

__all__ = ["check_playable", "help_for", "question_for"]

Step = tuple[str, str]


def check_playable(game: Game) -> None:
    """Raise ``ValueError`` for options that a page cannot ask about."""
    check = getattr(_module(game.id), "check", None)
    if check is not None:
        check(game)


def help_for(game: Game) -> tuple[str, ...]:
    """Return paragraphs that tell how a game is played in the page."""
    return getattr(_module(game.id), "HELP", ())


def question_for(position: Position) -> dict[str, Any]:
    """Return what has to be decided in a position that the person to move may see."""
    module = _module(position.game.id)
    question = getattr(module, "question", None)
    if question is not None:
        return question(position)
    steps = getattr(module, "steps", _no_steps)
    moves = [
        {
            "action": action,
            "words": position.describe_action(action),
            "steps": steps(position, action),
        }
        for action in position.legal_actions().tolist()
    ]
    return {"kind": "choose", "moves": moves}


@functools.cache
def _module(game_id: str) -> ModuleType | None:
    name = f"{__package__}.{game_id}"
    if importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)


def _no_steps(position: Position, action: int) -> list[Step]:
    del position, action
    return []
