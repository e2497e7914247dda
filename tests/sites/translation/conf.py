"""Kinds of text that Sphinx translates wrongly or not at all, a page each, with catalogs."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.parsers import RSTParser

project = "Translation"
extensions = ["edukit.sphinxext.bilingual", "myst_parser", "sphinx_design", "sphinx_inline_tabs"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown", ".shout": "shout"}
myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution"]
bilingual_languages = ["zh_CN"]
locale_dirs = ["locale", "shared"]
gettext_compact = False
gettext_additional_targets = ["image", "index", "literal-block", "doctest-block"]
exclude_patterns = ["parts"]
numfig = True
html_theme = "basic"

# What is compared here is the translation; a source beside it is for other tests.
bilingual_side_by_side = False


class Shout(RSTParser):
    """A markup that edukit does not know: reST in which two marks stand for a full stop."""

    supported = ("shout",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse a page or a message."""
        super().parse(inputstring.replace("!!", "."), document)


def setup(app: Sphinx) -> None:
    """Add the markup."""
    app.add_source_parser(Shout)
