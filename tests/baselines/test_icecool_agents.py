"""The agents of ICECOOL: what they choose, and how strong they are."""

import math
from typing import Any

import numpy as np
import pytest

from baselines.icecool._shots import (
    AIM,
    BOUNCES,
    MAX_SHOTS,
    PENGUINS,
    SHOT,
    list_shots,
)
from baselines.icecool._tuning import (
    BEGIN,
    fit,
    record,
    square_error,
    write_estimates,
)
from baselines.icecool._value import CAUGHT, EACH_DOOR
from baselines.icecool.aimer import aimer, as_actions
from baselines.icecool.lookahead import Lookahead, lookahead
from baselines.icecool.planner import planner
from baselines.random import random
from game_core import Position, load_game
from game_core.agents.agent import View, as_agent
from game_core.agents.find import agent_names, find_agent
from game_core.agents.play import TERMINATED, play
from icecool_env.physics.slide import simulate
from icecool_env.rules import set_up_flick
from icecool_env.school import STANDARD, School
from icecool_env.state import FLICK, PASS, PLACE, SKATES

pytestmark = pytest.mark.slow

BRIEFLY = Lookahead(flicks=300)
"""Looks into one flick or two only."""

ALL = pytest.mark.parametrize("agent", [aimer, planner, BRIEFLY])
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"num_players": 3},
    {"num_players": 4, "deck": "42", "blank_cards": True},
    {"deck": "tournament", "catcher_start": "centre", "reflick": False},
    {"num_players": 3, "stuck_move": "must", "stuck_room": "majority"},
    {"num_players": 4, "stuck_strict": False, "finish_flick": True},
    {"void_on_exit": True, "self_catch_next": "catcher", "max_flicks": 12},
    {"grid": {}},
    {"grid": {"directions": 8, "sides": 1, "heights": 1}, "num_players": 3},
    {"grid": {"directions": 12}, "stuck_move": "must"},
)
CLASSROOM, LUNCHROOM = (182.0, 118.0), (118.0, 400.0)
KITCHEN, GYM = (420.0, 480.0), (480.0, 180.0)
TWO_FISH = (40.0, 290.0)
"""From where a shot off the wall behind the first door leads to another one."""

COARSE = {"directions": 6, "strengths": 2, "sides": 1, "heights": 1}
TWO_FLICKS = (
    # where the Runner and the Catcher stand; found by a search of such positions
    ((238.0, 208.0), (396.0, 139.0)),
    ((348.0, 509.0), (395.0, 300.0)),
    ((310.0, 232.0), (166.0, 79.0)),
    ((531.0, 141.0), (358.0, 370.0)),
)

FISH_DOORS = (
    # where the Runner stands, the fish, and where the Catcher is
    ((100.0, 120.0), 0, GYM),
    ((60.0, 350.0), 0, GYM),
    ((120.0, 500.0), 1, GYM),
    ((330.0, 540.0), 1, GYM),
    ((250.0, 100.0), 2, LUNCHROOM),
    ((480.0, 60.0), 2, LUNCHROOM),
)


def set_up(
    runner: tuple[float, float],
    catcher: tuple[float, float],
    *,
    to_move: int = 1,
    taken: tuple[int, ...] = (),
    **options: Any,
) -> Position:
    """Return a position in which seat 0 is the Catcher, and 1 a Runner."""
    game = load_game("icecool", first_catcher=0, catcher_start="centre", **options)
    position = Position.new(game, 0)
    state = position.states[0]
    state["on_board"][:2] = 1
    state["x"][:2], state["y"][:2] = np.transpose([catcher, runner])
    state["first_flick"] = 0
    state["fish_taken"][1, list(taken)] = 1
    state["player"] = to_move
    return Position(game, position.states)


def view_of(position: Position, seed: int = 0, agent_seed: int = 0) -> View:
    """Return what the player to move may know."""
    fair = position.determinize(position.player, seed)
    rng = np.random.default_rng(agent_seed)
    return View(position.game, position.player, fair, rng)


def choose(agent: Any, view: View) -> Any:
    """Return an agent's choice."""
    return as_agent(agent).act(view)


def after(agent: Any, position: Position, seed: int = 0) -> Any:
    """Return the record after an agent's choice."""
    position = position.copy()
    position.step(choose(agent, view_of(position, agent_seed=seed)))
    return position.state


def wander(position: Position, seed: int, decisions: int) -> Position:
    """Play random actions, fewer if the game ends before."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        before = position.copy()
        position.step(position.sample_action(rng))
        if position.over:
            return before
    return position


def give_cards(position: Position, seat: int, *values: int) -> Position:
    """Move cards of some values from the deck to a player's face-down cards."""
    position = position.copy()
    for value in values:
        position.states["deck"][0, value] -= 1
        position.states["face_down"][0, seat, value] += 1
    return position


