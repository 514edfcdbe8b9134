"""The subcommand of ``tabletop`` that trains, and measures what it trained."""

import contextlib
import dataclasses
import datetime
import os
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tyro.conf import (
    OmitSubcommandPrefixes,
    Positional,
    Suppress,
    arg,
    subcommand,
)

from baselines.training.config import PRESETS, TrainConfig
from benchmarks.cli.console import (
    INTERRUPTED,
    SUCCESS,
    FailedError,
    complain,
    optional,
    parse_options,
    print_plain,
)

__all__ = ["TrainCommand"]

if TYPE_CHECKING:
    from rich.console import Console

    from baselines.training.session import Session

EXTRA = "pip install 'tabletop-marl[train]'"


@dataclasses.dataclass(frozen=True)
class GameArguments(TrainConfig):
    """A run for one game, as arguments of the command line.

    Attributes:
        num_players: Number of players in a game.
        option: Options of the game, for example columns_to_win=4 reward=margin.
        out: Folder for the run. By default runs/GAME-TIME.
    """

    game: Suppress[str] = ""
    options: Suppress[dict[str, Any]] = dataclasses.field(default_factory=dict)
    num_players: int = 2
    option: Annotated[tuple[str, ...], optional("NAME=VALUE ...")] = ()
    out: Annotated[Path | None, optional("PATH")] = None

    def config(self) -> TrainConfig:
        """Return what is asked for, with the options of the game."""
        names = [field.name for field in dataclasses.fields(TrainConfig)]
        values: dict[str, Any] = {name: getattr(self, name) for name in names}
        options = {"num_players": self.num_players} | parse_options(self.option)
        values["options"] = options
        return TrainConfig(**values)

    def train(self, listener: Any) -> "Session":
        """Train, and return the run."""
        from baselines.training.train import train

        now = datetime.datetime.now()
        out = self.out or Path("runs") / f"{self.game}-{now:%Y%m%d-%H%M%S}"
        return train(self.config(), out, listener)


@dataclasses.dataclass(frozen=True)
class ResumeArguments:
    """Resume a training run from its last checkpoint.

    Attributes:
        folder: Folder of the run.
        steps: Number of steps to reach in all. By default as many as first asked for.
    """

    folder: Annotated[Positional[Path], arg(metavar="FOLDER")]
    steps: Annotated[int | None, optional("INT")] = None

    def train(self, listener: Any) -> "Session":
        """Train on, and return the run."""
        from baselines.training.train import resume

        return resume(self.folder, self.steps, listener)


def _of(game: str, name: str) -> Any:
    preset = GameArguments(**vars(PRESETS[game]))
    return subcommand(game, default=preset, description=f"Train a policy for {name}.")


Arguments = (
    Annotated[GameArguments, _of("cant_stop", "Can't Stop")]
    | Annotated[GameArguments, _of("azul", "Azul")]
    | Annotated[GameArguments, _of("icecool", "ICECOOL")]
    | Annotated[GameArguments, _of("icecool_ppo", "ICECOOL, continuous actions (PPO)")]
    | Annotated[GameArguments, _of("icecool_sac", "ICECOOL, continuous actions (SAC)")]
    | Annotated[ResumeArguments, subcommand("resume")]
)


@dataclasses.dataclass(frozen=True)
class TrainCommand:
    """Train a policy by self-play and against bots, or resume a run.

    All files of a run are in one folder: configuration, checkpoints, TensorBoard logs,
    a table, learning curves, and policy.npz, which plays as the agent
    ppo(file='FOLDER/policy.npz'). Ctrl-C stops after the current update and writes a
    checkpoint; "tabletop train resume FOLDER" then gives the same numbers as a run that
    was not stopped. "tabletop train GAME --help" lists all settings.
    """

    what: OmitSubcommandPrefixes[Annotated[Arguments, arg(name="")]]

    def run(self, console: "Console") -> int:
        """Train, show the progress and the result; return the exit status."""
        with needing_extra():
            import baselines.training.session  # noqa: F401
        from baselines.training.imitation import LessonsError
        from benchmarks.cli.tables import progress_bar
        from benchmarks.cli.train_progress import TrainingDisplay

        with stopping_on_signals() as stop, progress_bar(console, "decisions") as bar:
            try:
                session = self.what.train(TrainingDisplay(bar, lambda: stop.made))
            except LessonsError as error:
                raise FailedError(str(error)) from None
        folder = shlex.quote(str(session.folder.path))
        if session.stopped and not session.folder.checkpoints.is_dir():
            complain("stopped before the expert was imitated: nothing is kept")
            return INTERRUPTED
        if session.stopped:
            complain(
                f"stopped after {session.steps} steps; "
                f"'tabletop train resume {folder}' goes on"
            )
            return INTERRUPTED
        print_plain(console, f"The run is in {folder}")
        if not session.config.evaluation.final_games or session.config.task:
            return SUCCESS
        if not stop.made and evaluate(console, session):
            return SUCCESS
        complain(
            f"stopped before the evaluation was over; 'tabletop train resume {folder}' "
            "goes on with it"
        )
        return INTERRUPTED


@contextlib.contextmanager
def needing_extra() -> Iterator[None]:
    """Let an import that fails say what to install."""
    try:
        yield
    except ImportError as error:
        raise ImportError(f"training needs more packages: {EXTRA} ({error})") from None


class StopRequest:
    """Whether somebody asked to stop."""

    made = False


@contextlib.contextmanager
def stopping_on_signals() -> Iterator[StopRequest]:
    """Let the first Ctrl-C or SIGTERM ask to stop, and the second one interrupt."""
    request = StopRequest()

    def ask(number: int, frame: object) -> None:
        if request.made:
            raise KeyboardInterrupt
        request.made = True
        complain("stopping after what is under way; again to stop at once")

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, ask) for number in signals]
    try:
        yield request
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


def evaluate(console: "Console", session: "Session") -> bool:
    """Play a gauntlet of a trained policy against its rivals, and show the tables.

    Returns:
        Whether it was played to its end.
    """
    from benchmarks.cli.tables import print_results
    from benchmarks.cli.tournament import play
    from benchmarks.tournament.run import Place
    from benchmarks.tournament.schedule import Tournament

    config, folder = session.config, session.folder
    sample = ", sample=True" if config.evaluation.sample else ""
    policy = f"ppo(file={str(folder.policy)!r}{sample})"
    tournament = Tournament(
        game=config.game,
        agents=(policy, *config.rivals),
        gauntlet=(policy,),
        games=config.evaluation.final_games,
        seed=config.seed,
        options=config.options,  # without the grid that training may have added
    )
    out = folder.path / f"evaluation-{session.steps:012}.jsonl"
    results = play(console, tournament, out, Place(workers=os.cpu_count() or 1))
    if results is not None:
        print_results(console, results, out)
        _write_report(console, out, folder.path / "report.html")
    return results is not None


def _write_report(console: "Console", results: Path, report: Path) -> None:
    from benchmarks.report.files import write_report

    try:
        paths = write_report(results, report)
    except ImportError as error:
        print_plain(console, f"There is no report: {error}")
        return
    for path in paths:
        print_plain(console, f"The report is in {shlex.quote(str(path))}")
