"""What holds in every position of ICECOOL, whatever the options and the flicks."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, seed_test

from game_core import Game, Position, load_game
from game_core.render import ansi
from icecool_env import icecool_v0
from icecool_env.state import STATE
from tests.games import THOROUGH, dict_observations_warn
from tests.icecool.positions import PLAYER_COUNTS, set_up, status
from tests.icecool.test_options import MIRRORED

SEEDS = st.integers(0, 2**64 - 1)
SMALL = {"directions": 8, "strengths": 2, "sides": 3, "heights": 2}


@st.composite
def games(draw) -> Game:
    """Games with any options."""
    num_players = draw(st.sampled_from(PLAYER_COUNTS))
    return load_game(
        "icecool",
        num_players=num_players,
        deck=draw(st.sampled_from(("45", "42", "tournament"))),
        max_flicks=draw(st.sampled_from((None, 1, 20, 60))),
        reward=draw(st.sampled_from(("win", "margin"))),
        first_catcher=draw(st.just("random") | st.integers(0, num_players - 1)),
        catcher_start=draw(st.sampled_from(("chosen", "centre"))),
        stuck_move=draw(st.sampled_from(("may", "must"))),
        stuck_room=draw(st.sampled_from(("choose", "majority"))),
        self_catch_next=draw(st.sampled_from(("runner", "catcher"))),
        school=draw(st.sampled_from((None, MIRRORED))),
        grid=draw(st.sampled_from((None, SMALL))),
        **{
            name: draw(st.booleans())
            for name in (
                "reflick",
                "stuck_strict",
                "finish_flick",
                "void_on_exit",
                "blank_cards",
            )
        },
    )


@st.composite
def positions(draw) -> Position:
    """Positions that random play leads to, the end of the game included."""
    position = Position.new(draw(games()), draw(SEEDS))
    play(position, draw(SEEDS), draw(st.integers(0, 100)))
    return position


def play(position: Position, seed: int, decisions: int) -> list[bytes]:
    """Play random actions, fewer if the game ends before; return what followed."""
    rng = np.random.default_rng(seed)
    history = []
    for _ in range(decisions):
        if position.over:
            break
        position.step(position.sample_action(rng))
        history.append(position.states.tobytes())
    return history


def check(position: Position) -> None:
    """Check all that holds after any decision."""
    game = position.game
    assert status(position) == []
    assert game.adopt(position.states).tobytes() == position.states.tobytes()
    for seat in range(game.num_players):
        seen = position.observation(seat)
        assert np.isfinite(seen).all()
        assert game.observation_space.contains(seen)
    assert not position.truncated
    assert position.rewards.sum() == pytest.approx(0)
    if not position.terminated:
        assert not position.rewards.any()
    else:
        assert abs(position.rewards).max() <= 1


@given(games(), SEEDS)
@settings(max_examples=10 * THOROUGH)
def test_nothing_is_wrong_after_any_decision_of_a_whole_game(game, seed):
    position = Position.new(game, seed)
    rng = np.random.default_rng(seed)
    check(position)
    while not position.over:
        position.step(position.sample_action(rng))
        check(position)


@given(positions())
@settings(max_examples=10 * THOROUGH)
def test_nothing_is_wrong_with_the_corners_of_the_action_space(position):
    """Full strength, full spin, the highest jumps, from the red line."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        if position.over or position.game.discrete:
            break
        position.step(rng.choice((-1.0, -0.05, 0.0, 0.05, 0.5, 1.0), 6))
        check(position)


@given(positions(), SEEDS)
@settings(max_examples=10 * THOROUGH)
def test_a_copy_and_the_original_go_the_same_way_apart(position, seed):
    before = position.states.tobytes()
    copies = [
        position.copy(),
        copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)),
    ]
    followed = play(position, seed, 15)
    for other in copies:
        assert other.states.tobytes() == before
        assert play(other, seed, 15) == followed


