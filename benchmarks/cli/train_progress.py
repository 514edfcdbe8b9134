"""What ``tabletop train`` shows while it goes: bars that move, and lines that stay."""

from collections.abc import Callable

from rich.progress import Progress, TaskID

from baselines.training.evaluate import Score
from baselines.training.listener import Grade, Listener, Report
from benchmarks.cli.console import print_plain

__all__ = ["TrainingDisplay"]


class TrainingDisplay(Listener):
    """Shows how a run goes: a bar for each part of it, and a line for its result.

    Attributes:
        bar: Where the bars are.
    """

    def __init__(self, bar: Progress, wants_stop: Callable[[], bool]) -> None:
        self.bar = bar
        self._wants_stop = wants_stop
        self._tasks: dict[str, TaskID] = {}
        self._tenths: dict[str, int] = {}

    def watch(self, decisions: int, total: int) -> None:
        """Show how many decisions the expert has taken."""
        self._show("Watching the expert", decisions, total)
        if decisions == total:
            self._tell(f"The expert has taken {total:,} decisions")

    def imitate(self, decisions: int, total: int, grade: Grade) -> None:
        """Show how many decisions were learned, and how well."""
        more = (
            f"cross entropy {grade.cross_entropy:.3f} of {grade.least:.3f}, "
            f"{grade.agreement:.0%} agree"
        )
        self._show("Imitating it", decisions, total, f", {more}")
        if decisions == total:
            self._tell(f"The policy imitates it: {more}")

    def report(self, report: Report) -> None:
        """Show how many steps there were, and how the policy plays."""
        scores = in_words(report.scores)
        rate = f"{report.rate:,.0f} steps/s"
        more = f", {rate}{scores and '; ' + scores}"
        self._show("Training", report.steps, report.total, more, report.evaluated)
        if report.evaluated:
            self._tell(f"{report.steps:,} steps, {rate}: {scores}")

    def wants_stop(self) -> bool:
        """Tell whether somebody asked to stop."""
        return self._wants_stop()

    def _show(
        self, what: str, done: int, total: int, more: str = "", told: bool = False
    ) -> None:
        """Move a bar; where there is none say every tenth part that is not told yet."""
        tenth = 10 * done // total
        if self.bar.disable and tenth != self._tenths.setdefault(what, 0):
            self._tenths[what] = tenth
            if not told:
                self._tell(f"{what}: {done:,} of {total:,}{more}")
        if what not in self._tasks:
            self._tasks[what] = self.bar.add_task(what, total=total)
        self.bar.update(self._tasks[what], completed=done, description=what + more)

    def _tell(self, line: str) -> None:
        print_plain(self.bar.console, line)


def in_words(scores: dict[str, Score]) -> str:
    """Return how many games are won against whom."""
    return ", ".join(f"{score.mean:.0%} of {name}" for name, score in scores.items())
