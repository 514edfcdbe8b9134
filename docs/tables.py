"""Writes the tables of the documentation that come from the code.

A page asks for a table with two comments, and ``python docs/tables.py`` writes it
between them::

    <!-- generated: actions azul wall=grey -->
    <!-- end generated -->

The words are one of ``TABLES``, a game, and the game's options. ``--check`` writes
nothing and names the pages that are not current.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import gymnasium
import tyro

from azul_env.state import ACTIONS_PER_SOURCE, PLACES
from benchmarks.report import formatting
from benchmarks.report.stored_standings import elo_words, read_standings
from cant_stop_env.state import FIRST_SINGLE, ROLL, STOP
from game_core import load_game
from game_core.agents.find import agent_names, find_agent
from game_core.catalog import GAMES, maker_of
from game_core.game import Game
from game_core.validation.game_options import Declared, options_of
from icecool_env.grid import NUM_SPOTS, Grid
from icecool_env.school import STANDARD, School

DOCS = Path(__file__).parent

BEGIN, END = "<!-- generated: ", "<!-- end generated -->"

PLACE = re.compile(rf"({BEGIN}([^\n]+) -->\n)(?:(?!{BEGIN}).)*?({END})", re.S)
"""A place for a table: the comment above, what it asks for, and the comment below."""

MANY = 10**6
"""A bound that nobody reaches is not told."""

VALUES = {
    bool: "`True` or `False`",
    type(None): "`None`",
    School: "`School`",
    Mapping: "dict",
}
"""Type of an option -> what a reader calls it."""


def options(game_id: str) -> str:
    """Return the options of a game: name, values, default and meaning."""
    rows = [
        (
            f"`{name}`",
            " or ".join(values(declared)),
            f"`{declared.option.default!r}`",
            meaning(declared),
        )
        for name, declared in options_of(maker_of(game_id)).items()
    ]
    return table(("Option", "Values", "Default", "Meaning"), rows)


def meaning(declared: Declared) -> str:
    """Return what an option does, with a link to the rewards."""
    text = declared.option.meaning.replace("``", "`")
    return re.sub(r"`\w+\.rewards`", "[Rewards](#rewards)", text)


def values(declared: Declared) -> Iterator[str]:
    """Yield in words the values that an option has."""
    low, high = declared.option.low, declared.option.high
    for kind in declared.types:
        if get_origin(kind) is Literal:
            yield from (f"`{word!r}`" for word in get_args(kind))
        elif kind is not int:
            yield VALUES[get_origin(kind) or kind]
        elif high is None:
            yield "a seat"
        else:
            yield f"{low} to {high}" if high < MANY else f"a number from {low}"


def actions(game_id: str, *settings: str) -> str:
    """Return the numbered actions of a game, in groups."""
    game = game_with(game_id, settings)
    rows = [
        (
            f"{first}" if first == last else f"{first} to {last}",
            f"`{game.action_to_text(first)}`",
            f"`{game.action_to_text(last)}`",
            meaning,
        )
        for first, last, meaning in ACTIONS[game_id](game)
    ]
    return table(("Number", "The first", "The last", "Meaning"), rows)


def _cant_stop_actions(game: Game) -> Iterable[tuple[int, int, str]]:
    del game
    return (
        (0, FIRST_SINGLE - 1, "move in both columns of a pairing (CS4 to CS6)"),
        (FIRST_SINGLE, ROLL - 1, "move in one column, if the other cannot be used"),
        (ROLL, ROLL, "roll the dice (CS3)"),
        (STOP, STOP, "stop; the runners become pieces (CS9)"),
    )


def _azul_actions(game: Game) -> Iterable[tuple[int, int, str]]:
    sources = game.num_actions // ACTIONS_PER_SOURCE
    for source in range(sources):
        first = source * ACTIONS_PER_SOURCE
        what = "the centre" if source == sources - 1 else f"display {source + 1}"
        yield (
            first,
            first + ACTIONS_PER_SOURCE - 1,
            f"take a color from {what}: 5 colors, each with {PLACES} places",
        )
    first = sources * ACTIONS_PER_SOURCE
    if first < game.num_actions:
        yield first, game.num_actions - 1, "the wall column for a tile (AZ-V1)"


def _icecool_actions(game: Game) -> Iterable[tuple[int, int, str]]:
    grid = Grid(**game.options["grid"])
    spots = grid.num_flicks
    answers = spots + NUM_SPOTS
    return (
        (0, spots - 1, "a flick: direction, strength, side, height, red line"),
        (spots, answers - 1, "where the Catcher starts in the Kitchen (R9)"),
        (answers, game.num_actions - 1, "reveal two cards for another turn (R22)"),
    )


ACTIONS: dict[str, Callable[[Game], Iterable[tuple[int, int, str]]]] = {
    "cant_stop": _cant_stop_actions,
    "azul": _azul_actions,
    "icecool": _icecool_actions,
}
"""Game id -> its groups of actions: first number, last number, meaning."""


def observation(game_id: str, *settings: str) -> str:
    """Return the parts of an observation, and its size for each number of players."""
    game = game_with(game_id, settings)
    where = game.observation_layout.slices
    rows = [
        (
            f"{where[name].start}"
            if size == 1
            else f"{where[name].start} to {where[name].stop - 1}",
            f"`{name}`",
            f"{size}",
            meaning,
        )
        for name, size, meaning in game.observation_layout
    ]
    counts = [
        f"{game_with(game_id, (*settings, f'num_players={n}')).observation_size} "
        f"with {n}"
        for n in (2, 3, 4)
    ]
    parts = table(("Entry", "Part", "Size", "Meaning"), rows)
    return f"{parts}\n\nThat is with 2 players. In all: {', '.join(counts)}."


def plan() -> str:
    """Return the rooms and doors of ICECOOL's own school, in millimetres."""
    rooms = [
        (name, f"{left:g} to {right:g}", f"{bottom:g} to {top:g}")
        for name, left, bottom, right, top in STANDARD.rooms
    ]
    fields = STANDARD.fields()
    doors = []
    for i, door in enumerate(STANDARD.doors):
        middle = fields["door_wall"][i], fields["door_at"][i]
        x, y = middle if fields["door_upright"][i] else middle[::-1]
        between = f"{' and '.join(door.rooms)}{', with fish' if door.fish else ''}"
        doors.append((door.name, between, f"{x:g}", f"{y:g}"))
    of_rooms = table(("Room", "x", "y"), rooms)
    return f"{of_rooms}\n\n{table(('Door', 'Between', 'x', 'y'), doors)}"


