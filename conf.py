"""The edukit course site. The pages are in docs/; build them with ``make html``."""

project = "edukit"
author = "the edukit authors"
copyright = "2026, the edukit authors"  # noqa: A001
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]

root_doc = "index"
exclude_patterns = ["songs/private/**", "**/README.md"]
locale_dirs = ["locale"]
gettext_compact = False
nitpicky = True

myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]

html_theme = "pydata_sphinx_theme"
html_title = "edukit"
