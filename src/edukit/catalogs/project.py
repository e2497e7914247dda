"""Where a project has its pages, its catalogs and its settings, found without running its ``conf.py``."""

import ast
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from .pofile import Catalog, read


class ProjectError(Exception):
    """A project, or a setting of it, that cannot be understood; the text says what to do."""


# -- settings --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Settings:
    """The table ``[tool.edukit.translate]`` of ``pyproject.toml``.

    Parameters
    ----------
    conf, docs
        The folders of ``conf.py`` and of the pages.
    locale
        The folder of the catalogs.
    templates
        Where templates lie after an update.
    glossary
        The agreed terms, a ``.csv`` file; empty for the ``glossary.csv`` beside the catalogs, if any.
    spacing
        Spaces between Chinese and Latin letters or digits: ``yes``, ``no``, or ``off`` for no rule.
    same
        Messages that may stay as they are in every language: names, for example.
    ignore
        Codes of findings that are not looked for.
    """

    conf: str = ""
    docs: str = ""
    locale: str = ""
    templates: str = ""
    glossary: str = ""
    spacing: str = "yes"
    same: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


SPACINGS = ("yes", "no", "off")


def read_settings(folder: Path) -> Settings:
    """Read the settings of the project whose ``pyproject.toml`` lies in a folder; all have defaults."""
    path = folder / "pyproject.toml"
    if not path.is_file():
        return Settings()
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProjectError(f"{path}: this is no TOML file: {error}") from None
    for name in ("tool", "edukit", "translate"):
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise ProjectError(f"{path}: [tool.edukit.translate] has to be a table")
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in Settings.__slots__:
            known = ", ".join(Settings.__slots__)
            raise ProjectError(
                f"{path}: [tool.edukit.translate] has no setting {name!r}; there are {known}"
            )
        is_list = name in {"same", "ignore"}
        texts = value if is_list and isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts) or (is_list and not isinstance(value, list)):
            kind = "a list of texts" if is_list else "a text"
            raise ProjectError(f"{path}: {name} in [tool.edukit.translate] has to be {kind}, not {value!r}")
        values[name] = tuple(value) if is_list else value
    if values.get("spacing", "yes") not in SPACINGS:
        raise ProjectError(
            f"{path}: spacing in [tool.edukit.translate] is one of {', '.join(SPACINGS)}, "
            f"not {values['spacing']!r}"
        )
    return Settings(**values)


# -- conf.py ---------------------------------------------------------------------------------------------


