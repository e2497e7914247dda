"""A ``.sb3`` or ``.sprite3`` file as a package: a zip with a JSON file and assets, unpacked under limits.

The file comes from anywhere. What a header in it says about names and sizes is not believed: names are
checked before anything is looked up by them, sizes are counted while the bytes come out.
"""

import json
import math
import posixpath
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import BinaryIO, NoReturn

from .findings import Report, ScratchError
from .model import canonical


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file may hold.

    Parameters
    ----------
    entries
        Entries of the zip.
    json_bytes, asset_bytes, total_bytes
        Inflated sizes of ``project.json``, of one asset, and of all that is read.
    ratio
        Inflated to packed size, of an entry larger than a megabyte.
    targets, blocks
        Stage and sprites; blocks of the whole project.
    depth
        Blocks inside blocks.
    """

    entries: int = 5_000
    json_bytes: int = 20_000_000
    asset_bytes: int = 20_000_000
    total_bytes: int = 200_000_000
    ratio: int = 200
    targets: int = 1_000
    blocks: int = 100_000
    depth: int = 60


LIMITS = Limits()


class Package:
    """An open ``.sb3`` file.

    Raises
    ------
    ScratchError
        Here and in the methods, if the zip or its JSON must be refused.
    """

    def __init__(self, file: BinaryIO, limits: Limits, report: Report) -> None:
        self.limits = limits
        self.report = report
        self.inflated = 0
        if file.read(8) == b"ScratchV":
            raise report.refusal("scratch-1")
        try:
            self.archive = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, ValueError, struct.error, OverflowError, NotImplementedError):
            raise report.refusal("not-a-zip") from None
        self.entries = self._entries()
        self.main = self._main()
        self.kind = "sprite" if posixpath.basename(self.main) == "sprite.json" else "project"

    def _entries(self) -> dict[str, zipfile.ZipInfo]:
        infos = self.archive.infolist()
        if len(infos) > self.limits.entries:
            raise self.report.refusal("too-much", what="zip", limit=self.limits.entries)
        entries: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            name, raw = info.filename, info.orig_filename
            parts = name.removesuffix("/").split("/")
            strange = "\\" in raw or "\0" in raw or re.match(r"[A-Za-z]:", name)
            if strange or any(part in ("", ".", "..") for part in parts):
                raise self.report.refusal("bad-entry-name", name=raw)
            if name in entries:
                raise self.report.refusal("second-entry", name=name)
            entries[name] = info
        return entries

    def _main(self) -> str:
        """Find the JSON file: Scratch accepts a zip that somebody packed as a folder."""
        found = [name for name in self.entries if posixpath.basename(name) == "project.json"]
        found = found or [name for name in self.entries if posixpath.basename(name) == "sprite.json"]
        if not found:
            inside = [name for name in self.entries if name.lower().endswith((".sb3", ".sprite3"))]
            if inside:
                raise self.report.refusal("zip-of-projects", name=inside[0])
            raise self.report.refusal("no-project")
        if len(found) > 1:
            raise self.report.refusal("second-project")
        if found[0].count("/") > 1:
            # Scratch looks no deeper, and a file that it does not open is not to be praised here.
            raise self.report.refusal("no-project")
        return found[0]

    def asset(self, name: str) -> bytes | None:
        """Return the content of an asset, or None if the package lacks it.

        Scratch takes a file at the top, else the first in any folder; what is checked has to be the same
        file that Scratch will show.
        """
        inside = (one for one in self.entries if one.count("/") == 1 and posixpath.basename(one) == name)
        found = name if name in self.entries else next(inside, None)
        return None if found is None else self._inflate(self.entries[found], self.limits.asset_bytes)

    def main_json(self) -> dict[str, object]:
        """Return what is in ``project.json`` or ``sprite.json``."""
        data = self._inflate(self.entries[self.main], self.limits.json_bytes)
        try:
            value = strict_json(data.decode("utf-8-sig"))
            value = _without_surrogates(value)
        except UnicodeDecodeError as error:
            raise self.report.refusal("not-utf-8", byte=error.start) from None
        except (ValueError, RecursionError) as error:
            deep = isinstance(error, RecursionError)
            reason = "it is nested too deeply" if deep else str(error)
            raise self.report.refusal("bad-json", reason=reason) from None
        if not isinstance(value, dict):
            raise self.report.damage("the outermost value")
        return value

    def _inflate(self, info: zipfile.ZipInfo, limit: int) -> bytes:
        name = info.filename
        if info.flag_bits & 1:
            raise self.report.refusal("encrypted", name=name)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.report.refusal("bad-zip", name=name, reason=f"method {info.compress_type}")
        limit = min(
            limit,
            self.limits.total_bytes - self.inflated,
            max(1_000_000, self.limits.ratio * info.compress_size),
        )
        data = bytearray()
        try:
            with self.archive.open(info) as stream:
                while chunk := stream.read(1 << 16):
                    data += chunk
                    if len(data) > limit:
                        raise self.report.refusal("too-much", what=name, limit=limit)
        except ScratchError:
            raise
        except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, OSError, ValueError) as error:
            raise self.report.refusal("bad-zip", name=name, reason=str(error)) from None
        self.inflated += len(data)
        return bytes(data)


def strict_json(text: str) -> object:
    """Parse JSON as the standard has it: no NaN, no endless number, no key twice."""

    def constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is no number")

    def number(digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            raise ValueError(f"the number {digits[:40]} is too large")
        return value

    def whole(digits: str) -> int | float:
        # JavaScript has no whole numbers of its own, so one that is too long is as large as any.
        return int(digits) if len(digits) < 300 else number(digits)

    def mapping(pairs: list[tuple[str, object]]) -> dict[str, object]:
        result: dict[str, object] = {}
        for key, value in pairs:
            if key in result:
                raise ValueError(f"the key {key[:40]!r} is there twice")
            result[key] = value
        return result

    value: object = json.loads(
        text,
        parse_constant=constant,
        parse_float=number,
        parse_int=whole,
        object_pairs_hook=mapping,
    )
    return value


def _without_surrogates(value: object) -> object:
    """Replace halves of characters: a variable may hold half an emoji, no page and no file can."""
    text = canonical(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return strict_json(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return value
