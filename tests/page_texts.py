"""What a built page says, to the eye and to the ear."""

from html.parser import HTMLParser
from pathlib import Path

# What does not part the text before it from the text behind, and what has no end.
INLINE = {
    "a",
    "abbr",
    "b",
    "cite",
    "code",
    "em",
    "i",
    "kbd",
    "samp",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
}
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
SPOKEN = {"alt", "title", "content", "aria-label", "placeholder", "tooltip"}
# The source beside its translation, and what Sphinx says in its own words.
NOT_OF_THE_PAGE = ("translated-copy", "caption-number", "versionmodified", "genindex-jumpbox")


class _Reader(HTMLParser):
    def __init__(self, without: tuple[str, ...]) -> None:
        super().__init__()
        self.without = without
        self.texts: list[str] = []
        self.block = ""
        self.left_out = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE:
            self.end_block()
        classes = (dict(attrs).get("class") or "").split()
        if self.left_out or tag in {"script", "style"} or any(name in classes for name in self.without):
            self.left_out += tag not in VOID
            return
        self.texts += [f"{tag} {name}: {value}" for name, value in attrs if value and name in SPOKEN]

    def handle_endtag(self, tag: str) -> None:
        if tag not in INLINE:
            self.end_block()
        if self.left_out and tag not in VOID:
            self.left_out -= 1

    def handle_data(self, data: str) -> None:
        if not self.left_out:
            self.block += data

    def end_block(self) -> None:
        if self.block.strip():
            self.texts.append(" ".join(self.block.split()))
        self.block = ""


def page_texts(page: Path, *without: str) -> list[str]:
    """Return the texts of a page in their order: a block each, and what is said of pictures and links.

    ``without`` names classes of elements that are left out, besides those that are no part of the page.
    """
    reader = _Reader((*NOT_OF_THE_PAGE, *without))
    reader.feed(page.read_text(encoding="utf-8"))
    # The dashes are Sphinx's, which sets them in some languages and not in others.
    return [text.replace("–", "--") for text in reader.texts]
