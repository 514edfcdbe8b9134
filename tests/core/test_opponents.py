"""Opponents: kinds, what they keep from game to game, and those that cheat."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from game_core import IllegalActionError, load_game
from game_core.envs.opponents import (
    BatchOpponent,
    PolicyOpponent,
    ViewOpponent,
    as_opponent,
)
from game_core.envs.seat import SeatEnv, SeatVectorEnv
from tests.core.opponents import Alternating, BatchHighest, Cheat, highest, lowest

HERE = "tests/core/opponents.py"


def name_of(value) -> str:
    """Return the same words for a parameter in every process."""
    if isinstance(value, (str, int, list)) or value is None:
        return repr(value)
    return getattr(value, "__name__", f"a {type(value).__name__}")


@pytest.mark.parametrize(
    ("agent", "kind", "name"),
    [
        ("rule_of_28", PolicyOpponent, "rule_of_28"),
        ("mcts", ViewOpponent, "mcts"),
        ("mcts(simulations=2)", ViewOpponent, "mcts(simulations=2)"),
        (f"{HERE}:lowest", ViewOpponent, f"{HERE}:lowest"),
        (f"{HERE}:BatchHighest", BatchOpponent, f"{HERE}:BatchHighest"),
        (lowest, ViewOpponent, "lowest"),
        (Alternating, ViewOpponent, "Alternating"),
        (Alternating(), ViewOpponent, "Alternating"),
        (BatchHighest(), BatchOpponent, "BatchHighest"),
        (BatchHighest, BatchOpponent, "BatchHighest"),
    ],
    ids=name_of,
)
def test_the_kind_of_an_opponent(agent, kind, name):
    opponent = as_opponent(agent, load_game("cant_stop"))
    assert type(opponent) is kind
    assert opponent.name == name


class Picky:
    """Play no game."""

    def check(self, game):
        raise ValueError(f"no such game as {game.id}")

    def act(self, view):
        raise NotImplementedError


@pytest.mark.parametrize(
    "agent", [3, None, object(), ["random"], "nobody"], ids=name_of
)
def test_what_is_no_opponent_is_refused(agent):
    with pytest.raises(ValueError, match=r"no agent|unknown agent"):
        as_opponent(agent, load_game("cant_stop"))


@pytest.mark.parametrize(
    ("agent", "error"),
    [
        ("ppo(file='gone.npz')", FileNotFoundError),
        (Picky, ValueError),
        (Picky(), ValueError),
    ],
    ids=name_of,
)
def test_what_cannot_play_is_refused_before_a_game_begins(agent, error):
    with pytest.raises(error, match=r"gone\.npz|no such game"):
        SeatEnv("cant_stop", agent)
    env = SeatEnv("cant_stop")
    with pytest.raises(error, match=r"gone\.npz|no such game"):
        env.set_opponents(["rule_of_28", agent])
    assert env.games.opponents == ["random"]


class Numbered:
    """Count the agents made, and their decisions."""

    made = 0

    def __init__(self):
        type(self).made += 1
        self.decisions = 0

    def act(self, view):
        self.decisions += 1
        assert self.decisions < 100, "an agent plays one game"
        return highest(view)


def test_a_class_gives_every_game_and_seat_an_agent_of_its_own():
    env = SeatVectorEnv("cant_stop", 4, Numbered, 0, num_players=3, starting_player=1)
    Numbered.made = 0
    for _ in range(5):
        env.reset(seed=1)
    assert Numbered.made == 5 * 4 * 2


class Remembering:
    """Keep the memories that it is given."""

    def __init__(self):
        self.seen = []

    def act_batch(self, batch):
        self.seen.append(batch.memories.copy())
        batch.memories["numbers"][:, 0] += 1
        return BatchHighest().act_batch(batch)


def test_memories_last_for_one_game():
    agent = Remembering()
    env = SeatEnv("cant_stop", agent, seat=0, starting_player=1)
    for _ in range(3):
        env.reset(seed=1)
        counts = [int(memory["numbers"][0, 0]) for memory in agent.seen]
        assert counts == list(range(len(counts)))
        assert len(counts) > 1
        streams = {int(memory["rng"][0]) for memory in agent.seen}
        assert len(streams) == 1
        agent.seen.clear()


class Looking:
    """Keep what it is shown."""

    def __init__(self):
        self.seen = []

    def act_batch(self, batch):
        self.seen.append((batch.observations, batch.masks))
        return BatchHighest().act_batch(batch)


def test_a_batch_agent_sees_what_a_view_shows():
    views = []

    def look(view):
        views.append((view.observation.tolist(), view.action_mask.tolist()))
        return highest(view)

    looking = Looking()
    for opponent in (look, looking):
        env = SeatEnv("azul", opponent, seat=1, num_players=3, max_rounds=1)
        env.reset(seed=4)
        for _ in range(3):
            env.step(int(env.action_masks().argmax()))
    assert len(views) > 5
    batches = [(seen.tolist()[0], mask.tolist()[0]) for seen, mask in looking.seen]
    assert batches == views


def test_one_batch_for_all_games_though_listed_several_times():
    looking = Looking()
    env = SeatVectorEnv("cant_stop", 6, [looking] * 3, 0, starting_player=1)
    env.reset(seed=0)
    assert len(looking.seen[0][0]) == 6


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ([0], r"player_1 cannot play .* now; the legal actions"),
        ([79], "outside the action space"),
        ([-1], "outside the action space"),
        ([0, 0], r"should be whole numbers \(1,\)"),
        ([0.5], "should be whole numbers"),
        (None, "should be whole numbers"),
    ],
)
def test_an_opponent_that_cheats_is_named_and_the_games_have_to_begin_anew(
    actions, says
):
    env = SeatEnv("cant_stop", Cheat(actions), seat=0, starting_player=0)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=rf"^opponent 'Cheat': .*{says}"):
        play_to_the_end(env)
    with pytest.raises(ResetNeeded, match="after a step that was interrupted"):
        env.step(0)
    env.set_opponents(lowest)
    env.reset()
    play_to_the_end(env)


def play_to_the_end(env: SeatEnv) -> None:
    """Play the highest legal actions until the game is over."""
    over = False
    while not over:
        action = int(np.flatnonzero(env.action_masks())[-1])
        _, _, terminated, truncated, _ = env.step(action)
        over = terminated or truncated


@pytest.mark.parametrize("actions", [[[0, 1.5]], [[np.nan, 0]], [[0, 0, 0]], [0, 0]])
@pytest.mark.usefixtures("toy")
def test_a_flick_outside_the_box_is_named(actions):
    env = SeatVectorEnv("toy", 40, [Cheat(actions), "random"], 0)
    with pytest.raises(IllegalActionError, match=r"^opponent 'Cheat': .* -1 to 1"):
        env.reset(seed=0)


def test_a_function_that_cheats_is_named():
    def dishonest(view):
        return int(view.action_mask.argmin())

    env = SeatEnv("cant_stop", dishonest, seat=0, starting_player=1)
    with pytest.raises(IllegalActionError, match=r"^opponent 'dishonest': player_1"):
        env.reset(seed=1)


def test_an_opponent_that_is_interrupted_leaves_no_half_played_games():
    def interrupted(view):
        raise KeyboardInterrupt

    pool = ["rule_of_28", interrupted]
    env = SeatVectorEnv("cant_stop", 9, pool, 0, starting_player=1)
    with pytest.raises(KeyboardInterrupt):
        env.reset(seed=1)
    for use in (lambda: env.step([0] * 9), env.action_masks, env.games.get_state):
        with pytest.raises(ResetNeeded, match="after a step that was interrupted"):
            use()


def test_what_an_opponent_simulates_changes_nothing_and_tells_no_dice():
    foretold = []

    def simulate(view):
        position = view.position
        if not view.state.choosing:
            position.step(view.game.text_to_action("roll"))
            foretold.append(position.state.dice.tolist())
        return highest(view)

    envs = [
        SeatEnv("cant_stop", opponent, seat=0, starting_player=1)
        for opponent in (highest, simulate)
    ]
    starts = [env.reset(seed=2)[0].tobytes() for env in envs]
    assert starts[0] == starts[1]
    assert envs[0].position.states.tobytes() == envs[1].position.states.tobytes()
    assert foretold
