"""The policies that come with the package."""

import dataclasses

import pytest

from baselines.networks.network import Network
from baselines.ppo import TRAINED, Ppo, network_of
from baselines.training.config import PRESETS, TrainConfig
from baselines.training.evaluate import score_against
from game_core import find_agent, load_game, play

pytestmark = pytest.mark.slow

WEAKER = [
    ("cant_stop", "rule_of_28", 200, 0.65),
    ("cant_stop", "glenn_aloi", 200, 0.52),
    ("azul", "greedy", 100, 0.7),
    ("azul", "planner", 100, 0.65),
    ("icecool", "random", 6, 0.6),
]
"""Game, bot, games, and a share of wins that is six standard deviations below what was
measured in 1,000 games: no false alarm in a billion runs."""


@pytest.mark.parametrize(("game_id", "bot", "games", "least"), WEAKER)
def test_they_are_stronger_than_the_bots_that_they_met(game_id, bot, games, least):
    game = load_game(game_id)
    policy = network_of(game, None, sample=False)
    assert score_against(policy, game, bot, games, seed=1).mean > least


@pytest.mark.parametrize("file", sorted(TRAINED.glob("*.npz")), ids=lambda p: p.stem)
def test_they_say_how_they_were_trained(file):
    _, facts = Network.load(file)
    config = TrainConfig.from_json(facts["config"])
    assert facts["game"] == config.game
    assert file.stem == f"{config.game}_{facts['options']['num_players']}"
    assert facts["steps"] >= config.steps
    assert facts["seconds"] > 0
    asked = dataclasses.asdict(config)
    preset = dataclasses.asdict(PRESETS[config.game])
    differs = {name for name in preset if asked[name] != preset[name]}
    assert differs <= {"options", "evaluation", "imitation"}
    assert asked["imitation"]["expert"] == preset["imitation"]["expert"]


@pytest.mark.parametrize("game_id", sorted({game for game, *_ in WEAKER}))
def test_they_play_as_agents_without_torch(game_id):
    game = load_game(game_id)
    log = play(game, [Ppo, find_agent("random", game_id)], seed=3)
    assert log.ended == "terminated"
    assert log.rewards[0] > 0
