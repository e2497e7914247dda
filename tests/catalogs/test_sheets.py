"""A page goes out as a table or a text and comes back; what happens to it on the way is noticed."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from edukit.catalogs import Catalog, Message
from edukit.catalogs.sheets import (
    Reading,
    Row,
    SheetError,
    decoded,
    from_csv,
    from_markdown,
    known,
    read_back,
    recalled,
    remember,
    rows_of,
    to_csv,
    to_markdown,
)


def catalog(*messages: Message) -> Catalog:
    return Catalog(Path("page.po"), messages)


def message(source: str, translation: str = "", *, fuzzy: bool = False, previous: str = "") -> Message:
    return Message(source, translation, 1, fuzzy=fuzzy, previous=previous)


def as_csv(rows: list[Row]) -> list[Row]:
    return from_csv(to_csv(rows, "en", "zh_CN"), "en", "zh_CN")


def as_markdown(rows: list[Row]) -> list[Row]:
    return from_markdown(to_markdown(rows, "en", "zh_CN", "page"), "zh_CN") if rows else []


FORMS = pytest.mark.parametrize("form", [as_csv, as_markdown])
Form = Callable[[list[Row]], list[Row]]

# Whatever stands in a text: formulas of spreadsheets, marks of the text itself, quotes, lines.
_TRICKY = st.sampled_from(
    ["=1+1", "'=1", "''@a", "+", "-x", "@SUM(A1)", "> quoted", "<!-- 1 · 0123456789-012345 -->",
     "\\<!-- 2 · x",
     "#REF", '"', ",", ";", "|", "\n", "\n\n", "词元", " ", "'", "1.0", "“”", "`x`"]
)  # fmt: skip
_TEXTS = st.lists(st.one_of(_TRICKY, st.text("ab词。\n", max_size=5)), min_size=1, max_size=5).map("".join)
_MESSAGES = st.lists(
    st.builds(
        message,
        _TEXTS.filter(str.strip),
        st.one_of(st.just(""), _TEXTS),
        fuzzy=st.booleans(),
        previous=st.one_of(st.just(""), _TEXTS),
    ),
    max_size=5,
    unique_by=lambda one: one.id,
)


@FORMS
@given(messages=_MESSAGES)
def test_a_file_that_nobody_has_changed_changes_nothing(form: Form, messages: list[Message]) -> None:
    one = catalog(*messages)
    reading = read_back(one, form(rows_of(one)))
    assert (reading.catalog, reading.taken, reading.remarks) == (one, (), ())


@FORMS
@given(messages=_MESSAGES, new=st.lists(_TEXTS.filter(str.strip), min_size=5, max_size=5))
def test_what_is_filled_in_is_taken_as_it_is(form: Form, messages: list[Message], new: list[str]) -> None:
    one = catalog(*messages)
    filled = [replace(row, translation=text) for row, text in zip(rows_of(one), new, strict=False)]
    filled = [row for row in filled if "#REF" not in row.translation]
    # Texts that come from elsewhere in the file have a test of their own.
    known = {_trimmed(text) for row in rows_of(one) for text in (row.source, row.translation)}
    assume(not any(_trimmed(row.translation) in known for row in filled))
    after = {row.key: row for row in rows_of(read_back(one, form(filled)).catalog)}
    taken = {key.partition("-")[0]: row.translation for key, row in after.items()}
    for row in filled:
        name = row.key.partition("-")[0]
        # What has no words and is done now goes out no more.
        if name in taken:
            assert _trimmed(taken[name]) == _trimmed(row.translation)


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


PAGE = catalog(
    message("First", "第一"),
    message("Second"),
    message("Third one", "第三", fuzzy=True, previous="Third"),
    message("1/2", ""),
)


def read_page(*rows: Row, encoding: str = "utf-8") -> Reading:
    return read_back(PAGE, rows, encoding=encoding)


FIRST, SECOND, THIRD, FOURTH = rows_of(PAGE)


def codes(reading: Reading) -> list[str]:
    return [remark.code for remark in reading.remarks]


def test_rows_may_be_sorted_left_out_and_doubled() -> None:
    second = replace(SECOND, translation="第二")
    reading = read_page(second, FIRST, second)
    assert [one.string for one in reading.catalog.messages] == ["第一", "第二", "第三", ""]
    assert codes(reading) == []
    reading = read_page(second, replace(second, translation="二"))
    assert (codes(reading), reading.catalog.messages[1].string) == (["twice"], "第二")


def test_an_emptied_note_says_that_a_translation_is_right() -> None:
    assert "it was: Third" in THIRD.note
    assert read_page(THIRD).catalog.messages[2].fuzzy
    reading = read_page(replace(THIRD, note=""))
    assert (reading.catalog.messages[2].fuzzy, reading.catalog.messages[2].previous) == (False, "")
    assert len(reading.taken) == 1
    text = to_markdown(rows_of(PAGE), "en", "zh_CN", "page").replace(" · CHECK", "")
    assert not read_back(PAGE, from_markdown(text, "zh_CN")).catalog.messages[2].fuzzy


def test_a_translation_that_was_emptied_stays() -> None:
    reading = read_page(replace(FIRST, translation=""))
    assert (codes(reading), reading.catalog) == (["emptied"], PAGE)


def test_what_somebody_else_has_written_meanwhile_is_not_overwritten() -> None:
    now = catalog(message("First", "壹"), *PAGE.messages[1:])
    reading = read_back(now, [replace(FIRST, translation="头一个")])
    assert (codes(reading), reading.catalog) == (["both"], now)
    assert "壹" in reading.remarks[0].message
    # The same from both is no matter, and a row that was not touched is none.
    assert codes(read_back(now, [replace(FIRST, translation="壹"), SECOND])) == []
    assert read_back(now, [FIRST]).catalog == now


def test_a_text_that_the_page_no_longer_has_is_kept() -> None:
    now = catalog(*PAGE.messages[:1])
    reading = read_back(now, [FIRST, replace(SECOND, translation="第二"), THIRD])
    assert codes(reading) == ["gone"]
    assert [(one.id, one.string, one.obsolete) for one in reading.catalog.obsolete] == [
        ("Second", "第二", True)
    ]


def test_a_damaged_key_is_found_by_its_source() -> None:
    reading = read_page(replace(SECOND, key="1E+10", translation="第二"))
    assert (codes(reading), reading.catalog.messages[1].string) == ([], "第二")
    assert codes(read_page(replace(SECOND, key="", source="Unknown", translation="x"))) == ["key"]


@pytest.mark.parametrize(
    ("row", "code", "string"),
    [
        (replace(SECOND, translation="#NAME?"), "formula", ""),
        (replace(FOURTH, source="1月2日", translation="1月2日"), "number", ""),
        (replace(SECOND, source="Seconds", translation="第二"), "source", "第二"),
    ],
)
def test_damage_by_a_spreadsheet_is_told(row: Row, code: str, string: str) -> None:
    reading = read_page(row)
    assert codes(reading) == [code]
    name = "1/2" if code == "number" else "Second"
    assert {one.id: one.string for one in reading.catalog.messages}[name] == string


THREE = catalog(message("One bird", "一只鸟"), message("Two cats", "两只猫"), message("Red", "红"))
BIRD, CATS, RED = rows_of(THREE)


def strings(reading: Reading) -> list[str]:
    return [one.string for one in reading.catalog.messages]


def test_columns_are_known_by_their_names() -> None:
    table = [["No", "key (leave as it is)", "zh-CN", "check again (…)", "EN", "my notes"]]
    table += [
        ["1", BIRD.key, "一只小鸟", "", "One bird", "en?"],
        ["2", CATS.key, "两只猫", "", "Two cats", ""],
    ]
    out = io.StringIO(newline="")
    csv.writer(out).writerows(table)
    reading = read_back(THREE, from_csv(out.getvalue(), "en", "zh_CN"))
    assert (strings(reading), codes(reading)) == (["一只小鸟", "两只猫", "红"], [])


@pytest.mark.parametrize("head", ["A,B,check again,key", "en,en,zh_CN,key", "en,zh_CN,check again"])
def test_a_table_without_the_names_of_its_columns_is_refused(head: str) -> None:
    with pytest.raises(SheetError, match="row 1: the first row"):
        from_csv(f"{head}\n1,2,3,4\n", "en", "zh_CN")


def test_without_the_column_to_look_again_no_translation_is_said_to_be_right() -> None:
    [row] = from_csv(f"en,zh_CN,key\n{THIRD.source},{THIRD.translation},{THIRD.key}\n", "en", "zh_CN")
    assert read_page(row).catalog == PAGE


def test_the_source_in_place_of_a_translation_is_not_taken() -> None:
    reading = read_back(THREE, [replace(BIRD, translation="One  bird")])
    assert (codes(reading), reading.catalog) == (["same"], THREE)
    # A name that stays as it is was never translated.
    assert read_page(replace(SECOND, translation="Second")).catalog.messages[1].string == "Second"


def test_keys_that_were_not_sorted_along_give_way_to_the_sources() -> None:
    rows = [
        replace(CATS, translation="两只小猫", key=BIRD.key),
        replace(RED, key=CATS.key),
        replace(BIRD, key=RED.key),
    ]
    reading = read_back(THREE, rows)
    assert (strings(reading), codes(reading)) == (["一只鸟", "两只小猫", "红"], ["sorted"])
    # Whether the note was sorted along is not known.
    fuzzy = catalog(message("One bird", "鸟", fuzzy=True), message("Two cats", "两只猫"))
    bird, cats = rows_of(fuzzy)
    rows = [replace(cats, key=bird.key), replace(bird, key=cats.key, note="")]
    assert read_back(fuzzy, rows).catalog == fuzzy


def test_sources_that_were_sorted_by_themselves_take_no_translation_along() -> None:
    rows = [
        replace(BIRD, source="Two cats", translation="一只小鸟"),
        replace(CATS, source="Red"),
        replace(RED, source="One bird"),
    ]
    reading = read_back(THREE, rows)
    assert (codes(reading), reading.catalog) == (["apart"], THREE)


def test_a_source_that_is_another_one_is_not_that_of_its_key() -> None:
    reading = read_back(THREE, [replace(BIRD, source="Something else", translation="别的")])
    assert (codes(reading), reading.catalog) == (["apart"], THREE)


def test_translations_that_have_moved_are_refused() -> None:
    moved = [
        replace(BIRD, translation="新的", place="row 2"),
        replace(CATS, translation="一只鸟", place="row 3"),
        replace(RED, translation="两只猫", place="row 4"),
    ]
    assert len(read_back(THREE, moved).taken) == 3
    four = catalog(*THREE.messages, message("Blue", "蓝"))
    with pytest.raises(SheetError, match="in row 3, row 4, row 5: was a cell put in"):
        read_back(four, [*moved, replace(rows_of(four)[3], translation="红", place="row 5")])
    # In the catalog somebody may move them.
    texts = [one.string for one in four.messages]
    now = [
        replace(one, string=text) for one, text in zip(four.messages, texts[1:] + texts[:1], strict=True)
    ]
    assert read_back(catalog(*now), rows_of(four)).catalog == catalog(*now)


# Read as Latin-1, by Windows, and as GBK, by programs that were not told that it is UTF-8.
@pytest.mark.parametrize(
    "text",
    [
        "一只�",
        "一只鸟".encode().decode("latin-1"),
        "一只鸟，two".encode().decode("latin-1"),
        "歌".encode().decode("latin-1"),
        "我们 a".encode().decode("cp1252"),
        "我们说".encode().decode("gbk", "replace"),
        "我们".encode().decode("gbk"),
    ],
)
def test_what_was_read_in_a_wrong_encoding_is_not_taken(text: str) -> None:
    reading = read_page(replace(SECOND, translation=text))
    assert (codes(reading), reading.catalog) == (["encoding"], PAGE)


@pytest.mark.parametrize(
    "text", ["Café “à la”…", "Il dit : é»” – oui", "联通", "朗朗上口的歌", "‘ä’…”", "æ"]
)
def test_what_is_rarely_written_is_not_garbled(text: str) -> None:
    assert codes(read_page(replace(SECOND, translation=text))) == []


def test_a_file_may_be_corrected_and_read_again() -> None:
    rows = [replace(SECOND, translation="二"), replace(FIRST, translation="壹"), FOURTH]
    once = read_page(*rows)
    assert len(once.taken) == 2
    # The same again is nothing new; a correction is.
    again = read_back(once.catalog, rows, agreed=once.agreed)
    assert (again.taken, again.remarks) == ((), ())
    better = [replace(SECOND, translation="第二"), *rows[1:]]
    twice = read_back(again.catalog, better, agreed=again.agreed)
    assert (strings(twice)[:2], codes(twice)) == (["壹", "第二"], [])
    # What somebody else has changed since is not overwritten, also not by what was right at first.
    first, second, *rest = twice.catalog.messages
    other = replace(twice.catalog, messages=(first, replace(second, string="另一个"), *rest))
    for text in ("", "二", "第二个"):
        row = replace(SECOND, translation=text)
        assert codes(read_back(other, [row, *rows[1:]], agreed=twice.agreed)) == ["both"]
    assert codes(read_back(other, better, agreed=twice.agreed)) == []
    # Back to how it was written, and emptied.
    back = read_back(twice.catalog, [FIRST, better[0]], agreed=twice.agreed)
    assert (strings(back)[:2], codes(back)) == (["第一", "第二"], [])
    emptied = read_back(twice.catalog, [SECOND, *rows[1:]], agreed=twice.agreed)
    assert (strings(emptied), codes(emptied)) == (strings(twice), ["emptied"])
    # The catalog was taken back: the file is new to it again.
    assert strings(read_back(PAGE, better, agreed=twice.agreed))[:2] == ["壹", "第二"]


def test_another_copy_of_a_file_does_not_correct_the_first() -> None:
    once = read_page(replace(FIRST, translation="壹"), replace(SECOND, translation="二"), THIRD)
    copy = [FIRST, replace(SECOND, translation="乙"), THIRD]
    # Read without the memory of the first, as under another name.
    assert codes(read_back(once.catalog, copy)) == ["both"]
    fourth = replace(FOURTH, translation="二分之一")
    once = read_page(replace(FIRST, translation="壹"), replace(SECOND, translation="二"), fourth)
    copy = [FIRST, replace(SECOND, translation="乙"), FOURTH]
    assert codes(read_back(once.catalog, copy, agreed=once.agreed)) == ["both"]


def test_what_was_read_is_remembered_beside_the_build(tmp_path: Path) -> None:
    memory = tmp_path / "_build/memory.json"
    assert recalled(memory, "one") == {}
    remember(memory, "one", {})
    assert not memory.exists()
    remember(memory, "one", {"a": "b"})
    remember(memory, "two", {"c": "d"})
    assert recalled(memory, "one") == {"a": "b"}
    assert recalled(memory, "two") == {"c": "d"}
    memory.write_text("damaged", encoding="utf-8")
    assert recalled(memory, "two") == {}


TEXT = to_markdown(rows_of(THREE), "en", "zh_CN", "page")


@pytest.mark.parametrize(
    ("damaged", "place"),
    [
        (TEXT.replace("<!-- 2 ·", "<!- 2 ·"), "line 12"),
        (TEXT.replace("<!-- 2 ·", "<!— 2 ·"), "line 12"),
        (TEXT.replace("<!-- 2 ·", "\\<!-- 2 ·"), "line 12"),
        (TEXT.replace("<!-- 2 ·", "  <!-- 2 ·"), "line 12"),
        (TEXT.replace(f"{CATS.key} -->", f"{CATS.key}"), "line 12"),
        (TEXT.replace(CATS.key, "5b7b"), "line 12"),
        (TEXT.replace(f"<!-- 2 · {CATS.key} -->\n", ""), "line 12"),
        (TEXT.replace("<!-- 1 ·", "<!- 1 ·"), "line 7"),
        (TEXT.replace("zh_CN", "fr"), "line 1"),
    ],
)
def test_a_damaged_line_does_not_swallow_the_next_text(damaged: str, place: str) -> None:
    assert len(from_markdown(TEXT, "zh_CN")) == 3
    with pytest.raises(SheetError, match=f"^{place}: "):
        from_markdown(damaged, "zh_CN")


def test_a_translation_may_be_typed_as_a_quotation() -> None:
    text = TEXT.replace("\n两只猫\n", "\n> 两只小猫\n").replace("\n\n红\n", "\n> 红的\n")
    reading = read_back(THREE, from_markdown(text, "zh_CN"))
    assert (strings(reading), codes(reading)) == (["一只鸟", "两只小猫", "红的"], [])


def test_a_place_is_what_the_program_shows() -> None:
    two = catalog(message("a\nb", "x"), message("c", "y"))
    assert [row.place for row in as_csv(rows_of(two))] == ["row 2", "row 3"]
    assert [row.place for row in as_markdown(rows_of(two))] == ["line 7", "line 13"]


def test_a_file_is_known_by_its_texts() -> None:
    assert known(THREE, [BIRD, replace(CATS, key=""), replace(RED, source=""), FIRST]) == 3


def test_quotation_marks_and_line_ends_that_programs_make_nicer_are_no_damage() -> None:
    one = catalog(message('Say "yes"\nit\'s...', "说"))
    [row] = rows_of(one)
    row = replace(row, source="Say “yes”\r\nit’s…", translation="说“好”\r\n吧")
    reading = read_back(one, [row])
    assert (codes(reading), reading.catalog.messages[0].string) == ([], "说“好”\n吧")


def test_the_ends_of_a_translation_are_those_of_its_source() -> None:
    one = catalog(message("\nA line\n", ""))
    [row] = rows_of(one)
    assert read_back(one, [replace(row, translation="一行")]).catalog.messages[0].string == "\n一行\n"


def test_wps_saves_in_gbk_and_lacks_signs() -> None:
    one = catalog(message("From 1 ‑ 2", "从 1 ‑ 2"), message("Other ‑ one", ""))
    text = to_csv(rows_of(one), "en", "zh_CN").replace("Other ‑ one,", "Other ‑ one,另 ‑ 一")
    data = text.encode("gbk", "replace")
    read, encoding = decoded(data)
    assert encoding == "gb18030"
    reading = read_back(one, from_csv(read, "en", "zh_CN"), encoding=encoding)
    # What was not touched is no change, though a sign of it is lost in the file.
    assert [m.string for m in reading.catalog.messages] == ["从 1 ‑ 2", "另 ? 一"]
    assert codes(reading) == ["encoding"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_way_in_which_spreadsheets_save(encoding: str, delimiter: str) -> None:
    table = csv.reader(io.StringIO(to_csv(rows_of(PAGE), "en", "zh_CN"), newline=""))
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(table)
    rows = from_csv(decoded(out.getvalue().encode(encoding))[0], "en", "zh_CN")
    assert [replace(row, place="") for row in rows] == rows_of(PAGE)
    assert from_csv(f"sep={delimiter}\r\n{out.getvalue()}", "en", "zh_CN") == rows


def test_no_cell_is_a_formula() -> None:
    one = catalog(message("=1+1", "@x"), message("+a", "-b"), message("\ta", "＝b"))
    for cells in csv.reader(io.StringIO(to_csv(rows_of(one), "en", "zh_CN"), newline="")):
        assert not any(cell[:1] in "=+-@\t＝" for cell in cells if cell)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04", "workbook .* save it as CSV"),
        (b"\xd0\xcf\x11\xe0", "workbook .* save it as CSV"),
        (b"a,b,c\n1,2,3\n", "the first row"),
        (b"", "the first row"),
    ],
)
def test_what_is_no_such_file_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(SheetError, match=message):
        from_csv(decoded(data)[0], "en", "zh_CN")
    with pytest.raises(SheetError):
        from_markdown("# Some text\n", "zh_CN")
