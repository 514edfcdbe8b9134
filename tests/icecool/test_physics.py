"""Flicks against closed forms, mirror images and the slow implementation."""

import math
from typing import Any

import numpy as np
import pytest

from game_core import Position, load_game
from icecool_env.physics.slide import Flick, Slide, last_flick, slide
from icecool_env.school import STANDARD, School
from icecool_env.state import EXIT, FLICK
from tests.games import COMPILED, THOROUGH
from tests.icecool import poses, soak
from tests.icecool.poses import FOUR_ROOMS, HALL, Scene, flick_by, mirrored, turned
from tests.naive import icecool_slide as naive

SCENES = 100 * THOROUGH if COMPILED else 8  # for the slow implementation
FLOOR = 0.09 * 9810.0  # how fast the floor slows down
GRAVITY = 9810.0
DT = 1.0 / 400.0
MIDDLE = (2000.0, 1000.0)  # of the hall

# In the two steps after a collision the solver also moves apart what overlaps.
APART = 2


def steps_of(result: Slide, seat: int, start: tuple[float, float]) -> np.ndarray:
    """Return by how much a penguin moved in each step (steps, 2)."""
    return np.diff(np.vstack([start, result.path[:, seat, :2]]), axis=0)


def speeds_east(result: Slide, seat: int, start: tuple[float, float]) -> np.ndarray:
    """Return how fast a penguin moved east in each step."""
    return steps_of(result, seat, start)[:, 0] / DT


def turns_of(steps: np.ndarray) -> np.ndarray:
    """Return by how much the direction changed from step to step."""
    return np.diff(np.unwrap(np.arctan2(steps[:, 1], steps[:, 0])))


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("start", "angle", "strength"),
    [
        (MIDDLE, 2.0, 0.0),
        (MIDDLE, 5.0, 0.3),
        (MIDDLE, math.pi, 0.6),
        ((600.0, 1000.0), 0.0, 1.0),
    ],
)
def test_it_slides_as_far_as_friction_allows(start, angle, strength):
    speed = 150.0 + 2050.0 * strength
    result = slide([start], flick_by(0, angle, strength), HALL)
    way = result.poses[0] - start
    # The solver moves first and slows down then, which is half a step more.
    distance = speed**2 / (2 * FLOOR) + speed * DT / 2
    assert way == pytest.approx(
        [distance * math.cos(angle), distance * math.sin(angle)], abs=0.01
    )
    slower_than_1 = math.ceil((speed - 1.0) / (FLOOR * DT))
    assert len(result.path) == slower_than_1 + 7


@pytest.mark.nojit
@pytest.mark.parametrize("speed", [400.0, 800.0, 2200.0])
def test_a_wall_gives_back_0_5525_of_the_speed(speed):
    start = (100.0, 1000.0)
    speeds = speeds_east(slide([start], Flick(0, (-speed, 0, 0)), HALL), 0, start)
    turn = int(np.argmax(speeds > 0))
    bounced = speeds[turn + APART] + APART * FLOOR * DT
    assert bounced == pytest.approx(-0.5525 * speeds[turn - 1])


@pytest.mark.nojit
@pytest.mark.parametrize("speed", [500.0, 1000.0, 2200.0])
def test_penguins_part_with_0_7225_of_the_speed_they_met_with(speed):
    starts = ((1900.0, 1000.0), (1970.0, 1000.0))
    result = slide(starts, Flick(0, (speed, 0, 0)), HALL)
    ((step, *_),) = result.events
    first, second = (speeds_east(result, i, starts[i]) for i in (0, 1))
    met, parted = step - 1, step - 1 + APART + 1
    assert second[parted] - first[parted] == pytest.approx(0.7225 * first[met])
    friction = 2 * (APART + 1) * FLOOR * DT  # in the step they meet as well
    assert first[parted] + second[parted] + friction == pytest.approx(first[met])


