"""What a file of each format becomes; for text and LRC see also the cases in test_cases."""

import io
import zipfile

import pytest

from edukit.lyrics import Line, LyricsError, Word, load


@pytest.fixture
def song(tmp_path):
    """Write a lyric file of text or bytes and read it."""

    def read(content, name="a-song.txt", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load(path, **options)

    return read


def codes(song):
    return [(finding.code, finding.line) for finding in song.findings]


# -- recognising -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "format"),
    [
        ("[00:01]wind", "lrc"),
        ("[ti:Kite]\nwind", "lrc"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nwind", "vtt"),
        ("1\n00:00:01,000 --> 00:00:02,000\nwind", "srt"),
        ("<?xml version='1.0'?>\n<tt><body><p begin='1'>wind</p></body></tt>", "ttml"),
        ("[Lyricify Quick Export]\n[lyrics: format@LRC]\n[00:01]wind", "lqe"),
        ("wind;风", "pairs"),
        ("风 •\n起\n• qǐ", "bullets"),
        ("wind", "plain"),
        ("format: bullets\nwind", "bullets"),
        ("<html><body>wind</body></html>", "plain"),
    ],
)
def test_a_file_shows_its_format_whatever_its_name(song, content, format):
    for name in ("a.txt", "a.lrc", "a"):
        assert song(content, name).format == format


def test_a_format_can_be_given(song):
    assert song("the wind; the sky", format="pairs").lines == (Line("the wind", "the sky"),)
    assert song("wind;风", format="plain").lines == (Line("wind;风"),)
    assert song("wind;风", format="txt").format == "pairs"
    assert song("[ti:x]\nwind;风", format="text").lines[0].text == "[ti:x]"


# -- encodings -------------------------------------------------------------------------------------------

CHINESE = "小船摇啊摇;the boat rocks\n月亮弯弯照;the moon is bright\n"


@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
        ("gbk", "gb18030"),
        ("gb18030", "gb18030"),
    ],
)
def test_the_encoding_is_recognised_and_reported(song, encoding, named):
    read = song(CHINESE.encode(encoding))
    assert [line.text for line in read.lines] == ["小船摇啊摇", "月亮弯弯照"]
    assert read.encoding == named
    assert codes(read) == ([("encoding", 1)] if named == "gb18030" else [])


@pytest.mark.parametrize(
    "row", ["encoding: {}\n", "编码：{}\n", "[encoding:{}]\n", "title: a\nencoding : {}\r\n"]
)
def test_a_file_says_its_encoding(song, row):
    # The key has to be readable before the encoding is known.
    head = row.replace("编码", "編碼").format("big5").encode("big5")
    read = song(head + "看著月亮搖啊搖;the moon\n".encode("big5"))
    assert (read.encoding, read.findings) == ("big5", ())
    assert read.lines[-1].text.startswith("看著月亮搖啊搖")


def test_the_word_encoding_in_a_line_says_nothing(song):
    assert song("we sing: encoding: big5 is old;我们唱\n").lines[0].translation == "我们唱"


@pytest.mark.parametrize(
    "name", ["idna", "punycode", "unicode_escape", "raw-unicode-escape", "utf_7", "rot13"]
)
def test_what_is_no_encoding_of_files_is_refused(song, name):
    with pytest.raises(LyricsError) as raised:
        song(b"wind\\ud800", encoding=name)
    assert raised.value.code == "encoding"


def test_half_a_character_is_refused(song):
    with pytest.raises(LyricsError) as raised:
        song("风\nwind".encode("utf-16-le") + b"\x00\xd8", encoding="utf-16-le")
    assert raised.value.code == "encoding"


# -- text ------------------------------------------------------------------------------------------------


def test_a_header_ends_at_the_first_empty_row(song):
    read = song("title: Kite\n\ntitle: is what we sing;我们唱\n")
    assert (read.title, read.lines) == ("Kite", (Line("title: is what we sing", "我们唱"),))


