"""Monte Carlo tree search over the rules of any game, as compiled code.

Each simulation goes from the root down the tree, adds one node to it, plays the game
on by a policy, and counts the outcome for every seat along its path. It is open
loop: the root gets a new random stream, and what its player cannot see is dealt anew,
for every simulation, and a node stands for all positions that the actions above it can
lead to. Children are told apart by their action and by who plays it, so that a turn
that passes on and one that does not never mix. As positions of a node allow different
actions, a child is weighed against how often it could have been chosen: P. Cowling,
E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE T-CIAIG 4(2),
2012. Each player maximises its own entry of the value vector (max^n).

Bound to a game (``game_core.compiled.binding``), the names below that are not of this
file are the rules of the game and these:

- ``choose(state, memory)``: the policy that plays on from a new node;
- ``is_cut(state, root)``: whether a simulation ends here, though the game goes on;
- ``evaluate(state, out)``: writes what such a position, or the end of the game, is
  worth to each seat (players,), about -1 to 1;
- ``pick(tree, node, state, memory)``: ``pick_numbered`` or ``pick_widening``.
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from game_core.compiled.jit import jit
from game_core.compiled.rng import below, next_bits, seed_stream, unit_float
from game_core.compiled.rules import Rule

__all__ = [
    "LONGEST_PATH",
    "NODE",
    "NONE",
    "ROOT",
    "SETTINGS",
    "SIMULATE",
    "Tree",
    "any_action",
    "is_end",
    "move_subtree",
    "never",
    "pick_numbered",
    "pick_widening",
    "play_on",
]

if TYPE_CHECKING:  # names that mean something once bound
    legal_actions = is_legal = step = resample_hidden = cast(Rule, None)
    choose = is_cut = evaluate = pick = propose = cast(Rule, None)

NONE = -1
ROOT = 0

LONGEST_PATH = 1000
"""Decisions that a simulation makes in the tree, at most."""

NODE = np.dtype(
    (
        np.record,
        [
            ("player", np.int64),  # who plays the action that leads here
            ("first", np.int64),  # the newest child, or NONE
            ("next", np.int64),  # the sibling that is older, or NONE
            ("visits", np.int64),  # simulations that came through
            ("available", np.int64),  # and those that could have
        ],
    )
)

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("exploration", np.float64),  # weight of what is little known
            ("widening", np.float64),  # continuous: children of a node visited once
            ("growth", np.float64),  # and the power of its visits that they grow by
            ("longest", np.int64),  # decisions of the policy, at most
        ],
    )
)


class Tree(NamedTuple):
    """A search tree; row 0 is the root.

    Attributes:
        nodes: (capacity,) records of ``NODE``.
        values: (capacity, players) float64, sums over the visits.
        actions: (capacity,) int64 or (capacity, k) float32, that lead to each node.
        size: (1,) int64, how many nodes there are.
        mask: (actions,) int8 for the legal actions of a position; empty if they are
            continuous.
        path: (``LONGEST_PATH`` + 1,) int64, the nodes of a simulation.
        settings: (1,) record of ``SETTINGS``.
    """

    nodes: np.ndarray
    values: np.ndarray
    actions: np.ndarray
    size: np.ndarray
    mask: np.ndarray
    path: np.ndarray
    settings: np.ndarray


def simulate(
    tree: Any, root: Any, scratch: Any, memory: Any, out: Any, count: int
) -> None:
    """Run simulations from a position.

    Args:
        tree: The tree, which grows.
        root: (1,) record, the position.
        scratch: (1,) record, overwritten.
        memory: Record of ``game_core.agents.policy.MEMORY``: the source of all chance.
        out: (players,) float64, overwritten.
        count: How many.
    """
    for _ in range(count):
        scratch[0] = root[0]
        state = scratch[0]
        seed_stream(state, next_bits(memory))
        resample_hidden(state, root[0].player)
        length = descend(tree, state, root[0], memory)
        play_on(state, root[0], memory, tree.settings[0].longest)
        out[:] = 0.0
        evaluate(state, out)
        back_up(tree, length, out)


def descend(tree: Any, state: Any, root: Any, memory: Any) -> int:
    """Play down to a new node, or to an end; return the length of the path."""
    node, length = ROOT, 1
    tree.path[0] = ROOT
    while length <= LONGEST_PATH and not is_end(state, root):
        child = pick(tree, node, state, memory)
        if child == NONE:  # the tree is full
            break
        step(state, tree.actions[child])
        tree.path[length] = child
        length += 1
        if tree.nodes[child].visits == 0:
            break
        node = child
    return length


def is_end(state: Any, root: Any) -> bool:
    """Tell whether a simulation ends in a position."""
    return state.terminated or state.truncated or is_cut(state, root)


def play_on(state: Any, root: Any, memory: Any, longest: int) -> None:
    """Let the policy play for all seats until the simulation ends."""
    memory.numbers[:] = 0.0
    for _ in range(longest):
        if is_end(state, root):
            break
        step(state, choose(state, memory))


@jit
def back_up(tree: Any, length: int, out: np.ndarray) -> None:
    """Count a visit of every node on the path, and what it came to."""
    for k in range(length):
        node = tree.path[k]
        tree.nodes[node].visits += 1
        for seat in range(len(out)):
            tree.values[node, seat] += out[seat]


def pick_numbered(tree: Any, node: int, state: Any, memory: Any) -> int:
    """Return the child to go to, which may be new, where actions are numbered.

    An action that was never tried counts as one tried once with the mean of its node.
    The first to be tried is the policy's, any other is drawn.
    """
    player, mask = state.player, tree.mask
    mask[:] = 0
    legal_actions(state, mask)
    best, most, tried = NONE, -np.inf, 0
    child = tree.nodes[node].first
    while child != NONE:
        entry = tree.nodes[child]
        if entry.player == player and mask[tree.actions[child]] != 0:
            mask[tree.actions[child]] = 0
            tried += 1
            entry.available += 1
            score = urgency(tree, child, player)
            if score > most:
                best, most = child, score
        child = entry.next
    untried = mask.sum()
    if untried == 0 or (tried > 0 and most >= urgency_of_new(tree, node, player)):
        return best
    action = choose(state, memory) if tried == 0 else draw(mask, untried, memory)
    child = add_child(tree, node, player)
    if child == NONE:
        return best
    tree.actions[child] = action
    return child


def pick_widening(tree: Any, node: int, state: Any, memory: Any) -> int:
    """Return the child to go to, which may be new, where actions are continuous.

    A node that was visited n times has up to ``widening`` * n ** ``growth`` children of
    a player: R. Coulom, "Computing Elo ratings of move patterns", ICGA Journal 30(4),
    2007; A. Couetoux et al., "Continuous upper confidence trees", LION 2011.
    """
    player, settings = state.player, tree.settings[0]
    best, most, tried = NONE, -np.inf, 0
    child = tree.nodes[node].first
    while child != NONE:
        entry = tree.nodes[child]
        if entry.player == player:
            tried += 1
            entry.available += 1
            score = urgency(tree, child, player)
            if score > most:
                best, most = child, score
        child = entry.next
    visits = tree.nodes[node].visits + 1
    if tried >= math.ceil(settings.widening * visits**settings.growth):
        return best
    child = add_child(tree, node, player)
    if child == NONE:
        return best
    propose(state, tried, memory, tree.actions[child])
    return child


@jit
def urgency(tree: Any, child: int, player: int) -> float:
    """Return the upper confidence bound of a child for the player who chooses.

    P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of the multiarmed bandit
    problem", Machine Learning 47, 2002.
    """
    entry = tree.nodes[child]
    mean = tree.values[child, player] / entry.visits
    unknown = math.sqrt(math.log(entry.available) / entry.visits)
    return mean + tree.settings[0].exploration * unknown


@jit
def urgency_of_new(tree: Any, node: int, player: int) -> float:
    """Return the same for an action that was never tried."""
    visits = max(1, tree.nodes[node].visits)
    mean = tree.values[node, player] / visits
    return mean + tree.settings[0].exploration * math.sqrt(math.log(visits + 1.0))


@jit
def draw(mask: np.ndarray, count: int, memory: Any) -> int:
    """Draw one of the ``count`` actions that a mask still has."""
    skip = below(memory, count)
    action = 0
    while mask[action] == 0 or skip > 0:
        skip -= mask[action]
        action += 1
    return action


@jit
def add_child(tree: Any, node: int, player: int) -> int:
    """Return a new child, whose action is still to be set; NONE if there is no room."""
    child = tree.size[0]
    if child == len(tree.nodes):
        return NONE
    tree.size[0] += 1
    entry = tree.nodes[child]
    entry.player, entry.first, entry.visits, entry.available = player, NONE, 0, 1
    entry.next = tree.nodes[node].first
    tree.nodes[node].first = child
    tree.values[child] = 0.0
    return child


@jit
def never(state: Any, root: Any) -> bool:
    """``is_cut`` for simulations that play every game to its end."""
    return False


@jit
def any_action(state: Any, tried: int, memory: Any, action: Any) -> None:
    """``propose`` any action from -1 to 1, each as likely."""
    for k in range(len(action)):
        action[k] = 2.0 * unit_float(memory) - 1.0


@jit
def no_action(state: Any, tried: int, memory: Any, action: Any) -> None:
    """``propose`` where actions are numbered."""


@jit
def move_subtree(tree: Any, node: int, other: Any) -> None:
    """Copy a node and all below it into an empty tree, where it becomes the root."""
    sources = np.empty(len(other.nodes), np.int64)
    sources[ROOT] = node
    copy_node(tree, node, other, ROOT)
    count, parent = 1, 0
    while parent < count:
        child = tree.nodes[sources[parent]].first
        while child != NONE and count < len(other.nodes):
            copy_node(tree, child, other, count)
            other.nodes[count].next = other.nodes[parent].first
            other.nodes[parent].first = count
            sources[count] = child
            count += 1
            child = tree.nodes[child].next
        parent += 1
    other.size[0] = count


@jit
def copy_node(tree: Any, node: int, other: Any, place: int) -> None:
    """Copy what a node has counted; it has no children yet in the other tree."""
    other.nodes[place] = tree.nodes[node]
    other.nodes[place].first = other.nodes[place].next = NONE
    other.values[place] = tree.values[node]
    other.actions[place] = tree.actions[node]


SIMULATE = (is_end, play_on, descend, simulate)
"""The functions to bind, in this order; ``pick`` stands before ``descend``."""
