"""Questions to check oneself by, answered in the page, on paper, or with the answers folded away.

A question is written as ordinary text; a list marks what is right, and may explain each answer::

    ```{quiz} one
    :name: reordered

    You reorder the words of a sentence. What does a layer of attention do?

    - [ ] Nothing: the output stays as it was.

      That would be *invariant*.
    - [x] The output is reordered in the same way.
    ```

The kinds are those of :data:`edukit.quiz.KINDS`:

- ``one`` and ``several``: a list with ``[x]`` before what is right and ``[ ]`` before what is not;
- ``number``: the same with numbers, such as ``[x] 6.28 ± 0.01``; a wrong one says what went wrong;
- ``text``: the same with spellings;
- ``match``: a definition list, whose terms and definitions belong together;
- ``order``: a numbered list in its right order.

What follows the list explains the answer as a whole. The tree is::

    <quiz kind="one" name="reordered">
      <paragraph classes="edukit-quiz-label">      Question 1
      <container classes="edukit-quiz-question">    what was asked
      <enumerated_list classes="edukit-quiz-options">
      <quiz_answer>
        <quiz_reason option=0>                      its letter, whether it is right, and why
        <quiz_reason option=-1>                     the explanation as a whole

All texts are ordinary messages of the page. Without a script ``quiz_answer`` is folded away; in print a
page with the key ends the paper.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from edukit import quiz as answers
from edukit.sphinxext.common import add_assets, copy_with_sides, interface_text, metadata

logger = logging.getLogger(__name__)

_BOX = re.compile(r"\[([ xX])\](?:\s+|$)")

# What the script says; the Chinese stands with the rest of the interface.
TEXTS = {
    "check": "Check",
    "right": "Right.",
    "wrong": "Not yet. Try again.",
    "partly": "Some of it is right. Try again.",
    "nothing": "Answer first.",
    "notNumber": "Type a number, such as 0.5 or 1/2.",
    "yourAnswer": "Your answer",
    "up": "Move up",
    "down": "Move down",
    "moved": "{item} is now number {number}",
    "choose": "Choose a letter",
    "progress": "{right} of {all} right, {atOnce} at the first try.",
    "code": "Result code",
    "codeUse": "It tells your teacher the score. It is no certificate.",
    "copy": "Copy",
    "copied": "Copied.",
    "again": "Start again",
    "isRight": "right",
    "isWrong": "wrong",
}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive, its nodes and what finishes them."""
    app.add_node(quiz, html=(visit_quiz, depart_div))
    app.add_node(quiz_answer, html=(visit_answer, depart_answer))
    app.add_node(quiz_reason, html=(visit_reason, depart_div))
    app.add_node(quiz_result, html=(visit_result, depart_div))
    app.add_directive("quiz", QuizDirective)
    app.add_post_transform(FinishQuizzes)
    add_assets(app, "quiz.css", "quiz.js")
    return metadata()


class quiz(nodes.container):
    """A question with its answers."""


class quiz_answer(nodes.container):
    """What is right and why; folded away on a page."""


class quiz_reason(nodes.container):
    """What is to be said of one answer, or of all."""


class quiz_result(nodes.Element):
    """Where the script shows how many questions were answered rightly."""


# -- read ------------------------------------------------------------------------------------------------


class QuizError(Exception):
    """What the author of a question has to mend."""


@dataclass(slots=True)
class _Option:
    right: bool
    text: nodes.TextElement
    reasons: list[nodes.Node]


