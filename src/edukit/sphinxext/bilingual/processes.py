"""The other languages are built in child processes, beside the source language and joined at the end.

The parent writes down what it was asked to do, starts ``child.py`` with it and goes on. The child writes
its log, one JSON object a line, into a temporary file; when the parent has finished its own pages it
reads that file to the end and says everything again through its own logger, with the language before
it. So a warning in one language is a warning of the whole build: it is counted, ``-W`` sees it, ``-q``
and ``-w`` hold for it.

A file and not a pipe, because nobody has to empty it while the parent works: no thread that a fork
(``-j``) could catch at a bad moment, and no child that waits for a full pipe.
"""

import contextlib
import json
import logging
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sphinx.application import Sphinx
from sphinx.util.logging import NAMESPACE, WarningStreamHandler, getLogger

from edukit.sphinxext.bilingual.languages import Language
from edukit.sphinxext.bilingual.site import Site, child_site, site_of
from edukit.sphinxext.common import stop

logger = getLogger(__name__)

# Builders whose output a reader switches between; every other builder makes one language.
BUILDERS = {"html", "dirhtml"}


@dataclass(frozen=True, slots=True)
class Specification:
    """Everything that a child needs to repeat the parent's build in another language."""

    site: Site
    srcdir: str
    confdir: str | None
    outdir: str
    doctreedir: str
    builder: str
    overrides: dict[str, Any]
    tags: list[str]
    fresh: bool
    fail_on_warnings: bool
    raise_on_warnings: bool
    verbosity: int
    quiet: bool
    jobs: int
    method: str
    filenames: list[str]


_DICTIONARIES: WeakKeyDictionary[Sphinx, dict[str, bytes]] = WeakKeyDictionary()


def note_dictionaries(app: Sphinx) -> None:
    """Keep the dictionaries of the configuration as they were given, before extensions fill them."""
    kept = {}
    for name, value in app.config._raw_config.items():
        if isinstance(value, dict) and not name.startswith("__"):
            # One that holds functions or open files stays as conf.py makes it again in the child.
            with contextlib.suppress(Exception):
                kept[name] = pickle.dumps(value)
    _DICTIONARIES[app] = kept


def connect(app: Sphinx) -> None:
    """Let the builder start the other languages when it begins, and join them when it has ended.

    The three methods are wrapped on the instance: only they know what was asked for (``-a``, file
    names), and everything that generates pages has run when they are called.
    """
    if app.builder.name not in BUILDERS or not site_of(app).children:
        return
    for method in ["build_all", "build_specific", "build_update"]:
        setattr(app.builder, method, _with_children(app, method, getattr(app.builder, method)))


def _with_children(app: Sphinx, method: str, build: Callable[..., None]) -> Callable[..., None]:
    def build_all_languages(*arguments: Any) -> None:
        children: list[Child] = []
        said = _Said()
        try:
            _LIFELINE.extend(os.pipe())
            for language in site_of(app).children:
                message = pickled(specification(app, language, method, *arguments))
                children.append(Child(language.code, message, said.warnings))
                logger.info("building %s in a process of its own", language.code)
            build(*arguments)
            said.close()
            for child in children:
                child.join(app)
        finally:
            said.close()
            # Interrupted or failed: no child outlives its parent.
            for child in children:
                child.end()
            while _LIFELINE:
                os.close(_LIFELINE.pop())

    return build_all_languages


def specification(app: Sphinx, language: Language, method: str, filenames: Any = ()) -> Specification:
    """Describe the parent's build in another language."""
    site = site_of(app)
    config = app.config
    overrides = dict(config.overrides)
    # Sphinx moves two kinds of overrides into the values of conf.py, where the child would not see them:
    # -D extensions=..., and the entries of dictionaries (-D html_context.name=..., -A name=...).
    overrides["extensions"] = list(config.extensions)
    overrides.update(
        {
            name: pickle.loads(value)
            for name, value in _DICTIONARIES.get(app, {}).items()
            if name in config.values
        }
    )
    # With -C no conf.py was read, though there may be one.
    confdir = str(app.confdir) if "__file__" in config._raw_config else None
    overrides["language"] = language.code
    # The types are added when the parent says the warning again.
    overrides["show_warning_types"] = False
    if url := site.urls.get(language):
        overrides["html_baseurl"] = url
    overrides.update(config.bilingual_overrides.get(language.code, {}))
    return Specification(
        site=child_site(site, language),
        srcdir=str(app.srcdir),
        confdir=confdir,
        outdir=str(app.outdir / language.folder),
        doctreedir=str(app.doctreedir / f".{language.folder}"),
        builder=app.builder.name,
        overrides=overrides,
        tags=sorted(app.tags),
        fresh=bool(app.fresh_env_used),
        fail_on_warnings=app._fail_on_warnings,
        raise_on_warnings=app._exception_on_warning,
        verbosity=app.verbosity,
        quiet=app.quiet,
        jobs=app.parallel,
        method=method,
        filenames=[str(name) for name in filenames],
    )


