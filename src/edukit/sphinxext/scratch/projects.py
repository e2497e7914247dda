"""The directive ``scratch-project``: a Scratch project on a page, in the language of the page.

::

    ```{scratch-project} subtraction_challenge.py
    Owl on its branch, waiting for the first answer.
    ```

The argument is a file beside the page: a Python program that leaves a project of
:mod:`edukit.scratch.author` in the name ``project``, or a ``.sb3`` file. The first paragraph of the content
is the caption of the picture of the stage; what follows is the goal of the project. Options:

``parts``
    Which of ``stage``, ``play``, ``download``, ``scripts`` to show, in this order; all of them by default.
``scripts``
    Which scripts to show, by their numbers through all sprites: ``1 3-5``.

The node tree::

    scratch_project
        scratch_stage       (svg)       the caption, as a paragraph
        scratch_goal                    a heading, as a paragraph; the goal
        scratch_play        (name, …)
        scratch_download    (name, …)
        scratch_sprite                  its name, as a paragraph
            scratch_script  (html)      the script as block text, in a literal block

HTML draws the pictures that the nodes carry; every other builder sees a picture's caption and block text.
What a project says is the project's own and is not translated by catalogs: an authored project has both
languages in itself.
"""

import itertools
import runpy
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import segno
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec
from sphinx.writers.html5 import HTML5Translator

from edukit.scratch import ScratchError, block_text, check, draw_script, draw_stage, load
from edukit.scratch.author import AuthorError
from edukit.scratch.author import Project as Authored
from edukit.scratch.model import Project
from edukit.scratch.wording import tell
from edukit.sphinxext.common import interface_text

from .common import block_language, script_node
from .playing import as_script, play_node, write_player

logger = logging.getLogger(__name__)

PARTS = ("stage", "play", "download", "scripts")


class scratch_project(nodes.General, nodes.Element):
    """The whole of what one directive shows."""


class scratch_stage(nodes.General, nodes.Element):
    """The picture of the stage (``svg``); its children are the caption."""


class scratch_goal(nodes.General, nodes.Element):
    """What the project is to do, in the author's words."""


class scratch_download(nodes.General, nodes.Element):
    """The link to the project: ``name`` of the file in the folder ``docname``, ``size`` in bytes."""


class scratch_sprite(nodes.General, nodes.Element):
    """The scripts of a sprite or of the stage."""


class _FileError(Exception):
    """A project file cannot be shown; the text says why, in the language of the page."""


# -- reading the file ----------------------------------------------------------------------------------


def _run(path: Path) -> Authored:
    """Run the program of an authored project, and name the line of the program if it fails."""
    try:
        found = runpy.run_path(str(path), run_name="edukit_scratch_project").get("project")
    except AuthorError as error:
        raise _FileError(str(error)) from None
    except SyntaxError as error:
        raise _FileError(f"{path.name}:{error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if Path(frame.filename) == path
        ]
        line = f":{lines[-1]}" if lines else ""
        raise _FileError(f"{path.name}{line}: {type(error).__name__}: {error}") from None
    if not isinstance(found, Authored):
        raise _FileError(
            f"{path.name}: the program leaves no project: write project = Project(...) with the "
            f"Project of edukit.scratch.author"
        )
    return found


