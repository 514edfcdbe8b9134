"""How strong a policy is, in a batch of games against one bot."""

from typing import Any, NamedTuple

import numpy as np

from game_core.agents.agent import Batch, BatchAgent
from game_core.agents.policy import new_memories, start_streams
from game_core.envs.seat_games import SeatGames
from game_core.game import Game
from game_core.registry import load_game

__all__ = ["Score", "score_against", "score_in_task"]

NORMAL_95 = 1.96


class Score(NamedTuple):
    """The part of games that was won.

    Attributes:
        mean: From 0 to 1; ties and games cut short count for a part.
        error: Half the width of its 95 % interval, over sets of games that have the
            seed in common.
    """

    mean: float
    error: float


def score_against(
    agent: BatchAgent, game: Game, opponent: Any, games: int, seed: int = 0
) -> Score:
    """Return how an agent does against an opponent, at each seat with the same seeds.

    Args:
        agent: The agent.
        game: The game; what counts is who wins, whatever its option ``reward``.
        opponent: An agent, which plays all other seats.
        games: How many, rounded up to the same number at each seat.
        seed: Of the first game; the others follow.
    """
    game = load_game(game.id, **{**game.options, "reward": "win"})
    sets = -(-games // game.num_players)
    seeds = np.arange(seed, seed + sets, dtype=np.uint64)
    rewards = [
        _play(agent, SeatGames(game, sets, opponent, int(seat)), seeds)
        for seat in game.seats
    ]
    n = game.num_players
    shares = (np.mean(rewards, axis=0) * (n - 1) + 1) / n
    error = NORMAL_95 * shares.std(ddof=1) / np.sqrt(sets) if sets > 1 else 0.5
    return Score(float(shares.mean()), float(error))


def score_in_task(agent: BatchAgent, games: SeatGames, seed: int = 0) -> Score:
    """Return how often an agent does a task, once in each of several games.

    Args:
        agent: The agent.
        games: The games of the task, which pay 1 where it is done.
        seed: Of the first game; the others follow.
    """
    count = games.num_envs
    done = _play(agent, games, np.arange(seed, seed + count, dtype=np.uint64))
    error = NORMAL_95 * done.std(ddof=1) / np.sqrt(count) if count > 1 else 0.5
    return Score(float(done.mean()), float(error))


def _play(agent: BatchAgent, games: SeatGames, seeds: np.ndarray) -> np.ndarray:
    """Play one game for each seed; return the rewards (n,)."""
    game = games.game
    games.reset(np.arange(len(seeds)), seeds)
    memories = new_memories(game, len(seeds), 1)
    start_streams(memories, seeds)
    memories = memories[:, 0].copy()
    rewards = np.zeros(len(seeds))
    actions = np.repeat(game.blank_action, len(seeds), axis=0)
    while not games.over.all():
        rows = np.flatnonzero(~games.over)
        states = games.states[rows]
        masks = game.action_masks(states) if game.discrete else np.zeros((len(rows), 0))
        observations = game.observations(states, games.seats[rows])
        batch = Batch(game, observations, masks, memories[rows])
        actions[rows] = agent.act_batch(batch)
        memories[rows] = batch.memories
        rewards += games.step(actions).rewards
    return rewards
