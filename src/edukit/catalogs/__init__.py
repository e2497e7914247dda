r"""Translations as gettext catalogs: read and written exactly, brought up to date, checked, edited.

Read from the top: ``pofile`` (a catalog and its file), ``updating`` (pages and catalogs together again),
``project`` (what belongs to whom), ``counting`` (words, coverage), ``markup`` and ``checking`` (what went
wrong in a translation), ``sheets`` (a page for a teacher to fill in), ``commands`` (``edukit translate``).

Examples
--------
>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp()) / "page.po"
>>> _ = path.write_text('msgid "Song"\nmsgstr "歌"\n', encoding="utf-8")
>>> [(message.id, message.string, message.line, message.fuzzy) for message in read(path).messages]
[('Song', '歌', 1, False)]
"""

from .pofile import Catalog, CatalogError, Message, parse, read, save, written
from .updating import Change, update

__all__ = ["Catalog", "CatalogError", "Change", "Message", "parse", "read", "save", "update", "written"]
