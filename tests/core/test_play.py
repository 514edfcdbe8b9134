"""Games between agents: what agents may know, logs, replays and forfeits."""

import dataclasses
import json
import math

import numpy as np
import pytest

from cant_stop_env.state import ROLL, STOP
from game_core import (
    GameLog,
    IllegalActionError,
    Position,
    View,
    load_game,
    play,
    replay,
)
from game_core.agents.play import AgentError, ReplayError
from tests.cant_stop.positions import ROLLS
from tests.games import wander
from tests.naive.cant_stop import SPACES

GAME = load_game("cant_stop", columns_to_win=1)


def first_legal(view: View):
    """Play the first legal action, as a function."""
    return view.legal_actions[0]


def any_legal(view: View):
    """Play any legal action; draws from the agent's generator."""
    return view.rng.choice(view.legal_actions)


class LastLegal:
    """Plays the last legal action, as an object or a class."""

    def act(self, view: View):
        """Return the last legal action."""
        return view.legal_actions[-1]


def finished_log(seed: int = 5) -> GameLog:
    """Return the log of a game that ran to its end."""
    log = play(GAME, [any_legal, any_legal], seed)
    assert log.ended == "terminated"
    return log


# Agents.


def test_functions_objects_and_classes_are_agents():
    game = load_game("cant_stop", num_players=3, max_turns=4)
    log = play(game, [any_legal, LastLegal(), LastLegal], seed=1)
    assert log.agents == ("any_legal", "LastLegal", "LastLegal")
    seats = {position.player for position, action in replay(log) if action is not None}
    assert seats == {0, 1, 2}
    for position, action in replay(log):
        if action is not None and position.player > 0:
            assert action == position.legal_actions()[-1]


def test_a_class_is_made_anew_for_each_game_and_seat():
    class Counter:
        made = 0

        def __init__(self):
            Counter.made += 1

        def act(self, view):
            return view.legal_actions[-1]

    for games in (1, 2):
        play(load_game("cant_stop", max_turns=6), [Counter, Counter], seed=1)
        assert Counter.made == 2 * games


def test_names_of_agents_can_be_given():
    assert play(GAME, [any_legal] * 2, 5, names=["a", "b"]).agents == ("a", "b")


def test_another_number_of_agents_than_seats_is_refused():
    with pytest.raises(ValueError, match="got 3 agents for 2 seats"):
        play(GAME, [first_legal] * 3)


@pytest.mark.parametrize("agent", [None, "random", 3])
def test_what_is_no_agent_is_refused(agent):
    with pytest.raises(ValueError, match=r"is no agent: .* method act\(view\)"):
        play(GAME, [first_legal, agent], seed=1)


def test_a_view_shows_the_position_of_the_seat_to_move():
    views = []

    def watch(view):
        legal = view.legal_actions.tolist()
        assert view.game is GAME
        assert np.flatnonzero(view.action_mask).tolist() == legal
        views.append((view.seat, legal, view.observation.tolist(), view.state.turns))
        return any_legal(view)

    log = play(GAME, [watch, watch], seed=2)
    moves = [(position, a) for position, a in replay(log) if a is not None]
    assert len(moves) == len(views) > 0
    for (position, action), view in zip(replay(log), views, strict=False):
        seat, legal, observation, turns = view
        assert seat == position.player
        assert legal == position.legal_actions().tolist()
        assert action in legal
        assert observation == position.observation(seat).tolist()
        assert turns == position.states[0].turns


# Reproducibility.


def test_the_same_seed_gives_the_same_log():
    assert finished_log(5) == finished_log(5)
    assert finished_log(5) != finished_log(6)


def test_without_a_seed_the_log_has_one_that_gives_the_game_again():
    log = play(GAME, [any_legal, any_legal])
    assert play(GAME, [any_legal, any_legal], log.seed) == log
    assert play(GAME, [any_legal, any_legal]).seed != log.seed


def test_agents_get_the_same_generators_for_the_same_game_and_seat():
    def draws(seed):
        drawn = {}

        def record(view):
            drawn.setdefault(view.seat, view.rng.random(3).tolist())
            return view.legal_actions[-1]

        play(load_game("cant_stop", num_players=3, max_turns=4), [record] * 3, seed)
        return [drawn[seat] for seat in range(3)]

    assert draws(1) == draws(1)
    apart = [*draws(1), *draws(2)]
    assert len({tuple(values) for values in apart}) == 6


def test_what_an_agent_draws_does_not_change_what_others_see():
    def spendthrift(view):
        view.rng.random(100)
        return view.legal_actions[-1]

    seen = []

    def witness(view):
        seen.append((view.state.rng, view.rng.random()))
        return view.legal_actions[-1]

    game = load_game("cant_stop", max_turns=8)
    play(game, [spendthrift, witness], seed=3)
    half = len(seen)
    play(game, [LastLegal, witness], seed=3)
    assert seen[:half] == seen[half:]


# What agents cannot know.