def components() -> str:
    """Return what the numbers of ICECOOL's continuous action mean, as its rules say."""
    rules = (DOCS / "rules" / "icecool.md").read_text("utf-8")
    start = rules.index("| decision | component | meaning |")
    return rules[start:].partition("\n\n")[0]


def bots(game_id: str) -> str:
    """Return the bots of a game, the strongest first, and how they play."""
    stored = {
        table.num_players: table for table in read_standings() if table.game == game_id
    }
    with_two = stored[2]
    rated = [bot.name for bot in with_two.bots]
    names = rated + [name for name in agent_names(game_id) if name not in rated]
    rows = []
    for name in names:
        cells = [f"`{name}`"]
        for players in (2, 4):
            bot = stored[players].bot(name)
            elo, interval = elo_words(bot) if bot else (formatting.UNKNOWN, "")
            cells.append(f"{elo} ({interval})" if interval else elo)
        bot = with_two.bot(name)
        cells.append(formatting.duration(bot.seconds) if bot else formatting.UNKNOWN)
        doc = inspect.getdoc(find_agent(name, game_id)) or ""
        cells.append(doc.partition("\n")[0].replace("``", "`"))
        rows.append(cells)
    head = ("Bot", "Elo, 2 players", "Elo, 4 players", "Time a move", "How it plays")
    return f"{table(head, rows)}\n\n```console\n{with_two.command}\n```"


