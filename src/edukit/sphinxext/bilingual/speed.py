"""What makes a build quicker and changes nothing in what it writes."""

import gc
from weakref import WeakKeyDictionary

import jinja2
import sphinx
from jinja2.bccache import FileSystemBytecodeCache
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

_BEFORE: WeakKeyDictionary[Sphinx, tuple[int, int, int]] = WeakKeyDictionary()


def begin(app: Sphinx) -> None:
    """Let Python look for garbage less often, and keep what the templates are compiled to.

    Almost everything that a build makes is kept to its end: to look for garbage often is in vain. And a
    theme's templates are the same in every build, while Sphinx compiles them anew each time: after a small
    change nothing takes longer. What was compiled lies beside the doctrees, which are trusted as it is.
    """
    _BEFORE[app] = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    environment = getattr(getattr(app.builder, "templates", None), "environment", None)
    if isinstance(app.builder, StandaloneHTMLBuilder) and isinstance(environment, jinja2.Environment):
        # Another version may compile the same template to something else.
        folder = app.doctreedir / f"templates-{sphinx.__version__}-{jinja2.__version__}"
        folder.mkdir(parents=True, exist_ok=True)
        environment.bytecode_cache = FileSystemBytecodeCache(str(folder))


def end(app: Sphinx, exception: Exception | None) -> None:
    """Leave Python as it was: a program may build more than one site, or do other things."""
    if app in _BEFORE:
        gc.set_threshold(*_BEFORE.pop(app))
