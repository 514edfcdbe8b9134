"""``Search``: Monte Carlo tree search for one player of one game, move after move.

The tree itself, and what is compiled, is in ``baselines/search/tree.py``.
"""

import dataclasses
import functools
import math
import time
from typing import Any

import numpy as np

from baselines import random
from baselines.search import tree
from baselines.search.tree import LONGEST_PATH, NODE, NONE, ROOT, SETTINGS, Tree
from game_core.agents.agent import View, draw_seed
from game_core.agents.policy import bind_policy, new_memories
from game_core.compiled.record import copy_records
from game_core.game import Game
from game_core.validation import options

__all__ = ["Budget", "Hooks", "Search", "positive_number"]

MAX_NODES = 1 << 19
"""Nodes of a tree, at most; from then on it grows no more."""

FIRST_CHUNK, SECONDS_A_CHUNK = 8, 0.01
"""Simulations before the clock is looked at first, and how often it is then."""

MAX_SIMULATIONS = 10**9

MAX_STEPS = 2000
"""Actions that are played to find a position in the tree of the move before."""


@dataclasses.dataclass(frozen=True)
class Hooks:
    """What a search knows of a game beside its rules.

    Each function is decorated with ``@jit``, and described in
    ``baselines/search/tree.py``; None stands for what works in every game.

    Attributes:
        choose: The policy that plays on from a new node; None for random play.
        is_cut: Where simulations end; None for the end of the game.
        evaluate: What they come to; None for the rewards of the game.
        propose: Writes a continuous action; None for any.
        longest: Decisions of the policy in a simulation, at most.
        exploration: Weight of what is little known against what went well: the more
            alike the values of good and bad actions are, the less.
        simulations: How many for a move, unless it is said.
    """

    choose: Any = None
    is_cut: Any = None
    evaluate: Any = None
    propose: Any = None
    longest: int = 10_000
    exploration: float = 1.0
    simulations: int = 1000


@dataclasses.dataclass(frozen=True)
class Budget:
    """How long a search may take: as many simulations, or as many seconds.

    Attributes:
        simulations: How many; the same seed then gives the same move.
        seconds: How long, instead; None for no time limit.
    """

    simulations: int
    seconds: float | None = None

    def __post_init__(self) -> None:
        options.whole_number("simulations", self.simulations, 1, MAX_SIMULATIONS)
        if self.seconds is not None:
            positive_number("seconds", self.seconds, or_else="None")


def positive_number(name: str, value: Any, or_else: str = "") -> float:
    """Return a setting that is a number above 0.

    Raises:
        ValueError: If it is anything else.
    """
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 < value < math.inf:
        allowed = f"{or_else} or a number above 0" if or_else else "a number above 0"
        raise ValueError(f"{name}={value!r} is not allowed; give {allowed}")
    return float(value)