def asked_about_skates(**options: Any) -> Position:
    """Return a position in which the Runner is asked, with fish in sight."""
    position = set_up((100.0, 120.0), KITCHEN, **options)
    position = give_cards(position, 1, 1, 1)
    position.states["phase"] = SKATES
    return Position(position.game, position.states)


def win_share(agent: Any, others: Any, sets: int, **options: Any) -> float:
    """Return an agent's part of the wins, once at every seat in each set."""
    game = load_game("icecool", **options)
    shares = []
    for seed in range(sets):
        for seat in range(game.num_players):
            agents = [others] * game.num_players
            agents[seat] = agent
            rewards = play(game, agents, seed).rewards
            won = rewards[seat] == max(rewards)
            shares.append(won / rewards.count(max(rewards)))
    return sum(shares) / len(shares)


def other_way_round() -> School:
    """Return the school as in a mirror."""
    plan = STANDARD.to_dict()
    plan["rooms"] = [[n, 600 - r, b, 600 - le, t] for n, le, b, r, t in plan["rooms"]]
    upright = {"D2", "D4", "C4"}
    plan["doors"] = [
        [name, rooms, at if name in upright else 600 - at, fish]
        for name, rooms, at, fish in plan["doors"]
    ]
    return School.from_dict(plan)


def test_the_registry_finds_them():
    assert {"aimer", "planner", "lookahead", "random"} <= set(agent_names("icecool"))
    assert find_agent("aimer", "icecool") is aimer
    assert find_agent("planner", "icecool") is planner
    assert find_agent("lookahead", "icecool") is lookahead
    assert find_agent("lookahead(flicks=400)", "icecool")().flicks == 400


def test_a_budget_is_a_number_of_flicks():
    with pytest.raises(ValueError, match="flicks=0"):
        Lookahead(flicks=0)


@ALL
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_choices_are_legal_wherever_chance_leads(agent, options: dict[str, Any]):
    game = load_game("icecool", **options)
    phases = set()
    for decisions in (0, 1, 12):
        position = wander(Position.new(game, 0), decisions, decisions)
        phases.add(int(position.state.phase))
        position.step(choose(agent, view_of(position)))
    if "catcher_start" not in options:
        assert PLACE in phases
    assert FLICK in phases


@ALL
@pytest.mark.parametrize("grid", [None, {}])
def test_skates_are_taken_to_the_next_fish(agent, grid: Any):
    position = asked_about_skates(grid=grid)
    assert after(agent, position)["face_up"][1] == 2


def test_aimer_keeps_its_skates_when_they_lead_nowhere():
    # Blocked by the Catcher, that has caught it: no fish, and nothing to flee from.
    position = asked_about_skates()
    position.states["fish_taken"][0, 1] = (1, 1, 0)
    position.states["x"][0, :2], position.states["y"][0, :2] = (450, 100), (450, 500)
    position.states["caught"][0, 1] = 2
    assert after(aimer, position)["face_up"][1] == 0


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_whole_games_of_aimers_end(num_players: int):
    game = load_game("icecool", num_players=num_players)
    for seed in range(5):
        log = play(game, [aimer] * num_players, seed)
        assert log.ended == TERMINATED
        assert len(log.actions) < 100 * num_players * num_players


@ALL
def test_agents_find_their_way_in_another_school(agent):
    game = load_game("icecool", school=other_way_round())
    position = Position.new(game, 0)
    rounds_seat = int(position.state.catcher)
    for _ in range(20):
        player = aimer if position.player == rounds_seat else agent
        position.step(choose(player, view_of(position)))
        if position.state.fish_taken.any():
            return
    pytest.fail("no fish was taken")


@ALL
@pytest.mark.parametrize(("runner", "fish", "catcher"), FISH_DOORS)
def test_the_last_fish_in_front_is_taken_at_once(agent, runner, fish: int, catcher):
    others = tuple({0, 1, 2} - {fish})
    position = set_up(runner, catcher, taken=others, num_players=3)
    assert after(agent, position)["endings"].tolist() == [1, 0, 0]


@ALL
@pytest.mark.parametrize("runner", [(60.0, 560.0), (190.0, 300.0), (280.0, 560.0)])
def test_a_runner_in_plain_sight_is_caught(agent, runner):
    position = set_up(runner, (120.0, 530.0), to_move=0, num_players=3)
    assert after(agent, position)["caught"][1]


def test_aimer_bounces_around_a_penguin_in_between():
    # The one in between is caught already, and the only way to end the round is around.
    position = set_up((150.0, 60.0), (40.0, 60.0), to_move=0, num_players=3)
    state = position.states[0]
    state["on_board"][2], state["caught"][2] = 1, 1
    state["x"][2], state["y"][2] = 95.0, 60.0
    record = after(aimer, position)
    assert record["round_number"] == 1
    assert record["endings"].tolist() == [0, 1, 0]
    straight = math.atan2(record["velocity"][1], record["velocity"][0])
    assert abs(straight) > 0.5


