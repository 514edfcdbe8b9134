"""Games and agents found by name, and what is said of names that lead nowhere."""

import pickle
import re

import pytest

from game_core import VectorGame, find_agent, load_game, play
from game_core.agents import find
from game_core.agents.find import agent_names, find_policy, find_potential
from game_core.catalog import GAMES
from game_core.registry import load_task
from tests.games import run_python

MY_BOT = """
from dataclasses import dataclass

@dataclass
class LastBot:
    place: int = -1

    def act(self, view):
        return view.legal_actions[self.place]

def first(view):
    return view.legal_actions[0]
"""


@pytest.fixture
def my_bot(tmp_path):
    """Return a file with agents."""
    file = tmp_path / "my_bot.py"
    file.write_text(MY_BOT, encoding="utf-8")
    return file


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_loaded_by_its_id(game_id):
    game = load_game(game_id)
    assert game.id == game_id
    assert load_game(game_id, **game.options).options == game.options


def test_a_game_of_the_users_own_reaches_a_process_that_has_not_added_it(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setitem(GAMES, "nim", "tests.baselines.nim:make_game")
        sent = pickle.dumps(load_game("nim", stones=7))
    assert "nim" not in GAMES
    assert pickle.loads(sent).options["stones"] == 7


def test_an_unknown_game_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="unknown game 'go'; known games: ") as caught:
        load_game("go")
    assert all(game_id in str(caught.value) for game_id in GAMES)


def test_an_unknown_option_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="unknown option 'x'; known options: num"):
        load_game("cant_stop", x=2)


@pytest.mark.parametrize(
    ("mistaken", "says"),
    [
        (
            lambda: load_game("azull"),
            "unknown game 'azull'; did you mean 'azul'? Known games: ",
        ),
        (lambda: load_game("Cant-Stop"), "did you mean 'cant_stop'?"),
        (lambda: find_potential("cards", "icecol"), "did you mean 'icecool'?"),
        (
            lambda: load_game("azul", players=2),
            "unknown option 'players'; did you mean 'num_players'? Known options: ",
        ),
        (
            lambda: load_game("azul", wall="gray"),
            "wall='gray' is not allowed; did you mean 'grey'? Give 'colored' or 'grey'",
        ),
        (
            lambda: find_agent("gredy", "azul"),
            "unknown agent 'gredy'; did you mean 'greedy'? Agents of azul: ",
        ),
        (
            lambda: find_agent("mcts(simulation=5)", "azul"),
            "did you mean 'simulations'? Settings: simulations",
        ),
        (
            lambda: find_agent("baselines.azul.greedy:gredy", "azul"),
            "has no 'gredy': agent 'baselines.azul.greedy:gredy' is unknown; did you "
            "mean 'greedy'?",
        ),
        (
            lambda: find_potential("card", "icecool"),
            "unknown potential 'card'; did you mean 'cards'? Known potentials: cards",
        ),
        (
            lambda: load_task(load_game("icecool"), "take_fsh", 1),
            "task='take_fsh' is not allowed; did you mean 'take_fish'? Give ",
        ),
        (
            lambda: VectorGame("azul", 1, autoreset_mode="nextstep"),
            "did you mean 'NextStep'?",
        ),
    ],
)
def test_what_was_probably_meant_is_said(mistaken, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        mistaken()


def test_a_baseline_is_found_by_its_name():
    random = find_agent("random", "cant_stop")
    assert random.__name__ == "random"
    assert play(load_game("cant_stop", max_turns=2), [random, random], 1).actions


def test_an_unknown_agent_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="unknown agent 'x'; agents of") as caught:
        find_agent("x", "cant_stop")
    assert all(name in str(caught.value) for name in agent_names("cant_stop"))
    assert "your own as my_bot.py:my_bot" in str(caught.value)


def test_agents_of_one_game_are_not_those_of_another():
    assert "random" in agent_names("cant_stop")
    assert set(agent_names("no_such_game")) < set(agent_names("cant_stop"))


@pytest.mark.parametrize("name", ["first", "LastBot"])
def test_an_agent_is_found_in_a_file(my_bot, name):
    agent = find_agent(f"{my_bot}:{name}", "cant_stop")
    assert agent.__name__ == name
    assert play(load_game("cant_stop", max_turns=2), [agent, agent], 1).actions


def test_a_file_may_be_named_like_a_module(tmp_path):
    file = tmp_path / "random.py"
    file.write_text(MY_BOT, encoding="utf-8")
    assert find_agent(f"{file}:first", "cant_stop").__name__ == "first"
    import random

    assert hasattr(random, "randrange")