def test_an_unknown_language_is_told(song):
    assert codes(song("language: Klingon\n\nwind;风\n")) == [("language", 1)]


def test_the_language_decides_which_bullets_are_lines(song):
    rows = "• wind\n• 风\n• sky\n• 天\n"
    assert song(f"{rows}• la\n").lines == (Line("wind", "风"), Line("sky", "天"), Line("la"))
    assert song(f"language: zh\n\n• la\n{rows[7:]}").lines == (Line("la"), Line("风", "sky"), Line("天"))


def test_a_line_of_bullets_without_pinyin(song):
    read = song("• 风起了\n• feng qi le\n• 天空宽\n• 云走了\n• yun zou le\n• 山\n• shan\n")
    assert [(line.text, line.reading) for line in read.lines] == [
        ("风起了", "feng qi le"),
        ("天空宽", None),
        ("云走了", "yun zou le"),
        ("山", "shan"),
    ]


def test_a_reading_that_does_not_fit_is_found_below_its_bullet(song):
    read = song("• 风起了\n• feng qi\n• 天空宽\n• tian kong kuan\n")
    assert [(f.code, f.line) for f in read.findings] == [("reading-count", 2)]


def test_dashes_are_bullets_only_throughout(song):
    assert song("- 风\n- fēng\n- 天\n- tiān\n").lines == (
        Line("风", None, "fēng"),
        Line("天", None, "tiān"),
    )
    assert song("- 风\n云\n天\n山\n").lines[0].text == "- 风"


def test_an_english_song_with_ipa_and_chinese_in_turn(song):
    read = song("• wind\n• /wɪnd/\n• 风\n• sky\n• /skaɪ/\n• 天\n")
    assert read.lines == (Line("wind", "风", "/wɪnd/"), Line("sky", "天", "/skaɪ/"))


def test_rows_in_turn_between_markup(song):
    read = song("<b>wind</b>;<script>风</script>\n")
    assert read.lines == (Line("<b>wind</b>", "<script>风</script>"),)


# -- subtitles -------------------------------------------------------------------------------------------


def test_srt(song):
    read = song(
        "\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>The wind</i> is <script>up\r\n风起了\r\n\r\n"
        "2\r\n00:01:00,5 --> 0:01:02\r\n{\\an8}The sky is wide\r\n天空宽\r\n"
    )
    assert read.lines == (
        Line("The wind is <script>up", "风起了", None, 1000, 2500),
        Line("The sky is wide", "天空宽", None, 60_500, 62_000),
    )
    assert (read.title, read.language, read.format) == ("a-song", "en", "srt")


@pytest.mark.parametrize(
    ("time", "milliseconds"),
    [("0:0:3,5", 3500), ("00:00:03.050", 3050), ("00:03,005", 3005), ("1:00:00,000", 3_600_000)],
)
def test_times_of_subtitles(song, time, milliseconds):
    assert song(f"1\n{time} --> 9:00:00,000\nwind").lines[0].start == milliseconds


def test_subtitles_that_are_not_whole(song):
    read = song(
        "1\n00:00:05,000 --> 00:00:04,000\nwind\n2\n00:00:01,000 --> 00:00:02,000\nsky\n\n"
        "3\n00:00:03 --> \nkite\n\nstray\n"
    )
    assert [(line.text, line.start, line.end) for line in read.lines] == [
        ("sky", 1000, 2000),
        ("wind", 5000, 5000),
    ]
    assert codes(read) == [("stamp", 2), ("stamp-order", 6), ("stamp", 9), ("no-stamp", 12)]


def test_two_cues_with_the_same_times_are_one_line(song):
    cue = "00:00:01,000 --> 00:00:02,000\n"
    assert song(f"1\n{cue}wind\n\n2\n{cue}风\n").lines == (Line("wind", "风", None, 1000, 2000),)


