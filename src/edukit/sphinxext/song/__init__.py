"""A song on a page: read, sung and practised, with every line's sounds above it and its translation beside.

::

    :::{song} a-garden-of-words.lrc
    :melody: a-garden-of-words.jianpu
    :::

The words stay in the lyric file. They are never messages of the page's catalog: a song already
speaks both languages, and is the same on the English and the Chinese page. The directive gives::

    <song ids="song">
      <song_text kind="title">       字的花园 / A Garden of Words
      <song_text kind="credit">      Words: the edukit authors
      <song_switch kind="reading">   Pinyin
      <song_lines>
        <song_stanza label="Verse 1" first="1">
          <song_line ids="line-1" number="1">
            <song_text kind="original" lang="zh-Hans">
              <song_unit>
                <song_ruby reading="chūntiān">  春天
              …
            <song_text kind="translation" lang="en">
          …
      <container classes="edukit-song-notes">
        <song_note number="3">         what the author of the page says about line 3

Builders of HTML write these nodes; for every other a post-transform puts ordinary paragraphs and
line blocks in their place. Without a script this is the whole page. The scripts of ``static/edukit/song``
add what a reader does with a song: they take it from `data.page_data` and load only where a song is.

An author's note stands within the directive, keyed to a line and to a hash of it (`directive`)::

    ::::{song} private/a-song.lrc
    :title: A Song

    :::{song-note} 3
    :cue: snow
    :line-hash: 1a2b3c4d

    What this line says, and how.
    :::
    ::::

With ``:title:`` the page stands without its file, too. ``{song-words}`` is a table of its words (`words`),
``{song-reader}`` a place to open a file of one's own. Melodies are written in numbered notation (`jianpu`).
"""

from typing import Any

from docutils import nodes as docutils_nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.common import add_assets, interface_text, metadata
from edukit.sphinxext.song import decks, nodes, words
from edukit.sphinxext.song.directive import SongDirective, SongNoteDirective, SongReaderDirective
from edukit.sphinxext.song.texts import TEXTS

# In the order in which they are run: the later ones build on the earlier. With each stands what a page
# has that needs it.
SCRIPTS = {
    "base": "edukit-song-data",
    "pinyin": "edukit-song-note",  # where a file can be opened
    "read": "edukit-song-note",
    "display": "edukit-song-data",
    "practice": "edukit-song-data",
    "sing": "edukit-song-data",
    "melody": '"melody":{',
    "sheets": "edukit-song-data",
    "mine": "edukit-song-note",
}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directives; only pages that have a song load its scripts."""
    nodes.register(app)
    words.register(app)
    decks.register(app)
    app.add_config_value("song_show_private", False, "env", bool)
    app.add_directive("song", SongDirective)
    app.add_directive("song-note", SongNoteDirective)
    app.add_directive("song-reader", SongReaderDirective)
    app.connect("html-page-context", load_only_where_needed)
    add_assets(app, "song/song.css", *(f"song/{name}.js" for name in SCRIPTS))
    return metadata()


def load_only_where_needed(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: docutils_nodes.document | None,
) -> None:
    """Give a page with a song the words of its scripts, and keep every other page as light as it was."""
    body = context.get("body", "")
    wanted = {f"song/{name}.js" for name, sign in SCRIPTS.items() if sign in body}
    # The style sheet also lays out tables of words.
    wanted |= {"song/song.css"} if "edukit-song" in body else set()
    for kind in ("script_files", "css_files"):
        context[kind] = [
            file
            for file in context.get(kind, [])
            if "edukit/song/" not in (name := str(getattr(file, "filename", file)))
            or name.partition("edukit/")[2] in wanted
        ]
    if "edukit-song-data" in body:
        texts = {key: interface_text(text, app.config.language) for key, text in TEXTS.items()}
        context["body"] = body + nodes.script_of(texts, "edukit-song-interface")
