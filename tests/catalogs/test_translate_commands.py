"""``edukit translate``: what is printed, what is written, and the exit status."""

import json
import re
import shutil
from pathlib import Path

import pytest

from edukit.catalogs import read
from edukit.catalogs.commands import columns
from edukit.catalogs.counting import status
from edukit.catalogs.glossary import read_glossary
from edukit.catalogs.project import ProjectError, find, read_settings
from edukit.cli import main
from tests.conftest import ROOT

CONF = 'language = "en"\nbilingual_languages = ["zh_CN"]\nlocale_dirs = ["locale"]\nx = 1 + 1\n'
ONE = """
#: ../../docs/one.md
msgid "First words here"
msgstr "开头"

#: ../../docs/one.md
msgid "Second"
msgstr ""

#: ../../docs/one.md
#, fuzzy
#| msgid "Third"
msgid "Third one"
msgstr "第三"
"""
TWO = '#: ../../docs/two.md\nmsgid "It has 3 parts."\nmsgstr "它有三部分."\n'
TEMPLATE = (
    '#: ../../docs/one.md:3\nmsgid "First words here"\nmsgstr ""\n\n'
    '#: ../../docs/one.md:5\nmsgid "New"\nmsgstr ""\n'
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    catalogs = tmp_path / "docs/locale/zh_CN/LC_MESSAGES"
    catalogs.mkdir(parents=True)
    (tmp_path / "conf.py").write_text(CONF, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "docs/index.md").write_text("# Index\n", encoding="utf-8")
    (tmp_path / "docs/one.md").write_text("# Page\n\nFirst words\nhere\n\nSecond\n", encoding="utf-8")
    (tmp_path / "docs/two.md").write_text("# Two\n\nIt has 3 parts.\n", encoding="utf-8")
    (catalogs / "one.po").write_text(ONE.lstrip(), encoding="utf-8")
    (catalogs / "two.po").write_text(TWO, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    # The machine that runs the tests may speak any language.
    monkeypatch.setattr("edukit.catalogs.commands._speaks_chinese", lambda: False)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["translate", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_status_begins_with_the_most_work(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "status")
    assert code == 1
    assert [line.split() for line in out.splitlines()[:4]] == [
        ["page", "messages", "translated", "fuzzy", "missing", "stale", "words", "left", "%"],
        ["one", "3", "1", "1", "1", "1", "6", "3", "50"],
        ["two", "1", "1", "0", "0", "0", "4", "0", "100"],
        ["all", "of", "zh_CN", "4", "2", "1", "1", "1", "10", "3", "70"],
    ]
    assert "add --extract" in out
    (project / "docs/locale/zh_CN/LC_MESSAGES/one.po").unlink()
    assert run(capsys, "status")[0] == 0


def test_status_knows_what_is_new_and_gone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    templates = project / "_build/gettext"
    templates.mkdir(parents=True)
    (templates / "one.pot").write_text(TEMPLATE, encoding="utf-8")
    code, out, _ = run(capsys, "status", "--json")
    [language] = json.loads(out)
    one, two = language["pages"]
    assert code == 1
    assert (one["page"], one["messages"], one["new"], one["gone"], one["stale"]) == ("one", 2, 1, 1, 2)
    # No template: the page has gone, and all of its catalog with it.
    assert (two["page"], two["gone"]) == ("two", 1)
    assert language["total"]["percent"] == 87


def test_a_table_with_chinese_names_is_aligned(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = project / "docs/locale/zh_CN/LC_MESSAGES"
    (folder / "one.po").rename(folder / "第一页.po")
    _, out, _ = run(capsys, "status")
    table = out.partition("\n\n")[0].splitlines()
    assert len({columns(line) for line in table}) == 1


def test_check_names_every_place(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", "two")
    assert code == 1
    assert out.splitlines()[:4] == [
        "docs/locale/zh_CN/LC_MESSAGES/two.po:2: [width] a mark of the wrong width: 三部分."
        "  (docs/two.md:3)",
        "    It has 3 parts.",
        "    它有三部分.",
        "    → use the marks of the language: ，。；：！？（） beside Chinese",
    ]
    code, out, _ = run(capsys, "check", "--json")
    found = json.loads(out)
    assert [(one["page"], one["code"], one["source"]) for one in found] == [
        ("one", "untranslated", "docs/one.md:6"),
        ("one", "fuzzy", "docs/one.md"),
        ("two", "width", "docs/two.md:3"),
    ]
    assert found[2]["mend_zh"].startswith("中文旁边用全角标点")
    assert run(capsys, "check", "--code", "number")[:2] == (0, "Nothing was found.\n")
    # The settings of the project hold.
    (project / "pyproject.toml").write_text(
        '[tool.edukit.translate]\nignore = ["width"]\n', encoding="utf-8"
    )
    assert run(capsys, "check", "docs/two.md")[0] == 0


def test_a_page_goes_out_and_comes_back(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "edit", "one")
    sheet = project / "one.zh_CN.csv"
    assert code == 0
    assert "3 messages, 2 to translate or to look at again" in out
    data = sheet.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    # There may be an hour's work in it.
    assert run(capsys, "edit", "one")[0] == 2
    sheet.write_bytes(data.replace(b"Second,,", "Second,第 2 个（共 2 个),".encode()))
    code, out, _ = run(capsys, "edit", "one", "--from", str(sheet))
    assert code == 1
    assert "[bracket]" in out
    assert "1 translation taken, 1 left to do" in out
    catalog = read(project / "docs/locale/zh_CN/LC_MESSAGES/one.po")
    assert [message.string for message in catalog.messages] == ["开头", "第 2 个（共 2 个)", "第三"]
    assert catalog.messages[2].fuzzy
    assert run(capsys, "edit", "one", "--to", "x.md")[0] == 0
    assert run(capsys, "edit", "one", "--from", "x.md", "--json")[0] == 0


def test_a_file_is_corrected_and_read_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "edit", "one")
    sheet = project / "one.zh_CN.csv"

    def fill(before: str, after: str) -> tuple[int, str, str]:
        text = sheet.read_text(encoding="utf-8-sig")
        assert before in text
        sheet.write_text(text.replace(before, after), encoding="utf-8-sig", newline="")
        return run(capsys, "edit", "one", "--from", sheet.name)

    assert "1 translation taken" in fill("Second,", "Second,第二")[1]
    assert "1 translation taken" in fill("第二", "第二个")[1]
    # Somebody else's file, from the same day.
    (project / "copy.csv").write_bytes(sheet.read_bytes().replace("第二个".encode(), "其次".encode()))
    code, out, _ = run(capsys, "edit", "one", "--from", "copy.csv")
    assert (code, "copy.csv: row 3: both the file" in out) == (1, True)


def test_a_file_of_another_page_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "edit", "two")
    before = (project / "docs/locale/zh_CN/LC_MESSAGES/one.po").read_bytes()
    code, _, err = run(capsys, "edit", "one", "--from", "two.zh_CN.csv")
    assert (code, err) == (
        2,
        "edukit translate: two.zh_CN.csv: this is of the page two, not of one; nothing was taken\n",
    )
    (project / "docs/locale/zh_CN/LC_MESSAGES/two.po").unlink()
    code, _, err = run(capsys, "edit", "one", "--from", "two.zh_CN.csv")
    assert (code, "no text of it stands on the page one" in err) == (2, True)
    assert (project / "docs/locale/zh_CN/LC_MESSAGES/one.po").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["edit", "ones"], "there is no page ones with a zh_CN catalog; did you mean one?"),
        (["edit", "one", "--from", "conf.py"], "conf.py: row 1: the first row"),
        (["edit", "one", "--to", "docs/one.zh.md"], "would become a page of the site"),
        (["edit", "one", "--to", "one.xlsx"], "the name of a table ends in .csv"),
        (["edit", "one", "--to", "one.csv", "--format", "md"], "of a text in .md"),
        (["edit", "one", "--from", "none.csv"], "none.csv cannot be read or written"),
        (["check", "--code", "nothing"], "there is no finding 'nothing'"),
        (["status", "--language", "fr"], "make them with edukit translate update --language fr"),
        (["status", "--conf", "docs"], "there is no conf.py in docs"),
        (["update", "--templates", "docs"], "docs has no templates"),
    ],
)
def test_wrong_use_is_told(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('spaces = "yes"', "has no setting 'spaces'"),
        ('spacing = "perhaps"', "spacing in .* is one of yes, no, off, not 'perhaps'"),
        ('same = "one"', "same in .* has to be a list of texts"),
        ("docs = [1]", "docs in .* has to be a text"),
        ("docs = ", "this is no TOML file"),
    ],
)
def test_a_wrong_setting_is_told(project: Path, table: str, message: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.edukit.translate]\n{table}\n", encoding="utf-8")
    with pytest.raises(ProjectError, match=message):
        find(project)


