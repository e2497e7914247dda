"""STIX Two Math, cut down to the characters that the formulas of a site show.

The font comes with the Python package ziamath, which is used for nothing else and is not imported.
"""

import functools
import hashlib
import html
import importlib.util
import io
import logging
import re
import string
import unicodedata
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from unicodedata import east_asian_width

from fontTools import subset
from fontTools.ttLib import TTFont

# In every font, so that it seldom has to change: letters of words, digits, what stretches, accents.
BASE = (
    string.ascii_letters + string.digits + string.punctuation + "\N{NO-BREAK SPACE} "
    "−‖√∑∏∫∈ˆ˜¯˙¨⏞⏟…⋯′″‴\u0302\u0303\u0332\u20d7"
)

_NOTE = re.compile(r"<annotation\b.*?</annotation>", re.DOTALL)
_LEAF = re.compile(r"<(mi|mn|mo|ms|mtext)\b([^>]*)>([^<]*)</\1>")


@functools.cache
def _italics() -> dict[str, str]:
    """Return the slanted letter that a browser shows for a single letter in ``<mi>``."""
    slanted = [*range(0x1D434, 0x1D468), 0x1D6A4, 0x1D6A5, *range(0x1D6E2, 0x1D71C)]
    found = {}
    for code in slanted:
        kind, _, plain = unicodedata.decomposition(chr(code)).partition(" ")
        if kind == "<font>":
            found[chr(int(plain, 16))] = chr(code)
    return found | {"h": "ℎ"}  # Planck's constant had its place before the others


def characters(mathml: str) -> set[str]:
    """Return the characters of the math font that a ``<math>`` element shows.

    Of words only the letters of alphabets count; all else is set in the font of the page.

    Examples
    --------
    >>> sorted(characters("<math><mi>x</mi><mo>&lt;</mo><mi>sin</mi><mtext>位é</mtext></math>"))
    ['<', 'i', 'n', 's', 'é', '𝑥']
    """
    shown: set[str] = set()
    for element, attributes, text in _LEAF.findall(_NOTE.sub("", mathml)):
        text = html.unescape(text)
        if element == "mi" and "mathvariant" not in attributes:
            text = _italics().get(text.strip(), text)
        if element == "mtext":
            text = "".join(one for one in text if one.isalpha() and east_asian_width(one) not in "WF")
        shown.update(text)
    return shown


@functools.cache
def _source() -> Path:
    found = importlib.util.find_spec("ziamath")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"


@functools.cache
def _tools() -> str:
    """Return what decides over the bytes of a cut besides its characters."""
    font = hashlib.sha256(_source().read_bytes()).hexdigest()
    code = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return " ".join([font, code, version("fonttools"), version("brotli")])


def name_version(characters: Iterable[str]) -> str:
    """Return a short name for the font with these characters; equal names mean equal bytes."""
    wanted = "".join(sorted({*characters, *BASE}))
    return hashlib.sha256(f"{wanted} {_tools()}".encode()).hexdigest()[:8]


def cut(characters: Iterable[str]) -> bytes:
    """Return the font with these characters and all that belongs to them, as WOFF2."""
    options = subset.Options()
    options.flavor = "woff2"
    # Dotless letters under accents, flat accents over capitals. Not the letters drawn for small sizes
    # ("ssty"): Chromium does not take them, and they are two fifths of the font.
    options.layout_features = ["dtls", "flac", "ccmp"]
    # Screens that would need hints are no longer made; they are a third of the font.
    options.hinting = False
    # With the notices: whose it is and under which licence.
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    font = TTFont(_source(), recalcTimestamp=False)
    log = logging.getLogger("fontTools")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        _lower_primes(font)
        _widen_tildes(font)
        _place_as_tex_does(font)
        _let_lines_have_every_length(font)
        _mend_arrows(font)
        _narrow_tall_radicals(font)
        _fit_to_pixels(font)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=[ord(one) for one in {*characters, *BASE}])
        cutter.subset(font)
        _give_accents_a_width(font)
        font.flavor = "woff2"
        file = io.BytesIO()
        font.save(file)
    finally:
        log.setLevel(level)
    return file.getvalue()


def _lower_primes(font: TTFont) -> None:
    """Draw primes as an exponent is drawn.

    The font has two of each: one that hangs high, for feet and minutes, and a large one for exponents
    ("ssty"). Browsers raise what they find under the character, and not all know of the second.
    """
    table = font["GSUB"].table
    numbers = {
        number
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "ssty"
        for number in record.Feature.LookupListIndex
    }
    instead: dict[str, str] = {}
    for number in sorted(numbers):
        for sub in table.LookupList.Lookup[number].SubTable:
            sub = getattr(sub, "ExtSubTable", sub)
            instead |= {old: new[0] for old, new in getattr(sub, "alternates", {}).items()}
    for cmap in font["cmap"].tables:
        for prime in map(ord, "′″‴⁗"):
            if old := cmap.cmap.get(prime):
                cmap.cmap[prime] = instead.get(old, old)


