"""Style sheets without the rules that no page of the site can match.

A theme's style sheet holds Bootstrap, an icon font and the looks of extensions that a site does not
use: four fifths of it on a site like this one, and no page is drawn before it has arrived. The
sheets named in the configuration are cut down once all pages are written::

    lean_styles = ["styles/pydata-sphinx-theme.css"]   # files in _static

A rule goes when its selector needs a class that stands neither in the ``class`` of any written page
nor as a word in any script that a page loads; a class that a script puts together from parts is not
seen. What cannot be judged stays. Sphinx copies the sheets
anew in every build, so a class that comes into use brings its rules back.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.common import metadata

logger = logging.getLogger(__name__)


def prune(css: str, names: frozenset[str] | set[str]) -> str:
    """Return a style sheet without the rules that need a class outside of ``names``.

    Parameters
    ----------
    css
        A style sheet. Comments between rules are dropped, but for those that begin with ``/*!``,
        which hold licences.
    names
        The classes that may occur.

    Returns
    -------
    str
        The sheet, in the same order. At-rules other than ``@media``, ``@supports``,
        ``@container`` and ``@layer`` are kept whole.

    Examples
    --------
    >>> prune(".a{color:red}.b,.a .c,p{margin:0}@media print{.b{top:0}}", {"a", "c"})
    '.a{color:red}.a .c,p{margin:0}'
    """
    return "".join(_pruned(statement, names) for statement in _statements(css))


def _pruned(statement: str, names: frozenset[str] | set[str]) -> str:
    licence = "".join(re.findall(r"/\*!.*?\*/", statement, re.DOTALL))
    rule = re.sub(r"/\*.*?\*/", "", statement, flags=re.DOTALL)
    head, brace, body = rule.partition("{")
    if not brace:
        return licence + rule
    if re.match(r"\s*@(media|supports|container|layer)\b", head):
        inside = prune(body.rstrip().removesuffix("}"), names)
        return licence + (f"{head}{{{inside}}}" if inside.strip() else "")
    if head.lstrip().startswith("@"):
        return licence + rule
    kept = [selector for selector in _selectors(head) if _can_match(selector, names)]
    return licence + (",".join(kept) + "{" + body if kept else "")


def _can_match(selector: str, names: frozenset[str] | set[str]) -> bool:
    """Tell whether every class that the selector asks for may occur.

    A selector with an escape, or with a list of alternatives in it, is not judged.
    """
    if "\\" in selector or re.search(r":(is|where|not|has)\([^)]*[,(]", selector):
        return True
    needed = re.sub(r':not\([^)]*\)|"[^"]*"|\'[^\']*\'', "", selector)
    return names.issuperset(re.findall(r"\.(-?[A-Za-z_][\w-]*)", needed))


def _statements(css: str) -> Iterator[str]:
    """Split a style sheet at the end of each rule, with what stands before it."""
    depth = start = 0
    # Strings and comments are taken whole: a brace in them is no brace.
    for match in re.finditer(
        r"""/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[{};]""", css, re.DOTALL
    ):
        token = match[0]
        depth += (token == "{") - (token == "}")
        if depth == 0 and token in "};":
            yield css[start : match.end()]
            start = match.end()
    if css[start:].strip():
        yield css[start:]


def _selectors(head: str) -> Iterator[str]:
    """Split a list of selectors at the commas that are not in brackets or strings."""
    depth = start = 0
    for match in re.finditer(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[()\[\],]""", head):
        token = match[0]
        depth += (token in "([") - (token in ")]")
        if token == "," and depth == 0:
            yield head[start : match.start()]
            start = match.end()
    yield head[start:]


def classes_in_use(site: Path) -> set[str]:
    """Return every class that an element of a written site can have.

    These are the classes in the pages, and every word of the scripts that the pages load or hold,
    since a script may set it as a class. The search index is data and is left out.
    """
    names: set[str] = set()
    scripts: set[Path] = set()
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8", errors="replace")
        for match in re.finditer(r"""\bclass=(?:"([^"]*)"|'([^']*)')""", html):
            names.update((match[1] or match[2] or "").split())
        for attributes, code in re.findall(r"<script\b([^>]*)>(.*?)</script>", html, re.DOTALL):
            if source := re.search(r'\bsrc="([^"?#:]+)', attributes):
                scripts.add((page.parent / source[1]).resolve())
            names.update(_words(code))
    for script in scripts:
        if script.name != "searchindex.js" and script.is_file():
            names.update(_words(script.read_text(encoding="utf-8", errors="replace")))
    return names


def _words(code: str) -> list[str]:
    return re.findall(r"-?[A-Za-z_][\w-]*", code)


def prune_sheets(app: Sphinx, exception: Exception | None) -> None:
    """Cut down the sheets of ``lean_styles`` when a build of HTML pages has ended well."""
    if exception is not None or app.builder.name not in ("html", "dirhtml") or not app.config.lean_styles:
        return
    names = classes_in_use(Path(app.outdir))
    for name in app.config.lean_styles:
        sheet = Path(app.outdir) / "_static" / name
        if not sheet.is_file():
            logger.warning(
                "lean_styles names %r, but no such file is in _static of the built site; "
                "mend the name in conf.py or take it out",
                name,
                type="edukit",
                subtype="lean",
            )
            continue
        css = prune(sheet.read_text(encoding="utf-8"), names)
        sheet.write_text(css, encoding="utf-8")
        _name_version(Path(app.outdir), sheet, hashlib.sha256(css.encode()).hexdigest()[:8])


def _name_version(site: Path, sheet: Path, version: str) -> None:
    """Let every page ask for the sheet as it is now; a browser may keep an older cut under its address."""
    link = re.compile(rf'(href=")([^"?]*{re.escape(sheet.name)})(\?v=[^"&]*)?"')

    def newest(match: re.Match[str]) -> str:
        leads_here = (page.parent / match[2]).resolve() == sheet.resolve()
        return f'{match[1]}{match[2]}?v={version}"' if leads_here else match[0]

    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8", errors="surrogateescape")
        named = link.sub(newest, html)
        if named != html:
            page.write_text(named, encoding="utf-8", errors="surrogateescape", newline="\n")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the option; cut late, when the theme has written its own files."""
    app.add_config_value("lean_styles", [], "html", types=frozenset({list, tuple}))
    app.connect("build-finished", prune_sheets, priority=900)
    return metadata()