def test_webvtt(song):
    read = song(
        "WEBVTT - a song\n\nNOTE not\nsung\n\nSTYLE\n::cue { color: red }\n\nname\n"
        "00:01.000 --> 00:02.500 align:start\n"
        "<v Ann>The <00:01.500><c.loud>wind &amp; sky</c>\n&lrm;<ruby>风<rt>fēng</rt></ruby>与天\n"
    )
    words = (Word("The", 1000, 1500), Word("wind & sky", 1500, 2500))
    assert read.lines == (Line("The wind & sky", "风与天", None, 1000, 2500, words),)
    assert ("control-character", 12) in codes(read)


def test_subtitles_without_a_cue_are_refused(song):
    with pytest.raises(LyricsError) as raised:
        song("WEBVTT\n\nwind\n")
    assert (raised.value.code, raised.value.line) == ("format", 1)


# -- TTML ------------------------------------------------------------------------------------------------

TTML = """<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"
 xmlns:i="http://music.apple.com/lyric-ttml-internal" xmlns:a="http://www.example.com/ns/amll"
 xml:lang="{lang}">
<head><metadata>{head}</metadata></head><body><div i:songPart="Verse">{body}</div></body></tt>"""


def test_ttml_with_roles_and_words(song):
    head = '<a:meta key="musicName" value="风"/><a:meta key="artists" value="Class Two"/>'
    body = (
        '<p begin="1.5" end="00:03.000">\n  <span begin="1.5" end="2">风</span>\n  '
        '<span begin="2" end="2.5">起</span>'
        '<span ttm:role="x-translation" xml:lang="ja">x</span>'
        '<span ttm:role="x-translation" xml:lang="en-US">The wind is up</span>'
        '<span ttm:role="x-roman">fēng qǐ</span>'
        '<span ttm:role="x-bg"><span begin="2.5" end="3">(天)</span></span></p>'
    )
    read = song(TTML.format(lang="zh-Hans", head=head, body=body))
    words = (Word("风", 1500, 2000), Word("起", 2000, 2500))
    assert read.lines == (
        Line("风起", "The wind is up", "fēng qǐ", 1500, 3000, words, "Verse"),
        Line("(天)", None, None, 2500, 3000, (Word("(天)", 2500, 3000),), "Verse"),
    )
    assert (read.title, read.people, read.language) == ("风", (("artist", "Class Two"),), "zh_CN")
    assert codes(read) == [("not-used", 6)]


def test_ttml_with_translations_in_the_head(song):
    head = (
        "<i:iTunesMetadata><i:songwriters><i:songwriter>A B</i:songwriter></i:songwriters>"
        '<i:translations><i:translation xml:lang="zh-Hans"><i:text for="L1">风起了</i:text></i:translation>'
        "</i:translations></i:iTunesMetadata>"
    )
    body = (
        '<p begin="1s" dur="500ms" i:key="L1"><span begin="1">The</span>\n<span begin="1.2">wind</span></p>'
    )
    read = song(TTML.format(lang="en", head=head, body=body))
    words = (Word("The", 1000), Word("wind", 1200))
    assert read.lines == (Line("The wind", "风起了", None, 1000, 1500, words, "Verse"),)
    assert read.people == (("author", "A B"),)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("<p begin='1'>wind", "xml"),
        ("<p begin='1'>&wind;</p>", "xml"),
        ("<p begin='1'> </p>", "empty"),
        ("<div>" * 101 + "</div>" * 101, "xml"),
    ],
)
def test_ttml_that_is_refused(song, body, code):
    with pytest.raises(LyricsError) as raised:
        song(TTML.format(lang="en", head="", body=body))
    assert (raised.value.code, raised.value.line is not None) == (code, True)


@pytest.mark.parametrize(
    "declaration",
    [
        "<!DOCTYPE tt>",
        '<!DOCTYPE tt SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE tt [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE tt [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE tt [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>',
    ],
)
def test_a_document_type_is_refused(song, declaration):
    content = declaration + TTML.format(lang="en", head="", body="<p begin='1'>wind</p>")
    with pytest.raises(LyricsError, match="document type or entities") as raised:
        song(content, format="ttml")
    assert raised.value.line == 1


