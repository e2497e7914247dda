"""A page for each group of kinds; every text holds the word kite, which the tests translate."""

import sys
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx_gallery.directives import ImageSg, imagesg_addnode
from sphinx_tabs import tabs

sys.path.insert(0, str(Path(__file__).parent))

extensions = [
    "edukit.sphinxext.bilingual",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.todo",
    "sphinx_design",
    "sphinx_inline_tabs",
]
project = "a kite project"
copyright = "the flyers"
language = "en"
bilingual_languages = ["zh_CN", "ar"]
bilingual_overrides = {
    "zh_CN": {"project": "a 风筝 project", "copyright": "放飞者", "html_title": "a 风筝 title"},
    "ar": {"project": "a طائرة project", "html_title": "a طائرة title"},
}
html_title = "a kite title"
locale_dirs = ["locale"]
gettext_compact = False
html_theme = "basic"
myst_enable_extensions = [
    "attrs_block",
    "attrs_inline",
    "colon_fence",
    "deflist",
    "dollarmath",
    "fieldlist",
    "html_image",
    "substitution",
]
numfig = True
todo_include_todos = True
autodoc_typehints = "none"


class Sign(SphinxDirective):
    """A directive as they should not be: nobody can know where its text was written."""

    has_content = True

    def run(self):
        return [nodes.container("", nodes.inline("", "".join(self.content)))]


def setup(app):
    app.add_directive("sign", Sign)
    # Not as an extension: both kinds of tabs have a directive of the name tab.
    app.add_config_value("sphinx_tabs_valid_builders", [], "")
    app.add_config_value("sphinx_tabs_disable_tab_closing", False, "html")
    for node in (tabs.SphinxTabsPanel, tabs.SphinxTabsTab, tabs.SphinxTabsTablist):
        app.add_node(node, html=(tabs.visit, tabs.depart))
    app.add_directive("tabs", tabs.TabsDirective)
    app.add_directive("group-tab", tabs.GroupTabDirective)
    app.add_directive("code-tab", tabs.CodeTabDirective)
    app.add_directive("image-sg", ImageSg)
    imagesg_addnode(app)


# What is compared here is the translation; a source beside it is for other tests.
bilingual_side_by_side = False
