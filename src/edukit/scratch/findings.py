"""What is said about a project: findings, the words of each kind, and the error of a refusal."""

from dataclasses import dataclass
from pathlib import Path

_AGAIN = ("Save the project again in Scratch.", "请在 Scratch 里重新保存作品。")

# By code: what is the matter in English and Chinese, what to do in English and Chinese.
_WORDS: dict[str, tuple[str, str, str, str]] = {
    "not-a-zip": (
        "This is not a Scratch 3 project: it is no zip file, or only part of one.",
        "这不是 Scratch 3 作品：它不是 zip 文件，或者文件不完整。",
        "Save the project again in Scratch, or copy the file again.",
        "请在 Scratch 里重新保存，或重新拷贝文件。",
    ),
    "bad-zip": (
        "{name} in the zip cannot be unpacked ({reason}).",
        "压缩包里的 {name} 无法解压（{reason}）。",
        *_AGAIN,
    ),
    "encrypted": (
        "{name} in the zip is encrypted.",
        "压缩包里的 {name} 已加密。",
        "Pack it without a password.",
        "请不要设置密码。",
    ),
    "bad-entry-name": (
        "The zip has an entry named {name!r}, which leads out of its folder.",
        "压缩包里有名为 {name!r} 的条目，会写到文件夹之外。",
        "Do not open this file; ask for one that was saved in Scratch.",
        "请不要打开此文件；应使用由 Scratch 保存的文件。",
    ),
    "second-entry": ("The zip holds {name!r} twice.", "压缩包里有两个 {name!r}。", *_AGAIN),
    "no-project": (
        "The zip holds no project.json, so this is not a Scratch 3 project.",
        "压缩包里没有 project.json，这不是 Scratch 3 作品。",
        *_AGAIN,
    ),
    "second-project": (
        "The zip holds more than one project.json.",
        "压缩包里有不止一个 project.json。",
        "Pack one project into one file.",
        "一个文件里只放一个作品。",
    ),
    "too-much": (
        "The file holds more than is read here: {what} is over the limit of {limit:,}.",
        "文件内容超出上限：{what} 超过 {limit:,}。",
        "No project of a lesson is that large; make it smaller.",
        "课堂作品不会这么大，请精简。",
    ),
    "not-utf-8": (
        "project.json is not UTF-8 (byte {byte}); names would come out garbled.",
        "project.json 不是 UTF-8 编码（第 {byte} 字节），名称会变成乱码。",
        "Save the project again in Scratch instead of editing the file.",
        "请在 Scratch 里重新保存，不要直接改文件。",
    ),
    "bad-json": (
        "project.json is not valid JSON: {reason}.",
        "project.json 不是合格的 JSON：{reason}。",
        *_AGAIN,
    ),
    "scratch-2": (
        "This is a project of Scratch 2.",
        "这是 Scratch 2 的作品。",
        "Open it in Scratch 3 and save it there.",
        "请在 Scratch 3 中打开并保存。",
    ),
    "damaged-json": (
        "{what} in project.json is not what Scratch writes.",
        "project.json 里的 {what} 不是 Scratch 写出的内容。",
        *_AGAIN,
    ),
    "unsafe-picture": (
        'The picture "{name}" is refused: {en}.',
        "图片“{name}”不被接受：{zh}。",
        "Draw it again in Scratch, or save it as a plain SVG or a PNG.",
        "请在 Scratch 里重画，或另存为普通 SVG 或 PNG。",
    ),
    "wrong-parent": (
        "This block says that it hangs on another, which does not hold it.",
        "这块积木自称接在另一块积木上，但那块积木并没有连着它。",
        *_AGAIN,
    ),
    "cycle": (
        "This block hangs on more than one other, or on itself.",
        "这块积木接在了不止一块积木上，或接在了自己身上。",
        *_AGAIN,
    ),
    "missing-block": (
        "Its input {name} names the block {block!r}, which does not exist.",
        "它的输入 {name} 引用了不存在的积木 {block!r}。",
        *_AGAIN,
    ),
    "unknown-opcode": (
        "The block {opcode!r} is not one that is known here.",
        "这里不认识积木 {opcode!r}。",
        "Use the blocks of Scratch itself: {allowed}.",
        "请使用 Scratch 自带的积木：{allowed}。",
    ),
    # From here on: Scratch loads it, and gets it silently wrong.
    "same-name": (
        'Two sprites are named "{name}".',
        "有两个角色都叫“{name}”。",
        "Give each sprite a name of its own.",
        "请给每个角色起不同的名字。",
    ),
    "missing-asset": (
        'The file of "{name}" ({file}) is not in the project.',
        "作品里缺少“{name}”的文件（{file}）。",
        "Draw or choose it again in Scratch and save.",
        "请在 Scratch 里重新画一个或选一个，再保存。",
    ),
    "wrong-md5": (
        'The file of "{name}" is not the one that the project was saved with.',
        "“{name}”的文件与保存时的不一致。",
        "Open the project in Scratch, look at it, and save it again.",
        "请在 Scratch 中打开检查后重新保存。",
    ),
    "dangling-next": (
        "The block under this one is missing.",
        "这块积木下面的积木不见了。",
        "Look at the script in Scratch and put back what is missing.",
        "请在 Scratch 中查看这段脚本，补上缺少的积木。",
    ),
    "lost-block": (
        "This block belongs to no script: Scratch neither shows nor runs it.",
        "这块积木不属于任何脚本，Scratch 不显示也不运行它。",
        *_AGAIN,
    ),
    "unknown-variable": (
        'The variable "{name}" does not exist.',
        "不存在名为“{name}”的变量。",
        "Make it in Scratch and choose it in the block.",
        "请在 Scratch 里新建这个变量，并在积木里选中它。",
    ),
    "unknown-list": (
        'The list "{name}" does not exist.',
        "不存在名为“{name}”的列表。",
        "Make it in Scratch and choose it in the block.",
        "请在 Scratch 里新建这个列表，并在积木里选中它。",
    ),
    "unknown-message": (
        'The message "{name}" does not exist.',
        "不存在名为“{name}”的消息。",
        "Make it in Scratch and choose it in the block.",
        "请在 Scratch 里新建这个消息，并在积木里选中它。",
    ),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a project that its author should know.

    Parameters
    ----------
    code
        Short name of the kind of finding, such as ``wrong-parent``.
    severity
        ``error``: Scratch would hang, crash or fetch something, so the project is refused;
        ``warning``: it loads and is silently wrong.
    target, script, block
        Where: name of the stage or sprite, number of the script in it (from 1), id of the block.
    message_en, message_zh
        What is the matter, in both languages.
    mend_en, mend_zh
        What to do about it.
    """

    code: str
    severity: str
    target: str | None
    script: int | None
    block: str | None
    message_en: str
    message_zh: str
    mend_en: str
    mend_zh: str

    def text(self, language: str) -> str:
        """Return place, matter and mend as one line of text."""
        if language == "zh_CN":
            target = None if self.target is None else f"角色“{self.target}”"
            block = None if self.block is None else f"积木 {self.block}"
            place = "，".join(one for one in (target, block) if one)
            return (f"{place}：" if place else "") + self.message_zh + self.mend_zh
        target = None if self.target is None else f'"{self.target}"'
        block = None if self.block is None else f"block {self.block}"
        place = ", ".join(one for one in (target, block) if one)
        return (f"{place}: " if place else "") + f"{self.message_en} {self.mend_en}"


class ScratchError(ValueError):
    """A project that must be refused.

    Parameters
    ----------
    path
        The file.
    finding
        What is the matter and what to do.
    """

    def __init__(self, path: Path | str, finding: Finding) -> None:
        super().__init__(f"{Path(path).name}: {finding.text('en')}")
        self.path = Path(path)
        self.finding = finding

    @property
    def code(self) -> str:
        """The code of the finding."""
        return self.finding.code


class Report:
    """Where in a file we are, and what was noticed so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.findings: list[Finding] = []
        self.target: str | None = None

    def refusal(self, code: str, at: str | None = None, **values: object) -> ScratchError:
        """Return the error to raise; ``at`` is the id of a block, ``values`` go into the words."""
        return ScratchError(self.path, self._finding("error", code, at, values))

    def damage(self, what: str, at: str | None = None) -> ScratchError:
        """Return the error for JSON that says what Scratch never writes."""
        return self.refusal("damaged-json", at, what=what)

    def note(self, code: str, at: str | None = None, **values: object) -> None:
        """Remember something that does not end the reading."""
        self.findings.append(self._finding("warning", code, at, values))

    def _finding(self, severity: str, code: str, at: str | None, values: dict[str, object]) -> Finding:
        # What stands in a file may be as long as it likes; a message may not.
        short = {key: _short(value) for key, value in values.items()}
        words = [words.format(**short) for words in _WORDS[code]]
        block = None if at is None else str(_short(at))
        return Finding(code, severity, self.target, None, block, *words)


def _short(value: object) -> object:
    return f"{value[:80]}…" if isinstance(value, str) and len(value) > 80 else value
