"""Questions as pages hold them: whole without a script, translatable, and refused when they cannot be."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from edukit import quiz
from tests.conftest import sphinx_build


def build(site, *options, ok=True, out="_build"):
    result = sphinx_build("-q", "-W", "-n", *options, ".", out, cwd=site)
    assert (result.returncode == 0) is ok, result.stderr
    return result.stderr


def page(site, out="_build"):
    return BeautifulSoup((site / out / "index.html").read_text(encoding="utf-8"), "html.parser")


def texts(soup, selector):
    return [" ".join(one.get_text().split()) for one in soup.select(selector)]


def data(soup, name):
    return json.loads(soup.select_one(f"#quiz-{name}")["data-quiz"])


@pytest.fixture(scope="module")
def soup(tmp_path_factory):
    import shutil

    from tests.conftest import SITES

    site = tmp_path_factory.mktemp("quiz") / "site"
    shutil.copytree(SITES / "quiz", site)
    build(site)
    return page(site)


# -- what is there without a script ------------------------------------------------------------------------


def test_questions_are_numbered_in_their_order(soup):
    assert texts(soup, ".edukit-quiz-label") == [f"Question {number}" for number in range(1, 7)]


def test_options_stand_without_their_boxes(soup):
    assert texts(soup, "#quiz-reordered .edukit-quiz-options li") == [
        "Nothing: the output stays as it was.",
        "The output is reordered in the same way.",
        "It stops.",
    ]
    assert not re.search(r"\[[ xX]\]", soup.get_text())


def test_answers_are_folded_away_with_their_reasons(soup):
    answer = soup.select_one("#quiz-reordered details")
    assert not answer.has_attr("open")
    assert texts(answer, "summary") == ["Answer"]
    assert texts(answer, ".edukit-quiz-head") == ["a. wrong", "b. right"]
    assert texts(answer, ".edukit-quiz-reason")[1].endswith("This is called equivariant.")


def test_typed_answers_stand_nowhere_but_in_the_answer(soup):
    for name in ("turn", "word"):
        question = soup.select_one(f"#quiz-{name}")
        assert not question.select(":scope > ol, :scope > ul")
    assert texts(soup, "#quiz-word .edukit-quiz-is-right .edukit-quiz-accepted") == [
        "equivariant",
        "permutation equivariant",
    ]


def test_pairs_and_orders_are_shown_in_another_order(soup):
    definitions = texts(soup, "#quiz-pairs ol.edukit-quiz-options > li")
    assert sorted(definitions) == ["moves along", "nobody knows", "stays as it was"]
    assert definitions != ["stays as it was", "moves along", "nobody knows"]
    solution = texts(soup, "#quiz-pairs .edukit-quiz-pairs li")
    for term, definition in (("Invariant", "stays as it was"), ("Equivariant", "moves along")):
        assert f"{term} — {'ABC'[definitions.index(definition)]}" in solution
    items = texts(soup, "#quiz-steps ol.edukit-quiz-options > li")
    right = texts(soup, "#quiz-steps details ol > li")
    assert right[0] == "Compare the query with each key."
    assert sorted(items) == sorted(right)
    assert items != right


def test_the_key_agrees_with_what_the_script_is_told(soup):
    key = texts(soup, ".edukit-quiz-key li")
    assert key[0] == "b"
    assert data(soup, "reordered")["right"] == [1]
    assert key[1] == "a, c"
    assert key[2] == "6.28 ± 0.01"
    assert key[3] == "equivariant / permutation equivariant"
    assert key[4] == ", ".join("ABC"[place] for place in data(soup, "pairs")["right"])
    items = texts(soup, "#quiz-steps ol.edukit-quiz-options > li")
    right = texts(soup, "#quiz-steps details ol > li")
    assert key[5] == ", ".join("abcd"[items.index(text)] for text in right)
    assert [items[place] for place in data(soup, "steps")["right"]] == right


def test_the_result_knows_its_page_and_comes_after_the_last_question(soup):
    result = soup.select_one(".edukit-quiz-result")
    assert int(result["data-page"]) == quiz.page_key("index")
    assert result.find_previous_sibling("div")["id"] == "quiz-steps"
    assert len(soup.select(".edukit-quiz-result")) == 1


def test_a_page_without_questions_has_neither_key_nor_result(copy_site):
    site = copy_site("quiz")
    (site / "index.md").write_text("# Nothing\n\nTo ask.\n")
    build(site)
    assert not page(site).select(".edukit-quiz-key, .edukit-quiz-result")


# -- languages ------------------------------------------------------------------------


def test_every_text_is_a_message_and_no_box_is(copy_site):
    site = copy_site("quiz")
    assert not sphinx_build("-q", "-b", "gettext", ".", "pot", cwd=site).stderr
    template = (site / "pot" / "index.pot").read_text(encoding="utf-8")
    for message in (
        "You reorder the words of a sentence. What does a layer of attention do?",
        "The output is **reordered** in the same way.",
        "This is called *equivariant*.",
        "6.28 ± 0.01",
        "equivariant",
        "Invariant",
        "moves *along*",
        "The prefix *in* means not.",
        "Turn the scores into shares.",
    ):
        assert f'msgid "{message}"' in template
    assert "[x]" not in template
    assert "Question" not in template


def test_in_another_language_its_own_spellings_count(copy_site):
    site = copy_site("quiz")
    build(site, "-D", "language=zh_CN")
    soup = page(site)
    assert data(soup, "word")["texts"] == ["等变", "置换等变", "invariant"]
    assert soup.select_one("#quiz-reordered li strong").get_text() == "同样的方式"
    assert texts(soup, ".edukit-quiz-label")[0] == "第 1 题"
    assert texts(soup, "summary")[0] == "答案"
    # What was answered in one language is the same answer in the other.
    source = copy_site("quiz", "source")
    build(source)
    for name in ("reordered", "waves", "turn", "word", "pairs", "steps"):
        assert data(soup, name)["right"] == data(page(source), name)["right"]


def test_a_translated_number_is_still_a_number(copy_site):
    site = copy_site("quiz")
    catalog = site / "locale" / "zh_CN" / "LC_MESSAGES" / "index.po"
    text = catalog.read_text(encoding="utf-8")
    catalog.write_text(text.replace('msgstr "6.28 ± 0.01"', 'msgstr "大约六"'), encoding="utf-8")
    errors = build(site, "-D", "language=zh_CN", ok=False)
    assert "index.md:31: ERROR: a translated answer is no number: 大约六" in errors


# -- what authors get wrong ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("{quiz} many\nQ?\n\n- [x] a\n- [ ] b", "a quiz is of the kind one, several"),
        ("{quiz} one\nQ?\n\n- [ ] a\n- [ ] b", "no answer is marked as right"),
        ("{quiz} one\nQ?\n\n- [x] a\n- [x] b\n- [ ] c", "2 answers are marked as right where one is asked"),
        ("{quiz} several\nQ?\n\n- [x] a\n- [x] b", "all answers are marked as right"),
        ("{quiz} one\nQ?\n\n- [x] a\n- b", "the answer 'b' has no box"),
        ("{quiz} one\nQ?\n\n- [x] a\n- [ ]", "an answer is empty"),
        ("{quiz} one\nQ?\n\n- [x] a\n- [ ] a", "the answer 'a' stands there twice"),
        ("{quiz} one\n- [x] a\n- [ ] b", "a quiz begins with its question"),
        ("{quiz} one\nQ?", "a quiz of the kind one lists its answers"),
        ("{quiz} one", "a quiz of the kind one lists its answers"),
        ("{quiz} number\nQ?\n\n- [x] six", "'six' is no number"),
        ("{quiz} number\nQ?\n\n- [x] 6 ± -1", "'6 ± -1' is no number"),
        ("{quiz} number\nQ?\n\n- [ ] 6", "no answer is marked as right"),
        ("{quiz} text\nQ?\n\nA", "lists the spellings that count"),
        ("{quiz} match\nQ?\n\n- [x] a", "is a list of terms"),
        ("{quiz} match\nQ?\n\na\n: b", "a match needs two pairs"),
        ("{quiz} match\nQ?\n\na\n: b\n\nc\n: b", "two pairs of a match are alike"),
        ("{quiz} order\nQ?\n\n- a\n- b", "is a list numbered 1., 2."),
        ("{quiz} order\nQ?\n\n1. a", "an order needs two items"),
        ("{quiz} order\nQ?\n\n1. a\n2. a", "two items of an order are alike"),
        ("{quiz} one\n:name: turn\n\nQ?\n\n- [x] a\n- [ ] b", "the name 'turn' is taken"),
    ],
)
def test_a_wrong_question_is_an_error_at_its_place(copy_site, body, message):
    site = copy_site("quiz")
    index = site / "index.md"
    text = index.read_text(encoding="utf-8")
    index.write_text(f"{text}\n```{body}\n```\n", encoding="utf-8")
    line = text.count("\n") + 2
    errors = build(site, ok=False)
    assert re.search(rf"index\.md:{line}: ERROR: .*{re.escape(message)}", errors), errors
    assert "Traceback" not in errors


def test_a_page_holds_so_many_questions_and_no_more(copy_site):
    site = copy_site("quiz")
    question = "```{{quiz}} one\n:name: n{}\n\nQ?\n\n- [x] a\n- [ ] b\n```\n\n"
    many = "".join(question.format(number) for number in range(quiz.MOST_QUESTIONS + 1))
    (site / "index.md").write_text(f"# Many\n\n{many}", encoding="utf-8")
    assert "a page holds 63 questions at most" in build(site, ok=False)


# -- builds ------------------------------------------------------------------------


def test_builds_are_equal(copy_site):
    site = copy_site("quiz")
    (site / "other.md").write_text("---\norphan: true\n---\n# Other\n", encoding="utf-8")
    build(site, "-j2", out="parallel")
    build(site, out="clean")
    text = (site / "index.md").read_text(encoding="utf-8")
    (site / "index.md").write_text(text + "\nMore.\n", encoding="utf-8")
    build(site, out="grown")
    (site / "index.md").write_text(text, encoding="utf-8")
    build(site, out="grown")
    for out in ("parallel", "grown"):
        assert (site / out / "index.html").read_bytes() == (site / "clean" / "index.html").read_bytes()


@pytest.mark.parametrize("builder", ["epub", "latex", "text"])
def test_other_builders_write_the_question_and_its_answer(copy_site, builder):
    site = copy_site("quiz")
    result = sphinx_build("-q", "-b", builder, ".", "_build", cwd=site)
    assert result.returncode == 0, result.stderr
    assert "ERROR" not in result.stderr
    pattern = {"epub": "index.xhtml", "latex": "*.tex", "text": "index.txt"}[builder]
    [file] = (site / "_build").glob(pattern)
    written = file.read_text(encoding="utf-8")
    assert "Which of these are waves?" in written
    assert "A line goes on and on." in written
