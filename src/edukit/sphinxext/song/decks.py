"""Cards for Anki beside a song that may be given away: made when the site is built, from its lyric file."""

import importlib.util
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.osutil import relative_uri
from sphinx.writers.html5 import HTML5Translator

from edukit.lyrics import LyricsError, load, load_glosses, to_anki
from edukit.lyrics.glossary import glosses_path

logger = logging.getLogger(__name__)

FOLDER = "_downloads/anki"


class song_deck(nodes.Part, nodes.Inline, nodes.Element):
    """A link to the cards of the song in ``file``, a path below the source folder."""


def register(app: Sphinx) -> None:
    """Make the node known, and the decks when the pages are written."""
    app.add_node(song_deck, html=(visit_song_deck, depart_song_deck))
    app.connect("env-purge-doc", forget_decks)
    app.connect("env-merge-info", merge_decks)
    app.connect("build-finished", write_decks)


def can_be_made() -> bool:
    """Tell whether the package that writes decks is installed."""
    return importlib.util.find_spec("genanki") is not None


def decks_of(env: BuildEnvironment) -> dict[str, set[str]]:
    """Return the lyric files that each page offers as cards."""
    if not hasattr(env, "edukit_song_decks"):
        setattr(env, "edukit_song_decks", {})
    decks: dict[str, set[str]] = getattr(env, "edukit_song_decks")
    return decks


def forget_decks(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop the decks of a page that is read again, or gone."""
    decks_of(env).pop(docname, None)


def merge_decks(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    """Take over what another process has read."""
    decks_of(env).update({name: files for name, files in decks_of(other).items() if name in docnames})


def write_decks(app: Sphinx, exception: Exception | None) -> None:
    """Write the decks; one that is as new as its song is left: the dictionary takes a second."""
    if exception or app.builder.format != "html" or app.builder.name == "epub":
        return
    for relative in sorted(set().union(*decks_of(app.env).values())):
        path, target = Path(app.srcdir) / relative, Path(app.outdir) / address(relative)
        made_from = [file for file in (path, glosses_path(path)) if file.is_file()]
        changed = max((file.stat().st_mtime for file in made_from), default=0)
        if not path.is_file() or (target.is_file() and target.stat().st_mtime >= changed):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            to_anki(load(path), target, glosses=load_glosses(path), timestamp=int(changed))
        except LyricsError as error:
            logger.warning("the cards of %s: %s", relative, error.message, type="edukit", subtype="song")


def address(relative: str) -> str:
    """Return where the deck of a lyric file stands in the built site: apart for each folder of songs."""
    return f"{FOLDER}/{Path(relative).with_suffix('.apkg').as_posix()}"


def visit_song_deck(self: HTML5Translator, node: song_deck) -> None:
    """Open the link; a book has no file beside it."""
    if self.builder.name == "epub":
        raise nodes.SkipNode
    page = self.builder.get_target_uri(self.builder.current_docname)
    href = self.attval(relative_uri(page, address(node["file"])))
    self.body.append(f'<a href="{href}" download="">')


def depart_song_deck(self: HTML5Translator, node: song_deck) -> None:
    """Close the link."""
    self.body.append("</a>")
