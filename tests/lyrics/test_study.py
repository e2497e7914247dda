import json
import sqlite3
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.lyrics import (
    Line,
    LyricsError,
    Song,
    cloze,
    load_glosses,
    meaning_pairs,
    prepare,
    shuffled_lines,
    to_anki,
    vocabulary,
)
from edukit.lyrics.annotated import save_prepared
from edukit.lyrics.glossary import ATTRIBUTION, HSK, chinese_gloss, english_gloss, glosses_path, hsk_level

CHINESE = Song(
    "小草",
    "zh_CN",
    lines=(
        Line("小草长大了", "The grass has grown", "xiǎocǎo zhǎngdà le"),
        Line("长长的小草", "Long, long grass"),
        Line("La la 草", None),
    ),
)
ENGLISH = Song(
    "Grass", "en", lines=(Line("The bluebell grows, the birds sang", "草在长"), Line("We sing", "我们唱"))
)


# -- words ------------------------------------------------------------------------------------------------


def test_chinese_words_with_reading_meaning_level_and_place():
    entries = {entry.text: entry for entry in vocabulary(CHINESE)}
    grown = entries["长大"]
    assert (grown.reading, grown.count, grown.line) == ("zhǎngdà", 1, 1)
    assert "grow" in grown.gloss
    assert (grown.source, grown.level, grown.standard) == ("CC-CEDICT", None, None)
    assert (entries["的"].level, entries["的"].standard) == ("1", HSK)
    assert "La" not in entries


def test_english_words_with_ipa_meaning_level_and_place():
    entries = {entry.text: entry for entry in vocabulary(ENGLISH)}
    sing = entries["sing"]
    assert (sing.reading, sing.count, sing.line) == ("sɪŋ", 2, 1)
    assert (sing.level, sing.standard) == ("A1", "CEFR")
    assert sing.gloss.startswith("唱")
    assert entries["the"].count == 2


def test_a_word_that_is_read_in_two_ways_is_two():
    song = Song("", "zh_CN", lines=(Line("我还你"), Line("还"), Line("还", None, "huán")))
    found = [(one.text, one.reading, one.count) for one in vocabulary(song) if one.text == "还"]
    assert found == [("还", "huán", 2), ("还", "hái", 1)]


def test_the_teacher_s_own_meaning_wins():
    own = vocabulary(CHINESE, glosses={"長大": "become big"})
    assert [(one.gloss, one.source) for one in own if one.text == "长大"] == [("become big", "teacher")]
    # And makes a word of what no dictionary has.
    assert [one.text for one in vocabulary(CHINESE, glosses={"长大了": "grown"})][2] == "长大了"
    own = vocabulary(ENGLISH, glosses={"Sing": "唱歌"})
    assert [(one.gloss, one.source) for one in own if one.text == "sing"] == [("唱歌", "teacher")]


def test_traditional_words_are_shown_as_written_and_found():
    (entry,) = vocabulary(Song("", "zh_TW", lines=(Line("音樂"),)))
    assert (entry.text, entry.reading, entry.level is not None) == ("音樂", "yīnyuè", True)
    assert "music" in entry.gloss


def test_a_dictionary_entry_is_chosen_by_its_reading():
    assert "to pay back" in chinese_gloss("还", ("huán",))
    assert "still" in chinese_gloss("还", ("hái",))
    assert "long" in chinese_gloss("长", ("cháng",))
    assert "chief" in chinese_gloss("长", ("zhǎng",))
    assert chinese_gloss("一点儿", ("yī", "diǎnr"))
    assert chinese_gloss("鸵鸟蛋壳", ("tuó", "niǎo", "dàn", "ké")) == ""


def test_the_easiest_chinese_word_comes_first():
    assert english_gloss("spring").startswith("春天")
    assert english_gloss("me").startswith("我")
    assert english_gloss("brillig") == ""
    assert hsk_level("朋友") == "1"
    assert hsk_level("发芽") == "7-9"
    assert hsk_level("鸵鸟蛋") is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_glosses_are_a_table_beside_the_song(tmp_path, encoding):
    path = tmp_path / "song.txt"
    assert load_glosses(path) == {}
    content = '词,意思\n小草,"grass, small"\n# 注\n\n長大, to grow \n'
    glosses_path(path).write_bytes(content.encode(encoding))
    assert load_glosses(path) == {"小草": "grass, small", "长大": "to grow"}


