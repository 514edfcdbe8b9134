"""Can't Stop in a page: each choice has a button in the picture."""

from game_core.position import Position

__all__ = ["steps"]

HELP = (
    "Be the first to hold three columns. Each roll of four dice makes two pairs: "
    "choose a pairing, and your runners go up in the columns of its two sums.",
    "Then roll again or stop. To stop keeps what your runners have climbed; a roll "
    "that allows no move is a bust and loses it. Whoever reaches the top and stops "
    "holds the column, and nobody can enter it any more.",
)


def steps(position: Position, action: int) -> list[tuple[str, str]]:
    """Return what is clicked for an action."""
    return [(f"action-{action}", position.game.action_to_text(action))]
