project = "songs"
language = "en"
extensions = ["myst_parser", "edukit.sphinxext.song"]
myst_enable_extensions = ["colon_fence"]
locale_dirs = ["locale"]
gettext_compact = False
nitpicky = True
html_theme = "basic"
