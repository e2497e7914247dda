project = "citations"
extensions = ["edukit.sphinxext.citations"]
bibtex_bibfiles = ["docs/works.bib"]
locale_dirs = ["locale"]
gettext_compact = False
html_theme = "basic"
