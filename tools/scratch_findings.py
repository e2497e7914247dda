"""Write the guide's page of findings, and its Chinese catalog, from the table of findings.

python tools/scratch_findings.py           write both
python tools/scratch_findings.py --check   and exit with 1 if they are not as they would be written
"""

import re
import sys
from pathlib import Path

from edukit.scratch.findings import CLASS, REFUSED, WRONG

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/guide/scratch-findings.md"
CATALOG = ROOT / "docs/locale/zh_CN/LC_MESSAGES/guide/scratch-findings.po"

FRONT = """---
provenance:
  author: the edukit authors
  date: 2026-11-30
  sources: []
  tool: A program writes this page from the table of findings in the package.
---

"""
HEAD = """msgid ""
msgstr ""
"Language: zh_CN\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"
"""

TITLE = ("What is said about a Scratch project", "检查 Scratch 作品时会说什么")
OPENING = (
    "`edukit scratch check` and the pages of a site name what they find in a project by the codes of this "
    "page. A code stays what it is, so a rubric or a program may rely on it. Where a finding has an "
    "ellipsis (…), the name from the project stands there.",
    "`edukit scratch check` 命令和网站页面用本页的代号指出在作品里发现的问题。代号不会改变，"
    "评分标准和程序可以放心引用。说明里的省略号（…）处会写出作品里的名称。",
)
SECTIONS = (
    (
        ("Refused", "拒绝打开"),
        (
            "With these Scratch hangs, crashes, refuses the file too, or asks another computer. Such a "
            "file is not opened here.",
            "遇到这些情况，Scratch 会卡死、崩溃、同样拒绝文件，或访问别的计算机。这里不会打开这样的文件。",
        ),
        REFUSED,
    ),
    (
        ("Silently wrong", "悄悄出错"),
        (
            "Scratch opens the project and says nothing, but something does not do what it seems to do.",
            "Scratch 能打开作品，也不报错，但有些地方并不像看上去那样工作。",
        ),
        WRONG,
    ),
    (
        ("Worth talking about in class", "值得在课堂上讨论"),
        (
            "The project works. A teacher would still speak about these; none of them is a reason to take "
            "points away without looking.",
            "作品可以运行，但老师会谈到这些地方；不要不看作品就因此扣分。",
        ),
        CLASS,
    ),
)
TO_DO = ("What to do: {}", "怎么办：{}")
PROVENANCE = (
    ("the edukit authors", "edukit 编写组"),
    (
        "A program writes this page from the table of findings in the package.",
        "本页由程序根据软件包中的检查结果表生成。",
    ),
)


def without_values(words: str) -> str:
    """Put an ellipsis where a value of the project would stand."""
    return re.sub(r"\{[^}]*\}", "…", words)


def blocks() -> list[tuple[str, str, str]]:
    """Return the page's paragraphs: what stands before each, and its words in English and Chinese."""
    result = [("# ", *TITLE), ("", *OPENING)]
    for heading, opening, table in SECTIONS:
        result += [("## ", *heading), ("", *opening)]
        for code, words in table.items():
            matter_en, matter_zh, mend_en, mend_zh = map(without_values, words)
            result.append((f"(finding-{code})=\n### ", f"`{code}`", f"`{code}`"))
            result.append(("", matter_en, matter_zh))
            result.append(("", TO_DO[0].format(mend_en), TO_DO[1].format(mend_zh)))
    return result


def page() -> str:
    """Return the page in English."""
    return FRONT + "\n\n".join(before + english for before, english, _ in blocks()) + "\n"


def catalog() -> str:
    """Return the Chinese catalog."""
    messages: dict[str, str] = {}
    for english, chinese in [*((en, zh) for _, en, zh in blocks()), *PROVENANCE]:
        # A catalog has one translation for a text, so what differs in Chinese has to differ in English.
        if messages.setdefault(english, chinese) != chinese:
            raise ValueError(f"two translations of {english!r}")
    entries = [
        f'\n#: ../../docs/guide/scratch-findings.md\nmsgid "{_quoted(en)}"\nmsgstr "{_quoted(zh)}"\n'
        for en, zh in messages.items()
    ]
    return HEAD + "".join(entries)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def main() -> int:
    """Write, or compare, and return the exit status."""
    wanted = {PAGE: page(), CATALOG: catalog()}
    if "--check" in sys.argv[1:]:
        old = [path for path, text in wanted.items() if path.read_text("utf-8") != text]
        for path in old:
            print(f"{path.relative_to(ROOT)} is not up to date: run python tools/scratch_findings.py")
        return 1 if old else 0
    for path, text in wanted.items():
        path.write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