class QuizDirective(SphinxDirective):
    """Builds the tree that the module's text shows."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"name": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Read the question, or say at its line what is wrong with it."""
        body = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, body)
        try:
            return [self._quiz(self.arguments[0], body)]
        except QuizError as error:
            logger.error("%s", error, location=self.get_location(), type="edukit", subtype="quiz")
            return body.children

    def _quiz(self, kind: str, body: nodes.container) -> quiz:
        if kind not in answers.KINDS:
            raise QuizError(f"a quiz is of the kind {', '.join(answers.KINDS[:-1])} or order, not {kind!r}")
        listed = {"match": nodes.definition_list, "order": nodes.enumerated_list}.get(
            kind, nodes.bullet_list
        )
        place = next((n for n, node in enumerate(body.children) if isinstance(node, listed)), None)
        if place is None:
            raise QuizError(_WANTED[kind])
        asked, after = body.children[:place], body.children[place + 1 :]
        if not any(node.astext().strip() for node in asked):
            raise QuizError("a quiz begins with its question, in a paragraph before the answers")
        number = self._number()
        node = quiz(kind=kind, classes=["edukit-quiz", f"edukit-quiz-{kind}"])
        node["name"] = self._name(number)
        node["ids"].append(nodes.make_id(f"quiz-{node['name']}"))
        self.state.document.note_explicit_target(node)
        self.set_source_info(node)
        label = interface_text("Question {number}", self.config.language).format(number=number)
        node += nodes.paragraph(label, label, classes=["edukit-quiz-label"], translatable=False)
        node += nodes.container("", *asked, classes=["edukit-quiz-question"])
        answer = quiz_answer(classes=["edukit-quiz-answer"])
        build = {"match": self._match, "order": self._order}.get(kind, self._choices)
        build(node, answer, cast("nodes.Element", body[place]))
        if after:
            answer += quiz_reason("", *after, option=-1)
        node += answer
        return node

    def _number(self) -> int:
        number = int(self.env.temp_data.get("edukit_quizzes") or 0) + 1
        self.env.temp_data["edukit_quizzes"] = number
        if number > answers.MOST_QUESTIONS:
            raise QuizError(f"a page holds {answers.MOST_QUESTIONS} questions at most: begin another one")
        return number

    def _name(self, number: int) -> str:
        name = str(self.options.get("name", f"question-{number}")).strip()
        if nodes.make_id(f"quiz-{name}") in self.state.document.ids:
            raise QuizError(f"the name {name!r} is taken by another question of this page")
        return name

    # -- one, several, number, text

    def _choices(self, node: quiz, answer: quiz_answer, items: nodes.Element) -> None:
        kind = node["kind"]
        options = [_read_option(cast("nodes.list_item", item)) for item in items]
        right = sum(option.right for option in options)
        if not right:
            raise QuizError("no answer is marked as right: write [x] before the right one")
        if kind == "one" and right > 1:
            raise QuizError(
                f"{right} answers are marked as right where one is asked: leave one [x], or write "
                "{quiz} several"
            )
        shows = kind in ("one", "several")
        if shows and right == len(options):
            raise QuizError("all answers are marked as right: write [ ] before a wrong one, and add it")
        texts = [option.text.astext().strip() for option in options]
        if double := next((text for text in texts if texts.count(text) > 1), None):
            raise QuizError(f"the answer {double!r} stands there twice")
        if kind == "number":
            for text in texts:
                if answers.read_tolerance(text) is None:
                    raise QuizError(f"{text!r} is no number, such as 6.28 or 6.28 ± 0.01")
        if shows:
            shown = nodes.enumerated_list(enumtype="loweralpha", prefix="", suffix=".")
            shown["classes"].append("edukit-quiz-options")
            shown += [nodes.list_item("", option.text) for option in options]
            node += shown
        for number, option in enumerate(options):
            reason = quiz_reason(option=number, right=option.right)
            letter = chr(ord("a") + number) if number < 26 else str(number + 1)
            head = nodes.paragraph(classes=["edukit-quiz-head"], translatable=False)
            if shows:
                head += nodes.inline(letter, f"{letter}. ", classes=["edukit-quiz-letter"])
            reason += head
            if not shows:
                option.text["classes"].append("edukit-quiz-accepted")
                reason += option.text
            verdict = interface_text(TEXTS["isRight" if option.right else "isWrong"], self.config.language)
            head += nodes.inline(verdict, verdict, classes=["edukit-quiz-verdict"])
            reason += option.reasons
            # A wrong choice of which nothing is said needs no line; what is typed is compared with each.
            if option.right or option.reasons or not shows:
                answer += reason

    # -- match

    def _match(self, node: quiz, answer: quiz_answer, items: nodes.Element) -> None:
        pairs = []
        for item in items:
            term = item.next_node(nodes.term)
            definition = item.next_node(nodes.definition)
            if term is None or definition is None or not definition.astext().strip():
                raise QuizError(_WANTED["match"])
            pairs.append((term, definition))
        if len(pairs) < 2:
            raise QuizError("a match needs two pairs or more: an empty line stands before each further one")
        for texts in zip(
            *((term.astext(), definition.astext()) for term, definition in pairs), strict=True
        ):
            if len(set(texts)) < len(texts):
                raise QuizError("two pairs of a match are alike, so that no one could tell them apart")
        order = answers.shuffled(len(pairs), node["name"])
        node["order"] = order
        terms = nodes.bullet_list(classes=["edukit-quiz-terms"])
        for term, _ in pairs:
            paragraph = nodes.paragraph(term.rawsource, "", *term.children)
            paragraph.source, paragraph.line = term.source, term.line
            terms += nodes.list_item("", paragraph)
        definitions = nodes.enumerated_list(enumtype="upperalpha", prefix="", suffix=".")
        definitions["classes"].append("edukit-quiz-options")
        definitions += [nodes.list_item("", *pairs[number][1].children) for number in order]
        node += [terms, definitions]

    # -- order

    def _order(self, node: quiz, answer: quiz_answer, items: nodes.Element) -> None:
        if len(items) < 2:
            raise QuizError("an order needs two items or more")
        texts = [item.astext() for item in items]
        if len(set(texts)) < len(texts):
            raise QuizError("two items of an order are alike, so that no one could tell them apart")
        order = answers.shuffled(len(items), node["name"])
        node["order"] = order
        shown = nodes.enumerated_list(enumtype="loweralpha", prefix="", suffix=".")
        shown["classes"].append("edukit-quiz-options")
        shown += [nodes.list_item("", *items[number].children) for number in order]
        node += shown


