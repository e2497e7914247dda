from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edukit.lyrics import Line, LyricsError, Word, load


@pytest.fixture
def song(tmp_path):
    """Write a lyric file of text or bytes and read it."""

    def read(content, **options):
        path = tmp_path / "a-song.lrc"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load(path, **options)

    return read


def codes(song):
    return [finding.code for finding in song.findings]


def times(song):
    return [(line.start, line.end) for line in song.lines]


ORIGINAL, READING, TRANSLATION = "小草绿了", "Xiǎocǎo lǜ le", "The grass is green"


@pytest.mark.parametrize(
    "order",
    [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)],
)
def test_three_texts_with_one_stamp_in_any_order(song, order):
    texts = (ORIGINAL, READING, TRANSLATION)
    read = song("[la:zh]\n" + "".join(f"[00:01.00]{texts[at]}\n" for at in order))
    assert read.lines == (Line(ORIGINAL, TRANSLATION, READING, 1000, None),)
    assert read.findings == ()


def test_an_english_song_with_chinese(song):
    read = song(f"[la:en]\n[00:01]{ORIGINAL}\n[00:01]{TRANSLATION}\n[00:01]/ðə ɡræs ɪz ɡriːn/\n")
    assert read.language == "en"
    assert read.lines == (Line(TRANSLATION, ORIGINAL, "/ðə ɡræs ɪz ɡriːn/", 1000, None),)
    assert read.findings == ()


def test_the_language_is_found_but_said_to_be(song):
    read = song(f"[00:01]{TRANSLATION}\n[00:01]{ORIGINAL}\n")
    assert read.language == "en"
    assert codes(read) == ["language"]
    assert song(f"[00:01]{TRANSLATION}\n[00:01]{ORIGINAL}\n[00:01]{READING}\n").language == "zh_CN"
    assert codes(song(f"[00:01]{ORIGINAL}\n")) == []


def test_tags(song):
    read = song(
        "[ti:草 / Grass]\n[ar:one]\n[au:two]\n[by:three]\n[al:a book]\n[la:zh-Hant]\n"
        "[rights:own, CC BY 4.0]\n[length:01:00]\n[00:01]草\n"
    )
    assert read.title == "草 / Grass"
    assert read.people == (("artist", "one"), ("author", "two"), ("file", "three"))
    assert (read.source, read.rights) == ("a book", "own, CC BY 4.0")
    assert read.language == "zh_TW"
    assert read.findings == ()


def test_without_a_title_the_file_gives_it(song):
    assert song("[00:01]草").title == "a-song"


@pytest.mark.parametrize(
    ("stamp", "milliseconds"),
    [
        ("[01:02]", 62000),
        ("[01:02.5]", 62500),
        ("[01:02.50]", 62500),
        ("[01:02.05]", 62050),
        ("[01:02.005]", 62005),
        ("[00:01:50]", 1500),
        ("［01：02．50］", 62500),
        ("  [ 1:02.50 ]", 62500),
    ],
)
def test_every_form_of_stamp(song, stamp, milliseconds):
    assert song(f"{stamp} 草").lines[0].start == milliseconds


def test_a_positive_offset_is_earlier(song):
    assert times(song("[offset:+500]\n[00:01]草\n[00:02]花\n")) == [(500, 1500), (1500, None)]
    assert times(song("[offset:-500]\n[00:01]草\n")) == [(1500, None)]
    assert times(song("[offset:5000]\n[00:01]草\n")) == [(0, None)]
    assert codes(song("[offset:soon]\n[00:01]草\n")) == ["offset"]


def test_a_line_is_repeated_at_each_of_its_stamps(song):
    read = song("[00:01][00:05]草\n[00:01][00:05]cǎo\n[00:03]花\n[00:07]\n")
    assert [line.text for line in read.lines] == ["草", "花", "草"]
    assert [line.reading for line in read.lines] == ["cǎo", None, "cǎo"]
    assert times(read) == [(1000, 3000), (3000, 5000), (5000, 7000)]


