"""Measurements held to account, kept in files, and the claims of pages that they decide."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit import claims
from edukit.claims import ClaimError, Measurement, measure

# -- measuring ----------------------------------------------------------------------------------------

finite = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(value=finite, expect=finite, within=st.floats(0, 1e6))
def test_within_is_the_distance_allowed(value, expect, within):
    holds = abs(value - expect) <= within
    assert Measurement("x", value, expect=expect, within=within).holds is holds
    if holds:
        assert measure("x", value, expect=expect, within=within) is value
    else:
        with pytest.raises(ClaimError, match="x is"):
            measure("x", value, expect=expect, within=within)


@pytest.mark.parametrize(
    ("value", "expectation", "holds"),
    [
        (3, {"expect": 3}, True),
        (3.0000001, {"expect": 3}, False),
        (1e-17, {"below": 1e-16}, True),
        (1e-16, {"below": 1e-16}, False),
        (0.5, {"above": 0.5}, False),
        (0.51, {"above": 0.5, "below": 0.6}, True),
        (0.7, {"above": 0.5, "below": 0.6}, False),
        (0.4, {"above": 0.5, "below": 0.6}, False),
        (math.nan, {"below": 1}, False),
        (math.nan, {}, False),
        (math.inf, {"above": 1}, False),
        (109_482_240, {"expect": 109_482_240}, True),
        (2**60 + 1, {"expect": 2**60}, False),
    ],
)
def test_expectations(value, expectation, holds):
    assert Measurement("x", value, **expectation).holds is holds
    if not holds:
        with pytest.raises(ClaimError):
            measure("x", value, **expectation)


def test_a_miss_says_what_was_measured_and_what_was_expected():
    with pytest.raises(ClaimError) as miss:
        measure("probe-accuracy", 0.4771, expect=0.516, within=0.01, unit="of tokens")
    assert str(miss.value) == "probe-accuracy is 0.4771 of tokens, expected = 0.516 ± 0.01"
    with pytest.raises(ClaimError, match=r"expected > 1, < 2"):
        measure("x", 3, above=1, below=2)


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), np.array(0.5)])
def test_numbers_of_numpy_are_numbers(value):
    with claims.recording() as found:
        assert measure("half", value, expect=0.5) is value
    assert type(found[0].value) is float
    json.dumps(found[0].value)


def test_integers_stay_integers():
    with claims.recording() as found:
        measure("n", np.int64(7), expect=np.int32(7))
    assert type(found[0].value) is int
    assert type(found[0].expect) is int


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("", 1), ValueError, "name"),
        ((" x", 1), ValueError, "blanks"),
        (("a:b", 1), ValueError, "colon"),
        (("a,b", 1), ValueError, "comma"),
        (("a`b", 1), ValueError, "backtick"),
        (("a\nb", 1), ValueError, "one line"),
        ((3, 1), TypeError, "name must be a string"),
        (("x", "1"), TypeError, "value must be a real number, not '1'"),
        (("x", True), TypeError, "value"),
        (("x", 1j), TypeError, "value"),
        (("x", np.ones(2)), TypeError, "value"),
    ],
)
def test_what_cannot_be_measured(arguments, error, message):
    with pytest.raises(error, match=message):
        measure(*arguments)


def test_within_belongs_to_expect():
    with pytest.raises(ValueError, match="expect"):
        measure("x", 1, within=0.1)
    with pytest.raises(ValueError, match="negative"):
        measure("x", 1, expect=1, within=-0.1)
    with pytest.raises(ValueError, match="negative"):
        measure("x", 1, expect=1, within=math.nan)


def test_a_recording_holds_what_was_measured_in_it_in_order():
    measure("before", 1)
    with claims.recording() as found:
        measure("b", 1)
        with claims.recording() as inner:
            measure("c", 2)
        measure("a", 3)
    measure("after", 4)
    assert [one.name for one in found] == ["b", "a"]
    assert [one.name for one in inner] == ["c"]


def test_a_name_is_taken_once():
    with claims.recording():
        measure("x", 1)
        with pytest.raises(ValueError, match="taken"):
            measure("x", 1)


def test_a_recording_may_go_on_after_a_miss():
    with claims.recording(keep_going=True) as found:
        measure("x", 2, expect=1)
        measure("y", 1, expect=1)
    assert [one.holds for one in found] == [False, True]
    with claims.recording() as found, pytest.raises(ClaimError):
        measure("x", 2, expect=1)
    assert [one.holds for one in found] == [False]


# -- keeping ------------------------------------------------------------------------------------------


@given(
    st.lists(
        st.builds(
            Measurement,
            name=st.text("abc-中", min_size=1),
            value=st.one_of(st.integers(), finite),
            expect=st.none() | finite,
            below=st.none() | finite,
            unit=st.sampled_from(["", "ms", "个"]),
        ),
        max_size=5,
    )
)
def test_what_is_written_is_read_back(tmp_path_factory, measurements):
    path = tmp_path_factory.mktemp("claims") / "x.measured.json"
    claims.write(path, measurements, script="examples/x.py")
    assert claims.read(path) == ("examples/x.py", tuple(measurements))


def test_a_file_that_says_the_same_is_not_touched(tmp_path):
    path = tmp_path / "x.measured.json"
    claims.write(path, [Measurement("x", 1)], script="x.py")
    path.chmod(0o400)
    before = path.stat().st_mtime_ns
    claims.write(path, [Measurement("x", 1)], script="x.py")
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"script": "x", "measurements": [{"nome": 1}]}', "\x00"])
def test_a_file_of_something_else_is_refused(tmp_path, text):
    path = tmp_path / "x.measured.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="does not hold measurements"):
        claims.read(path)


def test_running_a_script_gives_what_it_measures_up_to_its_error(tmp_path):
    script = tmp_path / "课 程.py"
    script.write_text(
        "import helper\nfrom edukit.claims import measure\n"
        "measure('missed', helper.TWO, expect=1)\nmeasure('hit', 1, expect=1)\nraise KeyError('lost')\n",
        encoding="utf-8",
    )
    (tmp_path / "helper.py").write_text("TWO = 2\n", encoding="utf-8")
    found, error = claims.run(script)
    assert [(one.name, one.holds) for one in found] == [("missed", False), ("hit", True)]
    assert error == "KeyError: 'lost'"
    script.write_text("from edukit.claims import measure\nmeasure('x', 1)\n", encoding="utf-8")
    assert claims.run(script) == ((Measurement("x", 1),), "")


# -- showing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "spec", "shown"),
    [
        (109_482_240, "", "109,482,240"),
        (3.99744, "", "4"),
        (3.99744, ".3f", "3.997"),
        (0.0108, ".2%", "1.08%"),
        (-17, "", "−17"),
        (2.8e-16, "", "2.8 × 10⁻¹⁶"),
        (2.8e-16, ".0e", "3 × 10⁻¹⁶"),
        (1e-16, ".0e", "10⁻¹⁶"),
        (1.5e12, "", "1.5 × 10¹²"),
        (-1e-5, ".0e", "−1 × 10⁻⁵"),
    ],
)
def test_numbers_as_text(value, spec, shown):
    assert claims.plain_value(value, spec) == shown


def test_a_format_for_something_else_is_refused():
    with pytest.raises(ValueError, match="format"):
        claims.format_value(1.5, "d")


def test_cited_numbers_are_filled_in():
    known = {"a": Measurement("a", 1.25)}
    text = "{measured}`a`, {measured}`a:.0f`, {measured}`b`, {math}`a`"
    assert claims.fill_in(text, known) == "1.25, 1, {measured}`b`, {math}`a`"


# -- the claims of a page -----------------------------------------------------------------------------

PAGE = """
# A page

