"""A catalog's file is read exactly and written back without a change."""

from dataclasses import replace
from pathlib import Path

import pytest
import sphinx
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from edukit.catalogs import Catalog, CatalogError, Message, parse, read, save, written
from edukit.catalogs.pofile import changed

WRAPPED = """\
# Notes of a translator
# over two lines
#\x20
msgid ""
msgstr ""
"Project-Id-Version: course 1\\n"
"Last-Translator: somebody\\n"
"Language-Team: everybody\\n"
"X-Generator: Weblate 5\\n"

#. From the source
#: ../../page.md:3
#, fuzzy, no-wrap
#| msgid "What it "
#| "was"
msgid ""
"What it is, wrapped by another "
"tool\\n"
"and over two lines"
msgstr ""
"一\\n"
"二"

msgctxt "menu"
msgid "Open"
msgid_plural "Open %d"
msgstr[0] "打开"

#~| msgid "Older"
#~ msgid "Old"
#~ msgstr "旧"

# a note
#, fuzzy
#~ msgid ""
#~ "Older "
#~ "still"
#~ msgstr "更旧"
"""


def test_what_a_file_holds() -> None:
    catalog = parse(WRAPPED)
    first, second = catalog.messages
    assert first.id == "What it is, wrapped by another tool\nand over two lines"
    assert first.string == "一\n二"
    assert (first.fuzzy, first.flags, first.previous) == (True, ("no-wrap",), "What it was")
    assert (first.notes, first.references, first.line) == (("From the source",), ("../../page.md:3",), 16)
    assert (second.context, second.plural, second.forms) == ("menu", "Open %d", ("打开",))
    assert catalog.fields["X-Generator"] == "Weblate 5"
    assert catalog.header is not None
    assert catalog.header.comments == ("Notes of a translator", "over two lines", "")
    assert [(one.id, one.string, one.previous, one.fuzzy) for one in catalog.obsolete] == [
        ("Old", "旧", "Older", False),
        ("Older still", "更旧", "", True),
    ]


def test_a_file_that_another_tool_has_wrapped_is_written_as_it_was() -> None:
    assert written(parse(WRAPPED)) == WRAPPED
    assert written(parse(WRAPPED + "\n")) == WRAPPED + "\n"


def test_only_a_message_that_changed_is_written_anew() -> None:
    catalog = parse(WRAPPED)
    first = changed(catalog.messages[0], string="三", fuzzy=False, previous="")
    text = written(replace(catalog, messages=(first, *catalog.messages[1:])))
    assert '#, no-wrap\nmsgid ""\n"What it is, wrapped by another tool\\n"\n"and over two lines"\n' in text
    assert text.partition('msgctxt "menu"')[2] == WRAPPED.partition('msgctxt "menu"')[2]
    # A comment alone moves no line of the texts.
    noted = changed(catalog.messages[0], comments=("new",))
    text = written(replace(catalog, messages=(noted, *catalog.messages[1:])))
    assert text == WRAPPED.replace("#. From", "# new\n#. From")


_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=40)
_LINES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), min_size=1, max_size=12)
_MESSAGES = st.builds(
    Message,
    id=_TEXTS.filter(bool),
    string=_TEXTS,
    line=st.just(1),
    fuzzy=st.booleans(),
    context=st.sampled_from(["", "menu", 'a "b"']),
    comments=st.lists(_LINES.filter(lambda text: text[0] not in ":,.|~"), max_size=2).map(tuple),
    notes=st.lists(_LINES, max_size=1).map(tuple),
    flags=st.sampled_from([(), ("no-wrap",), ("c-format", "no-wrap")]),
    previous=_TEXTS,
)


@given(st.lists(_MESSAGES, max_size=5), st.lists(_MESSAGES, max_size=3))
def test_what_is_written_is_read_again(messages: list[Message], obsolete: list[Message]) -> None:
    obsolete = [replace(one, obsolete=True) for one in obsolete]
    header = Message("", "Content-Type: text/plain; charset=UTF-8\n", 1, fuzzy=False)
    catalog = Catalog(Path("page.po"), tuple(messages), header, tuple(obsolete))
    text = written(catalog)
    again = parse(text, Path("page.po"))
    assert [replace(one, line=1) for one in again.messages] == messages
    assert [replace(one, line=1) for one in again.obsolete] == obsolete
    assert written(again) == text
    # Line ends of other systems, and the mark that some editors put at the beginning, change nothing.
    assert parse(text.replace("\n", "\r\n")).messages == again.messages


