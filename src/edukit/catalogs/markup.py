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
        The name of a role; ``default`` for code in the default role; of a link that shows its address,
        ``auto`` in angle brackets and ``bare`` without; else empty.
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
# A reference in reST asks for a blank before its address, a role does not.
_TITLED_REFERENCE = re.compile(r"(.*?)\s(?<!\\)<([^<>]+)>\s*\Z", re.DOTALL)

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
    if piece.kind in {"placeholder", "substitution", "footnote"}:
        return UNKNOWN
    if piece.kind in {"code", "math"}:
        return WORD
    if piece.kind == "role":
        if not piece.text and piece.name.rpartition(":")[2] in _VERBATIM - {"eq", "cite"}:
            return WORD
        return piece.text or UNKNOWN
    if piece.kind == "link":
        return piece.text or (WORD if piece.name else NOTHING)
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


def _titled(body: str, titled: re.Pattern[str] = _TITLED) -> tuple[str, str]:
    """Return title and target of a role or a reference that gives both; else an empty title."""
    found = titled.match(body)
    return (found[1].strip(), found[2]) if found and found[1].strip() else ("", body)


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
            yield Piece("link", found["auto"], "auto", "", start, stop)
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
            title, target = _titled(found["named"], _TITLED_REFERENCE)
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
                yield Piece("code", _plain(found["plain"]), "default", "", start, stop)
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
    character is one, stands on its other side. What has no partner is shown as well. In reST all markup
    needs a blank or a mark around it.

    Examples
    --------
    >>> idle_emphasis("**很好。**他说", markdown=True)
    ['**很', '好。**他']
    >>> idle_emphasis("**很好**。他说", markdown=True)
    []
    """
    if markdown:
        hidden = _MYST.sub(_hidden, text)
        return list(_idle_stars(hidden, text))
    return list(_idle_rest(text))


def _hidden(found: re.Match[str]) -> str:
    """Return a piece with its content put out of sight; what stands around a star decides on it."""
    if found["bracket"]:
        return found[0]
    if found["link"] is not None:
        return f"]({'x' * (len(found[0]) - 3)})"
    return "x" * len(found[0])


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "PS"


@dataclass(slots=True)
class _Run:
    """Stars in a row, and how many of them are still without a partner."""

    start: int
    length: int
    opens: bool
    closes: bool
    left: int

    def pairs_with(self, closer: "_Run") -> bool:
        # CommonMark's rule of three: *a**b* is one emphasis, not two.
        both = (self.opens and self.closes) or (closer.opens and closer.closes)
        odd = (self.length + closer.length) % 3 or not (self.length % 3 or closer.length % 3)
        return self.opens and self.left > 0 and (not both or bool(odd))


def _idle_stars(hidden: str, text: str) -> Iterator[str]:
    runs: list[_Run] = []
    for found in re.finditer(r"\*+", hidden):
        before = hidden[found.start() - 1] if found.start() else " "
        after = hidden[found.end()] if found.end() < len(hidden) else " "
        if (before.isspace() and after.isspace()) or (before.isdigit() and after.isdigit()):
            continue  # a sign of its own, as in 2 * 3
        opens = not after.isspace() and (not _is_mark(after) or before.isspace() or _is_mark(before))
        closes = not before.isspace() and (not _is_mark(before) or after.isspace() or _is_mark(after))
        runs.append(_Run(found.start(), len(found[0]), opens, closes, len(found[0])))
    waiting: list[_Run] = []
    for run in runs:
        while run.closes and run.left:
            at = next((n for n in reversed(range(len(waiting))) if waiting[n].pairs_with(run)), None)
            if at is None:
                break
            used = 2 if min(run.left, waiting[at].left) >= 2 else 1
            run.left -= used
            waiting[at].left -= used
            del waiting[at + 1 :]
        waiting.append(run)
    for run in runs:
        if run.left:
            yield text[max(0, run.start - 2) : run.start + run.length + 1]
    for found in re.finditer("＊+", hidden):
        yield text[max(0, found.start() - 2) : found.end() + 1]


_REST_MARKUP = re.compile(
    r"""
      \\.
    | (?P<whole>
          ``.+?``(?!`)
        | (?::[A-Za-z][\w:+.-]*:)?`(?:\\.|[^`\\])+`(?:__?|:[A-Za-z][\w:+.-]*:)?
        | (?P<stars>\*\*?)(?![\s*])(?:[^*\\]|\\.)+?(?<!\s)(?P=stars)(?!\*)
        | \|[^\s|](?:[^|\n]*[^\s|])?\|_{0,2}
        | \[(?:\#[\w.-]*|\*|\d+|[A-Za-z][\w.:-]*)\]_
      )
    | (?P<alone>\*\*?|``?)
    """,
    re.VERBOSE | re.DOTALL,
)


def _idle_rest(text: str) -> Iterator[str]:
    for found in _REST_MARKUP.finditer(text):
        start, stop = found.span()
        before = text[start - 1] if start else " "
        after = text[stop] if stop < len(text) else " "
        if found["whole"]:
            if not _may_precede(before) or not _may_follow(after):
                at = stop if _may_precede(before) else start
                yield text[max(0, at - 4) : at + 4]
        elif found["alone"] and _may_precede(before) and not after.isspace():
            # In (*) or "*" it is a sign of its own.
            is_sign = _is_mark(before) and _may_follow(after)
            if not is_sign:
                yield text[max(0, start - 2) : stop + 4]
    for found in re.finditer("＊+", text):
        yield text[max(0, found.start() - 2) : found.end() + 1]


def _may_precede(sign: str) -> bool:
    """Tell whether docutils lets markup begin after a sign."""
    if sign.isascii():
        return sign.isspace() or sign in "'\"([{<-/:"
    return sign.isspace() or unicodedata.category(sign) in {"Ps", "Pi", "Pf", "Pd", "Po"}


def _may_follow(sign: str) -> bool:
    """Tell whether docutils lets markup end before a sign."""
    if sign.isascii():
        return sign.isspace() or sign in "'\")]}>-/\\:.,;!?"
    return sign.isspace() or unicodedata.category(sign) in {"Pe", "Pi", "Pf", "Pd", "Po"}
