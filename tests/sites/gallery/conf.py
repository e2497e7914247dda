project = "Gallery"
extensions = ["edukit.sphinxext.gallery"]
sphinx_gallery_conf = {"examples_dirs": "../examples", "gallery_dirs": "auto_examples"}
exclude_patterns = ["locale"]
locale_dirs = ["locale"]
gettext_compact = False
html_theme = "basic"
