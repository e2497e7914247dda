"""Numbers that are computed, and claims that are held to them.

An example records what it finds with :func:`edukit.claims.measure`; sphinx-gallery runs it, and beside
the page that it makes of the example this module keeps a file of the measurements. A page then has

- the role ``measured``: the number itself, as ``{measured}`wavelength-last``` or, with a format of
  Python's, ``{measured}`wavelength-last:,.0f```;
- the directive ``claim``: what is stated, whether it is right, and what decides it::

      ```{claim} 4.1
      :verdict: false
      :measured: wavelength-first, wavelength-last
      :source: [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), section 3.5

      Low dimensions vary slowly, high ones fast.

      It is the other way round: ...
      ```

- the directive ``ledger``: the claims of all pages, or of one section, as ``{ledger} 4``; and
  ``{ledger-summary}``, a line that counts them.

A page that cites a measurement depends on its file. A claim is the tree::

    <claim classes="edukit-claim edukit-claim-false" ids="claim-4-1">
      <paragraph classes="edukit-claim-head">    Claim § 4.1  Wrong
      <paragraph classes="edukit-claim-statement">
      <paragraph> …                              what is right
      <definition_list classes="edukit-claim-evidence">
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar, cast
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.nodes import clean_astext
from sphinx.util.typing import ExtensionMetadata

from edukit import claims
from edukit.sphinxext.common import add_assets, copy_with_sides, interface_text, metadata, stop

logger = logging.getLogger(__name__)

VERDICTS = {"true": "Right", "imprecise": "Imprecise", "false": "Wrong", "open": "Open"}
# Beside the colour, for those who do not see it.
SIGNS = {"true": "✓", "imprecise": "≈", "false": "✗", "open": "?"}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the role, the directives and what follows the measurements through a build."""
    app.add_node(claim, html=(visit_claim, depart_claim))
    app.add_node(ledger)
    app.add_role("measured", Measured())
    app.add_directive("claim", ClaimDirective)
    app.add_directive("ledger", LedgerDirective)
    app.add_directive("ledger-summary", LedgerDirective)
    app.add_post_transform(FillLedgers)
    app.connect("config-inited", watch_the_gallery, priority=7)  # sphinx-gallery reads its own at 10
    app.connect("builder-inited", rerun_unmeasured, priority=450)  # it generates at 500
    app.connect("builder-inited", stop_recording, priority=600)
    app.connect("builder-inited", load_measurements, priority=650)
    app.connect("doctree-read", keep_claims)
    app.connect("env-purge-doc", forget_claims)
    app.connect("env-merge-info", merge_claims)
    app.connect("env-updated", find_outdated_ledgers)
    add_assets(app, "claims.css")
    return metadata()


# -- run: what the examples of a gallery measure -------------------------------------------------------


def watch_the_gallery(app: Sphinx, config: Config) -> None:
    """Have sphinx-gallery, if the project uses it, call us around and within each example."""
    if "sphinx_gallery_conf" not in config.values:
        return
    from sphinx_gallery.gen_gallery import DEFAULT_GALLERY_CONF

    conf = {**DEFAULT_GALLERY_CONF, **config.sphinx_gallery_conf}
    for key, ours in (("reset_modules", "start_recording"), ("image_scrapers", "scraper")):
        given = conf[key] if isinstance(conf[key], (tuple, list)) else (conf[key],)
        conf[key] = (*given, f"{__name__}.{ours}")
    config.sphinx_gallery_conf = conf


_session = ExitStack()
_measured: list[claims.Measurement] = []


def start_recording(gallery_conf: Mapping[str, Any], script: str | None) -> None:
    """Begin a new recording: an example is about to run."""
    global _measured
    _session.close()
    _measured = _session.enter_context(claims.recording())


def scraper(block: Any, block_vars: dict[str, Any], gallery_conf: Mapping[str, Any]) -> str:
    """Keep what the example has measured up to this block; nothing of it is shown."""
    file = Path(block_vars["target_file"]).with_suffix(claims.SUFFIX)
    # The example could not measure everything, so that what it did measure may not be relied on.
    if "formatted_exception" in block_vars:
        file.unlink(missing_ok=True)
    elif _measured or file.is_file():
        script = os.path.relpath(block_vars["src_file"], gallery_conf["src_dir"])
        claims.write(file, _measured, script=Path(script).as_posix())
    return ""


