"""The position of ICECOOL as a picture: the school from above, and the last flick.

What a player can click or drag has an ``id``: ``penguin-0`` by seat, ``action-yes`` and
``action-no`` for skates. The school is drawn to scale: ``data-scale`` of the element
``school`` is in units per millimetre, and ``data-x`` and ``data-y`` say where the
picture has the lower left corner of the school, so that a click can be turned into a
place or a direction.
"""

import functools
import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from game_core.render import svg
from game_core.render.svg import FRAMES_PER_SECOND, GOLD, INK, RED, SEAT_COLORS
from game_core.scene import Scene
from icecool_env import player_panels
from icecool_env.physics.constants import DT
from icecool_env.physics.slide import Slide, last_flick
from icecool_env.player_panels import EDGE, HEIGHT, MAP, WIDTH, marked_fish
from icecool_env.school import DOOR_HALF_WIDTH, RED_INSET, WALL_RADIUS, School
from icecool_env.state import (
    CIRCLE_RADIUS,
    EXIT,
    FLICK,
    NONE,
    PENGUIN_RADIUS,
    TOUCH,
)
from icecool_env.text import headline

__all__ = ["WALL", "draw_frames", "draw_svg"]

OUTSIDE = 24.0  # mm of snow around the school

SNOW, WALL, LINTEL = "#eaf1f4", "#3d5566", "#a9c1cf"
FLOORS = ("#dcecf3", "#e6e3f2", "#dff0e6", "#f6ead9", "#f3e0e2")
BEAK = "#f08a24"

STEPS_PER_FRAME = round(1 / DT / FRAMES_PER_SECOND)
FINEST = 4.0  # mm between two points of a path
RUNGS = 26.0  # mm between two of the lines that show how high a jump is


