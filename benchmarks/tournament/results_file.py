"""The file of a tournament's results: append-only, and whole again after any crash.

It has a JSON object on each line: first a header, ``{"tournament": {...}}``; then each
game as its ``GameLog`` with the keys "set", "rotation" and "decisions" (by seat) beside
it. A tournament that is extended adds another header, which holds for the file from
there on. Lines are only ever added, each in one piece, so that a run which is killed
leaves whole lines and at most one that is torn.

How long the moves took is not the same in two runs and stands in another file beside
it, ``FILE.times.jsonl``, which is kept as well as may be. The first game of an agent in
a process is left out there, in which its code is loaded or compiled.
"""

import contextlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from benchmarks.tournament.schedule import Fixture
from game_core.agents.play import GameLog
from game_core.processes import lock

__all__ = [
    "HEADER_START",
    "Header",
    "ResultsFile",
    "Times",
    "games_in",
    "headers_in",
    "read_header",
    "read_times",
    "times_path",
]

Header = dict[str, Any]

HEADER_START = b'{"tournament": {'
LONGEST_HEADER = 1 << 20


class PlayedGame(NamedTuple):
    """A game as it is on file.

    Attributes:
        fixture: Its place in the schedule.
        log: What happened in it.
        decisions: How many there were, by seat.
    """

    fixture: Fixture
    log: GameLog
    decisions: tuple[int, ...]


class Times(NamedTuple):
    """How long an agent took for its moves.

    Attributes:
        decisions: How many there were.
        seconds: For all of them together, by the clock on the wall.
        longest: Seconds for the slowest.
    """

    decisions: int
    seconds: float
    longest: float

    def plus(self, other: "Times") -> "Times":
        """Return both together."""
        return Times(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
        )


def headers_in(path: Path) -> list[Header]:
    """Return the headers in a file, the last of which holds.

    Raises:
        OSError: If it cannot be read.
        ValueError: If the file does not begin with one.
    """
    headers = []
    for number, line in _lines(path):
        header = read_header(line)
        if header is None and number == 1:
            break
        if header is not None:
            headers.append(header)
    if not headers:
        raise ValueError(f"{path} is no file of results: it has no header")
    return headers


def games_in(path: Path) -> Iterator[PlayedGame]:
    """Yield the games in a file.

    Raises:
        OSError: If it cannot be read.
        ValueError: At a line that holds no game.
    """
    for number, line in _lines(path):
        if read_header(line) is None:
            yield _read_game(line, f"{path}, line {number}")


