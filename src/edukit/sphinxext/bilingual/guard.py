"""No build runs beside another one in the same folder, and none builds on what a broken one left."""

import os
import shutil
import sys
from pathlib import Path
from typing import IO
from weakref import WeakKeyDictionary

from sphinx.application import ENV_PICKLE_FILENAME, Sphinx
from sphinx.config import Config
from sphinx.util import logging

from edukit.sphinxext.bilingual.processes import BUILDERS
from edukit.sphinxext.bilingual.site import site_of
from edukit.sphinxext.common import stop

logger = logging.getLogger(__name__)

# -- one build at a time -----------------------------------------------------------------------------
#
# Two builds write the same generated pages and compiled catalogs below the source folder, wherever
# their output goes, so the source folder is what is locked. The system drops the lock when the process
# ends, however it ends.

_LOCKS: dict[Path, tuple[IO[bytes] | int, int]] = {}
_HELD: WeakKeyDictionary[Sphinx, Path] = WeakKeyDictionary()


def _lock(app: Sphinx) -> IO[bytes] | int:
    if sys.platform == "win32":
        import msvcrt

        # Windows cannot lock a folder: a file beside the doctrees stands for it. Two builds of one source
        # folder into two places are not kept apart there.
        app.doctreedir.mkdir(parents=True, exist_ok=True)
        file = (app.doctreedir / "bilingual.lock").open("ab")
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            file.close()
            raise
        return file
    import fcntl

    # The folder itself, so that no file appears that a watching preview would take for a change.
    descriptor = os.open(app.srcdir, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError as error:
        # Some network file systems know no locks: better a build without one than none.
        logger.info("this file system does not lock folders (%s)", error)
    return descriptor


def acquire(app: Sphinx) -> None:
    """Take the source folder for this process, or stop with one message."""
    folder = Path(app.srcdir)
    for place, what in [
        (folder, "generated pages and compiled catalogs"),
        (_nearest(Path(app.outdir)), "the built pages"),
        (_nearest(Path(app.doctreedir)), "what it has read"),
    ]:
        if not os.access(place, os.W_OK):
            stop(
                f"{_short(place)} cannot be written to, and the build keeps {what} there. Make it writable "
                "for you, or copy the project to a place of your own."
            )
    handle, users = _LOCKS.get(folder, (None, 0))
    if handle is None:
        try:
            handle = _lock(app)
        except (BlockingIOError, PermissionError):
            # Windows says the second, of a file that is locked.
            stop(
                f"Another build of {_short(folder)} is running, and two at once would overwrite each "
                "other's files. Wait until it has ended (a preview such as make serve also counts), "
                "then run the command again."
            )
    _LOCKS[folder] = (handle, users + 1)
    _HELD[app] = folder


def release(app: Sphinx) -> None:
    """Give the source folder back when its last build in this process has ended."""
    folder = _HELD.pop(app, None)
    if folder is None:
        return
    handle, users = _LOCKS.pop(folder)
    if users > 1:
        _LOCKS[folder] = (handle, users - 1)
    elif isinstance(handle, int):
        os.close(handle)
    else:
        handle.close()


def _nearest(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that is there."""
    return folder if folder.exists() else _nearest(folder.parent)


def _short(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


# -- nothing from a broken build ---------------------------------------------------------------------
#
# Sphinx decides by time stamps which pages to write. A build that was killed after reading leaves pages
# that look new and are not; so a marker lies beside the doctrees for as long as a build runs, and only
# success removes it. One marker a builder: another builder's success says nothing of this one's pages.


def _marker(app: Sphinx, builder: str) -> Path:
    return Path(app.doctreedir) / f"unfinished-{builder}"


def begin(app: Sphinx, config: Config) -> None:
    """Mark the build as begun; forget everything when the one before did not end well."""
    folder = Path(app.doctreedir)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("unfinished-*")):
        (folder / ENV_PICKLE_FILENAME).unlink(missing_ok=True)
        logger.info("the build before did not finish: every page is made anew")


def remove_former_languages(app: Sphinx) -> None:
    """Take away the pages of a language that the site had and has no more.

    They would be served for ever, and no page leads to them. Only what an earlier build of this extension
    has made goes: its doctrees tell.
    """
    if site_of(app).is_translation or app.builder.name not in BUILDERS:
        return
    current = {f".{language.folder}" for language in site_of(app).children}
    for doctrees in Path(app.doctreedir).glob(".*"):
        made = doctrees / ENV_PICKLE_FILENAME, doctrees / f"unfinished-{app.builder.name}"
        if doctrees.name not in current and any(path.exists() for path in made):
            shutil.rmtree(doctrees)
            shutil.rmtree(Path(app.outdir) / doctrees.name[1:], ignore_errors=True)
            logger.info("the site has no pages in %s any more: they are removed", doctrees.name[1:])


def mark(app: Sphinx) -> None:
    """Put the marker down; the builder's name is known now."""
    _marker(app, app.builder.name).touch()


def succeeded(app: Sphinx) -> bool:
    """Whether nothing has gone wrong so far that makes this build a failed one."""
    return app.statuscode == 0 and not (app._fail_on_warnings and app._warncount)


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Remove the marker after success, and give the folder back in any case."""
    # A build that -W has failed would otherwise pass the next time without showing its warnings.
    # A builder without pages, such as linkcheck, has nothing that could be half made.
    if exception is None and (app.builder.name not in BUILDERS or succeeded(app)):
        _marker(app, app.builder.name).unlink(missing_ok=True)
    release(app)
