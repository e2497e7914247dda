"""Catalogs follow their pages, and nothing that a translator has written is lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit.catalogs import Change, read, update
from edukit.catalogs.project import ProjectError
from edukit.catalogs.updating import orphans

Write = Callable[..., None]


class Folder:
    """Templates and catalogs of one language in a folder."""

    def __init__(self, path: Path) -> None:
        self.templates = path / "pot"
        self.catalogs = path / "zh_CN/LC_MESSAGES"
        self.templates.mkdir(parents=True)
        self.catalogs.mkdir(parents=True)

    def page(self, name: str, *texts: str) -> None:
        blocks = [
            f'#: ../../docs/{name}.md:{at}\nmsgid "{text}"\nmsgstr ""' for at, text in enumerate(texts)
        ]
        (self.templates / f"{name}.pot").write_text("\n\n".join(blocks), encoding="utf-8")

    def update(self) -> list[Change]:
        return list(update(self.templates, self.catalogs, "zh_CN"))

    def text(self, name: str) -> str:
        return (self.catalogs / f"{name}.po").read_text(encoding="utf-8")

    def translate(self, name: str, **strings: str) -> None:
        text = self.text(name)
        for source, string in strings.items():
            source = source.replace("_", " ")
            assert f'msgid "{source}"\nmsgstr ""' in text
            text = text.replace(f'msgid "{source}"\nmsgstr ""', f'msgid "{source}"\nmsgstr "{string}"')
        (self.catalogs / f"{name}.po").write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_changed_text_says_what_it_was_and_comes_back(folder: Folder) -> None:
    folder.page("one", "A word has a place", "Another")
    folder.update()
    folder.translate("one", A_word_has_a_place="词有位置", Another="又一个")
    folder.page("one", "A word has its place.", "Another")
    [change] = folder.update()
    assert (change.added, change.removed, change.fuzzy, change.untranslated) == (1, 1, 1, 1)
    assert '#, fuzzy\n#| msgid "A word has a place"\nmsgid "A word has its place."\nmsgstr "词有位置"' in (
        folder.text("one")
    )
    assert "#~" not in folder.text("one")
    # Changed once more, it still says what the translation was made for.
    folder.page("one", "Each word has its own place.", "Another")
    folder.update()
    assert '#| msgid "A word has a place"\nmsgid "Each word has its own place."' in folder.text("one")
    folder.page("one", "A word has a place", "Another")
    [change] = folder.update()
    assert (change.restored, change.untranslated) == (1, 0)
    assert folder.update() == []


@pytest.mark.parametrize("new", ["it  is SO", "*(It is so)*...!", "It is so…"])
def test_a_change_of_form_alone_finds_its_translation(folder: Folder, new: str) -> None:
    # Another text that has more signs in common does not get in the way.
    folder.page("one", "*(It is odd)*...!", "It is so")
    folder.update()
    text = folder.text("one").replace('...!"\nmsgstr ""', '...!"\nmsgstr "怪"')
    (folder.catalogs / "one.po").write_text(text, encoding="utf-8")
    folder.translate("one", It_is_so="对")
    folder.page("one", new)
    folder.update()
    [message] = read(folder.catalogs / "one.po").messages
    assert (message.string, message.fuzzy, message.previous) == ("对", True, "It is so")


def test_a_page_that_is_renamed_keeps_its_translations(folder: Folder) -> None:
    folder.page("old", "The same text", "This one changes with the name")
    folder.update()
    folder.translate("old", The_same_text="一样的", This_one_changes_with_the_name="会变的")
    (folder.templates / "old.pot").unlink()
    folder.page("new", "The same text", "This one changed with the name")
    [change] = folder.update()
    assert change.taken == {"old.po": 1}
    assert (change.fuzzy, change.untranslated) == (1, 1)
    assert [message.string for message in read(folder.catalogs / "new.po").messages] == ["一样的", "会变的"]
    assert orphans(folder.templates, folder.catalogs) == {folder.catalogs / "old.po": 0}
    assert folder.update() == []


def test_a_renamed_page_keeps_what_is_fuzzy_and_what_had_gone(folder: Folder) -> None:
    folder.page("old", "Shake it.", "This was a sentence that has gone", "Nothing like it comes again")
    folder.update()
    folder.translate(
        "old", This_was_a_sentence_that_has_gone="走了的", Nothing_like_it_comes_again="不再来"
    )
    path = folder.catalogs / "old.po"
    text = path.read_text(encoding="utf-8").replace(
        '"Shake it."\nmsgstr ""', '"Shake it."\nmsgstr "摇一摇。"'
    )
    path.write_text(text, encoding="utf-8")
    folder.page("old", "Shake it firmly.")
    folder.update()
    (folder.templates / "old.pot").unlink()
    folder.page("new", "Shake it firmly.", "This is a sentence that has gone")
    [change] = folder.update()
    assert change.taken == {"old.po": 1}
    found = [(one.string, one.fuzzy, one.previous) for one in read(folder.catalogs / "new.po").messages]
    assert found == [
        ("摇一摇。", True, "Shake it."),
        ("走了的", True, "This was a sentence that has gone"),
    ]
    assert orphans(folder.templates, folder.catalogs) == {folder.catalogs / "old.po": 1}
    assert folder.update() == []


@pytest.mark.parametrize(
    ("first", "second", "used", "other", "fuzzy"),
    [
        ('msgid "A"\nmsgstr "甲"', 'msgid "A"\nmsgstr "乙"', "甲", "乙", False),
        # What readers see goes before what is fuzzy.
        ('#, fuzzy\nmsgid "A"\nmsgstr "甲"', 'msgid "A"\nmsgstr "乙"', "乙", "甲", False),
        ('#, fuzzy\nmsgid "A"\nmsgstr "甲"', '#~ msgid "A"\n#~ msgstr "乙"', "乙", "甲", False),
        ('#, fuzzy\nmsgid "A"\nmsgstr "甲"', '#, fuzzy\nmsgid "A"\nmsgstr "乙"', "甲", "乙", True),
        ('#~ msgid "A"\n#~ msgstr "甲"', '#~ msgid "A"\n#~ msgstr "乙"', "甲", "乙", False),
    ],
)
def test_a_text_that_stands_twice_loses_no_translation(
    folder: Folder, first: str, second: str, used: str, other: str, fuzzy: bool
) -> None:
    folder.page("one", "A")
    (folder.catalogs / "one.po").write_text(f"{first}\n\n{second}\n", encoding="utf-8")
    [change] = folder.update()
    assert change.twice == 1
    catalog = read(folder.catalogs / "one.po")
    [message] = catalog.messages
    assert (message.string, message.fuzzy) == (used, fuzzy)
    assert message.comments == (f"another translation: {other}",)
    assert catalog.obsolete == ()
    assert folder.update() == []
    # Obsolete once more, nothing is lost either.
    folder.page("one")
    folder.update()
    [message] = read(folder.catalogs / "one.po").obsolete
    assert (message.string, *message.comments) == (used, f"another translation: {other}")


def test_a_text_put_back_by_hand_takes_its_translation(folder: Folder) -> None:
    folder.page("one", "A", "B")
    own = '#, fuzzy\nmsgid "A"\nmsgstr "甲"\n\nmsgid "B"\nmsgstr ""\n\n#~ msgid "B"\n#~ msgstr "乙"\n'
    (folder.catalogs / "one.po").write_text(own, encoding="utf-8")
    [change] = folder.update()
    assert (change.restored, change.twice, change.untranslated) == (1, 0, 1)
    catalog = read(folder.catalogs / "one.po")
    assert [(one.string, one.fuzzy) for one in catalog.messages] == [("甲", True), ("乙", False)]
    assert catalog.obsolete == ()


def test_a_catalog_without_a_header_gets_one(folder: Folder) -> None:
    folder.page("one", "A")
    (folder.catalogs / "one.po").write_text('msgid "A"\nmsgstr "甲"\n', encoding="utf-8")
    folder.update()
    assert read(folder.catalogs / "one.po").fields["Content-Type"] == "text/plain; charset=UTF-8"
    assert folder.update() == []


def test_pages_that_translate_a_text_in_two_ways_give_a_hint_only(folder: Folder) -> None:
    folder.page("one", "Open")
    folder.page("two", "Open")
    folder.update()
    folder.translate("one", Open="打开")
    folder.translate("two", Open="开放")
    folder.page("three", "Open")
    folder.update()
    [message] = read(folder.catalogs / "three.po").messages
    assert message.fuzzy
    assert message.string in ("打开", "开放")


def test_what_others_have_written_into_a_catalog_stays(folder: Folder) -> None:
    folder.page("one", "Kept text", "Gone text")
    own = (
        "# Translators of the course\n"
        'msgid ""\nmsgstr ""\n"Last-Translator: somebody\\n"\n"X-Generator: Poedit 3\\n"\n\n'
        "# my note\n#: ../../docs/one.md:99\n#, no-wrap\n"
        'msgid ""\n"Kept "\n"text"\nmsgstr ""\n"留"\n"下"\n\n'
        '#: ../../docs/one.md\nmsgid "Gone text"\nmsgstr "去"\n'
    )
    (folder.catalogs / "one.po").write_text(own, encoding="utf-8")
    # Numbers of lines would change with every edit of the page: they go, once.
    [_] = folder.update()
    assert folder.text("one") == own.replace(":99", "")
    folder.page("one", "Kept text", "Something else altogether, and long")
    folder.update()
    assert folder.text("one").startswith(own.partition("#: ../../docs/one.md\n")[0].replace(":99", ""))
    assert folder.text("one").endswith('\n\n#~ msgid "Gone text"\n#~ msgstr "去"\n')
    folder.page("one", "Kept text", "Gone text")
    [change] = folder.update()
    assert change.restored == 1
    assert "#~" not in folder.text("one")


def test_places_in_docstrings_are_kept_as_other_tools_have_left_them(folder: Folder) -> None:
    template = "#: ../../a.py:docstring of a.b:1\n#: ../../a.py:docstring of a.c:4\n"
    blocks = [f'{template}msgid "{text}"\nmsgstr ""\n' for text in ("Old", "New")]
    (folder.templates / "api.pot").write_text("\n".join(blocks), encoding="utf-8")
    own = '#: a.b a.c of\nmsgid "Old"\nmsgstr "旧"\n'
    (folder.catalogs / "api.po").write_text(own, encoding="utf-8")
    folder.update()
    assert folder.text("api").partition("\n\n")[2] == (
        f'{own}\n#: ../../a.py:docstring of a.b\n#: ../../a.py:docstring of a.c\nmsgid "New"\nmsgstr ""\n'
    )
    assert folder.update() == []


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.page("one", "a")
    with pytest.raises(ProjectError, match="'nolanguage' is not the code of a language"):
        list(update(folder.templates, tmp_path / "xx_YY/LC_MESSAGES", "nolanguage"))


_WORDS = st.lists(
    st.sampled_from(["word", "place", "Place!", "a", "of", "the", "wave"]), min_size=1, max_size=4
)
_PAGES = st.lists(_WORDS.map(" ".join), max_size=4, unique=True)


@given(states=st.lists(st.tuples(_PAGES, _PAGES), min_size=1, max_size=4))
def test_whatever_happens_to_the_pages_nothing_is_lost(
    states: list[tuple[list[str], list[str]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = Folder(tmp_path_factory.mktemp("update"))
    strings: set[str] = set()
    for number, (first, second) in enumerate(states):
        folder.page("one", *first)
        folder.page("two", *second)
        folder.update()
        assert folder.update() == []
        for name, texts in (("one", first), ("two", second)):
            catalog = read(folder.catalogs / f"{name}.po")
            assert [message.id for message in catalog.messages] == texts
            # A translator works on what is missing.
            todo = {
                one.id.replace(" ", "_"): f"{number}{name}{at}"
                for at, one in enumerate(catalog.messages)
                if not one.string
            }
            folder.translate(name, **todo)
            strings |= set(todo.values())
    folder.update()
    held = {
        message.string
        for path in folder.catalogs.glob("*.po")
        for message in (*read(path).messages, *read(path).obsolete)
    }
    assert strings <= held
