import itertools
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.lyrics import Line, LyricsError, Song, Word, line_hash, load_decisions, proofread
from edukit.lyrics.decisions import decide, decisions_path, save_decisions
from edukit.lyrics.matching import match


def song(*lines, language="zh_CN"):
    return Song("", language, lines=lines)


def found(text, reading, translation="it grows"):
    findings = proofread(song(Line(text, translation, reading)))
    return [(one.code, one.column, one.typed, one.expected) for one in findings]


# -- pinyin -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("小草绿了", "xiǎo cǎo lǜ le"),
        ("小草绿了", "xiao3cao3 lü4le"),
        ("小草绿了", "xiaocao lü le"),
        ("小草，绿了！", "Xiǎocǎo, lǜ le!"),
        ("月亮", "yueliang"),
        ("西安", "xi'an"),
        ("西安", "Xī’ān"),
        ("西安", "xīān"),
        ("花儿开了", "huar kai le"),
        ("花儿开了", "huā ér kāi le"),
        ("雨点儿", "yǔdiǎnr"),
        ("La la 绿", "la la lü"),
        ("La la 绿", "lü"),
        ("有3个", "yǒu sān gè"),
        ("有3个", "you 3 ge"),
        ("一个不是你", "yí gè bú shì nǐ"),  # tones as they are spoken
        ("你好", "ní hǎo"),
        ("我很好", "wó hén hǎo"),
        ("我很好", "wǒ hén hǎo"),
        ("多少", "duō shǎo"),  # a full tone where the dictionary has a neutral one
        ("看著你", "kan zhe ni"),
        ("100次", "yi ling ling ci"),
    ],
)
def test_what_is_right_is_not_told(text, reading):
    codes = {one.code for one in proofread(song(Line(text, "it grows", reading)))}
    assert codes <= {"traditional"}


@pytest.mark.parametrize(
    ("text", "reading", "expected"),
    [
        ("绿草", "lv cao", [("reading-v", 1, "lv", "lü")]),
        ("绿草", "lv4 cao3", [("reading-v", 1, "lv4", "lü4")]),
        ("女儿", "nv er", [("reading-v", 1, "nv", "nü")]),
        ("小草长大了", "xiao cao zhang le", [("reading-missing", 16, "", "da")]),
        ("小草长大了", "xiǎocǎo zhǎngdà", [("reading-missing", 16, "", "le")]),
        ("小草长大了", "cao zhang da le", [("reading-missing", 1, "", "xiao")]),
        ("小草长大了", "xiao cao cao zhang da le", [("reading-extra", 10, "cao", "")]),
        ("小草长大了", "xiao cao zhang ta le", [("reading-impossible", 16, "ta", "da")]),
        ("小草", "xiáo cǎo hǎo", [("reading-extra", 10, "hǎo", "")]),
        ("种下了", "zhong xia liao", [("reading-other", 11, "liao", "le")]),
        ("看着你", "kan zhuo ni", [("reading-other", 5, "zhuo", "zhe")]),
        ("看着你", "kàn zháo nǐ", [("reading-other", 5, "zháo", "zhe")]),
        ("小草", "xiǎo cào", [("reading-impossible", 6, "cào", "cǎo")]),
        ("小草长大", "xiǎo cao zhǎng dà", [("reading-other", 6, "cao", "cǎo")]),  # the mark is forgotten
        ("去西安", "qu xian", [("reading-apostrophe", 6, "an", "’an")]),
        ("六个", "líu gè", [("reading-syllable", 1, "líu", "liù")]),
        ("小草", "xiao grass cao", [("reading-syllable", 6, "grass", "")]),
    ],
)
def test_each_kind_of_mistake(text, reading, expected):
    assert found(text, reading) == expected


