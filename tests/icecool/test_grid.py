"""The discrete form of ICECOOL: a grid over the actions of the continuous one."""

import math

import numpy as np
import pytest

from game_core import IllegalActionError, Position, load_game
from icecool_env.grid import Grid, is_legal, write_action
from icecool_env.state import FLICK, NUM_COMPONENTS, PLACE, SKATES
from icecool_env.text import grid_texts
from tests.games import COMPILED, THOROUGH
from tests.icecool.positions import IN_GYM, PLAYER_COUNTS, set_up

pytestmark = [pytest.mark.nojit, pytest.mark.bounds]

SMALL = {"directions": 4, "strengths": 2, "sides": 3, "heights": 3}
FLICKS = 4 * 2 * 3 * 3 * 3
ACTIONS = FLICKS + 15 + 2
STAY, OWN, OTHER = range(3)
OUTSIDE = (-(2**63), -1, ACTIONS, 2**31, 2**63 - 1)

GAMES = THOROUGH if COMPILED else 1
DECISIONS = 10**6 if COMPILED else 2


def decoded(number: int, **grid: int) -> np.ndarray:
    """Return the continuous action that a number stands for."""
    state = Position.new(load_game("icecool", grid=grid), 0).states[0]
    action = np.full(NUM_COMPONENTS, 7, np.float32)
    write_action(state, number, action)
    return action


def number_of(direction, strength, side, height, choice) -> int:
    """Return the number of a flick of the small grid."""
    return (((direction * 2 + strength) * 3 + side) * 3 + height) * 3 + choice


@pytest.mark.parametrize("direction", range(4))
@pytest.mark.parametrize(("strength", "value"), [(0, 0.0), (1, 1.0)])
def test_directions_go_around_and_strengths_up_to_the_full(direction, strength, value):
    action = decoded(number_of(direction, strength, 1, 0, STAY), **SMALL)
    angle = direction * math.pi / 2
    expected = [math.cos(angle), math.sin(angle), value, 0, 0, 0]
    assert action.tolist() == pytest.approx(expected, abs=1e-7)


def test_sides_heights_and_red_lines():
    for index, value in enumerate((-1, 0, 1)):
        assert decoded(number_of(0, 0, index, 0, 0), **SMALL)[3] == value
    for index, value in enumerate((0, 0.5, 1)):
        assert decoded(number_of(0, 0, 0, index, 0), **SMALL)[4] == value
        assert decoded(number_of(0, 0, 0, 0, index), **SMALL)[5] == value


def test_a_single_level_is_a_full_flat_hit_in_the_middle_to_the_east():
    one = dict.fromkeys(SMALL, 1)
    assert decoded(0, **one).tolist() == [1, 0, 1, 0, 0, 0]


def test_spots_of_the_kitchen_row_by_row_and_the_answers():
    spots = [decoded(FLICKS + spot, **SMALL).tolist() for spot in range(15)]
    assert [spot[0] for spot in spots] == [-1, -0.5, 0, 0.5, 1] * 3
    assert [spot[1] for spot in spots] == [-1] * 5 + [0] * 5 + [1] * 5
    answers = [decoded(FLICKS + 15 + wanted, **SMALL)[0] for wanted in (0, 1)]
    assert answers == [0, 1]


@pytest.mark.parametrize(
    "grid", [Grid(4, 2, 3, 3), Grid(1, 1, 1, 1), Grid(360, 1, 2, 1)]
)
def test_each_action_has_words_of_its_own_that_lead_back_to_it(grid):
    game = load_game("icecool", grid=grid._asdict())
    texts = list(grid_texts(grid))
    assert len(set(texts)) == len(texts) == game.num_actions
    numbers = range(0, len(texts), 1 if len(texts) < 500 else 97)
    for number in numbers:
        assert game.action_to_text(number) == texts[number]
        assert game.text_to_action(f"  {texts[number].upper()} ") == number


def test_words_say_what_an_action_is():
    game = load_game("icecool", grid=SMALL)
    assert game.action_to_text(number_of(1, 0, 2, 1, OTHER)) == (
        "flick 90 degrees, strength 1 of 2, side 3 of 3, height 2 of 3, "
        "red line of the other room"
    )
    assert game.action_to_text(FLICKS + 7) == "place 3 of 5 across, 2 of 3 up"
    assert game.action_to_text(FLICKS + 15) == "no skates"
    assert game.action_to_text(FLICKS + 16) == "skates"


@pytest.mark.parametrize("text", ["", "flick", "place 6 of 5 across, 1 of 3 up", "7"])
def test_other_words_are_refused_with_examples(text):
    game = load_game("icecool", grid=SMALL)
    with pytest.raises(ValueError, match="'skates'") as caught:
        game.text_to_action(text)
    assert repr(text) in str(caught.value)


def choices(position: Position) -> set[int]:
    """Return the choices of a red line that are legal, whatever the flick."""
    mask = position.action_mask()
    assert not mask[FLICKS:].any()
    by_choice = mask[:FLICKS].reshape(-1, 3)
    assert (by_choice == by_choice[0]).all()
    return set(np.flatnonzero(by_choice[0]).tolist())