def rerun_unmeasured(app: Sphinx) -> None:
    """Have examples run again that measure, but whose measurements are not there."""
    for checksum in app.srcdir.rglob("*.py.md5"):
        script = checksum.with_suffix("")
        text = script.read_text(encoding="utf-8", errors="replace") if script.is_file() else ""
        if "edukit.claims" in text and not script.with_suffix(claims.SUFFIX).is_file():
            checksum.unlink()


def stop_recording(app: Sphinx) -> None:
    """Close the recording of the last example."""
    _session.close()


# -- read: measurements by name -------------------------------------------------------------------------


class _Measurements(dict[str, tuple[claims.Measurement, Path]]):
    """The measurements by name, with the file that holds each; one name belongs to one example."""


_LOADED: WeakKeyDictionary[Sphinx, _Measurements] = WeakKeyDictionary()


def load_measurements(app: Sphinx) -> None:
    """Read every file of measurements below the folder of the pages."""
    found = _Measurements()
    for path in sorted(app.srcdir.rglob(f"*{claims.SUFFIX}")):
        try:
            script, measurements = claims.read(path)
        except ValueError as error:
            stop(f"{error}. Delete it: the next build makes it again.")
        for one in measurements:
            if one.name in found:
                first = claims.read(found[one.name][1])[0]
                stop(
                    f"two examples measure {one.name!r}, {first} and {script}: give one of the "
                    "measurements another name"
                )
            found[one.name] = one, path
    _LOADED[app] = found


def _cite(env: BuildEnvironment, name: str) -> claims.Measurement:
    """Return a measurement, and let the page that is being read depend on it.

    Raises
    ------
    ValueError
        There is no such measurement; the message names one that is like it.
    """
    known = _LOADED.get(env.app, _Measurements())
    if name not in known:
        import difflib

        like = difflib.get_close_matches(name, known, n=1)
        hint = f"; is {like[0]!r} meant?" if like else ""
        raise ValueError(f"no example measures {name!r}{hint}")
    measurement, path = known[name]
    env.note_dependency(os.path.relpath(path, env.srcdir))
    return measurement


class Measured(SphinxRole):
    """Shows a measurement by its name, as ``name`` or ``name:format``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number, or say at the role's place what is wrong."""
        name, _, spec = self.text.partition(":")
        try:
            measurement = _cite(self.env, name.strip())
            return [_value(measurement, spec.strip())], []
        except ValueError as error:
            message = str(error)
            if message.startswith(("Invalid format", "Unknown format", "Cannot specify", "Format spec")):
                message = f"{spec.strip()!r} is not a format for numbers, such as .2f or ,: {message}"
            logger.error("%s", message, location=self.get_location(), type="edukit", subtype="measured")
            return [nodes.problematic(self.rawtext, self.rawtext)], []


def _value(measurement: claims.Measurement, spec: str = "") -> nodes.inline:
    digits, exponent = claims.format_value(measurement.value, spec)
    value = nodes.inline(classes=["edukit-measured"])
    if not exponent:
        value += nodes.Text(digits)
    else:
        value += nodes.Text(f"{digits} × 10" if digits else "10")
        value += nodes.superscript(exponent, exponent)
    return value


# -- read: claims ---------------------------------------------------------------------------------------


class claim(nodes.container):
    """A claim with its verdict. Builders that do not know it write the container that it is."""


