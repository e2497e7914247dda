"""Grade a class: every pupil's file against a rubric, each read and played in processes of its own.

A rubric is a TOML file of a few readable lines::

    [activity]
    en = "Subtraction Challenge"
    zh = "减法挑战"

    [[contain]]
    en = "asks a question"
    zh = "会提问"
    blocks = ["ask and wait"]

    [[behave]]
    en = "three right answers make a score of three"
    zh = "答对三题得三分"
    answers = ["{right}", "{right}", "{right}"]
    then = "{wrong}"
    variable = ["score", "得分"]
    is = 3
    points = 2

    [[avoid]]
    en = "nothing is left lying about"
    zh = "没有多余的脚本"
    findings = ["dead-script"]
"""

import difflib
import functools
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .examining import Examination, examine
from .findings import ERROR, KINDS, Finding
from .opcodes import LANGUAGES, MENU, PART, opcodes
from .playing import Performance, Plan, PlayError, modules, play

_PLAN_KEYS = {"answers", "then", "replies", "press", "click", "seed", "seconds"}
_EXPECTATIONS = {
    *("variable", "says", "never_says", "ends", "asks", "backdrop"),
}
_AMOUNTS = {"is", "at_least", "at_most"}
_COMMON = {"en", "zh", "points"}
_KEYS = {
    "contain": _COMMON | {"blocks", "at_least"},
    "avoid": _COMMON | {"findings"},
    "behave": _COMMON | _PLAN_KEYS | _EXPECTATIONS | _AMOUNTS,
}


class RubricError(ValueError):
    """A rubric that cannot be used: the file, the place in it, and what to write."""

    def __init__(self, path: Path, english: str, chinese: str) -> None:
        super().__init__(f"{path.name}: {english}")
        self.english = f"{path.name}: {english}"
        self.chinese = f"{path.name}：{chinese}"

    def message(self, language: str) -> str:
        """Return the message in a language."""
        return self.chinese if language == "zh_CN" else self.english


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a rubric.

    Parameters
    ----------
    kind
        ``contain``, ``avoid`` or ``behave``.
    en, zh
        What it says.
    points
        What it is worth.
    blocks, at_least
        For ``contain``: groups of opcodes, of each of which there must be so many blocks.
    findings
        For ``avoid``: codes that must not be found.
    plan, expected
        For ``behave``: what is done, and what must be seen.
    """

    kind: str
    en: str
    zh: str
    points: float = 1
    blocks: tuple[frozenset[str], ...] = ()
    at_least: int = 1
    findings: tuple[str, ...] = ()
    plan: Plan | None = None
    expected: tuple[tuple[str, Any], ...] = ()

    def text(self, language: str) -> str:
        """Return what it says in a language."""
        return self.zh if language == "zh_CN" else self.en


@dataclass(frozen=True, slots=True)
class Rubric:
    """What is asked of an activity."""

    en: str
    zh: str
    items: tuple[Item, ...]

    def title(self, language: str) -> str:
        """Return the title in a language."""
        return self.zh if language == "zh_CN" else self.en

    @property
    def points(self) -> float:
        """The most that can be had."""
        return sum(item.points for item in self.items)


@dataclass(frozen=True, slots=True)
class Result:
    """Whether a pupil's project does what an item says, and what was seen of it, in both languages."""

    item: Item
    passed: bool
    seen_en: str
    seen_zh: str

    def seen(self, language: str) -> str:
        """Return what was seen, in a language."""
        return self.seen_zh if language == "zh_CN" else self.seen_en


