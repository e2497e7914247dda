"""What in a message is no prose: code, formulas, roles, links and the like, in Markdown (MyST) and reST.

`analyse` parts a message into such pieces and the prose between them. In the prose a piece leaves one sign
behind, so that rules of writing see that something stands there.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

# What stands in the prose for a piece: one that reads like a Latin word, one that reads as nothing at all,
# one of which nobody knows what a reader sees, and a space that the markup itself needs: no rule of writing
# may take it away.
WORD = "\ue000"
NOTHING = "\ue001"
SPACE = "\ue002"
UNKNOWN = "\ue003"


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of markup.

    Parameters
    ----------
    kind
        ``code``, ``math``, ``role``, ``link``, ``image``, ``footnote``, ``substitution``, ``html``,
        ``placeholder`` or ``reference``.
    target
        What has to be the same in a translation: a formula, an address, the target of a role.
    name
        The name of a role, else empty.
    text
        The words in it that are translated.
    start, stop
        Where it stands in the message.
    """

    kind: str
    target: str
    name: str = ""
    text: str = ""
    start: int = 0
    stop: int = 0


@dataclass(frozen=True, slots=True)
class Analysis:
    """A message in its pieces, and its prose."""

    pieces: tuple[Piece, ...]
    prose: str

    def of(self, *kinds: str) -> list[Piece]:
        """Return the pieces of some kinds."""
        return [piece for piece in self.pieces if piece.kind in kinds]


_ADDRESS = r"""(?:https?|ftp|mailto):[^\s<>"'`\ue000-\ue002，。；：！？）》」』、“”]+"""
_HTML = r"</?[A-Za-z][\w:-]*(?:\s+[\w:@.-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?)*\s*/?>|<!--.*?-->"

_PLACEHOLDER = (
    r"%\(\w+\)[#0 +-]*\d*(?:\.\d+)?[sdrfgixe]|\{\w*(?:[.:!][^{}]*)?\}|(?<![\d%])%[sdr](?![a-z]{2})"
)

PLACEHOLDER = re.compile(_PLACEHOLDER)

_MYST = re.compile(
    rf"""
      (?P<escape> \\[!-/:-@\[-`{{-~] )
    | \{{(?P<role>[\w:+.-]+)\}}(?P<rticks>`+)(?P<rbody>.+?)(?<!`)(?P=rticks)(?!`)
    | (?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
    | \$\$(?P<display>.+?)\$\$
    | (?<![\\$])\$(?!\s)(?P<math>(?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)
    | \{{\{{\s*(?P<substitution>.+?)\s*\}}\}}
    | \[\^(?P<footnote>[^\]\s]+)\]
    | !\[(?P<alt>(?:\\.|[^\]\\])*)\]\((?P<image>[^)\s]*)(?:\s+"(?P<imagetitle>[^"]*)")?\)
    | \]\((?P<link><[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"(?P<title>[^"]*)")?\)
    | \]\[(?P<reference>[^\]]*)\]
    | \]\{{(?P<attributes>[^{{}}]+)\}}
    | <(?P<auto>{_ADDRESS}|[^\s<>@]+@[^\s<>@]+)>
    | (?P<html>{_HTML})
    | (?P<address>{_ADDRESS})
    | (?P<placeholder>{_PLACEHOLDER})
    | (?P<bracket>\[)
    """,
    re.VERBOSE | re.DOTALL,
)

_REST = re.compile(
    rf"""
      (?P<space>\\[ ])
    | (?P<escape>\\.)
    | ``(?P<code>.+?)``(?!`)
    | (?P<roledomain>(?<!\w):(?P<role>[A-Za-z][\w:+.-]*):)`(?P<rbody>(?:\\.|[^`\\])+)`
    | `(?P<named>(?:\\.|[^`\\])+)`(?P<under>__?)(?!\w)
    | `(?P<plain>(?:\\.|[^`\\])+)`(?::(?P<after>[A-Za-z][\w:+.-]*):)?
    | \[(?P<footnote>\#[\w.-]*|\*|\d+|[A-Za-z][\w.:-]*)\]_
    | \|(?P<substitution>[^\s|](?:[^|\n]*[^\s|])?)\|_{{0,2}}
    | (?P<address>{_ADDRESS})
    | (?<![\w`])(?P<word>[A-Za-z0-9][\w.-]*?)(?<!_)__?(?![\w`])
    | (?P<placeholder>{_PLACEHOLDER})
    """,
    re.VERBOSE | re.DOTALL,
)

