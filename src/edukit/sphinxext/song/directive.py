"""The directives: ``song`` shows a lyric file, ``song-note`` speaks of a line, ``song-reader`` opens one.

The words of a song are often somebody else's. What the author of a page says about a line is the
author's own, so it is keyed to the number of the line and to a hash of it, and stands on the page
whether the words do or not.
"""

import itertools
import re
import unicodedata
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from edukit.lyrics import LyricsError, Song, line_hash, load
from edukit.sphinxext.song import decks
from edukit.sphinxext.song.content import LANG, RIGHTS, Content, rights_of
from edukit.sphinxext.song.data import page_data, parts_of
from edukit.sphinxext.song.jianpu import JianpuError, Melody, read_melody
from edukit.sphinxext.song.nodes import song, song_line, song_lines, song_note

logger = logging.getLogger(__name__)

# Files under these rights are for everybody. A permission to show words is none to hand out the file.
FREE = frozenset({"own", "public-domain"})
_LANGUAGES = {"en": "en", "zh-hans": "zh_CN", "zh": "zh_CN", "zh-hant": "zh_TW"}
_MOST_OF_A_MELODY = 100_000


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


class SongDirective(SphinxDirective):
    """Show a song from a lyric file, with notes about its lines."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True  # file names have spaces
    option_spec: ClassVar[OptionSpec] = {
        "ruby": lambda value: directives.choice(value, ("word", "character")),
        "name": directives.unchanged_required,
        "class": directives.class_option,
        # For a page that has to stand without its file too:
        "title": directives.unchanged_required,
        "language": lambda value: _LANGUAGES[directives.choice(value, tuple(_LANGUAGES))],
        "source": directives.unchanged_required,
        "melody": directives.unchanged_required,
        "download": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Read the file and build the nodes."""
        relative, absolute = self.env.relfn2path(self.arguments[0])
        # A file that is missing too: the page is built again once it is there.
        self.env.note_dependency(relative)
        path = Path(absolute)
        try:
            read = load(path)
        except LyricsError as error:
            if error.code != "missing" or "title" not in self.options:
                self._warn(f"song {relative}: {error.message}", path, error.line, error.column)
                return []
            read = self._without_file()
        for finding in read.findings:
            self._warn(finding.message_en, path, finding.line, finding.column)
        return [self._node(read, path, relative)]

    def _without_file(self) -> Song:
        return Song(
            title=self.options["title"],
            language=self.options.get("language", "en"),
            source=self.options.get("source", ""),
            rights="private",
        )

    def _node(self, read: Song, path: Path, relative: str) -> song:
        missing = not path.is_file()
        shown = not missing and self._may_be_shown(read, path, relative)
        prefix = self._prefix(path)
        content = Content(
            read, prefix, self.config.language, by_word=self.options.get("ruby") != "character"
        )
        node = song(translatable=False, classes=["edukit-song", *self.options.get("class", [])])
        self.set_source_info(node)
        node["title_id"] = content.title_id
        node += content.head()
        told = read if shown else Song(read.title, read.language, read.people, read.source, read.rights)
        melody = self._melody(told) if shown else None
        node["data"] = page_data(told, melody) | {
            "prefix": prefix,
            "ruby": self.options.get("ruby", "word"),
        }
        if shown:
            node += content.switches()
            node += song_lines("", *content.stanzas())
            node += self._download(read, relative, content)
        elif missing:
            node += content.told(
                "The words are not part of this page. If you have them in a file, you can open it here; "
                "it stays on your device."
            )
        else:
            node += content.told("The words are not shown: no right to publish them has been stated.")
        self._notes(node, read, prefix, content, missing=missing)
        for target, name in [
            (node, f"{prefix}song"),
            *((line, line["name"]) for line in node.findall(song_line)),
            *((note, note["name"]) for note in node.findall(song_note) if note.get("name")),
        ]:
            target["names"].append(name)
            self.state.document.note_explicit_target(target, node)
        return node

    def _may_be_shown(self, read: Song, path: Path, relative: str) -> bool:
        """Tell whether the words may stand on the page: published pages need a right to them."""
        statement, _ = rights_of(read)
        if statement not in RIGHTS:
            self._warn(
                f"song {relative}: the words are not shown, because the file does not state the "
                f"rights to them; add [rights:…] with one of {', '.join(RIGHTS)}",
                path,
                1,
            )
            return False
        return statement != "private" or bool(self.config.song_show_private)

    def _melody(self, read: Song) -> Melody | None:
        if "melody" not in self.options:
            return None
        relative, absolute = self.env.relfn2path(self.options["melody"])
        self.env.note_dependency(relative)
        path = Path(absolute)
        try:
            if path.stat().st_size > _MOST_OF_A_MELODY:
                self._warn(f"song {relative}: no melody is as long as this file", path)
                return None
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8"
            self._warn(f"song {relative}: the melody cannot be read: {reason}", path)
            return None
        counts = [_syllables_of(line.text, read.language, line.reading) for line in read.lines]
        try:
            return read_melody(text, counts)
        except JianpuError as error:
            self._warn(f"melody {relative}: {error.message}", path, error.line, error.column)
            return None

    def _download(self, read: Song, relative: str, content: Content) -> list[nodes.Node]:
        statement, _ = rights_of(read)
        if statement not in FREE and not (statement == "permission" and "download" in self.options):
            return []
        text = content.words("Download the lyric file")
        # Sphinx's own transform has finished this page's links when a translation is put in; the
        # text of the link is of the interface and no message.
        link = addnodes.download_reference(
            "",
            "",
            nodes.inline("", text, translatable=False),
            reftarget=f"/{relative}",
            refdoc=self.env.docname,
            refexplicit=True,
            refdomain="",
            reftype="download",
            refwarn=False,
        )
        links = nodes.container("", link, classes=["edukit-song-download"])
        if decks.can_be_made():
            decks.decks_of(self.env).setdefault(self.env.docname, set()).add(relative)
            cards = nodes.Text(content.words("Cards for Anki"))
            links += [nodes.Text(" "), decks.song_deck("", cards, file=relative)]
        return [links]

    def _notes(self, node: song, read: Song, prefix: str, content: Content, *, missing: bool) -> None:
        """Read what is said about the lines, and whether the lines still are the ones it is about."""
        notes = nodes.container(classes=["edukit-song-notes"])
        self.state.nested_parse(self.content, self.content_offset, notes)
        if not notes.children:
            return
        shown = {line["number"]: f"{prefix}line-{line['number']}" for line in node.findall(song_line)}
        named = set()
        for note in notes.findall(song_note):
            number = note["number"]
            note["label"] = content.words("Line {number}", number=number)
            note["lang"] = LANG[read.language]
            note["line_id"] = nodes.make_id(shown[number]) if number in shown else ""
            # Where the line itself is not shown, what is said about it is what a link leads to.
            if number not in shown and number not in named:
                note["name"] = f"{prefix}line-{number}"
                named.add(number)
            if not missing:
                _check_note(note, read)
        node += notes

    def _prefix(self, path: Path) -> str:
        """Return what the names of the song and its lines begin with.

        Nothing for the first song of a page, so that line 3 is simply ``#line-3``.
        """
        if "name" in self.options:
            return nodes.make_id(self.options["name"]) + "-"
        stem = nodes.make_id(path.stem) or "song"
        further = (f"{stem}-{number}-" for number in itertools.count(2))
        taken = self.state.document.nameids
        return next(
            prefix
            for prefix in itertools.chain(["", f"{stem}-"], further)
            if f"{prefix}line-1" not in taken and f"{prefix}song" not in taken
        )

    def _warn(self, message: str, path: Path, line: int | None = None, column: int | None = None) -> None:
        """Warn at a place in the lyric file, or at the directive where the file as a whole is meant."""
        parts = [str(part) for part in (path, line, column) if part is not None]
        place = ":".join(parts) if line is not None else self.get_location()
        logger.warning("%s", message, location=place, type="edukit", subtype="song")


