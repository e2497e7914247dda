"""Everything that Sphinx itself translates rightly, in reST and in Markdown."""

project = "Translated"
extensions = ["edukit.sphinxext.bilingual", "myst_parser"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
bilingual_languages = ["zh_CN"]
locale_dirs = ["locale"]
gettext_compact = False
gettext_additional_targets = ["image", "index"]
html_theme = "basic"
numfig = True
default_role = "emphasis"
rst_prolog = """
.. role:: loud
"""
rst_epilog = """
.. |product| replace:: the *product*
"""

# What is compared here is the translation; a source beside it is for other tests.
bilingual_side_by_side = False
