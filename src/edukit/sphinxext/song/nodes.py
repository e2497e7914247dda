"""The nodes of a song, how HTML writes them, and what other builders get in their place."""

import json
from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator


class song(nodes.General, nodes.Element):
    """A whole song; ``data`` is what its scripts are given."""


class song_switch(nodes.Part, nodes.Element):
    """A box by which the reader hides the texts of one ``kind``, where there is no script."""


class song_lines(nodes.Part, nodes.Element):
    """All the lines."""


class song_stanza(nodes.Part, nodes.Element):
    """A part of a song; ``label`` names it and ``first`` is the number of its first line."""


class song_line(nodes.Part, nodes.Element):
    """A line in both languages; ``reading`` is its reading as typed, for builders without ruby."""


class song_note(nodes.Part, nodes.Element):
    """What is said about a line; ``cue`` is a word or two by which a singer knows the line."""


class _Text(nodes.Part, nodes.Element):
    """What holds words. It is no TextElement, for those are what gettext takes for messages."""

    child_text_separator = ""


class song_text(_Text):
    """A text of one ``kind`` in one ``lang``."""


class song_span(_Text):
    """A part of a text in a language of its own."""


class song_unit(_Text):
    """A word with its punctuation, which stays on one row with it."""


class song_ruby(_Text):
    """Characters with their reading above them."""


def register(app: Sphinx) -> None:
    """Make the nodes known."""
    app.add_node(song, html=(visit_song, _closing("</div>\n")))
    app.add_node(song_text, html=(visit_song_text, _closing("</p>\n")))
    app.add_node(song_span, html=(visit_song_span, _closing("</span>")))
    app.add_node(song_switch, html=(visit_song_switch, _closing("</label>\n")))
    app.add_node(song_lines, html=(visit_song_lines, _closing("</div>\n")))
    app.add_node(song_stanza, html=(visit_song_stanza, _closing("</ol>\n")))
    app.add_node(song_line, html=(visit_song_line, _closing("</div></li>\n")))
    app.add_node(song_note, html=(visit_song_note, _closing("</div>\n")))
    app.add_node(song_unit, html=(visit_song_unit, _closing("</span>")))
    app.add_node(song_ruby, html=(visit_song_ruby, depart_song_ruby))
    app.add_post_transform(PlainSong)


# -- other builders --------------------------------------------------------------------------------


class PlainSong(SphinxPostTransform):
    """Write songs as paragraphs and line blocks for builders that are not of HTML."""

    # Before the images and the like that a writer's own transforms look for; nothing waits for us.
    default_priority = 200

    def run(self, **kwargs: Any) -> None:
        """Put the plain form in the place of every song."""
        if self.env._app.builder.format == "html":
            return
        for node in list(self.document.findall(song)):
            node.replace_self(_plain(node))


def _plain(node: song) -> nodes.container:
    # Writers put the places that a link can lead to at targets, and not at every node with an id.
    target = nodes.target("", "", ids=node["ids"], names=node["names"])
    plain = nodes.container("", target, classes=node["classes"])
    for text in node.children:
        if isinstance(text, song_text):
            inner = nodes.strong if text["kind"] == "title" else nodes.inline
            plain += nodes.paragraph("", "", inner("", text.astext()))
    for stanza in node.findall(song_stanza):
        if stanza["label"]:
            plain += nodes.paragraph("", "", nodes.emphasis("", stanza["label"]))
        for line in stanza.findall(song_line):
            plain += nodes.target("", "", ids=line["ids"], names=line["names"])
            plain += _plain_line(line)
    for note in list(node.findall(song_note)):
        plain += nodes.target("", "", ids=note["ids"], names=note["names"])
        plain += nodes.paragraph(
            "", "", nodes.strong("", " ".join(filter(None, [note["label"], note["cue"]])))
        )
        # Moved, not copied: a copy would no longer be known as a message of the page.
        children, note.children = note.children, []
        plain += children
    return plain


def _plain_line(line: song_line) -> nodes.line_block:
    texts = {text["kind"]: text.astext() for text in line.findall(song_text)}
    rows = [f"{line['number']}. {texts['original']}", line["reading"], texts.get("translation", "")]
    return nodes.line_block("", *(nodes.line("", row) for row in rows if row))


