"""The picture of Azul shows what the record says."""

import colorsys
import dataclasses
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from azul_env.draw import FREE_COLORS, MARK_COLORS, TILE_COLORS, WORKSHOP
from azul_env.state import COLORS, MARKER, NUM_COLORS
from game_core import load_game
from game_core.render.svg import GOLD, INK, PANEL
from game_core.scene import Scene
from tests.azul.positions import (
    LAST,
    LAST_TO_FLOOR,
    LETTERS,
    PATTERN,
    PLAYER_COUNTS,
    SIDES,
    play,
    set_up,
    set_up_with_one_tile_left,
)
from tests.pictures import (
    LONG_NAMES,
    colliding,
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

COSTS = (1, 1, 2, 2, 2, 3, 3)
ACTIONS_OF_A_SOURCE, ACTIONS_OF_A_COLOR = 30, 6


def tiles(element, faint=False):
    """Return the tiles in an element from left to right: color, place, golden or not.

    Each has the color and the mark of its kind. Those that are faint are left out, or
    are the only ones.
    """
    everything = list(element.iter())
    clear = set(map(id, solid(element)))
    found = []
    for i, ground in enumerate(everything):
        if ground.tag != "rect" or ground.get("fill") not in TILE_COLORS:
            continue
        color = TILE_COLORS.index(ground.attrib["fill"])
        assert everything[i + 1].get("fill") == MARK_COLORS[color]
        if (id(ground) in clear) != faint:
            lit = i >= 2 and is_gold(everything[i - 2])
            found.append((color, spot(everything[i - 1]), lit))
    return sorted(found, key=lambda tile: tile[1][0])


def marker_in(element):
    """Return where the marker lies, unless faint, and whether in a golden light."""
    inside = list(solid(element))
    return [
        (spot(box), is_gold(before))
        for before, box in pairwise(inside)
        if box.tag == "rect" and box.get("fill") == PANEL and box.get("stroke") == INK
    ]


def taken_from(scene):
    """Return source and color of the last action, or None if it was no such action."""
    if scene.action is None or scene.then.tiling:
        return None
    source, rest = divmod(int(scene.action), ACTIONS_OF_A_SOURCE)
    return source, rest // ACTIONS_OF_A_COLOR


def check_sources(scene, root):
    """Compare the tiles on displays and in the centre with the record."""
    state = scene.now
    shown = numbers_of(root, r"source-(\d+)-color-(\d)")
    displays = state.sources[: state.num_displays]
    centre = state.sources[state.num_displays]
    assert shown == {
        (source, color)
        for source, counts in enumerate([*displays, centre])
        for color, count in enumerate(counts)
        if count
    }
    discs = [e for e in root if e.tag == "circle" and e.get("fill") == PANEL]
    middles = sorted(spot(disc) for disc in discs)
    assert len(middles) == state.num_displays == 2 * state.num_players + 1
    for source, color in shown:
        pile = part(root, f"source-{source}-color-{color}")
        drawn, count = tiles(pile), state.sources[source][color]
        assert {kind for kind, _, _ in drawn} == {color}
        if source < state.num_displays:
            assert len(drawn) == count
            x, y = middles[source]
            radius = float(discs[0].attrib["r"])
            assert all(np.hypot(at[0] - x, at[1] - y) < radius for _, at, _ in drawn)
        else:
            assert len(drawn) == min(count, 6)
            assert words(pile) == [f"{count}"]
    assert len(marker_in(head(root))) == (state.marker_owner < 0)


def check_taken(scene, root):
    """Compare what is faint on a display with what the last action took from it."""
    state, taken = scene.now, taken_from(scene)
    gone = tiles(head(root), faint=True)
    discs = [e for e in root if e.tag == "circle" and e.get("fill") == PANEL]
    centre = [e for e in root if e.get("fill") == WORKSHOP]
    places = [*sorted(discs, key=spot), *centre]
    golden = [i for i, e in enumerate(places) if e.get("stroke") == GOLD]
    if taken is None or scene.then.round_number != state.round_number:
        assert golden == []
        assert gone == []
        return
    source, color = taken
    assert golden == [source]
    if source < state.num_displays:
        assert (
            Counter(kind for kind, _, _ in gone)
            == Counter(dict(enumerate(scene.then.sources[source]))) + Counter()
        )
        assert all(lit == (kind == color) for kind, _, lit in gone)


def check_board(scene, root, seat):
    """Compare a board with the record, and what is golden with what has changed."""
    state, then = scene.now, scene.then or scene.now
    for row in range(5):
        line = part(root, f"line-{seat}-{row}")
        count, color = state.line_count[seat][row], state.line_color[seat][row]
        filled = tiles(line)
        slots = sorted(spot(e) for e in line.iter("rect") if e.get("width") == "23")
        assert len(slots) == row + 1
        assert [kind for kind, _, _ in filled] == [color] * count
        assert [at for _, at, _ in filled] == slots[row + 1 - count :]
        new = max(0, count - then.line_count[seat][row])
        assert [lit for *_, lit in filled] == [True] * new + [False] * (count - new)
        arrows = [e for e in line.iter("path") if len(e.attrib["d"].split("L")) == 3]
        arrows = [e for e in arrows if spot(e)[0] > slots[-1][0] + 11.5]
        assert len(arrows) == (count == row + 1)
        asked = state.tiling and (seat, row) == (state.player, state.tiling_line)
        assert [is_gold(arrow) for arrow in arrows] == [asked] * len(arrows)
        for column in range(5):
            check_space(scene, root, (seat, row, column))
    check_floor(scene, root, seat)


def check_space(scene, root, place):
    """Compare a space of a wall with the record."""
    space = part(root, "wall-{}-{}-{}".format(*place))
    seat, row, column = place
    color = scene.now.wall[seat][row][column]
    changed = scene.then and scene.then.wall[seat][row][column] != color
    lies = tiles(space)
    if color >= 0:
        assert [(kind, lit) for kind, _, lit in lies] == [(color, bool(changed))]
        return
    assert lies == []
    free = {e.get("fill") for e in space.iter()} & set(FREE_COLORS)
    takes = FREE_COLORS[LETTERS.index(PATTERN[row][column])]
    assert free == ({takes} if scene.now.wall_side == 0 else set())


def check_floor(scene, root, seat):
    """Compare a floor line with the record, and what free spaces cost."""
    floor = part(root, f"floor-{seat}")
    things, then = scene.now.floor[seat], (scene.then or scene.now).floor[seat]
    lie = {at: (color, lit) for color, at, lit in tiles(floor)}
    lie |= {at: (MARKER, lit) for at, lit in marker_in(floor)}
    places = sorted(spot(e) for e in floor.iter("rect") if e.get("width") == "23")
    assert len(places) == 7
    shown = [lie.get(at) for at in places]
    assert shown == [
        None if thing < 0 else (thing, thing != before)
        for thing, before in zip(things, then, strict=True)
    ]
    free = [
        "1" if thing == MARKER else f"\N{MINUS SIGN}{cost}"
        for thing, cost in zip(things, COSTS, strict=True)
        if thing in (-1, MARKER)
    ]
    assert words(floor) == free


def check_players(scene, root, game):
    """Compare who moves or has won, points, rounds and tiles left with the record."""
    state = scene.now
    seats, task = [state.player], "takes tiles"
    if state.truncated:
        task = "cut short: nobody wins"
    elif state.terminated:
        paid = game.payoffs(scene.states)[0]
        seats = [seat for seat, reward in enumerate(paid) if reward == max(paid)]
        task = "wins" if len(seats) == 1 else "win together"
    elif state.tiling:
        task = f"chooses a column in row {state.tiling_line + 1}"
    shown = head(root)
    assert [token.seat for token in tokens(shown)] == seats
    about = (f"round {state.round_number}", f"bag {sum(state.bag)}")
    about = " \N{MIDDLE DOT} ".join((*about, f"lid {sum(state.lid)}"))
    marker = ["1"] if state.marker_owner < 0 else []
    assert words(shown) == [" ".join([*who(scene, seats), task]), about, *marker]
    for seat in range(state.num_players):
        sheet, score = part(root, f"board-{seat}"), state.score[seat]
        points = f"{score} point" if score == 1 else f"{score} points"
        assert words(sheet)[:2] == [scene.name(seat), points]
        assert [token.seat for token in tokens(sheet)] == [seat]
        assert framed(sheet) == (seat in seats and not state.truncated)
        rows = [all(color >= 0 for color in row) for row in state.wall[seat]]
        full = "1 row" if sum(rows) == 1 else f"{sum(rows)} rows"
        assert (full in words(sheet)) == state.terminated
    assert len(numbers_of(root, r"board-(\d)")) == state.num_players


def check(scene, game):
    """Compare a whole picture with the record."""
    root = read(game.picture(scene))
    check_sources(scene, root)
    check_taken(scene, root)
    check_players(scene, root, game)
    for seat in range(scene.now.num_players):
        check_board(scene, root, seat)


def check_text(scene, game):
    """Compare the text beside the picture, and the words about the last action."""
    state, lines = scene.now, game.draw_text(scene.states).splitlines()
    root = read(game.picture(scene))
    if not state.truncated:
        assert all(f"player_{t.seat}" in lines[0] for t in tokens(head(root)))
    for seat in range(state.num_players):
        name, points = words(part(root, f"board-{seat}"))[:2]
        assert f"{name}: {points}" in lines
    if scene.action is None:
        return
    said = game.describe_last(scene)
    action, _, outcome = said.partition(": ")
    assert action == game.action_to_text(scene.action)
    gains = {f"player_{s}": now for s, now in enumerate(state.score)}
    for seat in range(state.num_players):
        gains[f"player_{seat}"] -= scene.then.score[seat]
    told = dict(re.findall(r"(player_\d) ([+-]\d+)(?:, |$)", outcome))
    assert {name: int(gain) for name, gain in told.items()} == {
        name: gain for name, gain in gains.items() if gain
    }


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_random_games_are_drawn_as_they_stand(num_players, side):
    game = load_game("azul", num_players=num_players, wall=side)
    for scene in scenes(game, 3, 0.1):
        check(scene, game)
        check_text(scene, game)


LINES = {0: ("b", "rr", "kkk", "yyyy", "ww"), 1: ("", "r", "", "kkkk", "yyyyy")}
FLOORS = {0: "1bbyrrk", 1: "rwwb"}
FULL = {0: ("byrkw", "wbyrk"), 1: ("byrkw",), 2: ("byrkw",)}

POSITIONS = {
    "a long game": {
        "num_players": 3,
        "centre": "b" * 12 + "y" * 6 + "r" * 7 + "w",
        "marker_owner": 0,
        "lines": LINES,
        "floors": FLOORS,
        "scores": (240, 1, 0),
        "round_number": 100,
    },
    "grey": {"wall": "grey", "lines": LINES, "walls": {0: ("wkryb", "y...b")}},
    "nothing left": {"num_players": 4, "bag": "", "lid": "", "centre": "kkkkkkk"},
    "rows": {"num_players": 4, "walls": FULL, "scores": (99, 100, 101, 1000)},
}


@pytest.mark.parametrize("name", POSITIONS)
def test_odd_positions_are_drawn_as_they_stand(name):
    position = set_up(**POSITIONS[name])
    for names in ((), ("one", "two", "three", "four")):
        check(Scene(position.states, names=names), position.game)


def ended(scores=(), **things):
    """Take the last tile; return the position and what there is to see."""
    position = set_up(displays=LAST, scores=scores, marker_owner=1, **things)
    before = position.states.copy()
    play(position, LAST_TO_FLOOR)
    action = position.game.text_to_action(LAST_TO_FLOOR)
    return position, Scene(position.states, before, action)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [((9, 0, 0), [0]), ((0, 200, 0), [1]), ((6, 6, 6), [0]), ((3, 9, 9), [1, 2])],
)
def test_the_end_is_drawn_with_rows_and_all_winners(scores, winners):
    position, scene = ended(scores, num_players=3, walls=FULL)
    assert position.terminated
    check(scene, position.game)
    check_text(scene, position.game)
    shown = tokens(head(read(position.game.picture(scene))))
    assert [token.seat for token in shown] == winners


