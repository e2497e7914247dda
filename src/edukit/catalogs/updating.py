"""Pages and catalogs together again: templates are merged into catalogs, and no translation is lost."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from .pofile import Catalog, Message, changed, read, save, wrapped_references
from .project import ProjectError

# How alike two texts must be for the translation of one to be a beginning for the other's.
_ALIKE = 0.6
# How many of the former texts a new one is compared with, those first that share most words with it.
_COMPARED = 12


@dataclass(frozen=True, slots=True)
class Change:
    """What an update did to one catalog.

    Parameters
    ----------
    path
        The catalog.
    added, removed
        How many messages came and went.
    untranslated
        How many have no translation that is used.
    fuzzy
        How many of the new ones keep the translation of what they were before, to be looked at.
    taken
        Whole translations found in other catalogs of the language: how many, by the other's path.
    restored
        How many translations of former texts are used again.
    twice
        How many texts had two translations in the catalog; the one that is not used is in a comment now.
    """

    path: Path
    added: int
    removed: int
    untranslated: int
    fuzzy: int = 0
    taken: dict[str, int] = field(default_factory=dict)
    restored: int = 0
    twice: int = 0

    @property
    def is_of_texts(self) -> bool:
        """Whether texts have changed, and not only what a catalog says of their places."""
        return bool(self.added or self.removed or self.fuzzy or self.taken or self.restored or self.twice)


def update(templates: Path, folder: Path, language: str) -> Iterator[Change]:
    """Merge templates into the catalogs of a language; a translation is never lost.

    A message that changed keeps its old translation as fuzzy, with the source that it was made for; one
    that has gone is kept at the end of the file as obsolete. A message whose text stands, translated, in
    another catalog of the language takes the translation from there: so a page that was renamed or parted
    keeps what it had. Running it again changes nothing.

    Parameters
    ----------
    templates
        The output of ``sphinx-build -b gettext``.
    folder
        ``locale/<language>/LC_MESSAGES``.
    language
        The code of the catalogs, such as ``zh_CN``.

    Yields
    ------
    Change
        For each catalog that was written.
    """
    plural_forms = _plural_forms(language)
    paths = {path.relative_to(templates).with_suffix(".po"): path for path in templates.rglob("*.pot")}
    # All catalogs are read before one is written: a broken one is refused while nothing has changed.
    existing = {
        path.relative_to(folder): read(path)
        for path in sorted(folder.rglob("*.po"))
        if not any(part.startswith(".") for part in path.relative_to(folder).parts[:-1])
    }
    memory = _Memory(existing, paths)
    for name, template_path in sorted(paths.items()):
        template = read(template_path)
        catalog = existing.get(name) or Catalog(folder / name, ())
        if catalog.header is None:
            catalog = replace(catalog, header=_header(language, plural_forms))
        new, change = _merged(template, catalog, memory, is_new=name not in existing)
        if save(new):
            yield change


def orphans(templates: Path, folder: Path) -> dict[Path, int]:
    """Return the catalogs that no template belongs to: their pages have gone or changed their names.

    Each comes with the number of its translations that stand in no catalog of a page.
    """
    names = {path.relative_to(templates).with_suffix(".po") for path in templates.rglob("*.pot")}
    every = [path for path in sorted(folder.rglob("*.po")) if path.name != "sphinx.po"]
    alone = [path for path in every if path.relative_to(folder) not in names]
    if not alone:
        return {}

    def translations(path: Path) -> Iterator[tuple[str, ...]]:
        catalog = read(path)
        for message in (*catalog.messages, *catalog.obsolete):
            if has_text(message):
                yield message.forms or (message.string,)

    kept = {forms for path in every if path not in alone for forms in translations(path)}
    return {path: sum(forms not in kept for forms in translations(path)) for path in alone}


def _plural_forms(language: str) -> str:
    """Return how the language counts; refuse what is no language."""
    # Babel is slow to load and not needed by those who only read.
    from babel import Locale, UnknownLocaleError
    from babel.messages.plurals import get_plural

    try:
        locale = Locale.parse(language.partition("@")[0])
    except (UnknownLocaleError, ValueError):
        raise ProjectError(
            f"{language!r} is not the code of a language: write one such as zh_CN, pt_BR or de"
        ) from None
    plural = get_plural(locale)
    return str(plural.plural_forms)


def _header(language: str, plural_forms: str) -> Message:
    fields = (
        f"Language: {language}\n"
        "MIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=UTF-8\n"
        "Content-Transfer-Encoding: 8bit\n"
        f"Plural-Forms: {plural_forms}\n"
    )
    return Message("", fields, 1, fuzzy=False)


# -- one catalog ---------------------------------------------------------------------------------------


def _merged(
    template: Catalog, catalog: Catalog, memory: "_Memory", *, is_new: bool
) -> tuple[Catalog, Change]:
    wanted = {message.key: message for message in template.messages}
    restored = fuzzy = 0
    held, twice = _each_once(catalog.messages)
    obsolete, twice_before = _each_once(catalog.obsolete)
    twice += twice_before
    for key in held.keys() & obsolete.keys():
        # Somebody has put back by hand what had gone.
        back = changed(obsolete.pop(key), obsolete=False)
        restored += not has_text(held[key]) and has_text(back)
        held[key], more = _of_one_text([held[key], back])
        twice += more
    gone = [message for key, message in held.items() if key not in wanted]
    former = {key: message for key, message in obsolete.items() if has_text(message)}
    # A translation goes back to the text it was made for when a change of the page is taken back.
    undone = {(one.context, one.previous): one for one in gone if one.previous and one.string}

    found: dict[tuple[str, str], Message] = {}
    used: set[tuple[str, str]] = set()
    taken: Counter[str] = Counter()
    for key, message in wanted.items():
        if key in held:
            found[key] = _kept(held[key], message)
        elif key in undone:
            found[key] = _with_translation(message, undone[key], fuzzy=False)
            used.add(undone[key].key)
            restored += 1
        elif key in former:
            found[key] = _with_translation(message, former[key], fuzzy=former[key].fuzzy)
            used.add(key)
            restored += 1
        elif hit := memory.exact(message):
            other, name, sure = hit
            found[key] = _with_translation(message, other, fuzzy=not sure)
            taken[name] += 1

    # What changed is sought among what has gone, the most alike first.
    missing = [message for key, message in wanted.items() if key not in found]
    candidates = [one for one in (*gone, *former.values()) if has_text(one) and one.key not in used]
    if is_new:
        candidates += memory.orphaned()
    for message, candidate in _pairs(missing, candidates):
        found[message.key] = _with_translation(message, candidate, fuzzy=True)
        used.add(candidate.key)
        fuzzy += 1

    messages = tuple(found.get(key) or _new(message) for key, message in wanted.items())
    left = [one for key, one in obsolete.items() if key not in used and key not in wanted]
    left += [
        replace(changed(one, obsolete=True), references=(), notes=())
        for one in gone
        if has_text(one) and one.key not in used
    ]
    new = replace(catalog, messages=messages, obsolete=tuple(left))
    change = Change(
        catalog.path,
        added=sum(key not in held for key in wanted),
        removed=len(gone),
        untranslated=sum(not message.is_translated for message in messages),
        fuzzy=fuzzy,
        taken=dict(sorted(taken.items())),
        restored=restored,
        twice=twice,
    )
    return new, change


def has_text(message: Message) -> bool:
    """Return whether somebody has written a translation, be it only of one of its forms."""
    return bool(message.string) or any(message.forms)


def _each_once(messages: Iterable[Message]) -> tuple[dict[tuple[str, str], Message], int]:
    """Return one message for each text, and for how many texts there were two translations."""
    same: dict[tuple[str, str], list[Message]] = {}
    for message in messages:
        same.setdefault(message.key, []).append(message)
    twice = 0
    found = {}
    for key, group in same.items():
        found[key], more = _of_one_text(group) if len(group) > 1 else (group[0], 0)
        twice += more
    return found, twice


def _of_one_text(messages: Sequence[Message]) -> tuple[Message, int]:
    """Make one message of several: the first that readers see; the others go into comments."""
    best = max(messages, key=lambda one: (one.is_translated, has_text(one)))
    comments = list(best.comments)
    others = list(dict.fromkeys(_in_one_line(one) for one in messages if has_text(one)))
    if has_text(best):
        others.remove(_in_one_line(best))
    more = [line for one in messages if one is not best for line in one.comments]
    more += [f"another translation: {text}" for text in others]
    comments += [line for line in dict.fromkeys(more) if line not in comments]
    if comments != list(best.comments):
        best = changed(best, comments=tuple(comments))
    return best, int(bool(others))


def _in_one_line(message: Message) -> str:
    """Return a translation as a comment can hold it."""
    text = " | ".join(message.forms or (message.string,))
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def _new(template: Message) -> Message:
    forms = ("",) if template.plural else ()
    references = wrapped_references(places(template))
    return replace(
        template, string="", fuzzy=False, forms=forms, references=references, comments=(), typed=""
    )


def _kept(message: Message, template: Message) -> Message:
    """Return a message as it is, with what the template says of its place."""
    if _named(template) != _named(message) or _has_lines(message):
        message = changed(message, references=wrapped_references(places(template)))
    if message.notes != template.notes and template.notes:
        message = changed(message, notes=template.notes)
    if message.plural != template.plural:
        message = changed(message, plural=template.plural, fuzzy=bool(message.string))
    return message


def _with_translation(template: Message, other: Message, *, fuzzy: bool) -> Message:
    """Return the template's message with the translation that another one has."""
    message = _new(template)
    previous = (other.previous or other.id) if fuzzy else ""
    if previous == template.id:
        previous = ""
    forms = message.forms
    if template.plural:
        forms = other.forms or (other.string,)
    return replace(
        message,
        string=other.string,
        forms=forms,
        fuzzy=fuzzy,
        comments=other.comments,
        flags=other.flags,
        previous=previous,
    )


