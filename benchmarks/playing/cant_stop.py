"""Can't Stop in a page: each choice has a button in the picture."""

from game_core.position import Position


def steps(position: Position, action: int) -> list[tuple[str, str]]:
    """Return what is clicked for an action."""
    return [(f"action-{action}", position.game.action_to_text(action))]
