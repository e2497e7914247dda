"""Play here: what a page says of a player before there is one, and the files that it will ask for.

The page holds texts and addresses alone; ``scratch.js`` makes the button and what follows from it. The
player is written once, into ``_static``, for all projects. It and each project are scripts that hand over a
text and do nothing else, because a page that was opened as a file, from a memory stick, may load scripts
and may not fetch anything; what they hand over runs in the frame alone.
"""

import base64
import json
import posixpath
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from edukit.scratch.model import Project, walk
from edukit.scratch.opcodes import menu_word
from edukit.scratch.stage import LICENCES, NOTICE, PLAYER, player_files
from edukit.sphinxext.common import interface_text

logger = logging.getLogger(__name__)

_ARROWS = {"up arrow": "ArrowUp", "down arrow": "ArrowDown", "left arrow": "ArrowLeft"} | {
    "right arrow": "ArrowRight",
}
_KEY_BLOCKS = ("event_whenkeypressed", "sensing_keyoptions")
_CLICKED = ("event_whenthisspriteclicked", "sensing_mousedown")
_FOLDER = "_static/edukit/scratch-player"


class scratch_play(nodes.General, nodes.Element):
    """Where a project is played: ``name`` and ``docname`` of its file, ``title``, ``keys``, ``notes``."""


def play_node(project: Project, title: str, name: str, docname: str, language: str) -> scratch_play:
    """Return the node, with what a player of the project has to know."""
    blocks = [
        block for target in project.targets for script in target.scripts for block in walk(script.blocks)
    ]
    keys = dict.fromkeys(
        str(one.value)
        for block in blocks
        if block.opcode in _KEY_BLOCKS and (one := block.field("KEY_OPTION")) is not None
    )
    opcodes = {block.opcode for block in blocks}
    notes = []
    if "sensing_askandwait" in opcodes:
        notes.append("Type your answer on the stage and press Enter.")
    if opcodes.intersection(_CLICKED):
        notes.append("Click or tap what is on the stage.")
    if keys:
        notes.append("Click the stage first, so that it hears your keys; or use the buttons below it.")
    pairs = [[_key(key), menu_word("event_whenkeypressed", "KEY_OPTION", key, language)] for key in keys]
    return scratch_play(title=title, name=name, docname=docname, notes=notes, keys=_once(pairs))


def _key(name: str) -> str:
    """Return what a browser calls a key; where any will do, it is the space bar."""
    return _ARROWS.get(name) or (" " if name in ("space", "any") else name)


def _once(pairs: list[list[str]]) -> list[list[str]]:
    return [list(pair) for pair in {key: (key, label) for key, label in reversed(pairs)}.values()][::-1]


def as_script(data: bytes) -> bytes:
    """Return a project as the script that hands it to the page."""
    return b'edukitScratchProject("' + base64.b64encode(data) + b'");\n'


def visit_play(self: HTML5Translator, node: nodes.Element) -> None:
    """Write what the script makes a player of; nothing where there is no player."""
    if self.builder.name == "epub" or player_files() is None:
        raise nodes.SkipNode

    def say(text: str) -> str:
        return interface_text(text, self.config.language)

    texts = {
        "title": say("{title}: the stage").format(title=node["title"]),
        "play": say("Play here"),
        "loading": say("Loading the player …"),
        "playing": say("Playing."),
        "stopped": say("Stopped."),
        "away": say("Stopped, because it was scrolled away."),
        "failed": say("It cannot be played here. Download it and open it in Scratch."),
        "flag": say("Start again"),
        "halt": say("Stop"),
        "full": say("Full screen"),
        "small": say("Leave full screen"),
        "close": say("Close"),
        "said": say("What is said on the stage"),
        "question": say("Question"),
        "colon": say(": "),
        "keys": say("Keys"),
    }
    up = posixpath.dirname(self.builder.dlpath)
    file = quote(f"{node['docname']}/{node['name']}.js")
    attributes: dict[str, Any] = {
        "hidden": "hidden",
        "data-player": posixpath.join(up, f"{_FOLDER}/player.js"),
        "data-project": f"{self.builder.dlpath}/{file}",
        "data-keys": json.dumps(node["keys"], ensure_ascii=False),
        "data-texts": json.dumps(texts, ensure_ascii=False),
    }
    self.body.append(self.starttag(node, "div", "", CLASS="sb-play", **attributes))
    notes = " ".join(self.encode(say(note)) for note in node["notes"])
    self.body.append((f'<p class="sb-notes">{notes}</p>' if notes else "") + "</div>\n")
    raise nodes.SkipNode


def write_player(app: Sphinx, plays: bool) -> None:
    """Put the player into the output once, or say that there is none."""
    if not plays:
        return
    there = player_files()
    if there is None:
        logger.info(
            "Scratch projects have no play button: the player for web pages is not there. To fetch it, run "
            "once, with a network: edukit scratch install"
        )
        return
    folder = Path(app.outdir, *_FOLDER.split("/"))
    folder.mkdir(parents=True, exist_ok=True)
    frame = (Path(__file__).parent / "frame.html").read_text("utf-8")
    texts = {"frame": frame, "player": (there / PLAYER).read_text("utf-8")}
    content = {name: (there / name).read_bytes() for name in LICENCES} | {
        "player.js": f"/*\n{NOTICE}*/\nedukitScratchPlayer({json.dumps(texts)});\n".encode()
    }
    for name, data in content.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.write_bytes(data)
