"""Policies: batches of games that go as the games of agents do."""

import numpy as np
import pytest

from baselines import random
from game_core import find_agent, load_game, play
from game_core.agents.find import find_policy
from game_core.agents.policy import MEMORY, bind_policy, new_memories, play_policies
from game_core.compiled.jit import jit
from tests.core import toy


@jit
def first_choice(state, memory):
    """Play the lowest legal action of Can't Stop; stop after two rolls of a turn."""
    if state.choosing:
        memory.numbers[0] += 1
        best = state.choices[0]
        for k in range(state.num_choices):
            best = min(best, state.choices[k])
        return best
    if memory.numbers[0] >= 2:
        memory.numbers[0] = 0
        return 78
    return 77


class FirstChoice:
    """The same as an agent."""

    def __init__(self):
        self.memory = np.zeros(1, MEMORY)[0]

    def act(self, view):
        """Play."""
        return int(first_choice(view.state, self.memory))


@jit
def illegal(state, memory):
    """Never play what is legal."""
    return -1


@pytest.mark.nojit
@pytest.mark.parametrize("num_players", [1, 2, 4])
def test_games_go_as_those_of_the_agents(num_players):
    game = load_game("cant_stop", num_players=num_players, max_turns=60)
    seeds = np.arange(5, dtype=np.uint64)
    seating = np.zeros((5, num_players), np.int64)
    played = play_policies(game, [first_choice], seating, seeds)
    for row, seed in enumerate(seeds):
        log = play(game, [FirstChoice] * num_players, int(seed))
        assert played.rewards[row].tolist() == list(log.rewards)
        assert played.decisions[row].sum() == len(log.actions)
        assert played.states[row].truncated == (log.ended == "truncated")


def test_seats_are_those_of_the_seating():
    game = load_game("cant_stop")
    agents = [FirstChoice, find_agent("rule_of_28", "cant_stop")]
    policies = [first_choice, find_policy("rule_of_28", "cant_stop")]
    seating = np.array([[0, 1], [1, 0], [1, 1]])
    played = play_policies(game, policies, seating, np.array([7, 7, 8], np.uint64))
    for row, seed in enumerate((7, 7, 8)):
        log = play(game, [agents[number] for number in seating[row]], seed)
        assert played.rewards[row].tolist() == list(log.rewards)


def test_no_game_depends_on_those_beside_it():
    game, policy = load_game("azul"), find_policy("random", "azul")
    seeds = np.arange(20, dtype=np.uint64)
    seating = np.zeros((20, 2), np.int64)
    together = play_policies(game, [policy], seating, seeds).states
    for row in (0, 13, 19):
        part = slice(row, row + 1)
        alone = play_policies(game, [policy], seating[part], seeds[part]).states
        assert alone.tobytes() == together[part].tobytes()


@pytest.mark.nojit
def test_an_illegal_action_is_told():
    game = load_game("cant_stop")
    with pytest.raises(RuntimeError, match=r"policy .*illegal.* is illegal for seat"):
        play_policies(
            game, [illegal], np.zeros((1, 2), np.int64), np.ones(1, np.uint64)
        )


def test_the_random_policy_draws_each_legal_action_as_often():
    """Of 24,000 draws a count is off by 10 % once in 40 million (5.5 deviations)."""
    game = load_game("azul", starting_player=0)
    choose = bind_policy(game, random.choose)
    states = game.new_states(np.array([1], np.uint64))
    memory = new_memories(game, 1)[0]
    legal = np.flatnonzero(game.action_masks(states)[0])
    draws = 3000 * len(legal)
    counts = np.zeros(game.num_actions)
    for _ in range(draws):
        counts[choose(states[0], memory)] += 1
    assert counts.sum() == counts[legal].sum() == draws
    assert abs(counts[legal] / 3000 - 1).max() < 0.1


def test_the_random_policy_draws_vectors_within_the_bounds():
    game = toy.make_game()
    choose = bind_policy(game, random.choose_vector)
    memory = new_memories(game, 1)[0]
    states = game.new_states(np.array([1], np.uint64))
    actions = np.array([choose(states[0], memory) for _ in range(2000)])
    assert actions.shape == (2000, 2)
    assert actions.dtype == np.float32
    assert actions.min() < -0.98
    assert actions.max() > 0.98
    assert np.abs(actions).max() <= 1


def test_seats_and_games_have_streams_of_their_own():
    game, policy = load_game("cant_stop", num_players=4), random.choose
    seating = np.zeros((50, 4), np.int64)
    played = play_policies(game, [policy], seating, np.arange(50, dtype=np.uint64))
    assert len({state.tobytes() for state in played.states}) == 50


def test_a_policy_is_bound_once():
    game = load_game("cant_stop")
    assert bind_policy(game, random.choose) is bind_policy(game, random.choose)
    assert bind_policy(game, first_choice) is first_choice
