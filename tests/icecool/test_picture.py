"""The picture of ICECOOL shows what the record says."""

import dataclasses
import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from game_core import Position, load_game
from game_core.render.svg import GOLD, INK, RED, SEAT_COLORS
from game_core.scene import Scene
from icecool_env.draw import WALL
from icecool_env.physics.slide import last_flick
from icecool_env.state import EXIT, FLICK, PLACE, SKATES, TOUCH
from tests.icecool.positions import (
    CIRCLE,
    D1,
    D2,
    D4,
    IN_KITCHEN,
    MIRRORED,
    PLAYER_COUNTS,
    set_up,
)
from tests.pictures import (
    LONG_NAMES,
    colliding,
    corners,
    framed,
    head,
    numbers_of,
    out_of_picture,
    part,
    read,
    scenes,
    seat_of_mark,
    spot,
    sticking_out,
    tokens,
    who,
    words,
)

DOOR = 30.0  # mm from the middle of a door to its end, at most
EXACT = 0.2  # mm that rounding in the picture may move something
THIN = 4.2  # mm of a way that may be left out at its end
STEP = 8.0  # mm from where one stood to the first point of its way, which may rise


class Map:
    """The school as drawn, and where its places are in millimetres."""

    def __init__(self, root):
        self.school = part(root, "school")
        self.scale, self.left, self.bottom = (
            float(self.school.attrib[f"data-{name}"]) for name in ("scale", "x", "y")
        )

    def at(self, spot):
        """Return in millimetres where a point of the picture is."""
        return (spot[0] - self.left) / self.scale, (self.bottom - spot[1]) / self.scale


def near(one, other, most=EXACT):
    """Tell whether two places are the same but for rounding."""
    return math.dist(one, other) <= most


def check_walls(scene, school):
    """Compare the walls with those of the record."""
    state = scene.now
    drawn = []
    for wall in school.school.iter("line"):
        if wall.get("stroke") == WALL:
            x0, y0, x1, y1 = (float(wall.attrib[k]) for k in ("x1", "y1", "x2", "y2"))
            drawn.append((*school.at((x0, y0)), *school.at((x1, y1))))
    walls = state.piece[: state.num_pieces]
    assert len(drawn) == len(walls)
    for wall in walls:
        assert any(near(wall[:2], d[:2]) and near(wall[2:], d[2:]) for d in drawn)


def check_penguins(scene, root, school):
    """Compare the penguins on the floor with the record; and who is Catcher."""
    state = scene.now
    seats = [s for s in range(state.num_players) if state.on_board[s]]
    assert numbers_of(root, r"penguin-(\d)") == {(seat,) for seat in seats}
    for seat in seats:
        rings = list(part(root, f"penguin-{seat}").iter("circle"))
        (body,) = [
            e for e in rings if e.get("fill") == SEAT_COLORS[seat] and e.get("stroke")
        ]
        assert near(school.at(spot(body)), (state.x[seat], state.y[seat]))
        golden = [e for e in rings if e.get("stroke") == GOLD]
        assert len(golden) == (seat == state.catcher)
        dashed = [e for e in rings if e.get("stroke-dasharray")]
        assert len(dashed) == (seat == state.player and not state.terminated)
        marks = [e for e in part(root, f"penguin-{seat}").iter() if is_mark(e, seat)]
        assert [seat_of_mark(mark) for mark in marks] == [seat]


def is_mark(element, seat):
    """Tell whether this is the mark of a seat on its penguin."""
    return element.get("fill") == SEAT_COLORS[seat] and not element.get("stroke")


def check_fish(scene, school):
    """Compare the fish on the doors with those that Runners have still to take."""
    state = scene.now
    hanging = []
    children = list(school.school)
    for fish, mark in pairwise(children):
        body = fish.find("path")
        if (
            fish.get("id") is None
            and body is not None
            and body.get("fill") in SEAT_COLORS
        ):
            seat = SEAT_COLORS.index(body.attrib["fill"])
            assert seat_of_mark(mark) == seat
            hanging.append((seat, door_at(state, school.at(spot(mark)))))
    assert Counter(hanging) == Counter(
        (seat, door)
        for seat in range(state.num_players)
        for door in range(state.num_doors)
        if seat != state.catcher and state.door_fish[door] >= 0
        if not state.fish_taken[seat][state.door_fish[door]]
    )