def test_a_row_without_a_meaning_is_said(tmp_path):
    path = tmp_path / "song.txt"
    glosses_path(path).write_text("小草,grass\n长大\n", encoding="utf-8")
    with pytest.raises(LyricsError) as raised:
        load_glosses(path)
    assert (raised.value.code, raised.value.line) == ("glosses", 2)


# -- exercises --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "number"), [(0, 0), (0.1, 3), (0.25, 7), (0.28, 7), (0.01, 1), (1, 25)])
def test_a_share_of_the_words_is_rounded_up(share, number):
    song = Song("", "en", lines=tuple(Line("one two three four five") for _ in range(5)))
    assert len(cloze(song, share, seed=5)) == number


@settings(deadline=None, max_examples=30)
@given(st.sampled_from([CHINESE, ENGLISH]), st.floats(0, 1), st.integers())
def test_gaps_are_words_in_their_places(song, share, seed):
    gaps = cloze(song, share, seed=seed)
    assert gaps == cloze(song, share, seed=seed)
    assert list(gaps) == sorted(gaps, key=lambda gap: (gap.line, gap.start))
    assert len({(gap.line, gap.start) for gap in gaps}) == len(gaps)
    for gap in gaps:
        assert song.lines[gap.line - 1].text[gap.start : gap.stop] == gap.answer


def test_another_seed_gives_other_gaps():
    song = Song("", "en", lines=(Line("one two three four five six seven eight"),))
    assert len({cloze(song, 0.25, seed=seed) for seed in range(8)}) > 1


def test_gaps_of_a_level():
    easy = cloze(ENGLISH, 1, seed=0, levels={"A1"})
    assert easy
    levels = {entry.text: entry.level for entry in vocabulary(ENGLISH)}
    assert all(levels.get(gap.answer.lower(), "A1") == "A1" for gap in easy)
    assert len(easy) < len(cloze(ENGLISH, 1, seed=0))


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none(share):
    with pytest.raises(ValueError, match="share"):
        cloze(ENGLISH, share, seed=0)


@pytest.mark.parametrize("seed", range(5))
def test_lines_to_be_put_in_order_are_not_in_it(seed):
    order = shuffled_lines(CHINESE, seed=seed)
    assert sorted(order) == [1, 2, 3]
    assert order != (1, 2, 3)
    same = Song("", "en", lines=(Line("La"), Line("La")))
    assert shuffled_lines(same, seed=seed) == (1, 2)


def test_pairs_have_each_word_and_meaning_once():
    glosses = {"小草": "grass", "长大": "grow", "长长": "long", "的": "of"}
    pairs = meaning_pairs(CHINESE, 3, seed=1, glosses=glosses)
    assert len(pairs) == len({word for word, _ in pairs}) == len({meaning for _, meaning in pairs}) == 3
    assert pairs == meaning_pairs(CHINESE, 3, seed=1, glosses=glosses)


# -- a deck -----------------------------------------------------------------------------------------------


def notes(path):
    with zipfile.ZipFile(path) as packed:
        database = path.with_suffix(".db")
        database.write_bytes(packed.read("collection.anki2"))
    connection = sqlite3.connect(database)
    rows = connection.execute("select guid, mod, flds from notes").fetchall()
    connection.close()
    return {guid: (changed, fields.split("\x1f")) for guid, changed, fields in rows}


def test_a_deck_made_twice_is_the_same_file(tmp_path, monkeypatch):
    to_anki(CHINESE, tmp_path / "a.apkg")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 4000)
    to_anki(CHINESE, tmp_path / "b.apkg")
    assert (tmp_path / "a.apkg").read_bytes() == (tmp_path / "b.apkg").read_bytes()


def test_a_mended_deck_has_the_same_notes_of_a_later_date(tmp_path):
    to_anki(CHINESE, tmp_path / "a.apkg", timestamp=1000)
    lines = (Line("小草长大了", "The grass has grown tall", "xiǎo cǎo zhǎng dà le"), *CHINESE.lines[1:])
    to_anki(Song("小草", "zh_CN", lines=lines), tmp_path / "b.apkg", timestamp=2000)
    before, after = notes(tmp_path / "a.apkg"), notes(tmp_path / "b.apkg")
    assert before.keys() == after.keys()
    assert [fields[2] for _, fields in after.values() if fields[0] == "小草长大了"] == [
        "The grass has grown tall"
    ]
    assert {changed for changed, _ in before.values()} == {1000}
    assert {changed for changed, _ in after.values()} == {2000}


