"""One game in progress: what it refuses. What it does is tested with the games."""

import pytest

from cant_stop_env.state import ROLL
from game_core import IllegalActionError, Position, load_game
from tests.cant_stop.positions import play, set_up
from tests.games import run_python


def test_a_position_knows_who_is_to_move_and_how_it_ended():
    position = set_up(owner={2: 0, 3: 0}, runners={12: 3})
    assert (position.player, position.over) == (0, False)
    play(position, "stop")
    assert (position.terminated, position.truncated, position.over) == (
        True,
        False,
        True,
    )


def test_a_finished_position_refuses_every_action():
    position = play(set_up(owner={2: 0, 3: 0}, runners={12: 3}), "stop")
    before = position.states.tobytes()
    with pytest.raises(IllegalActionError, match="the game is over"):
        position.step(ROLL)
    assert position.states.tobytes() == before


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, "a"])
def test_other_seeds_are_refused(seed):
    game = load_game("cant_stop")
    with pytest.raises(ValueError, match=r"seed .* is not a whole number from 0 to"):
        Position.new(game, seed)
    with pytest.raises(ValueError, match=r"seed .* is not a whole number from 0 to"):
        Position.new(game, 1).determinize(0, seed)


@pytest.mark.parametrize("call", ["observation", "determinize"])
def test_a_seat_that_is_not_there_is_refused(call):
    """In a process of its own, since reading past an array may end it."""
    code = f"""
from game_core import Position, load_game
position = Position.new(load_game("cant_stop", num_players=2), 1)
for seat in (2, 10**6, -1):
    try:
        position.{call}(seat)
    except (IndexError, ValueError):
        print("refused", seat)
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n") == ["refused 2", "refused 1000000", "refused -1", ""]
