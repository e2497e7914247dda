"""Scratch on a page: whole projects and single blocks, in the language of the page.

:mod:`~edukit.sphinxext.scratch.projects` has the directive ``scratch-project``,
:mod:`~edukit.sphinxext.scratch.playing` what is played in the page, and
:mod:`~edukit.sphinxext.scratch.blocks` the directive and the role ``scratch-blocks``.
"""

from typing import Any

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.common import add_assets, metadata

from . import blocks, playing, projects
from .common import KeepOwnWords, pass_through, scratch_script, skip, visit_script

_OTHERS = ("latex", "text", "man", "texinfo")
_PLAIN: dict[str, Any] = dict.fromkeys(_OTHERS, (pass_through, pass_through))
_NOWHERE: dict[str, Any] = dict.fromkeys(_OTHERS, (skip, None))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives, the role, their nodes and their style sheet and script."""
    app.add_node(scratch_script, html=(visit_script, None), **_PLAIN)
    app.add_transform(KeepOwnWords)

    app.add_node(blocks.scratch_blocks, html=(blocks.visit_blocks, blocks.depart_blocks), **_PLAIN)
    app.add_node(blocks.scratch_inline, html=(blocks.visit_inline, None), **_PLAIN)
    app.add_directive("scratch-blocks", blocks.ScratchBlocksDirective)
    app.add_role("scratch-blocks", blocks.ScratchBlocksRole())
    app.add_transform(blocks.DrawBlocks)

    app.add_node(projects.scratch_project, html=(projects.visit_project, projects.depart_project), **_PLAIN)
    app.add_node(projects.scratch_stage, html=(projects.visit_stage, projects.depart_stage), **_PLAIN)
    app.add_node(projects.scratch_goal, html=(projects.visit_project, projects.depart_project), **_PLAIN)
    app.add_node(projects.scratch_sprite, html=(projects.visit_project, projects.depart_project), **_PLAIN)
    app.add_node(projects.scratch_download, html=(projects.visit_download, None), **_NOWHERE)
    app.add_node(playing.scratch_play, html=(playing.visit_play, None), **_NOWHERE)
    app.add_directive("scratch-project", projects.ScratchProjectDirective)
    app.connect("env-purge-doc", projects.purge)
    app.connect("env-merge-info", projects.merge)
    app.connect("build-finished", projects.write_files)

    add_assets(app, "scratch.css", "scratch.js")
    return metadata()