def door_at(state, place):
    """Return the door at a place."""
    found = []
    for door in range(state.num_doors):
        across, along = place if state.door_upright[door] else place[::-1]
        past = abs(across - state.door_wall[door]), abs(along - state.door_at[door])
        if past[0] < 5 and past[1] < DOOR:
            found.append(door)
    (door,) = found
    return door


def knows(scene, seat):
    """Tell whether cards of a seat may be shown."""
    return scene.now.terminated or scene.seat is None or scene.seat == seat


def expected_words(scene, seat):
    """Return what has to stand on a player's sheet."""
    state = scene.now
    down, up = state.face_down[seat], state.face_up[seat]
    lines = [scene.name(seat)]
    if seat == state.catcher:
        lines.append("Catcher")
    if knows(scene, seat):
        lines.append(f"{up + down[1] + 2 * down[2] + 3 * down[3]}")
        piles = [(f"{value}", count) for value, count in enumerate(down)]
    else:
        piles = [(None, sum(down))]
    for value, count in [*piles, ("1", up)]:
        if count:
            lines += [value] * (value is not None)
            lines.append(f"\N{MULTIPLICATION SIGN}{count}")
    if not sum(down) + up:
        lines.append("no cards")
    return lines


def check_player(scene, root, seat):
    """Compare a player's sheet with the record: fish, ID cards, cards and points."""
    state, sheet = scene.now, part(root, f"player-{seat}")
    assert words(sheet) == expected_words(scene, seat)
    assert [token.seat for token in tokens(sheet)] == [seat]
    fish = [
        (e.get("fill") == SEAT_COLORS[seat])
        for e in sheet.iter("path")
        if "Q" in e.attrib["d"] and e.get("fill") in ("none", SEAT_COLORS[seat])
    ]
    catches = seat == state.catcher
    assert fish == ([] if catches else [taken > 0 for taken in state.fish_taken[seat]])
    everything = list(sheet.iter())
    passes = []
    for box, mark in pairwise(everything):
        if box.tag == "rect" and box.get("stroke-width") == "1.6":
            owner = SEAT_COLORS.index(box.attrib["stroke"])
            assert seat_of_mark(mark) == owner
            passes.append(owner)
    others = [s for s in range(state.num_players) if state.caught[s] and s != seat]
    own = [] if state.caught[seat] and not catches else [seat]
    assert sorted(passes) == sorted(own + (others if catches else []))
    yellow = [e for e in sheet.iter("rect") if e.get("fill") == "#fff3c9"]
    assert len(yellow) == (state.face_up[seat] > 0)


def check_bar(scene, root, game):
    """Compare who decides what, or who has won, with the record."""
    state, shown = scene.now, head(root)
    rounds = {2: 4, 3: 3, 4: 4}[state.num_players]
    about = f"round {state.round_number + 1} of {rounds}"
    lines = [f"{about} \N{MIDDLE DOT} flick {state.flicks}"]
    seats = [state.player]
    task = {PLACE: "places", FLICK: "flicks", SKATES: "skates?"}[state.phase]
    answers = set()
    if state.terminated:
        paid = game.payoffs(scene.states)[0]
        seats = [seat for seat, reward in enumerate(paid) if reward == max(paid)]
        task = "wins" if len(seats) == 1 else "win"
    elif state.phase == SKATES:
        lines, answers = [], {"action-yes", "action-no"}
    assert words(shown) == [" ".join([*who(scene, seats), task]), *lines]
    assert [token.seat for token in tokens(shown)] == seats
    ids = {element.get("id") for element in root.iter()}
    assert {name for name in ids if name and "action" in name} == answers
    for seat in range(state.num_players):
        assert framed(part(root, f"player-{seat}")) == (seat in seats)
    assert len(numbers_of(root, r"player-(\d)")) == state.num_players


