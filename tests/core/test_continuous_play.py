"""Games with continuous actions between agents: logs, replays and forfeits."""

import dataclasses
import json
import re
from operator import itemgetter

import numpy as np
import pytest

from game_core import GameLog, Position, find_agent, load_game, play, replay
from game_core.agents.play import ReplayError

pytestmark = pytest.mark.usefixtures("toy")

random = find_agent("random", "toy")


def played(seed: int = 5, **options) -> GameLog:
    """Return the log of a game between random agents."""
    game = load_game("toy", **options)
    return play(game, [random] * game.num_players, seed)


def homing(view):
    """Walk to the middle, planning on determinized copies."""
    tried = []
    for _ in range(5):
        action = view.sample_action()
        position = view.determinize()
        position.step(action)
        tried.append((np.hypot(*position.states["place"][0, view.seat]), action))
    return min(tried, key=itemgetter(0))[1]


def test_the_same_seed_gives_the_same_log():
    assert played(5) == played(5) != played(6)


def test_a_log_holds_the_floats_that_were_played_and_survives_json():
    log = played()
    assert log.actions
    for action in log.actions:
        assert isinstance(action, tuple)
        assert [type(value) for value in action] == [float, float]
        assert np.array(action, np.float32).tolist() == list(action)
    line = log.to_json()
    assert "\n" not in line
    assert GameLog.from_json(line) == log
    assert played(5) == GameLog.from_json(line)


def test_a_log_replays_with_actions_as_arrays():
    log = play(load_game("toy", num_players=3), [homing, random, homing], 2)
    moves = list(replay(GameLog.from_json(log.to_json())))
    position = Position.new(load_game("toy", num_players=3), 2)
    for (_, action), logged in zip(moves, log.actions, strict=False):
        assert action.dtype == np.float32
        assert tuple(action.tolist()) == logged
        position.step(action)
    last, none = moves[-1]
    assert none is None
    assert last.states.tobytes() == position.states.tobytes()
    assert log.ended == "terminated"
    assert sum(log.rewards) == 0


def test_what_a_reader_does_to_an_action_does_not_change_the_replay():
    log = played()
    undisturbed = [position.states.tobytes() for position, _ in replay(log)]
    for (position, action), record in zip(replay(log), undisturbed, strict=True):
        assert position.states.tobytes() == record
        if action is not None:
            action[:] = 0


def test_whole_numbers_in_a_file_are_numbers_too():
    """Other programs write 1.0 as 1."""
    game = load_game("toy", most_moves=2)
    log = play(game, [lambda view: [1, 0.5]] * 2, 1)
    assert log.actions == ((1.0, 0.5), (1.0, 0.5))
    data = json.loads(log.to_json()) | {"actions": [[1, 0.5], [1, 0.5]]}
    list(replay(GameLog.from_json(json.dumps(data))))


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (3, "move 0: action 3 .int.: it is int64"),
        ((0.5,), r"move 0: .* it is float64 of shape \(1,\)"),
        ((0.5, 2.0), r"move 0: .*component 1 \(north\) is 2.0"),
        ((0.5, float("nan")), r"move 0: .*component 1 \(north\) is nan"),
        ((10**400, 0.5), "move 0: .* it is object"),
    ],
    ids=["a number", "one float", "outside", "nan", "huge"],
)
def test_a_changed_action_does_not_replay(first, says):
    log = played()
    changed = dataclasses.replace(log, actions=(first, *log.actions[1:]))
    with pytest.raises(ReplayError, match=says):
        list(replay(changed))


def test_floats_do_not_replay_where_actions_are_numbers():
    log = play(load_game("cant_stop"), [random] * 2, 1)
    changed = dataclasses.replace(log, actions=((0.5, 0.5), *log.actions[1:]))
    with pytest.raises(ReplayError, match=r"move 0: .* a whole number from 0 to 78"):
        list(replay(GameLog.from_json(changed.to_json())))


@pytest.mark.parametrize(
    "actions",
    [["east"], [0.5], [[0.5, "east"]], [[0.5, None]], [[True, 0]], [[[0.5], 0.5]], 3],
    ids=repr,
)
def test_a_log_with_actions_of_other_types_is_refused(actions):
    data = json.loads(played().to_json()) | {"actions": actions}
    with pytest.raises(ReplayError, match="no game log"):
        GameLog.from_json(json.dumps(data))


class Fickle:
    """Another action each time that NumPy asks for it."""

    def __init__(self):
        self.asked = 0

    def __array__(self, dtype=None, copy=None):
        self.asked += 1
        return np.array([0.5 / self.asked, 0])


def test_what_is_logged_is_what_was_played():
    log = play(load_game("toy", most_moves=6), [lambda view: Fickle()] * 2, 1)
    assert set(log.actions) == {(0.5, 0.0)}
    list(replay(log))


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        (lambda view: [0.5], r"illegal action: .* it is float64 of shape \(1,\)"),
        (lambda view: [0.5, np.nan], r"illegal action: .*component 1 \(north\) is nan"),
        (lambda view: [0.5, 1.5], r"illegal action: .*component 1 \(north\) is 1.5"),
        (lambda view: 3, "illegal action: action 3"),
        (lambda view: None, "illegal action: action None"),
        (lambda view: view.legal_actions[0], "raised ValueError: .*sample_action"),
        (lambda view: view.position.step([2, 0]), "raised IllegalActionError: .*2; an"),
    ],
    ids=["shape", "nan", "outside", "number", "none", "list of actions", "planning"],
)
def test_an_agent_that_fails_forfeits(agent, says):
    game = load_game("toy", num_players=3)
    agents = [random, agent, random]
    log = play(game, agents, seed=5, forfeits=True)
    assert (log.ended, log.forfeit_seat) == ("forfeit", 1)
    assert log.rewards == (0.5, -1.0, 0.5)
    assert log.forfeit_reason is not None
    assert re.match(says, log.forfeit_reason), log.forfeit_reason
    *_, (last, _) = replay(GameLog.from_json(log.to_json()))
    assert last.player == 1
