"""Tournaments: fair schedules, scores that mean something, files that reproduce."""

import itertools
import json
import math
from collections import Counter

import numpy as np
import pytest

from benchmarks.cli.tables import forfeit_lines
from benchmarks.tournament.replay import verify
from benchmarks.tournament.results import Results, win_shares
from benchmarks.tournament.run import run_tournament
from benchmarks.tournament.schedule import Fixture, Schedule, Tournament, is_own_bot
from cant_stop_env import cant_stop_v0
from game_core import GameLog

AGENTS = ("random", "rule_of_28")


def tournament(agents=AGENTS, **settings):
    options = {"num_players": 2} | settings.pop("options", {})
    settings.setdefault("seed", 0)
    return Tournament("cant_stop", agents, options=options, **settings)


def log_of(rewards, ended="terminated", seat=None, reason=None):
    names = tuple("abcd"[: len(rewards)])
    return GameLog(
        "cant_stop", 0, {}, 1, names, (), tuple(rewards), ended, seat, reason
    )


@pytest.fixture(scope="module")
def played(bot_file, tmp_path_factory):
    """A tournament with a bot in a sandbox: its description, results and file."""
    wanted = tournament((*AGENTS, f"{bot_file}:random_too"), games=19, seed=3)
    path = tmp_path_factory.mktemp("results") / "new" / "played.jsonl"
    return wanted, run_tournament(wanted, path), path


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_all_combinations_sit_at_every_seat_with_the_same_seed(num_players):
    agents = ("a", "b", "c", "d", "e")
    schedule = Schedule(
        tournament(agents, games=7, options={"num_players": num_players})
    )
    fixtures = list(schedule)
    sets = math.ceil(7 / num_players)
    assert len(fixtures) == schedule.games
    assert len(fixtures) == sets * num_players * math.comb(5, num_players)

    seats = Counter((seat, a) for f in fixtures for seat, a in enumerate(f.agents))
    assert set(seats.values()) == {sets * math.comb(4, num_players - 1)}
    for first in range(0, len(fixtures), num_players):
        of_set = fixtures[first : first + num_players]
        assert len({(f.match, f.set, f.seed, frozenset(f.agents)) for f in of_set}) == 1
    assert len({f.seed for f in fixtures}) == sets * math.comb(5, num_players)


def test_seeds_follow_from_the_tournaments_seed_alone():
    def seeds(seed):
        return [f.seed for f in Schedule(tournament(("a", "b"), games=6, seed=seed))]

    assert seeds(1) == seeds(1)
    assert not set(seeds(1)) & set(seeds(2))


def test_a_game_stays_as_it_is_when_agents_and_games_are_added():
    small = set(Schedule(tournament(("b", "a", "c"), games=6, seed=1)))
    large = set(Schedule(tournament(("a", "d", "c", "b"), games=10, seed=1)))
    assert len(small) == 18
    assert small < large


def test_who_sits_next_to_whom_differs_from_set_to_set():
    """All 6 circles of 4 in 100 sets: a false alarm once in 14 million seeds."""
    agents, options = ("a", "b", "c", "d"), {"num_players": 4}
    fixtures = list(Schedule(tournament(agents, games=400, seed=1, options=options)))
    circles = {fixture.agents for fixture in fixtures if fixture.rotation == 0}
    assert len(circles) == 6
    seats = Counter((seat, a) for f in fixtures for seat, a in enumerate(f.agents))
    assert set(seats.values()) == {100}


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_gauntlet_plays_all_matches_with_its_agents(num_players):
    options = {"num_players": num_players}
    wanted = tournament(("a", "b", "c", "d"), gauntlet=("b", "new"), options=options)
    matches = [set(match) for match in Schedule(wanted).matches]
    everyone = itertools.combinations(("a", "b", "c", "d", "new"), num_players)
    assert matches == [set(m) for m in everyone if {"b", "new"} & set(m)]


@pytest.mark.parametrize(
    ("spec", "own"),
    [
        ("random", False),
        ("mcts(simulations=500)", False),
        ("mcts(label='a:b')", False),
        ("my_bot.py:my_bot", True),
        ("my_bot.py:MyBot(speed=3)", True),
        ("/strange:folder/my_bot.py:my_bot", True),
        ("bots (old)/my_bot.py:my_bot", True),
        ("bots (old)/my_bot.py:MyBot(speed=3)", True),
        ("package.module:bot", True),
    ],
)
def test_a_name_with_a_colon_is_ones_own_bot(spec, own):
    assert is_own_bot(spec) is own


def test_a_run_cut_short_has_played_all_matches_equally():
    fixtures = list(Schedule(tournament(("a", "b", "c"), games=10)))
    assert {f.match for f in fixtures[:6]} == {("a", "b"), ("a", "c"), ("b", "c")}


@pytest.mark.parametrize(
    ("log", "shares"),
    [
        (log_of([1, -1]), [1, 0]),
        (log_of([-1, 1, 0.5]), [0, 1, 0]),
        (log_of([0.25, 0.25, -0.5]), [0.5, 0.5, 0]),
        (log_of([-0.2, -0.1]), [0, 1]),
        (log_of([0, 0, 0, 0], "truncated"), [0.25] * 4),
        (log_of([3, 1], "truncated"), [0.5, 0.5]),
        (log_of([0.5, -1, 0.5], "forfeit", 1, "no"), [0.5, 0, 0.5]),
    ],
)
def test_a_win_is_whole_whatever_the_game_pays(log, shares):
    assert win_shares(log) == pytest.approx(shares)


