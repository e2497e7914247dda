"""The navigation of a site, made once for the pages of a folder and not once for each page.

A theme asks for the tree of all pages on every page, and Sphinx makes it anew each time: in a site of many
pages nothing takes longer. Yet two pages of one folder that stand in the same tree differ only in what is
marked as the place where the reader is. So the tree of the first page is kept as text, and on every other
one the marks are moved. The pages come out as they would without this module.

It serves what a theme asks for in these ways; everything else goes to whom it was meant for:

- ``toctree(collapse=False)``, which Sphinx gives to every theme;
- ``generate_toctree_html("sidebar", collapse=False)`` of the pydata-sphinx-theme and those built on it.

Not served are trees that differ in more than their marks: those that are collapsed but around the current
page, those that show the sections of the current page, those that hold a page twice; nor pages that are
folders (``dirhtml``), since each of them has other links.
"""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment.adapters.toctree import TocTree
from sphinx.util.typing import ExtensionMetadata

from edukit import __version__


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up; late, when a theme has given its functions to the template."""
    app.connect("html-page-context", serve_from_kept_trees, priority=900)
    # Nothing of it is in the environment.
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


# None for what has turned out not to be shareable.
_KEPT: WeakKeyDictionary[Sphinx, dict[Hashable, "Tree | None"]] = WeakKeyDictionary()


def serve_from_kept_trees(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Wrap the functions by which a page's template asks for a tree."""
    if app.builder.name != "html" or doctree is None:
        return
    uri = app.builder.get_target_uri(pagename)
    for name in ["toctree", "generate_toctree_html"]:
        if callable(context.get(name)):
            context[name] = _Server(app, pagename, uri, name, context[name])