@pytest.mark.nojit
@pytest.mark.parametrize("up", [300.0, 1000.0, 2100.0])
def test_it_jumps_as_high_as_gravity_allows_and_bounces_by_0_3(up):
    heights = slide([MIDDLE], Flick(0, (100.0, 0, up)), HALL).path[:, 0, 2]
    assert max(heights) == pytest.approx(up**2 / (2 * GRAVITY), abs=GRAVITY * DT**2 / 8)
    landing = int(np.argmax(heights == 0.0)) + 1
    assert landing == math.ceil(2 * up / GRAVITY / DT)
    impact = GRAVITY * DT * landing - up
    bounce = 0.3 * impact if 0.3 * impact >= 150.0 else 0.0
    assert max(heights[landing:]) == pytest.approx(
        bounce**2 / (2 * GRAVITY), abs=GRAVITY * DT**2 / 8
    )


@pytest.mark.nojit
def test_it_flies_without_friction_and_loses_speed_where_it_lands():
    result = slide([MIDDLE], Flick(0, (400.0, 0, 400.0)), HALL)
    speeds = speeds_east(result, 0, MIDDLE)
    landing = int(np.argmax(result.path[:, 0, 2] == 0.0))
    assert speeds[:landing] == pytest.approx(400.0)
    impact = GRAVITY * DT * (landing + 1) - 400.0
    assert speeds[landing] == pytest.approx(400.0 - 0.09 * 1.3 * impact)
    assert speeds[landing + 1] == pytest.approx(speeds[landing] - FLOOR * DT)


def test_a_landing_does_not_turn_a_slow_penguin_around():
    result = slide([MIDDLE], Flick(0, (50.0, 0, 2000.0)), HALL)
    landing = int(np.argmax(result.path[:, 0, 2] == 0.0))
    rest = result.path[landing - 1 :, 0, 0]
    assert np.all(rest == rest[0])


@pytest.mark.parametrize("strength", [0.1, 0.4, 0.7, 1.0])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_curve_of_full_side_has_the_same_radius_for_any_strength(strength, side):
    steps = steps_of(slide([MIDDLE], flick_by(0, 1.0, strength, side), HALL), 0, MIDDLE)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    half = int(np.argmax(lengths < lengths[0] / 2))
    radii = lengths[1:half] / turns_of(steps)[: half - 1]
    full = 2200.0 / (0.12 * 110.0)
    assert radii == pytest.approx(np.full(half - 1, -side * full), rel=0.025)


def test_spin_falls_by_45_a_second_on_the_ground_only():
    sliding = slide([MIDDLE], Flick(0, (600.0, 0, 0), 20.0), HALL)
    turns = turns_of(steps_of(sliding, 0, MIDDLE))[:60]
    spins = np.tan(turns / 2) * 2 / (0.12 * DT)
    assert spins == pytest.approx(20.0 - 45.0 * DT * np.arange(1, 61), rel=1e-6)
    hop = slide([MIDDLE], Flick(0, (600.0, 0, 400.0), 20.0), HALL)
    landing = int(np.argmax(hop.path[:, 0, 2] == 0.0))
    turns = turns_of(steps_of(hop, 0, MIDDLE))
    assert turns[:landing] == pytest.approx(0.0, abs=1e-9)
    first_turn = 2 * math.atan(0.12 * (20.0 - 45.0 * DT) * DT / 2)
    assert turns[landing] == pytest.approx(first_turn, rel=1e-6)


def as_mirrored(places: np.ndarray, velocity: tuple[float, ...], spin: float):
    """Return places, a velocity and a spin as a mirror shows them."""
    vx, vy, up = velocity
    return places * [-1, 1] + [600, 0], (-vx, vy, up), -spin


def as_turned(places: np.ndarray, velocity: tuple[float, ...], spin: float):
    """Return places, a velocity and a spin after a quarter turn to the left."""
    vx, vy, up = velocity
    return np.stack([600 - places[:, 1], places[:, 0]], axis=1), (-vy, vx, up), spin