def test_scores_do_not_depend_on_the_reward_option():
    def set_scores(reward):
        results = run_tournament(tournament(games=20, options={"reward": reward}))
        return results.set_scores("random").tolist()

    assert set_scores("win") == set_scores("margin")


def test_the_scores_of_a_table_sum_to_one():
    agents = (*AGENTS, "fifty_percent")
    options = {"num_players": 3, "max_turns": 60}
    results = run_tournament(tournament(agents, games=7, options=options))
    total = sum(results.set_scores(agent) for agent in agents)
    assert total == pytest.approx(np.ones(3))


def test_a_set_takes_the_luck_out(played, bot_file):
    """Two agents that play alike win one game each of every set."""
    _, results, _ = played
    scores = results.set_scores("random", f"{bot_file}:random_too")
    assert scores.tolist() == [0.5] * 10


def test_a_better_agent_scores_better(played):
    _, results, _ = played
    assert results.score("rule_of_28").low > 0.5 > results.score("random").high - 0.25
    against = results.score("random", "rule_of_28").mean
    assert against == 1 - results.score("rule_of_28", "random").mean


def test_the_same_tournament_gives_the_same_bytes(played, tmp_path):
    wanted, _, path = played
    run_tournament(wanted, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes()


def test_the_file_tells_what_was_played(played, bot_file):
    _, results, path = played
    header, *games = map(json.loads, path.read_text().splitlines())
    about = header["tournament"]
    assert about["agents"] == [*AGENTS, f"{bot_file}:random_too"]
    assert (about["game"], about["seed"], about["games"]) == ("cant_stop", 3, 20)
    assert about["options"]["columns_to_win"] == 3
    assert len(games) == about["games_in_all"] == results.games == 60
    assert games[7]["agents"] == ["rule_of_28", "random"]
    assert [(g["set"], g["rotation"]) for g in games[4:8]] == [
        *((0, 0), (0, 1)),
        *((1, 0), (1, 1)),
    ]
    assert sum(games[7]["decisions"]) == len(games[7]["actions"])


def test_an_environment_with_the_logged_seed_sees_the_same_game(played):
    _, _, path = played
    for line in path.read_text().splitlines()[1:7]:
        log = GameLog.from_json(line)
        env = cant_stop_v0.env(**log.options)
        env.reset(seed=log.seed)
        for action in log.actions:
            env.step(action)
        assert tuple(env.rewards.values()) == log.rewards


def test_a_run_that_is_broken_off_leaves_whole_games(tmp_path):
    def break_off(log, results):
        if results.games == 3:
            raise KeyboardInterrupt

    path = tmp_path / "broken.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run_tournament(tournament(games=100), path, break_off)
    assert verify(path) == (3, 100, ())


def test_a_bot_that_hangs_forfeits_and_the_tournament_goes_on(bot_file):
    hanging = f"{bot_file}:slow_later"
    wanted = tournament(("random", hanging), games=2, time_limit=0.5)
    results = run_tournament(wanted)
    assert results.games == 2
    assert [(f.agent, f.number) for f in results.forfeits] == [
        (hanging, 1),
        (hanging, 2),
    ]
    assert results.forfeits[1].reason == "took longer than 0.5 s for a move"
    assert results.score(hanging).mean == 0
    assert results.score("random").mean == 1


def test_many_forfeits_do_not_flood_the_report():
    results = Results([("a", "b")])
    for k in range(40):
        fixture = Fixture(("a", "b"), k, 0, 1, ("a", "b"))
        seat = int(k >= 38)
        results.add(fixture, log_of([-1, 1], "forfeit", seat, f"reason {k}"))
    lines = forfeit_lines(results)
    assert lines[0] == "a forfeits game 1: reason 0"
    assert lines[5] == "a forfeits 33 more games"
    assert lines[6:] == [
        "b forfeits game 39: reason 38",
        "b forfeits game 40: reason 39",
    ]


def test_one_agent_can_take_several_seats():
    agents = ("rule_of_28", "random", "random", "random")
    options = {"num_players": 4}
    results = run_tournament(tournament(agents=agents, options=options, games=40))
    assert results.agents == ["rule_of_28", "random", "random (2)", "random (3)"]
    assert results.matches == [tuple(sorted(results.agents))]
    # Of 40 games among equals, 5 standard errors above a quarter would be 0.59.
    assert results.score("rule_of_28").mean > 0.6


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"agents": ("random",)}, r"1 agents \(random\) for 2 seats; name 2 or more"),
        ({"agents": ("random", "rando")}, "unknown agent 'rando'; did you mean"),
        ({"agents": ("random", "mcts(seconds=0)")}, "seconds=0 is not allowed"),
        ({"agents": ("random", "ppo(file=3)")}, "file=3 is not allowed"),
        ({"games": 0}, "games=0 is not at least 1"),
        ({"seed": -1}, "seed -1 is not"),
        ({"until": 0.0}, "until=0.0 is not a number of Elo above 0"),
        ({"memory_limit": 0}, "memory_limit=0 is not at least 1"),
        ({"game_time_limit": -1.0}, "game_time_limit=-1.0 is not"),
        ({"time_limit": 0.0}, "time_limit=0.0 is not"),
        ({"time_limit": math.nan}, "time_limit=nan is not"),
        ({"options": {"num_players": 1}}, "takes 2 players or more"),
        ({"options": {"columns": 4}}, "unknown option 'columns'"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_happens(
    tmp_path, wrong, message
):
    path = tmp_path / "results.jsonl"
    with pytest.raises(ValueError, match=message):
        run_tournament(tournament(**wrong), path)
    assert not path.exists()
