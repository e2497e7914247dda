"""Whatever a file holds, it is read or refused in a way that can be told; no reader stops in another way.

The files are whole ones that have been cut, joined and strewn with what means something to a reader. A
longer run: ``EDUKIT_FUZZ_EXAMPLES=20000 pytest tests/lyrics/test_fuzz.py``.
"""

import io
import os
import re
import unicodedata
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.lyrics import LyricsError, Song
from edukit.lyrics.files import FORMATS, read_bytes
from tests.lyrics.test_cases import FILES
from tests.lyrics.test_formats import TTML, paragraph, table, word

EXAMPLES = int(os.environ.get("EDUKIT_FUZZ_EXAMPLES", "60"))
FUZZ = settings(deadline=None, max_examples=EXAMPLES)

SRT = "1\n00:00:01,000 --> 00:00:02,500\n<i>The wind</i>\n风起了\n\n2\n00:00:03,5 --> 0:0:4\nsky\n"
VTT = "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.500\n<v A>The <00:01.500>wind &amp; sky\n风\n"
LQE = (
    "[Lyricify Quick Export]\n[ti:a]\n[lyrics: format@Lyricify Syllable, language@zh]\n[4]风(1,2)起(3,4)\n"
    "[translation: format@LRC]\n[00:00.00]wind\n[pronunciation: format@LRC]\n[00:00.00]fēng qǐ\n"
)
BODY = (
    '<p begin="1" end="2" i:key="L1"><span begin="1">风</span><span ttm:role="x-translation">wind</span>'
    '<span ttm:role="x-bg"><span begin="1.5">天</span></span></p>'
)
SEEDS = [path.read_text(encoding="utf-8") for path in FILES]
SEEDS += [SRT, VTT, LQE, TTML.format(lang="zh", head="<i:text for='L1'>x</i:text>", body=BODY)]
SIGNS = [
    *("[00:01.00]", "[00:01", "<00:02.50>", "[ti:", "[la:en]", "[offset:-99]", "[tr]", "【译】", "[副歌]"),
    *(" / ", "^", ";", "；", "• ", "•", "\n", "\n\n", "\r", "language: zh\n", "title:", "format: pairs\n"),
    *("-->", "00:00:09,000 --> 00:00:02,000", "WEBVTT\n", "(1,2)", "9" * 12),
    *("<tt>", "</p>", "<span begin='1'>", " end='0'", "&amp;", "&#0;", "&#x202e;", "]]>", "<!--"),
    *("\u202e", "\u3000", "\ufeff", "\x00", "\x1b[2J", "风", "fēng", "é", "\ud7ff", "\U0001f3b5"),
]


@st.composite
def texts(draw):
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 12))
        text = text[:at] + draw(st.sampled_from(SIGNS) | st.text(max_size=5)) + text[at + cut :]
    return text


ENCODINGS = st.sampled_from(["utf-8", "utf-8", "utf-8", "utf-16", "gb18030", "big5"])
CONTENTS = st.builds(lambda text, encoding: text.encode(encoding, "ignore"), texts(), ENCODINGS)


def check(content: bytes, format: str | None) -> None:
    try:
        song = read_bytes(Path("a-song.txt"), content, format=format)
    except LyricsError as error:
        refused = error
    else:
        check_song(song, content)
        return
    assert refused.code
    assert refused.message
    assert str(refused).startswith("a-song.txt")


def check_song(song: Song, content: bytes) -> None:
    has_rows = song.format != "docx" and song.encoding not in ("utf-16", "utf-32")
    rows = len(re.split(rb"\r\n|\n|\r", content)) if has_rows else 60_000
    for finding in song.findings:
        assert 1 <= finding.line <= rows
        assert finding.column >= 1
        assert finding.message_en
        assert finding.message_zh
    assert song.title
    assert song.lines or song.format in ("lrc", "lqe", "srt", "vtt")
    for line in song.lines:
        assert line.text
        assert line.start is None or line.start >= 0
        assert line.end is None or (line.start is not None and line.end >= line.start)
        for text in (song.title, line.text, line.translation, line.reading, line.section):
            assert text is None or not any(unicodedata.category(sign) == "Cc" for sign in text)
            assert text is None or not any(unicodedata.bidirectional(sign) in BIDI for sign in text)


BIDI = {"LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@FUZZ
@given(CONTENTS)
def test_any_file(content):
    check(content, None)


@pytest.mark.parametrize("format", FORMATS)
@settings(FUZZ, max_examples=max(1, EXAMPLES // 3))
@given(content=CONTENTS | st.binary(max_size=200))
def test_any_file_in_any_format(format, content):
    check(content, format)


@FUZZ
@given(st.data())
def test_any_document_of_word(data):
    whole = word(
        paragraph("wind;风\nsky", "Title") + table(["wind", "风"], ["a\nb", "c"]) + "<w:p><w:rt/></w:p>"
    )
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        xml = archive.read("word/document.xml").decode()
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(xml)))
        put = ["<w:p>", "</w:p>", "<w:br/>", "<w:tc/>", "<w:tr/>", "<w:tbl>", "&a;", "x;风", "<!DOCTYPE a>"]
        xml = xml[:at] + data.draw(st.sampled_from(put)) + xml[at + data.draw(st.integers(0, 9)) :]
    content = bytearray(word("", document=xml))
    if data.draw(st.booleans()):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    check(bytes(content), None)
