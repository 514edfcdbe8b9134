"""Many flicks at full strength: nobody goes through walls, overlaps or never rests.

``python -m tests.icecool.soak [FLICKS] [SEED]`` plays as many as one likes.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from icecool_env.physics.flick import run_flick
from icecool_env.school import STANDARD, School, Wall
from icecool_env.state import EXIT, MAX_EVENTS, MAX_PLAYERS, NUM_EVENT_FIELDS
from tests.icecool import poses

MAX_STEPS = 3200
ROWS = 50_000
OVERLAP = 1e-6
WALL_TOP, LINTEL, HEAD = 65.0, 50.0, 42.0
OPENING = 30.0


class Chunk(NamedTuple):
    """Flicks one after the other.

    Attributes:
        path: (rows, seats, 3); each flick begins with the row of its start.
        first: (rows,) whether a row is a start.
        there: (rows, seats) who is on the board and has not left the school.
        ends: (flicks, seats, 2) at rest.
        stays: (flicks, seats) who is on the board at the end and has not left.
        steps: (flicks,).
    """

    path: np.ndarray
    first: np.ndarray
    there: np.ndarray
    ends: np.ndarray
    stays: np.ndarray
    steps: np.ndarray


def play(scenes: list[poses.Scene], school: School) -> Iterator[Chunk]:
    """Play flicks in chunks that are small enough to be kept."""
    states = poses.record(scenes[0].poses, scenes[0].flick, school)
    todo = list(reversed(scenes))
    while todo:
        path = np.zeros((ROWS, MAX_PLAYERS, 3))
        first, there = np.zeros(ROWS, bool), np.zeros((ROWS, MAX_PLAYERS), bool)
        ends, stays, steps, row = [], [], [], 0
        while todo and row + 1 + MAX_STEPS <= ROWS:
            scene = todo.pop()
            poses.place(states, scene.poses, scene.flick)
            path[row, :, 0], path[row, :, 1] = states["x"][0], states["y"][0]
            path[row, :, 2] = 0.0
            events = np.zeros((MAX_EVENTS, NUM_EVENT_FIELDS), np.int64)
            count, num_events = run_flick(states[0], events, path[row + 1 :])
            first[row] = True
            there[row : row + 1 + count] = states["on_board"][0] == 1
            stay = states["on_board"][0] == 1
            for step, kind, seat, _ in events[:num_events].tolist():
                if kind == EXIT:
                    there[row + 1 + step : row + 1 + count, seat] = stay[seat] = False
            ends.append(np.stack([states["x"][0], states["y"][0]], axis=1))
            stays.append(stay)
            steps.append(count)
            row += 1 + count
        yield Chunk(
            path[:row],
            first[:row],
            there[:row],
            np.array(ends),
            np.array(stays),
            np.array(steps),
        )


def check(chunk: Chunk, school: School) -> Counter[str]:
    """Count what should not be in a chunk, and in brackets what may be."""
    found: Counter[str] = Counter()
    for wall in school.walls:
        found += _crossings(chunk, wall, school)
    found["did not come to rest"] = int(np.sum(chunk.steps >= MAX_STEPS))
    found["too close to another"] = _close_pairs(chunk)
    found["too close to a wall"] = _close_to_walls(chunk, school)
    x, y = chunk.ends[:, :, 0], chunk.ends[:, :, 1]
    inside = np.zeros(x.shape, bool)
    for room in school.rooms:
        inside |= (
            (room.left <= x) & (x <= room.right) & (room.bottom <= y) & (y <= room.top)
        )
    found["outside without an exit"] = int(np.sum(chunk.stays & ~inside))
    found["(flicks)"] = len(chunk.steps)
    found["(steps)"] = int(np.sum(chunk.steps))
    found["(exits)"] = int(np.sum(chunk.there[chunk.first] & ~chunk.stays))
    return found


def _crossings(chunk: Chunk, wall: Wall, school: School) -> Counter[str]:
    """Look at every step from one side of a wall to the other."""
    axis = 0 if wall.upright else 1
    across, along = chunk.path[:, :, axis] - wall.place, chunk.path[:, :, 1 - axis]
    lower = across < 0.0
    changes = (lower[1:] != lower[:-1]) & chunk.there[1:] & ~chunk.first[1:, None]
    rows, seats = np.nonzero(changes)
    before, after = across[rows, seats], across[rows + 1, seats]
    place = along[rows, seats] + before / (before - after) * (
        along[rows + 1, seats] - along[rows, seats]
    )
    height = chunk.path[rows + 1, seats, 2]
    on_wall = (wall.start <= place) & (place <= wall.end)
    openings = [
        door.at for door in school.doors if _same_line(school.wall_of(door), wall)
    ]
    in_opening = np.zeros(len(rows), bool)
    for at in openings:
        in_opening |= np.abs(place - at) <= OPENING
    over = height >= WALL_TOP
    under = in_opening & (height + HEAD <= LINTEL)
    found: Counter[str] = Counter()
    found["(crossings over a wall)"] = int(np.sum(on_wall & over))
    found["(crossings in a door)"] = int(np.sum(on_wall & under))
    for i in np.flatnonzero(on_wall & ~over & ~under):
        seat = seats[i]
        view = np.stack([across[:, seat], along[:, seat]], axis=1)
        heights = chunk.path[:, seat, 2]
        if _came_lawfully(view, heights, int(rows[i]), chunk.first, openings):
            found["(crossings of a wall or lintel it came down on or rose into)"] += 1
        else:
            found["through a lintel" if in_opening[i] else "through a wall"] += 1
    return found


def _came_lawfully(
    view: np.ndarray,
    heights: np.ndarray,
    row: int,
    first: np.ndarray,
    openings: list[float],
) -> bool:
    """Tell whether a penguin was over the wall, or in a door, since it was clear."""
    while abs(view[row, 0]) < poses.CLEAR:
        if heights[row] >= WALL_TOP:
            return True
        below = heights[row] + HEAD <= LINTEL
        if below and any(abs(view[row, 1] - at) <= OPENING for at in openings):
            return True
        if first[row]:
            return False
        row -= 1
    return False


def _same_line(part: Wall, wall: Wall) -> bool:
    return part[:2] == wall[:2] and wall.start <= part.start and part.end <= wall.end


def _close_pairs(chunk: Chunk) -> int:
    count = 0
    for one in range(MAX_PLAYERS):
        for other in range(one + 1, MAX_PLAYERS):
            both = chunk.stays[:, one] & chunk.stays[:, other]
            shift = chunk.ends[:, one] - chunk.ends[:, other]
            near = np.hypot(shift[:, 0], shift[:, 1]) < poses.TOUCHING - OVERLAP
            count += int(np.sum(both & near))
    return count


def _close_to_walls(chunk: Chunk, school: School) -> int:
    near = np.zeros(chunk.stays.shape, bool)
    x, y = chunk.ends[:, :, 0], chunk.ends[:, :, 1]
    for piece in school.pieces:
        x0, y0, x1, y1 = piece.ends
        distance = np.hypot(x - np.clip(x, x0, x1), y - np.clip(y, y0, y1))
        near |= distance < poses.CLEAR - OVERLAP
    return int(np.sum(near & chunk.stays))


def soak(count: int, seed: int, school: School = STANDARD) -> Counter[str]:
    """Play flicks at full strength; return what was found, see ``check``."""
    found: Counter[str] = Counter()
    for chunk in play(poses.scenes(seed, count, school, full=True), school):
        found += check(chunk, school)
    return found


def faults(found: Counter[str]) -> dict[str, int]:
    """Return what should not have been found."""
    return {what: n for what, n in found.items() if n and not what.startswith("(")}


if __name__ == "__main__":
    flicks, seed = [*map(int, sys.argv[1:]), *[20_000, 0][len(sys.argv) - 1 :]]
    total = soak(flicks, seed)
    for what, times in sorted(total.items()):
        print(f"{times:12,} {what}")
    sys.exit(1 if faults(total) else 0)
