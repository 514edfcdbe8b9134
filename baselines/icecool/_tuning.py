"""How the weights in ``_weights.py`` were found.

``python -m baselines.icecool._tuning``, some ten minutes on two busy cores. The planner
plays itself with fewer flicks, and every tenth of them random, so that there are good
and bad positions. The weights are fitted by least squares to the cards that each seat
still drew in the round, from the facts before every flick; for two players and for
four.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tyro
from scipy.optimize import least_squares

from baselines.icecool._shots import SHOT
from baselines.icecool._value import NUM_FACTS, write_expected_cards, write_facts
from baselines.icecool.aimer import place, yes_or_no
from baselines.icecool.planner import flicks, outcomes, wants_skates
from game_core import Position, load_game
from game_core.agents.agent import View, draw_seed
from game_core.compiled.jit import jit
from icecool_env.cards import num_cards
from icecool_env.state import FLICK, MAX_ROOMS, PLACE, SKATES

DIRECTIONS = 8
"""Of the fan in these games: 84 flicks are tried for a move."""

RANDOM = 0.1
"""Part of the flicks that are any."""

TESTED = 5
"""The fit is tested on one game of so many, which it has not seen."""

BEGIN = np.array([0.88, 3.0, 1.0, 2.1, 2.4, 2.8, 0.82, 0.635, 0.21, 0.91])
LEAST = np.array([0.3, 1.0, 0.5, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.3])
MOST = np.array([1.0, 9.0, 9.0, 9.0, 9.0, 9.0, 1.0, 1.0, 1.0, 1.0])
"""Guesses, by which the games are played and with which the search begins, and its
bounds; in the order of ``_value.py``."""

FILE = Path(__file__).with_name("_weights.py")


class Rounds(NamedTuple):
    """What was seen before the flicks of a game.

    Attributes:
        facts: (k, players, ``NUM_FACTS``).
        catchers: (k,) seats.
        drawn: (k, players) cards that each seat still drew in the round.
    """

    facts: np.ndarray
    catchers: np.ndarray
    drawn: np.ndarray


def hasty(view: View) -> Any:
    """Play like the planner by guesses, of few flicks, and flick anyhow at times."""
    guesses = np.array([BEGIN, BEGIN])
    if view.state.phase == PLACE:
        return place(view)
    if view.state.phase == SKATES:
        return yes_or_no(wants_skates(view, guesses))
    if view.rng.random() < RANDOM:
        return view.sample_action()
    actions = flicks(view.state, view.seat, view.rng, DIRECTIONS)
    return actions[outcomes(view.position, view.seat, actions, guesses).argmax()]


def record(num_players: int, seed: int) -> Rounds:
    """Play a game and return what was seen before its flicks."""
    position = Position.new(load_game("icecool", num_players=num_players), seed)
    rng = np.random.default_rng([seed, num_players])  # which found the weights
    seen: list[np.ndarray] = []
    while not position.over:
        if position.state.phase == FLICK:
            seen.append(position.states.copy())
        shown = position.determinize(position.player, draw_seed(rng))
        position.step(hasty(View(position.game, position.player, shown, rng)))
    states = np.concatenate([*seen, position.states])
    facts = np.zeros((len(states), num_players, NUM_FACTS))
    cards = np.zeros((len(states), num_players))
    write_seen(states, facts, cards)
    numbers = states["round_number"][:-1]
    ends = np.searchsorted(numbers, numbers, side="right")  # of the rounds
    catchers = states["catcher"][:-1].astype(np.int64)
    return Rounds(facts[:-1], catchers, cards[ends] - cards[:-1])


@jit
def write_seen(states: np.ndarray, facts: np.ndarray, cards: Any) -> None:
    """Write the facts (k, players, ``NUM_FACTS``) and the cards held (k, players)."""
    doors, scratch = np.zeros(MAX_ROOMS), np.zeros((1, SHOT))
    for i in range(len(states)):
        write_facts(states[i], facts[i], doors, scratch)
        for seat in range(states[i].num_players):
            cards[i, seat] = num_cards(states[i], seat)


@jit
def write_estimates(
    facts: np.ndarray, catchers: Any, weights: np.ndarray, out: np.ndarray
) -> None:
    """Write what positions (k,) are worth by some weights into ``out`` (k, players)."""
    for i in range(len(facts)):
        write_expected_cards(facts[i], catchers[i], weights, out[i])


def misses(weights: np.ndarray, rounds: Rounds) -> np.ndarray:
    """Return by how much estimates differ from what was drawn (k * players,)."""
    out = np.zeros(rounds.drawn.shape)
    write_estimates(rounds.facts, rounds.catchers, weights, out)
    return (out - rounds.drawn).ravel()


def fit(games: Sequence[Rounds]) -> np.ndarray:
    """Return the weights (``NUM_WEIGHTS``,) that predict some games best."""
    rounds = joined(games)
    found = least_squares(misses, BEGIN, bounds=(LEAST, MOST), args=(rounds,))
    return np.asarray(found.x)


def joined(games: Sequence[Rounds]) -> Rounds:
    """Return what was seen in several games as one."""
    return Rounds(*map(np.concatenate, zip(*games, strict=True)))


def square_error(weights: np.ndarray, games: Sequence[Rounds]) -> float:
    """Return the mean square of the misses, in cards."""
    return float(np.square(misses(weights, joined(games))).mean())


def write_weights(rows: Sequence[np.ndarray], command: str, errors: str) -> None:
    """Write ``_weights.py``."""
    lines = ["[" + ", ".join(f"{value:.3f}" for value in row) + "]," for row in rows]
    text = TEMPLATE.format(
        command=command, errors=errors, rows="\n        ".join(lines)
    )
    FILE.write_text(text, encoding="utf-8")


TEMPLATE = '''"""What the rest of a round is worth; see ``_value.py``.

Written by:
{command}

Mean square error, in cards, on games that the fit had not seen:
{errors}
"""

import numpy as np

WEIGHTS = np.array(
    [
        {rows}
    ]
)
"""For two players, and for more."""
'''


def main(games: int = 45, seed: int = 0, workers: int = 2) -> None:
    """Find the weights by self-play and write them to ``_weights.py``.

    Args:
        games: How many for two players; a third as many, which are longer, for four.
        seed: The same seed finds the same weights.
        workers: Processes.
    """
    rows, errors = [], []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for num_players, count in ((2, games), (4, games // 3)):
            seeds = range(seed, seed + count)
            played = list(pool.map(record, [num_players] * count, seeds))
            row, error = tested(played)
            rows.append(row)
            errors.append(f"{num_players} players: {error}")
    command = f"python -m baselines.icecool._tuning --games {games} --seed {seed}"
    write_weights(rows, command, "\n".join(errors))


def tested(games: Sequence[Rounds]) -> tuple[np.ndarray, str]:
    """Return the weights that suit some games, and in words how well they would do."""
    learned = [game for i, game in enumerate(games) if i % TESTED]
    unseen = games[::TESTED]
    before, after = (square_error(row, unseen) for row in (BEGIN, fit(learned)))
    return fit(games), f"{after:.3f} (of the guesses {before:.3f})"


if __name__ == "__main__":
    tyro.cli(main)
