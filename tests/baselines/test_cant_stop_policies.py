"""Policies of Can't Stop: compiled, they play what the agents of their name play."""

import numpy as np
import pytest

from game_core import find_agent, load_game
from game_core.agents.find import find_policy
from game_core.agents.play import play
from game_core.agents.policy import new_memories, play_policies
from game_core.position import Position
from tests.games import PLAYER_COUNTS, VARIANTS

POLICIES = ("fifty_percent", "glenn_aloi", "rule_of_28", "turn_optimal")


def actions_of_policy(game, choose, seed: int) -> tuple[int, ...]:
    """Return the actions of a game in which a policy has all seats."""
    position = Position.new(game, seed)
    memories = new_memories(game, game.num_players)
    actions = []
    while not position.over:
        action = int(choose(position.state, memories[position.player]))
        position.step(action)
        actions.append(action)
    return tuple(actions)


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
@pytest.mark.parametrize("occupied", VARIANTS)
@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_plays_as_its_agent_does(name, occupied, num_players):
    # The agent sees another random stream than the policy: neither may depend on it.
    game = load_game("cant_stop", num_players=num_players, occupied=occupied)
    agents = [find_agent(name, "cant_stop")] * num_players
    for seed in range(2):
        log = play(game, agents, seed)
        assert log.ended == "terminated"
        policy = find_policy(name, "cant_stop")
        assert actions_of_policy(game, policy, seed) == log.actions


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_changes_nothing_in_the_position(name):
    game = load_game("cant_stop")
    position = Position.new(game, 3)
    before = position.states.tobytes()
    memory = new_memories(game, 1)[0]
    find_policy(name, "cant_stop")(position.state, memory)
    assert position.states.tobytes() == before


def test_the_same_seeds_give_the_same_games():
    game = load_game("cant_stop", num_players=4)
    policies = [find_policy(name, "cant_stop") for name in POLICIES]
    seeds = np.arange(4, dtype=np.uint64)
    seating = np.array([np.roll(range(4), seat) for seat in range(4)])
    first, again = (play_policies(game, policies, seating, seeds) for _ in range(2))
    assert first.states.tobytes() == again.states.tobytes()
    assert (first.decisions == again.decisions).all()
