"""Azul in a page: tiles are clicked, then a line; or a space on the wall."""

from azul_env.state import (
    ACTIONS_PER_SOURCE,
    COLORS,
    FLOOR,
    PLACES,
    num_displays,
    num_offer_actions,
)
from game_core.position import Position

__all__ = ["steps"]

HELP = (
    "Take all tiles of one color from a display, whose other tiles go to the "
    "centre, or from the centre; and put them into one line of your board. Click "
    "the tiles, then the line. What does not fit falls to the floor line and costs "
    "points.",
    "When all tiles are taken, each full line sends one tile to the wall. It scores "
    "one point for each tile that it joins, across and down. The game ends with the "
    "round in which somebody completes a row; rows, columns and colors that are "
    "complete earn more points then.",
)


def steps(position: Position, action: int) -> list[tuple[str, str]]:
    """Return what is clicked for an action."""
    players, seat = position.game.num_players, position.player
    column = action - num_offer_actions(players)
    if column >= 0:
        row = int(position.state.tiling_line)
        return [(f"wall-{seat}-{row}-{column}", f"column {column + 1}")]
    source, rest = divmod(action, ACTIONS_PER_SOURCE)
    color, line = divmod(rest, PLACES)
    place = "centre" if source == num_displays(players) else f"display {source + 1}"
    tiles = (f"source-{source}-color-{color}", f"{place}, {COLORS[color]}")
    if line == FLOOR:
        return [tiles, (f"floor-{seat}", "floor")]
    return [tiles, (f"line-{seat}-{line}", f"line {line + 1}")]
