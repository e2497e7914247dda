extensions = ["myst_parser", "edukit.sphinxext.scratch"]
html_theme = "basic"
locale_dirs = ["locale"]
gettext_compact = False
