"""The edukit course site. The pages are in docs/; build them with ``make html``."""

import edukit

project = "edukit"
author = "the edukit authors"
copyright = "2026, the edukit authors"
language = "en"
version = release = edukit.__version__

extensions = [
    "edukit.sphinxext.bilingual",  # first, so that all the others see the language
    "edukit.sphinxext.layout",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "edukit.sphinxext.citations",
    "edukit.sphinxext.cjk",
    "edukit.sphinxext.claims",
    "edukit.sphinxext.explorer",
    "edukit.sphinxext.gallery",
    "edukit.sphinxext.lean",
    "edukit.sphinxext.mathml",
    "edukit.sphinxext.navigation",
    "edukit.sphinxext.provenance",
    "edukit.sphinxext.quiz",
    "edukit.sphinxext.scratch",
    "edukit.sphinxext.search",
    "edukit.sphinxext.song",
]

# -- languages and pages ---------------------------------------------------------------------------------

bilingual_languages = ["zh_CN"]
locale_dirs = ["locale"]
gettext_compact = False  # one catalog a page
gettext_additional_targets = ["index"]  # its entries are translated, so that they are found
cjk_words = ["等变", "大语言模型", "自注意力"]  # what the dictionary parts and headings should not
exclude_patterns = ["songs/private/**"]
nitpicky = True
templates_path = ["docs/_templates"]

myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]

edukit_math_macros = {"R": r"\mathbb{R}", "norm": r"\left\lVert #1 \right\rVert"}

bibtex_bibfiles = ["docs/references.bib"]

# -- what is computed ------------------------------------------------------------------------------------

sphinx_gallery_conf = {"examples_dirs": "../examples", "gallery_dirs": "auto_examples"}
autodoc_typehints = "none"
autodoc_preserve_defaults = True
napoleon_use_param = False
napoleon_use_rtype = False

# -- the look --------------------------------------------------------------------------------------------

html_theme = "pydata_sphinx_theme"
html_title = "edukit"
html_static_path = ["docs/_static"]
html_favicon = "docs/_static/logo.svg"
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_sidebars = {"index": [], "**": ["sidebar-nav-bs"]}
html_show_sourcelink = False
html_copy_source = False
lean_styles = ["basic.css", "styles/pydata-sphinx-theme.css"]

html_theme_options = {
    "logo": {"text": "edukit", "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    # Persistent: to be seen at every width, on a phone too.
    "navbar_persistent": ["search-button", "bilingual-switcher"],
    "navbar_end": ["theme-switcher"],
    "back_to_top_button": False,
    "primary_sidebar_end": [],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["licence"],
    "footer_end": [],
    "show_nav_level": 2,
}
