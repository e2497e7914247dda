"""A gallery of examples whose figures speak the language of the page.

On top of sphinx-gallery, which runs the scripts and makes a page of each. In ``conf.py``::

    extensions = ["edukit.sphinxext.gallery", ...]
    sphinx_gallery_conf = {"examples_dirs": "../examples", "gallery_dirs": "auto_examples"}

An example runs once. Each of its figures is saved as SVG with its words beside it
(:mod:`edukit.figures`), and this module follows them through a build:

- *generate*: the figures are saved and shown by the ``image`` directive, whose alternative text is
  translated with the page; a failing example ends the build; a change in edukit, numpy or matplotlib
  runs every example again;
- *read*: every page that shows such a figure, a chapter too, depends on its words;
- *extract*: ``-b gettext`` writes the words of all figures into one template, ``figures.pot``;
- *write*: in a translated build a copy of the figure with the words of
  ``locale/<language>/LC_MESSAGES/figures.po`` takes its place, and the cards of the gallery get the
  translated titles.
"""

import ast
import hashlib
import importlib.util
import logging as standard_logging
import os
import platform
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.gettext import MessageCatalogBuilder, MsgOrigin
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import docname_join, logging
from sphinx.util.typing import ExtensionMetadata

from edukit import claims, figures
from edukit.sphinxext.common import (
    OTHER_SIDE,
    PACKAGE,
    add_assets,
    interface_text,
    metadata,
    shared_catalogs,
    stop,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

logger = logging.getLogger(__name__)

DEFAULTS: dict[str, Any] = {
    "image_scrapers": ("edukit.sphinxext.gallery.scraper",),
    "reset_modules": ("matplotlib", "edukit.sphinxext.gallery.speak_the_source_language"),
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    # What is shown is what the script prints: the last value of a block may hold an address in memory.
    "capture_repr": (),
    # Pages are the same each time: no times, no archives that carry the time they were made.
    "write_computation_times": False,
    "min_reported_time": 1e9,
    "download_all_examples": False,
    "show_signature": False,
    # Its own style sheets have too little contrast; gallery.css replaces them.
    "css": (),
}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up, and sphinx-gallery with it."""
    missing = [name for name in ("sphinx_gallery", "matplotlib") if not importlib.util.find_spec(name)]
    if missing:
        stop(
            f"edukit.sphinxext.gallery needs {' and '.join(missing)}, which this Python does not have: "
            'pip install "sphinx-edukit[gallery]"'
        )
    app.setup_extension("sphinx_gallery.gen_gallery")
    if not app.verbosity:
        _GALLERY_LOG.addFilter(_is_no_chatter)
    shared_catalogs(app).add(CATALOG)

    app.connect("config-inited", fill_defaults, priority=5)  # sphinx-gallery fills its own at 10
    app.connect("builder-inited", forget_outdated_examples, priority=400)  # it generates at 500
    app.connect("builder-inited", finish_generation, priority=600)
    app.connect("env-get-outdated", find_outdated_pages)
    app.connect("env-updated", extract_words)
    app.connect("html-page-context", leave_out_unused_script)
    app.add_transform(TidyExample)
    app.add_transform(ReadFigures)
    app.add_post_transform(ShowCards)
    app.add_post_transform(TranslateFigures)
    add_assets(app, "gallery.css")
    return metadata()


_GALLERY_LOG = standard_logging.getLogger("sphinx.sphinx-gallery")


def _is_no_chatter(record: standard_logging.LogRecord) -> bool:
    """Leave out tallies of examples and times; the progress of the examples is logged elsewhere."""
    return record.levelno >= standard_logging.WARNING


def fill_defaults(app: Sphinx, config: Config) -> None:
    """Set what the project's ``sphinx_gallery_conf`` leaves open."""
    from sphinx_gallery.gen_gallery import DEFAULT_GALLERY_CONF

    given = config.sphinx_gallery_conf
    config.sphinx_gallery_conf = {**DEFAULTS, **({} if given is DEFAULT_GALLERY_CONF else given)}
    # sphinx-gallery warns of spaces in a whole path. Only one below the examples' folder does any harm,
    # and where the project lies is not the author's fault.
    if not any(
        " " in str(path.relative_to(examples))
        for examples, _ in _galleries(app)
        for path in examples.rglob("*.py")
    ):
        config.suppress_warnings = [*config.suppress_warnings, "sphinx_gallery.space_in_filename"]


# -- generate: figures --------------------------------------------------------------------------------


def scraper(block: Any, block_vars: dict[str, Any], gallery_conf: Mapping[str, Any]) -> str:
    """Save the figures that a block of an example has left open; return the reST that shows them."""
    from matplotlib import pyplot as plt

    try:
        # After an error sphinx-gallery asks once more, only so that the figures get closed.
        if "formatted_exception" in block_vars:
            return ""
        return "".join(
            _save(plt.figure(number), Path(path), block_vars["src_file"], gallery_conf)
            for number, path in zip(plt.get_fignums(), block_vars["image_path_iterator"], strict=False)
        )
    except figures.FigureError as error:
        blank = len(block.content) - len(block.content.lstrip())
        line = block.lineno + block.content.count("\n", 0, blank)
        raise figures.FigureError(f"{error} [the block at line {line}]") from None
    finally:
        plt.close("all")


def _save(figure: "Figure", path: Path, script: str, gallery_conf: Mapping[str, Any]) -> str:
    folder = gallery_conf["src_dir"]
    svg = path.with_suffix(".svg")
    source = Path(os.path.relpath(script, folder)).as_posix()
    words = figures.save_svg(figure, svg, source=source)
    # Beside an SVG sphinx-gallery prefers a PNG for the thumbnail; no page shows this file itself.
    figures.save_thumbnail(figure, svg.with_suffix(".png"), size=gallery_conf["thumbnail_size"])
    return (
        f"\n.. image:: /{Path(os.path.relpath(svg, folder)).as_posix()}\n"
        f"   :alt: {words.alt}\n"
        "   :class: sphx-glr-single-img\n\n"
    )


def speak_the_source_language(gallery_conf: Mapping[str, Any], script: str | None) -> None:
    """Let examples draw in the language they are written in, whatever the author has set for a shell."""
    os.environ.pop("EDUKIT_LANGUAGE", None)


# -- generate: what runs again, and what fails --------------------------------------------------------

_KEY_FILE = ".edukit-key"
# Not part of what an example computes or draws; but gallery.py, which saves the figures, is.
_APART = ("sphinxext", "locale", "scaffold", "cli.py", "__pycache__")


def rerun_key() -> str:
    """Return what the outcome of every example depends on besides its script, as one digest."""
    digest = hashlib.sha256()
    files = [path for path in PACKAGE.rglob("*") if path.is_file()]
    for path in sorted([*files, Path(__file__)]):
        name = path.relative_to(PACKAGE)
        if path != Path(__file__) and (name.parts[0] in _APART or "__pycache__" in name.parts):
            continue
        digest.update(f"{name.as_posix()} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    for package in ("numpy", "matplotlib", "sphinx-gallery"):
        digest.update(f"{package} {version(package)}\n".encode())
    digest.update(".".join(platform.python_version_tuple()[:2]).encode())
    return digest.hexdigest()


def forget_outdated_examples(app: Sphinx) -> None:
    """Remove what an earlier build made of examples that have to run again, or that are gone.

    sphinx-gallery looks only at the script. Whatever stays here would outlive a run that fails, and pass
    for its result in the build after it.
    """
    key = rerun_key()
    for examples, gallery in _galleries(app):
        if not examples.is_dir():
            stop(
                f"sphinx_gallery_conf names a folder of examples that is not there: {_shown(examples)} "
                "(examples_dirs counts from the folder of the pages)",
                location=f"{Path(app.confdir) / 'conf.py'}:1",
            )
        key_file = gallery / _KEY_FILE
        current = key_file.is_file() and key_file.read_text(encoding="ascii", errors="replace") == key
        if not current:
            key_file.unlink(missing_ok=True)
        for copy in sorted(gallery.rglob("*.py")):
            script = examples / copy.relative_to(gallery)
            checksum = copy.with_name(f"{copy.name}.md5")
            if not script.is_file():
                _remove_outcome(copy)
                for suffix in (
                    ".py",
                    ".rst",
                    ".ipynb",
                    ".zip",
                    ".codeobj.json",
                    ".cost.json",
                    claims.SUFFIX,
                ):
                    copy.with_suffix(suffix).unlink(missing_ok=True)
            elif (
                not current
                or not checksum.is_file()
                or checksum.read_text(encoding="ascii", errors="replace") != _md5(script)
            ):
                _remove_outcome(copy)
        _refuse_untitled(examples, app.config.sphinx_gallery_conf["filename_pattern"])
    if _fails_the_build(app):
        _GALLERY_LOG.addFilter(_said_in_the_summary)


def _refuse_untitled(examples: Path, pattern: str) -> None:
    """Stop when an example does not begin with its title, before sphinx-gallery crashes on it."""
    for script in sorted(examples.rglob("*.py")):
        if not re.search(pattern, str(script)):
            continue
        try:
            tree = ast.parse(script.read_bytes())
        except (SyntaxError, ValueError):
            continue  # It is among the examples that fail, with its line.
        if not ast.get_docstring(tree):
            stop(
                "an example begins with its title, underlined, and a sentence about it, between two "
                'lines of """',
                location=f"{script}:1",
            )
        for node in ast.walk(tree):
            if _ends_the_program(node):
                stop(
                    "an example that ends the program ends the whole build: leave this call out",
                    location=f"{script}:{node.lineno}",
                )


def _ends_the_program(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in {"exit", "quit", "sys.exit", "os._exit"}


def finish_generation(app: Sphinx) -> None:
    """Stop when examples have failed; else note what their outcome depended on."""
    _GALLERY_LOG.removeFilter(_said_in_the_summary)
    conf = app.config.sphinx_gallery_conf
    expected = {str(Path(app.srcdir, name).resolve()) for name in conf["expected_failing_examples"]}
    failed = {
        Path(script): error
        for script, error in sorted(conf["failing_examples"].items())
        if str(Path(script).resolve()) not in expected
    }
    for examples, gallery in _galleries(app):
        for script in failed:
            if script.is_relative_to(examples):
                _remove_outcome(gallery / script.relative_to(examples))
    if failed and _fails_the_build(app):
        many = f"{len(failed)} examples failed" if len(failed) > 1 else "An example failed"
        lines = [_summary(script, error) for script, error in failed.items()]
        stop("\n".join([f"{many}, so no page was built:", *lines]))
    for _, gallery in _galleries(app):
        for thumbnail in sorted(gallery.rglob("images/thumb/*.png")):
            _make_light(thumbnail)
        key_file = gallery / _KEY_FILE
        if not key_file.is_file() and conf["plot_gallery"]:
            key_file.write_text(rerun_key(), encoding="ascii")


def _galleries(app: Sphinx) -> Iterator[tuple[Path, Path]]:
    """Yield the folders of examples with those of their pages; none in the build of a translation."""
    conf = app.config.sphinx_gallery_conf
    pairs = [
        [names] if isinstance(names, str) else names
        for names in (conf["examples_dirs"], conf["gallery_dirs"])
    ]
    for examples, gallery in zip(*pairs, strict=False):
        yield Path(os.path.normpath(app.srcdir / examples)), Path(os.path.normpath(app.srcdir / gallery))


def _remove_outcome(copy: Path) -> None:
    """Remove the checksum, measurements and pictures of an example, given its copy in the gallery."""
    copy.with_name(f"{copy.name}.md5").unlink(missing_ok=True)
    copy.with_suffix(claims.SUFFIX).unlink(missing_ok=True)
    picture = re.compile(rf"sphx_glr_{re.escape(copy.stem)}_(\d{{3}}|thumb)\.(svg|png|words\.json)")
    images = copy.parent / "images"
    for path in (*images.glob("*"), *images.glob("thumb/*")):
        if picture.fullmatch(path.name):
            path.unlink()


def _md5(script: Path) -> str:
    text = script.read_text(encoding="utf-8", errors="surrogateescape")
    return hashlib.md5(text.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()


def _fails_the_build(app: Sphinx) -> bool:
    return not app.config.sphinx_gallery_conf["only_warn_on_example_error"]


def _said_in_the_summary(record: standard_logging.LogRecord) -> bool:
    return getattr(record, "subtype", None) != "example_error"


def _summary(script: Path, error: str) -> str:
    """Return one failure as ``file:line: what happened``, from the traceback that was kept of it."""
    shown = _shown(script)
    lines = re.findall(rf'File "{re.escape(str(script))}", line (\d+)', error)
    # The message follows the indented frames, and may have lines of its own.
    message = re.split(r"\n(?=[\w.]+(?::|\n|$))", error)[-1].strip()
    if block := re.search(r" \[the block at line (\d+)\]$", message):
        lines, message = [block[1]], message[: block.start()]
    message = re.sub(r"^edukit\.[\w.]+: ", "", message)
    hint = "" if block else f"\n    (python {shown} shows the whole traceback)"
    return f"  {shown}:{lines[-1] if lines else 1}: {message}{hint}"


def _shown(path: Path) -> str:
    """Return a path as a person in the working folder would write it."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def _make_light(thumbnail: Path) -> None:
    """Reduce a thumbnail to a few colours on the card's own: a tenth of the bytes."""
    from PIL import Image

    with Image.open(thumbnail) as picture:
        if picture.mode == "P":
            return
        pixels = picture.convert("RGBA")
    card = Image.new("RGBA", pixels.size, figures.CARD)
    card.alpha_composite(pixels)
    card.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(thumbnail, optimize=True)


# -- read: pages and what they depend on --------------------------------------------------------------

CATALOG = "figures"
_METADATA = "edukit_figures"  # Sphinx forgets and merges a page's metadata with the page


class TidyExample(SphinxTransform):
    """Words the downloads of an example page once for all, instead of a message in each catalog.

    The archive beside them goes: it holds the two files that can be downloaded anyway, and the time it
    was made. So does the hint at the top that there are downloads at the foot.
    """

    default_priority = 3  # before messages are collected (10)

    def apply(self, **kwargs: Any) -> None:
        """Work on the nodes that sphinx-gallery has marked by their classes."""
        for note in list(self.document.findall(_has_class("sphx-glr-download-link-note"))):
            _detach(note.parent if isinstance(note.parent, addnodes.only) else note)
        for archive in list(self.document.findall(_has_class("sphx-glr-download-zip"))):
            _detach(archive)
        texts = {
            "sphx-glr-download-python": "Download the Python script",
            "sphx-glr-download-jupyter": "Download the Jupyter notebook",
        }
        for name, text in texts.items():
            for container in self.document.findall(_has_class(name)):
                for reference in list(container.findall(addnodes.download_reference)):
                    file = Path(reference["reftarget"]).name
                    label = interface_text(text, self.config.language)
                    reference.children.clear()
                    reference += [nodes.inline(label, label), nodes.Text(" "), nodes.literal(file, file)]
                    reference.parent["translatable"] = False


class ReadFigures(SphinxTransform):
    """Marks the figures that have words, and gives those without alternative text their own."""

    default_priority = 5  # before alternative texts are collected (10) and translated (20)

    def apply(self, **kwargs: Any) -> None:
        """Look at every picture of the page; whether a chapter or an example, it makes no difference."""
        docname = self.env.current_document.docname
        found = False
        for image in self.document.findall(nodes.image):
            if "://" in image["uri"] or not image["uri"].endswith(".svg"):
                continue
            relative, path = self.env.relfn2path(image["uri"], docname)
            try:
                words = figures.read_words(path)
            except figures.FigureError as error:
                logger.warning("%s", error, location=image, type="edukit", subtype="figure")
                continue
            if words is None:
                continue
            found = True
            self.env.note_dependency(os.fspath(figures.words_path(relative)))
            # dark-light: the theme need not dim what stands on a card of its own.
            image["classes"] += [
                name for name in ("edukit-figure", "dark-light") if name not in image["classes"]
            ]
            if not image.get("alt"):
                image["alt"] = words.alt
        if found:
            self.env.metadata[docname][_METADATA] = _catalog_digest(self.app)


def find_outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Return the pages with figures whose catalog is another one than when they were read."""
    digest = _catalog_digest(app)
    return [page for page, data in env.metadata.items() if data.get(_METADATA, digest) != digest]


def _catalog_path(app: Sphinx) -> Path | None:
    """Return the catalog of the figures' words in the language of the build, if there is one."""
    for folder in app.config.locale_dirs:
        path = Path(app.srcdir, folder, app.config.language, "LC_MESSAGES", f"{CATALOG}.po")
        if path.is_file():
            return path
    return None


def _catalog_digest(app: Sphinx) -> str:
    path = _catalog_path(app)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path else ""


def _has_class(name: str) -> Any:
    return lambda node: isinstance(node, nodes.Element) and name in node["classes"]


def _detach(node: nodes.Node) -> None:
    cast("nodes.Element", node.parent).remove(node)


# -- extract: the template of all words ---------------------------------------------------------------


def extract_words(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Let ``-b gettext`` write the words of every figure that a page shows into ``figures.pot``."""
    if not isinstance(app.builder, MessageCatalogBuilder):
        return []
    if CATALOG in env.found_docs:
        stop(
            f"A page cannot be called {CATALOG}: its catalog would be that of the words in figures. "
            "Give the page another name.",
            location=str(env.doc2path(CATALOG)),
        )
    # sphinx-gallery offers templates of its own, for sidebars that are not used here.
    app.config.templates_path = [
        path for path in app.config.templates_path if Path(path).parent.name != "sphinx_gallery"
    ]
    found: list[tuple[str, int, str]] = []
    for image in env.images:
        if words := figures.read_words(app.srcdir / image):
            script = Path(os.path.normpath(app.srcdir / (words.source or image)))
            found += [
                (str(script), _line_of(message, script), message) for message in words.messages.values()
            ]
    for source, line, message in sorted(found):
        app.builder.catalogs[CATALOG].add(message, MsgOrigin(source, line))
    return []


def _line_of(message: str, script: Path) -> int:
    """Return the line of a script that a label comes from; 1 when it is put together at run time."""
    if script.suffix != ".py" or not script.is_file():
        return 1
    lines = script.read_text(encoding="utf-8", errors="replace").splitlines()
    first = re.escape(message.split("\n")[0])
    # As a whole string, else as a part of one, such as the fixed words of an f-string.
    for pattern in (rf"""["']{first}(["']|\\n)""", first):
        for number, line in enumerate(lines, 1):
            if re.search(pattern, line):
                return number
    return 1


# -- write: figures in the language of the page -------------------------------------------------------


class TranslateFigures(SphinxPostTransform):
    """Puts a figure with translated words in the place of each figure that has words."""

    default_priority = 190  # before other pictures are converted (200)
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Do nothing in the source language, whose folder of catalogs does not exist."""
        path = _catalog_path(self.app)
        if path is None:
            self._report_missing_catalog()
            return
        try:
            translations = figures.read_catalog(path)
        except figures.FigureError as error:
            stop(str(error))
        for image in self.document.findall(nodes.image):
            if image["uri"] not in self.env.images:
                continue
            try:
                self._translate(image, translations, path)
            except figures.FigureError as error:
                logger.warning("%s", error, location=image, type="edukit", subtype="figure")

    def _translate(self, image: nodes.image, translations: Mapping[str, str], catalog: Path) -> None:
        source = self.app.srcdir / image["uri"]
        words = figures.read_words(source)
        if words is None:
            return
        for message in dict.fromkeys(words.messages.values()):
            if message not in translations:
                logger.warning(
                    "the word %r in the figure %s has no translation in %s",
                    message,
                    Path(image["uri"]).name,
                    _shown(catalog),
                    location=image,
                    type="edukit",
                    subtype="figure_word",
                )
        language = self.config.language
        svg = figures.translate_svg(
            source.read_text(encoding="utf-8"), words.messages, translations, language
        )
        # The name that Sphinx gave the source is unique and kept, so that a page which is written alone
        # in a later build cannot take the name of another page's figure.
        name = Path(self.env.images[image["uri"]][1])
        target = self.app.doctreedir / CATALOG / f"{name.stem}.{figures.language_tag(language)}.svg"
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_text(encoding="utf-8") != svg:
            target.write_text(svg, encoding="utf-8", newline="\n")
        image["candidates"] = {"*": str(target)}
        image["uri"] = str(target)
        self.env.images.add_file(self.env.current_document.docname, str(target))

    def _report_missing_catalog(self) -> None:
        language = self.config.language
        folders = [Path(self.app.srcdir, name, language, "LC_MESSAGES") for name in self.config.locale_dirs]
        folder = next((folder for folder in folders if folder.is_dir()), None)
        if folder and any(_METADATA in data for data in self.env.metadata.values()):
            logger.warning(
                "there is no catalog %s, so the words in figures stay in the source language: make it from "
                "%s.pot, which sphinx-build -b gettext writes",
                _shown(folder / f"{CATALOG}.po"),
                CATALOG,
                type="edukit",
                subtype="figure_catalog",
                once=True,
            )


# -- write: the cards of the gallery ------------------------------------------------------------------
#
# sphinx-gallery writes a card as raw HTML in the source language around a link without a name:
#
#   raw(<div class="sphx-glr-thumbcontainer" tooltip="intro">)
#   only(html) > image, paragraph > pending_xref
#   raw(<div class="sphx-glr-thumbnail-title">title</div></div>)
#
# It becomes
#
#   raw(<div class="sphx-glr-thumbcontainer">)
#   paragraph > reference > image, inline(title)
#   paragraph(intro)
#   raw(</div>)


class ShowCards(SphinxPostTransform):
    """Makes each card of a gallery from the page that it leads to, in the language of that page."""

    default_priority = 5  # before references are resolved (10) and conditions decided (50)
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Find the cards and rebuild them."""
        for opening in list(self.document.findall(nodes.raw)):
            if 'class="sphx-glr-thumbcontainer"' not in opening.astext():
                continue
            parent = cast("nodes.Element", opening.parent)
            place = parent.index(opening)
            only, closing = parent[place + 1], parent[place + 2]
            image = next(iter(only.findall(nodes.image)), None)
            reference = next(iter(only.findall(addnodes.pending_xref)), None)
            if image is None or reference is None or not isinstance(closing, nodes.raw):
                continue
            target = docname_join(reference["refdoc"], reference["reftarget"])
            if target in self.env.titles:
                parent[place : place + 3] = self._card(opening.astext(), image, target)

    def _card(self, opening: str, image: nodes.image, target: str) -> list[nodes.Node]:
        tags = re.search(r"data-sgtags='[^']*'", opening)
        attributes = 'class="sphx-glr-thumbcontainer"' + (f" {tags[0]}" if tags else "")
        # The title names the link; the picture beside it says nothing more.
        image["alt"] = ""
        title = nodes.inline("", "", *self._plain(self.env.titles[target]), classes=["edukit-card-title"])
        page = self.env.get_doctree(target)
        if heading := page.next_node(nodes.title):
            self._take_side(heading, title)
        docname = self.env.current_document.docname
        uri = self.app.builder.get_relative_uri(docname, target)
        link = nodes.reference("", "", image, title, internal=True, refuri=uri)
        card: list[nodes.Node] = [
            nodes.raw("", f"<div {attributes}>", format="html"),
            nodes.paragraph("", "", link, classes=["edukit-card-link"]),
        ]
        if intro := _first_paragraph(page):
            card.append(nodes.paragraph("", "", *self._plain(intro), classes=["edukit-card-intro"]))
            self._take_side(intro, card[-1])
        return [*card, nodes.raw("", "</div>", format="html")]

    def _take_side(self, original: nodes.Element, shown: nodes.Node) -> None:
        """Let a text of the card have what its original says in the other language."""
        if side := original.__dict__.get(OTHER_SIDE):
            other = side.copy()
            other += self._plain(side)
            setattr(shown, OTHER_SIDE, other)

    def _plain(self, element: nodes.Element) -> list[nodes.Node]:
        """Return copies of what an element says, without links and notes, which belong to its own page."""
        parts: list[nodes.Node] = []
        for child in element.children:
            if isinstance(child, nodes.footnote_reference | nodes.target | addnodes.index):
                continue
            if (
                isinstance(child, addnodes.pending_xref)
                and child["reftype"] == "doc"
                and not child["refexplicit"]
            ):
                page = docname_join(child["refdoc"], child["reftarget"])
                parts += self._plain(self.env.titles.get(page, child))
            elif isinstance(child, nodes.reference | addnodes.pending_xref | nodes.problematic):
                parts += self._plain(child)
            else:
                copy = child.deepcopy()
                if isinstance(copy, nodes.Element):
                    copy["ids"] = []
                parts.append(copy)
        return parts


def _first_paragraph(page: nodes.document) -> nodes.paragraph | None:
    section = next(iter(page.findall(nodes.section)), None)
    return next((child for child in section or () if isinstance(child, nodes.paragraph)), None)


def leave_out_unused_script(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Load sphinx-gallery's filter by tags only where there are tags."""
    if "data-sgtags" not in context.get("body", ""):
        context["script_files"] = [
            script
            for script in context.get("script_files", [])
            if "sg-tags.js" not in str(getattr(script, "filename", script))
        ]