```{claim} 4.1
:verdict: false
:measured: first, last
:source: somebody 2017

What is claimed
over two lines.

What is right.

And more.
```

:::{note}
:::{claim} 10
:verdict: true
:measured: x
A claim without a blank line.
:::
:::

````
```{claim} 5
only shown
```
````

````{tip}
```{claim} further
:verdict: open
:source: nobody
Inside.
```
````
"""


def test_claims_are_read_from_a_page(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    first, second, third = claims.read_claims(path)
    assert first == claims.Claim(
        section="4.1",
        verdict="false",
        statement="What is claimed over two lines.",
        correction=("What is right.", "And more."),
        source="somebody 2017",
        measured=("first", "last"),
        path=path,
        line=4,
    )
    assert (second.section, second.statement, second.line) == ("10", "A claim without a blank line.", 18)
    assert (third.section, third.verdict) == ("further", "open")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("```{claim} 1\n:verdict: true\n:source: s\nx\n", "1: this claim never ends"),
        ("\n```{claim} 1\n:verdict: maybe\n:source: s\nx\n```", "2: the verdict of a claim is"),
        ("```{claim}\n:verdict: true\n:source: s\nx\n```", "in which section"),
        ("```{claim} 1\n:verdict: true\n:source: s\n```", "begins with what is claimed"),
        ("```{claim} 1\n:verdict: false\n:source: s\nx\n```", "says what is right"),
        ("```{claim} 1\n:verdict: true\nx\n```", "nothing decides this claim"),
    ],
)
def test_incomplete_claims_are_told_with_their_place(tmp_path, page, message):
    path = tmp_path / "page.md"
    path.write_text(page, encoding="utf-8")
    with pytest.raises(claims.PageError, match=message):
        claims.read_claims(path)


def test_sections_are_in_the_order_of_the_article():
    sections = ["further", "10", "8.2", "2.3", "2", "8.1"]
    assert sorted(sections, key=claims.section_key) == ["2", "2.3", "8.1", "8.2", "10", "further"]
