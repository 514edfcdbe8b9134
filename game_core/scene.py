"""``Scene``: what a picture of a game shows."""

import dataclasses
import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["Scene"]


@dataclasses.dataclass(frozen=True)
class Scene:
    """What a picture shows.

    Attributes:
        states: (1,) record of the position.
        before: (1,) record of the position before the last action, or None.
        action: The last action, or None if it is not to be shown.
        seat: Through whose eyes: what it cannot know is not drawn. None sees all.
        names: Of the agents by seat; "player_0" and so on where there are none.
    """

    states: np.ndarray
    before: np.ndarray | None = None
    action: Any = None
    seat: int | None = None
    names: tuple[str, ...] = ()

    @functools.cached_property
    def now(self) -> Any:
        """The fields of the position as numbers and lists, which are quick to read."""
        return _fields(self.states)

    @functools.cached_property
    def then(self) -> Any:
        """The same before the last action; None if that is not to be shown."""
        if self.before is None or self.action is None:
            return None
        return _fields(self.before)

    def name(self, seat: int) -> str:
        """Return what a seat is called."""
        return self.names[seat] if self.names else f"player_{seat}"


def _fields(states: np.ndarray) -> SimpleNamespace:
    names = states.dtype.names or ()
    return SimpleNamespace(**{name: states[name][0].tolist() for name in names})