def test_lines_of_ttml_are_sung_in_the_order_of_their_times(song):
    body = "<p begin='2' end='1'>sky</p><p begin='0:01' end='2'>wind</p><p begin='1h'>a</p>"
    read = song(TTML.format(lang="en", head="", body=body))
    assert [(line.text, line.start, line.end) for line in read.lines] == [
        ("wind", 1000, 2000),
        ("sky", 2000, None),
        ("a", 3_600_000, None),
    ]


def test_ttml_without_a_time_keeps_its_line(song):
    read = song(TTML.format(lang="en", head="", body="<p begin='soon'>wind</p>"))
    assert read.lines == (Line("wind", section="Verse"),)
    assert codes(read) == [("no-stamp", 4)]


# -- quick exports ---------------------------------------------------------------------------------------


def test_a_quick_export(song):
    read = song(
        "[Lyricify Quick Export]\n[version:1.0]\n[ti:风]\n[offset:100]\n\n"
        "[lyrics: format@Lyricify Syllable, language@zh-Hans]\n"
        "[4]风(1100,400)起(1500,500)\n天(3100,100)\n\n"
        "[translation: format@LRC, language@en]\n[00:01.120]The wind is up\n[00:09.00]nothing\n\n"
        "[pronunciation: format@LRC]\n[00:01.100]fēng qǐ\n"
    )
    assert read.lines == (
        Line(
            "风起",
            "The wind is up",
            "fēng qǐ",
            1000,
            1900,
            (Word("风", 1000, 1400), Word("起", 1400, 1900)),
        ),
        Line("天", None, None, 3000, 3100, (Word("天", 3000, 3100),)),
    )
    assert (read.title, read.language) == ("风", "zh_CN")
    assert codes(read) == [("not-used", 12)]


def test_a_quick_export_of_lrc(song):
    read = song(
        "[Lyricify Quick Export]\n[lyrics: format@LRC, language@en]\n[00:01.00]wind\n[00:02.00]sky\n"
        "[translation: format@LRC, language@zh]\n[00:01.00]风\n[00:02.00]天\n"
    )
    assert read.lines == (Line("wind", "风", None, 1000, 2000), Line("sky", "天", None, 2000))
    with pytest.raises(LyricsError, match="no section"):
        song("[Lyricify Quick Export]\n[ti:x]\n")


# -- Word ------------------------------------------------------------------------------------------------