def test_planner_takes_two_fish_in_one_flick():
    position = set_up(TWO_FISH, KITCHEN, num_players=3)
    assert after(planner, position)["fish_taken"][1].sum() == 2


def can_catch(position: Position) -> bool:
    """Tell whether any flick of a coarse grid catches the Runner."""
    legal = position.legal_actions()
    copies = np.repeat(position.states, len(legal))
    position.game.loops.step_all(copies, legal)
    return bool((copies["caught"][:, 1] > 0).any())


def can_catch_by_skates(agent: Any, position: Position) -> bool:
    """Tell whether a flick can catch after an agent's and another turn on skates."""
    position = position.copy()
    position.step(choose(agent, view_of(position)))
    position.step(position.game.text_to_action("skates"))
    return can_catch(position)


@pytest.mark.parametrize(("runner", "catcher"), TWO_FLICKS)
def test_lookahead_sees_a_catch_two_flicks_ahead_that_planner_misses(runner, catcher):
    position = set_up(runner, catcher, to_move=0, num_players=3, grid=COARSE)
    position = give_cards(position, 0, 1, 1)
    assert not can_catch(position)
    assert not can_catch_by_skates(planner, position)
    assert can_catch_by_skates(Lookahead(), position)


def test_straight_shots_pass_the_doors_that_geometry_says():
    game = load_game("icecool")
    shots, straight = np.zeros((MAX_SHOTS, SHOT)), 0
    for seed in range(10):
        position = wander(Position.new(game, seed), seed, decisions=8)
        if position.state.phase != FLICK:
            continue
        seat = position.player
        count = list_shots(position.states[0], seat, shots)
        for shot in shots[:count]:
            if 0 <= shot[AIM] < PENGUINS and not shot[BOUNCES]:
                flicked = position.copy()
                set_up_flick(flicked.states[0], as_actions(shot[None])[0])
                events = simulate(flicked.states).events
                assert (PASS, seat, int(shot[AIM])) in {event[1:] for event in events}
                straight += 1
    assert straight > 100


@ALL
def test_what_others_hold_face_down_plays_no_part(agent):
    for seed in range(3):
        start = set_up(CLASSROOM, KITCHEN, to_move=seed % 2)
        other = 1 - start.player
        choices = [
            np.asarray(
                choose(agent, view_of(give_cards(start, other, *cards), seed))
            ).tolist()
            for cards in ((1, 1, 2), (3, 3, 2), (1, 2, 3))
        ]
        assert choices[0] == choices[1] == choices[2]


@ALL
def test_what_will_be_drawn_plays_no_part(agent):
    position = give_cards(set_up((100.0, 120.0), KITCHEN), 1, 1)
    choices = {
        np.asarray(choose(agent, view_of(position, seed))).tobytes()
        for seed in range(4)
    }
    assert len(choices) == 1


@ALL
def test_the_same_game_is_played_again(agent):
    game = load_game("icecool", max_flicks=2)
    logs = [play(game, [agent, aimer], seed=3) for _ in range(2)]
    assert logs[0].actions == logs[1].actions
    assert logs[0].actions != play(game, [agent, aimer], seed=4).actions


# Floors of strength, with fixed seeds. The aimer won all of 200 games against random;
# if its share is 0.97, more than 7 of 20 games are lost once in 2 * 10**7 changes.
def test_aimer_beats_random():
    assert win_share(aimer, random, sets=10) >= 0.65


# If its share is 0.95, over 2 of 4 are lost once in 2,000 changes.
def test_planner_beats_aimer():
    assert win_share(planner, aimer, sets=2) >= 0.5


# If its share is 0.9, none of 4 is won once in 10,000 changes.
def test_lookahead_beats_aimer():
    assert win_share(BRIEFLY, aimer, sets=2) >= 0.25


def test_lookahead_plays_like_planner_as_runner():
    position = set_up(TWO_FISH, KITCHEN)
    assert (
        choose(planner, view_of(position)).tolist()
        == choose(lookahead, view_of(position)).tolist()
    )


def test_numbers_are_found_that_foretell_what_is_drawn():
    row = BEGIN.copy()
    row[CAUGHT], row[EACH_DOOR] = 0.5, 0.4
    game = record(2, 0)
    assert game.drawn.min() >= 0
    assert game.drawn[0].sum() in (3, 4, 5, 6)  # two ID cards, and fish
    write_estimates(game.facts, game.catchers, row, game.drawn)
    assert square_error(BEGIN, [game]) > 0.01
    assert square_error(fit([game]), [game]) < 0.001
