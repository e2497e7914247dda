"""What a reader sees of the languages: a switcher, an offer, and the same page in every language."""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from edukit.sphinxext.bilingual import sides
from edukit.sphinxext.bilingual.languages import Language
from edukit.sphinxext.bilingual.processes import BUILDERS
from edukit.sphinxext.bilingual.site import Site, site_of
from edukit.sphinxext.common import interface_text, stop


@dataclass(frozen=True, slots=True)
class Edition:
    """A page in one language, as the template sees it."""

    name: str
    tag: str
    direction: str
    href: str
    current: bool
    offer: str
    accept: str
    dismiss: str


@dataclass(frozen=True, slots=True)
class Both:
    """The view of a page that shows a translation and its source, as the template sees it."""

    name: str
    title: str
    href: str
    tag: str


def add_templates(app: Sphinx, config: Config) -> None:
    """Let themes include ``bilingual-switcher.html`` where they like."""
    config.templates_path = [*config.templates_path, str(Path(__file__).parent / "templates")]


def refuse_clashing_pages(app: Sphinx, env: BuildEnvironment) -> None:
    """Stop when a page's address is that of another language."""
    for language in site_of(app).children:
        prefix = f"{language.folder}/"
        for docname in sorted(env.found_docs):
            # With dirhtml a page is a folder of its own.
            address = f"{docname}/" if app.builder.name == "dirhtml" else docname
            if address.startswith(prefix):
                stop(
                    f"This page's address is in {prefix}, where the pages in {language.code} go: "
                    "give its folder another name.",
                    location=f"{env.doc2path(docname)}:1",
                )


def add_links(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Give the page's template the same page in every language."""
    site = site_of(app)
    if not _has_switcher(app):
        return
    builder = app.builder
    assert isinstance(builder, StandaloneHTMLBuilder)
    # A page that only this language may have leads to the other one's first page.
    target = pagename if _in_every_language(builder, pagename) else app.config.root_doc
    uri = builder.get_target_uri(target)
    root = context.get("content_root", "./")

    def href(language: Language) -> str:
        address = site.addresses[language]
        if "://" in address:
            return address + uri
        here = posixpath.normpath(posixpath.join(root, address))
        if builder.name == "dirhtml":
            return f"{here}/{uri}"
        return posixpath.join("" if here == "." else here, uri)

    order = sorted(site.addresses, key=lambda language: language != site.source)
    context["bilingual_editions"] = [
        Edition(
            name=language.name,
            tag=language.tag,
            direction=language.direction,
            href=href(language),
            current=language == site.current,
            offer=_offer(language),
            accept=interface_text("Read it in English", language.code),
            dismiss=interface_text("Not now", language.code),
        )
        for language in order
    ]
    context["bilingual_label"] = interface_text("Language", site.current.code)
    context["bilingual_is_translation"] = sides.is_on(app)
    context["bilingual_both"] = []
    if app.config.bilingual_side_by_side:
        # A page in the source language leads to each translation that has both; a translation is there.
        translations = [site.current] if site.is_translation else order[1:]
        context["bilingual_both"] = [
            Both(
                name=_name_of_both(site, language),
                title=interface_text("Both languages, side by side", site.current.code),
                href=f"{'' if language == site.current else href(language)}#{sides.ANCHOR}",
                tag=language.tag,
            )
            for language in translations
        ]
    if sides.is_on(app) and sides.has_pairs(doctree):
        # Before the page's own text, in every theme.
        context["body"] = sides.tools(app) + context["body"]
    absolute = all(language in site.urls for language in order)
    addresses = [
        (language.tag, site.urls[language] + uri if absolute else href(language)) for language in order
    ]
    context["bilingual_alternates"] = _alternates(addresses) if len(order) > 1 else ""


def _has_switcher(app: Sphinx) -> bool:
    """Tell whether a reader has something to choose: another language, or two side by side."""
    return app.builder.name in BUILDERS and (len(site_of(app).addresses) > 1 or sides.is_on(app))


def _name_of_both(site: Site, language: Language) -> str:
    """Return what the view is called; where there are several, by the languages in it."""
    if len(site.addresses) > 2:
        return f"{site.source.name} + {language.name}"
    return interface_text("Both", site.current.code)


OFFER = "This page is also available in English."


def _offer(language: Language) -> str:
    """Return the offer in the language that it offers; none where we cannot say it."""
    text = interface_text(OFFER, language.code)
    return "" if text == OFFER and language.code.partition("_")[0] != "en" else text


def _in_every_language(builder: StandaloneHTMLBuilder, pagename: str) -> bool:
    made_everywhere = {"genindex", "search", *builder.config.html_additional_pages}
    made_everywhere |= {index[0] for index in builder.domain_indices}
    return (
        pagename in builder.env.all_docs or pagename in made_everywhere or pagename.startswith("_modules/")
    )


def _alternates(addresses: list[tuple[str, str]]) -> str:
    """Return the links for search engines; the first language is the one for everybody else."""
    lines = [
        f'<link rel="alternate" hreflang="{escape(tag)}" href="{escape(href)}">'
        for tag, href in [*addresses, ("x-default", addresses[0][1])]
    ]
    return "".join(f"{line}\n" for line in lines)


def wrap_rendering(app: Sphinx) -> None:
    """Put the alternates into every page's head, and a switcher into pages whose theme has none.

    Themes differ in what their templates let an extension add, and pages like the search have no body
    of their own to add to. What a theme has rendered is the one place that they all share.
    """
    if not _has_switcher(app):
        return
    assert isinstance(app.builder, StandaloneHTMLBuilder)
    bridge = app.builder.templates
    render: Callable[[str, dict[str, Any]], str] = bridge.render

    def render_with_languages(template: str, context: dict[str, Any]) -> str:
        html = str(render(template, context))
        if "bilingual_editions" not in context:
            return html
        head, end_of_head, body = html.partition("</head>")
        if not end_of_head:
            return html
        head += context["bilingual_alternates"]
        if site_of(app).current.is_right_to_left and not re.search(r"<html[^>]* dir=", head):
            head = head.replace("<html", '<html dir="rtl"', 1)
        first = ""
        if sides.is_on(app):
            # What the rest of the page is a later sibling of: so a link can turn both languages on.
            first += f'\n<span id="{sides.ANCHOR}"></span>'
        if 'class="bilingual-switcher"' not in body:
            first += f'\n<div class="bilingual-bar">{render("bilingual-switcher.html", context)}</div>'
        start = body.find("<body")
        after = body.find(">", start) + 1
        if first and start >= 0 and after:
            body = f"{body[:after]}{first}{body[after:]}"
        return f"{head}{end_of_head}{body}"

    setattr(bridge, "render", render_with_languages)