class ScratchProjectDirective(SphinxDirective):
    """Show a project; see the module for how it is written."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "parts": lambda text: _parts(text),
        "scripts": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Return the node tree, or nothing after a message that says what is wrong."""
        relative, absolute = self.env.relfn2path(self.arguments[0].strip())
        path = Path(absolute)
        self.env.note_dependency(relative)
        try:
            if not path.is_file():
                raise _FileError(f"there is no file {relative}")
            project, title, name, content = self.read(path)
            result = self.show(project, title, name, content)
        except _FileError as error:
            logger.error(
                "scratch-project: %s",
                error,
                location=self.get_location(),
                type="edukit",
                subtype="scratch",
            )
            return []
        return [result]

    @property
    def language(self) -> str:
        """The language of the blocks."""
        return block_language(self.config)

    def read(self, path: Path) -> tuple[Project, str, str, bytes | str]:
        """Return the project in the page's language, its title, its file's name and its file.

        An authored file is made here; a ``.sb3`` file is named and copied when the build ends.
        """
        if path.suffix == ".py":
            authored = _run(path)
            for picture in authored.picture_files:
                self.env.note_dependency(str(picture))
            try:
                project = authored.build(self.language)
                content = authored.to_bytes(self.language)
            except AuthorError as error:
                raise _FileError(str(error)) from None
            name = authored.file_name(self.language)
            return project, authored.title.text(self.language), name, content
        if path.suffix == ".sb3":
            try:
                project = load(path)
            except ScratchError as error:
                raise _FileError(f"{path.name}: {error.finding.text(self.language)}") from None
            for finding in check(path):
                # A starter project is half a project: what a teacher would say about it is no fault.
                if finding.severity == "hint":
                    continue
                logger.warning(
                    "scratch-project: %s: %s",
                    path.name,
                    finding.text(self.language),
                    location=self.get_location(),
                    type="edukit",
                    subtype="scratch",
                )
            return project, path.stem, path.name, str(path)
        raise _FileError(f"{path.name} is neither a .sb3 file nor a .py program that makes one")

    def show(self, project: Project, title: str, name: str, content: bytes | str) -> nodes.Element:
        """Put together what was asked for."""
        result = scratch_project(classes=["edukit-scratch"])
        self.set_source_info(result)
        content_nodes = self.parse_content_to_nodes() if self.content else []
        caption, goal = content_nodes[:1], content_nodes[1:]
        for part in self.options.get("parts", PARTS):
            if part == "stage":
                text = interface_text("The stage of {title} when it opens", self.config.language)
                picture = draw_stage(project, text.format(title=title))
                result += scratch_stage("", *caption, svg=picture)
                result += self.goal(goal)
                caption = goal = []
            elif part == "play":
                data = content if isinstance(content, bytes) else Path(content).read_bytes()
                files(self.env).setdefault(self.env.docname, {})[f"{name}.js"] = as_script(data)
                result += play_node(project, title, name, self.env.docname, self.language)
            elif part == "download":
                size = len(content) if isinstance(content, bytes) else Path(content).stat().st_size
                files(self.env).setdefault(self.env.docname, {})[name] = content
                result += scratch_download(name=name, docname=self.env.docname, size=size)
            else:
                result += self.sprites(project)
        # Without a picture they are still something that the author wrote.
        result += caption
        result += self.goal(goal)
        return result

    def goal(self, content: list[nodes.Node]) -> list[nodes.Node]:
        """Return what the project is to do, if the author says so."""
        if not content:
            return []
        heading = interface_text("Goal", self.config.language)
        head = nodes.paragraph("", "", nodes.Text(heading), classes=["sb-head"], translatable=False)
        return [scratch_goal("", head, *content, classes=["sb-goal"])]

    def sprites(self, project: Project) -> list[nodes.Node]:
        """Return the scripts, by sprite."""
        texts = block_text(project, self.language)
        pairs = list(zip(tell(project, self.language), texts, strict=True))
        wanted = self.numbers(len(pairs))
        chosen = [(number, *pairs[number - 1]) for number in wanted]
        result: list[nodes.Node] = []
        for target, group in itertools.groupby(chosen, key=lambda one: one[1].target):
            name = target.name
            if target.is_stage:
                name = interface_text("Stage", self.config.language)
            sprite = scratch_sprite(classes=["sb-sprite"])
            sprite += nodes.paragraph("", "", nodes.Text(name), translatable=False)
            label = interface_text("{name}, script {number}", self.config.language)
            for number, telling, text in group:
                called = label.format(name=name, number=telling.index)
                script = script_node(draw_script(telling, self.language), called, text.text)
                self.anchor(script, number)
                sprite += script
            result.append(sprite)
        return result

    def numbers(self, count: int) -> list[int]:
        """Return the numbers of the scripts that were asked for."""
        text = self.options.get("scripts")
        if text is None:
            return list(range(1, count + 1))
        numbers: list[int] = []
        for word in text.replace(",", " ").split():
            first, dash, last = word.partition("-")
            try:
                start, stop = int(first), int(last if dash else first)
            except ValueError:
                raise _FileError(f":scripts: {word!r} is no number and no range like 2-4") from None
            if not 1 <= start <= stop <= count:
                raise _FileError(f":scripts: {word!r}: the project has the scripts 1 to {count}")
            numbers.extend(range(start, stop + 1))
        return numbers

    def anchor(self, script: nodes.Element, number: int) -> None:
        """Give a script an anchor, the first time that the page shows it."""
        anchor = f"script-{number}"
        if anchor not in self.state.document.ids:
            self.state.document.ids[anchor] = script
            script["ids"].append(anchor)


