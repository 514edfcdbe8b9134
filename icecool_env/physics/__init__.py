"""Where a flick leads: the physics of ICECOOL, which knows no rules."""

from icecool_env.physics.slide import Flick, Slide, last_flick, slide

__all__ = ["Flick", "Slide", "last_flick", "slide"]