_PLACE = re.compile(r"\S+:docstring of \S+|\S+")


def places(message: Message) -> list[str]:
    """Return where a message stands, without the numbers of lines, which change all the time.

    Sphinx writes ``module.py:docstring of module.name:3`` of what comes from a docstring.
    """
    found = (place for line in message.references for place in _PLACE.findall(line))
    return list(dict.fromkeys(re.sub(r":\d+$", "", place) for place in found if place != "of"))


def _named(message: Message) -> set[str]:
    """Return the places by what other tools leave of them, which part them at blanks."""
    tokens = {place.rpartition(" ")[2] for place in places(message)}
    return {token for token in tokens if not token.endswith(":docstring")}


def _has_lines(message: Message) -> bool:
    return any(re.search(r":\d+$", place) for line in message.references for place in line.split())


# -- texts that are alike --------------------------------------------------------------------------------


def bare(text: str) -> str:
    """Return the letters and digits of a text: what is left of it when only the form has changed.

    Examples
    --------
    >>> bare("Read it,  *Again*.") == bare("read it again")
    True
    """
    return re.sub(r"[\W_]+", "", text.casefold())


def _pairs(missing: Iterable[Message], candidates: Iterable[Message]) -> Iterator[tuple[Message, Message]]:
    """Yield new messages, each with the former one that it has come from; the surest first."""
    unused = {id(one): one for one in candidates}
    waiting: list[Message] = []
    by_form: dict[str, list[Message]] = {}
    for candidate in unused.values():
        by_form.setdefault(bare(candidate.id), []).append(candidate)
    for message in missing:
        same = [one for one in by_form.get(bare(message.id), []) if id(one) in unused]
        if bare(message.id) and same:
            del unused[id(same[0])]
            yield message, same[0]
        else:
            waiting.append(message)
    rated = []
    pool = [(candidate, _tokens(candidate.id)) for candidate in unused.values()]
    by_token: dict[str, list[int]] = {}
    for order, (_, tokens) in enumerate(pool):
        for token in set(tokens):
            by_token.setdefault(token, []).append(order)
    for number, message in enumerate(waiting):
        own = _tokens(message.id)
        # Only what shares words is compared closely: a language may have ten thousand texts.
        shared = Counter(order for token in set(own) for order in by_token.get(token, ()))
        for order, count in shared.most_common(_COMPARED):
            candidate, tokens = pool[order]
            if 2 * count >= 0.5 * (len(set(own)) + len(set(tokens))):
                ratio = _likeness(own, tokens, message.id, candidate.id)
                if ratio >= _ALIKE:
                    rated.append((-ratio, number, order, message, candidate))
    done: set[int] = set()
    for _, _, _, message, candidate in sorted(rated, key=lambda one: one[:3]):
        if id(message) not in done and id(candidate) in unused:
            done.add(id(message))
            del unused[id(candidate)]
            yield message, candidate


