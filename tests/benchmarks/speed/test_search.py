"""The benchmark of tree search, with far too little effort to mean anything."""

import json

import numpy as np
import pytest

from baselines.search.search import Hooks
from benchmarks.speed import search
from benchmarks.speed.search import KNOWING, PLAYOUTS, RANDOM
from game_core import load_game
from game_core.agents.policy import new_memories
from game_core.catalog import GAMES

GAME = "cant_stop"


@pytest.mark.parametrize("game_id", GAMES)
def test_positions_are_in_the_middle_of_a_game(game_id):
    game = load_game(game_id, num_players=4)
    position, again = (search.middle(game, 1) for _ in range(2))
    assert position.states.tobytes() == again.states.tobytes()
    assert not position.over
    start = game.new_states(np.ones(1, np.uint64))
    assert position.states.tobytes() != start.tobytes()


def test_playouts_go_to_the_end_and_leave_the_position_alone():
    game = load_game(GAME)
    position = search.middle(game, 0)
    before, scratch = position.states.copy(), position.states.copy()
    play, memory = search.bound_playouts(game), new_memories(game, 1)[0]
    winners = []
    for _ in range(20):
        play(position.states, scratch, memory, 1)
        assert scratch["terminated"][0]
        winners.append(int(game.payoffs(scratch)[0].argmax()))
    assert position.states.tobytes() == before.tobytes()
    assert set(winners) == {0, 1}  # each playout has chances of its own


def test_hooks_are_measured_where_a_game_has_them(monkeypatch):
    assert list(search.contenders("icecool")) == [PLAYOUTS, RANDOM, KNOWING]
    monkeypatch.setattr(search, "hooks_of", lambda game_id: Hooks())
    assert list(search.contenders("icecool")) == [PLAYOUTS, RANDOM]


def test_the_command_writes_what_it_prints(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(search, "hooks_of", lambda game_id: Hooks())
    out = tmp_path / "search.json"
    search.main(GAME, players=(2,), turns=2, seconds=0.01, out=out)
    printed = capsys.readouterr().out
    (game,) = json.loads(out.read_text())["games"]
    plain, planned = game["rates"]
    assert "cant_stop, 2 players" in printed
    assert (plain["name"], planned["name"]) == (PLAYOUTS, RANDOM)
    assert planned["median"] > 0
    assert planned["ratio"]["median"] > 0
    assert all(row["name"] in printed for row in game["rates"])


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"turns": 0}, "turns"),
        ({"seconds": 0.0}, "seconds"),
        ({"game": "chess"}, "chess"),
        ({"players": (9,)}, "num_players"),
    ],
)
def test_the_command_says_what_is_wrong_with_its_options(wrong, word):
    with pytest.raises(SystemExit, match=f"benchmarks.speed.search: .*{word}"):
        search.main(**wrong)
