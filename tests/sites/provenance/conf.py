extensions = ["myst_parser", "edukit.sphinxext.provenance"]
language = "en"
locale_dirs = ["locale"]
gettext_compact = False
html_theme = "basic"
