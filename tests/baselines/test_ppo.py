"""Trained policies as agents: what they need, and what they refuse."""

import itertools
import os

import numpy as np
import pytest

from baselines.networks.network import Network
from baselines.ppo import Ppo, policy_of
from game_core import find_agent, load_game, play
from game_core.agents.agent import Batch
from game_core.agents.policy import new_memories
from game_core.envs.seat_games import SeatGames
from tests.games import chi_square, chi_square_limit

HIDDEN = 16
ALL_GAMES = ("cant_stop", "azul", "icecool")


def network_for(game, seed=0, **changes) -> Network:
    """Return an untrained network with small random weights."""
    rng = np.random.default_rng(seed)
    outputs = game.num_actions if game.discrete else len(game.action_bounds[0])
    sizes = [game.observation_size, HIDDEN, outputs]
    layers = tuple(
        (rng.normal(0, 0.5, (a, b)).astype(np.float32), np.zeros(b, np.float32))
        for a, b in itertools.pairwise(sizes)
    )
    if not game.discrete:
        changes = {
            "head": "gaussian",
            "log_std": np.zeros(outputs, np.float32),
            **changes,
        }
    return Network(layers, **changes)


def facts_of(game) -> dict:
    return {"game": game.id, "version": game.version}


@pytest.fixture
def file(tmp_path):
    """Return a function that writes the policy of a game to a file."""

    def write(game, **changes):
        path = tmp_path / f"{game.id}.npz"
        network_for(game, **changes).save(path, facts_of(game))
        return path

    return write


def batch_of(game, seeds: int) -> Batch:
    states = game.new_states(np.arange(seeds, dtype=np.uint64))
    seats = states["player"].astype(np.int64)
    memories = new_memories(game, seeds)
    memories["rng"] = np.arange(seeds)
    return Batch(
        game, game.observations(states, seats), game.action_masks(states), memories
    )


def test_a_network_is_a_multilayer_perceptron():
    game = load_game("azul")
    observations = batch_of(game, 50).observations
    for activation, formula in (
        ("relu", lambda x: np.maximum(x, 0)),
        ("tanh", np.tanh),
    ):
        network = network_for(game, activation=activation)
        (first, bias), (second, other_bias) = network.layers
        expected = formula(observations @ first + bias) @ second + other_bias
        np.testing.assert_allclose(network.outputs(observations), expected, atol=1e-5)


def test_what_a_row_gives_does_not_depend_on_the_rows_beside_it():
    game = load_game("azul")
    network = network_for(game)
    observations = batch_of(game, 33).observations
    together = network.outputs(observations)
    alone = [network.outputs(observations[i : i + 1])[0] for i in range(33)]
    assert together.tobytes() == np.array(alone).tobytes()


def test_the_greedy_action_is_taken_and_drawing_follows_the_softmax():
    game = load_game("cant_stop")
    network = network_for(game)
    batch = batch_of(game, 1)
    logits = np.where(batch.masks[0], network.outputs(batch.observations)[0], -np.inf)
    assert network.act_always_best().act_batch(batch) == [logits.argmax()]
    many = Batch(game, *(np.repeat(part, 20_000, axis=0) for part in batch[1:]))
    many.memories["rng"] = np.arange(20_000)
    drawn = np.bincount(network.act_batch(many), minlength=game.num_actions)
    shares = np.exp(logits - logits.max())
    expected = 20_000 * shares / shares.sum()
    legal = batch.masks[0] == 1
    assert drawn[~legal].sum() == 0
    statistic = np.sum((drawn - expected)[legal] ** 2 / expected[legal])
    assert statistic < chi_square_limit(int(legal.sum()))
    assert chi_square(drawn[legal]) > chi_square_limit(int(legal.sum()))


@pytest.mark.parametrize("game_id", ALL_GAMES)
def test_a_policy_from_a_file_plays_and_is_an_opponent(game_id, file):
    game = load_game(game_id)
    path = file(game)
    agent = find_agent(f"ppo(file={str(path)!r})", game_id)
    action = SeatGames(game, 3, agent, seat=0)
    action.reset(np.arange(3), np.arange(3, dtype=np.uint64))
    assert (action.states["player"] == 0).all()
    if game_id != "icecool":  # whose games between untrained policies are long
        log = play(game, [agent, find_agent("random", game_id)], seed=1)
        assert log.ended == "terminated"
        again = play(game, [agent, find_agent("random", game_id)], seed=1)
        assert log == again


