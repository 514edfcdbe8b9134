"""A flick gives the same bits whenever, wherever and after whatever it is played.

Half of the flicks break groups that touch, where a solver that remembers anything
would give itself away: reused worlds differ in up to 8 % of these.
"""

import hashlib
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from icecool_env.physics import flick, pymunk_world
from icecool_env.physics.constants import DT
from icecool_env.physics.flick import run_flick
from icecool_env.physics.slide import slide
from icecool_env.school import STANDARD
from icecool_env.state import MAX_EVENTS, MAX_PLAYERS, NUM_EVENT_FIELDS
from tests.games import THOROUGH, run_python
from tests.icecool import poses

pytestmark = pytest.mark.slow

FLICKS = 200 * THOROUGH
FLICKS_ELSEWHERE = 100 * THOROUGH
FLICKS_UNCOMPILED = 12  # some 200 ms each
MAX_STEPS = 3200

DIGEST_IN_NEW_PROCESS = """
from tests.icecool.test_purity import digest, outcomes, records
print(digest(outcomes(records({count}))))
"""


def records(count: int) -> np.ndarray:
    """Return records in which the first ``count`` flicks stand."""
    scenes = poses.scenes(42, count)
    states = np.repeat(poses.record(scenes[0].poses, scenes[0].flick), count)
    for i, scene in enumerate(scenes):
        poses.place(states[i : i + 1], scene.poses, scene.flick)
    return states


def outcomes(states: np.ndarray) -> list[bytes]:
    """Play flicks; return for each a digest of the whole way, events and places."""
    path = np.zeros((MAX_STEPS, MAX_PLAYERS, 3))
    results = []
    for state in states.copy():
        events = np.zeros((MAX_EVENTS, NUM_EVENT_FIELDS), np.int64)
        num_steps, num_events = run_flick(state, events, path)
        digest = hashlib.sha256(path[:num_steps].tobytes())
        digest.update(events[:num_events].tobytes())
        digest.update(state.x.tobytes() + state.y.tobytes())
        results.append(digest.digest())
    return results


def digest(results: list[bytes]) -> str:
    return hashlib.sha256(b"".join(results)).hexdigest()


@pytest.fixture(scope="module")
def flicks() -> np.ndarray:
    return records(FLICKS)


@pytest.fixture(scope="module")
def expected(flicks) -> list[bytes]:
    """The outcomes in the order given, all of them different."""
    results = outcomes(flicks)
    assert len(set(results)) == FLICKS
    return results


def test_again_and_in_reversed_order(flicks, expected):
    assert outcomes(flicks[::-1])[::-1] == expected


def test_shuffled_among_other_allocations(flicks, expected):
    rng = random.Random(7)
    order = list(range(FLICKS))
    rng.shuffle(order)
    kept: list = []
    for i in order:
        kept.append(bytearray(rng.randrange(1, 20_000)))
        if rng.random() < 0.2:
            kept = kept[rng.randrange(len(kept)) :]
        if rng.random() < 0.05:
            kept.append(pymunk_world.build(flicks[i]))
        assert outcomes(flicks[i : i + 1]) == [expected[i]]


def test_on_two_threads_at_once(flicks, expected):
    with ThreadPoolExecutor(2) as threads:
        both = threads.submit(outcomes, flicks), threads.submit(outcomes, flicks[::-1])
        forward, backward = (each.result() for each in both)
    assert forward == expected
    assert backward[::-1] == expected


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_in_another_process(expected, hash_seed):
    code = DIGEST_IN_NEW_PROCESS.format(count=FLICKS_ELSEWHERE)
    done = run_python(code, PYTHONHASHSEED=hash_seed)
    assert done.stdout.strip() == digest(expected[:FLICKS_ELSEWHERE]), done.stderr


def test_without_the_compiler(expected):
    code = DIGEST_IN_NEW_PROCESS.format(count=FLICKS_UNCOMPILED)
    done = run_python(code, NUMBA_DISABLE_JIT="1")
    assert done.stdout.strip() == digest(expected[:FLICKS_UNCOMPILED]), done.stderr


def test_through_slide(flicks, expected):
    for i, scene in enumerate(poses.scenes(42, 50)):
        result = slide(scene.poses, scene.flick)
        path = np.zeros((len(result.path), MAX_PLAYERS, 3))
        path[:, : len(scene.poses)] = np.nan_to_num(result.path)
        whole = hashlib.sha256(path.tobytes())
        whole.update(np.array(result.events, np.int64).tobytes())
        x, y = np.zeros((2, MAX_PLAYERS))
        x[: len(scene.poses)], y[: len(scene.poses)] = np.nan_to_num(result.poses).T
        whole.update(x.tobytes() + y.tobytes())
        assert whole.digest() == expected[i]


def test_both_ways_to_a_world_step_alike(flicks):
    """Without the events and curves of a flick, so that it is done in a second."""
    for state in flicks[:50]:
        ends = []
        for world in (flick.world, pymunk_world):
            own_world = world.build(state)
            seat = int(state.flicked)
            vx, vy, _ = state.velocity.tolist()
            world.set_velocity(own_world, seat, vx, vy)
            for _ in range(60):
                world.step(own_world)
            seats = np.flatnonzero(state.on_board).tolist()
            ends.append([tuple(world.position(own_world, i)) for i in seats])
            world.free(own_world)
        assert ends[0] == ends[1]


def reused(states: np.ndarray) -> list[list[tuple[float, float]]]:
    """Play flicks in one space, the plain way: put the penguins back, and go."""
    places: list[list[tuple[float, float]]] = []
    world = pymunk_world.build(states[0])
    for state in states:
        for seat, body in world.bodies.items():
            body.position = float(state.x[seat]), float(state.y[seat])
            body.velocity, body.angular_velocity = (0.0, 0.0), 0.0
        vx, vy, _ = state.velocity.tolist()
        pymunk_world.set_velocity(world, int(state.flicked), vx, vy)
        for _ in range(120):
            world.space.step(DT)
        bodies = world.bodies.values()
        places.append([(body.position.x, body.position.y) for body in bodies])
    return places


def test_a_world_used_again_would_not_be_pure():
    """Why each flick has a world of its own."""
    breaks = [
        scene
        for scene in poses.scenes(3, 1000, STANDARD, full=True)
        if scene.kind == "break" and len(scene.poses) == MAX_PLAYERS
    ][:150]
    states = np.repeat(poses.record(breaks[0].poses, breaks[0].flick), len(breaks))
    for i, scene in enumerate(breaks):
        poses.place(states[i : i + 1], scene.poses, scene.flick)
    forward, backward = reused(states), reused(states[::-1])[::-1]
    assert sum(a != b for a, b in zip(forward, backward, strict=True)) > 0