def test_the_line_that_asks_for_a_column_is_golden():
    position, scene = ended(wall="grey", lines={0: ("", "rr", "kkk"), 1: ("y",)})
    assert position.state.tiling
    check(scene, position.game)
    before, action = position.states.copy(), int(position.legal_actions()[0])
    position.step(action)
    check(Scene(position.states, before, action), position.game)


def test_the_last_tile_of_all_is_drawn():
    position = set_up_with_one_tile_left()
    check(Scene(position.states), position.game)


def test_colors_are_those_that_words_call_them():
    hues = {"blue": 210, "yellow": 40, "red": 5}
    for name, color in zip(COLORS, TILE_COLORS, strict=True):
        red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
        if name in hues:
            assert abs(360 * hue - hues[name]) < 15
            assert strength > 0.5
        else:
            assert (light > 0.9) if name == "white" else (light < 0.25)


def test_each_color_has_a_mark_of_its_own():
    """For those who see no colors."""
    root = read(set_up(centre="byrkw")._repr_svg_())
    shapes = set()
    for color in range(NUM_COLORS):
        *_, mark = (e for e in part(root, f"source-5-color-{color}") if e.tag != "text")
        x = spot(mark)[0]
        shape = re.sub(r"[\d.]+ [\d.]+", "p", mark.get("d", mark.tag))
        at = [float(n) for n in re.findall(r"[\d.]+", mark.get("d", ""))[:2]]
        shapes.add((shape, bool(at) and abs(at[0] - x) < 0.2))
    assert len(shapes) == NUM_COLORS


def test_texts_have_room():
    seen = [set_up(**things) for things in POSITIONS.values()]
    seen.append(ended((6, 6, 6), num_players=3, walls=FULL)[0])
    for position in seen:
        scene = Scene(position.states, names=LONG_NAMES)
        for names in (LONG_NAMES, LONG_NAMES[::-1]):
            svg = position.game.picture(dataclasses.replace(scene, names=names))
            root = read(svg)
            assert colliding(root) == []
            assert out_of_picture(root) == []
            for seat in range(position.game.num_players):
                assert sticking_out(part(root, f"board-{seat}")) == []