# -- HTML --------------------------------------------------------------------------------


def script_of(data: dict[str, Any], name: str) -> str:
    """Return data as an element that a script of the page reads and nobody runs."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # Within a script element nothing is escaped; these three could end it or begin a comment.
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f'<script type="application/json" class="{name}">{text}</script>\n'


def visit_song(self: HTML5Translator, node: song) -> None:
    """Open the group that is the song."""
    attributes: dict[str, Any] = {"role": "group", "aria-labelledby": node["title_id"]}
    self.body.append(self.starttag(node, "div", **attributes))
    self.body.append(script_of(node["data"], "edukit-song-data"))


def visit_song_text(self: HTML5Translator, node: song_text) -> None:
    """Open a paragraph in the language of its text."""
    lang = {"lang": node["lang"]} if "lang" in node else {}
    self.body.append(self.starttag(node, "p", "", CLASS=f"edukit-song-{node['kind']}", **lang))


def visit_song_span(self: HTML5Translator, node: song_span) -> None:
    """Open a part of a text in the language it is in."""
    self.body.append(f'<span lang="{self.attval(node["lang"])}">')


def visit_song_switch(self: HTML5Translator, node: song_switch) -> None:
    """Write the box, and open its label. A style sheet does the hiding, so no script is needed."""
    name = self.attval(node["input"])
    kind = f"edukit-song-switch edukit-song-switch-{node['kind']}"
    self.body.append(
        f'<input class="{kind}" type="checkbox" id="{name}" checked="checked" /><label for="{name}">'
    )


def visit_song_lines(self: HTML5Translator, node: song_lines) -> None:
    """Open the element that the switches act on."""
    self.body.append(self.starttag(node, "div", CLASS="edukit-song-lines"))


def visit_song_stanza(self: HTML5Translator, node: song_stanza) -> None:
    """Name the part and open its list, which goes on counting where the one before it ended."""
    if node["label"]:
        self.body.append(f'<p class="edukit-song-section">{self.encode(node["label"])}</p>\n')
    # A list without its bullets is none to some screen readers unless it says so.
    self.body.append(self.starttag(node, "ol", role="list", start=str(node["first"])))


def visit_song_line(self: HTML5Translator, node: song_line) -> None:
    """Open the line and write its number, which is a link to it."""
    self.body.append(self.starttag(node, "li", ""))
    self.body.append(
        f'<a class="edukit-song-number" href="#{self.attval(node["ids"][0])}"'
        f' aria-label="{self.attval(node["label"])}">{node["number"]}</a>\n'
        '<div class="edukit-song-texts">\n'
    )


def visit_song_note(self: HTML5Translator, node: song_note) -> None:
    """Write which line the note is about, with a link to the line where it is shown."""
    label = f"<span>{self.encode(node['label'])}</span>"
    if node["line_id"]:
        label = f'<a href="#{self.attval(node["line_id"])}">{label}</a>'
    if node["cue"]:
        label += f' <span lang="{self.attval(node["lang"])}">{self.encode(node["cue"])}</span>'
    number: dict[str, Any] = {"data-line": str(node["number"])}
    self.body.append(self.starttag(node, "div", CLASS="edukit-song-about", **number))
    self.body.append(f'<p class="edukit-song-about-line">{label}</p>\n')


def visit_song_unit(self: HTML5Translator, node: song_unit) -> None:
    """Open what stays on one row."""
    self.body.append('<span class="edukit-song-unit">')


def visit_song_ruby(self: HTML5Translator, node: song_ruby) -> None:
    """Open the ruby, whose base is the text within."""
    self.body.append(f'<ruby lang="{self.attval(node["lang"])}">')


def depart_song_ruby(self: HTML5Translator, node: song_ruby) -> None:
    """Write the reading, in brackets for browsers that cannot put it above."""
    lang = "en-fonipa" if node["lang"] == "en" else "zh-Latn-pinyin"
    self.body.append(f'<rp>(</rp><rt lang="{lang}">{self.encode(node["reading"])}</rt><rp>)</rp></ruby>')


def _closing(tags: str) -> Callable[[HTML5Translator, nodes.Element], None]:
    def depart(self: HTML5Translator, node: nodes.Element) -> None:
        self.body.append(tags)

    return depart
