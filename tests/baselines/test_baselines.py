"""What holds for every agent that comes with the package."""

import pytest

from game_core import find_agent, load_game, play
from game_core.agents.find import agent_names
from tests.games import PLAYER_COUNTS, VARIANTS

BRIEFLY = {"mcts": "mcts(simulations=20)"}
NAMES = sorted(set(agent_names("cant_stop")) - {"ppo"})  # which has its own tests
AGENTS = [BRIEFLY.get(name, name) for name in NAMES]


def test_the_agents_are_found():
    assert {"random", "rule_of_28", "fifty_percent", "mcts"} <= set(NAMES)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
@pytest.mark.parametrize("occupied", VARIANTS)
def test_whole_games_without_an_illegal_action(agent, num_players, occupied):
    # An illegal action would be raised. The cap is far above what games take, except
    # those of random, of which some are long.
    game = load_game("cant_stop", num_players=num_players, occupied=occupied)
    for seed in range(3):
        log = play(game, [find_agent(agent, "cant_stop")] * num_players, seed)
        assert log.ended == "terminated" or agent == "random"
        assert abs(sum(log.rewards)) < 1e-12 or num_players == 1


@pytest.mark.parametrize("agent", AGENTS)
def test_the_same_seed_gives_the_same_game(agent):
    game = load_game("cant_stop", columns_to_win=2)
    agents = [find_agent(agent, "cant_stop")] * 2
    assert play(game, agents, 7) == play(game, agents, 7)
