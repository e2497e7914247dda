"""Citations by author and year, in the words and brackets of the page's language.

On top of sphinxcontrib-bibtex, which reads the bibliography and makes the roles ``cite:t`` and ``cite:p``.
It writes "Vaswani et al. (2017)" into a Chinese sentence too; here that becomes "Vaswani 等（2017）".
In ``conf.py``::

    extensions = ["edukit.sphinxext.citations", ...]
    bibtex_bibfiles = ["docs/references.bib"]
"""

import importlib.util
from dataclasses import dataclass
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from edukit.sphinxext.common import metadata, stop

STYLE = "edukit_author_year"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set sphinxcontrib-bibtex up, with the style of this module as its default."""
    if not importlib.util.find_spec("sphinxcontrib.bibtex"):
        stop(
            "edukit.sphinxext.citations needs sphinxcontrib-bibtex, which this Python does not have: "
            'pip install "sphinx-edukit[citations]"'
        )
    app.setup_extension("sphinxcontrib.bibtex")
    app.connect("config-inited", choose_style, priority=100)
    app.add_node(nodes.citation, override=True, html=(visit_citation, HTML5Translator.depart_citation))
    return metadata()


def visit_citation(self: HTML5Translator, node: nodes.citation) -> None:
    """Write an entry as an item of the list that it stands in.

    Docutils gives it the role ``doc-biblioentry``, which ARIA has given up and checkers refuse.
    """
    HTML5Translator.visit_citation(self, node)
    self.body[-1] = self.body[-1].replace('role="doc-biblioentry"', 'role="listitem"')


@dataclass(frozen=True, slots=True)
class Words:
    """How a language writes a citation."""

    others: str
    two: str
    last: str
    between: str
    left: str
    right: str
    year: str
    textual: str


ENGLISH = Words(" et al.", " and ", ", and ", "; ", "(", ")", ", ", " ")
CHINESE = Words(" 等", " 和 ", " 和 ", "；", "（", "）", "，", "")


def choose_style(app: Sphinx, config: Config) -> None:
    """Register the style in the language of this build, unless the project asks for another one."""
    from sphinxcontrib.bibtex.plugin import register_plugin

    words = CHINESE if config.language.startswith("zh") else ENGLISH
    register_plugin("sphinxcontrib.bibtex.style.referencing", STYLE, _style(words), force=True)
    if "bibtex_reference_style" not in {*config._raw_config, *config.overrides}:
        config.bibtex_reference_style = STYLE


def _style(words: Words) -> Any:
    from sphinxcontrib.bibtex.style.referencing import BracketStyle, PersonStyle
    from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

    # A class, because bibtex asks for one and makes an instance of it without arguments.
    class AuthorYear(AuthorYearReferenceStyle):
        def __init__(self) -> None:
            brackets = BracketStyle(words.left, words.right, words.between)
            super().__init__(
                bracket_textual=brackets,
                bracket_parenthetical=brackets,
                bracket_author=brackets,
                bracket_label=brackets,
                bracket_year=brackets,
                person=PersonStyle(sep2=words.two, last_sep=words.last, other=words.others),
                author_year_sep=words.year,
                text_reference_sep=words.textual,
                post_text_sep=words.year,
            )

    return AuthorYear
