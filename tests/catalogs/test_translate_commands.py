"""``edukit translate``: what is printed, what is written, and the exit status."""

import json
import re
import shutil
from pathlib import Path

import pytest

from edukit.catalogs import read
from edukit.catalogs.commands import _speaks_chinese, columns
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
    # A text that has changed is new and gone, and one that is behind.
    assert (one["page"], one["messages"], one["new"], one["gone"], one["stale"]) == ("one", 2, 1, 1, 1)
    # No template: the page has gone, and its catalog is no part of the whole.
    assert (two["page"], two["has_page"]) == ("two", False)
    assert (language["total"]["messages"], language["total"]["percent"]) == (2, 75)
    _, out, _ = run(capsys, "status")
    assert [line.split()[0] for line in out.splitlines() if line][:4] == [
        "page",
        "one",
        "all",
        "docs/locale/zh_CN/LC_MESSAGES/two.po:",
    ]
    # What only an update would move leaves nothing to translate.
    (templates / "one.pot").write_text(TEMPLATE.partition("\n\n")[0], encoding="utf-8")
    assert run(capsys, "status")[0] == 0


def test_pages_of_a_folder_share_a_catalog(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "docs/part").mkdir()
    (project / "docs/part/motion.md").write_text("# Motion\n\nOf a rope\n\n|a|b|\n|-|-|\n|c|Rope|\n")
    catalog = project / "docs/locale/zh_CN/LC_MESSAGES/part.po"
    # The folder of whoever made the templates was called otherwise.
    catalog.write_text('#: ../../copy/docs/part/motion.md\nmsgid "Rope"\nmsgstr ""\n', encoding="utf-8")
    _, out, err = run(capsys, "check", "docs/part/motion.md", str(catalog), "--json")
    assert [(one["page"], one["source"]) for one in json.loads(out)] == [("part", "docs/part/motion.md:7")]
    assert err == "part/motion: its texts stand in the catalog part, with those of other pages\n"
    # Sphinx knows the lines of some texts badly and those of others not at all.
    (project / "_build/gettext").mkdir(parents=True)
    places = [f'#: ../../docs/part/motion.md:0\nmsgid "{text}"\nmsgstr ""\n' for text in ("b", "Gone")]
    (project / "_build/gettext/part.pot").write_text("\n".join(places), encoding="utf-8")
    catalog.write_text("\n".join(places), encoding="utf-8")
    _, out, _ = run(capsys, "check", "part", "--json")
    assert [one["source"] for one in json.loads(out)] == ["docs/part/motion.md:5", "docs/part/motion.md"]
    assert run(capsys, "edit", "part/motion")[0] == 0
    assert (project / "part.zh_CN.csv").is_file()
    (project / "conf.py").write_text(f"{CONF}gettext_compact = False\n", encoding="utf-8")
    assert "there is no page part/motion" in run(capsys, "edit", "part/motion")[2]


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        (".", "docs/locale/zh_CN/LC_MESSAGES/two.po"),
        (".", "docs/two.md"),
        ("docs", "two"),
        ("docs/locale/zh_CN", "LC_MESSAGES/two.po"),
        ("docs/locale", "two"),
    ],
)
def test_a_page_is_named_in_any_way(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
    name: str,
) -> None:
    (project / "conf.py").write_text(
        CONF.replace('"locale"', '"../docs/locale"').replace('["zh_CN"]', '["fr", "zh_CN"]'),
        encoding="utf-8",
    )
    (project / "docs/locale/fr/LC_MESSAGES").mkdir(parents=True)
    shutil.copy(project / "docs/locale/zh_CN/LC_MESSAGES/two.po", project / "docs/locale/fr/LC_MESSAGES")
    monkeypatch.chdir(project / folder)
    _, out, _ = run(capsys, "check", name, "--json")
    found = {(one["language"], one["page"]) for one in json.loads(out)}
    # A catalog is that of one language, a page has one in each.
    expected = {("zh_CN", "two")} if name.endswith(".po") else {("zh_CN", "two"), ("fr", "two")}
    assert found == expected
    assert find(project).locale == project / "docs/locale"


@pytest.mark.parametrize(
    ("conf", "pages", "there", "builds"),
    [
        (".", ".", "", "_build"),
        ("docs", "docs", "", "docs/_build"),
        ("source", "source", "", "_build"),
        ("source", "source", "build", "build"),
        (".", "docs", "", "_build"),
    ],
)
def test_templates_lie_in_the_project(
    tmp_path: Path, conf: str, pages: str, there: str, builds: str
) -> None:
    project = tmp_path / "project"
    for name in (conf, pages, there):
        (project / name).mkdir(parents=True, exist_ok=True)
    (project / conf / "conf.py").write_text("", encoding="utf-8")
    (project / pages / "index.rst").write_text("", encoding="utf-8")
    assert find(project).templates_folder == project / builds / "gettext"


def test_languages_may_be_written_as_on_the_web(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", "two", "--language", "zh-cn", "--json")[1].count('"zh_CN"') == 1
    templates = project / "pot"
    templates.mkdir()
    (templates / "one.pot").write_text(TEMPLATE, encoding="utf-8")
    code, _, err = run(capsys, "update", "--templates", "pot", "--language", "pt-BR")
    assert code == 0
    assert err.startswith("bilingual_languages in conf.py names zh_CN only")
    assert (project / "docs/locale/pt_BR/LC_MESSAGES/one.po").is_file()


@pytest.mark.parametrize(
    ("variables", "chinese"),
    [
        ({"LANG": "zh_CN.UTF-8"}, True),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, False),
        ({"LANG": "C", "LC_MESSAGES": "zh_TW"}, True),
    ],
)
def test_the_language_that_is_asked_for_counts(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], chinese: bool
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert _speaks_chinese() is chinese


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


def test_a_text_that_stands_twice_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / "docs/locale/zh_CN/LC_MESSAGES/two.po"
    path.write_text('msgid "A"\nmsgstr "甲"\n\nmsgid "A"\nmsgstr "乙"\n', encoding="utf-8")
    code, out, _ = run(capsys, "check", "two")
    assert code == 1
    assert "two.po:4: [twice] this text stands in the catalog already, on line 1" in out


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
    assert "two.po: belongs to no page any more; 1 translation in it stands nowhere else" in out
    before = sorted((project / "_build").iterdir())
    (project / "conf.py").write_text(f"{CONF}1 / 0\n", encoding="utf-8")
    code, _, err = run(capsys, "update")
    assert code == 2
    assert "ZeroDivisionError" in err
    assert "developers" not in err
    # What was made before is still there, and nothing half made beside it.
    assert (project / "_build/gettext/one.pot").is_file()
    assert sorted((project / "_build").iterdir()) == before
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
