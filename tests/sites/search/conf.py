extensions = ["edukit.sphinxext.bilingual", "edukit.sphinxext.search"]
project = "Search"
language = "en"
bilingual_languages = ["zh_CN"]
locale_dirs = ["locale"]
gettext_compact = False
html_theme = "basic"
exclude_patterns = ["_build"]