def test_a_folder_may_have_parentheses_in_its_name(my_bot, tmp_path):
    folder = tmp_path / "bots (old)"
    folder.mkdir()
    file = my_bot.rename(folder / "my_bot(2).py")
    assert find_agent(f"{file}:first", "cant_stop").__name__ == "first"
    assert find_agent(f"{file}:LastBot(place=-2)", "cant_stop")().place == -2
    with pytest.raises(ValueError, match=r"my_bot\(2\)\.py has no 'second'"):
        find_agent(f"{file}:second", "cant_stop")


def test_an_agent_is_found_in_a_module(my_bot, monkeypatch):
    monkeypatch.syspath_prepend(my_bot.parent)
    assert find_agent("my_bot:first", "cant_stop").__name__ == "first"


def test_an_agent_is_found_in_a_file_of_the_folder(my_bot, monkeypatch):
    monkeypatch.chdir(my_bot.parent)
    for spec in ("my_bot.py:first", "./my_bot.py:first"):
        assert find_agent(spec, "cant_stop").__name__ == "first"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("no_such.py:bot", "there is no file 'no_such.py'"),
        ("no_such_module:bot", "module 'no_such_module' cannot be imported"),
        ("json.no_such:bot", "module 'json.no_such' cannot be imported"),
        ("json:bot", "json has no 'bot': agent 'json:bot' is unknown"),
        (":bot", "module"),
        (".my_bot:bot", "module"),
        ("random:", "random has no ''"),
        ("", "unknown agent ''; agents of cant_stop: "),
    ],
)
def test_a_name_that_leads_nowhere_is_refused(spec, says):
    with pytest.raises(ValueError, match=says):
        find_agent(spec, "cant_stop")


def test_an_attribute_that_a_file_lacks_is_named(my_bot):
    with pytest.raises(ValueError, match=r"my_bot\.py has no 'second'"):
        find_agent(f"{my_bot}:second", "cant_stop")


def test_loading_one_game_loads_no_other():
    packages = {target.partition(".")[0] for target in GAMES.values()}
    for game_id, target in GAMES.items():
        own = target.partition(".")[0]
        code = f"""
import sys
import game_core
assert not {packages!r} & set(sys.modules), "the core loads games"
game_core.load_game({game_id!r})
assert {packages!r} & set(sys.modules) == {{{own!r}}}, "a game loads another"
"""
        done = run_python(code)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("random(x=1)", "agent 'random' takes no settings"),
        ("mcts(", "cannot be read; settings look like"),
        ("mcts(5)", r"'mcts\(5\)' cannot be read"),
        ("mcts(simulations=open('x'))", "cannot be read"),
        ("mcts(sims=5)", "unexpected keyword argument 'sims'; settings: simulations"),
        ("nobody(x=1)", "unknown agent 'nobody'"),
    ],
)
def test_wrong_settings_of_agents_are_told(spec, message):
    with pytest.raises(ValueError, match=message):
        find_agent(spec, "cant_stop")


def test_settings_reach_the_agent():
    agent = find_agent("mcts(simulations=7, hooks=False)", "cant_stop")()
    assert agent.simulations == 7
    assert agent.hooks is False


def test_policies_are_found_by_the_name_of_their_agent():
    assert find_policy("rule_of_28", "cant_stop") is not None
    assert find_policy("mcts", "cant_stop") is None
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        find_policy("nobody", "cant_stop")


def test_agents_with_settings_pickle_as_classes_and_as_objects():
    for spec in ("mcts(simulations=7)", "ppo(sample=True)"):
        made = find_agent(spec, "azul")
        agent = pickle.loads(pickle.dumps(made))()
        again = pickle.loads(pickle.dumps(agent))
        assert vars(again) == vars(made())
        assert isinstance(again, made.__mro__[1])


def test_a_package_that_hides_the_agents_is_named(monkeypatch):
    monkeypatch.setattr(find, "agent_names", lambda game_id: {})
    with pytest.raises(
        ValueError, match="no agent 'greedy': another package baselines"
    ):
        find_agent("greedy", "azul")


def test_a_file_without_a_function_says_what_to_name():
    with pytest.raises(
        ValueError, match=r"is a file; name the function in it.*:my_bot"
    ):
        find_agent("bots/my_bot.py", "azul")


def test_the_name_of_an_agent_is_no_agent_but_says_how_to_find_it():
    with pytest.raises(ValueError, match=r"; find_agent\('random', game\) finds one"):
        play(load_game("azul"), ["random", "random"])