def check_way(scene, school):
    """Compare the ways of the last flick with where it began and ended."""
    state = scene.now
    ways = {
        SEAT_COLORS.index(e.attrib["stroke"]): corners(e)
        for e in school.school.iter("path")
        if e.get("stroke") in SEAT_COLORS and e.get("stroke-width") == "2.6"
    }
    marks = Counter(e.get("stroke") for e in school.school if e.tag == "path")
    shown = state.flicked >= 0 and (scene.then is None or scene.then.phase == FLICK)
    if not shown:
        assert ways == {}
        assert marks[RED] == marks[GOLD] == 0
        return
    flick = last_flick(scene.states)
    for seat in range(state.num_players):
        start = state.was_x[seat], state.was_y[seat]
        end = flick.poses[seat].tolist()
        if seat in ways:
            assert near(school.at(ways[seat][0]), start, STEP)
            if not math.isnan(end[0]):
                assert near(school.at(ways[seat][-1]), end, THIN)
        elif state.was_on_board[seat]:
            assert near(start, end, THIN)
    kinds = Counter(kind for _, kind, _, _ in flick.events)
    assert marks[RED] == kinds[EXIT]
    assert marks[GOLD] == kinds[TOUCH]


def check(scene, game):
    """Compare a whole picture with the record."""
    root = read(game.picture(scene))
    school = Map(root)
    check_walls(scene, school)
    check_penguins(scene, root, school)
    check_fish(scene, school)
    check_bar(scene, root, game)
    check_way(scene, school)
    for seat in range(scene.now.num_players):
        check_player(scene, root, seat)


def check_text(scene, game):
    """Compare the text beside the picture: who moves or has won, fish and points."""
    state, lines = scene.now, game.draw_text(scene.states).splitlines()
    root = read(game.picture(scene))
    assert all(f"player_{t.seat}" in lines[0] for t in tokens(head(root)))
    for seat in range(state.num_players):
        (line,) = [line for line in lines[1:] if line.startswith(f"player_{seat}: ")]
        shown = words(part(root, f"player-{seat}"))
        if state.terminated:
            assert re.search(rf"\b{shown[1 + ('Catcher' in shown)]} points?$", line)
        else:
            assert ("Catcher" in line) == ("Catcher" in shown)
            taken = f"{sum(state.fish_taken[seat])} of 3 fish"
            assert (taken in line) == ("Catcher" not in shown)


GAMES = [
    {"num_players": 2, "max_flicks": 40},
    {"num_players": 3, "max_flicks": 60, "void_on_exit": True},
    {"num_players": 4, "max_flicks": 80, "school": MIRRORED},
    {"num_players": 2, "max_flicks": 20, "blank_cards": True, "grid": {}},
    {"num_players": 3, "max_flicks": 30, "deck": "tournament"},
]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_random_games_are_drawn_as_they_stand(number):
    game = load_game("icecool", **GAMES[number])
    phases = Counter()
    for scene in scenes(game, 4, 0.06):
        check(scene, game)
        check(dataclasses.replace(scene, seat=scene.now.player), game)
        check_text(scene, game)
        phases[scene.now.phase] += 1
    assert phases[FLICK] > 1


@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_hidden_cards_do_not_change_the_picture(num_players):
    """In no position, for no seat; a determinized copy has others in hidden hands."""
    game = load_game("icecool", num_players=num_players, max_flicks=60)
    changed = 0
    for scene in scenes(game, 6, 0.06):
        for seat in range(num_players) if not scene.now.terminated else ():
            seats, seeds = np.array([seat]), np.array([seat], np.uint64)
            other = game.determinize(scene.states, seats, seeds)
            copy = dataclasses.replace(scene, states=other)
            mine, unknown = (
                game.picture(dataclasses.replace(s, seat=seat)) for s in (scene, copy)
            )
            assert mine == unknown
            changed += game.picture(scene) != game.picture(copy)
    assert changed > 10


