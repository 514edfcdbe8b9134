"""Numbers of a tournament in words, the same wherever they are shown."""

import json
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from benchmarks.tournament.schedule import is_own_bot

__all__ = [
    "UNKNOWN",
    "command",
    "duration",
    "elo",
    "elo_range",
    "percent",
    "percent_range",
    "rating_range",
    "settings",
]

if TYPE_CHECKING:
    from benchmarks.ratings.bradley_terry import Rating
    from benchmarks.ratings.intervals import Interval

UNKNOWN = "-"


def percent(part: float) -> str:
    """Return a part of 1 in percent: 0.5 -> "50.0 %"."""
    return f"{100 * part:.1f} %"


def percent_range(score: "Interval") -> str:
    """Return the interval of a score in percent: "43.1 to 56.9 %"."""
    return f"{100 * score.low:.1f} to {100 * score.high:.1f} %"


def elo(value: float) -> str:
    """Return Elo without decimals, and zero without a sign."""
    return str(round(value))


def elo_range(rating: "Rating | Interval") -> str:
    """Return the interval of Elo: "-12 to 34"."""
    return f"{elo(rating.low)} to {elo(rating.high)}"


def rating_range(rating: "Rating | None", anchor: str | None) -> str:
    """Return the interval of a rating; that of the anchor is fixed by definition."""
    if rating is None:
        return UNKNOWN
    return "fixed" if rating.agent == anchor else elo_range(rating)


def duration(seconds: float | None) -> str:
    """Return a short time in a unit that suits it; a dash for None."""
    if seconds is None:
        return UNKNOWN
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def settings(values: Mapping[str, Any]) -> str:
    """Return options as the command line takes them: "a=1 b=jump"."""
    return " ".join(_each(values))


def command(header: Mapping[str, Any]) -> str:
    """Return the command that plays the games of a header anew."""
    test, agents = header.get("test"), header["agents"]
    options = dict(header.get("options", {}))
    players = options.pop("num_players", 2)
    given = {"option": _each(options), "seed": header.get("seed")}
    if any(map(is_own_bot, agents)):
        limits = ("time_limit", "start_limit", "game_time_limit", "memory_limit")
        given |= {limit: header.get(limit) for limit in limits}
    if test:
        parts = ["tabletop", "compare", header["game"], *agents]
        given |= {**test, "max_games": header.get("games")}
    else:
        parts = ["tabletop", "tournament", header["game"], "--agents", *agents]
        plan = {name: header.get(name) for name in ("gauntlet", "games", "until")}
        given |= plan | {"num_players": players}
    for name, value in given.items():
        values = value if isinstance(value, list) else [value]
        if values and values != [None]:
            parts += [f"--{name.replace('_', '-')}", *map(str, values)]
    return shlex.join(parts)


def _each(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}={_value(value)}" for name, value in values.items()]


def _value(value: Any) -> str:
    return json.dumps(value) if isinstance(value, dict | list) else str(value)