_TITLED = re.compile(r"(.*?)\s*(?<!\\)<([^<>]+)>\s*\Z", re.DOTALL)

# Roles whose content is no prose and stands for itself.
_VERBATIM = frozenset(
    {
        "code",
        "kbd",
        "file",
        "samp",
        "command",
        "option",
        "envvar",
        "program",
        "literal",
        "math",
        "eq",
        "cite",
    }
)
# Roles whose content is all prose.
_PROSE = frozenset(
    {"emphasis", "strong", "sub", "sup", "subscript", "superscript", "title-reference", "abbr"}
)
_PROSE |= {"guilabel", "menuselection", "dfn", "index"}


def is_markdown(references: tuple[str, ...], name: str = "") -> bool:
    """Tell from where a message stands whether it is written in Markdown."""
    text = " ".join(references) or name
    return bool(re.search(r"\.(md|ipynb|myst)\b", text))


@lru_cache(maxsize=4096)
def analyse(text: str, *, markdown: bool) -> Analysis:
    """Part a message into pieces of markup and prose.

    Examples
    --------
    >>> found = analyse("See {ref}`the map <map>` and `x = 1`.", markdown=True)
    >>> [(piece.kind, piece.name, piece.target) for piece in found.pieces]
    [('role', 'ref', 'map'), ('code', '', 'x = 1')]
    >>> found.prose.replace(WORD, "_")
    'See the map and _.'
    """
    pieces = tuple(_myst_pieces(text) if markdown else _rest_pieces(text))
    prose: list[str] = []
    at = 0
    for piece in pieces:
        between = text[at : piece.start]
        if not markdown and piece.kind:
            # Markup needs a blank there in reST, whatever the rules of writing say.
            between = re.sub(r" \Z", SPACE, between)
        if not markdown and prose and between.startswith(" ") and at:
            between = SPACE + between[1:]
        prose.append(between)
        prose.append(_left_behind(piece))
        at = piece.stop
    rest = text[at:]
    prose.append(SPACE + rest[1:] if pieces and not markdown and rest.startswith(" ") else rest)
    joined = _without_emphasis("".join(prose), markdown=markdown)
    return Analysis(tuple(piece for piece in pieces if piece.kind), joined)


def _left_behind(piece: Piece) -> str:
    if piece.kind == "":
        return piece.text
    if piece.kind in {"placeholder", "substitution"}:
        return UNKNOWN
    if piece.kind in {"code", "math"}:
        return WORD
    if piece.kind == "role":
        if not piece.text and piece.name.rpartition(":")[2] in _VERBATIM - {"eq", "cite"}:
            return WORD
        return piece.text or UNKNOWN
    if piece.kind == "link":
        return piece.text or (WORD if piece.name == "bare" else NOTHING)
    return piece.text or NOTHING


# In 2**31 the stars are a power.
_STARS = re.compile(r"(?P<before>[ ]?)(?<!\\)(?<!\d)(?P<stars>\*{1,3})(?P<after>[ ]?)|(?<=\d)\*{1,3}(?!\d)")


def _without_emphasis(prose: str, *, markdown: bool) -> str:
    """Take the stars of emphasis away; a space that they need belongs to the markup, not to the writing."""

    def space(inner: str) -> str:
        return SPACE if not markdown or _is_mark(inner) else " "

    def one(found: re.Match[str]) -> str:
        start, stop = found.span()
        before, after = found["before"] or "", found["after"] or ""
        at_start, at_end = bool(before) or start == 0, bool(after) or stop == len(prose)
        if at_start and at_end and (before or after):
            return found[0]  # a sign of its own, as in 2 * 3
        if found["stars"] is None:
            return ""
        if before:
            return space(prose[stop : stop + 1] or " ")
        return space(prose[start - 1 : start] or " ") if after else ""

    prose = _STARS.sub(one, prose)
    if markdown:
        prose = re.sub(r"(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)|~~", "", prose)
    return prose.replace(NOTHING, "")


