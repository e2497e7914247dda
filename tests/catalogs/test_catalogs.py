from pathlib import Path

import pytest

from edukit.catalogs import CatalogError, Message, read, update
from edukit.cli import main


@pytest.fixture
def po(tmp_path: Path) -> Path:
    return tmp_path / "page.po"


def test_messages_carry_their_lines(po: Path) -> None:
    po.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        '#, fuzzy\nmsgid "One"\nmsgstr "一"\n\nmsgid ""\n"Two "\n"lines"\nmsgstr ""\n\n'
        '#~ msgid "Old"\n#~ msgstr "旧"\n',
        encoding="utf-8",
    )
    assert read(po).messages == (Message("One", "一", 5, True), Message("Two lines", "", 8, False))


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(po: Path) -> None:
    po.write_bytes('\ufeffmsgid "One"\r\nmsgstr "一"\r\n'.encode())
    assert read(po).messages == (Message("One", "一", 1, False),)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('msgid "One"\nmsgstr 一"\n', 2),
        ('msgid "One"\nmsgstr "一\n', 2),
        ('msgid "One"\nmsgstr "a "quoted" word"\n', 2),
        ('msgid "One"\nmsgstr "一"\nmsgid "Two"\nwrong "二"\n', 4),
        ('msgid "One"\nmsgstr "一"\n<<<<<<< ours\n', 3),
    ],
)
def test_a_broken_file_is_refused_at_its_line(po: Path, content: str, line: int) -> None:
    po.write_text(content, encoding="utf-8")
    with pytest.raises(CatalogError, match=rf"page\.po:{line}: ") as caught:
        read(po)
    assert caught.value.line == line


def test_another_encoding_is_refused(po: Path) -> None:
    po.write_bytes('msgid "One"\nmsgstr "歌曲"\n'.encode("gb18030"))
    with pytest.raises(CatalogError, match=r"page\.po:2: this is not UTF-8"):
        read(po)


TEMPLATE = (
    '#: ../../docs/page.md:{line}\nmsgid "The first sentence of the page."\nmsgstr ""\n\n'
    '#: ../../docs/page.md:20\nmsgid "Stays"\nmsgstr ""\n'
)


def test_an_update_loses_nothing_and_changes_nothing_twice(tmp_path: Path) -> None:
    templates, locale = tmp_path / "pot", tmp_path / "locale"
    folder = locale / "zh_CN/LC_MESSAGES"
    (templates / "sub").mkdir(parents=True)
    pot = templates / "sub/page.pot"
    pot.write_text(TEMPLATE.format(line=3))
    (change,) = update(templates, folder, "zh_CN")
    assert (change.added, change.removed, change.untranslated) == (2, 0, 2)
    po = folder / "sub/page.po"
    long = "第一句话。" * 40
    text = po.read_text(encoding="utf-8")
    text = text.replace(
        'msgid "The first sentence of the page."\nmsgstr ""',
        f'# a translator\'s note\nmsgid "The first sentence of the page."\nmsgstr "{long}"',
    ).replace('msgid "Stays"\nmsgstr ""', 'msgid "Stays"\nmsgstr "不变"')
    po.write_text(text, encoding="utf-8")
    assert list(update(templates, folder, "zh_CN")) != []  # the note finds its place once
    settled = po.read_bytes()
    assert long.encode() in settled  # in one line
    # The page moved: nothing to do.
    pot.write_text(TEMPLATE.format(line=7))
    assert list(update(templates, folder, "zh_CN")) == []
    assert po.read_bytes() == settled
    # A sentence changed: its translation stays, marked.
    pot.write_text(TEMPLATE.format(line=7).replace("first sentence", "very first sentence"))
    (change,) = update(templates, folder, "zh_CN")
    assert (change.added, change.removed, change.untranslated) == (1, 1, 1)
    messages = {message.id: message for message in read(po).messages}
    assert messages["The very first sentence of the page."].fuzzy
    assert messages["The very first sentence of the page."].string == long
    assert messages["Stays"].string == "不变"
    # It has gone: its translation is kept where a translator finds it.
    pot.write_text(TEMPLATE.partition("\n\n")[2])
    list(update(templates, folder, "zh_CN"))
    assert [message.id for message in read(po).messages] == ["Stays"]
    assert list(update(templates, folder, "zh_CN")) == []


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pot").mkdir()
    (tmp_path / "pot/page.pot").write_text(TEMPLATE.format(line=1))
    options = ["--templates", str(tmp_path / "pot"), "--locale", str(tmp_path / "locale")]
    assert main(["translate", "update", *options]) == 2
    assert "name one, such as --language zh_CN" in capsys.readouterr().err
    assert main(["translate", "update", *options, "--language", "zh_CN"]) == 0
    assert "2 new, 0 gone, 2 to translate" in capsys.readouterr().out
    assert main(["translate", "update", *options, "--json"]) == 0
    assert capsys.readouterr().out == "[]\n"
    po = tmp_path / "locale/zh_CN/LC_MESSAGES/page.po"
    po.write_text("nonsense\n")
    assert main(["translate", "update", *options]) == 2
    assert "page.po:1: " in capsys.readouterr().err
    assert po.read_text() == "nonsense\n"
    assert main(["translate", "update", "--templates", str(tmp_path / "none")]) == 2
