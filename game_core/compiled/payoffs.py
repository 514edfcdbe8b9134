"""What games pay at the end: shares of a win, or margins. Both sum to zero."""

from game_core.compiled.jit import jit

__all__ = ["margin", "share_of_win"]


@jit
def share_of_win(wins: bool, winners: int, num_players: int) -> float:
    """Return what a player gets if the winners share the win.

    Each of w winners among n players gets (n / w - 1) / (n - 1), and each of the others
    -1 / (n - 1). With two players that is 1 and -1, and 0 for a draw.
    """
    share = 1.0 / winners if wins else 0.0
    return (num_players * share - 1.0) / (num_players - 1)


@jit
def margin(own: float, total: float, num_players: int) -> float:
    """Return what a player has less the mean of the others', who have the rest."""
    return own - (total - own) / (num_players - 1)
