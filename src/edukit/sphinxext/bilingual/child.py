"""The process that builds one other language for its parent; ``processes.py`` tells how they talk."""

import contextlib
import json
import locale
import logging
import os
import pickle
import re
import signal
import sys
import tempfile
import threading
import traceback
from io import StringIO
from pathlib import Path
from typing import Any

import sphinx.locale
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils
from sphinx.util.logging import NAMESPACE, WarningStreamHandler

from edukit.sphinxext.bilingual.processes import Specification
from edukit.sphinxext.bilingual.site import Site

_records: int | None = None
_site: Site | None = None


def parents_site() -> Site | None:
    """Return the site as the parent planned it; None in every other process."""
    return _site


def main() -> None:
    """Build what the parent describes on standard input."""
    global _records, _site
    wire = os.dup(0)
    _records = os.dup(1)
    # What an extension prints must not get among the records.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    specification: Specification = pickle.loads(_read(wire, int.from_bytes(_read(wire, 8), "big")))
    threading.Thread(target=_end_with_parent, args=(wire,), daemon=True).start()
    _site = specification.site
    # As sphinx-build does: the program speaks the user's language.
    with contextlib.suppress(locale.Error):
        locale.setlocale(locale.LC_ALL, "")
    sphinx.locale.init_console()
    _send({"status": _build(specification)})


def _read(wire: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = os.read(wire, size - len(data))
        if not part:
            os._exit(1)
        data += part
    return data


def _end_with_parent(wire: int) -> None:
    """Wait until the parent has gone, by whatever way, and go too: with all workers, and at once."""
    while os.read(wire, 1024):
        pass
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def _send(record: dict[str, Any]) -> None:
    assert _records is not None
    line = json.dumps(record, ensure_ascii=True).encode() + b"\n"
    while line:
        line = line[os.write(_records, line) :]


def _build(specification: Specification) -> int:
    try:
        with patch_docutils(specification.confdir), docutils_namespace():
            app = Sphinx(
                srcdir=specification.srcdir,
                confdir=specification.confdir,
                outdir=specification.outdir,
                doctreedir=specification.doctreedir,
                buildername=specification.builder,
                confoverrides=specification.overrides,
                # Until send_log() takes over, only what the parent has said already is logged.
                status=None if specification.quiet else StringIO(),
                warning=StringIO(),
                freshenv=specification.fresh,
                warningiserror=specification.fail_on_warnings,
                tags=specification.tags,
                verbosity=specification.verbosity,
                parallel=specification.jobs,
                exception_on_warning=specification.raise_on_warnings,
            )
            app.build(
                force_all=specification.method == "build_all",
                filenames=[Path(name) for name in specification.filenames],
            )
            return app.statuscode
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 2
    except SphinxError as error:
        _send(_record(logging.ERROR, f"{error.category}: {error}"))
        return 2
    except Exception as error:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", prefix="sphinx-err-", suffix=".log", delete=False
        ) as file:
            traceback.print_exc(file=file)
        message = f"{type(error).__name__}: {error} (the full traceback is in {file.name})"
        _send(_record(logging.ERROR, message))
        return 2


def _record(level: int, message: str, location: str | None = None) -> dict[str, Any]:
    return {"level": level, "message": message, "location": location, "type": None, "subtype": None}


def send_log(app: Sphinx) -> None:
    """Send what Sphinx's own handlers would have printed; called when the extension is set up.

    The handlers stay and only their last step is exchanged: so Sphinx's filters go on counting and
    suppressing, and the pauses it makes in logging find the handlers they look for.
    """
    for handler in logging.getLogger(NAMESPACE).handlers:
        if isinstance(handler, WarningStreamHandler):
            setattr(handler, "emit", _send_warning)
        elif not app.quiet and type(handler).__name__ == "NewLineStreamHandler":
            setattr(handler, "emit", _InfoLines())


def _send_warning(record: logging.LogRecord) -> None:
    _send(
        {
            "level": record.levelno,
            # Without the location and the word WARNING, which Sphinx's own class would put before it.
            "message": logging.LogRecord.getMessage(record),
            "location": getattr(record, "location", None),
            "type": getattr(record, "type", None),
            "subtype": getattr(record, "subtype", None),
        }
    )


class _InfoLines:
    """Puts together the lines that Sphinx prints in parts, and leaves its progress counters out."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def __call__(self, record: logging.LogRecord) -> None:
        self.parts.append(record.getMessage())
        if getattr(record, "nonl", False):
            return
        line = "".join(self.parts).rpartition("\r")[2].rstrip()
        self.parts = []
        line = _COLOUR.sub("", line)
        if line and not _PROGRESS.search(line):
            _send(_record(record.levelno, line))


_PROGRESS = re.compile(r"\[ *\d+%\]")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
