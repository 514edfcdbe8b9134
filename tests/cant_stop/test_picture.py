"""The picture of Can't Stop shows what the record says."""

import dataclasses
import itertools
import re
from collections import Counter

import numpy as np
import pytest

from cant_stop_env.state import ACTION_OF_PAIR, ROLL, STOP
from game_core import load_game
from game_core.render.svg import GOLD, INK, PALE_GOLD, RED, SEAT_COLORS
from game_core.scene import Scene
from tests.cant_stop.positions import roll, set_up
from tests.games import VARIANTS
from tests.naive.cant_stop import SPACES
from tests.pictures import (
    LONG_NAMES,
    colliding,
    covers,
    framed,
    head,
    is_gold,
    numbers_of,
    out_of_picture,
    part,
    read,
    scenes,
    solid,
    spot,
    sticking_out,
    tokens,
    who,
    words,
)

NAMES = ("one", "two", "three", "four")
COLUMNS = range(2, 13)

GAMES = [
    *({"num_players": n, "occupied": v} for n in (2, 4) for v in VARIANTS),
    {"num_players": 1, "columns_to_win": 11},
    {"num_players": 3, "columns_to_win": 5, "occupied": "jump"},
    {"num_players": 3, "columns_to_win": 1, "max_turns": 9},
]


def cells_of(column):
    """Return the spaces of a column from below: edges and insides."""
    *rects, label = column.iter("rect")
    cells = sorted(
        zip(rects[::2], rects[1::2], strict=True), key=lambda c: -spot(c[0])[1]
    )
    return [edge for edge, _ in cells], [inside for _, inside in cells], label


def runners_in(element):
    """Return where climbers are, and where some fell."""
    discs = [e for e in solid(element) if e.tag == "circle"]
    standing = [spot(e) for e in discs if is_gold(e) and e.get("stroke") == INK]
    return standing, [spot(e) for e in discs if e.get("stroke") == RED]


def space_of(cells, x, y):
    """Return the number of the space at a place."""
    (space,) = [s for s, cell in enumerate(cells, 1) if covers(cell, x, y)]
    return space


def check_column(scene, root, column):
    """Compare a column with the record; return the spaces with a golden edge."""
    state, drawn = scene.states[0], part(root, f"column-{column}")
    cells, insides, label = cells_of(drawn)
    assert len(cells) == SPACES[column]
    assert words(drawn) == [f"{column}"]
    pieces = Counter((t.seat, space_of(cells, t.x, t.y)) for t in tokens(drawn))
    expected = {(seat, s) for seat, s in enumerate(state.pieces[:, column]) if s}
    assert pieces == Counter(expected)
    standing, fallen = runners_in(drawn)
    runners = [space_of(cells, *at) for at in standing]
    assert runners == [space for space in [state.runners[column]] if space]
    busted = scene.action == ROLL and state.turns > scene.before[0].turns
    lost = [scene.before[0].runners[column]] if busted else []
    assert [space_of(cells, *at) for at in fallen] == [s for s in lost if s]
    owner = state.owner[column]
    fills = {inside.get("fill") for inside in insides}
    if owner >= 0:
        assert fills == {SEAT_COLORS[owner]} == {label.get("fill")}
    else:
        pale = {s for s, e in enumerate(insides, 1) if e.get("fill") == PALE_GOLD}
        start = state.pieces[state.player, column]
        trail = range(start + 1, state.runners[column] + 1)
        assert pale == {*trail, *climbed(scene, column)}
        assert not fills & set(SEAT_COLORS)
        assert label.get("fill") == INK
    return [s for s, cell in enumerate(cells, 1) if is_gold(cell)]


def climbed(scene, column):
    """Return the spaces that the last action has climbed."""
    if scene.before is None or scene.action == ROLL:
        return []
    then, now = scene.before[0], scene.states[0]
    seat = then.player
    start = then.pieces[seat, column]
    if scene.action == STOP:
        return list(range(start + 1, now.pieces[seat, column] + 1))
    return list(range(max(start, then.runners[column]) + 1, now.runners[column] + 1))


def check_dice(scene, root):
    """Compare the large dice with the record: pips, and sums of a chosen pairing."""
    dice = part(root, "dice")
    faces = [e for e in dice.iter("rect") if e.get("fill") != "#fff"]
    pips = [spot(e) for e in dice.iter("circle")]
    shown = [sum(covers(face, *pip) for pip in pips) for face in faces]
    assert sorted(shown) == sorted(scene.states[0].dice)
    sums = [shown[0] + shown[1], shown[2] + shown[3]]
    assert words(dice) in ([], [f"{total}" for total in sums])
    gold = [face.get("fill") == GOLD for face in faces]
    assert gold == [bool(words(dice))] * 2 + [False] * 2