def test_a_mistake_does_not_shift_what_follows():
    text = "小草在风里慢慢长大，我们一起唱歌"
    reading = "xiao cao zai li man man zhang da wo wo men yi qi cang ge"
    assert [(code, typed, right) for code, _, typed, right in found(text, reading)] == [
        ("reading-missing", "", "feng"),
        ("reading-extra", "wo", ""),
        ("reading-impossible", "cang", "chang"),
    ]


def test_pinyin_of_another_line_is_told_once():
    assert [one[0] for one in found("小草长大了", "yueliang zhaozhe he")] == ["reading-count"]
    assert [one[0] for one in found("小草长大了", "we sail over the sea")] == ["reading-count"]


def test_a_line_without_pinyin_among_others_that_have_it():
    lines = [Line("小草", "grass", "xiao cao"), Line("长大", "it grows"), Line("La la", None)]
    assert [(one.line, one.code) for one in proofread(song(*lines))] == [(2, "no-reading")]


def test_english_with_ipa_is_not_held_against_characters():
    assert proofread(song(Line("One flower", "一朵花", "wʌn ˈflaʊər"), language="en")) == ()


@settings(deadline=None, max_examples=40)
@given(st.text("小草绿长了儿La3，", max_size=12), st.text("xiaocǎlüvr'13zhngde ", max_size=40))
def test_findings_stand_in_the_reading(text, reading):
    for one in proofread(song(Line(text, "it grows", reading))):
        assert one.message_en
        assert one.message_zh
        if one.code.startswith("reading-") and one.code != "reading-count":
            assert reading[one.column - 1 :].startswith(one.typed)


def test_what_would_keep_us_busy_is_given_up():
    from edukit.lyrics.aloud import expected

    assert match(expected("草" * 900), "xiong " * 150) is None
    assert [one[0] for one in found("草" * 90, "xiong " * 15)] == ["reading-count"]


# -- the other texts --------------------------------------------------------------------------------------


def codes(*lines, language="zh_CN"):
    return [
        (one.line, one.column, one.code, one.typed, one.expected)
        for one in proofread(song(*lines, language=language))
    ]


def test_lines_without_translation():
    lines = [Line("小草", "grass"), Line("长大"), Line("啦啦啦"), Line("La la")]
    assert codes(*lines) == [(2, 1, "no-translation", "", "")]
    # Told once where there is none at all.
    assert codes(Line("啦啦"), Line("小草"), Line("长大")) == [(2, 1, "no-translation", "", "")]


@pytest.mark.parametrize(
    ("text", "translation", "column", "typed"),
    [
        ("小草", "grass;;", 6, ";;"),
        ("小草；；", "grass", 3, "；；"),
        ("小草", "grass; 草", 6, ";"),
        ("小草；grass", "it grows", 3, "；"),
        ("小草 // grass", "it grows", 4, "//"),
    ],
)
def test_doubled_separators(text, translation, column, typed):
    assert codes(Line(text, translation)) == [(1, column, "doubled-separator", typed, "")]


@pytest.mark.parametrize("text", ["许多草；", "一棵；两棵", "（小草；）"])
def test_a_semicolon_of_the_language_is_none(text):
    assert codes(Line(text, "a tree; a tree")) == []


def test_characters_of_the_other_script():
    assert codes(Line("什麼时候", "when")) == [(1, 2, "traditional", "麼", "么")]
    assert codes(Line("什么時候", "when"), language="zh_TW") == [(1, 2, "simplified", "么", "麼")]
    # What is right in both is not told.
    assert codes(Line("皇后在台灣的樹後面", "behind"), language="zh_TW") == []
    assert codes(Line("著名的乾坤", "well known")) == []


def test_a_translation_is_of_the_script_that_most_of_it_is():
    simplified = [Line("When we sing", "我们唱歌的时候"), Line("What", "什麼")]
    assert codes(*simplified, language="en") == [(2, 2, "traditional", "麼", "么")]
    traditional = [Line("When we sing", "我們唱歌的時候"), Line("Grass sings", "小草会")]
    assert codes(*traditional, language="en") == [(2, 3, "simplified", "会", "會")]