def facts(game_id: str) -> str:
    """Return a game at a glance: what to import, who plays, what goes in and out."""
    game = load_game(game_id)
    players = options_of(maker_of(game_id))["num_players"].option.meaning
    module = f"{game_id}_v{game.version}"
    specs = gymnasium.registry.values()
    seat = next(spec.id for spec in specs if spec.kwargs == {"game": game_id})
    return table(
        ("At a glance", ""),
        (
            ("Import", f"`from {game_id}_env import {module}`"),
            ("Environment", f"`{module}.env(num_players=2)`: turns, PettingZoo AEC"),
            ("One seat of it", f'`gymnasium.make("{seat}")`'),
            ("Many games", f'`VectorGame("{game_id}", 4096)`'),
            ("Players", players.rstrip(".")),
            ("Agents", "`player_0`, `player_1`, ..."),
            ("Actions", f"`{game.action_space}`"),
            ("Observation", f"{game.observation_size} numbers with 2 players"),
        ),
    )


def version(game_id: str) -> str:
    """Return the name and the version of a game."""
    number = load_game(game_id).version
    module = f"{game_id}_v{number}"
    ids = f"`tabletop/{game_id}-v{number}`"
    return f"This is version {number}: `{module}`, in PettingZoo's registry {ids}."


def games() -> str:
    """Return all games: players, actions and observations."""
    rows = []
    for game_id in GAMES:
        game = load_game(game_id)
        rows.append(
            (
                f"[`{game_id}`](games/{game_id}.md)",
                f"`{game.action_space}`",
                f"{game.observation_size}",
                f"{len(agent_names(game_id))}",
            )
        )
    head = ("Game", "Actions", "Numbers in an observation", "Bots")
    return table(head, rows)


def game_with(game_id: str, settings: Iterable[str]) -> Game:
    """Return a game with options written as "name=value"; "grid" is the default one."""
    given: dict[str, Any] = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        given[name] = {} if name == "grid" else int(value) if value.isdigit() else value
    return load_game(game_id, **given)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head)]
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


TABLES: dict[str, Callable[..., str]] = {
    "options": options,
    "actions": actions,
    "observation": observation,
    "bots": bots,
    "version": version,
    "facts": facts,
    "games": games,
    "plan": plan,
    "components": components,
}
"""What a page can ask for by name."""


def with_tables(page: str) -> str:
    """Return the text of a page with all its tables as they are now.

    Raises:
        ValueError: For a comment without its other half, or an unknown table.
    """
    written, places = PLACE.subn(_filled, page)
    if not page.count(BEGIN) == places == page.count(END):
        raise ValueError(f"each {BEGIN}TABLE --> needs one {END} below it")
    return written


def _filled(place: re.Match[str]) -> str:
    above, wanted, below = place.groups()
    name, *arguments = wanted.split()
    if name not in TABLES:
        raise ValueError(f"unknown table {name!r}; known tables: {', '.join(TABLES)}")
    return f"{above}\n{TABLES[name](*arguments)}\n\n{below}"


def stale() -> dict[Path, str]:
    """Return the pages that are not current, and what they should be."""
    pages = {path: path.read_text("utf-8") for path in sorted(DOCS.rglob("*.md"))}
    current = {path: with_tables(text) for path, text in pages.items()}
    return {path: text for path, text in current.items() if text != pages[path]}


def main(check: bool = False) -> int:
    """Write the tables of all pages.

    Args:
        check: Only say which pages are stale; the exit status is 1 if any is.
    """
    pages = stale()
    for path, text in pages.items():
        print(f"{'stale' if check else 'written'}: {path.relative_to(DOCS.parent)}")
        if not check:
            path.write_text(text, encoding="utf-8")
    return 1 if check and pages else 0


if __name__ == "__main__":
    sys.exit(tyro.cli(main))