def _titled(body: str) -> tuple[str, str]:
    """Return title and target of a role or a reference that gives both; else an empty title."""
    found = _TITLED.match(body)
    return (found[1], found[2]) if found and found[1] else ("", body)


def _role(name: str, body: str, start: int, stop: int) -> Piece:
    short = name.rpartition(":")[2]
    if short == "math":
        return Piece("math", body.strip(), "", "", start, stop)
    if short in _VERBATIM or short.startswith("cite"):
        return Piece("role", body, name, "", start, stop)
    if short in _PROSE:
        return Piece("role", "", name, body, start, stop)
    title, target = _titled(body)
    if short == "term" and not title:
        # What is shown is the target, so a translation gives both: {term}`词元 <token>`.
        return Piece("role", target, name, target, start, stop)
    return Piece("role", target.lstrip("!~"), name, title, start, stop)


def _myst_pieces(text: str) -> Iterator[Piece]:
    for found in _MYST.finditer(text):
        start, stop = found.span()
        kind = found.lastgroup
        if found["escape"]:
            yield Piece("", "", "", found["escape"][1], start, stop)
        elif found["role"]:
            yield _role(found["role"], found["rbody"], start, stop)
        elif found["ticks"]:
            yield Piece("code", _plain(found["code"]), "", "", start, stop)
        elif found["display"] is not None:
            yield Piece("math", found["display"].strip(), "", "", start, stop)
        elif found["math"] is not None:
            yield Piece("math", found["math"].strip(), "", "", start, stop)
        elif found["substitution"]:
            yield Piece("substitution", found["substitution"], "", "", start, stop)
        elif found["footnote"]:
            yield Piece("footnote", found["footnote"], "", "", start, stop)
        elif found["image"] is not None:
            yield Piece("image", found["image"], "", found["alt"], start, stop)
        elif found["link"] is not None:
            yield Piece("link", found["link"].strip("<>"), "", "", start, stop)
        elif found["reference"] is not None:
            yield Piece("reference", found["reference"].casefold(), "", "", start, stop)
        elif found["attributes"]:
            yield Piece("html", "{" + found["attributes"] + "}", "", "", start, stop)
        elif found["auto"]:
            yield Piece("link", found["auto"], "bare", "", start, stop)
        elif found["html"]:
            yield Piece("html", _tag(found["html"]), "", "", start, stop)
        elif found["address"]:
            address = found["address"].rstrip(".,;:!?)")
            yield Piece("link", address, "bare", "", start, start + len(address))
        elif found["placeholder"]:
            yield Piece("placeholder", found["placeholder"], "", "", start, stop)
        elif kind == "bracket":
            # It begins a link, whose end is told by its target, or it is a bracket.
            is_link = _LINK_ENDS.match(text, start)
            yield Piece("", "", "", "" if is_link else "[", start, stop)


_LINK_ENDS = re.compile(r"\[(?:\\.|`[^`]*`|[^\]\\`])*\](?:\(|\[|\{)")


