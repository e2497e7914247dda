"""The layout of a course site: ``conf.py`` at the root and the pages in ``docs/``.

A ``conf.py`` at the root invites ``sphinx-build . OUT``, which would look for the pages beside it. The
mistake is answered with the command that was meant.
"""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.common import metadata, stop


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up; stop at once when the source folder cannot be the one that was meant."""
    source = Path(app.srcdir)
    pages = source / "docs"
    first = f"{app.config.root_doc}.*"
    if source == Path(app.confdir) and not any(source.glob(first)) and any(pages.glob(first)):
        stop(
            "conf.py is here, and the pages are in docs/. The command is:\n\n"
            f"    sphinx-build -c {_shown(source)} {_shown(pages)} {_shown(Path(app.outdir))}\n\n"
            "or, to have everything set up and built: make html"
        )
    return metadata()


def _shown(path: Path) -> str:
    try:
        text = str(path.relative_to(Path.cwd()))
    except ValueError:
        text = str(path)
    return f'"{text}"' if " " in text else text
