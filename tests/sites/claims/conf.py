project = "claims"
extensions = ["myst_parser", "edukit.sphinxext.gallery", "edukit.sphinxext.claims"]
myst_enable_extensions = ["colon_fence"]
locale_dirs = ["locale"]
gettext_compact = False
sphinx_gallery_conf = {"examples_dirs": "../examples", "gallery_dirs": "gallery"}
