extensions = ["edukit.sphinxext.lean"]
html_theme = "basic"
html_static_path = ["_static"]
html_css_files = ["look.css"]
html_js_files = ["act.js"]
lean_styles = ["look.css"]