def test_no_view_shows_the_random_stream_of_the_game():
    streams = []

    def record(view):
        streams.append({int(view.state.rng), int(view.determinize().states["rng"][0])})
        return any_legal(view)

    log = play(GAME, [record, record], seed=8)
    true = [int(position.states["rng"][0]) for position, _ in replay(log)]
    assert len(streams) == len(log.actions)
    assert not set.union(*streams).intersection(true)
    assert len(set.union(*streams)) == 2 * len(streams)  # each copy has its own


def test_determinized_copies_do_not_depend_on_the_hidden_stream():
    for seed in range(20):
        position = wander(Position.new(GAME, seed), seed, 7)
        other = position.copy()
        other.states["rng"] += np.uint64(12345)
        seat = position.player
        fair, other_fair = (p.determinize(seat, seed=3) for p in (position, other))
        assert fair.states.tobytes() == other_fair.states.tobytes()


def test_no_choice_changes_when_only_the_hidden_stream_does():
    for seed in range(30):
        position = wander(Position.new(GAME, seed), seed, 6)
        other = position.copy()
        other.states["rng"] += np.uint64(12345)
        choices = {
            foresee(View(GAME, p.player, fair, np.random.default_rng(seed)))
            for p in (position, other)
            for fair in [p.determinize(p.player, seed=seed)]
            if not p.over
        }
        assert len(choices) <= 1


def test_what_an_agent_does_to_its_view_does_not_change_the_game():
    def scribble(view):
        action = any_legal(view)
        view.legal_actions[:] = 0
        view.action_mask[:] = 0
        view.observation[:] = 0
        wander(view.position, 1, 20)
        view.position.states["owner"] = 1
        return action

    scribbled = play(GAME, [scribble, scribble], seed=5, names=["a", "b"])
    assert scribbled == play(GAME, [any_legal, any_legal], seed=5, names=["a", "b"])


def foresee(view: View):
    """Roll until the next roll would bust on a copy of the position, then stop."""
    if STOP not in view.legal_actions:
        return any_legal(view)
    trial = view.position.copy()
    trial.step(ROLL)
    return STOP if trial.states[0].turns > view.state.turns else ROLL


def chance_of_bust(state) -> float:
    """Return the exact chance that a roll busts with all three runners out."""
    runners = state.runners.tolist()
    movable = {c for c in SPACES if 0 < runners[c] < SPACES[c]}
    busts = 0
    for a, b, c, d in ROLLS:
        busts += movable.isdisjoint((a + b, a + c, a + d, b + c, b + d, c + d))
    return busts / len(ROLLS)


def busts_of_foreseeing_agents() -> tuple[int, float, int]:
    """Let two agents that try to foresee the dice play.

    Returns:
        How many of their rolls with three runners out bust, how many should by exact
        chances, and the number of those rolls.
    """
    game = load_game("cant_stop", columns_to_win=11)
    busts, expected, rolls = 0, 0.0, 0
    for seed in range(80):
        risked = None
        for position, action in replay(play(game, [foresee, foresee], seed)):
            state = position.states[0]
            busts += risked is not None and state.turns > risked
            risked = None
            if action == ROLL and state.free_runners == 0:
                risked = int(state.turns)
                expected += chance_of_bust(state)
                rolls += 1
    return int(busts), expected, rolls


def most_luck(rolls: int) -> float:
    """Return how far busts stray from their expectation once in 10 million.

    Azuma and Hoeffding: given what was before, each roll differs from its chance by
    an amount in an interval of length 1, so the sum over n strays by t with
    probability at most 2 exp(-2 t^2 / n).
    """
    return math.sqrt(rolls * math.log(2 / 1e-7) / 2)


def test_an_agent_that_tries_to_foresee_the_dice_gains_nothing():
    busts, expected, rolls = busts_of_foreseeing_agents()
    assert rolls > 2000
    assert abs(busts - expected) < most_luck(rolls)


def test_the_same_agent_would_never_bust_if_it_were_given_the_true_position(
    monkeypatch,
):
    """Else the test above could not fail."""
    monkeypatch.setattr(Position, "determinize", lambda self, *_: self.copy())
    busts, expected, rolls = busts_of_foreseeing_agents()
    assert busts == 0
    assert expected - busts > most_luck(rolls)


# Logs and replays.


def test_a_log_says_what_happened():
    log = finished_log()
    assert (log.game, log.version, log.seed) == ("cant_stop", GAME.version, 5)
    assert log.options == GAME.options
    assert log.forfeit_seat is log.forfeit_reason is None
    *_, (last, none) = replay(log)
    assert none is None
    assert last.over
    assert list(log.rewards) == last.rewards.tolist()
    assert sorted(log.rewards) == [-1, 1]


def test_a_log_survives_json():
    log = finished_log()
    line = log.to_json()
    assert "\n" not in line
    assert GameLog.from_json(line) == log
    extended = json.dumps(json.loads(line) | {"written by": "a later version"})
    assert GameLog.from_json(extended) == log


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "5",
        "null",
        "{}",
        '{"game": "cant_stop"}',
        finished_log().to_json()[:-30],
        finished_log().to_json().replace('"seed"', '"sead"'),
    ],
)
def test_a_line_that_is_no_log_is_refused(line):
    with pytest.raises(ReplayError, match="no game log"):
        GameLog.from_json(line)