def test_lines_that_are_moved_keep_their_cards(tmp_path):
    to_anki(CHINESE, tmp_path / "a.apkg")
    to_anki(Song("小草", "zh_CN", lines=(Line("新"), *CHINESE.lines)), tmp_path / "b.apkg")
    before, after = notes(tmp_path / "a.apkg"), notes(tmp_path / "b.apkg")
    assert before.keys() < after.keys()
    assert all(after[guid][1][0] == fields[0] for guid, (_, fields) in before.items())


def test_equal_lines_of_two_songs_and_of_one_are_cards_of_their_own(tmp_path):
    lines = (Line("小草", "grass"), Line("小草", "grass"))
    to_anki(Song("一", "zh_CN", lines=lines), tmp_path / "a.apkg")
    to_anki(Song("二", "zh_CN", lines=lines), tmp_path / "b.apkg")
    first, second = notes(tmp_path / "a.apkg"), notes(tmp_path / "b.apkg")
    assert len([1 for _, fields in first.values() if fields[2] == "grass"]) == 2
    assert not first.keys() & second.keys()


def test_what_is_on_a_card(tmp_path):
    song = Song("<b>", "zh_CN", lines=(Line("小草 <script>", "grass & more"),))
    to_anki(song, tmp_path / "a.apkg", glosses={"小草": "grass"})
    fields = {fields[0]: fields for _, fields in notes(tmp_path / "a.apkg").values()}
    line = fields["小草 &lt;script&gt;"]
    assert line[1:] == ["xiǎo cǎo script", "grass &amp; more", "&lt;b&gt;", "1"]
    assert fields["小草"][1:3] == ["xiǎocǎo", "grass"]
    to_anki(ENGLISH, tmp_path / "b.apkg")
    english = {fields[0]: fields for _, fields in notes(tmp_path / "b.apkg").values()}
    assert english["We sing"][1] == "wiː sɪŋ"
    assert "CEFR A1" in english["sing"][3]
    assert "CC-CEDICT" in english["sing"][3]


# -- an annotated song ------------------------------------------------------------------------------------


def test_an_annotated_chinese_song():
    data = prepare(CHINESE)
    assert (data["kind"], data["version"], data["language"]) == ("edukit-song", 1, "zh_CN")
    first = data["lines"][0]
    assert first["parts"][:2] == [[0, 1, "xiǎo", 3, "ㄒㄧㄠˇ", 0], [1, 2, "cǎo", 3, "ㄘㄠˇ", 0]]
    assert first["parts"][2][5] == 1
    assert first["other"] == "小草長大了"
    assert first["translationParts"][1][:3] == [4, 9, "ɡræs"]
    assert data["attribution"] == ATTRIBUTION
    assert data["standard"] == HSK
    assert ["长大", "zhǎngdà"] in [entry[:2] for entry in data["vocabulary"]]


def test_an_annotated_english_song():
    first = prepare(ENGLISH)["lines"][0]
    assert first["parts"][0] == [0, 3, "ðə", None, None, 0]
    assert first["spoken"][1][:2] == [[1, 2], "bluebell"]
    assert len(first["spoken"]) == len(first["parts"])
    assert "other" not in first


def test_places_count_as_javascript_does():
    song = Song("", "zh_CN", lines=(Line("𠮷草"),))
    assert [part[:2] for part in prepare(song)["lines"][0]["parts"]] == [[0, 2], [2, 3]]


def test_the_file_of_an_annotated_song(tmp_path):
    path = tmp_path / "song.json"
    for song in (CHINESE, Song("", "en")):
        data = prepare(song)
        save_prepared(data, path)
        assert json.loads(path.read_text(encoding="utf-8")) == data
    assert "attribution" not in prepare(Song("", "zh_CN", lines=(Line("草"),)), glosses={"草": "grass"})


LINES = st.builds(
    Line,
    st.text(max_size=12) | st.text("小草长儿了aT'’ ，", max_size=12),
    st.none() | st.text(max_size=12),
    st.none() | st.text("xiaocǎr' 1", max_size=20),
)


@settings(deadline=None, max_examples=25)
@given(st.lists(LINES, max_size=4), st.sampled_from(["zh_CN", "zh_TW", "en"]))
def test_any_song_can_be_studied(lines, language):
    song = Song("", language, lines=tuple(lines))
    data = prepare(song)
    assert json.loads(json.dumps(data)) == data
    assert [line.get("text", "") for line in data.get("lines", [])] == [line.text for line in lines]
    for line in data.get("lines", []):
        # As the page demands: places in order, within the text.
        places = [place for part in line.get("parts", []) for place in part[:2]]
        assert places == sorted(places)
        assert not places or places[-1] <= len(line["text"].encode("utf-16-le")) // 2
