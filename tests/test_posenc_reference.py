"""The tool that makes the reference values knows every one of them, and sees when one is wrong.

What it computes is not checked here: it needs the libraries that the values come from.
"""

import copy
import json
from decimal import Decimal
from pathlib import Path

import pytest

from tools import posenc_reference as tool

FILES = sorted((Path(__file__).parent / "posenc" / "data").glob("*-reference.json"))
CONTENT = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in FILES}


@pytest.mark.parametrize("name", CONTENT)
def test_every_value_can_be_made_again(name):
    entries = [entry for entry in CONTENT[name] if not entry.startswith("_")]
    assert entries
    assert set(entries) <= set(tool.ENTRIES)


def test_it_writes_a_row_of_numbers_on_a_line():
    text = tool.written({"a": {"rows": [[1.5, 2], [3, 1e-7]], "said": "é"}, "none": [], "flat": [1]})
    assert text.splitlines()[3:5] == ["   [1.5, 2],", "   [3, 1e-07]"]
    assert '"said": "é"' in text
    assert json.loads(text) == {"a": {"rows": [[1.5, 2], [3, 1e-7]], "said": "é"}, "none": [], "flat": [1]}


SOME = CONTENT["sinusoidal-reference.json"]["sinusoidal_interleaved"]


def changed(**fields):
    entry = copy.deepcopy(SOME)
    for name, change in fields.items():
        entry[name][1][2] += change
    return entry


def test_it_sees_what_differs():
    assert not list(tool.differences(SOME, changed(), "here"))
    assert not list(tool.differences(SOME, changed(lib=1e-7), "here"))  # another processor
    for wrong in [changed(lib=1e-6), changed(exact_f64=1e-8)]:
        [said] = tool.differences(SOME, wrong, "here")
        assert said.startswith("here.")
        assert "[1][2]: " in said
    assert list(tool.differences(SOME, SOME | {"library": "another"}, "here"))
    assert list(tool.differences(SOME | {"more": 1}, SOME, "here"))
    assert list(tool.differences(SOME, SOME | {"lib": SOME["lib"][1:]}, "here"))


def test_a_file_may_leave_fields_out():
    less = {"lib": SOME["lib"], "own": 1}
    assert tool.chosen(less, SOME) == less


def test_fifty_digits():
    # sin 3 and cos 3 to forty places.
    sine, cosine = tool.sine_and_cosine(Decimal(3))
    assert str(sine)[:42] == "0.1411200080598672221007448028081102798469"
    assert str(cosine)[:43] == "-0.9899924966004454572715727947312613023936"
    again = tool.sine_and_cosine(3 + 2 * tool.PI)
    assert abs(again[0] - sine) < Decimal("1e-47")


@pytest.mark.parametrize(
    ("offset", "bidirectional", "bucket"),
    [
        *[(0, True, 0), (-7, True, 7), (7, True, 23), (-8, True, 8), (-16, True, 10), (-1000, True, 15)],
        *[(3, False, 0), (-15, False, 15), (-16, False, 16), (-127, False, 31), (-128, False, 31)],
    ],
)
def test_buckets_without_logarithms(offset, bidirectional, bucket):
    assert tool.exact_bucket(offset, bidirectional=bidirectional) == bucket
