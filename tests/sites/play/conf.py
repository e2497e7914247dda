extensions = ["myst_parser", "edukit.sphinxext.scratch"]
html_theme = "basic"
html_title = "Play"
