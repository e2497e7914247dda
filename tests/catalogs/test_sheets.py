"""A page goes out as a table or a text and comes back; what happens to it on the way is noticed."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit.catalogs import Catalog, Message
from edukit.catalogs.sheets import (
    Reading,
    Row,
    SheetError,
    decoded,
    from_csv,
    from_markdown,
    read_back,
    rows_of,
    to_csv,
    to_markdown,
)


def catalog(*messages: Message) -> Catalog:
    return Catalog(Path("page.po"), messages)


def message(source: str, translation: str = "", *, fuzzy: bool = False, previous: str = "") -> Message:
    return Message(source, translation, 1, fuzzy=fuzzy, previous=previous)


def as_csv(rows: list[Row]) -> list[Row]:
    return from_csv(to_csv(rows, "en", "zh_CN"))


def as_markdown(rows: list[Row]) -> list[Row]:
    return from_markdown(to_markdown(rows, "en", "zh_CN", "page")) if rows else []


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
    assert not read_back(PAGE, from_markdown(text)).catalog.messages[2].fuzzy


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
    reading = read_back(one, from_csv(read), encoding=encoding)
    # What was not touched is no change, though a sign of it is lost in the file.
    assert [m.string for m in reading.catalog.messages] == ["从 1 ‑ 2", "另 ? 一"]
    assert codes(reading) == ["encoding"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_way_in_which_spreadsheets_save(encoding: str, delimiter: str) -> None:
    table = csv.reader(io.StringIO(to_csv(rows_of(PAGE), "en", "zh_CN"), newline=""))
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(table)
    rows = from_csv(decoded(out.getvalue().encode(encoding))[0])
    assert [replace(row, line=0) for row in rows] == rows_of(PAGE)


def test_no_cell_is_a_formula() -> None:
    one = catalog(message("=1+1", "@x"), message("+a", "-b"), message("\ta", "＝b"))
    for cells in csv.reader(io.StringIO(to_csv(rows_of(one), "en", "zh_CN"), newline="")):
        assert not any(cell[:1] in "=+-@\t＝" for cell in cells if cell)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04", "save it as CSV"),
        (b"a,b,c\n1,2,3\n", "the first row"),
        (b"", "the first row"),
    ],
)
def test_what_is_no_such_file_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(SheetError, match=message):
        from_csv(decoded(data)[0])
    with pytest.raises(SheetError):
        from_markdown("# Some text\n")