POSITIONS = {
    "four": {
        "num_players": 4,
        "catcher": 1,
        "player": 0,
        "caught": {0: 1, 2: 1},
        "hands": {0: "1" * 9 + "2" * 5 + "3" * 9, 1: "333"},
        "face_up": {0: 10, 1: 2},
        "places": {0: (300, 300), 1: (330, 300), 2: (300, 270), 3: None},
        "fish": {0: (D1,), 2: (D2, D4)},
        "round_number": 3,
        "flicks": 399,
    },
    "skates": {"phase": SKATES, "hands": {0: "23", 1: "112"}, "face_up": {1: 2}},
    "nobody there": {"num_players": 2, "places": {0: None, 1: None}, "phase": PLACE},
    "on the circle": {"num_players": 2, "places": {1: CIRCLE}, "first_flick": (1,)},
    "caught twice": {"num_players": 2, "caught": {1: 1}, "places": {0: IN_KITCHEN}},
    "blank cards": {
        "num_players": 4,
        "blank_cards": True,
        "left": "",
        "hands": {0: "0" * 11 + "1" * 10 + "2" * 15 + "3" * 15},
        "face_up": {0: 4},
    },
}


@pytest.mark.parametrize("name", POSITIONS)
def test_odd_positions_are_drawn_as_they_stand(name):
    position = set_up(**POSITIONS[name])
    names = ("one", "two", "three", "four")
    for seat in (None, *range(position.game.num_players)):
        check(Scene(position.states, seat=seat, names=names), position.game)


@pytest.mark.parametrize(
    ("hands", "winners"),
    [
        (("12", "3", "12"), [0, 2]),  # R38: as many points, more cards
        (("1", "3", "12"), [2]),
        (("12", "12", "12"), [0, 1, 2]),
    ],
)
def test_the_end_shows_all_cards_and_all_winners(hands, winners):
    position = set_up(hands=dict(enumerate(hands)), player=1)
    position.states["terminated"] = True
    for seat in (None, 0, 1):
        scene = Scene(position.states, seat=seat)
        check(scene, position.game)
        check_text(scene, position.game)
        shown = tokens(head(read(position.game.picture(scene))))
        assert [token.seat for token in shown] == winners


def test_a_flick_out_of_the_school_is_drawn():
    """Fast and high, until one leaves: at most 200 flicks."""
    for seed in range(200):
        position = set_up(num_players=2, places={1: (300, 60)}, player=1)
        rng = np.random.default_rng(seed)
        before = position.states.copy()
        east, height = rng.normal(), rng.uniform(0.3, 1)
        action = np.array([east, -1, 1, 0, height, -1], np.float32).clip(-1, 1)
        position.step(action)
        if any(kind == EXIT for _, kind, _, _ in last_flick(position.states).events):
            check(Scene(position.states, before, action), position.game)
            return
    pytest.fail("nobody left the school")


def test_a_flick_begins_in_the_film_where_it_did():
    position = Position.new(load_game("icecool", num_players=2), 1)
    position.step([0.0] * 6)
    before = position.states.copy()
    action = np.array([1, 0.4, 0.3, 0, 0.4, 0], np.float32)
    position.step(action)
    scene = Scene(position.states, before, action)
    first, *_, last = map(read, position.game.frames(scene))
    seat = int(position.states["flicked"][0])
    assert seat == before["player"][0]
    school, then = Map(first), Scene(before).now
    body = next(
        e
        for e in part(first, f"penguin-{seat}").iter("circle")
        if e.get("stroke") == INK and e.get("fill") == SEAT_COLORS[seat]
    )
    assert near(school.at(spot(body)), (then.x[seat], then.y[seat]), STEP)
    check_penguins(scene, last, Map(last))


def test_texts_have_room():
    for things in POSITIONS.values():
        position = set_up(**things)
        for names in (LONG_NAMES, LONG_NAMES[::-1]):
            for seat, over in ((None, False), (2, False), (None, True)):
                states = position.states.copy()
                states["terminated"] = over
                scene = Scene(states, seat=seat, names=names)
                root = read(position.game.picture(scene))
                assert colliding(root) == []
                assert out_of_picture(root) == []
                for player in range(position.game.num_players):
                    assert sticking_out(part(root, f"player-{player}")) == []