class Search:
    """A search tree for the moves of one seat, one after the other.

    Attributes:
        simulations: How many the last search ran.
        seconds: How long it took.
        reused: How many visits of its root stem from the searches before.
    """

    def __init__(self, game: Game, hooks: Hooks, budget: Budget, **weights: float):
        self.game = game
        self.hooks = hooks
        self.budget = budget
        self.simulations, self.seconds, self.reused = 0, 0.0, 0
        self._settings = np.zeros(1, SETTINGS)
        for name, value in {**weights, "longest": hooks.longest}.items():
            self._settings[name] = value
        self._simulate = bound(game, hooks)
        self._memory = new_memories(game, 1)[0]
        self._scratch = game.template.copy()
        self._out = np.zeros(game.num_players)
        self._tree = self._new_tree()
        self._root: np.ndarray | None = None  # the position that it belongs to
        self._played: Any = None

    @property
    def simulations_per_second(self) -> float:
        """Of the last search."""
        return self.simulations / max(self.seconds, 1e-9)

    @property
    def visits(self) -> dict[Any, int]:
        """Simulations through each action at the root, the most first."""
        children = sorted(self._children(), key=lambda c: -self._tree.nodes[c].visits)
        return {
            self._action(child): int(self._tree.nodes[child].visits)
            for child in children
        }

    def best_action(self, view: View) -> Any:
        """Search from a view and return the action that was visited most.

        Of those visited as often it is the one of the higher value.
        """
        began = time.perf_counter()
        root = view.position.states
        self._move_root(root)
        self._memory.rng = draw_seed(view.rng)
        self._run(began)
        self.seconds = time.perf_counter() - began
        tree, player = self._tree, root["player"][0]
        best = max(
            self._children(),
            key=lambda c: (tree.nodes[c].visits, tree.values[c, player]),
        )
        self._played = self._action(best)
        return self._played

    def _run(self, began: float) -> None:
        """Run simulations until the budget is used up, one at least."""
        limit, chunk, self.simulations = self.budget.seconds, FIRST_CHUNK, 0
        while True:
            if limit is None:
                chunk = self.budget.simulations - self.simulations
            self._simulate(
                self._tree, self._root, self._scratch, self._memory, self._out, chunk
            )
            self.simulations += chunk
            spent = time.perf_counter() - began
            if limit is None or spent >= limit:
                return
            speed = self.simulations / spent
            chunk = max(1, int(speed * min(SECONDS_A_CHUNK, limit - spent)))

    def _move_root(self, root: np.ndarray) -> None:
        """Take over the part of the tree that stands for ``root``, or begin anew."""
        node = NONE if self._root is None else self._find(root)
        new = self._new_tree()
        if node != NONE:
            tree.move_subtree(self._tree, node, new)
        self._tree, self._root = new, root
        self.reused = int(new.nodes[ROOT].visits)

    def _find(self, root: np.ndarray) -> int:
        """Return the node that stands for a position, or NONE.

        It is sought by playing, on the old position, the action that was returned and
        then what the tree has tried for the other players; and found where all agrees
        but the random stream. Chance or hidden things in between therefore mean NONE.
        """
        assert self._root is not None
        first = [c for c in self._children() if self._is_played(c)]
        trail = [(child, self._root) for child in first]
        step_all = self.game.loops.step_all
        for _ in range(MAX_STEPS):
            if not trail:
                break
            node, states = trail.pop()
            states = copy_records(states)
            if step_all(states, self._tree.actions[node : node + 1]) >= 0:
                continue
            if states["player"][0] == root["player"][0]:
                states["rng"] = root["rng"]
                if states.tobytes() == root.tobytes():
                    return node
            elif not (states["terminated"][0] or states["truncated"][0]):
                trail += [(c, states) for c in self._children(node, states)]
        return NONE

    def _is_played(self, child: int) -> bool:
        return bool(np.array_equal(self._tree.actions[child], self._played))

    def _children(
        self, node: int = ROOT, states: np.ndarray | None = None
    ) -> list[int]:
        """Return the children of a node that its player can have chosen."""
        states = self._root if states is None else states
        assert states is not None
        nodes: Any = self._tree.nodes
        player, children = states["player"][0], []
        child = nodes[node].first
        while child != NONE:
            if nodes[child].player == player and nodes[child].visits > 0:
                children.append(int(child))
            child = nodes[child].next
        return children

    def _action(self, child: int) -> Any:
        action = self._tree.actions[child]
        return int(action) if self.game.discrete else tuple(map(float, action))

    def _new_tree(self) -> Tree:
        """Return a tree with a root that was never visited."""
        game, budget = self.game, self.budget
        capacity = MAX_NODES
        if budget.seconds is None:
            capacity = min(capacity, 2 * budget.simulations + 1)
        shape = () if game.discrete else game.action_bounds[0].shape
        new = Tree(
            nodes=np.zeros(capacity, NODE),
            values=np.zeros((capacity, game.num_players)),
            actions=np.zeros((capacity, *shape), game.blank_action.dtype),
            size=np.ones(1, np.int64),
            mask=np.zeros(game.num_actions if game.discrete else 0, np.int8),
            path=np.zeros(LONGEST_PATH + 1, np.int64),
            settings=self._settings,
        )
        new.nodes[ROOT].first = NONE
        return new


@functools.lru_cache(maxsize=64)
def bound(game: Game, hooks: Hooks) -> Any:
    """Return ``simulate`` for a game and what is known of it."""
    rules = game.loops.binding
    play_randomly = random.choose if game.discrete else random.choose_vector
    names = {
        "is_cut": hooks.is_cut or tree.never,
        "evaluate": hooks.evaluate or rules.names["rewards"],
        "propose": hooks.propose or tree.any_action,
        "choose": bind_policy(game, hooks.choose or play_randomly),
    }
    binding = rules.extend(**names)
    picking = tree.pick_numbered if game.discrete else tree.pick_widening
    (pick,) = binding.bind([picking])
    return binding.extend(pick=pick).bind(tree.SIMULATE)[-1]
