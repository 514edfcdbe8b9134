"""How Sphinx makes the documentation: ``make docs``, or ``sphinx-build docs FOLDER``.

Pages are Markdown. The tables that come from the code are written into them by
``python docs/tables.py``.
"""

import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent), str(DOCS)]

project = "tabletop-marl"
author = "The tabletop-marl authors"
about = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
release = about["project"]["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "rule_links"]
exclude_patterns = ["clients/*"]

myst_heading_anchors = 3  # links lead to headings: page.md#heading

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True}
napoleon_use_ivar = True  # attributes are listed once, not also as members

# The pages tell of training, and are made without what it needs. A class derived from a
# mock shows the signature of the mock, so this base is a plain class.
autodoc_mock_imports = ["matplotlib", "sb3_contrib", "stable_baselines3", "torch"]
vec_env: Any = ModuleType("stable_baselines3.common.vec_env")
vec_env.VecEnv = type("VecEnv", (), {})
sys.modules[vec_env.__name__] = vec_env

html_theme = "furo"
html_title = "tabletop-marl"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