def word(body, *, styles="", document="", **files):
    """Return the bytes of a Word document."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    parts = {"document": document or f"<w:document {space}><w:body>{body}</w:body></w:document>"}
    if styles:
        parts["styles"] = f"<w:styles {space}>{styles}</w:styles>"
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**parts, **files}.items():
            archive.writestr(f"word/{name}.xml", content)
    return held.getvalue()


def paragraph(text, style=""):
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    runs = "<w:br/>".join(f"<w:t>{part}</w:t>" for part in text.split("\n"))
    return f"<w:p>{properties}<w:r>{runs}</w:r></w:p>"


def table(*rows):
    made = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in made)}</w:tbl>"


def test_word_with_soft_breaks_and_a_title(song):
    styles = '<w:style w:styleId="a3"><w:name w:val="Title"/></w:style>'
    body = (
        paragraph("Kite", "a3")
        + paragraph("The wind is up;风起了\nThe sky is wide；天空宽")
        + paragraph("")
    )
    read = song(word(body, styles=styles), "a.docx")
    assert (read.title, read.format, read.encoding) == ("Kite", "docx", "")
    assert read.lines == (Line("The wind is up", "风起了"), Line("The sky is wide", "天空宽"))


def test_a_row_of_word_with_two_separators_is_told_with_its_number(song):
    read = song(word(paragraph("wind;风\nsky;天;空")))
    assert codes(read) == [("separators", 2)]
    assert read.lines[1] == Line("sky;天;空")


def test_tables_of_word(song):
    body = table(["English", "中文"], ["The wind is up", "风起了"], ["wind\nsky", "风\n天"], ["kite", ""])
    read = song(word(body))
    assert read.lines == (
        Line("The wind is up", "风起了"),
        Line("wind", "风"),
        Line("sky", "天"),
        Line("kite"),
    )
    three = song(word(table(["风起了", "fēng qǐ le", "The wind is up"], ["天", "tiān", "sky"])))
    assert three.lines[0] == Line("风起了", "The wind is up", "fēng qǐ le")


def test_a_span_of_columns_costs_nothing(song):
    span = '<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>' + paragraph("wind") + "</w:tc>"
    read = song(word(f"<w:tbl><w:tr>{span}<w:tc>{paragraph('风')}</w:tc></w:tr></w:tbl>"))
    assert read.lines == (Line("wind", "风"),)


def test_tracked_changes_controls_and_pinyin_of_word(song):
    body = (
        "<w:p><w:r><w:t>wi</w:t></w:r><w:ins><w:r><w:t>nd;</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>x</w:delText></w:r></w:del><w:r><w:tab/><w:t>风</w:t></w:r></w:p>"
        f"<w:sdt><w:sdtContent>{paragraph('sky;天')}</w:sdtContent></w:sdt>"
    )
    assert song(word(body)).lines == (Line("wind", "风"), Line("sky", "天"))
    ruby = "".join(
        f"<w:ruby><w:rt><w:r><w:t>{reading}</w:t></w:r></w:rt>"
        f"<w:rubyBase><w:r><w:t>{base}</w:t></w:r></w:rubyBase></w:ruby>"
        for base, reading in [("风", "fēng"), ("起", "qǐ")]
    )
    assert song(word(f"<w:p><w:r>{ruby}</w:r></w:p>")).lines == (Line("风起", None, "fēng qǐ"),)


EVIL = '<!DOCTYPE w [<!ENTITY a SYSTEM "file:///etc/passwd">]><w><p><r><t>&a;</t></r></p></w>'


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (word("", document=EVIL), "xml"),
        (word("", document=EVIL.encode("utf-16")), "xml"),
        (word(paragraph("wind;风"), styles="").replace(b"document.xml", b"documant.xml"), "format"),
        (word("", document=b"0" * 3_000_001), "too-large"),
        (word("", document="<?xml version='1.0' encoding='no-such'?><w/>"), "xml"),
        (word(paragraph(" ")), "empty"),
        (word(paragraph("a" * 1001)), "line-too-long"),
        (word("<w:p/>" * 60_001), "too-many-lines"),
        (word("<w:x/>" * 200_001), "xml"),
        (word(paragraph("wind"))[:-30], "damaged"),
        (b"PK\x03\x04", "damaged"),
        (b"PK\x03\x04" + b"\0" * 1000, "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "binary"),
        (b"{\\rtf1 wind}", "binary"),
        (b"%PDF-1.7\nwind", "binary"),
    ],
)
def test_documents_that_are_refused(song, content, code):
    with pytest.raises(LyricsError) as raised:
        song(content, "a.docx")
    assert raised.value.code == code


def test_a_zip_that_says_less_than_it_holds_is_not_unpacked_further(song):
    content = bytearray(word("", document=b"0" * 50_000_000))
    # The size of the file, unpacked, stands in its own header and in the directory at the end.
    for signature, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = content.index(signature) + at
        content[place : place + 4] = (1000).to_bytes(4, "little")
    with pytest.raises(LyricsError) as raised:
        song(bytes(content), "a.docx")
    assert raised.value.code in ("damaged", "xml")


def test_external_parts_of_a_document_are_never_looked_at(song):
    files = {"settings": EVIL, "_rels/document.xml": EVIL}
    assert song(word(paragraph("wind;风"), **files)).lines == (Line("wind", "风"),)
