"""How Sphinx makes the documentation: ``make docs``, or ``sphinx-build docs FOLDER``.

Pages are Markdown. What the code knows is not written down a second time: the directive
``generated`` puts a table of ``tables.py`` into a page while it is made.
"""

import sys
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent), str(DOCS)]

import tables  # noqa: E402

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

html_theme = "furo"
html_title = "tabletop-marl"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


class Generated(SphinxDirective):
    """Puts a table of ``tables.py`` into a page: its name, a game and its options."""

    required_arguments = 1
    optional_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        name, *arguments = self.arguments
        markdown = tables.TABLES[name](*arguments)
        self.env.note_dependency(tables.__file__)
        return self.parse_text_to_nodes(markdown)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known to Sphinx."""
    app.add_directive("generated", Generated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
