"""Imitation: a network learns what an expert would do, before it plays itself.

The expert plays games against itself. Now and then another move is played than the one
it wants, so that the network also learns how to go on from positions that the expert
would not get into: S. Ross, G. Gordon, D. Bagnell, "A reduction of imitation learning
and structured prediction to no-regret online learning", AISTATS 2011, show why that is
needed.

A tree search says more than which action it takes: how often it tried each. The network
learns these shares, as in D. Silver et al., "Mastering the game of Go without human
knowledge", Nature 550, 2017.
"""

import itertools
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np
import torch

from baselines.training.config import Imitation
from baselines.training.listener import Grade, Listener, StoppedError
from game_core.agents.agent import View, as_agent
from game_core.agents.find import find_agent
from game_core.game import Game
from game_core.position import Position
from game_core.processes import end_with, holding_ctrl_c, outlive_ctrl_c
from game_core.registry import load_game
from game_core.streams import Purpose, derive, generator
from game_core.validation.text import error_words

__all__ = [
    "GAMES_AT_ONCE",
    "Lessons",
    "LessonsError",
    "imitate",
    "learn_from_expert",
    "lessons",
]

GAMES_AT_ONCE = 16
"""Games of which a worker returns the lessons together."""

FINAL_RATE = 0.05  # of the learning rate, at the end
BATCHES_A_GRADE = 20


class Lessons(NamedTuple):
    """What an expert decided where it had a choice, and the outcome.

    Attributes:
        observations: (n, size) float32.
        masks: Actions that are compared (n, actions) bool: the legal ones; or those
            that were tried, by an expert whose search does not know of others.
        choices: How often the expert took each action (n, actions) uint16: once the
            one it plays, or as often as its search tried them.
        returns: What the game paid the player in the end (n,) float32.
    """

    observations: np.ndarray
    masks: np.ndarray
    choices: np.ndarray
    returns: np.ndarray


class LessonsError(RuntimeError):
    """Lessons that do not go on, as the expert or its process failed, in words."""


def learn_from_expert(
    model: Any, game: Game, settings: Imitation, seed: int, listener: Listener
) -> dict[str, Any]:
    """Teach the policy of a ``MaskablePPO`` what an expert decides.

    Args:
        model: The model.
        game: The game and its options, with numbered actions.
        settings: Which expert, and how it is learned from.
        seed: The same seed gives the same lessons, in the same order.
        listener: Hears how it goes, and may stop it.

    Returns:
        How it went, as JSON has it.

    Raises:
        LessonsError: If the expert raises an error, or a process of it dies.
        StoppedError: If the listener wants to stop.
        ValueError: If there is no such expert.
    """
    began, parts, decisions = time.monotonic(), [], 0
    for part in lessons(game, settings, seed):
        parts.append(part)
        decisions += len(part.returns)
        listener.watch(min(decisions, settings.decisions), settings.decisions)
        _stop_if_asked(listener)
    watched = time.monotonic()
    teaching = Lessons(*map(np.concatenate, zip(*parts, strict=True)))
    total, grade = decisions * settings.epochs, None
    for learned, grade in imitate(model, teaching, settings, seed):
        listener.imitate(learned, total, grade)
        _stop_if_asked(listener)
    assert grade is not None
    return {
        "expert": settings.expert,
        "decisions": decisions,
        "seconds_of_expert": watched - began,
        "seconds_of_imitation": time.monotonic() - watched,
        **grade._asdict(),
    }


def _stop_if_asked(listener: Listener) -> None:
    if listener.wants_stop():
        raise StoppedError


def lessons(game: Game, settings: Imitation, seed: int) -> Iterator[Lessons]:
    """Yield what an expert decides in games that it plays against itself.

    Args:
        game: The game and its options, with numbered actions.
        settings: Which expert, and how many of its decisions at least.
        seed: Of the games. They are the same for any number of workers.

    Yields:
        The decisions of ``GAMES_AT_ONCE`` games.

    Raises:
        LessonsError: If the expert raises an error, or a process of it dies.
        ValueError: If there is no such expert.
    """
    find_agent(settings.expert, game.id)
    decisions = 0
    for part in _each_part(game, settings, seed):
        yield part
        decisions += len(part.returns)
        if decisions >= settings.decisions:
            return


def _each_part(game: Game, settings: Imitation, seed: int) -> Iterator[Lessons]:
    """Yield lessons without end, in the order of their seeds."""
    orders = (
        (game.id, dict(game.options), settings, seed, first)
        for first in itertools.count(step=GAMES_AT_ONCE)
    )
    workers = settings.workers or os.cpu_count() or 1
    if workers == 1:
        yield from itertools.starmap(play_lessons, orders)
    context = get_context("spawn")
    alive, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, _begin, (alive,))
    waiting: list[Future[Lessons]] = []
    try:
        while True:
            while len(waiting) <= 2 * workers:
                with holding_ctrl_c():  # as this starts the processes, one by one
                    waiting.append(pool.submit(play_lessons, *next(orders)))
            yield waiting.pop(0).result()
    except BrokenProcessPool:
        raise LessonsError(
            f"a process in which the expert {settings.expert!r} played died, perhaps "
            "for lack of memory; a smaller imitation.workers takes less"
        ) from None
    finally:
        ours.close()
        pool.shutdown(cancel_futures=True)
        alive.close()


def _begin(alive: Connection) -> None:
    """Let this process end at once when ``alive`` is closed, and not by Ctrl-C."""
    outlive_ctrl_c()
    end_with(alive)


