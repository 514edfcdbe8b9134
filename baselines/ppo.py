"""Trained policies that come with the package, and those that you trained."""

import functools
from pathlib import Path
from typing import Any

import numpy as np

from baselines._plugins import grid_module
from baselines.networks.moves import num_features
from baselines.networks.network import Network
from game_core.agents.agent import Batch, BatchAgent, View, draw_seed
from game_core.agents.policy import new_memories
from game_core.game import Game
from game_core.registry import load_game
from game_core.validation import options

__all__ = ["TRAINED", "Ppo", "check_game", "network_of", "policy_of", "ppo"]

TRAINED = Path(__file__).parent / "trained"
"""Folder of the policies that come with the package."""


class Ppo:
    """Play a policy network trained by self-play and against bots."""

    def __init__(self, file: str | None = None, sample: bool = False) -> None:
        """Take the policy that comes with the package, or another one.

        Args:
            file: The policy.npz of a training run; None for what comes with the
                package.
            sample: Whether to draw actions as in training, or to play the greedy one.

        Raises:
            ValueError: If ``file`` is no text.
        """
        if not (file is None or isinstance(file, str)):
            raise ValueError(f"file={file!r} is not allowed; give a path as text")
        self.file = file
        self.sample = options.true_or_false("sample", sample)
        self._memory: Any = None
        self._networks: dict[Game, BatchAgent] = {}

    def check(self, game: Game) -> None:
        """Raise the errors of ``act`` before a game begins."""
        self._network(game)

    def act(self, view: View) -> Any:
        """Return the network's action.

        Raises:
            FileNotFoundError: If there is no policy for the game.
            ValueError: If the policy is of another game.
        """
        game = view.game
        if self._memory is None:
            self._memory = new_memories(game, 1)
            self._memory["rng"] = draw_seed(view.rng)
        masks = view.action_mask[None] if game.discrete else np.zeros((1, 0), np.int8)
        action = self.act_batch(
            Batch(game, view.observation[None], masks, self._memory)
        )[0]
        return int(action) if game.discrete else action

    def act_batch(self, batch: Batch) -> np.ndarray:
        """Return the network's actions in several games.

        Raises:
            FileNotFoundError: If there is no policy for the game.
            ValueError: If the policy is of another game.
        """
        return self._network(batch.game).act_batch(batch)

    def _network(self, game: Game) -> BatchAgent:
        """Return the network as its file was when it was first asked for."""
        if game not in self._networks:
            self._networks[game] = network_of(game, self.file, self.sample)
        return self._networks[game]


ppo = Ppo


def network_of(game: Game, file: str | None, sample: bool) -> BatchAgent:
    """Return the policy for a game that is in a file, or comes with the package.

    One that learned numbered actions plays continuous ones, too, where the game has a
    grid that says what its numbers stand for: on its own grid, or on a finer one if it
    is a network over moves.

    Raises:
        FileNotFoundError: If there is none.
        ValueError: If it is of another game.
    """
    path = Path(file) if file else policy_of(game.id, game.num_players)
    if file is None and not path.is_file():
        there = sorted(f"{one.stem}" for one in TRAINED.glob("*.npz"))
        raise FileNotFoundError(
            f"no trained policy for {game.id} with {game.num_players} players comes "
            f"with the package (there are {', '.join(there) or 'none'}); train one "
            "with 'tabletop train' and give its file: ppo(file='RUN/policy.npz')"
        )
    changed = path.stat().st_mtime_ns if path.exists() else 0
    return _network_in(game, path, sample, changed)


@functools.lru_cache(maxsize=64)
def _network_in(game: Game, path: Path, sample: bool, changed: int) -> BatchAgent:
    """Return the policy in a file; ``changed`` tells apart what was in it when."""
    network, facts = Network.load(path)
    policy = network if sample else network.act_always_best()
    grid = facts.get("options", {}).get("grid")
    if grid and not game.discrete and (on_grid := grid_module(game.id)):
        if network.rows == "moves":
            grid = {**grid, **on_grid.FINE}
        numbered = load_game(game.id, **{**game.options, "grid": grid})
        check_game(path, facts, network, numbered)
        return on_grid.OnGrid(policy, numbered)
    check_game(path, facts, network, game)
    return policy


def policy_of(game_id: str, num_players: int) -> Path:
    """Return the file of the policy that comes with the package, if there is one."""
    return TRAINED / f"{game_id}_{num_players}.npz"


def check_game(path: Path, facts: Any, network: Network, game: Game) -> None:
    """Raise ``ValueError`` unless a network is for this game and its version.

    Options may differ from those that it was trained with, as long as observations
    and actions have the same sizes.
    """
    made_for = f"{facts.get('game')} version {facts.get('version')}"
    wanted = f"{game.id} version {game.version}"
    if made_for != wanted:
        raise ValueError(f"{path} is of {made_for}; this is {wanted}")
    outputs = game.num_actions if game.discrete else len(game.action_bounds[0])
    inside = int(network.sizes[0]), int(network.sizes[-1])
    if network.rows == "moves":
        inside = inside[0] - num_features(game), outputs
    sizes = {
        "observations": (game.observation_size, inside[0]),
        "actions": (outputs, inside[1]),
    }
    for what, (here, there) in sizes.items():
        if here != there:
            raise ValueError(
                f"{path} is of a game with {there} {what}, and here are {here}: the "
                "number of players or the grid is another"
            )
    if (network.head == "categorical") != game.discrete:
        raise ValueError(
            f"{path} has a {network.head} head, but the actions of {game.id} with "
            f"these options are {'numbered' if game.discrete else 'continuous'}"
        )
