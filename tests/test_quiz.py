"""Answers that count as the same, and codes that carry a result."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit import cli, quiz
from edukit.quiz import CodeError, Mark, Result

SPELLINGS = [
    ("equivariant", "Equivariant", True),
    (" equivariant. ", "equivariant", True),
    ("ｅｑｕｉｖａｒｉａｎｔ", "equivariant", True),
    ("don’t", "don't", True),
    ("dog  bites\tman!", "dog bites man", True),
    ("等变。", "等变", True),
    ("等变性", "等变", False),
    ("STRASSE", "straße", True),
    ("", "", False),
    ("...", "!", False),
    ("invariant", "equivariant", False),
]

NUMBERS = [
    ("6.28", 6.28),
    (" ６．２８ ", 6.28),
    ("-3", -3.0),
    ("−3", -3.0),
    ("+.5", 0.5),
    ("3/4", 0.75),
    ("-3 / 4", -0.75),
    ("12%", 0.12),
    ("109,482,240", 109482240.0),
    ("1,5", None),
    ("1e-3", 0.001),
    ("1.5×10⁻⁷", 1.5e-7),
    ("1.5 × 10^-7", 1.5e-7),
    ("2*10^3", 2000.0),
    ("10⁻³", 0.001),
    ("10^3", 1000.0),
    ("1024", 1024.0),
    ("10", 10.0),
    ("1/0", None),
    ("1/2/3", None),
    ("1e999", None),
    ("", None),
    ("six", None),
    ("nan", None),
    ("inf", None),
    ("0x10", None),
]


@pytest.mark.parametrize(("typed", "accepted", "same"), SPELLINGS)
def test_spellings(typed, accepted, same):
    assert quiz.same_text(typed, accepted) is same


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_numbers(text, value):
    assert quiz.read_number(text) == (None if value is None else pytest.approx(value, rel=1e-12))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_of_python_is_read(value):
    assert quiz.read_number(repr(value)) == value


@pytest.mark.parametrize(
    ("typed", "accepted", "same"),
    [
        ("6.27", "6.28 ± 0.01", True),
        ("6.29", "6.28 ± 0.01", True),
        ("6.30", "6.28 ± 0.01", False),
        ("0.3", "0.1 ± 0.2", True),
        ("512", "512", True),
        ("512.0001", "512", False),
        ("0.0108", "1.08%", True),
        ("x", "1", False),
        ("1", "x", False),
    ],
)
def test_tolerance(typed, accepted, same):
    assert quiz.same_number(typed, accepted) is same


def test_a_tolerance_is_not_negative():
    assert quiz.read_tolerance("3 ± -1") is None
    assert quiz.read_tolerance("3 ± x") is None


@given(st.integers(2, 9), st.text(max_size=8))
def test_shuffled_is_another_order_and_the_same_each_time(number, seed):
    order = quiz.shuffled(number, seed)
    assert sorted(order) == list(range(number))
    assert order != list(range(number))
    assert order == quiz.shuffled(number, seed)


results = st.builds(
    Result,
    page=st.integers(0, 2**20 - 1),
    marks=st.lists(st.sampled_from(Mark), min_size=1, max_size=quiz.MOST_QUESTIONS).map(tuple),
)


@given(results)
def test_a_code_is_read_back(result):
    code = quiz.encode(result)
    assert quiz.decode(code) == result
    assert quiz.decode(code.lower().replace("-", " ")) == result
    assert quiz.decode(code.replace("0", "O").replace("1", "l")) == result


# Of mistakes drawn anew each time, one in sixteen thousand would be a valid code.
@settings(derandomize=True)
@given(results, st.data())
def test_a_mistyped_sign_is_noticed(result, data):
    code = quiz.encode(result).replace("-", "")
    place = data.draw(st.integers(0, len(code) - 1))
    other = data.draw(
        st.sampled_from([sign for sign in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" if sign != code[place]])
    )
    with pytest.raises(CodeError):
        quiz.decode(code[:place] + other + code[place + 1 :])


@settings(derandomize=True)
@given(results, st.data())
def test_a_missing_sign_is_noticed(result, data):
    code = quiz.encode(result).replace("-", "")
    place = data.draw(st.integers(0, len(code) - 1))
    shorter = code[:place] + code[place + 1 :]
    # Without its last signs a code may lose only bits that were there to fill it up.
    try:
        assert quiz.decode(shorter) == result
    except CodeError:
        return


@given(st.text(max_size=30))
def test_anything_else_is_no_code(text):
    try:
        result = quiz.decode(text)
    except CodeError:
        return
    assert quiz.decode(quiz.encode(result)) == result


def test_counts():
    result = Result(1, (Mark.AT_ONCE, Mark.RIGHT, Mark.WRONG, Mark.OPEN, Mark.AT_ONCE))
    assert (result.right, result.at_once) == (3, 2)


@pytest.mark.parametrize("marks", [(), (Mark.OPEN,) * (quiz.MOST_QUESTIONS + 1)])
def test_a_code_holds_some_questions_and_not_too_many(marks):
    with pytest.raises(ValueError, match="1 to 63"):
        quiz.encode(Result(1, marks))


def test_pages_have_keys_of_their_own():
    names = [f"position/chapter-{number}" for number in range(40)]
    assert len({quiz.page_key(name) for name in names}) == len(names)
    assert all(0 <= quiz.page_key(name) < 2**20 for name in names)


CODE = quiz.encode(Result(quiz.page_key("waves"), (Mark.AT_ONCE, Mark.WRONG)))


@pytest.mark.parametrize(
    "line",
    [
        f"小明 {CODE}",
        f"{CODE}\t小明",
        f"小明：{CODE.lower()}",
        f'"小明", {CODE}',
        f"小明 {CODE.replace('-', '–')}",
    ],
)
def test_a_line_of_a_list(line):
    [read] = quiz.read_list(f"\n{line}\n\n")
    assert (read.name, read.problem) == ("小明", "")
    assert read.result == quiz.decode(CODE)


def test_a_date_is_not_taken_for_a_code():
    [read] = quiz.read_list(f"小红 {CODE} 2026-11-30")
    assert read.result == quiz.decode(CODE)
    assert read.name == "小红 2026-11-30"
    [read] = quiz.read_list("小红 2026-1130")
    assert read.result is None


# -- edukit quiz decode -------------------------------------------------------------------------------


@pytest.fixture
def pasted(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "waves.md").write_text("# Waves\n")
    wrong = CODE[:-1] + ("0" if CODE[-1] != "0" else "1")
    (tmp_path / "list.txt").write_text(f"小明 {CODE}\nAnna {wrong}\n李雷\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_table_of_a_class(pasted, capsys):
    assert cli.main(["quiz", "decode", "list.txt"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["小明", "1/2", "1", "✓-", "waves"]
    assert "a sign of it is wrong" in lines[2]
    assert "no result code" in lines[3]
    # Chinese names take two columns a character, so the scores stand below each other.
    assert lines[0].index("right") == lines[1].index("1/2") + len("小明")


def test_the_table_for_programs(pasted, capsys):
    (pasted / "list.txt").write_text(f"Anna, {CODE}\n")
    assert cli.main(["quiz", "decode", "list.txt", "--csv"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "name,page,right,at_once,questions,marks,problem",
        "Anna,waves,1,1,2,✓-,",
    ]
    assert cli.main(["quiz", "decode", "list.txt", "--json"]) == 0
    assert '"right": 1' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "cannot be read"), (b"\xff\xfe\x00", "UTF-8"), (b"\n \n", "the list is empty")],
)
def test_wrong_lists(pasted, capsys, content, message):
    (pasted / "list.txt").unlink()
    if content is not None:
        (pasted / "list.txt").write_bytes(content)
    assert cli.main(["quiz", "decode", "list.txt"]) == 2
    assert message in capsys.readouterr().err


def test_numbers_that_are_no_numbers_do_not_count():
    assert not quiz.same_number("nan", "nan")
    assert math.isfinite(quiz.read_number("1e308") or math.inf)
