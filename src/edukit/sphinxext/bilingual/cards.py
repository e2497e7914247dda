"""The cards of a gallery (sphinx-gallery) in the language of the pages that they lead to.

sphinx-gallery writes title and tooltip of a card as raw HTML when it runs the examples, in the language
that these are written in::

    raw(<div class="sphx-glr-thumbcontainer" tooltip="first sentences">)
    only(html) > image, paragraph > pending_xref
    raw(<div class="sphx-glr-thumbnail-title">title</div></div>)

Here both are taken from the page again, which is translated by then. ``edukit.sphinxext.gallery`` makes
cards of its own, before this.
"""

import re
from html import escape
from typing import Any, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import docname_join

from edukit.sphinxext.bilingual.site import site_of

_TOOLTIP = re.compile(r'(\btooltip=")[^"]*(")')
_TITLE = re.compile(r'(<div class="sphx-glr-thumbnail-title">).*?(</div>)', re.DOTALL)
# As many characters as sphinx-gallery shows of the first paragraph.
_LONGEST = 95


class TranslateCards(SphinxPostTransform):
    """Lets cards say what the translated page says."""

    default_priority = 6  # after edukit's own cards (5), before references are resolved (10)
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Find the cards of a translated page."""
        if not site_of(self.app).is_translation:
            return
        for opening in list(self.document.findall(nodes.raw)):
            if 'class="sphx-glr-thumbcontainer"' in opening.astext():
                self._translate(opening)

    def _translate(self, opening: nodes.raw) -> None:
        card = cast("nodes.Element", opening.parent)
        place = card.index(opening)
        if len(card) < place + 3 or not isinstance(closing := card[place + 2], nodes.raw):
            return
        link = next(iter(card[place + 1].findall(addnodes.pending_xref)), None)
        page = docname_join(link["refdoc"], link["reftarget"]) if link else ""
        if page not in self.env.titles:
            return
        title = self.env.titles[page].astext()
        intro = _first_paragraph(self.env.get_doctree(page))
        card[place] = _replaced(opening, _TOOLTIP, intro)
        card[place + 2] = _replaced(closing, _TITLE, title)


def _first_paragraph(page: nodes.document) -> str:
    section = next(iter(page.findall(nodes.section)), None)
    paragraph = next((child for child in section or () if isinstance(child, nodes.paragraph)), None)
    text = " ".join(paragraph.astext().split()) if paragraph is not None else ""
    return f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text


def _replaced(node: nodes.raw, pattern: re.Pattern[str], text: str) -> nodes.raw:
    """Return the HTML with a text exchanged; it stays as it is where there is no text to put in."""
    html = pattern.sub(lambda found: f"{found[1]}{escape(text)}{found[2]}", node.astext()) if text else None
    return nodes.raw("", html or node.astext(), format="html")