@dataclass(frozen=True, slots=True)
class _Server:
    """Takes the place of one function of a page's template."""

    app: Sphinx
    pagename: str
    uri: str
    name: str
    make: Callable[..., Any]

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        key = self._key(arguments, options)
        if key is None:
            return self.make(*arguments, **options)
        kept = _KEPT.setdefault(self.app, {})
        if key in kept:
            tree = kept[key]
            found = tree.on_page(self.uri.rpartition("/")[2]) if tree is not None else None
            return self.make(*arguments, **options) if found is None else found
        html = str(self.make(*arguments, **options))
        tree = read(html, self.uri.rpartition("/")[2], opened=_opened(options))
        if tree is not None or html.count('href="#"') == 1:
            kept[key] = tree  # where this page does not stand, or twice, nothing is learned of the others
        return html

    def _key(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Hashable | None:
        """Return what all pages share that can have the same tree; None where there is none to share."""
        if options.get("collapse", True) or self.uri.endswith("/"):
            return None
        within: tuple[str, ...] = ()
        if self.name == "generate_toctree_html":
            start = options.get("startdepth", 1)
            if arguments != ("sidebar",) or not isinstance(start, int) or _opened(options) < 1:
                return None
            # The theme begins with the part of the site that the page is in.
            above = TocTree(self.app.env).get_toctree_ancestors(self.pagename)
            within = tuple(above[-start:]) if start > 0 else ()
            if len(within) < start:
                return None
        elif arguments:
            return None
        chosen = tuple(sorted((name, repr(value)) for name, value in options.items()))
        return self.name, self.uri.rpartition("/")[0], within, chosen


def _opened(options: dict[str, Any]) -> int:
    """Return how many levels of a tree stand open on every page."""
    return int(options.get("show_nav_level", 1))


# -- a tree as text --------------------------------------------------------------------------------------

_TAG = re.compile(r"<(/?)(ul|li|a|details)\b([^>]*)>")
_ATTRIBUTE = re.compile(r'([\w-]+)(?:="([^"]*)")?')


@dataclass(slots=True)
class Tree:
    """A tree in pieces: text, and the tags on which a mark can be, with no place marked.

    Parameters
    ----------
    pieces
        What makes up the HTML when it is joined.
    ways
        For the address of each page in the tree, the pieces on the way down to it: lists, items, folded
        parts, and the link itself, which is the last one. None where a page stands in the tree twice.
    item_marks
        The classes of an item on the way: ``current``, in some themes ``active`` as well.
    says_page
        Whether the link says ``aria-current``.
    """

    pieces: list[str]
    ways: dict[str, list[int] | None] = field(default_factory=dict)
    item_marks: tuple[str, ...] = ()
    says_page: bool = False

    def on_page(self, href: str) -> str | None:
        """Return the tree as it is on a page in it; None when the page is not there, or twice."""
        way = self.ways.get(escape(href))
        if way is None:
            return None
        pieces = self.pieces.copy()
        for place in way:
            pieces[place] = self._marked(pieces[place])
        return "".join(pieces)

    def _marked(self, tag: str) -> str:
        name, attributes, classes = _parts(tag)
        if name == "details":
            attributes["open"] = "open"
        elif name == "li":
            classes[1:1] = self.item_marks
        else:
            classes.insert(0, "current")
        if name == "a":
            attributes["href"] = "#"
            attributes |= {"aria-current": "page"} if self.says_page else {}
        return _tag(name, attributes, classes)


def read(html: str, href: str, *, opened: int = 1) -> Tree | None:
    """Take a tree as it is on one page apart; None if it cannot be had for other pages from that.

    Parameters
    ----------
    html
        The tree.
    href
        The address of the page in its folder.
    opened
        How many levels stand open on every page.
    """
    tree = Tree(_pieces(html))
    _find_ways(tree)
    way = tree.ways.pop("#", None)
    if way is None:
        return None
    _, attributes, _ = _parts(tree.pieces[way[-1]])
    tree.says_page = "aria-current" in attributes
    for place in way:
        name, attributes, classes = _parts(tree.pieces[place])
        if name == "li":
            tree.item_marks = tuple(one for one in classes if one in ("current", "active"))
            stays_open = any(f"toctree-l{level}" in classes for level in range(opened))
            classes = [one for one in classes if one not in ("current", "active")]
        elif name == "details":
            if not stays_open:
                attributes.pop("open", None)
        else:
            classes = [one for one in classes if one != "current"]
        if name == "a":
            attributes.pop("aria-current", None)
            attributes["href"] = escape(href)
        tree.pieces[place] = _tag(name, attributes, classes)
    tree.ways[escape(href)] = way
    # A tree that this module does not understand does not come out as it was; one with links into the
    # page itself differs from page to page in more than its marks.
    if tree.on_page(href) != html or 'href="#' in "".join(tree.pieces):
        return None
    return tree


def _pieces(html: str) -> list[str]:
    """Split at the tags that can be marked: text and tags take turns."""
    pieces = []
    end = 0
    for match in _TAG.finditer(html):
        pieces += [html[end : match.start()], match[0]]
        end = match.end()
    return [*pieces, html[end:]]


def _find_ways(tree: Tree) -> None:
    """Note for each link what is marked when its page is the current one."""
    above: list[int] = []
    folded: dict[int, int] = {}  # the folded part of an item
    links: list[tuple[str, list[int], int]] = []
    for place in range(1, len(tree.pieces), 2):
        name, attributes, _ = _parts(tree.pieces[place])
        if tree.pieces[place].startswith("</"):
            if name in ("ul", "li") and above:
                above.pop()
        elif name in ("ul", "li"):
            above.append(place)
        elif name == "details":
            folded.setdefault(above[-1] if above else 0, place)
        else:
            links.append((attributes.get("href") or "", above.copy(), place))
    for href, way, link in links:
        # Each folded part directly behind its item, which says whether it stays open.
        whole = [step for place in way for step in (place, folded.get(place)) if step is not None]
        tree.ways[href] = [*whole, link] if href not in tree.ways else None


def _parts(tag: str) -> tuple[str, dict[str, str | None], list[str]]:
    match = _TAG.fullmatch(tag)
    assert match is not None
    attributes: dict[str, str | None] = dict(_ATTRIBUTE.findall(match[3]))
    return match[2], attributes, (attributes.pop("class", "") or "").split()


def _tag(name: str, attributes: dict[str, str | None], classes: list[str]) -> str:
    if classes:
        attributes["class"] = " ".join(classes)
    # In the order in which docutils and Beautiful Soup write them.
    written = "".join(f' {key}="{value}"' for key, value in sorted(attributes.items()))
    return f"<{name}{written}>"
