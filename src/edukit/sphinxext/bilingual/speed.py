"""What makes a build quicker and changes nothing in what it writes."""

import atexit
import gc
from weakref import WeakKeyDictionary

import jinja2
import sphinx
from jinja2.bccache import FileSystemBytecodeCache
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from edukit.sphinxext.bilingual.site import site_of

_BEFORE: WeakKeyDictionary[Sphinx, tuple[int, int, int]] = WeakKeyDictionary()


def keep_compiled_templates(app: Sphinx) -> None:
    """Keep what the templates of the theme are compiled to.

    They are the same in every build, while Sphinx compiles them anew each time: after a small change
    few things take longer. What was compiled lies beside the doctrees, which are trusted as it is.
    """
    environment = getattr(getattr(app.builder, "templates", None), "environment", None)
    if isinstance(app.builder, StandaloneHTMLBuilder) and isinstance(environment, jinja2.Environment):
        # Another version may compile the same template to something else.
        folder = app.doctreedir / f"templates-{sphinx.__version__}-{jinja2.__version__}"
        folder.mkdir(parents=True, exist_ok=True)
        environment.bytecode_cache = FileSystemBytecodeCache(str(folder))


def look_for_garbage_less_often(app: Sphinx) -> None:
    """Spare a translation what costs it most: Python looks through all nodes again and again.

    It has the nodes of two languages, and almost all of them are kept to the end of their page.
    """
    if site_of(app).is_translation:
        _BEFORE[app] = gc.get_threshold()
        gc.set_threshold(20_000, 20, 50)


def look_as_before(app: Sphinx, exception: Exception | None) -> None:
    """Leave Python as it was: a program may build more than one site, or do other things."""
    if app in _BEFORE:
        gc.set_threshold(*_BEFORE.pop(app))


def end_at_once(app: Sphinx) -> None:
    """Let the process end without a last look for garbage.

    The system takes all its memory back in any case, while Python, on its way out, looks through every
    page that it has in memory: half a second for 1,000 pages, and as long again in each child, for which
    its parent waits.
    """
    atexit.unregister(gc.freeze)  # More than one site may be built in the process.
    atexit.register(gc.freeze)
