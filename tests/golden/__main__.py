"""Write the golden games anew: ``python -m tests.golden``."""

from collections.abc import Iterator

import numpy as np

from game_core import Game, Position, load_game
from tests.games import PLAYER_COUNTS, VARIANTS
from tests.golden import FOLDER, write_game


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


if __name__ == "__main__":
    write_cant_stop()
