"""Questions answered as readers do: by keyboard and by touch, said aloud, kept, handed in, printed."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from edukit import quiz
from tests.conftest import SITES, sphinx_build
from tests.test_quiz import NUMBERS, SPELLINGS


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("quiz")
    for language in ("en", "zh_CN"):
        doctrees = out / f"doctrees-{language}"
        options = ["-q", "-W", "-n", "-D", f"language={language}", "-d", doctrees]
        result = sphinx_build(*options, ".", out / language, cwd=SITES / "quiz")
        assert result.returncode == 0, result.stderr
    return out


@pytest.fixture
def open_quiz(chromium: Browser, site: Path) -> Iterator[Callable[..., Page]]:
    """Open the page; every page of one test shares what the device keeps."""
    errors: list[str] = []
    contexts = {}

    def open_quiz(language: str = "en", **options: object) -> Page:
        key = tuple(sorted(options.items(), key=str))
        if key not in contexts:
            contexts[key] = chromium.new_context(viewport={"width": 390, "height": 800}, **options)
        page = contexts[key].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((site / language / "index.html").as_uri())
        return page

    yield open_quiz
    for context in contexts.values():
        context.close()
    assert errors == []


def question(page: Page, name: str):
    return page.locator(f"#quiz-{name}")


def check(page: Page, name: str):
    question(page, name).get_by_role("button", name="Check").click()
    return question(page, name).get_by_role("status")


def code_of(page: Page) -> quiz.Result:
    return quiz.decode(page.locator(".edukit-quiz-result code").inner_text())


def marks(page: Page) -> str:
    return "".join(str(int(mark)) for mark in code_of(page).marks)


# -- each kind ------------------------------------------------


def test_one_answer(open_quiz):
    page = open_quiz()
    expect(check(page, "reordered")).to_have_text("Answer first.")
    page.get_by_label("Nothing: the output stays as it was.").check()
    said = check(page, "reordered")
    expect(said).to_contain_text("Not yet. Try again.")
    expect(said).to_contain_text("That would be invariant.")
    page.get_by_label("The output is reordered in the same way.").check()
    said = check(page, "reordered")
    expect(said).to_contain_text("Right.")
    expect(said).to_contain_text("This is called equivariant.")
    expect(said).not_to_contain_text("invariant. ")
    assert marks(page) == "200000"


def test_several_answers_need_all_of_them(open_quiz):
    page = open_quiz()
    page.get_by_label("sine", exact=True).check()
    expect(check(page, "waves")).to_contain_text("Some of it is right.")
    page.get_by_label("line", exact=True).check()
    page.get_by_label("cosine").check()
    expect(check(page, "waves")).to_contain_text("Some of it is right.")
    page.get_by_label("line", exact=True).uncheck()
    said = check(page, "waves")
    expect(said).to_contain_text("Right.")
    expect(said).to_contain_text("A line goes on and on.")


def test_a_number_within_its_tolerance(open_quiz):
    page = open_quiz()
    box = question(page, "turn").get_by_role("textbox")
    for typed, said in [
        ("about six", "Type a number"),
        ("3.14", "That is half a turn."),
        ("6.3", "Not yet."),
        ("６．２８", "Right."),
    ]:
        box.fill(typed)
        expect(check(page, "turn")).to_contain_text(said)
    assert marks(page) == "002000"


def test_a_word_in_any_accepted_spelling(open_quiz):
    page = open_quiz()
    box = question(page, "word").get_by_role("textbox")
    box.fill("Invariant")
    expect(check(page, "word")).to_contain_text("That one stays.")
    box.fill(" Permutation  Equivariant. ")
    expect(check(page, "word")).to_contain_text("Right.")


def test_pairs(open_quiz):
    page = open_quiz()
    definitions = question(page, "pairs").locator("ol > li").all_inner_texts()
    wanted = {"Invariant": "stays as it was", "Equivariant": "moves along", "Random": "nobody knows"}
    for term, definition in wanted.items():
        letter = "ABC"[definitions.index(definition)]
        expect(question(page, "pairs").get_by_role("combobox", name=term)).to_be_visible()
        question(page, "pairs").get_by_role("combobox", name=term, exact=True).select_option(letter)
    said = check(page, "pairs")
    expect(said).to_contain_text("Right.")
    expect(said).to_contain_text("The prefix in means not.")
    assert marks(page) == "000030"


def test_an_order_by_keyboard(open_quiz):
    page = open_quiz()
    items = question(page, "steps").locator("ol > li .edukit-quiz-item")
    wanted = [
        "Compare the query with each key.",
        "Turn the scores into shares.",
        "Mix the values.",
        "Go on to the next layer.",
    ]
    for place, text in enumerate(wanted):
        button = question(page, "steps").get_by_role("button", name=f"Move up: {text}")
        button.focus()
        while items.all_inner_texts().index(text) > place:
            page.keyboard.press("Enter")
            # The focus stays where it was, on the item that moves, and the move is said.
            expect(button).to_be_focused()
            number = items.all_inner_texts().index(text) + 1
            expect(question(page, "steps").get_by_role("status")).to_have_text(
                f"{text} is now number {number}"
            )
    assert items.all_inner_texts() == wanted
    expect(check(page, "steps")).to_contain_text("Right.")
    # The ends hold.
    question(page, "steps").get_by_role("button", name=f"Move up: {wanted[0]}").click()
    assert items.all_inner_texts() == wanted


def test_everything_by_keyboard_alone(open_quiz):
    page = open_quiz()
    page.locator("#quiz-reordered input").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(question(page, "reordered").get_by_role("status")).to_contain_text("Right.")
    question(page, "turn").get_by_role("textbox").focus()
    page.keyboard.type("2*3.14")
    page.keyboard.press("Enter")
    expect(question(page, "turn").get_by_role("status")).to_contain_text("Type a number")


def test_by_touch(open_quiz):
    page = open_quiz(has_touch=True, is_mobile=True)
    page.get_by_text("The output is reordered in the same way.").first.tap()
    question(page, "reordered").get_by_role("button", name="Check").tap()
    expect(question(page, "reordered").get_by_role("status")).to_contain_text("Right.")
    for control in page.locator(".edukit-quiz :is(label, button, select, input[type=text])").all():
        if control.is_visible():
            assert control.bounding_box()["height"] >= 40


# -- the result ------------------------------------------------


def test_the_code_tells_what_happened(open_quiz):
    page = open_quiz()
    expect(page.locator(".edukit-quiz-result")).to_be_hidden()
    page.get_by_label("It stops.").check()
    check(page, "reordered")
    question(page, "word").get_by_role("textbox").fill("equivariant")
    check(page, "word")
    expect(page.locator(".edukit-quiz-result")).to_contain_text("1 of 6 right, 1 at the first try.")
    result = code_of(page)
    assert result == quiz.Result(
        quiz.page_key("index"),
        (
            quiz.Mark.WRONG,
            quiz.Mark.OPEN,
            quiz.Mark.OPEN,
            quiz.Mark.AT_ONCE,
            quiz.Mark.OPEN,
            quiz.Mark.OPEN,
        ),
    )
    # Who has been right stays so.
    question(page, "word").get_by_role("textbox").fill("invariant")
    check(page, "word")
    assert code_of(page) == result


def test_answers_are_kept_on_the_device_for_both_languages(open_quiz):
    page = open_quiz()
    page.get_by_label("It stops.").check()
    check(page, "reordered")
    question(page, "turn").get_by_role("textbox").fill("6.28")
    check(page, "turn")
    code = code_of(page)
    again = open_quiz()
    expect(again.get_by_label("It stops.")).to_be_checked()
    expect(question(again, "turn").get_by_role("status")).to_contain_text("Right.")
    assert code_of(again) == code
    chinese = open_quiz("zh_CN")
    expect(question(chinese, "turn").get_by_role("status")).to_contain_text("答对了。")
    expect(chinese.locator(".edukit-quiz-result")).to_contain_text("共 6 题，答对 1 题")
    again.get_by_role("button", name="Start again").click()
    expect(again.locator(".edukit-quiz-result")).to_be_hidden()
    expect(again.get_by_label("It stops.")).not_to_be_checked()
    expect(question(open_quiz(), "turn").get_by_role("textbox")).to_have_value("")


@pytest.mark.parametrize(
    "kept", ["{", "null", '"x"', '{"answer": 7, "mark": 3}', '{"answer": [99], "mark": 9}']
)
def test_what_is_kept_may_be_nonsense(open_quiz, kept):
    page = open_quiz()
    page.evaluate(
        "(kept) => document.querySelectorAll('.edukit-quiz').forEach((one) => localStorage.setItem("
        "`edukit-quiz:${document.querySelector('.edukit-quiz-result').dataset.page}:"
        "${JSON.parse(one.dataset.quiz).name}`, kept))",
        kept,
    )
    page.reload()
    page.get_by_label("The output is reordered in the same way.").check()
    expect(check(page, "reordered")).to_contain_text("Right.")


# -- the same rules as in Python ------------------------------------------------


def test_the_page_compares_as_python_does(open_quiz):
    page = open_quiz()
    for typed, accepted, same in SPELLINGS:
        folded = page.evaluate("([a, b]) => [a, b].map(edukitQuiz.fold)", [typed, accepted])
        assert (folded[0] == folded[1] != "") is same, typed
        assert folded == [quiz.fold(typed), quiz.fold(accepted)]
    for typed, value in NUMBERS:
        number = page.evaluate("edukitQuiz.readNumber", typed)
        assert number == (None if value is None else pytest.approx(value, rel=1e-12)), typed


def test_the_page_makes_codes_as_python_does(open_quiz):
    page = open_quiz()
    for key, given in [(0, [0]), (2**20 - 1, [3] * 63), (222977, [1, 2, 3, 0]), (7, [2, 2, 1, 0, 3])]:
        made = page.evaluate("([page, marks]) => edukitQuiz.encode(page, marks)", [key, given])
        assert made == quiz.encode(quiz.Result(key, tuple(quiz.Mark(mark) for mark in given)))


# -- without a script, aloud, on paper ------------------------------------------------


def test_without_a_script_the_answers_unfold(open_quiz):
    page = open_quiz(java_script_enabled=False)
    expect(page.get_by_role("button", name="Check")).to_have_count(0)
    reason = question(page, "reordered").get_by_text("This is called equivariant.")
    expect(reason).to_be_hidden()
    question(page, "reordered").get_by_text("Answer", exact=True).click()
    expect(reason).to_be_visible()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_axe_finds_nothing(open_quiz, language):
    page = open_quiz(language)
    for form in page.locator(".edukit-quiz form").all():
        form.get_by_role("button").last.click()
    found = Axe().run(page, {"include": [[".edukit-quiz"], [".edukit-quiz-result"]]})
    assert found.violations_count == 0, found.generate_report()


def test_on_paper_the_key_has_a_page_of_its_own(open_quiz, tmp_path):
    page = open_quiz()
    page.emulate_media(media="print")
    expect(question(page, "reordered").get_by_text("Answer", exact=True)).to_be_hidden()
    expect(page.locator(".edukit-quiz-key")).to_be_visible()
    assert page.locator(".edukit-quiz-key").evaluate("(key) => getComputedStyle(key).breakBefore") == "page"
    expect(page.locator(".edukit-quiz button").first).to_be_hidden()
    page.emulate_media(media="screen")
    expect(page.locator(".edukit-quiz-key")).to_be_hidden()
    pdf = page.pdf()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 2
