"""Chinese text, typeset as in a Chinese book, alone or among other languages.

.. code-block:: python

    extensions = ["edukit.sphinxext.cjk"]
    cjk_han_language = "zh-Hans"   # of Chinese characters on pages in other languages; "" marks none
    cjk_words = ["等变"]           # words for headings that the dictionary lacks

What it does, in the order in which a page goes through it:

- straight quotation marks in Chinese text become “ ” and ‘ ’ (in traditional Chinese 「 」 and 『 』);
- the line breaks of the source that would show as spaces between Chinese characters go, in everything that
  is made from the page: text, titles, alternative texts, descriptions, index entries, in every format;
- HTML and EPUB only: Chinese characters on a page in another language get their ``lang``; emphasis without
  a Chinese character is set as in Latin; headings break between words.

What is in another language than its page is marked with a class, which docutils writes as ``lang``:
``[bonjour]{.language-fr}`` in MyST, in reStructuredText a role of the class ``language-fr``.
Code, formulas and raw text are never touched, and neither is Korean, which parts its words with spaces.

Read from the top: ``characters``, ``blocks`` (of prose, and their languages), ``quotes``, ``lines``,
``marks`` (for HTML).
"""

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.cjk.lines import JoinLines, JoinLinesAtReferences, JoinNames
from edukit.sphinxext.cjk.marks import MarkText, marked_text, name_language_of_book, visit_marked_text
from edukit.sphinxext.cjk.quotes import SetQuotationMarks
from edukit.sphinxext.common import add_assets, metadata, text_transforms


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up."""
    app.add_config_value("cjk_han_language", "zh-Hans", "html", types=frozenset({str}))
    app.add_config_value("cjk_words", [], "html", types=frozenset({list, tuple}))
    app.add_transform(JoinNames)
    app.add_transform(SetQuotationMarks)
    app.add_transform(JoinLines)
    text_transforms(app).append(SetQuotationMarks)
    app.add_post_transform(JoinLinesAtReferences)
    app.add_post_transform(MarkText)
    # Sphinx takes any node; its annotation knows elements only, and this one is a Text.
    app.add_node(marked_text, html=(visit_marked_text, None))  # type: ignore[arg-type]
    app.connect("html-page-context", name_language_of_book)
    add_assets(app, "cjk.css")
    return metadata()