def test_without_a_policy_it_says_what_to_do():
    assert not policy_of("cant_stop", 4).is_file()
    game = load_game("cant_stop", num_players=4)
    with pytest.raises(FileNotFoundError, match="train one with 'tabletop train'"):
        play(game, [Ppo] * 4, seed=1)


def test_policies_of_other_games_are_refused(file, tmp_path):
    azul, two = load_game("azul"), load_game("cant_stop")
    wrong = file(azul)
    with pytest.raises(ValueError, match="is of azul version"):
        play(two, [Ppo(str(wrong))] * 2, seed=1)
    three = load_game("cant_stop", num_players=3)
    with pytest.raises(ValueError, match="number of players"):
        play(three, [Ppo(str(file(two)))] * 3, seed=1)
    numbered, flick = load_game("icecool", grid={}), load_game("icecool")
    with pytest.raises(ValueError, match="actions"):
        play(numbered, [Ppo(str(file(flick)))] * 2, seed=1)
    missing = tmp_path / "missing.npz"
    with pytest.raises(FileNotFoundError, match="there is no file"):
        play(two, [Ppo(str(missing))] * 2, seed=1)


def test_files_that_hold_no_network_are_refused_and_nothing_in_them_is_executed(
    tmp_path,
):
    path = tmp_path / "policy.npz"
    path.write_bytes(b"PK nothing of the kind")
    with pytest.raises(ValueError, match="holds no network"):
        Network.load(path)
    np.savez(path, facts=np.array([object()]))
    with pytest.raises(ValueError, match="holds no network"):
        Network.load(path)
    network = network_for(load_game("cant_stop"))
    broken = Network((network.layers[0], network.layers[0]))
    broken.save(path, {})
    with pytest.raises(ValueError, match="do not fit together"):
        Network.load(path)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_files_that_are_cut_or_changed_are_refused(file, share):
    path = file(load_game("cant_stop"))
    content = path.read_bytes()
    place = int(share * len(content))
    for damaged in (
        content[:place],
        content[:place] + bytes(32) + content[place + 32 :],
    ):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="holds no network"):
            Network.load(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"weights_0": np.float32(1)}, "do not fit together"),
        ({"bias_0": np.zeros((HIDDEN, 3), np.float32)}, "do not fit together"),
        ({"bias_1": np.full(79, np.nan, np.float32)}, "finite"),
        ({"bias_1": np.zeros(79, complex)}, "finite"),
        ({"bias_1": np.full(79, "x")}, "finite"),
        ({"facts": np.array("[1]")}, "facts"),
        ({"facts": np.array("[" * 100_000)}, "recursion"),
        ({"facts": np.array('{"head": "categorical", "options": 3}')}, "facts"),
        ({"facts": np.array('{"head": "x", "activation": "relu"}')}, "head 'x'"),
        ({"facts": np.array('{"head": "gaussian", "activation": "relu"}')}, "log_std"),
    ],
)
def test_networks_that_cannot_be_are_refused(change, words, file):
    path = file(load_game("cant_stop"))
    with np.load(path) as arrays:
        changed = dict(arrays) | change
    np.savez(path, **changed)
    with pytest.raises(ValueError, match=f"holds no network: .*{words}"):
        Network.load(path)


def test_numbers_that_overflow_still_give_legal_actions():
    game = load_game("cant_stop")
    (first, bias), last = network_for(game).layers
    huge = np.full_like(first, 3e38)
    huge[:, ::2] *= -1
    with np.errstate(invalid="ignore"):
        actions = Network(((huge, bias), last)).act_batch(batch := batch_of(game, 20))
    assert batch.masks[np.arange(20), actions].all()


def test_a_new_agent_plays_what_is_in_the_file_now(file):
    game = load_game("cant_stop")
    batch = batch_of(game, 40)
    path = file(game)
    before = Ppo(str(path))
    first = before.act_batch(batch)
    os.utime(path, (0, 0))
    network_for(game, seed=1).save(path, facts_of(game))
    second = Ppo(str(path)).act_batch(batch)
    assert not np.array_equal(first, second)
    assert np.array_equal(before.act_batch(batch), first)


def test_a_saved_network_is_the_same_again(tmp_path):
    for game_id in ALL_GAMES:
        game = load_game(game_id)
        network = network_for(game)
        network.save(tmp_path / "policy.npz", facts_of(game))
        again, facts = Network.load(tmp_path / "policy.npz")
        assert facts["game"] == game_id
        assert again.head == network.head
        observations = np.ones((3, game.observation_size), np.float32)
        assert (
            again.outputs(observations).tobytes()
            == network.outputs(observations).tobytes()
        )
