extensions = ["myst_parser", "edukit.sphinxext.cjk"]
language = "zh_CN"
project = "cjk"
author = copyright = version = "1"
html_theme = "basic"
html_copy_source = False
html_last_updated_fmt = None
locale_dirs = ["locale"]
gettext_compact = False
myst_enable_extensions = ["attrs_block", "attrs_inline", "dollarmath"]
epub_show_urls = "no"
