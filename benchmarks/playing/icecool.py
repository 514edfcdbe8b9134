"""ICECOOL in a page: flicks are dragged on the plan, or set by sliders."""

from typing import Any

import numpy as np

from game_core.game import Game
from game_core.position import Position
from icecool_env.rules import red_line_room
from icecool_env.school import STANDARD, School
from icecool_env.spots import red_rectangle, red_spot
from icecool_env.state import FLICK, NONE, NUM_COMPONENTS, PLACE

__all__ = ["check", "question", "starts"]

HELP = (
    "A Runner takes a fish of its own by passing through the door where it hangs, "
    "and draws a card for it. The Catcher, in the gold ring, catches Runners by "
    "touching them. Everybody is Catcher once or twice; the cards with most points "
    "win.",
    "To flick, draw an arrow on the plan: where it points is the direction, and how "
    "long it is the strength. A hit on the side makes the penguin turn, a high one "
    "makes it jump over walls. If it stands close to a wall, it may start from the "
    "dashed red line instead.",
)

WISHES = (0.0, 0.5, 1.0)
"""R27, R32: to stay, to move to the red line, and to that of the other room."""


def check(game: Game) -> None:
    """Raise ``ValueError`` for actions on a grid."""
    if game.discrete:
        raise ValueError(
            "a person flicks freely: leave out the option grid, which is for training"
        )


def question(position: Position) -> dict[str, Any]:
    """Return what has to be decided; lengths are in millimetres."""
    state = position.state
    if state.phase == PLACE:
        rect = [float(side) for side in red_rectangle(state, state.kitchen)]
        return {"kind": "place", "seat": position.player, "rect": rect}
    if state.phase == FLICK:
        return {"kind": "flick", "seat": position.player, "starts": starts(position)}
    moves = [_answer(position, "yes", 1.0), _answer(position, "no", -1.0)]
    return {"kind": "choose", "moves": moves}


def starts(position: Position) -> list[dict[str, Any]]:
    """Return the spots that a penguin can be flicked from (R27, R32, R33)."""
    state, seat = position.state, position.player
    plan = position.game.options["school"]
    rooms = (STANDARD if plan is None else School.from_dict(plan)).rooms
    found: dict[tuple[float, float], dict[str, Any]] = {}
    for wish in WISHES:
        spot, words = (float(state.x[seat]), float(state.y[seat])), "where it stands"
        room = red_line_room(state, seat, wish)
        if room != NONE:
            is_free, x, y = red_spot(state, seat, room)
            if is_free:
                spot, words = (x, y), f"from the red line of the {rooms[room].name}"
        start = {"value": wish, "words": words, "x": spot[0], "y": spot[1]}
        found.setdefault(spot, start)
    return list(found.values())


def _answer(position: Position, word: str, value: float) -> dict[str, Any]:
    action = [value] + [0.0] * (NUM_COMPONENTS - 1)
    words = position.describe_action(np.array(action, np.float32))
    return {"action": action, "words": words, "steps": [(f"action-{word}", words)]}
