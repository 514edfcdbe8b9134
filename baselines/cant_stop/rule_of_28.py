"""The Rule of 28: stop a turn of Can't Stop once its progress counts 28 points.

From Michael Keller, "Can't Stop? Try the Rule of 28", 1986
(http://www.solitairelaboratory.com/cantstop.html), as James Glenn and Christian Aloi
describe it in "A Generalized Heuristic for Can't Stop", FLAIRS 2009.

Keller's are the points of a space, the points of a turn and when to stop. He leaves
the choice of columns to the player; counting the points of the moves, less 6 for each
runner that enters, is how Glenn plays it. Ours is what neither says: a double counts
twice, even where only one space is left; the first of equal choices is taken; a turn
that has won stops; a player who may not stop, in the variant "no rest", rolls; and in
the variant "jump" the spaces that a runner skipped count as advanced.
"""

from typing import Any

from cant_stop_env.odds import stopping_wins
from cant_stop_env.state import COLUMNS_OF_ACTION, NUM_RUNNERS, ROLL, STOP
from game_core.agent import View

ENOUGH = 28
ENTERING = 6
ALL_ODD, ALL_EVEN, ONE_SIDE = 2, -2, 4

# By column: 1 for 7, 2 for 6 and 8, and so on to 6 for 2 and 12.
POINTS = [abs(column - 7) + 1 for column in range(13)]
COLUMNS = COLUMNS_OF_ACTION.tolist()


def rule_of_28(view: View) -> int:
    """Move where the points are, and roll until the turn is worth 28 of them."""
    if view.state.choosing:
        return choose_columns(view)
    return roll_or_stop(view)


def choose_columns(view: View) -> int:
    """Return the choice with the most points, the first of equals."""
    runners = view.state.runners.tolist()
    return max(view.legal_actions.tolist(), key=lambda a: points_of_move(a, runners))


def points_of_move(action: int, runners: list[int]) -> int:
    """Count the points of the spaces gained, less 6 for each runner that enters."""
    columns = [column for column in COLUMNS[action] if column]
    entered = {column for column in columns if runners[column] == 0}
    return sum(POINTS[column] for column in columns) - ENTERING * len(entered)


def roll_or_stop(view: View) -> int:
    """Stop when the turn has won or is worth 28 points, if the rules let it."""
    may_stop = view.action_mask[STOP]
    if may_stop and (points_of_turn(view.state) >= ENOUGH or stopping_wins(view.state)):
        return STOP
    return ROLL


def points_of_turn(state: Any) -> int:
    """Count the points of the spaces advanced, one more for each runner's column."""
    pieces = state.pieces[state.player].tolist()
    runners = {c: space for c, space in enumerate(state.runners.tolist()) if space}
    points = sum((runners[c] - pieces[c] + 1) * POINTS[c] for c in runners)
    if len(runners) == NUM_RUNNERS:
        points += difficulty(list(runners))
    return points


def difficulty(columns: list[int]) -> int:
    """Return what is added because three columns are hard, or easy, to roll again."""
    points = 0
    if all(column % 2 == 1 for column in columns):
        points += ALL_ODD
    if all(column % 2 == 0 for column in columns):
        points += ALL_EVEN
    if max(columns) <= 7 or min(columns) >= 7:
        points += ONE_SIDE
    return points