def test_the_byte_order_mark_costs_no_line(song):
    for content in (b"\xef\xbb\xbf[00:01]\xe8\x8d\x89", "[00:01]草".encode("utf-16")):
        assert [line.text for line in song(content).lines] == ["草"]


def test_sections_go_with_their_lines(song):
    read = song("[Verse 1]\n[00:01]草\n[Refrain]\n[00:02][00:04]花\n【第二段】\n[00:03]树\n")
    sections = [(line.text, line.section) for line in read.lines]
    assert sections == [("草", "Verse 1"), ("花", "Refrain"), ("树", "第二段"), ("花", "Refrain")]


def test_times_of_words_leave_the_text(song):
    expected = (Word("green", 1000, 1500), Word("grass", 1500, 2000))
    for row in (
        "[00:01.00] <00:01.00> green <00:01.50> grass <00:02.00>",
        "[00:01.00]green [00:01.50]grass[00:02.00]",
    ):
        (line,) = song(f"[la:en]\n{row}\n").lines
        assert (line.text, line.words) == ("green grass", expected)
    (line,) = song("[offset:1000]\n[00:01.00]<00:01.00>小<00:01.50>草\n").lines
    assert (line.text, line.words) == ("小草", (Word("小", 0, 500), Word("草", 500, None)))


def test_a_marked_translation(song):
    (line,) = song("[la:zh]\n[00:01]啦啦\n[00:01][tr:en]la la\n").lines
    assert (line.reading, line.translation) == (None, "la la")


def test_what_could_be_reading_or_translation_is_said(song):
    toned = "[00:01]小草\n[00:01]xiǎo cǎo\n[00:01]little grass\n"
    read = song(f"[la:zh]\n{toned}[00:02]长长\n[00:02]long, long\n")
    assert codes(read) == ["role-unclear"]
    assert read.findings[0].line == 6
    # The clear lines of the file show the order.
    read = song(f"[la:zh]\n{toned}[00:02]啦\n[00:02]la\n[00:02]la!\n")
    assert (read.lines[1].reading, read.lines[1].translation) == ("la", "la!")
    read = song(
        "[la:zh]\n[00:01]小草\n[00:01]little grass\n[00:01]xiǎo cǎo\n[00:02]啦\n[00:02]la!\n[00:02]la\n"
    )
    assert (read.lines[1].reading, read.lines[1].translation) == ("la", "la!")


def test_two_lines_of_one_language_are_both_kept(song):
    read = song("[la:zh]\n[00:01]草\n[00:01]花\n")
    assert [line.text for line in read.lines] == ["草", "花"]
    assert codes(read) == ["same-stamp"]


def test_a_reading_that_does_not_fit_is_found_where_it_stands(song):
    read = song("[la:zh]\n[00:01]小草绿\n  [00:01]  xiǎo grün lǜ\n[00:02][00:03]草绿\n[00:02][00:03]cǎo\n")
    assert [(f.code, f.line, f.column, f.typed, f.expected) for f in read.findings] == [
        ("reading-syllable", 3, 17, "grün", ""),
        ("reading-count", 5, 15, "1", "2"),
    ]
    assert "grün" in read.findings[0].message_zh
    assert read.lines[0].reading == "xiǎo grün lǜ"  # told, not changed


def test_what_is_left_out_is_told(song):
    read = song("[mood:fine]\n[la:tlh]\n[00:01\n[00:99.00]草\n花\n# a comment\n[00:01]树\n")
    assert [(f.code, f.line) for f in read.findings] == [
        ("unknown-tag", 1),
        ("language", 2),
        ("stamp", 3),
        ("stamp", 4),
        ("no-stamp", 5),
    ]
    assert [line.text for line in read.lines] == ["树"]


def test_invisible_characters(song):
    read = song("[00:01]\u200b小\u3000草\u202e绿\x07了\ufeff\n")
    assert read.lines[0].text == "小 草绿了"
    (finding,) = read.findings
    assert (finding.code, finding.line, finding.column) == ("control-character", 1, 12)
    assert finding.typed == "U+0007 U+202E"


