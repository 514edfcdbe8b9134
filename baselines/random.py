"""The agent that every other one should beat."""

from typing import Any

from game_core.agent import View


def random(view: View) -> Any:
    """Play any legal action, each as likely."""
    return view.sample_action()