@pytest.mark.parametrize(
    ("spot", "options", "legal"),
    [
        ((100, 100), {}, {STAY}),
        ((25, 100), {}, {STAY, OWN}),
        ((25, 100), {"stuck_move": "must"}, {STAY, OWN}),
        ((80, 235), {}, {STAY, OWN, OTHER}),
        ((80, 235), {"stuck_move": "must"}, {OWN, OTHER}),
        ((80, 248), {}, {STAY, OWN}),
        ((80, 248), {"stuck_move": "must"}, {OWN}),
        ((80, 235), {"stuck_room": "majority"}, {STAY, OWN}),
        ((80, 235), {"stuck_room": "majority", "stuck_move": "must"}, {OWN}),
    ],
)
def test_r27_r32_r33_the_red_lines_that_may_be_chosen(spot, options, legal):
    position = set_up(places={1: spot, 2: IN_GYM}, grid=SMALL, **options)
    assert choices(position) == legal


def test_r33_who_must_move_but_cannot_stays():
    school = {
        "rooms": [
            ["Classroom", 0, 0, 200, 86],
            ["Kitchen", 0, 86, 200, 300],
            ["Closet", 200, 0, 286, 86],
        ],
        "doors": [
            ["A", ["Classroom", "Kitchen"], 50, True],
            ["B", ["Classroom", "Kitchen"], 150, True],
            ["C", ["Classroom", "Closet"], 43, True],
        ],
    }
    options = {"school": school, "stuck_move": "must", "stuck_room": "majority"}
    places = {0: (243, 43), 1: (203, 43), 2: (100, 200)}
    assert choices(set_up(places=places, grid=SMALL, **options)) == {STAY}
    free = {**places, 0: (50, 200)}
    assert choices(set_up(places=free, grid=SMALL, **options)) == {OWN}


def test_the_mask_follows_the_phase():
    game = load_game("icecool", grid=SMALL)
    mask = Position.new(game, 0).action_mask()
    assert np.flatnonzero(mask).tolist() == list(range(FLICKS, FLICKS + 15))
    position = set_up(phase=SKATES, hands={1: "11"}, grid=SMALL)
    assert position.legal_actions().tolist() == [FLICKS + 15, FLICKS + 16]


@pytest.mark.parametrize("phase", [PLACE, FLICK, SKATES])
def test_the_mask_is_the_set_of_actions_that_are_accepted(phase):
    places = {1: (80, 248), 2: IN_GYM}
    position = set_up(phase=phase, places=places, hands={1: "11"}, grid=SMALL)
    state = position.states[0]
    numbers = np.array((*range(ACTIONS), *OUTSIDE))
    legal = {int(number) for number in numbers if is_legal(state, number)}
    assert legal == set(position.legal_actions().tolist())
    before = position.states.tobytes()
    for number in set(range(ACTIONS)) - legal:
        assert position.game.loops.step_all(position.states, np.array([number])) == 0
    assert position.states.tobytes() == before


def pick(position: Position, rng: np.random.Generator) -> int:
    """Return a legal action; of flicks often one from another place."""
    actions = position.legal_actions()
    elsewhere = actions[actions % 3 != STAY]
    if position.state.phase == FLICK and len(elsewhere) and rng.random() < 0.5:
        actions = elsewhere
    return int(rng.choice(actions))


@pytest.mark.parametrize("stuck_move", ["may", "must"])
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_a_discrete_game_is_a_continuous_one_with_these_actions(
    num_players, stuck_move
):
    options = {"num_players": num_players, "stuck_move": stuck_move}
    options["max_flicks"] = 60
    game = load_game("icecool", grid=SMALL, **options)
    free = load_game("icecool", **options)
    seen = set()
    for seed in range(GAMES):
        rng = np.random.default_rng(seed)
        position, other = Position.new(game, seed), Position.new(free, seed)
        for _ in range(DECISIONS):
            if position.over:
                break
            seen.add(int(position.state.phase))
            number = pick(position, rng)
            action = np.zeros(NUM_COMPONENTS, np.float32)
            write_action(position.states[0], number, action)
            position.step(number)
            other.step(action)
            states = position.states.copy()
            states["grid"] = 0
            assert states.tobytes() == other.states.tobytes(), number
        assert other.over == position.over
        assert position.action_mask().any() != position.over
    assert seen >= {PLACE, FLICK}


@pytest.mark.parametrize("stuck_move", ["may", "must"])
@pytest.mark.parametrize("num_players", PLAYER_COUNTS)
def test_in_games_what_the_mask_does_not_allow_is_refused(num_players, stuck_move):
    game = load_game(
        "icecool",
        num_players=num_players,
        stuck_move=stuck_move,
        max_flicks=40,
        grid=SMALL,
    )
    rng = np.random.default_rng(num_players)
    position = Position.new(game, num_players)
    for _ in range(DECISIONS):
        if position.over:
            break
        legal = position.legal_actions()
        assert len(legal)
        before = position.states.tobytes()
        for number in np.setdiff1d(np.arange(ACTIONS), legal)[::20]:
            refused = position.game.loops.step_all(position.states, np.array([number]))
            assert refused == 0
        assert position.states.tobytes() == before
        position.step(pick(position, rng))
        assert position.states.tobytes() != before


@pytest.mark.parametrize("number", [0, 3, ACTIONS - 1, ACTIONS, -1])
def test_a_refused_action_changes_nothing(number):
    position = set_up(places={1: (80, 235)}, stuck_move="must", grid=SMALL)
    before = position.states.tobytes()
    with pytest.raises(IllegalActionError):
        position.step(number)
    assert position.states.tobytes() == before
