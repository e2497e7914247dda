import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edukit.lyrics import Line, LyricsError, Song, Word, load, save
from edukit.lyrics.writing import SUFFIXES
from tests.lyrics.test_cases import FILES

IN_MEMORY = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

# Lines that a song may have, so that what is read of them is known; and anything at all.
WORDS = ["the", "wind", "is", "up", "a", "kite", "on", "its", "way"]
READINGS = {"风": "fēng", "起": "qǐ", "天": "tiān", "空": "kōng", "云": "yún", "走": "zǒu", "山": "shān"}
ENGLISH = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
CHINESE = st.text(st.sampled_from(sorted(READINGS)), min_size=1, max_size=9)
ROLES = ["artist", "author", "file"]
ANYTHING = st.text(
    st.sampled_from("a1 ;；/|^[]<>:.-•#（）【译】风\n\t\u202e\u3000\x00é") | st.characters(), max_size=12
)
TIMES = st.none() | st.integers(0, 10_000_000)


@st.composite
def chinese_songs(draw, timed, translated=True):
    lines = draw(st.lists(CHINESE, min_size=1, max_size=6))
    starts = sorted(draw(st.sets(st.integers(0, 5_990_000), min_size=len(lines), max_size=len(lines))))
    ends = [*starts[1:], None]
    section = None
    made = []
    for text, start, end in zip(lines, starts, ends, strict=True):
        if draw(st.booleans()):
            section = draw(st.sampled_from(["副歌", "Verse 1"]))
        if end is None or draw(st.booleans()):
            end = draw(st.integers(start + 1, end or start + 9999))
        made.append(
            Line(
                text,
                draw(ENGLISH) if translated else None,
                " ".join(READINGS[character] for character in text),
                start if timed else None,
                end if timed else None,
                section=section,
            )
        )
    people = tuple(draw(st.lists(st.tuples(st.sampled_from(ROLES), CHINESE), max_size=2)))
    return Song(draw(CHINESE), "zh_CN", people, draw(ENGLISH), "own", tuple(made))


@st.composite
def any_songs(draw):
    words = st.builds(Word, ANYTHING, TIMES, TIMES)
    line = st.builds(
        Line,
        text=ANYTHING | ENGLISH | CHINESE,
        translation=st.none() | ANYTHING | CHINESE,
        reading=st.none() | ANYTHING,
        start=TIMES,
        end=TIMES,
        words=st.lists(words, max_size=3).map(tuple),
        section=st.none() | ANYTHING,
    )
    people = st.lists(st.tuples(st.sampled_from([*ROLES, "composer"]), ANYTHING), max_size=2)
    return Song(
        draw(ANYTHING),
        draw(st.sampled_from(["en", "zh_CN", "zh_TW"])),
        tuple(draw(people)),
        draw(ANYTHING),
        draw(ANYTHING),
        tuple(draw(st.lists(line, max_size=4))),
    )


@IN_MEMORY
@given(chinese_songs(timed=True))
def test_all_that_lrc_holds_comes_back(tmp_path, song):
    for form in ("lrc", "lrc-bilingual"):
        path = tmp_path / "a.lrc"
        assert save(song, path, format=form) == ()
        assert load(path) == song


@IN_MEMORY
@given(chinese_songs(timed=False))
def test_all_that_bullets_hold_comes_back(tmp_path, song):
    path = tmp_path / "a.txt"
    assert save(song, path, format="bullets") == ()
    assert load(path) == song


@IN_MEMORY
@given(st.lists(st.tuples(ENGLISH, st.none() | CHINESE), min_size=1), CHINESE)
def test_all_that_pairs_hold_comes_back(tmp_path, lines, title):
    song = Song(title, "en", lines=tuple(Line(text, translation) for text, translation in lines))
    path = tmp_path / "a.txt"
    assert save(song, path, format="pairs") == ()
    assert load(path) == song


@IN_MEMORY
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), min_size=1, max_size=4))
def test_times_of_words_come_back(tmp_path, rows):
    lines = []
    time = 0
    for row in rows:
        start = time
        words = []
        for word in row:
            words.append(Word(word, time, time + 150))
            time += 150 if len(words) % 2 else 205
        lines.append(Line(" ".join(row), start=start, end=words[-1].end, words=tuple(words)))
    song = Song("Words", "en", lines=tuple(lines))
    for form in ("lrc", "lrc-a2"):
        assert save(song, tmp_path / "a.lrc", format=form) == ()
        assert load(tmp_path / "a.lrc") == song


@IN_MEMORY
@given(chinese_songs(timed=True))
def test_all_that_srt_holds_comes_back(tmp_path, song):
    path = tmp_path / f"{song.title}.srt"
    losses = save(song, path)
    assert {loss.code for loss in losses} <= {"people", "source", "rights", "section", "language"}
    assert load(path).lines == tuple(
        Line(line.text, line.translation, line.reading, line.start, line.end) for line in song.lines
    )