@pytest.mark.parametrize(
    ("plan", "view"),
    [(mirrored(STANDARD), as_mirrored), (turned(STANDARD), as_turned)],
)
def test_a_mirrored_and_a_turned_school_play_alike(plan, view):
    """Rounding differs, and a few flicks, one in forty, are sensitive even to that.

    Nine in ten agree to 1e-9 mm here; the median is 1e-13.
    """
    differences = []
    for scene in poses.scenes(11, 120):
        if scene.kind in ("free", "wall", "doorway"):
            result = slide(scene.poses, scene.flick)
            places, velocity, spin = view(scene.poses, *scene.flick[1:])
            image = slide(places, Flick(scene.flick.seat, velocity, spin), plan)
            expected, *_ = view(result.poses, *scene.flick[1:])
            differences.append(np.nanmax(np.abs(image.poses - expected)))
            assert [e[1:3] for e in image.events] == [e[1:3] for e in result.events]
    assert len(differences) == 36
    assert np.quantile(differences, 0.9) < 1e-9


def test_nobody_goes_through_walls_overlaps_or_never_rests():
    """``python -m tests.icecool.soak`` does it 20,000 times."""
    flicks = 600 * THOROUGH
    found = soak.soak(flicks, seed=1)
    assert soak.faults(found) == {}
    assert found["(flicks)"] == flicks
    assert found["(crossings in a door)"] > flicks / 6
    assert found["(crossings over a wall)"] > flicks / 10
    assert found["(exits)"] > flicks / 30


def test_nobody_goes_through_the_walls_of_another_plan():
    flicks = 200 * THOROUGH
    found = soak.soak(flicks, seed=2, school=FOUR_ROOMS)
    assert soak.faults(found) == {}
    assert found["(crossings in a door)"] > flicks / 12


def test_the_soak_finds_what_goes_through_walls():
    """As they do where the physics knows another plan than the one that is checked."""
    scenes = poses.scenes(2, 100, STANDARD, full=True)
    found = sum(
        (soak.check(chunk, FOUR_ROOMS) for chunk in soak.play(scenes, STANDARD)),
        start=soak.Counter(),
    )
    assert set(soak.faults(found)) == {
        "through a wall",
        "too close to a wall",
        "outside without an exit",
    }


def by_oracle(scene: Scene, school: School) -> naive.Slide:
    """Let the slow implementation play a flick."""
    on_board = ~np.isnan(scene.poses[:, 0])
    x, y = np.nan_to_num(scene.poses).T.tolist()
    return naive.slide(school, x, y, on_board.tolist(), *scene.flick)


@pytest.mark.nojit
@pytest.mark.parametrize("school", [STANDARD, FOUR_ROOMS])
def test_flicks_are_those_of_the_slow_implementation_to_the_last_bit(school):
    seen = set()
    for scene in poses.scenes(5, SCENES, school):
        result, expected = (
            slide(scene.poses, scene.flick, school),
            by_oracle(scene, school),
        )
        there = ~np.isnan(scene.poses[:, 0])
        assert np.array_equal(np.isnan(result.poses), np.isnan(scene.poses))
        places = np.stack([expected.x, expected.y], axis=1)
        assert result.poses[there].tobytes() == places[there].tobytes()
        assert result.events == expected.events
        assert len(result.path) == expected.steps
        path = np.array(expected.path)
        assert result.path[:, there].tobytes() == path[:, there].tobytes()
        assert np.all(np.isnan(result.path[:, ~there]))
        seen |= {kind for _, kind, _, _ in result.events}
    assert seen == {0, 1, 2} or not COMPILED