_CHOICES = "lists its answers, each line beginning with - [x] or - [ ]"
_WANTED = {
    "one": f"a quiz of the kind one {_CHOICES}",
    "several": f"a quiz of the kind several {_CHOICES}",
    "number": "a quiz of the kind number lists its answers, such as - [x] 6.28 ± 0.01",
    "text": "a quiz of the kind text lists the spellings that count, each line beginning with - [x]",
    "match": "a quiz of the kind match is a list of terms, each with a line below it that begins with a "
    "colon and says what belongs to it",
    "order": "a quiz of the kind order is a list numbered 1., 2. and so on in its right order",
}


def _read_option(item: nodes.list_item) -> _Option:
    """Take the box off the first paragraph of an item, so that no translator meets it."""
    paragraph = item[0] if len(item) else None
    box = _BOX.match(paragraph.rawsource) if isinstance(paragraph, nodes.paragraph) else None
    if not isinstance(paragraph, nodes.paragraph) or box is None:
        raise QuizError(f"the answer {item.astext()[:30]!r} has no box: begin it with [x] or [ ]")
    if not paragraph.rawsource[box.end() :].strip():
        raise QuizError("an answer is empty: write it behind its box")
    paragraph.rawsource = paragraph.rawsource[box.end() :]
    first = paragraph.next_node(nodes.Text)
    if first is not None and (head := _BOX.match(first.astext())):
        cast("nodes.Element", first.parent).replace(first, nodes.Text(first.astext()[head.end() :]))
    return _Option(box[1] != " ", paragraph, list(item.children[1:]))


# -- write -----------------------------------------------------------------------------------------------


