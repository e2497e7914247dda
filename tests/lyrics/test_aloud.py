import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.lyrics import Line, LyricsError, read_aloud
from edukit.lyrics.pinyin import SYLLABLES, spell, with_mark


def read(text, reading):
    return [(s.text, s.pinyin, s.tone) for s in read_aloud(Line(text, reading=reading))]


def test_marks_numbers_and_joined_words_read_alike():
    expected = [("绿", "lǜ", 4), ("草", "cǎo", 3), ("地", "dì", 4)]
    for typed in ("lǜ cǎodì", "lv4cao3di4", "LÜ4 cao3 di4", "lu\u0308\u0300 ca\u030codi\u0300"):
        assert read("绿草地", typed) == expected


def test_an_unmarked_syllable_beside_marked_ones_is_neutral():
    assert read("月亮", "yuèliang")[1] == ("亮", "liang", 5)


def test_without_any_tones_the_tone_is_not_known():
    assert read("月亮", "yueliang") == [("月", "yue", None), ("亮", "liang", None)]


@pytest.mark.parametrize("typed", ["xi'an", "xi’an", "xīān", "xi1an1", "xi an"])
def test_the_characters_decide_where_a_syllable_ends(typed):
    assert [syllable.text for syllable in read_aloud(Line("西安", reading=typed))] == ["西", "安"]
    assert len(read_aloud(Line("先", reading="xiān"))) == 1


@pytest.mark.parametrize("typed", ["diǎnr", "dian3r", "dianr3"])
def test_erhua_takes_two_characters(typed):
    (syllable,) = read_aloud(Line("点儿", reading=typed))
    assert (syllable.text, syllable.start, syllable.stop) == ("点儿", 0, 2)
    assert (syllable.pinyin, syllable.tone) == ("diǎnr", 3)


def test_er_as_a_syllable_of_its_own():
    assert [one[1] for one in read("花儿开", "huā ér kāi")] == ["huā", "ér", "kāi"]
    assert [one[1] for one in read("女儿", "nǚér")] == ["nǚ", "ér"]


def test_latin_words_and_digits():
    assert read("La la 绿", "la LA lǜ") == [("La", None, None), ("la", None, None), ("绿", "lǜ", 4)]
    assert read("3个OK", "sān gè ok") == [("3", "sān", 1), ("个", "gè", 4), ("OK", None, None)]


def test_words_end_where_the_typist_or_punctuation_ends_them():
    syllables = read_aloud(Line("小草，绿了", reading="xiǎocǎolǜ le"))
    assert [syllable.word for syllable in syllables] == ["小草", "小草", "绿", "了"]


def test_positions_count_in_the_line():
    line = Line("“春天！”她说：“早。”", reading="chūntiān tā shuō zǎo")
    for syllable in read_aloud(line):
        assert line.text[syllable.start : syllable.stop] == syllable.text


@pytest.mark.parametrize(
    ("text", "typed", "code", "column"),
    [
        ("小草绿了", "xiǎocǎo lǜ", "reading-count", 1),
        ("小草", "xiǎo cǎo le", "reading-count", 1),
        ("小草绿", "xiǎo green lǜ", "reading-syllable", 6),
        ("六", "líu", "reading-syllable", 1),  # the mark stands on the wrong vowel
        ("街儿", "jier", "reading-unclear", 1),  # jie with an r, or ji and er
        ("小草", "", "reading-count", 1),
        ("草绿", "cǎo", "reading-count", 1),  # not cǎ and o
        ("西安", "xian", "reading-count", 1),
        ("天鹅", "tiane", "reading-unclear", 1),
    ],
)
def test_what_does_not_fit_is_said_and_not_guessed(text, typed, code, column):
    with pytest.raises(LyricsError) as raised:
        read_aloud(Line(text, reading=typed))
    assert (raised.value.code, raised.value.column) == (code, column)


def test_characters_without_a_reading_are_not_guessed():
    with pytest.raises(LyricsError, match="no typed pinyin"):
        read_aloud(Line("小草"))
    assert [syllable.text for syllable in read_aloud(Line("La, la!"))] == ["La", "la"]


def test_the_mark_stands_where_the_rules_put_it():
    marked = [with_mark(plain, 2) for plain in ("liu", "gui", "gou", "xue", "lüe", "hao", "er")]
    assert marked == ["liú", "guí", "góu", "xué", "lüé", "háo", "ér"]


@settings(deadline=None)
@given(st.sampled_from(sorted(SYLLABLES)), st.integers(1, 4))
def test_every_syllable_with_every_tone_is_spelt_and_read_back(plain, tone):
    assert spell(with_mark(plain, tone)) == (plain, tone)
    assert spell(f"{plain}{tone}".replace("ü", "v")) == (plain, tone)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(SYLLABLES)), st.integers(1, 4)), min_size=1))
def test_syllables_typed_apart_are_read_as_typed(typed):
    reading = " ".join(with_mark(*one) for one in typed)
    syllables = read_aloud(Line("草" * len(typed), reading=reading))
    assert " ".join(str(syllable.pinyin) for syllable in syllables) == reading


@settings(deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_read_or_refused(text, reading):
    line = Line(text, reading=reading)
    try:
        syllables = read_aloud(line)
    except LyricsError:
        return
    assert all(line.text[s.start : s.stop] == s.text for s in syllables)