@given(positions(), SEEDS)
@settings(max_examples=10 * THOROUGH)
def test_nothing_is_wrong_with_a_determinized_copy(position, seed):
    before = position.states.tobytes()
    for seat in range(position.game.num_players):
        fair = position.determinize(seat, seed)
        assert status(fair) == []
        assert fair.observation(seat).tolist() == position.observation(seat).tolist()
        play(fair, seed, 5)
        assert status(fair) == []
    assert position.states.tobytes() == before


@given(positions(), SEEDS)
@settings(max_examples=10 * THOROUGH)
def test_a_saved_record_goes_on_as_the_game_it_was(tmp_path_factory, position, seed):
    file = tmp_path_factory.mktemp("saved") / "game.npy"
    np.save(file, position.states)
    loaded = Position(position.game, position.game.adopt(np.load(file)))
    assert loaded.states.dtype == STATE
    assert play(loaded, seed, 15) == play(position, seed, 15)


@pytest.mark.nojit
@pytest.mark.parametrize("grid", [None, SMALL])
def test_nothing_is_wrong_in_the_first_turns(grid):
    game = load_game("icecool", num_players=4, grid=grid, max_flicks=5)
    position = Position.new(game, 1)
    rng = np.random.default_rng(1)
    for _ in range(7):
        check(position)
        position.step(position.sample_action(rng))
    check(position)


@pytest.mark.parametrize(
    ("field", "place", "value", "fault"),
    [
        ("deck", (2,), 3, "there are"),
        ("deck", (1,), -1, "fewer than no cards"),
        ("face_down", (1, 0), 1, "a blank card"),
        ("face_up", (1,), 1, "a single card revealed"),
        ("x", (0,), -1, "penguin 0 is out of the school"),
        ("x", (0,), 240, "penguin 0 is in a wall"),
        ("y", (1,), 145, "penguins 1 and 2 overlap"),
        ("fish_taken", (0, 1), 1, "the Catcher has fish, or was caught"),
        ("caught", (1,), 2, "caught too often"),
        ("fish_taken", (1,), 1, "the round goes on with three fish"),
        ("caught", (slice(1, 3),), 1, "the round goes on with all caught"),
        ("flicks", (), 300, "the round goes on after its last flick"),
        ("first_flick", (0,), 1, "a first flick of the Catcher"),
        ("round_number", (), 1, "rounds that have not ended"),
        ("terminated", (), True, "over too early"),
        ("player", (), 3, "nobody's turn"),
        ("on_board", (3,), 1, "something of a player who is not in the game"),
        ("phase", (), 0, "no time to place a penguin"),
        ("on_board", (1,), 0, "nothing to flick"),
        ("phase", (), 2, "no cards for skates"),
        ("reflicks", (), 1, "a repeated flick that is no first one"),
        ("reflicks", (), 20, "20 repeated flicks"),
    ],
)
def test_status_notices_what_is_wrong(field, place, value, fault):
    position = set_up(places={1: (100, 100), 2: (100, 150)})
    assert status(position) == []
    position.states[field][(0, *place)] = value
    assert any(words.startswith(fault) for words in status(position))


# PettingZoo.


MAKERS = {
    "raw": icecool_v0.raw_env,
    "wrapped": icecool_v0.env,
    "raw, discrete": partial(icecool_v0.raw_env, grid=SMALL),
    "discrete": icecool_v0.discrete_env,
}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


@dict_observations_warn
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_pettingzoo_api(make, num_players):
    api_test(make(num_players=num_players, max_flicks=30), num_cycles=200)


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_pettingzoo_seeds(make, num_players):
    seed_test(partial(make, num_players=num_players), 50)


def test_an_environment_plays_to_the_end_and_shows_itself(make):
    env = make(num_players=3, max_flicks=20, render_mode="ansi")
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        position = Position(env.unwrapped.game, env.get_state())
        env.step(None if terminated or truncated else position.sample_action(rng))
        shown = ansi.plain(env.render())
        assert shown == str(Position(position.game, env.get_state()))
    assert env.agents == []
    assert sum(paid.values()) == pytest.approx(0)
    assert max(paid.values()) > 0