class _Said(logging.Filter):
    """Notes which warnings the parent's own pages have given, so that no child repeats them."""

    def __init__(self) -> None:
        super().__init__()
        self.warnings: set[tuple[str | None, str]] = set()
        self.handlers = [
            handler
            for handler in logging.getLogger(NAMESPACE).handlers
            if isinstance(handler, WarningStreamHandler)
        ]
        for handler in self.handlers:
            handler.addFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        message = logging.LogRecord.getMessage(record)
        kind = ".".join(filter(None, (getattr(record, "type", None), getattr(record, "subtype", None))))
        # The parent shows the type behind the message, the child does not.
        self.warnings.add((getattr(record, "location", None), message.removesuffix(f" [{kind}]")))
        return True

    def close(self) -> None:
        while self.handlers:
            self.handlers.pop().removeFilter(self)


def _in_page(location: str | None) -> str | None:
    """Return the place in the source; Sphinx adds where in the translation it is."""
    return location and location.partition(":<translated>")[0]


def pickled(specification: Specification) -> bytes:
    """Return the specification as the child reads it."""
    try:
        return pickle.dumps(specification)
    except Exception as error:
        stop(
            f"The process for {specification.site.current.code} cannot be told a value of the "
            f"configuration ({error}). In bilingual_overrides and in overrides given by a program only "
            "plain values can stand: texts, numbers, lists and dictionaries of them."
        )


class Child:
    """The process that builds one other language."""

    def __init__(self, code: str, message: bytes, said: set[tuple[str | None, str]]) -> None:
        self.code = code
        self.said = said
        # Opened twice: were it shared, reading it here would move the place where the child writes.
        writing, name = tempfile.mkstemp(prefix="bilingual-")
        self.path = Path(name)
        self.log = self.path.open("rb", buffering=0)
        environment = dict(os.environ)
        if sys.flags.utf8_mode:
            environment["PYTHONUTF8"] = "1"
        # A session of its own: Ctrl-C in the terminal reaches the parent alone, which ends the child.
        apart: dict[str, Any] = (
            {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP")}
            if sys.platform == "win32"
            else {"start_new_session": True}
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=writing,
            env=environment,
            **apart,
        )
        os.close(writing)
        assert self.process.stdin is not None
        self.stdin = self.process.stdin
        _CHILDREN.append(self)
        try:
            self.stdin.write(len(message).to_bytes(8, "big") + message)
            self.stdin.flush()
        except BrokenPipeError:
            pass  # It has died already; join() says so.

    def join(self, app: Sphinx) -> None:
        """Say the child's log again until the child has ended."""
        finished = False
        unread = b""
        while True:
            ended = self.process.poll() is not None
            *lines, unread = (unread + self.log.read()).split(b"\n")
            for line in lines:
                record = json.loads(line)
                if "status" in record:
                    finished = True
                    # A failure of the child's own is the whole build's; its warnings count by themselves.
                    app.statuscode = max(app.statuscode, record["status"])
                else:
                    self._say(app, record)
            if ended:
                break
            time.sleep(0.02)
        if not finished:
            logger.error(
                "[%s] the process that builds this language ended unexpectedly (status %s). Its pages "
                "are not complete; run the build again.",
                self.code,
                self.process.returncode,
            )
            app.statuscode = 2

    def _say(self, app: Sphinx, record: dict[str, Any]) -> None:
        level = record["level"]
        if level < logging.WARNING:
            logger.log(level, "[%s] %s", self.code, record["message"])
            return
        location = record["location"]
        if (_in_page(location), record["message"]) in self.said:
            return  # The mistake is in the page itself, and the parent has named it.
        if location and ":" not in location:
            # A page without a line, which Sphinx takes by its name.
            location = app.env.path2doc(location) or f"{location}:"
        logger.log(
            level,
            "[%s] %s",
            self.code,
            record["message"],
            location=location,
            type=record["type"],
            subtype=record["subtype"],
        )

    def end(self) -> None:
        """End the process if it still runs: it does so by itself when its standard input closes."""
        if self in _CHILDREN:
            _CHILDREN.remove(self)
        with contextlib.suppress(OSError):
            self.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.path.unlink(missing_ok=True)


_START = (
    "import sys; sys.path[:] = sys.argv[1:]; sys.argv[1:] = [];"
    "from edukit.sphinxext.bilingual.child import main; main()"
)

# The parent's workers (-j) inherit its end of every pipe. They close it, so that a child sees at once when
# its parent is gone, and not only when the last worker is; and they watch a pipe of their own to end with
# it. Both lists are empty while no build runs, so that no other fork of the process is touched.
_CHILDREN: list[Child] = []
_LIFELINE: list[int] = []


def _in_worker() -> None:
    for child in _CHILDREN:
        os.close(child.stdin.fileno())
    _CHILDREN.clear()
    if _LIFELINE:
        reading, writing = _LIFELINE
        _LIFELINE.clear()
        os.close(writing)
        threading.Thread(target=_end_with_parent, args=(reading,), daemon=True).start()


def _end_with_parent(reading: int) -> None:
    os.read(reading, 1)
    os._exit(1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_worker)
