"""Pages in a language that is written from right to left."""

from sphinx.application import Sphinx

from edukit.sphinxext.bilingual.site import site_of


def load_style(app: Sphinx) -> None:
    """Let such pages load what keeps code and formulas in their own direction."""
    if site_of(app).current.is_right_to_left:
        app.add_css_file("edukit/right-to-left.css")
