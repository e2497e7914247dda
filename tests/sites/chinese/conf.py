"""A site that was written in Chinese and is read in English too."""

extensions = [
    "edukit.sphinxext.bilingual",
    "myst_parser",
    "sphinx_design",
    "edukit.sphinxext.cjk",
    "edukit.sphinxext.search",
]
project = "看月亮"
author = copyright = "月亮小组"
language = "zh_CN"
bilingual_languages = ["en"]
bilingual_overrides = {
    "en": {
        "project": "Watching the Moon",
        "html_title": "Watching the Moon",
        "copyright": "the Moon group",
    }
}
html_title = "看月亮"
locale_dirs = ["locale"]
gettext_compact = False
html_theme = "basic"
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]

# What is compared here is the translation; a source beside it is for other tests.
bilingual_side_by_side = False
