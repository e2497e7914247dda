extensions = ["edukit.sphinxext.bilingual"]
project = "How much is translated"
language = "en"
bilingual_languages = ["ar", "zh_CN"]
locale_dirs = ["locale"]
gettext_compact = False
html_theme = "basic"
exclude_patterns = ["_build"]