def _syllables_of(text: str, language: str, reading: str | None) -> int | None:
    """Return how many syllables of a line are sung, None where nobody knows.

    English has one note for each syllable as well, but a dictionary of sounds does not say how a poet
    counts "flower".
    """
    if not language.startswith("zh"):
        return None
    parts = parts_of(text, language, reading)
    if not parts or any(part.reading is None for part in parts):
        return None
    return len(parts)


def _check_note(note: song_note, read: Song) -> None:
    """Warn where a note no longer is about its line: the hash of the line tells, else the cue.

    The author of a note about somebody else's song may have no file to take the hash of.
    """
    number, given, cue = note["number"], note["hash"], note["cue"]
    if number > len(read.lines):
        message = f"the song has {len(read.lines)} lines, and this note is about line {number}"
    else:
        expected = line_hash(read.lines[number - 1].text)
        if given == expected:
            return
        if given:
            message = (
                f"line {number} is not the line that this note was written for: read the note again, "
                f"then write :line-hash: {expected}"
            )
        elif cue:
            has_cue = [
                at
                for at, line in enumerate(read.lines, 1)
                if _plain(cue).casefold() in _plain(line.text).casefold()
            ]
            if number in has_cue:
                return
            where = f"; it is in line {', '.join(map(str, has_cue))}" if has_cue else ""
            message = f"this note is about “{cue}”, which is not in line {number}{where}"
        else:
            message = (
                f"the note does not say which line {number} it was written for: write "
                f":line-hash: {expected}, so that an edit of the song cannot move it to another line"
            )
    logger.warning("%s", message, location=note, type="edukit", subtype="song")


class SongNoteDirective(SphinxDirective):
    """Say something about one line of the song around it."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[OptionSpec] = {
        "cue": directives.unchanged_required,
        "line-hash": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Read the number and the text; the song knows the rest."""
        if not re.fullmatch(r"[1-9]\d{0,4}", self.arguments[0]):
            message = f"a song-note is about a line, such as 3, and not about “{self.arguments[0]}”"
            logger.warning("%s", message, location=self.get_location(), type="edukit", subtype="song")
            return []
        note = song_note(
            number=int(self.arguments[0]),
            cue=self.options.get("cue", ""),
            hash=self.options.get("line-hash", ""),
            label="",
            lang="",
            line_id="",
        )
        self.set_source_info(note)
        self.state.nested_parse(self.content, self.content_offset, note)
        return [note]


class SongReaderDirective(SphinxDirective):
    """Let readers open a lyric file of their own, which stays on their device."""

    option_spec: ClassVar[OptionSpec] = {"name": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Give the place; the scripts of the page do the reading."""
        prefix = nodes.make_id(self.options.get("name", "my")) + "-"
        content = Content(Song("", "en"), prefix, self.config.language, by_word=True)
        node = song(translatable=False, classes=["edukit-song"])
        self.set_source_info(node)
        node["title_id"] = content.title_id
        node["data"] = {"prefix": prefix, "ruby": "word"}
        node += content.heading("Open a song of your own")
        node += content.told(
            "To open a file here your browser has to allow scripts. Nothing is sent anywhere."
        )
        return [node]