LOG = finished_log()
FORFEIT = play(GAME, [first_legal, lambda view: -1], 5, names="ab", forfeits=True)


@pytest.mark.parametrize(
    ("log", "changes", "says"),
    [
        (LOG, {"version": 9}, "of cant_stop version 9; this is version 0"),
        (LOG, {"actions": (STOP, *LOG.actions[1:])}, "move 0: player_. cannot play 's"),
        (
            LOG,
            {"actions": (*LOG.actions[:6], 79, *LOG.actions[6:])},
            "move 6: action 7",
        ),
        (LOG, {"actions": LOG.actions[:-1]}, "is unfinished, but the log says termin"),
        (LOG, {"actions": (*LOG.actions, ROLL)}, "move .*: the game is over"),
        (LOG, {"actions": ("roll", *LOG.actions[1:])}, "move 0: action 'roll'"),
        (LOG, {"rewards": LOG.rewards[::-1]}, r"pays \[.*\], but the log says \[.*\]"),
        (LOG, {"rewards": LOG.rewards[:1]}, r"pays \[.*\], but the log says \[.*\]"),
        (LOG, {"ended": "truncated"}, "is terminated, but the log says truncated"),
        (LOG, {"ended": "forfeit"}, "is terminated, but the log says forfeit"),
        (LOG, {"seed": 6}, "move "),
        (FORFEIT, {"ended": "terminated"}, "is unfinished, but the log says termin"),
        (FORFEIT, {"forfeit_seat": 0}, "player_1 is to move, but .* player_0 forf"),
        (FORFEIT, {"rewards": (0.0, 0.0)}, r"pays \[1.0, -1.0\]"),
    ],
)
def test_a_changed_log_does_not_replay_and_the_difference_is_named(log, changes, says):
    list(replay(log))
    changed = dataclasses.replace(log, **changes)
    with pytest.raises(ReplayError, match=says):
        list(replay(changed))


def test_a_log_of_an_unknown_game_or_option_is_refused():
    with pytest.raises(ValueError, match="unknown game 'go'"):
        list(replay(dataclasses.replace(LOG, game="go")))
    with pytest.raises(ValueError, match="unknown option 'x'"):
        list(replay(dataclasses.replace(LOG, options={"x": 1})))


def test_a_capped_game_is_logged_as_truncated():
    log = play(load_game("cant_stop", max_turns=2), [any_legal, any_legal], seed=1)
    assert log.ended == "truncated"
    assert log.rewards == (0.0, 0.0)
    *_, (last, _) = replay(log)
    assert last.truncated


# Forfeits.


def raises(view):
    """Fail as bots do."""
    raise RuntimeError("lost my head")


def exits(view):
    """Leave the program, as a bot with its own command line may."""
    raise SystemExit(3)


def plans_badly(view):
    """Play an illegal action while planning."""
    view.position.step(-1)


def gives_up_without_a_word(view):
    """Fail without saying why."""
    raise AgentError


class Unmakeable:
    """Cannot be made."""

    def __init__(self):
        raise OSError("no weights")

    def act(self, view):
        """Never get here."""


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        (raises, "raised RuntimeError: lost my head"),
        (exits, "raised SystemExit: 3"),
        (plans_badly, "raised IllegalActionError: action -1"),
        (gives_up_without_a_word, ""),
        (Unmakeable, "raised OSError: no weights"),
        (lambda view: None, "illegal action: action None"),
        (lambda view: 1.0, "illegal action: action 1.0"),
        (lambda view: 79, "illegal action: action 79"),
        (lambda view: STOP, "illegal action: player_1 cannot play 'stop'"),
    ],
)
@pytest.mark.parametrize("num_players", [2, 3])
def test_an_agent_that_fails_forfeits(agent, says, num_players):
    game = load_game("cant_stop", num_players=num_players)
    agents = [LastLegal] * num_players
    agents[1] = agent
    log = play(game, agents, seed=5, forfeits=True)
    assert log.ended == "forfeit"
    assert log.forfeit_seat == 1
    assert log.forfeit_reason is not None
    assert log.forfeit_reason.startswith(says)
    share = 1 / (num_players - 1)
    assert log.rewards == tuple(-1.0 if s == 1 else share for s in range(num_players))
    *_, (last, _) = replay(GameLog.from_json(log.to_json()))
    assert last.player == 1


def test_alone_a_forfeit_costs_one():
    log = play(load_game("cant_stop", num_players=1), [raises], 1, forfeits=True)
    assert log.rewards == (-1.0,)
    list(replay(log))


@pytest.mark.parametrize(
    ("agent", "error"),
    [
        (raises, RuntimeError),
        (exits, SystemExit),
        (Unmakeable, OSError),
        (lambda view: STOP, IllegalActionError),
    ],
)
def test_without_forfeits_the_error_is_raised(agent, error):
    with pytest.raises(error):
        play(GAME, [agent, agent], seed=5)


def test_a_user_who_interrupts_is_not_an_agent_that_fails():
    def interrupted(view):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(GAME, [interrupted, interrupted], seed=5, forfeits=True)
