extensions = ["edukit.sphinxext.bilingual", "myst_parser"]
project = "Sides"
language = "en"
bilingual_languages = ["zh_CN"]
locale_dirs = ["locale"]
gettext_compact = False
gettext_additional_targets = ["index"]
html_theme = "basic"
numfig = True
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist", "dollarmath", "substitution", "tasklist"]

# What the configuration says in each language.
rst_prolog = ".. |moon| replace:: the *full* moon\n"
rst_epilog = "The end of a page"
myst_substitutions = {"sun": "the **bright** sun", "brand": "A paragraph of the project"}
numfig_format = {"figure": "Picture %s"}
bilingual_overrides = {
    "zh_CN": {
        "rst_prolog": ".. |moon| replace:: *满月*\n",
        "rst_epilog": "一页的结尾",
        "myst_substitutions": {"sun": "**明亮的**太阳", "brand": "项目的一段话"},
        "numfig_format": {"figure": "图片 %s"},
    }
}