def check_decision(scene, root, game):
    """Compare the buttons with the legal actions, and who is named with the record."""
    state, shown = scene.states[0], head(root)
    legal = set(np.flatnonzero(game.action_masks(scene.states)[0]).tolist())
    over = bool(state.terminated or state.truncated)
    offered = {number for (number,) in numbers_of(root, r"action-(\d+)")}
    asked = not over and not state.choosing
    assert offered == (legal | {STOP} if asked else legal)
    clear = {e.get("id") for e in solid(root)}
    for action in offered:
        assert (f"action-{action}" in clear) == (action in legal)
        button = part(root, f"action-{action}")
        assert "".join(button.itertext()) == game.action_to_text(action)
    seats = [state.player]
    task = "chooses columns" if state.choosing else "rolls or stops"
    if state.truncated:
        task = "cut short: nobody wins"
    elif state.terminated:
        paid = game.payoffs(scene.states)[0]
        seats = [seat for seat, reward in enumerate(paid) if reward == max(paid)]
        task = "wins" if len(seats) == 1 else "win together"
    said = [*who(scene, seats), task]
    assert words(shown)[: len(said)] == said
    assert [token.seat for token in tokens(shown)] == seats
    assert f"turn {state.turns + (not over)}" in words(shown)
    if state.truncated:
        seats = []
    sheets = [part(root, f"player-{seat}") for seat in range(game.num_players)]
    assert [s for s, sheet in enumerate(sheets) if framed(sheet)] == seats
    standing, _ = runners_in(shown)
    assert len(standing) == (0 if over else state.free_runners)
    assert ("none" in words(shown)) == (not over and state.free_runners == 0)


def check(scene, game):
    """Compare a whole picture with the record."""
    state, root = scene.states[0], read(game.picture(scene))
    for column in COLUMNS:
        assert check_column(scene, root, column) == climbed(scene, column)
    check_dice(scene, root)
    check_decision(scene, root, game)
    for seat in range(game.num_players):
        sheet = part(root, f"player-{seat}")
        own = [f"{c}" for c in COLUMNS if state.owner[c] == seat]
        assert words(sheet) == [scene.name(seat), *own]
        assert [token.seat for token in tokens(sheet)] == [seat]
        flags = [e for e in sheet.iter("rect") if e.get("width") == "22"]
        assert len(flags) == max(len(own), state.columns_to_win)
        full = [e for e in flags if e.get("fill") == SEAT_COLORS[seat]]
        assert len(full) == len(own)
    assert len(numbers_of(root, r"player-(\d)")) == game.num_players


def check_text(scene, game):
    """Compare the text beside the picture, and the words about the last action."""
    state, lines = scene.states[0], game.draw_text(scene.states).splitlines()
    shown = head(read(game.picture(scene)))
    for token in tokens(shown) if not state.truncated else []:
        assert f"player_{token.seat}" in lines[0]
    if scene.action is None:
        return
    then = scene.before[0]
    said = game.describe_last(scene)
    action, _, outcome = said.partition(": ")
    assert action == game.action_to_text(scene.action)
    if scene.action == ROLL:
        lost = not state.runners.any() and state.turns > then.turns
        rolled = " ".join(str(die) for die in state.dice)
        assert outcome == ("bust" if lost else rolled)
        assert any(": bust" in line for line in words(shown)) == lost
    elif scene.action == STOP:
        tops = [f"{c}" for c in COLUMNS if then.runners[c] == SPACES[c]]
        assert re.findall(r"\d+", outcome) == tops
    else:
        assert outcome == ""


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_random_games_are_drawn_as_they_stand(options):
    game = load_game("cant_stop", **options)
    for scene in scenes(game, 5, 0.06):
        check(scene, game)
        check_text(scene, game)


CROWDED = {
    "num_players": 4,
    "pieces": {s: {7: 5, 2: 2, 6: s + 1} for s in (1, 2, 3)} | {0: {7: 2, 6: 2}},
    "runners": {7: 5, 2: 2},
    "owner": {3: 0, 4: 0, 12: 3},
}