def _widen_tildes(font: TTFont) -> None:
    """Draw "~" as the tilde that grows: browsers let this one grow over letters, and not U+0303."""
    for cmap in font["cmap"].tables:
        if 0x303 in cmap.cmap:
            cmap.cmap[ord("~")] = cmap.cmap[0x303]


def _place_as_tex_does(font: TTFont) -> None:
    """Let all exponents of a line stand at one height, and words on an arrow stand close to it.

    The first two numbers are for tall boxes, such as fractions in brackets. TeX does not apply them to
    single letters; browsers do, so that the exponents of x and of ) would stand at different heights, and
    the indices of k and of q. These are the values of TeX's own fonts, which no letter reaches.
    """
    constants = font["MATH"].table.MathConstants
    constants.SuperscriptBaselineDropMax.Value = 400
    constants.SubscriptBaselineDropMin.Value = 50
    constants.StretchStackTopShiftUp.Value = 480
    constants.StretchStackBottomShiftDown.Value = 500


def _mend_arrows(font: TTFont) -> None:
    """Let arrows to the right grow with what stands on them.

    Their last part says that it can be joined on where its tip is and nowhere else, and so browsers do
    not join it on at all.
    """
    for arrow in font["MATH"].table.MathVariants.HorizGlyphConstruction:
        if not arrow.GlyphAssembly:
            continue
        tip = arrow.GlyphAssembly.PartRecords[-1]
        if tip.StartConnectorLength == 0 < tip.EndConnectorLength:
            tip.StartConnectorLength, tip.EndConnectorLength = tip.EndConnectorLength, 0


def _let_lines_have_every_length(font: TTFont) -> None:
    r"""Leave the line of ``\overline`` and ``\underline`` only its pieces, which overlap as needed.

    Of the lines of five lengths beside them browsers take the next longer one.
    """
    variants = font["MATH"].table.MathVariants
    name = font.getBestCmap()[0x332]
    lines = variants.HorizGlyphConstruction[variants.HorizGlyphCoverage.glyphs.index(name)]
    lines.MathGlyphVariantRecord = lines.MathGlyphVariantRecord[:1]
    lines.VariantCount = 1


def _narrow_tall_radicals(font: TTFont) -> None:
    """Make radical signs of every height about as wide as the one for a line of text.

    Chromium keeps the room of the widest one free; behind a small root the rest of it would be a gap.
    """
    variants = font["MATH"].table.MathVariants
    name = font.getBestCmap()[ord("√")]
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(name)]
    names = {record.VariantGlyph for record in signs.MathGlyphVariantRecord}
    names |= {part.glyph for part in signs.GlyphAssembly.PartRecords}
    limit = 1.08 * font["hmtx"][name][0]
    for tall in names:
        width = font["hmtx"][tall][0]
        glyph = font["glyf"][tall]
        if width <= limit or glyph.isComposite():
            continue
        glyph.coordinates.scale((limit / width, 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][tall] = (round(limit), glyph.xMin)


def _fit_to_pixels(font: TTFont) -> None:
    """Make up for positions that browsers round at the size of the text.

    A rule of a fraction or a root that is a little thicker than a pixel has two wherever it happens to
    lie across the grid. A dot that is set a pixel too low touches its letter.
    """
    constants = font["MATH"].table.MathConstants
    for name in ["FractionRuleThickness", "RadicalRuleThickness", "OverbarRuleThickness"]:
        getattr(constants, name).Value = 56
    constants.AccentBaseHeight.Value = 450


def _give_accents_a_width(font: TTFont) -> None:
    """Move combining accents to where other glyphs are.

    They are drawn to the left of where they stand and have no width, to hang over the letter before
    them. In a formula an accent is an element of its own, which browsers put over the middle of the
    letter by its width.
    """
    attachments = font["MATH"].table.MathGlyphInfo.MathTopAccentAttachment
    for code, name in font.getBestCmap().items():
        width, left = font["hmtx"][name]
        glyph = font["glyf"][name]
        if not unicodedata.combining(chr(code)) or width or left >= 0 or glyph.isComposite():
            continue
        glyph.coordinates.translate((-left, 0))
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (glyph.xMax, 0)
        if attachments and name in attachments.TopAccentCoverage.glyphs:
            index = attachments.TopAccentCoverage.glyphs.index(name)
            attachments.TopAccentAttachment[index].Value -= left


@functools.cache
def notice() -> str:
    """Return what has to lie beside the font: whose it is, what was done to it, and the licence."""
    names = TTFont(_source(), lazy=True)["name"]
    copyright, trademark, terms = (str(names.getDebugName(number)) for number in (0, 7, 13))
    change = (
        "This copy has been changed: it holds only the characters that the pages beside it use, and "
        "accents that combine with a letter have been given a width."
    )
    licence = Path(__file__).with_name("OFL.txt").read_text(encoding="utf-8")
    return "\n\n".join([f"STIX Two Math\n{copyright}", trademark, change, terms, licence])