@dataclass(frozen=True, slots=True)
class Grade:
    """What a pupil's file got.

    Parameters
    ----------
    path
        The file.
    name
        Name of the file in its folder, without its ending: the pupil's, as a rule.
    results
        By the items of the rubric.
    refused_en, refused_zh
        Why the file could not be graded; empty for one that was.
    examination
        What is in it.
    """

    path: Path
    name: str
    results: tuple[Result, ...]
    refused_en: str
    refused_zh: str
    examination: Examination

    @property
    def points(self) -> float:
        """What it got."""
        return sum(one.item.points for one in self.results if one.passed)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found in the file."""
        return self.examination.findings

    def refused(self, language: str) -> str:
        """Return why it could not be graded, in a language."""
        return self.refused_zh if language == "zh_CN" else self.refused_en


# -- the rubric ----------------------------------------------------------------------------------------


def load_rubric(path: str | Path) -> Rubric:
    """Read a rubric.

    Parameters
    ----------
    path
        The TOML file.

    Raises
    ------
    RubricError
        If it is no TOML, or has something in it that is not known, at its place.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    try:
        raw = tomllib.loads(path.read_text("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RubricError(
            path, f"this is no TOML file: {error}", f"这不是合格的 TOML 文件：{error}"
        ) from None
    return _RubricReader(path).rubric(raw)


class _RubricReader:
    """Where in a rubric we are."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.place = "[activity]"

    def error(self, english: str, chinese: str) -> RubricError:
        return RubricError(self.path, f"{self.place}: {english}", f"{self.place}：{chinese}")

    def rubric(self, raw: Mapping[str, Any]) -> Rubric:
        self.place = "TOML"
        self.known(raw, {"activity", *_KEYS}, "[[{}]]")
        self.place = "[activity]"
        activity = raw.get("activity", {})
        if not isinstance(activity, dict):
            raise self.error(
                'write en = "…" and zh = "…" under [activity]', '在 [activity] 下面写 en = "…" 和 zh = "…"'
            )
        self.known(activity, {"en", "zh"}, "{} =")
        items = [item for kind in _KEYS for item in self.items(kind, raw.get(kind, []))]
        if not items:
            raise RubricError(
                self.path,
                "it asks nothing: write [[contain]], [[behave]] or [[avoid]]",
                "没有任何要求：请写 [[contain]]、[[behave]] 或 [[avoid]]",
            )
        self.place = "[activity]"
        en = self.text(activity, "en", self.path.stem)
        return Rubric(en, self.text(activity, "zh", en), tuple(items))

    def items(self, kind: str, rows: Any) -> Iterator[Item]:
        self.place = f"[[{kind}]]"
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.error("write it with two brackets", "请用两层方括号书写")
        for number, row in enumerate(rows, 1):
            self.place = f"[[{kind}]] {number}"
            self.known(row, _KEYS[kind], "{} =")
            yield self.item(kind, row)

    def known(self, raw: Mapping[str, Any], names: set[str], form: str) -> None:
        for name in raw:
            if name not in names:
                near = difflib.get_close_matches(name, names, 1)
                known = ", ".join(sorted(names))
                hint = _meant(near[0]) if near else (f": known are {known}", f"，可用的有 {known}")
                raise self.error(
                    f"{form.format(name)} is not known{hint[0]}", f"不认识 {form.format(name)}{hint[1]}"
                )

    def item(self, kind: str, row: Mapping[str, Any]) -> Item:
        en = self.text(row, "en", self.text(row, "zh", ""))
        zh = self.text(row, "zh", en)
        if not en:
            raise self.error(
                'say what it is for: en = "…" and zh = "…"', '请写明要求：en = "…" 和 zh = "…"'
            )
        points = self.number(row, "points", 1)
        if kind == "contain":
            blocks = tuple(self.block(name) for name in self.texts(row, "blocks"))
            if not blocks:
                raise self.error(
                    'name the blocks: blocks = ["ask and wait"]', '请写出积木：blocks = ["询问并等待"]'
                )
            least = self.number(row, "at_least", 1)
            return Item(kind, en, zh, points, blocks, int(least))
        if kind == "avoid":
            codes = self.texts(row, "findings")
            for code in codes:
                if code not in KINDS:
                    near = difflib.get_close_matches(code, KINDS, 1)
                    hint = _meant(near[0]) if near else ("", "")
                    raise self.error(
                        f"there is no finding {code!r}{hint[0]}", f"没有问题代号 {code!r}{hint[1]}"
                    )
            if not codes:
                raise self.error(
                    'name the findings: findings = ["dead-script"]',
                    '请写出问题代号：findings = ["dead-script"]',
                )
            return Item(kind, en, zh, points, findings=codes)
        return Item(kind, en, zh, points, plan=self.plan(row), expected=self.expected(row))

    def block(self, name: str) -> frozenset[str]:
        """Return the opcodes that a name stands for: an opcode, or the words on a block."""
        if name in opcodes():
            return frozenset((name,))
        names = _block_names()
        found = names.get(_bare(name))
        if found is None:
            near = difflib.get_close_matches(_bare(name), names, 1, 0.5)
            hint = ("", "")
            if near:
                english, chinese = (_words_of(names[near[0]], language) for language in LANGUAGES)
                hint = (_meant(english)[0], _meant(chinese)[1])
            raise self.error(f"there is no block {name!r}{hint[0]}", f"没有积木 {name!r}{hint[1]}")
        return found

    def plan(self, row: Mapping[str, Any]) -> Plan:
        replies = row.get("replies", {})
        if not isinstance(replies, dict) or not all(isinstance(one, str) for one in replies.values()):
            raise self.error(
                'write replies = { "part of the question" = "answer" }',
                '请写成 replies = { "问题的一部分" = "回答" }',
            )
        events = []
        for key, kind in (("press", "key"), ("click", "click")):
            rows = row.get(key, [])
            if not isinstance(rows, list):
                raise self.error(
                    f'write {key} = [[1, "name"]]: second and name',
                    f'请写成 {key} = [[1, "名称"]]：秒数和名称',
                )
            for one in rows:
                match one:
                    case [int() | float() as at, str(name)]:
                        events.append((float(at), f"{kind}:{name}"))
                    case _:
                        raise self.error(
                            f'write {key} = [[1, "name"]]: second and name',
                            f'请写成 {key} = [[1, "名称"]]：秒数和名称',
                        )
        seconds = self.number(row, "seconds", 60)
        if not 0 < seconds <= 3600:
            raise self.error("seconds = must be between 0 and 3600", "seconds = 应在 0 到 3600 之间")
        return Plan(
            answers=self.texts(row, "answers"),
            then=self.text(row, "then", ""),
            replies=tuple(replies.items()),
            events=tuple(events),
            seed=int(self.number(row, "seed", 1)),
            seconds=seconds,
        )

    def expected(self, row: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
        result: list[tuple[str, Any]] = []
        amounts = {key: row[key] for key in _AMOUNTS if key in row}
        if "variable" in row:
            if not amounts:
                raise self.error(
                    "variable = needs is =, at_least = or at_most =",
                    "variable = 还需要 is =、at_least = 或 at_most =",
                )
            for key, value in amounts.items():
                good = int | float if key != "is" else int | float | str
                if isinstance(value, bool) or not isinstance(value, good):
                    raise self.error(f"{key} = takes a number", f"{key} = 应是数字")
            result.append(("variable", (self.texts(row, "variable"), amounts)))
        elif amounts:
            raise self.error(
                f"{min(amounts)} = belongs to variable =, which is missing",
                f"{min(amounts)} = 要和 variable = 一起写",
            )
        texts = ("says", "never_says", "backdrop")
        result += [(key, self.texts(row, key)) for key in texts if key in row]
        if "ends" in row:
            if not isinstance(row["ends"], bool):
                raise self.error("ends = is true or false", "ends = 只能是 true 或 false")
            result.append(("ends", row["ends"]))
        if "asks" in row:
            result.append(("asks", int(self.number(row, "asks", 0))))
        if not result:
            raise self.error(
                "say what must be seen: variable =, says =, ends =, asks = or backdrop =",
                "请写出应当看到什么：variable =、says =、ends =、asks = 或 backdrop =",
            )
        return tuple(result)

    def text(self, row: Mapping[str, Any], key: str, default: str) -> str:
        value = row.get(key, default)
        if not isinstance(value, str):
            raise self.error(f"{key} = takes a text in quotation marks", f"{key} = 应是引号里的文字")
        return value

    def texts(self, row: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = row.get(key, [])
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.error(
                f'{key} = takes texts in brackets: ["…", "…"]', f'{key} = 应是方括号里的文字：["…", "…"]'
            )
        return tuple(value)

    def number(self, row: Mapping[str, Any], key: str, default: float) -> float:
        value = row.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise self.error(f"{key} = takes a number", f"{key} = 应是数字")
        return value


def _bare(words: str) -> str:
    """Return the words on a block without its holes, blanks and case."""
    return re.sub(r"\([^)]*\)|\[[^\]]*\]|<[^>]*>|[\s?？:：]", "", words).casefold()


@functools.cache
def _block_names() -> dict[str, frozenset[str]]:
    names: dict[str, set[str]] = {}
    for row in opcodes().values():
        if row.shape in (MENU, PART):
            continue
        for language in LANGUAGES:
            words = "".join(part for part in row.label(language) if isinstance(part, str))
            if bare := _bare(words):
                names.setdefault(bare, set()).add(row.name)
    return {bare: frozenset(found) for bare, found in names.items()}


def _words_of(found: frozenset[str], language: str) -> str:
    row = opcodes()[min(found)]
    return " ".join(part for part in row.label(language) if isinstance(part, str))


def _meant(word: str) -> tuple[str, str]:
    return f", did you mean {word!r}?", f"，是不是 {word!r}？"


# -- grading -------------------------------------------------------------------------------------------


def project_files(folder: Path) -> list[Path]:
    """Return the projects in a folder and the folders inside, in the order of their names."""
    return sorted(
        (path for path in folder.rglob("*") if path.suffix.lower() == ".sb3" and path.is_file()),
        key=lambda path: path.as_posix(),
    )


def grade_folder(
    folder: Path,
    rubric: Rubric,
    *,
    language: str = "en",
    progress: Callable[[int, int], None] | None = None,
    timeout: float = 30,
) -> list[Grade]:
    """Grade every project in a folder.

    Parameters
    ----------
    folder
        The pupils' files.
    rubric
        What is asked.
    language
        Of the pictures for the feedback sheets.
    progress
        Called with how many are done, and of how many.
    timeout
        Seconds by the clock for reading a file, and again for playing it.

    Raises
    ------
    PlayError
        If the rubric asks how projects behave and there is no player.
    """
    if any(item.plan for item in rubric.items):
        modules()
    paths = project_files(folder)
    done = 0

    def grade_one(path: Path) -> Grade:
        nonlocal done
        # In a folder inside, the folder tells apart two children of one name.
        name = path.relative_to(folder).with_suffix("").as_posix()
        result = grade(path, rubric, name=name, language=language, timeout=timeout)
        done += 1
        if progress:
            progress(done, len(paths))
        return result

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(grade_one, paths))


def grade(
    path: Path, rubric: Rubric, *, name: str = "", language: str = "en", timeout: float = 30
) -> Grade:
    """Grade one project, by default under the name of its file; see :func:`grade_folder`."""
    examination = examine(path, language, timeout=timeout)
    refused_en, refused_zh = _refusal(examination)
    results: tuple[Result, ...] = ()
    if not refused_en:
        results = _judge_all(examination, rubric, timeout)
    return Grade(path, name or path.stem, results, refused_en, refused_zh, examination)


def _refusal(examination: Examination) -> tuple[str, str]:
    if examination.failure == "too-slow":
        return "reading it took too long", "读取文件用时过长"
    if examination.failure:
        return "reading it broke off", "读取文件时中断"
    for finding in examination.findings:
        if finding.severity == ERROR:
            return finding.text("en"), finding.text("zh_CN")
    if examination.project is None:
        return "it is a single sprite, not a project", "这只是一个角色，不是作品"
    return "", ""


def _judge_all(examination: Examination, rubric: Rubric, timeout: float) -> tuple[Result, ...]:
    plans = [item.plan for item in rubric.items if item.plan]
    played = iter(play(examination.project or "", plans, timeout=timeout)) if plans else iter(())
    results = []
    for item in rubric.items:
        if item.plan:
            results.append(_behaves(item, next(played)))
        elif item.kind == "contain":
            results.append(_contains(item, examination.counts or {}))
        else:
            results.append(_avoids(item, examination.findings))
    return tuple(results)


def _contains(item: Item, counts: Mapping[str, int]) -> Result:
    missing = [group for group in item.blocks if sum(counts.get(one, 0) for one in group) < item.at_least]
    if not missing:
        return Result(item, True, "", "")
    named = {
        language: "、".join(_label(min(group), language) for group in missing) for language in LANGUAGES
    }
    en = f"not there, or too few, in scripts that run: {named['en'].replace('、', ', ')}"
    return Result(item, False, en, f"能运行的脚本里没有或不够：{named['zh_CN']}")


def _label(opcode: str, language: str) -> str:
    words = " ".join(part for part in opcodes()[opcode].label(language) if isinstance(part, str))
    return f"“{words}”" if language == "zh_CN" else f'"{words}"'


def _avoids(item: Item, findings: Sequence[Finding]) -> Result:
    found = [one for one in findings if one.code in item.findings]
    en = " ".join(f"{one.place('en')}: {one.message_en}".lstrip(": ") for one in found[:3])
    zh = "".join(f"{one.place('zh_CN')}：{one.message_zh}".lstrip("：") for one in found[:3])
    return Result(item, not found, en, zh)


def _behaves(item: Item, done: Performance | PlayError) -> Result:
    if isinstance(done, PlayError):
        return Result(item, False, done.english, done.chinese)
    complaints = [words for key, want in item.expected if (words := _CHECKS[key](done, want))]
    en, zh = "; ".join(one for one, _ in complaints), "；".join(one for _, one in complaints)
    return Result(item, not complaints, en, zh)


Complaint = tuple[str, str] | None


def _check_variable(done: Performance, want: tuple[tuple[str, ...], Mapping[str, Any]]) -> Complaint:
    names, amounts = want
    everywhere = [done.variables, *(sprite["variables"] for sprite in done.sprites.values())]
    wanted = {_bare(name) for name in names}
    found = [
        (name, value) for where in everywhere for name, value in where.items() if _bare(name) in wanted
    ]
    if not found:
        either = " / ".join(names)
        return f'there is no variable "{either}"', f"没有变量“{either}”"
    name, value = found[0]
    if all(_holds(key, value, amount) for key, amount in amounts.items()):
        return None
    asked = ", ".join(f"{_AMOUNT_WORDS[key][0]}{amount}" for key, amount in amounts.items())
    wanted_zh = "，".join(f"{_AMOUNT_WORDS[key][1]}{amount}" for key, amount in amounts.items())
    return f'"{name}" is {value}, not {asked}', f"“{name}”是 {value}，应为{wanted_zh}"


_AMOUNT_WORDS = {"is": ("", " "), "at_least": ("at least ", "至少 "), "at_most": ("at most ", "至多 ")}


def _holds(key: str, value: object, amount: object) -> bool:
    try:
        number, limit = float(str(value)), float(str(amount))
    except ValueError:
        return key == "is" and str(value).strip().casefold() == str(amount).strip().casefold()
    return {"is": number == limit, "at_least": number >= limit, "at_most": number <= limit}[key]


def _said(done: Performance) -> list[str]:
    return [entry[-1] for entry in done.seen if entry[0] in ("say", "think", "ask")]


def _check_says(done: Performance, want: tuple[str, ...]) -> Complaint:
    if any(text in said for said in _said(done) for text in want):
        return None
    either = " / ".join(want)
    return f'nobody says "{either}"', f"没有说“{either}”"


def _check_never_says(done: Performance, want: tuple[str, ...]) -> Complaint:
    for said in _said(done):
        for text in want:
            if text in said:
                return f'somebody says "{said}"', f"说了“{said}”"
    return None


def _check_ends(done: Performance, want: bool) -> Complaint:
    if done.ended is want:
        return None
    if want:
        return (
            f"it still runs after {done.seconds:g} seconds",
            f"过了 {done.seconds:g} 秒还没有结束",
        )
    return f"it ends after {done.seconds:g} seconds", f"{done.seconds:g} 秒后就结束了"


def _check_asks(done: Performance, want: int) -> Complaint:
    if done.asked == want:
        return None
    return f"it asks {done.asked} times, not {want}", f"提问了 {done.asked} 次，应为 {want} 次"


def _check_backdrop(done: Performance, want: tuple[str, ...]) -> Complaint:
    if done.backdrop in want:
        return None
    either = " / ".join(want)
    return (
        f'the backdrop at the end is "{done.backdrop}", not "{either}"',
        f"最后的背景是“{done.backdrop}”，应为“{either}”",
    )


_CHECKS: dict[str, Callable[[Performance, Any], Complaint]] = {
    "variable": _check_variable,
    "says": _check_says,
    "never_says": _check_never_says,
    "ends": _check_ends,
    "asks": _check_asks,
    "backdrop": _check_backdrop,
}
