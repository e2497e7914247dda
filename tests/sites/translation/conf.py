"""Kinds of text that Sphinx translates wrongly or not at all, a page each, with catalogs."""

project = "Translation"
extensions = ["edukit.sphinxext.bilingual", "myst_parser"]
myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution"]
bilingual_languages = ["zh_CN"]
locale_dirs = ["locale"]
gettext_compact = False
gettext_additional_targets = ["image", "index", "literal-block", "doctest-block"]
exclude_patterns = ["parts"]
html_theme = "basic"

# What is compared here is the translation; a source beside it is for other tests.
bilingual_side_by_side = False
