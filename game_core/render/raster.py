"""Pictures as pixels, by LunaSVG, which needs neither a display nor fonts installed.

The font is Inter 4.001, its Latin letters alone, under the SIL Open Font License, which
stands beside it in ``fonts``.
"""

import functools
import importlib
import importlib.resources
from typing import Any

import numpy as np

__all__ = ["graphics", "pixels"]

EXTRA = "pip install 'tabletop-marl[render]'"

WHITE = 0xFFFFFFFF
RED_GREEN_BLUE = [2, 1, 0]
"""Where the colors stand in a pixel of LunaSVG."""

WEIGHTS = {"inter-500.ttf": False, "inter-700.ttf": True}
"""The files of the font, and whether they are bold."""


class GraphicsMissingError(ImportError):
    """What draws is not installed."""


def graphics(name: str) -> Any:
    """Return a module of the extra ``render``, imported only now.

    Raises:
        GraphicsMissingError: If it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise GraphicsMissingError(
            f"pictures need {name}, which cannot be imported ({error}): {EXTRA}; "
            'text (render_mode="ansi") and SVG (render_mode="svg") do without'
        ) from error


@functools.cache
def _lunasvg() -> Any:
    """Return the rasterizer, with the font loaded."""
    lunasvg = graphics("pylunasvg")
    for name, bold in WEIGHTS.items():
        file = importlib.resources.files("game_core.render") / "fonts" / name
        with importlib.resources.as_file(file) as path:
            if not lunasvg.lunasvg_add_font_face_from_file(
                "Inter", bold, False, f"{path}"
            ):
                raise OSError(f"the font {path} cannot be read")
    return lunasvg


def pixels(svg: str, width: int | None = None) -> np.ndarray:
    """Return a picture as an array (height, width, 3) uint8.

    Args:
        svg: The picture.
        width: In pixels; by default that of the picture. Both measures are made even,
            as videos ask for.

    Raises:
        GraphicsMissingError: If the extra ``render`` is not installed.
        ValueError: If it is no picture.
    """
    lunasvg = _lunasvg()
    document = lunasvg.Document.loadFromData(svg)
    if document is None:
        raise ValueError(f"no SVG: {svg[:60]!r}")
    width = 2 * round((document.width() if width is None else width) / 2)
    height = 2 * round(width * document.height() / document.width() / 2)
    bitmap = document.renderToBitmap(width, height, WHITE)
    blue_green_red = np.array(bitmap, copy=False)
    return np.ascontiguousarray(blue_green_red[:, :, RED_GREEN_BLUE])
