"""Write the golden games anew: ``python -m tests.golden``."""

from collections.abc import Iterator

import numpy as np

from azul_env.state import ACTIONS_PER_SOURCE, FLOOR, PLACES
from game_core import Game, Position, load_game
from tests.azul import positions as azul
from tests.games import PLAYER_COUNTS, VARIANTS
from tests.golden import FOLDER, write_game
from tests.icecool import positions as icecool


def cautious_play(game: Game, seed: int) -> Iterator[str]:
    """Play Can't Stop along: roll until three runners are out, then soon stop."""
    position = Position.new(game, seed)
    rng = np.random.default_rng(seed)
    while not position.over:
        legal = [game.action_to_text(int(a)) for a in position.legal_actions()]
        words = str(rng.choice(legal))
        if "stop" in legal:
            waits = position.states[0].free_runners > 0 or rng.random() < 0.3
            words = "roll" if waits else "stop"
        yield words
        position.step(game.text_to_action(words))


def write_cant_stop() -> None:
    """Write three games for each variant and number of players."""
    for variant, occupied in enumerate(VARIANTS):
        for num_players in PLAYER_COUNTS:
            others = (
                {"columns_to_win": 3 if num_players < 3 else 2},
                {"columns_to_win": 1, "reward": "margin", "starting_player": 0},
                {"columns_to_win": 5, "max_turns": 6 * num_players},
            )
            for number, options in enumerate(others, start=1):
                game = load_game(
                    "cant_stop", num_players=num_players, occupied=occupied, **options
                )
                seed = 100 * variant + 10 * num_players + number
                text = write_game(game, seed, cautious_play(game, seed))
                name = f"{occupied}-{num_players}-players-{number}.txt"
                (FOLDER / "cant_stop" / name).write_text(text, encoding="utf-8")


def tidy_play(game: Game, seed: int, care: float) -> Iterator[str]:
    """Play Azul along: with chance ``care`` drop little and complete lines."""
    position = Position.new(game, seed)
    rng = np.random.default_rng(seed)
    while not position.over:
        legal = position.legal_actions()
        action = int(rng.choice(legal))
        if not position.states[0].tiling and rng.random() < care:
            action = min(legal.tolist(), key=lambda a: misfit(position, a))
        yield game.action_to_text(action)
        position.step(action)


def misfit(position: Position, action: int) -> tuple[int, int]:
    """Return how many tiles would be dropped, and how many the line would lack."""
    state = position.states[0]
    source, rest = divmod(action, ACTIONS_PER_SOURCE)
    color, line = divmod(rest, PLACES)
    tiles = int(state.sources[source, color])
    if line == FLOOR:
        return tiles, 0
    room = line + 1 - int(state.line_count[state.player, line])
    return max(0, tiles - room), max(0, room - tiles)


def write_azul() -> None:
    """Write three games for each side of the boards and number of players."""
    for side in azul.SIDES:
        for num_players in azul.PLAYER_COUNTS:
            others = (
                ({}, 0.95),
                ({"reward": "margin", "starting_player": num_players - 1}, 0.6),
                ({"max_rounds": 3}, 0.1),
            )
            for number, (options, care) in enumerate(others, start=1):
                game = load_game("azul", num_players=num_players, wall=side, **options)
                seed = 100 * azul.SIDES.index(side) + 10 * num_players + number
                text = write_game(game, seed, tidy_play(game, seed, care))
                name = f"{side}-{num_players}-players-{number}.txt"
                (FOLDER / "azul" / name).write_text(text, encoding="utf-8")


def eager_play(game: Game, seed: int, tries: int) -> Iterator[str]:
    """Play ICECOOL along: of some random actions one that gets most cards and IDs."""
    position = Position.new(game, seed)
    rng = np.random.default_rng(seed)
    while not position.over:
        actions = [position.sample_action(rng) for _ in range(tries)]
        action = max(actions, key=lambda a: gain(position, a))
        yield game.action_to_text(action)
        position.step(action)


def gain(position: Position, action: np.ndarray) -> int:
    """Return how many cards and ID cards all get by an action."""
    after = position.copy()
    after.step(action)
    return int(after.state.face_down.sum() + after.state.caught.sum())


def write_icecool() -> None:
    """Write three games for each number of players, and one on a grid."""
    others = (
        ({}, 6),
        ({"deck": "42", "stuck_move": "must", "void_on_exit": True}, 3),
        ({"deck": "tournament", "catcher_start": "centre", "max_flicks": 15}, 1),
        ({"grid": {"directions": 16}, "reward": "margin"}, 4),
    )
    for num_players in icecool.PLAYER_COUNTS:
        for number, (options, tries) in enumerate(others, start=1):
            game = load_game("icecool", num_players=num_players, **options)
            seed = 10 * num_players + number
            text = write_game(game, seed, eager_play(game, seed, tries))
            name = f"{num_players}-players-{number}.txt"
            (FOLDER / "icecool" / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_cant_stop()
    write_azul()
    write_icecool()