class ClaimDirective(SphinxDirective):
    """States what is claimed, whether it is right, and what decides it."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        "verdict": directives.unchanged_required,
        "measured": directives.unchanged_required,
        "source": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Build the tree that the module's text shows."""
        body = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, body)
        paragraphs = [node.astext() for node in body.findall(nodes.paragraph)]
        stated = claims.Claim(
            section=self.arguments[0].strip(),
            verdict=self.options.get("verdict", ""),
            statement=paragraphs[0] if paragraphs and isinstance(body[0], nodes.paragraph) else "",
            correction=tuple(paragraphs[1:]),
            source=self.options.get("source", ""),
            measured=claims.names(self.options.get("measured", "")),
            path=Path(self.env.doc2path(self.env.docname)),
            line=self.lineno,
        )
        if problem := claims.fault(stated):
            self._say(problem)
            return body.children
        cast("nodes.paragraph", body[0])["classes"].append("edukit-claim-statement")
        node = claim(classes=["edukit-claim", f"edukit-claim-{stated.verdict}"])
        node["section"], node["verdict"] = stated.section, stated.verdict
        self.set_source_info(node)
        self._name(node, stated.section)
        node += self._head(stated)
        node += body.children
        node += self._evidence(stated)
        return [node]

    def _say(self, problem: str) -> None:
        logger.error("%s", problem, location=self.get_location(), type="edukit", subtype="claim")

    def _name(self, node: claim, section: str) -> None:
        """Give the claim a name from its section: the same one in every language."""
        base = nodes.make_id(f"claim-{section}")
        name, number = base, 1
        while name in self.state.document.ids:
            number += 1
            name = f"{base}-{number}"
        node["ids"].append(name)
        self.state.document.note_explicit_target(node)

    def _head(self, stated: claims.Claim) -> nodes.paragraph:
        language = self.config.language
        # A section without a number, such as "further", is named by the heading of its ledger.
        label = "Claim § {section}" if stated.section[0].isdecimal() else "Claim"
        label = interface_text(label, language).format(section=stated.section)
        head = nodes.paragraph(classes=["edukit-claim-head"], translatable=False)
        head += [nodes.inline(label, label), nodes.Text(" "), verdict_mark(stated.verdict, language)]
        return head

    def _evidence(self, stated: claims.Claim) -> list[nodes.Node]:
        items = []
        if stated.measured and (numbers := self._measurements(stated.measured)):
            items.append(self._item("Measured", numbers))
        if stated.source:
            line = self.state.document["source"], self.lineno - 1
            body = nodes.container()
            self.state.nested_parse(StringList([stated.source], items=[line]), 0, body)
            items.append(self._item("Source", body.children))
        return [nodes.definition_list("", *items, classes=["edukit-claim-evidence"])] if items else []

    def _measurements(self, names: tuple[str, ...]) -> list[nodes.Node]:
        body: list[nodes.Node] = []
        scripts: dict[str, None] = {}
        for name in names:
            try:
                measurement = _cite(self.env, name)
            except ValueError as error:
                self._say(str(error))
                continue
            if not measurement.is_held_to_account:
                self._say(
                    f"nothing is expected of the measurement {name!r}, so that it decides no claim: give "
                    "measure() an expect, above or below"
                )
            paragraph = nodes.paragraph(translatable=False)
            paragraph += [nodes.literal(name, name), nodes.Text(" = "), _value(measurement)]
            if measurement.unit:
                paragraph += nodes.Text(f" {measurement.unit}")
            body.append(paragraph)
            scripts[self._page_of(name)] = None
        pages = [page for page in scripts if page in self.env.found_docs]
        return body + [_link_to(page, self.env.docname) for page in pages]

    def _page_of(self, name: str) -> str:
        path = _LOADED[self.env.app][name][1]
        return Path(os.path.relpath(path, self.env.srcdir)).as_posix().removesuffix(claims.SUFFIX)

    def _item(self, label: str, body: list[nodes.Node]) -> nodes.definition_list_item:
        text = interface_text(label, self.config.language)
        term = nodes.term(text, text, translatable=False)
        return nodes.definition_list_item("", term, nodes.definition("", *body))


def verdict_mark(verdict: str, language: str) -> nodes.inline:
    """Return the word for a verdict, with a sign before it that only eyes need."""
    word = interface_text(VERDICTS[verdict], language)
    return nodes.inline(word, word, classes=["edukit-verdict", f"edukit-verdict-{verdict}"])


def _link_to(page: str, docname: str) -> nodes.paragraph:
    """Return a paragraph that is a link to a page, by its title in the language of the build."""
    reference = addnodes.pending_xref(
        "",
        nodes.inline("", ""),
        refdoc=docname,
        refdomain="std",
        reftype="doc",
        reftarget=f"/{page}",
        refexplicit=False,
        refwarn=True,
    )
    return nodes.paragraph("", "", reference, translatable=False)


def visit_claim(self: Any, node: claim) -> None:
    """Write a claim as a block with the classes that it has, and not those of containers."""
    self.body.append(self.starttag(node, "div"))


def depart_claim(self: Any, node: claim) -> None:
    """Close the claim."""
    self.body.append("</div>\n")


# -- collect: the claims of all pages -------------------------------------------------------------------


def _kept(env: BuildEnvironment) -> dict[str, list[claim]]:
    if not hasattr(env, "edukit_claims"):
        env.edukit_claims = {}  # type: ignore[attr-defined]  # kept with the environment
    return cast("dict[str, list[claim]]", getattr(env, "edukit_claims"))


