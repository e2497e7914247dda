"""What makes a build quicker and changes nothing in what it writes."""

import jinja2
import sphinx
from jinja2.bccache import FileSystemBytecodeCache
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder


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
