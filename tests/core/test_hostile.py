"""What a careless or hostile caller does: refused in words, and nothing changes."""

import json
from typing import Any

import numpy as np
import pytest

from benchmarks.sandbox.protocol import failure_answer, read_answer
from benchmarks.tournament.schedule import Schedule, Tournament
from game_core import GameLog, Position, VectorGame, load_game, play, replay
from game_core.agents.play import AgentError, ReplayError
from game_core.envs.aec import GameEnv

NONSENSE = [
    ("cant_stop", "player", 5),
    ("cant_stop", "player", -1),
    ("cant_stop", "num_choices", 120),
    ("cant_stop", "dice", 100),
    ("cant_stop", "runners", -3),
    ("azul", "starting_player", 10**12),
    ("azul", "floor_count", 100),
    ("azul", "bag", -5),
    ("azul", "wall", 9),
]


@pytest.mark.parametrize(("game_id", "field", "value"), NONSENSE)
def test_a_record_out_of_bounds_is_refused(game_id, field, value):
    env = GameEnv(load_game(game_id))
    env.reset(seed=0)
    before = env.get_state()
    nonsense = env.get_state()
    nonsense[field] = value
    with pytest.raises(ValueError, match=f"{field} is out of its bounds"):
        env.set_state(nonsense)
    assert env.get_state().tobytes() == before.tobytes()
    env.step(env.position.legal_actions()[0])


@pytest.mark.parametrize("game_id", ["azul", "cant_stop"])
def test_positions_of_play_are_within_bounds(game_id):
    games = VectorGame(game_id, 64)
    games.reset(seed=0)
    for _ in range(300):
        games.step(games.sample_actions())
        games.game.adopt(games.states)


@pytest.mark.parametrize("game_id", ["azul", "cant_stop"])
def test_a_game_cannot_be_changed(game_id):
    game: Any = load_game(game_id)
    with pytest.raises(ValueError, match="read-only"):
        game.template["num_players"] = 1
    with pytest.raises(TypeError):
        game.options["num_players"] = 4


def test_planning_on_the_view_does_not_change_what_it_tells():
    def plans(view):
        mask, actions = view.action_mask.copy(), None
        position = view.position
        while not position.over:
            position.step(position.legal_actions()[0])
        actions = view.legal_actions
        assert np.array_equal(np.flatnonzero(mask), actions)
        assert view.determinize().player == view.seat
        return actions[0]

    def plans_first(view):
        position = view.position
        while not position.over and position.player == view.seat:
            position.step(position.legal_actions()[0])
        return view.legal_actions[0]

    log = play(load_game("cant_stop", max_turns=30), [plans, plans_first], 1)
    assert log.ended != "forfeit"


def test_an_error_without_words_is_a_forfeit():
    class WordlessError(Exception):
        def __str__(self):
            raise RuntimeError

    def bot(view):
        raise WordlessError

    log = play(load_game("cant_stop"), [bot, bot], 0, forfeits=True)
    assert log.forfeit_reason == "raised WordlessError: (an error without words)"


def test_reasons_do_not_depend_on_where_objects_lie():
    def bot(view):
        raise ValueError(object())

    log = play(load_game("cant_stop"), [bot, bot], 0, forfeits=True)
    assert log.forfeit_reason == "raised ValueError: <object object>"
    with pytest.raises(AgentError, match=r"^returned <coroutine object bot>$"):
        read_answer(failure_answer("returned <coroutine object bot at 0x7f42745631d0>"))


@pytest.fixture(scope="module")
def whole_log() -> dict:
    """Return the log of a game."""
    agents = [lambda view: view.legal_actions[0]] * 2
    log = play(load_game("cant_stop"), agents, 0)
    assert list(replay(log))
    return json.loads(log.to_json()) | {"forfeit_seat": None}


@pytest.mark.parametrize(
    "change",
    [
        {"options": 5},
        {"game": ["x"]},
        {"seed": None},
        {"seed": True},
        {"agents": None},
        {"agents": []},
        {"agents": ["a"]},
        {"actions": ["roll"]},
        {"actions": [1.5]},
        {"rewards": None},
        {"forfeit_seat": 1, "ended": "forfeit", "actions": []},
    ],
    ids=str,
)
def test_a_log_of_other_types_is_refused_in_words(whole_log, change):
    if "forfeit_seat" in change:  # the other seat is to move at the start
        game = load_game("cant_stop")
        change = change | {"forfeit_seat": 1 - Position.new(game, 0).player}
    with pytest.raises(ReplayError):
        list(replay(GameLog.from_json(json.dumps(whole_log | change))))


def test_a_line_of_brackets_is_no_log():
    with pytest.raises(ReplayError, match="no game log"):
        GameLog.from_json("[" * 200_000)


def test_a_name_for_each_seat():
    agents = [lambda view: view.legal_actions[0]] * 2
    with pytest.raises(ValueError, match="1 names for 2 seats"):
        play(load_game("cant_stop"), agents, 0, names=["a"])


def test_an_endless_tournament_begins_at_once():
    schedule = Schedule(Tournament("cant_stop", ("random", "rule_of_28"), 10**30))
    assert next(iter(schedule)).agents == ("random", "rule_of_28")


@pytest.mark.parametrize("name", ["time_limit", "start_limit"])
def test_a_limit_longer_than_a_day_is_refused(name):
    limits: dict[str, Any] = {name: 1e12}
    tournament = Tournament("cant_stop", ("random", "rule_of_28"), **limits)
    with pytest.raises(ValueError, match=f"{name}=1000000000000.0 is not"):
        Schedule(tournament)


def test_an_option_named_like_an_argument_is_unknown():
    with pytest.raises(ValueError, match="unknown option 'game_id'"):
        load_game("cant_stop", game_id=3)


@pytest.mark.parametrize("game_id", [["azul"], None, 3])
def test_a_game_of_another_type_is_unknown(game_id):
    with pytest.raises(ValueError, match="unknown game"):
        load_game(game_id)


@pytest.mark.parametrize(
    "seats", [0.7, [0.2, 1.9], "0", True, None, 10**30, [0, 1, 0], -1, 2]
)
def test_seats_of_another_kind_are_refused(seats):
    games = VectorGame("cant_stop", 2)
    games.reset(seed=0)
    with pytest.raises(ValueError, match="whole numbers from 0 to 1"):
        games.observe(seats)


def test_ragged_actions_are_refused():
    games = VectorGame("cant_stop", 3)
    games.reset(seed=0)
    with pytest.raises(ValueError, match="no array"):
        games.step([[1], [2, 3], [4]])


def test_an_unknown_autoreset_mode_is_told_the_known_ones():
    with pytest.raises(
        ValueError, match="'bogus' is not allowed; give one of 'NextStep', 'SameStep'"
    ):
        VectorGame("cant_stop", 2, autoreset_mode="bogus")


def test_a_partial_reset_leaves_the_sampling_of_the_others_alone():
    games, same = VectorGame("cant_stop", 4), VectorGame("cant_stop", 4)
    for one in (games, same):
        one.reset(seed=3)
    games.reset(seed=9, reset_mask=np.zeros(4, bool))
    assert np.array_equal(games.sample_actions(), same.sample_actions())


def test_a_boolean_is_no_seed():
    with pytest.raises(ValueError, match="seed True"):
        Position.new(load_game("cant_stop"), True)