def keep_claims(app: Sphinx, doctree: nodes.document) -> None:
    """Keep copies of the claims of a page that was read, translated as it is."""
    found = [copy_with_sides(node) for node in doctree.findall(claim)]
    if found:
        _kept(app.env)[app.env.docname] = found


def forget_claims(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget the claims of a page that is gone or going to be read again."""
    _kept(env).pop(docname, None)


def merge_claims(app: Sphinx, env: BuildEnvironment, docnames: list[str], other: BuildEnvironment) -> None:
    """Take over what a parallel process has read."""
    _kept(env).update({name: found for name, found in _kept(other).items() if name in docnames})


def find_outdated_ledgers(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages with a ledger when the claims are others than when these were written."""
    digest = hash_of(_kept(env))
    if getattr(env, "edukit_ledger", None) == digest:
        return []
    setattr(env, "edukit_ledger", digest)
    return [name for name, data in env.metadata.items() if LEDGER in data]


def hash_of(kept: Mapping[str, list[claim]]) -> str:
    """Return a digest of all claims with their pages."""
    import hashlib

    text = "\n".join(f"{name} {node.pformat()}" for name in sorted(kept) for node in kept[name])
    return hashlib.sha256(text.encode()).hexdigest()


# -- write: the ledger ----------------------------------------------------------------------------------

LEDGER = "edukit_ledger"


class ledger(nodes.Element):
    """Where claims are listed; replaced before anything is written."""


class LedgerDirective(SphinxDirective):
    """Lists the claims of all pages, or of one section; as ``ledger-summary`` it counts them."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Leave a place that is filled when all pages have been read."""
        self.env.metadata[self.env.docname][LEDGER] = "yes"
        node = ledger(
            section=self.arguments[0].strip(".") if self.arguments else "", counts=self.name != "ledger"
        )
        self.set_source_info(node)
        return [node]


class FillLedgers(SphinxPostTransform):
    """Puts copies of the claims, each with a link to where it is discussed, in the place of a ledger."""

    default_priority = 5  # before references are resolved (10)

    def run(self, **kwargs: Any) -> None:
        """Fill each ledger of the page."""
        for node in list(self.document.findall(ledger)):
            found = [
                (page, one)
                for page, one in _in_order(_kept(self.env))
                if _belongs(one["section"], node["section"])
            ]
            if not found:
                logger.error(
                    "no page has a claim%s",
                    f" of section {node['section']}" if node["section"] else "",
                    location=node,
                    type="edukit",
                    subtype="ledger",
                )
            node.replace_self(self._counts(found) if node["counts"] else self._entries(found))

    def _counts(self, found: list[tuple[str, claim]]) -> list[nodes.Node]:
        language = self.config.language
        paragraph = nodes.paragraph(classes=["edukit-ledger-summary"])
        total = interface_text("{number} claims", language).format(number=len(found))
        paragraph += nodes.inline(total, total)
        for verdict in claims.VERDICTS:
            number = sum(one["verdict"] == verdict for _, one in found)
            if number:
                paragraph += [nodes.Text(" "), verdict_mark(verdict, language), nodes.Text(f" {number}")]
        return [paragraph]

    def _entries(self, found: list[tuple[str, claim]]) -> list[nodes.Node]:
        language = self.config.language
        entries: list[nodes.Node] = []
        for page, original in found:
            entry = copy_with_sides(original)
            name = entry["ids"][0]
            entry["ids"] = []
            for part in entry.findall(nodes.Element):
                part["ids"] = []
            uri = self.app.builder.get_relative_uri(self.env.current_document.docname, page)
            title = clean_astext(self.env.titles[page])
            where = interface_text("Discussed in", language)
            entry += nodes.paragraph(
                "",
                f"{where} ",
                nodes.reference("", title, internal=True, refuri=f"{uri}#{name}"),
                classes=["edukit-claim-where"],
            )
            entries.append(entry)
        return entries


def _in_order(kept: Mapping[str, list[claim]]) -> Iterator[tuple[str, claim]]:
    found = [(page, one) for page in sorted(kept) for one in kept[page]]
    yield from sorted(found, key=lambda pair: claims.section_key(pair[1]["section"]))


def _belongs(section: str, wanted: str) -> bool:
    return not wanted or re.match(rf"{re.escape(wanted)}(\.|$)", section) is not None