def read_header(line: bytes) -> Header | None:
    """Return the header in a line, or None if it holds none."""
    if not line.startswith(HEADER_START):  # games are not parsed for that
        return None
    try:
        header = json.loads(line)["tournament"]
        agents = header["agents"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return header if isinstance(agents, list) else None


def read_times(path: Path) -> dict[str, Times]:
    """Return how long the agents took in the games of a file of results.

    Args:
        path: The file of results, not that of the times.

    Returns:
        Agent -> its times; nothing for agents of which none are known.
    """
    times: dict[str, Times] = {}
    with contextlib.suppress(OSError), times_path(path).open("rb") as file:
        for line in file:
            with contextlib.suppress(ValueError, TypeError, AttributeError):
                for agent, numbers in json.loads(line).items():
                    known = times.get(agent, Times(0, 0.0, 0.0))
                    times[agent] = known.plus(Times(*numbers))
    return times


def times_path(path: Path) -> Path:
    """Return where the times of a file of results are."""
    return path.with_name(f"{path.name}.times.jsonl")


class ResultsFile:
    """A file of results that this process alone writes, in a ``with`` block.

    Attributes:
        path: Where it is; None for no file at all.
        headers: The headers that were there when it was opened.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.headers: list[Header] = []
        self._file: IO[bytes] | None = None
        self._times: IO[bytes] | None = None

    def __enter__(self) -> Self:
        """Lock the file if it exists, and cut off a torn line at its end.

        Raises:
            OSError: If it cannot be read and written.
            ValueError: If it is no file of results, or is being written.
        """
        if self.path is not None and self.path.exists():
            self._open(self.path, "r+b")
            try:
                self._mend(self.path)
            except BaseException:
                self.close()
                raise
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def games(self) -> Iterator[PlayedGame]:
        """Yield the games that are there.

        Raises:
            ValueError: At a line that holds no game.
        """
        if self.path is not None and self.headers:
            yield from games_in(self.path)

    def begin(self, header: Header) -> None:
        """Append a header; make the file if there is none.

        Raises:
            OSError: If it cannot be written.
            ValueError: If somebody else made it meanwhile.
        """
        if self.path is not None and self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open(self.path, "xb")
            times_path(self.path).unlink(missing_ok=True)
        self._append({"tournament": header})

    def add(self, fixture: Fixture, log: GameLog, decisions: Sequence[int]) -> None:
        """Append a game, so that it is there at once."""
        places = {"set": fixture.set, "rotation": fixture.rotation}
        self._append(vars(log) | places | {"decisions": decisions})

    def add_times(self, times: Mapping[str, Times]) -> None:
        """Append how long agents took, to the file beside this one."""
        if self.path is None or not times:
            return
        if self._times is None:
            self._times = times_path(self.path).open("ab", buffering=0)
        self._times.write(
            _line(
                {
                    agent: (of.decisions, round(of.seconds, 6), round(of.longest, 6))
                    for agent, of in times.items()
                }
            )
        )

    def close(self) -> None:
        """Close and unlock the file."""
        for file in (self._file, self._times):
            if file is not None:
                file.close()
        self._file = self._times = None

    def _open(self, path: Path, mode: str) -> None:
        try:
            self._file = path.open(mode, buffering=0)
            lock(self._file)
        except FileExistsError:
            raise ValueError(f"{path} is there already; try again") from None
        except BlockingIOError:
            self.close()
            raise ValueError(
                f"{path} is being written by another tournament; give another file "
                "for the results"
            ) from None

    def _mend(self, path: Path) -> None:
        assert self._file is not None
        content = self._file.read(LONGEST_HEADER)
        if b"\n" in content:
            self.headers = headers_in(path)
        elif not content.startswith(HEADER_START[: len(content)]):
            raise ValueError(
                f"{path} exists and is no file of results; give another file"
            )
        self._file.truncate(_end_of_lines(self._file))
        self._file.seek(0, 2)

    def _append(self, content: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        line = memoryview(_line(content))
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None


def _line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content).encode() + b"\n"


def _end_of_lines(file: IO[bytes]) -> int:
    """Return how many bytes of a file are whole lines."""
    end = file.seek(0, 2)
    while end > 0:
        begin = max(0, end - (1 << 16))
        file.seek(begin)
        newline = file.read(end - begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield whole lines with their numbers from 1; a torn one at the end is none."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.endswith(b"\n") and line.strip():
                yield number, line


def _read_game(line: bytes, where: str) -> PlayedGame:
    try:
        data = json.loads(line)
        log = GameLog.from_data(data)
        agents, decisions = log.agents, tuple(data["decisions"])
        _check_seats(log, decisions)
        number, rotation = int(data["set"]), int(data["rotation"])
        if not 0 <= rotation < len(agents):
            raise ValueError(f"rotation {rotation} of {len(agents)} agents")
        fixture = Fixture(tuple(sorted(agents)), number, rotation, log.seed, agents)
        return PlayedGame(fixture, log, decisions)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"{where} holds no game: {error!r}") from None


def _check_seats(log: GameLog, decisions: Sequence[Any]) -> None:
    """Raise ``ValueError`` unless a log has what results count, for each seat."""
    seats = len(log.agents)
    if len(log.rewards) != seats or not all(map(math.isfinite, log.rewards)):
        raise ValueError(f"rewards {log.rewards} of {seats} agents")
    if len(decisions) != seats or not all(type(n) is int for n in decisions):
        raise ValueError(f"decisions {decisions} of {seats} agents")
    if log.forfeit_seat not in (None, *range(seats)):
        raise ValueError(f"forfeit_seat {log.forfeit_seat!r} of {seats} agents")