def play_lessons(
    game_id: str, options: dict[str, Any], settings: Imitation, seed: int, first: int
) -> Lessons:
    """Play ``GAMES_AT_ONCE`` games of an expert against itself.

    Args:
        game_id: Id of the game.
        options: Of the game.
        settings: Which expert.
        seed: Of the training.
        first: Number of the first game.

    Raises:
        LessonsError: If the expert raises an error, or plays an illegal action.
    """
    game = load_game(game_id, **options)
    expert = find_agent(settings.expert, game_id)
    seeds = [derive(seed, Purpose.LESSONS, first + k) for k in range(GAMES_AT_ONCE)]
    try:
        parts = [_play(game, expert, settings.noise, each) for each in seeds]
    except Exception as error:
        words = " ".join(error_words(error).split())
        raise LessonsError(
            f"the expert {settings.expert!r} cannot be imitated in {game_id}: it "
            f"raised {type(error).__name__}: {words}"
        ) from error
    return Lessons(*map(np.concatenate, zip(*parts, strict=True)))


def _play(game: Game, expert: Any, noise: float, seed: int) -> Lessons:
    """Play one game, with a seed of its own, to its end."""
    agents = [as_agent(expert) for _ in range(game.num_players)]
    rngs = [generator(seed, Purpose.AGENT, seat) for seat in range(game.num_players)]
    position = Position.new(game, seed)
    seen: list[np.ndarray] = []
    masks: list[np.ndarray] = []
    choices: list[np.ndarray] = []
    seats: list[int] = []
    moves = 0
    while not position.over:
        seat = position.player
        copy_seed = derive(seed, Purpose.DETERMINIZATION, moves)
        view = View(game, seat, position.determinize(seat, copy_seed), rngs[seat])
        action, taken = decide(agents[seat], view)
        if len(view.legal_actions) > 1:
            seen.append(view.observation)
            masks.append(compared(agents[seat], view))
            choices.append(taken)
            seats.append(seat)
        position.step(disturb(action, taken, view, noise))
        moves += 1
    returns = position.rewards[seats].astype(np.float32)
    return Lessons(np.array(seen), np.array(masks), np.array(choices), returns)


def decide(agent: Any, view: View) -> tuple[int, np.ndarray]:
    """Return an agent's action, and how often it took each (actions,) uint16."""
    action = int(agent.act(view))
    taken = np.zeros(view.game.num_actions, np.uint16)
    search = getattr(agent, "search", None)
    if search is not None and len(view.legal_actions) > 1:
        for tried, visits in search.visits.items():
            taken[tried] = min(visits, np.iinfo(np.uint16).max)
    else:
        taken[action] = 1
    return action, taken


def compared(agent: Any, view: View) -> np.ndarray:
    """Return the actions that an agent has just chosen among (actions,) bool."""
    mask = view.action_mask.astype(np.bool_)
    search = getattr(agent, "search", None)
    if search is not None and not getattr(search, "knows_others", True):
        mask[:] = False
        mask[list(search.visits)] = True
    return mask


def disturb(action: int, taken: np.ndarray, view: View, noise: float) -> int:
    """Return an action; or with a chance of ``noise`` another one in its place.

    Every second one is drawn from what the expert tried, the others from all legal
    actions.
    """
    chance = view.rng.random()
    if chance >= noise:
        return action
    if chance >= noise / 2:
        return int(view.sample_action())
    return int(view.rng.choice(len(taken), p=taken / taken.sum()))


def imitate(
    model: Any, teaching: Lessons, settings: Imitation, seed: int
) -> Iterator[tuple[int, Grade]]:
    """Teach the policy of a ``MaskablePPO`` what an expert decided.

    The value network learns what the games paid in the end.

    Args:
        model: The model.
        teaching: What it is to learn.
        settings: How often and how quickly.
        seed: Of the order in which decisions are seen.

    Yields:
        Decisions learned so far, and how well it goes, after every
        ``BATCHES_A_GRADE`` batches and at the end.
    """
    policy, rng = model.policy, generator(seed, Purpose.LESSON_ORDER)
    rate, count = settings.learning_rate, len(teaching.returns)
    batches = -(-count // settings.batch_size) * settings.epochs
    optimizer = torch.optim.Adam(policy.parameters(), rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, batches, rate * FINAL_RATE
    )
    recent: list[Grade] = []
    learned = 0
    for rows in _shuffled(count, settings, rng):
        loss, grade = _loss(policy, Lessons(*(part[rows] for part in teaching)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        recent.append(grade)
        learned += len(rows)
        if len(recent) == BATCHES_A_GRADE or learned == count * settings.epochs:
            yield learned, Grade(*np.mean(recent, axis=0).tolist())
            recent.clear()


def _shuffled(
    count: int, settings: Imitation, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """Yield the rows of batches."""
    for _ in range(settings.epochs):
        order = rng.permutation(count)
        for start in range(0, count, settings.batch_size):
            yield order[start : start + settings.batch_size]


def _loss(policy: Any, teaching: Lessons) -> tuple[Any, Grade]:
    """Return the loss on a batch, and how well it was known."""
    observations = torch.as_tensor(teaching.observations)
    shares = torch.as_tensor(teaching.choices.astype(np.float32))
    shares = shares / shares.sum(1, keepdim=True)
    actor = policy.get_distribution(observations, teaching.masks).distribution
    values = policy.predict_values(observations).flatten()
    cross_entropy = -(shares * actor.logits).sum(1).mean()
    wrong = torch.nn.functional.mse_loss(values, torch.as_tensor(teaching.returns))
    least = -torch.xlogy(shares, shares).sum(1).mean()
    agree = (actor.logits.argmax(1) == shares.argmax(1)).float().mean()
    grade = Grade(cross_entropy.item(), least.item(), agree.item())
    return cross_entropy + 0.5 * wrong, grade