def test_a_project_is_found_from_within_and_its_conf_is_not_run(project: Path) -> None:
    (project / "conf.py").write_text(f"{CONF}raise SystemExit(1)\n", encoding="utf-8")
    found = find(project / "docs/locale")
    assert (found.docs, found.locale) == (project / "docs", project / "docs/locale")
    assert (found.source, found.languages) == ("en", ("zh_CN",))
    assert len(status(found, "zh_CN")) == 2


def test_update_collects_the_texts_by_itself(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "conf.py").write_text(
        f'{CONF}extensions = ["myst_parser"]\ngettext_compact = False\n', encoding="utf-8"
    )
    (project / "docs/index.md").write_text("# Index\n\n```{toctree}\none\ntwo\n```\n", encoding="utf-8")
    code, out, _ = run(capsys, "update", "--json")
    assert code == 0
    changes = {Path(change["path"]).stem: change for change in json.loads(out)}
    assert (changes["one"]["added"], changes["one"]["removed"]) == (1, 1)
    assert changes["index"]["added"] == 1
    text = (project / "docs/locale/zh_CN/LC_MESSAGES/one.po").read_text(encoding="utf-8")
    assert "#: ../../docs/one.md\n" in text
    assert "开头" in text
    assert run(capsys, "update")[:2] == (0, "The catalogs are up to date.\n")
    # A page that has gone leaves no template behind; its catalog is named.
    (project / "docs/two.md").unlink()
    (project / "docs/index.md").write_text("# Index\n\n```{toctree}\none\n```\n", encoding="utf-8")
    code, out, _ = run(capsys, "update")
    assert "two.po: belongs to no page any more" in out
    shutil.rmtree(project / "_build")
    (project / "conf.py").write_text(f"{CONF}1 / 0\n", encoding="utf-8")
    code, _, err = run(capsys, "update")
    assert code == 2
    assert "ZeroDivisionError" in err
    assert err.splitlines()[-1].startswith("edukit translate: the texts could not be collected")


GUIDE = re.findall(
    r"^```(\w+)\n(.*?)^```$",
    (ROOT / "docs/guide/translating.md").read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)


def test_what_the_guide_says_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = [text.split() for kind, text in GUIDE if kind == "text" and text.startswith("edukit")]
    ran = []
    monkeypatch.setattr(
        "edukit.catalogs.commands._guarded", lambda run, options: ran.append(run.__name__) or 0
    )
    for command in typed:
        assert main(command[1:]) == 0
    assert ran == ["_update", "_status", "_edit", "_edit", "_check"]
    [settings] = [text for kind, text in GUIDE if kind == "toml"]
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    assert read_settings(tmp_path).same == ("Read the Docs",)
    [glossary] = [text for kind, text in GUIDE if text.startswith("term,")]
    (tmp_path / "glossary.csv").write_text(glossary, encoding="utf-8")
    terms = {term.term: term for term in read_glossary(tmp_path / "glossary.csv", "zh_CN")}
    assert terms["patch"].avoid == ("图像块", "补丁")