def read_conf(path: Path) -> dict[str, Any]:
    """Return the plain values that a ``conf.py`` gives to names; what is computed is left out."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError) as error:
        raise ProjectError(f"{path}: this cannot be read: {error}") from None
    values: dict[str, Any] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            try:
                value = ast.literal_eval(statement.value)
            except ValueError:
                continue
            values.update(dict.fromkeys(names, value))
    return values


# -- the project -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Project:
    """A project's folders.

    Parameters
    ----------
    conf, docs
        The folders of ``conf.py`` and of the pages.
    locale
        The folder of the catalogs.
    templates_folder
        Where ``sphinx-build -b gettext`` puts templates.
    root
        What settings are counted from, and what is shown of a path.
    source
        The language that the pages are written in.
    asked
        The languages that ``conf.py`` names.
    settings
        What the project has agreed on.
    compact
        Sphinx's ``gettext_compact``: whether the pages of a folder share a catalog, or all of them one.
    """

    conf: Path
    docs: Path
    locale: Path
    templates_folder: Path
    root: Path
    source: str = "en"
    asked: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    compact: bool | str = True

    # Catalogs that belong to no page.
    SHARED: ClassVar[frozenset[str]] = frozenset({"sphinx", "figures", "sphinx-extensions"})

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that there are catalogs for, and those that ``conf.py`` asks for."""
        there = {path.parent.name for path in self.locale.glob("*/LC_MESSAGES")}
        return tuple(sorted(there | set(self.asked)))

    def folder(self, language: str) -> Path:
        """Return the folder of the catalogs of a language."""
        return self.locale / language / "LC_MESSAGES"

    def catalog_path(self, language: str, name: str) -> Path:
        """Return where a catalog is, or would be."""
        return self.folder(language) / f"{name}.po"

    def catalog_of(self, page: str) -> str:
        """Return the name of the catalog that the texts of a page stand in."""
        if isinstance(self.compact, str):
            return self.compact
        return page.partition("/")[0] if self.compact else page

    def catalogs(self, language: str) -> dict[str, Catalog]:
        """Read all catalogs of a language, by their names."""
        folder = self.folder(language)
        return {
            path.relative_to(folder).with_suffix("").as_posix(): read(path)
            for path in sorted(folder.rglob("*.po"))
            if not any(part.startswith(".") for part in path.relative_to(folder).parts[:-1])
        }

    def templates(self) -> dict[str, Catalog]:
        """Read all templates that lie about, by their names."""
        folder = self.templates_folder
        return {
            path.relative_to(folder).with_suffix("").as_posix(): read(path)
            for path in sorted(folder.rglob("*.pot"))
        }

    def shown(self, path: Path) -> str:
        """Return a path as people of the project write it."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()

    def page_file(self, name: str) -> Path | None:
        """Return the file of a page; None where the name is that of no single page."""
        for suffix in (".md", ".rst", ".ipynb", ".txt"):
            path = self.docs / f"{name}{suffix}"
            if path.is_file():
                return path
        return None


def find(
    start: Path,
    *,
    conf: Path | None = None,
    docs: Path | None = None,
    locale: Path | None = None,
    templates: Path | None = None,
) -> Project:
    """Find the project that a folder is in; what is given is not looked for.

    Raises
    ------
    ProjectError
        There is no ``conf.py`` in the usual places, or a setting is wrong.
    """
    root = next((one for one in (start, *start.parents) if (one / "pyproject.toml").is_file()), start)
    settings = read_settings(root)
    conf = conf or (root / settings.conf if settings.conf else _folder_of_conf(start))
    if conf is None and docs is None and locale is None:
        raise ProjectError(
            f"no conf.py in {_shown(start)}, above it, or in docs/: run this where the project is, or name "
            "the folder with --conf"
        )
    if conf is not None and not (conf / "conf.py").is_file():
        raise ProjectError(f"there is no conf.py in {_shown(conf)}: --conf takes the folder that it is in")
    values = read_conf(conf / "conf.py") if conf else {}
    docs = docs or (root / settings.docs if settings.docs else None)
    if docs is None:
        docs = _folder_of_pages(conf, values) if conf else (locale or start).parent
    if not docs.is_dir():
        raise ProjectError(f"there is no folder {_shown(docs)}")
    # Catalogs that are named on the command line need not be those that conf.py speaks of.
    others = values.get("bilingual_languages", []) if locale is None else []
    if locale is None:
        given = values.get("locale_dirs") or ["locales"]
        locale = (root / settings.locale if settings.locale else docs / str(given[0])).resolve()
    base = conf or docs
    compact = values.get("gettext_compact", True)
    return Project(
        conf=base,
        docs=docs,
        locale=locale,
        templates_folder=templates
        or (root / settings.templates if settings.templates else _folder_of_builds(base, docs) / "gettext"),
        root=root,
        source=str(values.get("language") or "en"),
        asked=tuple(str(one).replace("-", "_") for one in others)
        if isinstance(others, list | tuple)
        else (),
        settings=settings,
        compact=compact if isinstance(compact, str) else bool(compact),
    )


def _folder_of_conf(start: Path) -> Path | None:
    usual = ("", "docs", "docs/source", "doc", "doc/source", "source")
    return next(
        (
            folder / name
            for folder in (start, *start.parents)
            for name in usual
            if (folder / name / "conf.py").is_file()
        ),
        None,
    )


def _folder_of_pages(conf: Path, values: dict[str, Any]) -> Path:
    """Return the folder with the first page: beside ``conf.py``, or in a folder of its own."""
    root = str(values.get("root_doc") or values.get("master_doc") or "index")
    for folder in (conf, conf / "docs", conf / "source", conf / "doc"):
        if any((folder / f"{root}{suffix}").is_file() for suffix in (".rst", ".md", ".txt", ".ipynb")):
            return folder
    return conf


def _folder_of_builds(conf: Path, docs: Path) -> Path:
    """Return the folder for what is built: as ``sphinx-quickstart`` has it, not outside."""
    if conf == docs and docs.name == "source":
        usual = docs.parent / "build"
        return usual if usual.is_dir() else docs.parent / "_build"
    return conf / "_build"


def _shown(path: Path) -> str:
    try:
        return path.relative_to(Path.cwd()).as_posix() or "."
    except ValueError:
        return path.as_posix()
