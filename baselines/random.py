"""The agent that every other one should beat."""

from game_core.agent import View


def random(view: View) -> int:
    """Play any legal action, each as likely."""
    return int(view.rng.choice(view.legal_actions))