def test_rows_are_counted_as_editors_count_them(song):
    read = song("# \x0b\x0c\u2028\r\n# \r# \n[00:01]\n花\n")
    assert [(f.code, f.line) for f in read.findings] == [("control-character", 1), ("no-stamp", 5)]


def test_markup_is_text(song):
    assert song("[la:en]\n[00:01]<b>grass</b> & <script>").lines[0].text == "<b>grass</b> & <script>"


def test_gb18030_is_read_and_told(song):
    content = "[la:zh]\n[00:01]小草绿了".encode("gb18030")
    read = song(content)
    assert (read.lines[0].text, codes(read)) == ("小草绿了", ["encoding"])
    assert "Big5" not in read.findings[0].message_en
    assert song(content, encoding="gbk").findings == ()


def test_big5_is_suspected_and_read_when_told(song):
    content = "[la:zh-Hant]\n[00:01]小草綠了，花兒開了，我們唱歌".encode("big5")
    assert "Big5" in song(content).findings[0].message_en
    assert song(content, encoding="big5").lines[0].text.startswith("小草綠了")


@pytest.mark.parametrize(
    ("content", "options", "code", "line"),
    [
        (b"", {}, "empty", 1),
        (b" \r\n\xef\xbb\xbf\t\n", {}, "empty", 1),
        (b"title: Grass\n\n", {}, "empty", 1),
        (b"[00:01]a\n[00:02]\x00b", {}, "binary", 2),
        (b"\x89PNG\r\n\x1a\n", {}, "binary", None),
        (b"wind\nsky\n\x01\x02\x03\x04", {}, "binary", 3),
        (b"[00:01]a\n\xff\xff", {}, "encoding", 2),
        (b"[00:01]a\n\xe8", {"encoding": "utf-8"}, "encoding", 2),
        (b"[00:01]a", {"encoding": "no-such"}, "encoding", None),
        (b"[00:01]a", {"encoding": "hex"}, "encoding", None),
        (b"[00:01]a", {"format": "srt"}, "format", 1),
        (b"[00:01]a", {"format": "mp3"}, "format", None),
        (b"[00:01]" + b"a" * 1000, {}, "line-too-long", 1),
        (b"a\n" * 60_000, {}, "too-many-lines", 60_001),
        (b"[00:01]" * 100 + b"\n[00:01]a" * 30_000, {}, "too-many-lines", 29_902),
        (b" " * 1_000_001, {}, "too-large", None),
    ],
)
def test_what_cannot_be_read_is_refused(song, content, options, code, line):
    with pytest.raises(LyricsError) as raised:
        song(content, **options)
    assert (raised.value.code, raised.value.line) == (code, line)
    assert "lrc" in str(raised.value)


def test_what_is_not_there_or_not_a_file(tmp_path):
    for path, code in [(tmp_path / "no.lrc", "missing"), (tmp_path, "not-a-file")]:
        with pytest.raises(LyricsError) as raised:
            load(path)
        assert (raised.value.code, raised.value.path) == (code, path)


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(song, content):
    with suppress(LyricsError):
        song(b"[00:01]" + content, format="lrc")


TEXT = st.text(st.sampled_from("小草绿了aoni [](<>:.0159)，。#/ǎ"), max_size=20)
ROWS = st.lists(st.tuples(st.sampled_from(["[00:01]", "[00:02.50]", "[00:01][00:03]", "["]), TEXT))


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS)
def test_any_rows_are_read_and_findings_have_their_place(song, rows):
    text = "[00:00]草\n" + "\n".join(stamp + rest for stamp, rest in rows)
    read = song(text)
    raws = text.split("\n")
    for finding in read.findings:
        assert 1 <= finding.column <= len(raws[finding.line - 1]) + 1
    starts = [line.start for line in read.lines]
    assert starts == sorted(starts)
    assert all(line.end is None or line.end > line.start for line in read.lines)
