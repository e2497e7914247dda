import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.lyrics import Line, LyricsError, read_aloud
from edukit.lyrics.aligning import HAN, misfit
from edukit.lyrics.pinyin import SYLLABLES, spell, with_mark


def read(text, reading):
    return [(s.text, s.pinyin, s.tone) for s in read_aloud(Line(text, reading=reading))]


def test_marks_numbers_and_joined_words_read_alike():
    expected = [("绿", "lǜ", 4), ("草", "cǎo", 3), ("地", "dì", 4)]
    for typed in ("lǜ cǎodì", "lv4cao3di4", "LÜ4 cao3 di4", "lu\u0308\u0300 ca\u030codi\u0300"):
        assert read("绿草地", typed) == expected


def test_an_unmarked_syllable_beside_marked_ones_is_neutral():
    assert read("月亮", "yuèliang")[1] == ("亮", "liang", 5)


def test_tones_that_were_left_out_are_those_of_the_dictionary():
    assert read("月亮", "yueliang") == [("月", "yuè", 4), ("亮", "liang", 5)]
    assert read("种下了", "zhong xia liao")[2] == ("了", "liǎo", 3)
    assert read("还你", "hai ni")[0] == ("还", "hái", 2)


def test_typing_that_is_impossible_settles_nothing_without_a_tone():
    assert read("草地", "xiong di") == [("草", "cǎo", 3), ("地", "dì", 4)]
    assert read("草地", "xióng dì")[0] == ("草", "xióng", 2)


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


MISFITS = [
    ("小草绿了", "xiǎocǎo lǜ", "reading-count", 1),
    ("小草", "xiǎo cǎo le", "reading-count", 1),
    ("小草绿", "xiǎo green lǜ", "reading-syllable", 6),
    ("六", "líu", "reading-syllable", 1),  # the mark stands on the wrong vowel
    ("街儿", "jier", "reading-unclear", 1),  # jie with an r, or ji and er
    ("小草", "", "reading-count", 1),
    ("草绿", "cǎo", "reading-count", 1),  # not cǎ and o
    ("西安", "xian", "reading-count", 1),
    ("天鹅", "tiane", "reading-unclear", 1),
]


@pytest.mark.parametrize(("text", "typed", "code", "column"), MISFITS)
def test_what_does_not_fit_by_spelling_is_said(text, typed, code, column):
    found = misfit(text, typed)
    assert found is not None
    assert (found.code, found.column) == (code, column)


def test_of_a_reading_that_does_not_fit_what_is_right_is_taken():
    line = Line("小草绿了", reading="xiǎocǎo lǜ")
    found = [(one.pinyin, one.source) for one in read_aloud(line)]
    assert found == [("xiǎo", "typed"), ("cǎo", "typed"), ("lǜ", "typed"), ("le", "dictionary")]
    line = Line("还我一个了解", reading="hái wǒ yī liǎo jiě")
    assert [(one.pinyin, one.source) for one in read_aloud(line)][:4] == [
        ("hái", "typed"),
        ("wǒ", "typed"),
        ("yī", "typed"),
        ("gè", "phrase"),
    ]


def test_the_characters_settle_what_spelling_leaves_open():
    assert [one.text for one in read_aloud(Line("街儿", reading="jier"))] == ["街儿"]
    assert read("天鹅", "tiane") == [("天", "tiān", 1), ("鹅", "é", 2)]
    assert read("西安", "xian") == [("西", "xī", 1), ("安", "ān", 1)]


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


@settings(deadline=None, max_examples=60)
@given(
    st.text(max_size=30) | st.text("小草绿了一不儿La3 ，", max_size=30),
    st.none() | st.text(max_size=30) | st.text("xiaocǎlüvr'13 ", max_size=30),
    st.booleans(),
)
def test_any_text_is_read(text, reading, sandhi):
    syllables = read_aloud(Line(text, reading=reading), sandhi=sandhi)
    assert all(text[one.start : one.stop] == one.text for one in syllables)
    assert all(one.stop <= other.start for one, other in itertools.pairwise(syllables))
    assert all(one.text in one.word and one.word in text for one in syllables)
    # Nothing is lost: each character is in a syllable.
    han = [at for at, character in enumerate(text) if HAN.match(character)]
    covered = {at for one in syllables for at in range(one.start, one.stop)}
    assert set(han) <= covered


def test_half_a_character_stops_nothing():
    assert [one.text for one in read_aloud(Line("草\ud800草"))] == ["草", "草"]


# -- without typed pinyin ---------------------------------------------------------------------------------


def aloud(text, **options):
    return " ".join(one.pinyin or one.text for one in read_aloud(Line(text), **options))


def test_each_syllable_has_all_that_a_page_shows():
    first, second = read_aloud(Line("绿草"))
    assert (first.text, first.start, first.stop) == ("绿", 0, 1)
    assert (first.pinyin, first.tone, first.zhuyin) == ("lǜ", 4, "ㄌㄩˋ")
    assert (second.pinyin, second.tone, second.zhuyin) == ("cǎo", 3, "ㄘㄠˇ")


def test_zhuyin_of_a_neutral_tone_and_of_an_r():
    syllables = read_aloud(Line("雨点儿了"))
    assert [one.zhuyin for one in syllables] == ["ㄩˇ", "ㄉㄧㄢˇㄦ", "˙ㄌㄜ"]
    assert syllables[1].text == "点儿"


