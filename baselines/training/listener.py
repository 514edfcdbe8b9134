"""What a training run tells on its way, and how it is stopped."""

from typing import NamedTuple

from baselines.training.evaluate import Score

__all__ = ["Grade", "Listener", "Report", "StoppedError"]


class Report(NamedTuple):
    """How far a run is.

    Attributes:
        steps: Decisions of the learner so far.
        total: How many there will be.
        rate: Decisions in a second, of late.
        scores: The last evaluation: name of a bot -> score.
        evaluated: Whether it is of now.
    """

    steps: int
    total: int
    rate: float
    scores: dict[str, Score]
    evaluated: bool


class Grade(NamedTuple):
    """How well the lessons of an expert are learned.

    Attributes:
        cross_entropy: Of the policy and the expert's shares, mean of some batches.
        least: The same for the expert's shares and themselves.
        agreement: Share of decisions in which the greedy action is the expert's.
    """

    cross_entropy: float
    least: float
    agreement: float


class Listener:
    """Hears how a run goes; this one does nothing."""

    def report(self, report: Report) -> None:
        """Take note of a new row of the table."""

    def watch(self, decisions: int, total: int) -> None:
        """Take note of how many decisions the expert has taken."""

    def imitate(self, decisions: int, total: int, grade: Grade) -> None:
        """Take note of how many decisions were learned, and how well."""

    def wants_stop(self) -> bool:
        """Tell, between two updates, whether to write a checkpoint and stop.

        Lessons of an expert are not kept when they are stopped.
        """
        return False


class StoppedError(Exception):
    """Ends what is going on because the listener wants to stop."""
