"""What a class gets back: a feedback sheet for each child, and the table of all for the teacher.

A sheet is one HTML file that asks nothing outside: pictures and styles are in it, nothing in it runs.
"""

import csv
import html
import io
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from .findings import HINT
from .grading import Grade, Rubric

# The look of the blocks is that of the site's pages.
_STYLES = Path(__file__).resolve().parent.parent / "sphinxext/static/edukit/scratch.css"

_WORDS = {
    "en": {
        "of": "{points} of {most} points",
        "refused": "This file could not be graded",
        "asked": "What was asked",
        "result": "result",
        "yes": "done",
        "no": "not yet",
        "points": "points",
        "task": "task",
        "seen": "what was seen",
        "ideas": "Ideas for going on",
        "mend": "To mend",
        "none": "Nothing was found that needs mending.",
        "stage": "The stage when the project opens",
        "scripts": "Your scripts",
        "script": "{name}, script {number}",
        "stage name": "Stage",
    },
    "zh_CN": {
        "of": "{points} 分，满分 {most} 分",
        "refused": "这个文件无法评分",
        "asked": "要求",
        "result": "结果",
        "yes": "做到了",
        "no": "还没有",
        "points": "分值",
        "task": "要求",
        "seen": "看到的情况",
        "ideas": "可以这样改进",
        "mend": "需要改正",
        "none": "没有发现需要改正的地方。",
        "stage": "打开作品时的舞台",
        "scripts": "你的脚本",
        "script": "{name}，第 {number} 段脚本",
        "stage name": "舞台",
    },
}

_PAGE_STYLE = """
body { max-width: 52rem; margin: 0 auto; padding: 1rem; color: #14141c; background: #fff;
  font: 1rem/1.5 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1, h2, h3 { line-height: 1.25; }
.points { font-size: 1.25rem; font-weight: 700; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.6rem; border-bottom: 1px solid #b8bec8; text-align: start; vertical-align: top; }
td { overflow-wrap: anywhere; }
.yes { color: #1b5e20; }
.no { color: #9a1c1c; }
li { margin-block: 0.4rem; }
"""


def _number(points: float) -> str:
    return f"{points:g}"


def _e(text: str) -> str:
    return html.escape(printable(text))


def printable(text: str) -> str:
    """Return a text without what a terminal or a page cannot show: control signs, halves of letters."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def feedback_sheet(grade: Grade, rubric: Rubric, language: str) -> str:
    """Return a child's feedback sheet as an HTML page.

    Parameters
    ----------
    grade
        What the child's project got.
    rubric
        What was asked.
    language
        ``en`` or ``zh_CN``; the pictures are in the language that the project was graded in.
    """
    words = _WORDS[language]
    body = [f"<h1>{_e(grade.name)}</h1>", f"<p>{_e(rubric.title(language))}</p>"]
    if refused := grade.refused(language):
        body.append(f"<h2>{words['refused']}</h2><p>{_e(refused)}</p>")
    else:
        points = words["of"].format(points=_number(grade.points), most=_number(rubric.points))
        body.append(f'<p class="points">{points}</p>')
        body.append(_results(grade, language))
        body.append(_findings(grade, language))
        if grade.examination.stage:
            body.append(f"<h2>{words['stage']}</h2>")
            body.append(f'<div class="edukit-scratch sb-figure">{grade.examination.stage}</div>')
        body.append(_scripts(grade, language))
    tag = "zh-Hans" if language == "zh_CN" else "en"
    style = _STYLES.read_text("utf-8") + _PAGE_STYLE
    return (
        f'<!DOCTYPE html>\n<html lang="{tag}">\n<head>\n<meta charset="utf-8">\n'
        # Whatever a project says: no script, no request, no frame.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_e(grade.name)} · {_e(rubric.title(language))}</title>\n<style>{style}</style>\n"
        f"</head>\n<body>\n<main>\n{chr(10).join(body)}\n</main>\n</body>\n</html>\n"
    )


def _results(grade: Grade, language: str) -> str:
    words = _WORDS[language]
    rows = []
    for one in grade.results:
        sign, word, kind = ("✓", words["yes"], "yes") if one.passed else ("✗", words["no"], "no")
        rows.append(
            f'<tr><td class="{kind}"><span aria-hidden="true">{sign} </span>{word}</td>'
            f"<td>{_e(one.item.text(language))}</td><td>{_number(one.item.points)}</td>"
            f"<td>{_e(one.seen(language))}</td></tr>"
        )
    head = "".join(f'<th scope="col">{words[key]}</th>' for key in ("result", "task", "points", "seen"))
    table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{''.join(rows)}</tbody></table>"
    return f"<h2>{words['asked']}</h2>\n{table}"


def _findings(grade: Grade, language: str) -> str:
    words = _WORDS[language]
    result = []
    for title, wanted in (("mend", False), ("ideas", True)):
        found = [one for one in grade.findings if (one.severity == HINT) is wanted]
        if found:
            items = "".join(f"<li>{_e(one.text(language))}</li>" for one in found[:40])
            result.append(f"<h2>{words[title]}</h2><ul>{items}</ul>")
    return "\n".join(result) or f"<p>{words['none']}</p>"


def _scripts(grade: Grade, language: str) -> str:
    words = _WORDS[language]
    result = [f"<h2>{words['scripts']}</h2>"] if grade.examination.drawings else []
    for target, drawings in groupby(grade.examination.drawings, key=lambda one: one.target):
        name = words["stage name"] if target == "Stage" else target
        result.append(f"<h3>{_e(name)}</h3>")
        for one in drawings:
            label = _e(words["script"].format(name=name, number=one.index))
            result.append(f'<div class="sb-script" role="group" aria-label="{label}">{one.html}</div>')
    return f'<div class="edukit-scratch">{"".join(result)}</div>'


def sheet_names(grades: Sequence[Grade]) -> list[str]:
    """Return a file name for each sheet: the child's name, as far as any system takes it, and once each."""
    names: list[str] = []
    taken: set[str] = set()
    for grade in grades:
        plain = re.sub(r'[\\/:*?"<>|]', "_", printable(grade.name)).strip(" .")[:80] or "_"
        name, number = plain, 1
        while name.casefold() in taken:
            number += 1
            name = f"{plain}-{number}"
        taken.add(name.casefold())
        names.append(f"{name}.html")
    return names


def class_table(grades: Iterable[Grade], rubric: Rubric, language: str) -> list[list[str]]:
    """Return the table of the class: a line of headings, and a line for each file."""
    chinese = language == "zh_CN"
    head = ["姓名", "得分"] if chinese else ["name", "points"]
    head += [item.text(language) for item in rubric.items]
    head += ["发现", "说明"] if chinese else ["findings", "remark"]
    table = [head]
    for grade in grades:
        cells = [_number(grade.points) if grade.results else ""]
        cells += ["✓" if one.passed else "✗" for one in grade.results] or [""] * len(rubric.items)
        codes = sorted({one.code for one in grade.findings})
        table.append([printable(grade.name), *cells, " ".join(codes), printable(grade.refused(language))])
    return table


def to_csv(table: Sequence[Sequence[str]]) -> str:
    """Return a table for a spreadsheet.

    A cell that a spreadsheet would take for a formula has an apostrophe before it: the name of a file
    comes from anybody.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in table:
        writer.writerow([f"'{cell}" if cell[:1] in tuple("=+-@\t") else cell for cell in row])
    return buffer.getvalue()
