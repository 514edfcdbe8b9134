"""A Sphinx extension: a rule's number leads to the rule, on every page.

A rule is where its number is bold in a page of ``rules/``: ``**R27 Red line.**``.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

RULES = Path(__file__).parent / "rules"
NUMBER = re.compile(r"\b(?:CS-V|AZ-V|CS|AZ|R|A)\d+\b")
BOLD = re.compile(r"\*\*([^*]+)\*\*")

PAGES = {
    number: f"rules/{path.stem}"
    for path in RULES.glob("*.md")
    for bold in BOLD.findall(path.read_text("utf-8"))
    for number in NUMBER.findall(bold)
}
"""Number of a rule -> its page."""


def mark_rules(app: Sphinx, doctree: nodes.document) -> None:
    """Give the rules of a page their anchors."""
    page = app.env.current_document.docname
    for bold in doctree.findall(nodes.strong):
        numbers = NUMBER.findall(bold.astext())
        bold["ids"] += [n.lower() for n in numbers if PAGES.get(n) == page]


def link_numbers(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Make links of the numbers in a page that are not the rules themselves."""
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, UNLINKED):
            text.parent.replace(text, list(_linked(app, text.astext(), page)))


UNLINKED = (
    *(nodes.strong, nodes.reference, nodes.title),
    *(nodes.literal, nodes.FixedTextElement),
)
"""What holds rules themselves, links already, headings, or code."""


def _linked(app: Sphinx, words: str, page: str) -> Iterator[nodes.Node]:
    at = 0
    for found in NUMBER.finditer(words):
        number = found[0]
        if number not in PAGES:
            continue
        yield nodes.Text(words[at : found.start()])
        uri = f"{app.builder.get_relative_uri(page, PAGES[number])}#{number.lower()}"
        yield nodes.reference(number, number, internal=True, refuri=uri)
        at = found.end()
    yield nodes.Text(words[at:])


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the extension known to Sphinx."""
    app.connect("doctree-read", mark_rules)
    app.connect("doctree-resolved", link_numbers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
