"""Golden games: whole games as readable text, which must replay line for line.

``python -m tests.golden`` writes them anew. Do that only when the rules or the dice
are meant to change, raise the game's version, and read the difference.
"""

import itertools
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from game_core import Game, IllegalActionError, Position, load_game
from tests.azul.positions import displays_of, scores_of

FOLDER = Path(__file__).parent


def situation_of_cant_stop(position: Position) -> str:
    """Return what a player of Can't Stop looks at: turn, seat and dice."""
    state = position.states[0]
    dice = " ".join(map(str, state.dice))
    return f"turn {state.turns + 1}, player_{state.player}, dice {dice}"


def situation_of_azul(position: Position) -> str:
    """Return what a player of Azul looks at: points, and tiles on offer or to place."""
    state = position.states[0]
    points = " ".join(map(str, scores_of(position)))
    task = f"line {state.tiling_line + 1} to the wall"
    if not state.tiling:
        *displays, centre = [tiles or "-" for tiles in displays_of(position)]
        task = f"{' '.join(displays)} centre {centre}"
    return f"round {state.round_number}, player_{state.player}, points {points}, {task}"


def situation_of_icecool(position: Position) -> str:
    """Return where the penguins are, to the last bit, and what the cards are."""
    state = position.states[0]
    seats = range(position.game.num_players)
    places = [
        f"{float(state.x[s])!r} {float(state.y[s])!r}" if state.on_board[s] else "off"
        for s in seats
    ]
    cards = ["".join(map(str, state.face_down[s])) for s in seats]
    task = ("places", "flicks", "skates or not")[state.phase]
    return (
        f"round {state.round_number + 1}, {' / '.join(places)}, cards "
        f"{' '.join(cards)}, player_{state.player} {task}"
    )


SITUATIONS: dict[str, Callable[[Position], str]] = {
    "azul": situation_of_azul,
    "cant_stop": situation_of_cant_stop,
    "icecool": situation_of_icecool,
}
"""Game id -> what to write before the action in the line of a decision."""


def write_game(game: Game, seed: int, actions: Iterable[str]) -> str:
    """Play actions given in words and return the game as text.

    ``actions`` may depend on the position, if it is a generator that plays along. The
    text ends early, and says why, at an action that cannot be played.
    """
    position = Position.new(game, seed)
    lines = [
        f"{game.id}, version {game.version}",
        json.dumps(dict(game.options)),
        f"seed {seed}",
        "",
    ]
    for words in actions:
        lines.append(f"{SITUATIONS[game.id](position)}: {words}")
        try:
            position.step(game.text_to_action(words))
        except (IllegalActionError, ValueError) as error:
            return "\n".join([*lines, f"cannot be played: {error}", ""])
    paid = " ".join(f"{reward:.6g}" for reward in position.rewards)
    return "\n".join([*lines, "", str(position), f"rewards {paid}", ""])


def first_difference(text: str) -> str | None:
    """Play a game's text again; return the first line that is not the same, if any."""
    header, options, seed, _, *rest = text.splitlines()
    game = load_game(header.partition(",")[0], **json.loads(options))
    decisions = itertools.takewhile(bool, rest)
    actions = (line.rpartition(": ")[2] for line in decisions)
    now = write_game(game, int(seed.removeprefix("seed ")), actions)
    pairs = itertools.zip_longest(text.splitlines(), now.splitlines())
    for number, (golden, line) in enumerate(pairs, start=1):
        if golden != line:
            return f"line {number}: the file has {golden!r}, the game now {line!r}"
    return None