def _rest_pieces(text: str) -> Iterator[Piece]:
    for found in _REST.finditer(text):
        start, stop = found.span()
        if found["space"]:
            yield Piece("", "", "", SPACE, start, stop)
        elif found["escape"]:
            yield Piece("", "", "", found["escape"][1], start, stop)
        elif found["code"] is not None:
            yield Piece("code", _plain(found["code"]), "", "", start, stop)
        elif found["role"]:
            yield _role(found["role"], found["rbody"], start, stop)
        elif found["named"]:
            title, target = _titled(found["named"])
            if title and not target.endswith("_"):
                yield Piece("link", target, "", title, start, stop)
            elif title:
                yield Piece("reference", target.rstrip("_").casefold(), "", title, start, stop)
            else:
                # The name of a target, such as a heading, which is translated as well.
                yield Piece("reference", "", "", found["named"], start, stop)
        elif found["plain"]:
            if found["after"]:
                yield _role(found["after"], found["plain"], start, stop)
            else:
                # The default role, which marks parameters and other names.
                yield Piece("code", _plain(found["plain"]), "", "", start, stop)
        elif found["footnote"]:
            yield Piece("footnote", found["footnote"], "", "", start, stop)
        elif found["substitution"]:
            yield Piece("substitution", found["substitution"], "", "", start, stop)
        elif found["address"]:
            address = found["address"].rstrip(".,;:!?)")
            yield Piece("link", address, "bare", "", start, start + len(address))
        elif found["word"]:
            yield Piece("reference", "", "", found["word"], start, stop)
        elif found["placeholder"]:
            yield Piece("placeholder", found["placeholder"], "", "", start, stop)


def _plain(code: str) -> str:
    """Return code without the blanks that only keep it apart from its backticks."""
    return re.sub(r"\s+", " ", code).strip()


def _tag(html: str) -> str:
    """Return a tag without the attributes that hold words."""
    html = re.sub(r"\s(title|alt|aria-label|lang)=(\"[^\"]*\"|'[^']*')", "", html)
    return re.sub(r"\s*/?>\Z", ">", html)


def without_other_languages(text: str) -> str:
    """Return a text in Markdown without the passages that say which language they are in.

    Examples
    --------
    >>> without_other_languages("Sing [*Let it go*]{.language-en}!")
    'Sing !'
    """
    return re.sub(r"\[(?:\\.|[^\]\\])*\]\{[^{}]*\.language-[^{}]*\}", "", text)


# -- markup that takes no effect -----------------------------------------------------------------------


def idle_emphasis(text: str, *, markdown: bool) -> list[str]:
    """Return the stars of a text that a reader would see, each with what stands around it.

    In Markdown, ``**`` beside a punctuation mark begins or ends nothing when a letter, and each Chinese
    character is one, stands on its other side. In reST all markup needs a blank or a mark around it.

    Examples
    --------
    >>> idle_emphasis("**很好。**他说", markdown=True)
    ['好。**他']
    >>> idle_emphasis("**很好**。他说", markdown=True)
    []
    """
    if markdown:
        hidden = _MYST.sub(
            lambda found: (
                found[0] if found["bracket"] or found["link"] is not None else "x" * len(found[0])
            ),
            text,
        )
        return list(_idle_stars(hidden, text))
    return list(_idle_rest(text))


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "PS"


def _idle_stars(hidden: str, text: str) -> Iterator[str]:
    is_open: dict[int, bool] = {}
    for found in re.finditer(r"(?<!\\)\*{1,3}", hidden):
        before = hidden[found.start() - 1] if found.start() else " "
        after = hidden[found.end()] if found.end() < len(hidden) else " "
        if before.isspace() and after.isspace():
            continue  # a sign of its own, as in 2 * 3
        width = len(found[0])
        if not is_open.get(width):
            fits = not after.isspace() and (not _is_mark(after) or before.isspace() or _is_mark(before))
        else:
            fits = not before.isspace() and (not _is_mark(before) or after.isspace() or _is_mark(after))
        is_open[width] = not is_open.get(width)
        if not fits:
            yield text[max(0, found.start() - 2) : found.end() + 1]


def _idle_rest(text: str) -> Iterator[str]:
    for found in re.finditer(
        r"(?<!\\)(?<!\*)(\*\*?)(?![\s*])(?:[^*\\]|\\.)+?(?<!\s)\1(?!\*)|``[^`]+``|:[\w:+.-]+:`[^`]+`", text
    ):
        before = text[found.start() - 1] if found.start() else " "
        after = text[found.end()] if found.end() < len(text) else " "
        if before.isalnum() or (after.isalnum() or after == "_"):
            at = found.start() if before.isalnum() else found.end()
            yield text[max(0, at - 4) : at + 4]
