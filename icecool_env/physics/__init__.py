"""Where a flick leads: the physics of ICECOOL, which knows no rules."""

from game_core.deprecation import renamed_attributes
from icecool_env.physics.slide import Flick, Slide, last_flick, slide

__all__ = ["Flick", "Slide", "last_flick", "slide"]

__getattr__ = renamed_attributes(
    __name__,
    {
        "run_flick": "icecool_env.physics.flick:run_flick",
        "simulate": "icecool_env.physics.slide:simulate",
    },
)
