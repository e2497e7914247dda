"""What the feature modules share: the words of the interface and the files a page loads.

The features do not know each other; this module knows none of them.
"""

import functools
from pathlib import Path

from babel.messages.pofile import read_po
from sphinx.application import Sphinx

PACKAGE = Path(__file__).resolve().parent.parent
STATIC = PACKAGE / "sphinxext" / "static"


@functools.cache
def _messages(language: str) -> dict[str, str]:
    path = PACKAGE / "locale" / language / "edukit.po"
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        catalog = read_po(file, locale=language, abort_invalid=True)
    return {str(message.id): str(message.string) for message in catalog if message.string}


def interface_text(text: str, language: str) -> str:
    """Return a text of edukit's own interface in a language; in English where it has none.

    The catalogs lie in ``edukit/locale`` as plain ``.po`` files and are read as they are: nothing has
    to be compiled when the package is built or edited.
    """
    return _messages(language).get(text, text)


def add_assets(app: Sphinx, *names: str) -> None:
    """Let every HTML page load style sheets and scripts from ``static/edukit``."""

    def add_static_path(app: Sphinx) -> None:
        if str(STATIC) not in app.config.html_static_path:
            app.config.html_static_path.append(str(STATIC))

    app.connect("builder-inited", add_static_path)
    for name in names:
        if name.endswith(".css"):
            app.add_css_file(f"edukit/{name}")
        else:
            app.add_js_file(f"edukit/{name}", loading_method="defer")
