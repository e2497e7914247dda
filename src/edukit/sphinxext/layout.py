"""What every page of a course site keeps to: where it lies, and that its pictures are described.

A ``conf.py`` at the root invites ``sphinx-build . OUT``, which would look for the pages beside it. The
mistake is answered with the command that was meant. A picture without a description is an error: nobody
who does not see it would know what it shows.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.common import metadata, stop

logger = logging.getLogger(__name__)


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
    app.connect("doctree-read", find_undescribed_pictures)
    return metadata()


def find_undescribed_pictures(app: Sphinx, doctree: nodes.document) -> None:
    """Say at its place which picture has no description; an empty one says that it only decorates."""
    for image in doctree.findall(nodes.image):
        if "alt" not in image:
            logger.error(
                "the picture %s has no description: write what it shows behind :alt: (nothing, if it only "
                "decorates)",
                image["uri"],
                location=image,
                type="edukit",
                subtype="alt",
            )


def _shown(path: Path) -> str:
    try:
        text = str(path.relative_to(Path.cwd()))
    except ValueError:
        text = str(path)
    return f'"{text}"' if " " in text else text