class View:
    """Where millimetres of the school are in the picture."""

    def __init__(self, school: School) -> None:
        right = max(room.right for room in school.rooms)
        top = max(room.top for room in school.rooms)
        self.scale = MAP / (max(right, top) + 2 * OUTSIDE)
        self.left = EDGE + (MAP - self.scale * right) / 2
        self.bottom = EDGE + (MAP + self.scale * top) / 2

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the floor is."""
        return self.left + self.scale * x, self.bottom - self.scale * y


def draw_svg(scene: Scene, school: School) -> str:
    """Return a position as SVG; see this module for the ids in it."""
    view, state = View(school), scene.now
    flick = _shown_flick(scene)
    poses = list(zip(state.x, state.y, [0.0] * len(state.x), strict=True))
    return _picture(
        scene,
        school,
        _fish(scene, view),
        _way(flick, view, None) if flick else "",
        *(_penguin(scene, seat, poses[seat], view) for seat in _on_board(scene)),
    )


def draw_frames(scene: Scene, school: School) -> Iterator[str]:
    """Yield the pictures of the last action, 25 a second; the position comes last.

    A flick is shown on the board as it was, with every penguin on its way.
    """
    flick = _shown_flick(scene)
    if flick is not None and scene.before is not None:
        view = View(school)
        before = Scene(scene.before, seat=scene.seat, names=scene.names)
        for step in range(0, len(flick.path), STEPS_PER_FRAME):
            poses = flick.path[step].tolist()
            # Who comes onto the circle for its flick is not there in the record before.
            there = [s for s, pose in enumerate(poses) if not math.isnan(pose[0])]
            yield _picture(
                before,
                school,
                _fish(before, view),
                _way(flick, view, step + 1),
                *(_penguin(before, seat, poses[seat], view) for seat in there),
            )
    yield draw_svg(scene, school)


def _picture(scene: Scene, school: School, *on_the_floor: str) -> str:
    view = View(school)
    return svg.picture(
        WIDTH,
        HEIGHT,
        f"ICECOOL. {headline(scene.states[0])}",
        svg.group(
            _school(school),
            *on_the_floor,
            id="school",
            data_scale=f"{view.scale:.5f}",
            data_x=f"{view.left:.3f}",
            data_y=f"{view.bottom:.3f}",
        ),
        player_panels.bar(scene),
        *player_panels.players(scene),
    )


def _on_board(scene: Scene) -> list[int]:
    state = scene.now
    return [seat for seat in range(state.num_players) if state.on_board[seat]]


@functools.lru_cache(maxsize=4)
def _school(school: School) -> str:
    """Return the floor, red lines, walls and doors."""
    view = View(school)
    floors = [
        _room(view, room, FLOORS[i % len(FLOORS)])
        for i, room in enumerate(school.rooms)
    ]
    x, y = view.at(*school.room_by_name[school.classroom].middle)
    circle = {"fill": "#fff", "fill_opacity": 0.7, "stroke": RED, "stroke_width": 2.0}
    walls: list[str] = []
    for piece in school.pieces:
        x0, y0, x1, y1 = piece.ends
        walls.append(_stretch(view, (x0, y0), (x1, y1), stroke=WALL))
    lintels: list[str] = []
    for lintel in school.lintels:
        x0, y0, x1, y1 = lintel.ends
        look = {"stroke": LINTEL, "stroke_dasharray": "2.5 2.5"}
        lintels.append(_stretch(view, (x0, y0), (x1, y1), **look))
    return svg.group(
        svg.rect(EDGE, EDGE, MAP, MAP, rx=8, fill=SNOW),
        *floors,
        svg.circle(x, y, CIRCLE_RADIUS * view.scale, **circle),
        *lintels,
        svg.group(*walls, stroke_linecap="round"),
    )


def _room(view: View, room: Any, color: str) -> str:
    """Return the floor of a room with its name, and its red line (R27)."""
    x, y = view.at(room.left, room.top)
    w, h = (room.right - room.left) * view.scale, (room.top - room.bottom) * view.scale
    inset = RED_INSET * view.scale
    line = {"fill": "none", "stroke": "#d98c88", "stroke_dasharray": "5 4"}
    name = svg.fitting(room.name, 14, w - 4)
    return (
        svg.rect(x, y, w, h, fill=color)
        + svg.rect(x + inset, y + inset, w - 2 * inset, h - 2 * inset, **line)
        + svg.text(
            x + w / 2, y + inset / 2 + 6, name, 14, anchor="middle", fill="#7d8b95"
        )
    )


def _stretch(
    view: View, start: tuple[float, float], end: tuple[float, float], **look: Any
) -> str:
    ends = (*view.at(*start), *view.at(*end))
    return svg.line(*ends, stroke_width=max(2.5, 2 * WALL_RADIUS * view.scale), **look)


def _fish(scene: Scene, view: View) -> str:
    """Return the fish that hang on the doors, each with the mark of its Runner."""
    state = scene.now
    parts: list[str] = []
    runners = [seat for seat in range(state.num_players) if seat != state.catcher]
    for door in range(state.num_doors):
        kind = state.door_fish[door]
        if kind == NONE:
            continue
        wall, at = state.door_wall[door], state.door_at[door]
        pitch = 2 * DOOR_HALF_WIDTH / max(len(runners), 2)
        for i, seat in enumerate(runners):
            if state.fish_taken[seat][kind]:
                continue
            along = at + (i - (len(runners) - 1) / 2) * pitch
            upright = state.door_upright[door]
            x, y = view.at(*((wall, along) if upright else (along, wall)))
            parts.append(marked_fish(seat, x, y, 21, down=not upright))
    return "".join(parts)


def _penguin(scene: Scene, seat: int, pose: Any, view: View) -> str:
    """Return a penguin; in the air it is nearer to us than its shadow."""
    x, y = view.at(pose[0], pose[1])
    r, up = PENGUIN_RADIUS * view.scale, pose[2] * view.scale
    shadow = svg.circle(x + 1, y + 1.5, r, fill=INK, opacity=0.3 if up else 0.18)
    r, y = r * (1 + 0.004 * pose[2]), y - up
    rings: list[str] = []
    if seat == scene.now.catcher:
        rings.append(
            svg.circle(x, y, r + 3.2, fill="none", stroke=GOLD, stroke_width=3.0)
        )
    if seat == scene.now.player and not scene.now.terminated:
        look = {"fill": "none", "stroke": INK, "stroke_dasharray": "4 3"}
        rings.append(svg.circle(x, y, r + 6.5, stroke_width=1.5, **look))
    beak = [(x - 0.22 * r, y - 0.5 * r), (x + 0.22 * r, y - 0.5 * r), (x, y - 0.14 * r)]
    return svg.group(
        shadow,
        *rings,
        svg.circle(x, y, r, fill=SEAT_COLORS[seat], stroke=INK, stroke_width=1.4),
        svg.circle(x, y + 0.22 * r, 0.66 * r, fill="#fff"),
        svg.seat_mark(seat, x, y + 0.34 * r, 0.42 * r, SEAT_COLORS[seat]),
        svg.circle(x - 0.34 * r, y - 0.52 * r, 0.15 * r, fill="#fff"),
        svg.circle(x + 0.34 * r, y - 0.52 * r, 0.15 * r, fill="#fff"),
        svg.path(svg.polyline(beak, closed=True), fill=BEAK),
        id=f"penguin-{seat}",
        class_="penguin",
    )


def _shown_flick(scene: Scene) -> Slide | None:
    """Return the last flick, unless something else has been decided since."""
    if scene.now.flicked == NONE:
        return None
    if scene.then is not None and scene.then.phase != FLICK:
        return None
    return last_flick(scene.states)


def _way(flick: Slide, view: View, steps: int | None) -> str:
    """Return the ways of all penguins in a flick, up to a step; None for all of it."""
    path = flick.path[:steps]
    parts: list[str] = []
    for seat in range(path.shape[1]):
        way = _thinned(path[:, seat])
        if len(way) > 1:
            parts.append(_way_of(seat, way, view))
    for step, kind, seat, other in flick.events:
        if step <= len(path) and kind in (TOUCH, EXIT):
            x, y, _ = path[step - 1, seat]
            if kind == TOUCH:
                x, y = (path[step - 1, seat, :2] + path[step - 1, other, :2]) / 2
            parts.append(_event(kind, *view.at(float(x), float(y))))
    return "".join(parts)


def _thinned(path: np.ndarray) -> list[tuple[float, float, float]]:
    """Return the points of a way (steps, 3) that are some millimetres apart."""
    kept: list[tuple[float, float, float]] = []
    for x, y, z in path.tolist():
        if not kept or math.dist(kept[-1], (x, y, z)) >= FINEST:
            kept.append((x, y, z))
    return kept


def _way_of(seat: int, way: list[tuple[float, float, float]], view: View) -> str:
    """Return a way: its shadow on the floor, and over it how high it went."""
    ground = [view.at(x, y) for x, y, _ in way]
    lifted = [
        (gx, gy - view.scale * z)
        for (gx, gy), (_, _, z) in zip(ground, way, strict=True)
    ]
    color = SEAT_COLORS[seat]
    parts: list[str] = []
    start = {"fill": "none", "stroke": color, "stroke_dasharray": "3 2.5"}
    parts.append(svg.circle(*ground[0], PENGUIN_RADIUS * view.scale, **start))
    if any(z > 0 for _, _, z in way):
        look = {
            "fill": "none",
            "stroke": INK,
            "stroke_dasharray": "2 3",
            "opacity": 0.55,
        }
        parts.append(svg.path(svg.polyline(ground), stroke_width=1.6, **look))
        parts.append(_rungs(way, ground, lifted, color))
    look = {"fill": "none", "stroke": color, "stroke_linejoin": "round"}
    parts.append(svg.path(svg.polyline(lifted), stroke_width=2.6, opacity=0.85, **look))
    return "".join(parts)


def _rungs(way: Any, ground: Any, lifted: Any, color: str) -> str:
    """Return lines from the floor up to a jump."""
    ends: list[str] = []
    since = RUNGS
    for (one, other), low, high in zip(
        itertools.pairwise(way), ground[1:], lifted[1:], strict=True
    ):
        since += math.dist(one[:2], other[:2])
        if other[2] > 0 and since >= RUNGS:
            ends.append(svg.polyline([low, high]))
            since = 0.0
    return svg.path("".join(ends), stroke=color, stroke_width=1.0, opacity=0.45)


def _event(kind: int, x: float, y: float) -> str:
    """Return a mark where penguins touched, or where one left the school."""
    if kind == TOUCH:
        spikes = [
            (x + r * math.cos(i * math.pi / 8), y + r * math.sin(i * math.pi / 8))
            for i, r in zip(range(16), itertools.cycle((8.5, 3.8)), strict=False)
        ]
        look = {"fill": "#fff3c9", "stroke": GOLD, "stroke_width": 1.5}
        return svg.path(svg.polyline(spikes, closed=True), **look)
    cross = f"M{svg.number(x - 5)} {svg.number(y - 5)}l10 10m0 -10l-10 10"
    return svg.path(cross, stroke=RED, stroke_width=3.0, stroke_linecap="round")
