"""The player for web pages: one script that plays any project in a browser.

It is the ``scaffolding`` of the TurboWarp Packager, which npm carries as
``@turbowarp/packager``, under the Mozilla Public License 2.0; its source is at
https://github.com/TurboWarp/packager. It is not in the repository. The build of the package fetches it with
npm, checks it against the hash below, keeps it in the user's cache folder and puts it into the wheel: who
installs the wheel needs neither Node.js nor npm.

Why both a build hook and a cache: behind a slow or filtered network a download that belongs to ``pip
install`` alone is tried anew at each install, says nothing while it hangs, and takes the whole install with
it when it fails. So the hook never fails, what was fetched once is kept, the same download can be had by a
command that says what it does (``edukit scratch install``), and a site without the player is a whole site
with no play button. npm and not Python fetches it because npm knows the mirror, the proxy and the
certificates that its user has set.
"""

import base64
import contextlib
import hashlib
import subprocess
import tarfile
import tempfile
from pathlib import Path

from .playing import PlayError, cache_folder, find_node

PACKAGE = "@turbowarp/packager"
VERSION = "3.13.0"
INTEGRITY = "ZPQM+t/am8XNMzCaPLvgJqlZZOAJu9/dYIxiFPzR6Bp61oX8xrnm0HLrjhsdsMqW0vVqo2mPND76oNBVaBSOTA=="
"""SHA-512 of what npm carries under this version, as npm writes it."""

PLAYER = "scaffolding.js"
LICENCES = ("LICENSE.txt", "NOTICES.txt")
_FILES = {
    "package/dist/scaffolding/scaffolding-min.js": PLAYER,
    "package/dist/scaffolding/scaffolding-min.js.LICENSE.txt": "NOTICES.txt",
    "package/LICENSE": "LICENSE.txt",
}
NOTICE = f"""The player for Scratch projects is a part of the TurboWarp Packager {VERSION}, unchanged.
Its source code: https://github.com/TurboWarp/packager (tag v{VERSION})
Its licence is the Mozilla Public License 2.0: LICENSE.txt. It holds other works, among them parts of
Scratch; their notices are in it and in NOTICES.txt.
"""
_MOST_BYTES = 20_000_000
INSTALLED = Path(__file__).parent / "player" / "stage"
"""Where a wheel has it."""


def player_files() -> Path | None:
    """Return the folder with the player and its licences, or None where it was never fetched."""
    return next((one for one in (INSTALLED, _kept()) if (one / PLAYER).is_file()), None)


def _kept() -> Path:
    digest = hashlib.sha256(INTEGRITY.encode()).hexdigest()[:16]
    return cache_folder() / f"scratch-stage-{VERSION}-{digest}"


def fetch() -> Path:
    """Fetch the player where it is not there yet, and return its folder.

    Raises
    ------
    PlayError
        If there is no Node.js, npm cannot fetch it, or what npm brings is not what is expected.
    """
    if there := player_files():
        return there
    node = find_node()
    home = _kept()
    home.parent.mkdir(parents=True, exist_ok=True)
    # Beside its place and then moved there, so that a half-fetched folder is never taken for a whole one.
    with tempfile.TemporaryDirectory(dir=home.parent, prefix="fetching-") as folder:
        try:
            done = subprocess.run(
                [node.npm, "pack", f"{PACKAGE}@{VERSION}", "--ignore-scripts", "--silent"],
                cwd=folder,
                env=node.environment,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=300,
                check=False,
            )
            complaint = done.stderr.strip()[-600:] or "?" if done.returncode else ""
        except (OSError, subprocess.TimeoutExpired) as error:
            complaint = str(error)
        packed = next(Path(folder).glob("*.tgz"), None)
        if complaint or packed is None:
            raise PlayError(
                "install-failed",
                f"npm could not fetch the player for web pages: {complaint}",
                f"npm 无法下载网页播放器：{complaint}",
            )
        ready = Path(folder, "ready")
        _unpack(packed, ready)
        # Somebody else may have been faster; theirs is the same.
        with contextlib.suppress(OSError):
            ready.rename(home)
    return home


def _unpack(packed: Path, folder: Path) -> None:
    """Take the files that are wanted out of the package, once it is known to be the right one."""
    digest = base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
    if digest != INTEGRITY:
        raise PlayError(
            "install-failed",
            f"what npm brought as {PACKAGE} {VERSION} is not what it should be: sha512-{digest}",
            f"npm 下载的 {PACKAGE} {VERSION} 与应有的内容不符：sha512-{digest}",
        )
    folder.mkdir()
    with tarfile.open(packed) as archive:
        for inside, name in _FILES.items():
            stream = archive.extractfile(inside)
            assert stream is not None
            (folder / name).write_bytes(stream.read(_MOST_BYTES))
    licence = folder / "LICENSE.txt"
    licence.write_text(NOTICE + "\n" + licence.read_text("utf-8"), "utf-8")