def _parts(text: str | None) -> tuple[str, ...]:
    words = tuple((text or "").replace(",", " ").split())
    unknown = [word for word in words if word not in PARTS]
    if unknown or not words:
        raise ValueError(f"{' '.join(unknown) or 'nothing'} is none of {', '.join(PARTS)}")
    return words


# -- writing HTML --------------------------------------------------------------------------------------


def visit_project(self: HTML5Translator, node: nodes.Element) -> None:
    """Open what holds the parts, or the scripts of a sprite."""
    self.body.append(self.starttag(node, "div"))


def depart_project(self: HTML5Translator, node: nodes.Element) -> None:
    """Close it."""
    self.body.append("</div>\n")


def visit_stage(self: HTML5Translator, node: nodes.Element) -> None:
    """Write the picture and begin its caption."""
    self.body.append(f'<figure class="sb-figure">{node["svg"]}')
    self.body.append("<figcaption>" if node.children else "")


def depart_stage(self: HTML5Translator, node: nodes.Element) -> None:
    """End the caption."""
    self.body.append("</figcaption>" if node.children else "")
    self.body.append("</figure>\n")


def visit_download(self: HTML5Translator, node: nodes.Element) -> None:
    """Write the link to the file."""
    # An e-book has no place for a file that no e-book reader can open.
    if self.builder.name != "epub":
        self.body.append(_download(self, node))
    raise nodes.SkipNode


def _download(self: HTML5Translator, node: nodes.Element) -> str:
    def say(text: str, **values: str) -> str:
        return str(self.encode(interface_text(text, self.config.language).format(**values)))

    path = quote(f"{node['docname']}/{node['name']}")
    size = f"{max(1, round(node['size'] / 1000))}\N{NO-BREAK SPACE}kB"
    steps = (
        say("Start the Scratch app. It works without the internet."),
        say("Choose “File”, then “Load from your computer”."),
        say("Pick {name}, then click the green flag.", name=node["name"]),
    )
    return (
        f'<div class="sb-get"><p><a class="sb-download sb-events" href="{self.builder.dlpath}/{path}" '
        f'download="">{say("Download the project")}'
        f"<small>{say(' ({name}, {size})', name=node['name'], size=size)}</small></a></p>\n"
        f'<details class="sb-how"><summary>{say("How to open it")}</summary>'
        f"<ol>{''.join(f'<li>{step}</li>' for step in steps)}</ol></details>\n"
        f"{_qr_code(self, f'_downloads/{path}')}</div>\n"
    )


def _qr_code(self: HTML5Translator, path: str) -> str:
    """Draw the address of the file for the cameras in a classroom, where the site has an address."""
    if not self.config.html_baseurl:
        return ""
    code = segno.make(f"{self.config.html_baseurl.rstrip('/')}/{path}", micro=False)
    picture = code.svg_inline(border=4, omitsize=True, svgclass=None, lineclass=None)
    label = self.encode(interface_text("QR code: the address of the file", self.config.language))
    picture = picture.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    text = self.encode(interface_text("Scan it to get the file.", self.config.language))
    return f'<figure class="sb-qr">{picture}<figcaption>{text}</figcaption></figure>'


# -- the files to download -----------------------------------------------------------------------------


def files(env: BuildEnvironment) -> dict[str, dict[str, bytes | str]]:
    """Return by page and name what is to be downloaded: the content, or the path of a file."""
    if not hasattr(env, "edukit_scratch_files"):
        setattr(env, "edukit_scratch_files", {})
    kept: dict[str, dict[str, bytes | str]] = getattr(env, "edukit_scratch_files")
    return kept


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget the files of a page."""
    files(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: Sequence[str], other: BuildEnvironment) -> None:
    """Take the files that another process has made."""
    files(env).update({name: files(other)[name] for name in docnames if name in files(other)})


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Put every project into the output, also those of pages that this build did not touch."""
    if exception is not None or app.builder.format != "html" or app.builder.name == "epub":
        return
    plays = any(name.endswith(".js") for named in files(app.env).values() for name in named)
    write_player(app, plays)
    for docname, named in files(app.env).items():
        for name, content in named.items():
            data = content if isinstance(content, bytes) else Path(content).read_bytes()
            path = Path(app.outdir, "_downloads", *docname.split("/"), name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_bytes() != data:
                path.write_bytes(data)