def test_english_is_spelt_in_lines_and_translations():
    assert codes(Line("The gardne sings", "花园"), language="en") == [
        (1, 5, "spelling", "gardne", "garden")
    ]
    assert codes(Line("花园", "a gardne")) == [(1, 3, "spelling", "gardne", "garden")]


def test_times_out_of_order():
    late, early = Line("小草", "grass", start=2000, end=3000), Line("长大", "it grows", start=1000)
    assert [(one[0], one[2], one[3]) for one in codes(late, early)] == [(2, "stamp-order", "00:01.000")]
    assert codes(early, late) == []
    backwards = Line("小草", "grass", start=2000, end=1500)
    assert [one[2] for one in codes(backwards)] == ["stamp-order"]
    words = Line("小草", "grass", start=0, words=(Word("小", 900), Word("草", 100)))
    assert [one[2:4] for one in codes(words)] == [("stamp-order", "00:00.100")]


def test_nothing_is_changed():
    before = song(Line("绿草", "grass", "lv cao"))
    proofread(before)
    assert before == song(Line("绿草", "grass", "lv cao"))


# -- decisions --------------------------------------------------------------------------------------------

SUNG = song(
    Line("种下了", "planted", "zhong xia liao"),
    Line("小草", "grass", "xiao cao"),
    Line("种下了", "planted", "zhong xia liao"),
)


def test_a_decision_holds_for_its_line_and_occurrence_alone():
    first, second = proofread(SUNG)
    decided = decide(SUNG, [second])
    assert proofread(SUNG, decisions=decided) == (first,)
    moved = song(*SUNG.lines[1:], SUNG.lines[0])
    assert [one.line for one in proofread(moved, decisions=decided)] == [2]
    edited = song(*(Line(f"{line.text}啊", line.translation, f"{line.reading} a") for line in SUNG.lines))
    assert len(proofread(edited, decisions=decided)) == 2
    # And for what was typed then.
    retyped = song(*SUNG.lines[:2], Line("种下了", "planted", "zhong xia liǎo"))
    assert 3 in {one.line for one in proofread(retyped, decisions=decided)}


def test_decisions_are_kept_beside_the_song(tmp_path):
    path = tmp_path / "歌.txt"
    assert load_decisions(path) == ()
    decided = decide(SUNG, proofread(SUNG))
    place = save_decisions(path, decided)
    assert place == decisions_path(path) == tmp_path / "歌.txt.decisions.toml"
    assert load_decisions(path) == decided
    written = place.read_text(encoding="utf-8")
    assert "种下了" not in written  # the words may not be anybody's to hand out
    assert tomllib.loads(written)["decision"][0]["line"] == line_hash("种下了")
    assert proofread(SUNG, decisions=load_decisions(path)) == ()


@pytest.mark.parametrize(
    "content",
    [
        "version = 2\n",
        "decision = [\n",
        "version = 1\ndecision = 3\n",
        'version = 1\n[[decision]]\nline = "x"\n',
        'version = 1\n[[decision]]\nline = 1\noccurrence = 1\ncode = "a"\ncolumn = 1\ntyped = ""\n',
    ],
)
def test_decisions_that_are_broken_are_said(tmp_path, content):
    path = tmp_path / "song.txt"
    decisions_path(path).write_text(content, encoding="utf-8")
    with pytest.raises(LyricsError) as raised:
        load_decisions(path)
    assert raised.value.code == "decisions"
    assert "song.txt.decisions.toml" in str(raised.value)


def test_the_hash_of_a_line_is_that_of_what_one_sees():
    assert line_hash("小草 绿") == line_hash(" 小草　绿 ")
    assert len({line_hash(text) for text in ["小草", "小草啊", "草小"]}) == 3
    assert all(len(line_hash(text)) == 8 for text in itertools.chain("草", ["", "\ud800"]))