@pytest.mark.parametrize("form", SUFFIXES)
@settings(IN_MEMORY, max_examples=40)
@given(song=any_songs())
def test_whatever_does_not_come_back_is_told(tmp_path, form, song):
    path = tmp_path / f"a{SUFFIXES[form]}"
    losses = save(song, path, format=form)
    try:
        back = load(path)
    except LyricsError:
        assert losses or song == Song("a", "zh_CN")
    else:
        assert bool(losses) == (back != song)
    for loss in losses:
        assert loss.line is None or 1 <= loss.line <= len(song.lines)
        assert loss.message_en.endswith(".")
        assert loss.message_zh.endswith("。")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_was_read_comes_back_or_its_loss_is_told(tmp_path, path):
    song = load(path)
    losses = save(song, tmp_path / path.name)
    assert bool(losses) == (load(tmp_path / path.name) != song)
    fields = {loss.code for loss in losses}
    # A text form has no place for two separators or several words; LRC has one for everything that it gave.
    assert fields <= ({"text", "translation"} if path.suffix == ".txt" else set())


def test_what_a_format_does_not_hold_is_told_by_field(tmp_path):
    line = Line("风起了", "The wind is up", "fēng qǐ le", 1000, 3000, (Word("风", 1000, 3000),), "副歌")
    song = Song("风", "zh_CN", (("composer", "x"),), "a book", "own", (line,))

    def lost(form):
        return [(loss.code, loss.line) for loss in save(song, tmp_path / f"{form}.x", format=form)]

    assert lost("lrc") == [("people", None), ("words", 1)]
    assert lost("lrc-plain") == [("people", None), ("translation", 1), ("reading", 1), ("words", 1)]
    assert lost("lrc-bilingual") == [("people", None), ("words", 1)]
    assert lost("pairs") == [("people", None), ("reading", 1), ("start", 1), ("end", 1), ("words", 1)]
    assert ("rights", None) in lost("srt")


def test_a_line_without_time_among_others_is_a_line_lost(tmp_path):
    song = Song("a", "zh_CN", lines=(Line("风", start=1000), Line("云"), Line("山", start=500)))
    losses = save(song, tmp_path / "a.lrc")
    assert [(loss.code, loss.line) for loss in losses] == [("line", 2), ("end", 3), ("order", None)]
    assert "云" in losses[0].message_en
    assert "云" in losses[0].message_zh


def test_the_end_of_a_section_cannot_be_written(tmp_path):
    song = Song("a", "zh_CN", lines=(Line("风", section="副歌"), Line("云", section="尾声"), Line("山")))
    for form in ("lrc", "pairs", "bullets"):
        (loss,) = save(song, tmp_path / "a.txt", format=form)
        assert (loss.code, loss.line, loss.lost, loss.kept) == ("section", 3, "", "尾声")


def test_the_text_form_that_loses_less_is_taken(tmp_path):
    path = tmp_path / "a.txt"
    save(Song("a", "zh_CN", lines=(Line("风起了", None, "fēng qǐ le"),)), path)
    assert load(path).format == "bullets"
    save(Song("a", "en", lines=(Line("The wind is up", "风起了"),)), path)
    assert load(path).format == "pairs"


def test_stamps_have_thousandths_only_where_they_say_something(tmp_path):
    path = tmp_path / "a.lrc"
    save(Song("a", "zh_CN", lines=(Line("风", start=61_500, end=62_005), Line("云", start=62_005))), path)
    assert path.read_text(encoding="utf-8") == "[ti:a]\n[la:zh-Hans]\n[01:01.50]风\n[01:02.005]云\n"


def test_a_translation_that_looks_like_a_reading_is_marked(tmp_path):
    path = tmp_path / "a.lrc"
    song = Song("a", "zh_CN", lines=(Line("啦啦", "la la", None, 1000),))
    assert save(song, path) == ()
    assert "[tr:en]la la" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [("a.mp3", {}, "format"), ("a.lrc", {"format": "docx"}, "format"), ("no/a.lrc", {}, "unwritable")],
)
def test_what_cannot_be_written_is_refused(tmp_path, name, options, code):
    with pytest.raises(LyricsError) as raised:
        save(Song("a", "en", lines=(Line("wind"),)), tmp_path / name, **options)
    assert raised.value.code == code
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_stays_when_the_new_one_cannot_be_written(tmp_path, monkeypatch):
    path = tmp_path / "a.lrc"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)

    def refuse(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", refuse)
        with pytest.raises(LyricsError, match="No space left"):
            save(Song("a", "en", lines=(Line("wind"),)), path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
    save(Song("a", "en", lines=(Line("wind"),)), path)
    assert path.stat().st_mode & 0o777 == 0o640
