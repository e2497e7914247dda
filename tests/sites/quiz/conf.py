project = "quiz"
extensions = ["myst_parser", "edukit.sphinxext.quiz"]
myst_enable_extensions = ["deflist", "dollarmath"]
locale_dirs = ["locale"]
gettext_compact = False
