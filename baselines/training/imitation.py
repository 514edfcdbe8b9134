"""Imitation: a network learns first what an expert would do, before it plays itself.

Games are played by the expert, now and then disturbed by a random move so that the
network also learns how to go on from bad positions: S. Ross, G. Gordon, D. Bagnell,
"A reduction of imitation learning and structured prediction to no-regret online
learning", AISTATS 2011, describe why that is needed.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from game_core import batch
from game_core.game import Game
from game_core.policy import bind_policy, new_memories, start_streams
from game_core.registry import find_policy
from game_core.rng import seed_stream
from game_core.verbs import Verb

if TYPE_CHECKING:  # a name that means something once bound
    choose = cast(Verb, None)

NOISE = 0.1
"""Share of decisions in which a random move is played instead of the expert's."""

GAMES_AT_ONCE = 512


class Lessons(NamedTuple):
    """What an expert decided, and what came of it.

    Attributes:
        observations: (n, size) float32.
        masks: Legal actions (n, actions) bool.
        actions: The expert's (n,) int64.
        returns: What the game paid the player in the end (n,) float32.
    """

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    returns: np.ndarray


def choose_all(states: Any, memories: Any, actions: Any) -> None:
    """Write what the expert would do in every game that is not over."""
    for i in range(len(states)):
        state = states[i]
        if not (state.terminated or state.truncated):
            actions[i] = choose(state, memories[i, state.player])


def lessons(
    game: Game, expert: str, games: int, seed: int = 0, noise: float = NOISE
) -> Iterator[Lessons]:
    """Yield what an expert decides in games that it plays against itself.

    Args:
        game: The game and its options, with numbered actions.
        expert: The name of a baseline that is a compiled policy.
        games: How many games, rounded up.
        seed: Of the first game.
        noise: Share of decisions in which a random move is played instead.

    Yields:
        The decisions of ``GAMES_AT_ONCE`` games.

    Raises:
        ValueError: If the expert is no policy.
    """
    policy = find_policy(expert, game.id)
    if policy is None:
        raise ValueError(f"{expert!r} has no compiled policy to learn from")
    bound = game.loops.binding.extend(choose=bind_policy(game, policy))
    (choices,) = bound.bind([choose_all])
    for first in range(0, games, GAMES_AT_ONCE):
        seeds = np.arange(GAMES_AT_ONCE, dtype=np.uint64) + np.uint64(seed + first)
        yield _play(game, choices, seeds, noise)


def _play(game: Game, choices: Any, seeds: np.ndarray, noise: float) -> Lessons:
    """Play games to their end and return all decisions of them."""
    states = game.new_states(seeds)
    memories = new_memories(game, len(seeds), game.num_players)
    start_streams(memories, seeds)
    stream = new_memories(game, 1)
    seed_stream(stream[0], seeds[0])
    rng = np.random.default_rng(int(seeds[0]))
    actions = np.zeros(len(seeds), np.int64)
    others = np.zeros(len(seeds), np.int64)
    parts: list[tuple[np.ndarray, ...]] = []
    while True:
        going = np.flatnonzero(~(states["terminated"] | states["truncated"]))
        if not len(going):
            break
        movers = states["player"].astype(np.int64)
        masks = game.action_masks(states)
        choices(states, memories, actions)
        seen = game.observations(states[going], movers[going])
        parts.append((seen, masks[going], actions[going], going, movers[going]))
        batch.sample_all(masks, stream, others)
        played = np.where(rng.random(len(seeds)) < noise, others, actions)
        game.loops.play_all(states, played)
    payoffs = game.payoffs(states)
    seen, masks, decided, games, seats = map(np.concatenate, zip(*parts, strict=True))
    returns = payoffs[games, seats].astype(np.float32)
    return Lessons(seen, masks.astype(np.bool_), decided, returns)


def imitate(
    model: Any, teaching: Lessons, epochs: int, learning_rate: float, seed: int
) -> Iterator[tuple[float, float]]:
    """Teach the policy of a ``MaskablePPO`` what an expert decided.

    The value network learns what the games paid in the end.

    Args:
        model: The model.
        teaching: What it is to learn.
        epochs: How often it sees each decision.
        learning_rate: Of Adam; it falls to a tenth by a half cosine.
        seed: Of the order in which decisions are seen.

    Yields:
        After every 100 batches: the cross entropy, and the share of decisions that
        agree with the expert's.
    """
    import torch

    policy, rng = model.policy, np.random.default_rng(seed)
    size = 2048
    steps = epochs * (len(teaching.actions) // size)
    optimizer = torch.optim.Adam(policy.parameters(), learning_rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, max(1, steps), learning_rate / 10
    )
    recent: list[tuple[float, float]] = []
    for _ in range(epochs):
        order = rng.permutation(len(teaching.actions))
        for start in range(0, len(order) - size + 1, size):
            rows = order[start : start + size]
            seen, masks, decided, returns = (part[rows] for part in teaching)
            actions = torch.as_tensor(decided)
            values, log_prob, _ = policy.evaluate_actions(
                torch.as_tensor(seen), actions, masks
            )
            loss = -log_prob.mean()
            value_loss = torch.nn.functional.mse_loss(
                values.flatten(), torch.as_tensor(returns)
            )
            optimizer.zero_grad()
            (loss + 0.5 * value_loss).backward()
            optimizer.step()
            schedule.step()
            agree = (log_prob > np.log(0.5)).float().mean()
            recent.append((loss.item(), agree.item()))
            if len(recent) == 100:
                yield tuple(np.mean(recent, axis=0))
                recent.clear()