def random_game(seed: int, asking: bool) -> tuple[bytes, int]:
    """Play on at random; return the record at the end, and how many flicks agreed."""
    position = Position.new(load_game("icecool", num_players=3), seed)
    rng = np.random.default_rng(seed)
    agreed = 0
    for _ in range(120):
        if position.over:
            break
        was_flick = position.states["phase"][0] == FLICK
        round_number = int(position.states["round_number"][0])
        position.step(rng.uniform(-1, 1, 6).astype(np.float32))
        if asking and was_flick:
            state = position.states[0]
            before = position.states.tobytes()
            result = last_flick(position.states)
            assert position.states.tobytes() == before
            there = ~np.isnan(result.poses[:, 0])
            for step, kind, seat, _ in result.events:
                if kind == EXIT:
                    there[seat] = False
                    out = result.path[step - 1, seat, :2]
                    assert np.array_equal(out, result.poses[seat])
            if int(state.round_number) == round_number:
                places = np.stack([state.x, state.y], axis=1)[:3]
                assert np.array_equal(places[there], result.poses[there])
                assert np.abs(result.path[-1, there, :2] - places[there]).max() < 2.0
                agreed += 1
    return position.states.tobytes(), agreed


def test_the_last_flick_of_a_game_leads_to_where_the_penguins_stand():
    played = [random_game(seed, asking=True) for seed in range(3)]
    assert sum(agreed for _, agreed in played) > 150
    assert [end for end, _ in played] == [
        random_game(seed, asking=False)[0] for seed in range(3)
    ]


def test_there_is_no_last_flick_before_the_first():
    position = Position.new(load_game("icecool"), 0)
    with pytest.raises(ValueError, match="no penguin has been flicked"):
        last_flick(position.states)


def test_a_slide_leaves_its_input_alone():
    places = np.array([[100.0, 100.0], [130.0, 100.0], [np.nan, np.nan]])
    given = places.copy()
    slide(places, Flick(0, (900.0, 0.0, 0.0)))
    assert np.array_equal(places, given, equal_nan=True)


ON_CIRCLE = [[182.5, 117.5], [np.nan, np.nan]]
NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("places", "flick", "message"),
    [
        ([], Flick(0, (1, 0, 0)), r"poses of shape \(0,\)"),
        ([[50.0, 50.0]] * 5, Flick(0, (1, 0, 0)), r"poses of shape \(5, 2\)"),
        ([[1.0, 2.0, 3.0]], Flick(0, (1, 0, 0)), r"poses of shape \(1, 3\)"),
        (ON_CIRCLE, Flick(1, (1, 0, 0)), "no penguin 1 on the board"),
        (ON_CIRCLE, Flick(2, (1, 0, 0)), r"(penguin |seat=)2"),
        (ON_CIRCLE, Flick(-1, (1, 0, 0)), r"(penguin |seat=)-1"),
    ],
)
def test_a_slide_refuses_what_is_no_flick(places, flick, message):
    with pytest.raises(ValueError, match=message):
        slide(places, flick)


WRONG_FIELDS: list[Any] = [
    (0, (500, 0)),
    (0, 500),
    (0.0, (500, 0, 0)),
    ("0", (500, 0, 0)),
    (None, (500, 0, 0)),
]
NO_FLICKS = [Flick(*fields) for fields in WRONG_FIELDS]


@pytest.mark.parametrize(
    "flick",
    [
        Flick(0, (NAN, 0, 0)),
        Flick(0, (0, INFINITE, 0)),
        Flick(0, (0, 0, NAN)),
        Flick(0, (0, 0, INFINITE)),
        Flick(0, (500, 0, 0), NAN),
        Flick(0, (500, 0, 0), INFINITE),
        *NO_FLICKS,
    ],
)
def test_a_slide_refuses_a_flick_that_is_no_numbers(flick):
    with pytest.raises(ValueError, match=r"."):
        slide(ON_CIRCLE, flick)


@pytest.mark.parametrize("place", [[INFINITE, 0.0], [0.0, -INFINITE]])
def test_a_slide_refuses_penguins_at_infinity(place):
    with pytest.raises(ValueError, match=r"."):
        slide([[182.5, 117.5], place], Flick(0, (500, 0, 0)))