@given(st.lists(_MESSAGES, max_size=4, unique_by=lambda one: (one.context, one.id)))
def test_babel_reads_the_same(messages: list[Message]) -> None:
    import io

    plain = tuple(replace(one, notes=(), comments=(), previous="") for one in messages)
    header = Message("", "Content-Type: text/plain; charset=UTF-8\n", 1, fuzzy=False)
    text = written(Catalog(Path("page.po"), plain, header))
    # Babel parts lines where no editor does.
    if any(sign in text for sign in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"):
        return
    found = {
        (one.context or "", one.id): (one.string, one.fuzzy)
        for one in read_po(io.BytesIO(text.encode()))
        if one.id
    }
    assert found == {one.key: (one.string, one.fuzzy) for one in plain}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', 2),
        ('msgstr "c"\n', 1),
        ('msgid "a"\n\n#: x\nmsgid "b"\nmsgstr ""\n', 4),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', 3),
        ('"a"\n', 1),
        ("msgid a\n", 1),
        ('#~ msgid "a"\n', 1),
        ('msgid "a"\nmsgstr "b\\"\n', 2),
    ],
)
def test_what_is_no_catalog_is_refused_at_its_line(text: str, line: int) -> None:
    with pytest.raises(CatalogError) as caught:
        parse(text, Path("page.po"))
    assert caught.value.line == line


def test_the_catalogs_of_sphinx_itself_are_read_and_written_as_they_are() -> None:
    """Eighty languages, other tools, plural forms, wrapped lines, right to left."""
    paths = sorted(Path(sphinx.__file__).parent.glob("locale/*/LC_MESSAGES/sphinx.po"))
    assert len(paths) > 50
    for path in paths[::4]:
        text = path.read_text(encoding="utf-8")
        assert written(parse(text, path)) == text, path


def test_a_comment_that_stands_apart_belongs_to_the_message_below() -> None:
    text = '# a note\n\nmsgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr "d"\n'
    messages = parse(text).messages
    assert [(one.comments, one.line) for one in messages] == [(("a note",), 3), ((), 6)]


def test_a_translator_can_rule_findings_out() -> None:
    [message] = parse('# edukit: ignore term, number\nmsgid "a"\nmsgstr "b"\n').messages
    assert message.ignored == {"term", "number"}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_stands_around_the_messages_is_written_again(tmp_path: Path, newline: str) -> None:
    path, text = tmp_path / "page.po", f"{WRAPPED}\n# the last words\n\n#. of a tool\n"
    for content in (text, WRAPPED, "# hi\n", 'msgid "a"\nmsgstr "b"\n\n# hi\n\n'):
        path.write_bytes(content.replace("\n", newline).encode())
        assert not save(read(path)), content
    path.write_bytes(text.replace("\n", newline).encode())
    catalog = read(path)
    first = changed(catalog.messages[0], comments=("new",))
    assert save(replace(catalog, messages=(first, *catalog.messages[1:])))
    expected = text.replace("#. From", "# new\n#. From").replace("\n", newline)
    assert path.read_bytes() == expected.encode()


def test_a_link_stays_a_link_and_rights_stay_as_they_are(tmp_path: Path) -> None:
    path, link = tmp_path / "page.po", tmp_path / "link.po"
    path.write_text('msgid "a"\nmsgstr "b"\n', encoding="utf-8")
    path.chmod(0o664)
    try:
        link.symlink_to(path)
    except OSError:
        pytest.skip("this system makes no links")
    rights = path.stat().st_mode
    catalog = read(link)
    assert save(replace(catalog, messages=(changed(catalog.messages[0], string="c"),)))
    assert link.is_symlink()
    assert read(path).messages[0].string == "c"
    assert path.stat().st_mode == rights


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> theirs"])
def test_the_marks_of_a_merge_are_named(mark: str) -> None:
    with pytest.raises(CatalogError, match="have not been merged"):
        parse(f'msgid "a"\nmsgstr "b"\n{mark}\nmsgstr "c"\n', Path("page.po"))
