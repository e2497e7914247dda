"""Search that finds Chinese: any part of a sentence, of one character or more, and nothing else.

In ``conf.py`` of any Sphinx project::

    extensions = ["edukit.sphinxext.search"]

Chinese has no spaces, and no list of words ends where a reader's query ends. So no words are looked for:
the index holds the Chinese of every page, written small, and a query is found where it stands in one
piece. Other words are found by their stems as in Sphinx, whose stemmer and stop words stay in use; numbers
count as words.

Read from the top: ``words`` (what a text gives to the index), ``index`` (the index and its file), and in
``static`` what a browser runs: ``searchtools.js`` (the query and its results) and ``sphinx_highlight.js``
(what was looked for, marked in a page). Both take the place of the files of that name that Sphinx brings.

- Left out is what carries the class ``no-search``, as in Sphinx, or ``translated-copy``, which is for a
  copy of a text in another language, and what is ``hidden``, also in HTML that an author wrote. What is
  only in another language, a word or a poem, is text of its page and found.
- A node with the attribute ``search_title`` counts as a title, beside the titles of sections. Terms of a
  glossary and entries of the index are found like titles too.
"""

from collections.abc import Set as AbstractSet
from pathlib import Path

import sphinx
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.common import metadata
from edukit.sphinxext.search.index import PageIndex

STATIC = Path(__file__).parent / "static"
# The others have no search (EPUB), or search one page (singlehtml).
BUILDERS = {"html", "dirhtml"}
# The scripts take the place of Sphinx's, so they were tried with each of these (the first and the last).
TRIED = ((9, 0), (9, 2))

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up."""
    app.connect("config-inited", keep_the_english_half)
    app.connect("builder-inited", take_over)
    return metadata()


def keep_the_english_half(app: Sphinx, config: Config) -> None:
    """Let Sphinx bring its English stemmer to Chinese pages; its Chinese one is broken (sphinx#14229)."""
    language = config.html_search_language or config.language or ""
    if language.partition("_")[0] == "zh":
        config.html_search_language = "en"


def take_over(app: Sphinx) -> None:
    """Put our index and our scripts in the place of Sphinx's."""
    builder = app.builder
    if builder.name not in BUILDERS or not isinstance(builder, StandaloneHTMLBuilder) or not builder.search:
        return
    warn_of_other_sphinx(sphinx.version_info[:2])
    # What stands in these folders wins over the files of the theme; the project's own come last and win.
    app.config.html_static_path = [str(STATIC), *app.config.html_static_path]

    load = builder.load_indexer

    def load_indexer(docnames: AbstractSet[str]) -> None:
        # The builder has just made its own index and is about to fill it from the build before.
        assert builder.indexer is not None
        builder.indexer = PageIndex(builder.env, builder.indexer, app.config.language)
        load(docnames)

    setattr(builder, "load_indexer", load_indexer)


def warn_of_other_sphinx(version: tuple[int, int]) -> None:
    """Say that a version of Sphinx was not tried; what it writes for its own search may have changed."""
    first, last = TRIED
    if not first <= version <= last:
        logger.warning(
            "this search was tried with Sphinx %d.%d to %d.%d, not with %d.%d: try the search page before "
            'you publish, then add "search.sphinx" to suppress_warnings',
            *first,
            *last,
            *version,
            type="search",
            subtype="sphinx",
        )