def _tokens(text: str) -> list[str]:
    """Return the words of a text, and the signs of scripts without spaces."""
    return re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+", text.casefold())


def _likeness(own: list[str], other: list[str], text: str, former: str) -> float:
    """Return how alike two texts are, from 0 to 1: short ones by letters, long ones by words."""
    if max(len(text), len(former)) <= 80:
        return difflib.SequenceMatcher(None, former.casefold(), text.casefold(), autojunk=False).ratio()
    return difflib.SequenceMatcher(None, other, own, autojunk=False).ratio()


class _Memory:
    """The translations of a whole language, for messages that have moved from one page to another."""

    def __init__(self, catalogs: dict[Path, Catalog], wanted: Iterable[Path]) -> None:
        self._catalogs = catalogs
        self._orphans = set(catalogs) - set(wanted)
        self._texts: dict[tuple[str, str], list[tuple[Message, str]]] | None = None

    def exact(self, message: Message) -> tuple[Message, str, bool] | None:
        """Return a message with the same text, the catalog it is in, and whether it can be relied upon.

        That is so when all catalogs agree. A fuzzy translation is taken, as one, from a page that has gone.
        """
        if self._texts is None:
            self._texts = {}
            for name, catalog in self._catalogs.items():
                for one in (*catalog.messages, *catalog.obsolete):
                    usable = one.is_translated or (has_text(one) and name in self._orphans)
                    if usable and name.name != "sphinx.po":
                        self._texts.setdefault(one.key, []).append((one, name.as_posix()))
        hits = self._texts.get(message.key)
        if not hits:
            return None
        translated = [hit for hit in hits if hit[0].is_translated]
        counts = Counter(one.string for one, _ in translated or hits)
        [(string, _)] = counts.most_common(1)
        other, where = next((one, where) for one, where in translated or hits if one.string == string)
        return other, where, bool(translated) and len(counts) == 1

    def orphaned(self) -> list[Message]:
        """Return what catalogs of pages that have gone still hold."""
        return [
            one
            for name in sorted(self._orphans)
            if name.name != "sphinx.po"
            for one in (*self._catalogs[name].messages, *self._catalogs[name].obsolete)
            if has_text(one)
        ]
