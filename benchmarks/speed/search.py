"""Simulations a second of ``mcts``, and what its tree costs beside plain playouts.

``python -m benchmarks.speed.search [GAME] [--players 2 4] [--json FILE]``. The
yardstick are random playouts to the end of the game, one after the other from the same
position, as compiled code without a tree. A tree costs time; but it also spares some,
where the moves that it prefers end games sooner, or where
``baselines/<game>/_mcts.py`` says that a simulation need not go to the end.

All are measured alternately. Each turn has a position of its own, halfway through a
random game. What counts is processor time on one core, which other load changes little.
"""

import functools
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import numpy as np
import tyro
from rich.console import Console

from baselines import random
from baselines.mcts import Mcts, hooks_of
from baselines.search import tree
from baselines.search.search import Hooks, positive_number
from benchmarks.speed.measure import Row, as_table, compare, machine, take_turns
from game_core.agents.agent import View
from game_core.agents.policy import bind_policy, new_memories
from game_core.catalog import GAMES
from game_core.compiled.rng import next_bits, seed_stream
from game_core.compiled.rules import Rule
from game_core.game import Game
from game_core.position import Position
from game_core.registry import load_game
from game_core.validation import options

__all__ = [
    "KNOWING",
    "PLAYOUTS",
    "RANDOM",
    "bound_playouts",
    "contenders",
    "main",
    "middle",
]

if TYPE_CHECKING:  # names that mean something once bound
    resample_hidden = cast(Rule, None)
    play_on = tree.play_on

PLAYOUTS = "random playouts, no tree"
RANDOM = "mcts, random playouts"
KNOWING = "mcts, with hooks"

LONGEST = Hooks().longest

PLAYOUTS_A_CALL = 16
"""Enough of them that the call from Python costs nothing beside."""

MAX_TURNS = 1000
PLAIN_WIDTH = 130
"""Width of tables where there is no terminal."""

Measure = Callable[[Position, float], float]
"""Measures something from a position for some seconds; a rate by processor time."""


def middle(game: Game, seed: int) -> Position:
    """Return a position halfway through a random game."""
    position, rng = Position.new(game, seed), np.random.default_rng(seed)
    actions: list[Any] = []
    while not position.over:
        actions.append(position.sample_action(rng))
        position.step(actions[-1])
    position = Position.new(game, seed)
    for action in actions[: len(actions) // 2]:
        position.step(action)
    return position


def playouts(root: Any, scratch: Any, memory: Any, count: int) -> None:
    """Play on to the end of the game from a position, again and again.

    Each time with new chance, as ``baselines.search.tree.simulate``.

    Args:
        root: (1,) record, the position.
        scratch: (1,) record, overwritten.
        memory: Record of ``game_core.agents.policy.MEMORY``: the source of all chance.
        count: How often.
    """
    for _ in range(count):
        scratch[0] = root[0]
        state = scratch[0]
        seed_stream(state, next_bits(memory))
        resample_hidden(state, root[0].player)
        play_on(state, root[0], memory, LONGEST)


@functools.cache
def bound_playouts(game: Game) -> Any:
    """Return ``playouts`` for a game."""
    policy = bind_policy(game, random.choose if game.discrete else random.choose_vector)
    binding = game.loops.binding.extend(is_cut=tree.never, choose=policy)
    return binding.bind([tree.is_end, tree.play_on, playouts])[-1]


def playout_rate(position: Position, seconds: float) -> float:
    """Return how many playouts a second there are."""
    game = position.game
    play, memory = bound_playouts(game), new_memories(game, 1)[0]
    scratch = position.states.copy()
    done, used, began = 0, time.process_time(), time.perf_counter()
    while done == 0 or time.perf_counter() - began < seconds:
        play(position.states, scratch, memory, PLAYOUTS_A_CALL)
        done += PLAYOUTS_A_CALL
    return done / (time.process_time() - used)


def search_rate(position: Position, seconds: float, *, hooks: bool) -> float:
    """Return how many simulations a second ``mcts`` runs in the search for a move."""
    agent, seat = Mcts(seconds=seconds, hooks=hooks), position.player
    shown = position.determinize(seat, 0)
    view = View(position.game, seat, shown, np.random.default_rng(0))
    used = time.process_time()
    agent.act(view)
    assert agent.search is not None
    return agent.search.simulations / (time.process_time() - used)


def contenders(game_id: str) -> dict[str, Measure]:
    """Return what is measured in a game: name -> what measures it."""
    found: dict[str, Measure] = {
        PLAYOUTS: playout_rate,
        RANDOM: functools.partial(search_rate, hooks=False),
    }
    if hooks_of(game_id) != Hooks():
        found[KNOWING] = functools.partial(search_rate, hooks=True)
    return found


def warm(game: Game) -> float:
    """Compile what is measured; return how many seconds it took."""
    began = time.perf_counter()
    position = middle(game, 0)
    for measure in contenders(game.id).values():
        measure(position, 1e-6)
    return time.perf_counter() - began


def rates(game: Game, turns: int, seconds: float) -> list[Row]:
    """Measure a game, each contender once a turn.

    Args:
        game: The game and its options.
        turns: Samples of each, from as many positions.
        seconds: Length of a sample.
    """
    positions = [middle(game, seed) for seed in range(turns)]
    samples = take_turns(
        {
            name: _from_each(measure, positions, seconds)
            for name, measure in contenders(game.id).items()
        },
        turns,
    )
    return compare(samples, "simulations/s", PLAYOUTS)


def main(
    game: tyro.conf.Positional[str | None] = None,
    players: tuple[int, ...] = (2, 4),
    turns: int = 5,
    seconds: float = 0.5,
    out: Annotated[Path | None, tyro.conf.arg(name="json", metavar="FILE")] = None,
) -> None:
    """Measure the speed of tree search, print it and write it down.

    Args:
        game: Id of the game; by default all.
        players: Numbers of players.
        turns: Samples of each thing, from as many positions.
        seconds: Length of a sample.
        out: File for the figures.
    """
    try:
        options.whole_number("turns", turns, 1, MAX_TURNS)
        positive_number("seconds", seconds)
        ids = list(GAMES) if game is None else [game]
        games = [load_game(each, num_players=n) for each in ids for n in players]
    except ValueError as error:
        sys.exit(f"benchmarks.speed.search: {error}")
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    about = machine()
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    figures: list[dict[str, Any]] = []
    for each in games:
        warming = warm(each)
        rows = rates(each, turns, seconds)
        title = f"{each.id}, {each.num_players} players (warm after {warming:.1f} s)"
        console.print(as_table(title, rows))
        figures.append(
            {
                "game": each.id,
                "players": each.num_players,
                "warming_seconds": warming,
                "rates": [row.as_json() for row in rows],
            }
        )
    if out is not None:
        written = {"machine": about, "seconds": seconds, "games": figures}
        out.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")


def _from_each(
    measure: Measure, positions: Sequence[Position], seconds: float
) -> Callable[[], float]:
    """Return what measures from the next of the positions at each call."""
    queue = iter(positions)
    return lambda: measure(next(queue), seconds)


if __name__ == "__main__":
    tyro.cli(main)
