"""The agent that every other one should beat."""

from game_core.agent import View


def random(view: View) -> int:
    """Play any legal action, each as likely."""
    legal = view.legal_actions
    return int(legal[view.rng.integers(len(legal))])