POSITIONS = {
    "crowded": dict(**CROWDED),
    "to choose": dict(**CROWDED, dice=(1, 2, 3, 4)),
    "doubles": dict(dice=(3, 3, 3, 3)),
    "one of two": dict(num_players=3, runners={5: 1, 9: 1}, dice=(1, 2, 3, 4)),
    "no runner left": dict(runners={5: 1, 9: 1, 2: 1}, dice=(1, 1, 4, 5)),
    "may not stop": dict(pieces={1: {7: 3}}, runners={7: 3}, occupied="no_rest"),
    "eleven flags": dict(columns_to_win=11, owner={c: 0 for c in COLUMNS if c != 7}),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_odd_positions_are_drawn_as_they_stand(name):
    position = set_up(**POSITIONS[name])
    for names in ((), NAMES):
        check(Scene(position.states, names=names), position.game)


def after(position, action):
    """Play an action; return what there is to see."""
    before = position.states.copy()
    position.step(action)
    return Scene(position.states, before, action)


def test_a_fall_is_drawn_where_others_stand():
    position = set_up(**{**CROWDED, "runners": {7: 5, 2: 2, 5: 1}})
    before = position.states.copy()
    roll(position, (6, 6, 6, 6))
    scene = Scene(position.states, before, ROLL)
    assert position.state.turns == 1
    check(scene, position.game)
    fallen = runners_in(part(read(position.game.picture(scene)), "column-7"))[1]
    assert len(fallen) == 1


def test_a_pairing_is_drawn_with_its_first_column_in_front():
    scene = after(position := set_up(dice=(6, 1, 1, 6)), ACTION_OF_PAIR[2, 12])
    check(scene, position.game)
    assert words(part(read(position.game.picture(scene)), "dice")) == ["2", "12"]


USED_UP = {
    (0,): {2: 0, 3: 0, 4: 0, 5: 0, 6: 2, 8: 2, 9: 2, 10: 3, 11: 3, 12: 3},
    (1,): {2: 0, 3: 0, 4: 0, 5: 2, 6: 2, 8: 2, 9: 1, 10: 1, 11: 1, 12: 3},
    (0, 1, 2): {2: 0, 3: 0, 4: 0, 5: 2, 6: 2, 8: 2, 9: 3, 10: 3, 11: 1, 12: 1},
}
"""By who has most columns once seat 1 has conquered column 7: all the others."""


@pytest.mark.parametrize("winners", USED_UP)
def test_most_columns_win_when_none_are_left(winners):
    position = set_up(
        num_players=4,
        columns_to_win=5,
        player=1,
        owner=USED_UP[winners],
        runners={7: 13},
    )
    scene = after(position, STOP)
    assert position.terminated
    check(scene, position.game)
    shown = tokens(head(read(position.game.picture(scene))))
    assert tuple(token.seat for token in shown) == winners


def test_what_stands_on_a_space_is_not_covered_by_the_rest():
    """Up to four pieces and a runner lie in the space, clear of each other's middle."""
    for count, runner in itertools.product(range(1, 5), (False, True)):
        pieces = {seat: {7: 5} for seat in range(4 - count, 4)}
        runners = {7: 5} if runner and count < 4 else {}
        root = read(set_up(num_players=4, pieces=pieces, runners=runners)._repr_svg_())
        drawn = part(root, "column-7")
        spots = [(t.x, t.y) for t in tokens(drawn)] + runners_in(drawn)[0]
        assert len(spots) == count + len(runners)
        for one, other in itertools.combinations(spots, 2):
            assert np.hypot(one[0] - other[0], one[1] - other[1]) > 9


def test_texts_and_flags_have_room():
    scenes_to_look_at = [Scene(set_up(**p).states) for p in POSITIONS.values()]
    position = set_up(num_players=4, runners={2: 1, 3: 1, 12: 1}, columns_to_win=11)
    position.states["turns"] = 12345
    before = position.states.copy()
    roll(position, (6, 5, 4, 4))
    assert position.state.turns == 12346
    scenes_to_look_at.append(Scene(position.states, before, ROLL))
    for scene in scenes_to_look_at:
        game = load_game("cant_stop", num_players=scene.now.num_players)
        root = read(game.picture(dataclasses.replace(scene, names=LONG_NAMES)))
        assert colliding(root) == []
        assert out_of_picture(root) == []
        for seat in range(game.num_players):
            assert sticking_out(part(root, f"player-{seat}")) == []
