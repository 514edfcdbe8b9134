"""The list of all agents of a game, with what the stored standings say of them."""

import inspect
from collections.abc import Sequence

from rich.table import Table

from benchmarks.report import formatting
from benchmarks.report.stored_standings import StoredBot, StoredTable, elo_words
from game_core.agents.find import agent_names, find_agent

__all__ = ["agents_of", "figures_of"]

PLAYERS = 2
"""Players in the games from which the figures are."""


def agents_of(game_id: str, stored: Sequence[StoredTable]) -> Table:
    """Return a table of a game's agents, the strongest first, those unrated last."""
    standings = _standings_of(game_id, stored)
    table = Table(title=game_id, title_justify="left", box=None, pad_edge=False)
    table.add_column("Agent", no_wrap=True)
    for name in ("Elo", "95 %", "Time a move"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("How it plays")
    rated = {} if standings is None else {bot.name: bot for bot in standings.bots}
    names = list(agent_names(game_id))
    names.sort(key=lambda name: -rated[name].elo[0] if name in rated else float("inf"))
    for name in names:
        table.add_row(name, *_figures(rated.get(name)), _summary(name, game_id))
    return table


def figures_of(game_id: str, stored: Sequence[StoredTable]) -> str:
    """Return where the figures of a game's agents are from."""
    standings = _standings_of(game_id, stored)
    if standings is None:
        return f"No standings of {game_id} are stored.\n"
    return f"{PLAYERS} players, {standings.anchor} at 0: {standings.about}.\n"


def _standings_of(game_id: str, stored: Sequence[StoredTable]) -> StoredTable | None:
    of_game = (table for table in stored if table.game == game_id)
    return next((table for table in of_game if table.num_players == PLAYERS), None)


def _figures(bot: StoredBot | None) -> tuple[str, str, str]:
    if bot is None:
        return formatting.UNKNOWN, formatting.UNKNOWN, formatting.UNKNOWN
    return *elo_words(bot), formatting.duration(bot.seconds)


def _summary(name: str, game_id: str) -> str:
    agent = find_agent(name, game_id)
    return (inspect.getdoc(agent) or "").partition("\n")[0]
