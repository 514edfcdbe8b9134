"""Opponents of every kind to test with, and learners against them."""

import numpy as np

from game_core.compiled.rng import next_bits, unit_float

TOY_BOUNDS = (-1.0, 1.0)


def lowest(view):
    return int(view.legal_actions[0])


def highest(view):
    return int(view.legal_actions[-1])


def anything(view):
    return view.sample_action()


def homing(view):
    """Walk to the goal of the toy game by the straight way."""
    return np.clip(-view.observation[:2], *TOY_BOUNDS)


class Alternating:
    """Play the lowest and the highest legal action in turn: it remembers."""

    def __init__(self):
        self.decisions = 0

    def act(self, view):
        self.decisions += 1
        return int(view.legal_actions[-(self.decisions % 2)])


class Wavering:
    """Walk one way in the toy game, then drawn ways: it remembers."""

    def __init__(self):
        self.decisions = 0

    def act(self, view):
        self.decisions += 1
        return [0.5, -0.5] if self.decisions % 2 else view.sample_action()


class BatchHighest:
    """Play the highest legal action in many games at once."""

    def act_batch(self, batch):
        return batch.masks.shape[1] - 1 - np.argmax(batch.masks[:, ::-1], axis=1)


class BatchDrawing:
    """Draw an action in one decision, play the lowest in the next."""

    def act_batch(self, batch):
        pairs = zip(batch.masks, batch.memories, strict=True)
        return np.array([self.act_one(mask, memory) for mask, memory in pairs])

    def act_one(self, mask, memory):
        legal = np.flatnonzero(mask)
        memory.numbers[0] += 1
        if memory.numbers[0] % 2:
            return legal[0]
        return legal[int(next_bits(memory)) % len(legal)]


class BatchWalking:
    """Draw ways to walk in the toy game."""

    def act_batch(self, batch):
        return np.array(
            [[2 * unit_float(m) - 1, 2 * unit_float(m) - 1] for m in batch.memories]
        )


class Cheat:
    """Play what it was told to, in many games at once."""

    def __init__(self, actions):
        self.actions = actions

    def act_batch(self, batch):
        return self.actions


POOLS = {
    "cant_stop": ["rule_of_28", "random", lowest, Alternating, BatchDrawing()],
    "azul": ["greedy", "random", highest, Alternating, BatchDrawing()],
    "toy": ["random", homing, Wavering, BatchWalking()],
}


def learner_action(game, mask, rng):
    """Return an action of a learner that sometimes plays an illegal one.

    Args:
        game: The game.
        mask: Legal actions (actions,) int8; None if actions are continuous.
        rng: Source of the draws.
    """
    if mask is None:
        return rng.uniform(-1, 1, game.action_space.shape).astype(np.float32)
    careless = rng.random() < 0.02 and not mask.all()
    return int(rng.choice(np.flatnonzero(mask == (0 if careless else 1))))
