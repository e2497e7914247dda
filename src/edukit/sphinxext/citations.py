"""Citations by author and year, in the words and brackets of the page's language.

On top of sphinxcontrib-bibtex, which reads the bibliography and makes the roles ``cite:t`` and ``cite:p``.
It writes "Vaswani et al. (2017)" into a Chinese sentence too; here that becomes "Vaswani 等（2017）".
A bibliography that cannot be read ends the build with the file, the line, and what to do. In ``conf.py``::

    extensions = ["edukit.sphinxext.citations", ...]
    bibtex_bibfiles = ["docs/references.bib"]
"""

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from edukit.sphinxext.common import language_of, metadata, stop

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
    # Before sphinxcontrib-bibtex reads the files, and before examples run for minutes.
    app.connect("builder-inited", check_bibliographies, priority=5)
    app.add_post_transform(CiteInOtherLanguages)
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


def words_of(language: str) -> Words:
    """Return how a language writes citations."""
    return CHINESE if language.startswith("zh") else ENGLISH


def choose_style(app: Sphinx, config: Config) -> None:
    """Register the style in the language of this build, unless the project asks for another one."""
    from sphinxcontrib.bibtex.plugin import register_plugin

    style = _style(words_of(config.language))
    register_plugin("sphinxcontrib.bibtex.style.referencing", STYLE, style, force=True)
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


class CiteInOtherLanguages(SphinxPostTransform):
    """Writes citations in a text of another language than the page's as that language does."""

    default_priority = 8  # before the others are resolved (10)

    def run(self, **kwargs: Any) -> None:
        """Resolve them in a style of their own, where the style is ours."""
        if self.config.bibtex_reference_style != STYLE:
            return
        domain: Any = self.env.get_domain("cite")
        usual = domain.reference_style
        page = self.config.language
        for node in list(self.document.findall(addnodes.pending_xref)):
            if node.get("refdomain") != "cite":
                continue
            language = language_of(node, page)
            if words_of(language) is words_of(page):
                continue
            domain.reference_style = _style(words_of(language))()
            try:
                cited = domain.resolve_xref(
                    self.env,
                    self.env.current_document.docname,
                    self.app.builder,
                    node["reftype"],
                    node["reftarget"],
                    node,
                    node[0],
                )
            finally:
                domain.reference_style = usual
            node.replace_self(cited)


# --- Bibliographies that cannot be read ------------------------------------------------------------


class _Fault(NamedTuple):
    line: int
    message: str


def check_bibliographies(app: Sphinx) -> None:
    """End the build where a bibliography is no BibTeX: the reader itself would end in a traceback."""
    from pybtex.database.input.bibtex import Parser
    from sphinxcontrib.bibtex.bibfile import is_bibdata_outdated

    paths = [(Path(app.confdir) / name).resolve() for name in app.config.bibtex_bibfiles or ()]
    known = app.env.get_domain("cite").data["bibdata"]
    if not is_bibdata_outdated(known, paths, app.config.bibtex_encoding):
        return
    # One parser for all files: a key is not to come twice, and an @string holds in the files after it.
    parser = Parser()
    for path in paths:
        if not path.is_file():
            continue  # sphinxcontrib-bibtex has a clear warning for that
        fault = _first_fault(path.read_bytes(), app.config.bibtex_encoding, parser)
        if fault:
            stop(fault.message, location=f"{path}:{fault.line}")


def _first_fault(content: bytes, encoding: str, parser: Any) -> _Fault | None:
    """Read the entries of a bibliography into `parser`, up to the first that cannot be read."""
    from pybtex.database.input.bibtex import LowLevelParser
    from pybtex.exceptions import PybtexError

    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return _Fault(line, f"this line is not written in {encoding}: save the file in that encoding")
    reader = LowLevelParser(text, macros=parser.macros)
    try:
        for command, entry in reader:
            if command.lower() not in {"string", "preamble"}:
                parser.process_entry(command, *entry)
    except PybtexError as error:
        begin = text.count("\n", 0, reader.command_start) + 1
        return _described(error, reader.current_entry_key, begin)
    return None


def _described(error: Any, key: str | None, begin: int) -> _Fault:
    """Say what is wrong in the entry that begins in a line, and how to mend it."""
    from pybtex.database.input.bibtex import UndefinedMacro
    from pybtex.scanner import PrematureEOF, PybtexSyntaxError

    entry = f'the entry "{key}"' if key else "the entry"
    if isinstance(error, PrematureEOF):
        return _Fault(
            begin, f"{entry} begins here and does not end: close its last brace or quotation mark"
        )
    if isinstance(error, UndefinedMacro):
        return _Fault(error.lineno, f"{entry} has a value without braces: write {{{error.args[0]}}}")
    if isinstance(error, PybtexSyntaxError):
        return _Fault(
            error.lineno,
            f"{entry}, begun in line {begin}, cannot be read here: {error.args[0]}. Look at the lines "
            "before: a comma after a field is missing, or the brace or quotation mark that closes a value",
        )
    # Not the form but what is said: a key or a field that comes twice, a name with too many commas.
    return _Fault(
        begin,
        f"{entry} cannot be used: {error}. Keys and fields come once, and names are written "
        '"Last, First and Last, First"',
    )
