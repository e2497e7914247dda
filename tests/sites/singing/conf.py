project = "singing"
language = "en"
extensions = ["myst_parser", "edukit.sphinxext.cjk", "edukit.sphinxext.search", "edukit.sphinxext.song"]
myst_enable_extensions = ["colon_fence"]
html_theme = "pydata_sphinx_theme"
html_sidebars = {"**": []}
html_theme_options = {"secondary_sidebar_items": []}