def test_words_are_those_of_the_dictionary():
    words = [one.word for one in read_aloud(Line("小船划过湖面"))]
    assert words == ["小船", "小船", "划过", "划过", "湖面", "湖面"]
    # Syllables typed one by one say nothing of words.
    typed = Line("小船", reading="xiǎo chuán")
    assert [one.word for one in read_aloud(typed)] == ["小船", "小船"]


def test_the_source_is_said():
    line = Line("弹琴的人", reading=None)
    assert [one.source for one in read_aloud(line)] == ["phrase", "phrase", "dictionary", "dictionary"]
    over = read_aloud(line, overrides=[("人", "rén")])
    assert over[-1].source == "override"


def test_latin_words_and_numbers_pass():
    syllables = read_aloud(Line("La La 啦 don’t 100个"))
    assert [(one.text, one.pinyin) for one in syllables] == [
        ("La", None),
        ("La", None),
        ("啦", "la"),
        ("don’t", None),
        ("1", None),
        ("0", None),
        ("0", None),
        ("个", "gè"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("慢慢地走", "màn màn de zǒu"),
        ("弹奏", "tán zòu"),
        ("重来", "chóng lái"),
        ("绵长", "mián cháng"),
        ("带着", "dài zhe"),
        ("雨点儿", "yǔ diǎnr"),
        ("绿", "lǜ"),
        ("女", "nǚ"),
        ("勉強", "miǎn qiǎng"),
        ("銀行", "yín háng"),
        ("音樂", "yīn yuè"),
        ("看著你", "kàn zhe nǐ"),
        ("一样", "yī yàng"),
        ("一路", "yī lù"),
        ("不要", "bù yào"),
        ("一起", "yī qǐ"),
    ],
)
def test_what_others_get_wrong(text, expected):
    assert aloud(text) == expected
    # Traditional characters are shown as they are written.
    assert "".join(one.text for one in read_aloud(Line(text))) == text


@pytest.mark.parametrize("typed", ["lv", "lv4", "lǜ", "LÜ4", "lu\u0308\u0300"])
def test_every_way_to_type_the_umlaut(typed):
    assert read("绿", typed) == [("绿", "lǜ", 4)]


# -- overrides --------------------------------------------------------------------------------------------


def test_an_override_has_the_last_word():
    line = Line("还我自由", reading="huán wǒ zì yóu")
    assert read_aloud(line, overrides=[("还", "hái")])[0].pinyin == "hái"
    assert read_aloud(line, overrides={"还": "hái"})[0].pinyin == "hái"
    # Everywhere in the line, or at one place.
    both = Line("还了还")
    assert [one.pinyin for one in read_aloud(both, overrides=[("还", "hai2")])] == ["hái", "le", "hái"]
    assert [one.pinyin for one in read_aloud(both, overrides=[(2, "huán")])] == ["hái", "le", "huán"]


def test_an_override_can_part_and_join_an_r():
    assert [one.text for one in read_aloud(Line("雨点儿"), overrides=[("点儿", "diǎn ér")])] == list(
        "雨点儿"
    )
    assert [one.text for one in read_aloud(Line("雨点儿"), overrides=[("儿", "ér")])] == list("雨点儿")
    joined = read_aloud(Line("花儿"), overrides=[("花儿", "huār")])
    assert [(one.text, one.pinyin, one.word) for one in joined] == [("花儿", "huār", "花儿")]


@pytest.mark.parametrize(
    "override", [("树", "shù"), ("草", "cǎo dì"), ("草", "grass"), (9, "cǎo"), ("", "cǎo")]
)
def test_an_override_that_does_not_fit_is_refused(override):
    with pytest.raises(LyricsError) as raised:
        read_aloud(Line("小草"), overrides=[override])
    assert raised.value.code == "override"


# -- sandhi -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("一样", "yí yàng"),
        ("一路", "yí lù"),
        ("一起", "yì qǐ"),
        ("一天", "yì tiān"),
        ("一年", "yì nián"),
        ("一个", "yí gè"),
        ("一月一号", "yī yuè yī hào"),
        ("第一名", "dì yī míng"),
        ("统一", "tǒng yī"),
        ("二十一天", "èr shí yī tiān"),
        ("一二三", "yī èr sān"),
        ("看一看", "kàn yi kàn"),
        ("不要", "bú yào"),
        ("不好", "bù hǎo"),
        ("好不好", "hǎo bu hǎo"),
        ("你好", "ní hǎo"),
        ("我很好", "wó hén hǎo"),
        ("小老鼠", "xiǎo láo shǔ"),
        ("展览馆", "zhán lán guǎn"),
        ("你，好", "nǐ hǎo"),
        ("姐姐", "jiě jie"),
        ("有点儿晚", "yóu diánr wǎn"),
    ],
)
def test_tones_change_only_when_asked(text, expected):
    assert aloud(text, sandhi=True) == expected
    written = aloud(text)
    assert "yí" not in written
    assert "yì" not in written
    assert "bú" not in written


def test_sandhi_changes_tone_and_zhuyin_with_the_mark_and_leaves_overrides():
    first, _ = read_aloud(Line("一样"), sandhi=True)
    assert (first.pinyin, first.tone, first.zhuyin) == ("yí", 2, "ㄧˊ")
    first, _ = read_aloud(Line("一样"), overrides=[("一", "yī")], sandhi=True)
    assert first.pinyin == "yī"