class FinishQuizzes(SphinxPostTransform):
    """Writes down for the script what is right, from the answers as they are translated."""

    default_priority = 195  # when all texts are final, before anything looks at the document as a whole
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Finish each question; after the last one comes the result, and in print the key."""
        found = list(self.document.findall(quiz))
        if not found:
            return
        for node in found:
            self._finish(node)
        language = self.config.language
        result = quiz_result(
            texts={key: interface_text(text, language) for key, text in TEXTS.items()},
            page=answers.page_key(self.env.current_document.docname),
            classes=["edukit-quiz-result", "no-search"],
        )
        last = found[-1]
        place = cast("nodes.Element", last.parent)
        place.insert(place.index(last) + 1, result)
        self.document += self._key(found)

    def _finish(self, node: quiz) -> None:
        answer = node.next_node(quiz_answer)
        assert answer is not None  # every question has one
        kind = node["kind"]
        data: dict[str, Any] = {"kind": kind, "name": node["name"]}
        if kind == "match":
            # For each term the place of its definition among the shuffled ones.
            data["right"] = [node["order"].index(number) for number in range(len(node["order"]))]
            self._pairs(node, answer, data["right"])
        elif kind == "order":
            # The places among the shuffled items, in the right order.
            data["right"] = [node["order"].index(number) for number in range(len(node["order"]))]
            shown = next(node.findall(nodes.enumerated_list))
            ordered = nodes.enumerated_list(enumtype="arabic", prefix="", suffix=".")
            ordered += [_copy(shown[place]) for place in data["right"]]
            answer.insert(0, ordered)
        else:
            reasons = [one for one in answer.findall(quiz_reason) if one["option"] >= 0]
            data["right"] = [one["option"] for one in reasons if one["right"]]
            if kind in ("number", "text"):
                texts = [_accepted(one) for one in reasons]
                if kind == "number" and any(answers.read_tolerance(text) is None for text in texts):
                    logger.error(
                        "a translated answer is no number: %s",
                        ", ".join(texts),
                        location=node,
                        type="edukit",
                        subtype="quiz",
                    )
                data["texts"] = texts
        node["data"] = data

    def _pairs(self, node: quiz, answer: quiz_answer, right: list[int]) -> None:
        terms = next(node.findall(nodes.bullet_list))
        pairs = nodes.bullet_list(classes=["edukit-quiz-pairs"])
        for item, place in zip(terms, right, strict=True):
            paragraph = cast("nodes.paragraph", _copy(item)[0])
            paragraph += nodes.Text(f" — {chr(ord('A') + place)}")
            pairs += nodes.list_item("", paragraph)
        answer.insert(0, pairs)

    def _key(self, found: list[quiz]) -> nodes.container:
        """Return the page with all right answers that only a printed paper has."""
        language = self.config.language
        title = interface_text("Key", language)
        key = nodes.container(classes=["edukit-quiz-key", "no-search"])
        key += nodes.paragraph(title, title, classes=["edukit-quiz-key-title"])
        solutions = nodes.enumerated_list(enumtype="arabic", prefix="", suffix=".")
        for node in found:
            solutions += nodes.list_item("", *self._solution(node))
        key += solutions
        return key

    def _solution(self, node: quiz) -> list[nodes.Node]:
        data = node["data"]
        if node["kind"] == "match":
            return [nodes.paragraph("", ", ".join(chr(ord("A") + place) for place in data["right"]))]
        letters = [chr(ord("a") + place) for place in data["right"]]
        if node["kind"] in ("number", "text"):
            texts = " / ".join(data["texts"][number] for number in data["right"])
            return [nodes.paragraph(texts, texts)]
        joined = ", ".join(letters)
        return [nodes.paragraph(joined, joined)]


def _accepted(reason: quiz_reason) -> str:
    text = next(one for one in reason.findall(nodes.paragraph) if "edukit-quiz-accepted" in one["classes"])
    return text.astext().strip()


def _copy(node: nodes.Node) -> nodes.Element:
    copy = copy_with_sides(cast("nodes.Element", node))
    for part in copy.findall(nodes.Element):
        part["ids"] = []
    return copy


def visit_quiz(self: Any, node: quiz) -> None:
    """Write the question with what the script needs."""
    data = json.dumps(node.get("data", {}), ensure_ascii=False)
    self.body.append(self.starttag(node, "div", **{"data-quiz": data}))


def visit_answer(self: Any, node: quiz_answer) -> None:
    """Fold the answer away."""
    summary = interface_text("Answer", self.config.language)
    self.body.append(self.starttag(node, "details") + f"<summary>{self.encode(summary)}</summary>\n")


def depart_answer(self: Any, node: quiz_answer) -> None:
    """Close the folded answer."""
    self.body.append("</details>\n")


def visit_reason(self: Any, node: quiz_reason) -> None:
    """Say which answer this is about."""
    classes = ["edukit-quiz-reason"]
    if node["option"] >= 0:
        classes.append("edukit-quiz-is-right" if node["right"] else "edukit-quiz-is-wrong")
    self.body.append(
        self.starttag(node, "div", **{"class": " ".join(classes), "data-option": str(node["option"])})
    )


def visit_result(self: Any, node: quiz_result) -> None:
    """Leave room for what the script has to say."""
    texts = json.dumps(node["texts"], ensure_ascii=False)
    self.body.append(self.starttag(node, "div", **{"data-texts": texts, "data-page": str(node["page"])}))


def depart_div(self: Any, node: nodes.Element) -> None:
    """Close a block."""
    self.body.append("</div>\n")
