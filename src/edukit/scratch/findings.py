"""What is said about a project: findings, the words of each kind, and the error of a refusal.

The codes are stable: pages, rubrics and other programs name them. The guide's page of findings is made
from this table.
"""

from dataclasses import dataclass
from pathlib import Path

from .opcodes import opcodes

ERROR, WARNING, HINT = "error", "warning", "hint"

_AGAIN = ("Save the project again in Scratch.", "请在 Scratch 里重新保存作品。")

# By code: what is the matter in English and Chinese, what to do in English and Chinese.
REFUSED: dict[str, tuple[str, str, str, str]] = {
    "scratch-1": (
        "This is a project of Scratch 1.",
        "这是 Scratch 1 的作品。",
        "Open it in Scratch 3 and save it there.",
        "请在 Scratch 3 中打开并保存。",
    ),
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
    "zip-of-projects": (
        "This is a zip with projects in it, such as {name!r}, and no project itself.",
        "这是一个装有作品（例如 {name!r}）的压缩包，本身不是作品。",
        "Unpack it and use the files inside.",
        "请先解压，再使用里面的文件。",
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
    "unknown-extension": (
        "The extension {name!r} is not one that is known here.",
        "这里不认识扩展 {name!r}。",
        "Take it off in Scratch; known are: {allowed}.",
        "请在 Scratch 里去掉它；可用的扩展有：{allowed}。",
    ),
    "outside-extension": (
        "The project loads an extension from an address outside Scratch.",
        "作品会从 Scratch 以外的地址加载扩展。",
        "Build it again in Scratch without that extension.",
        "请在 Scratch 里去掉该扩展后重新制作。",
    ),
}
"""What ends the reading: Scratch would hang, crash, refuse it too, or ask another computer."""

WRONG: dict[str, tuple[str, str, str, str]] = {
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
        "Make the variable in Scratch and choose it in the block.",
        "请在 Scratch 里新建这个变量，并在积木里选中它。",
    ),
    "unknown-list": (
        'The list "{name}" does not exist.',
        "不存在名为“{name}”的列表。",
        "Make the list in Scratch and choose it in the block.",
        "请在 Scratch 里新建这个列表，并在积木里选中它。",
    ),
    "unknown-message": (
        'The message "{name}" does not exist.',
        "不存在名为“{name}”的消息。",
        "Make the message in Scratch and choose it in the block.",
        "请在 Scratch 里新建这个消息，并在积木里选中它。",
    ),
    "wrong-kind": (
        'The file of "{name}" is no {ending} file: Scratch shows or plays nothing.',
        "“{name}”的文件不是 {ending} 文件，Scratch 无法显示或播放。",
        "Choose the picture or sound again in Scratch.",
        "请在 Scratch 里重新选择图片或声音。",
    ),
    "unknown-costume": (
        'There is no costume or backdrop "{name}": the block does nothing.',
        "没有名为“{name}”的造型或背景，这块积木不起作用。",
        "Choose a costume or backdrop that is there in the block's menu.",
        "请在积木的菜单里选择存在的造型或背景。",
    ),
    "unknown-sound": (
        'There is no sound "{name}": the block plays nothing.',
        "没有名为“{name}”的声音，这块积木不会播放。",
        "Choose a sound that is there in the block's menu.",
        "请在积木的菜单里选择存在的声音。",
    ),
    "unknown-sprite": (
        'There is no sprite "{name}", which the block names.',
        "积木里提到的角色“{name}”不存在。",
        "Choose a sprite that is there in the block's menu.",
        "请在积木的菜单里选择存在的角色。",
    ),
    "undefined-block": (
        'The block "{name}" has no definition here: it does nothing.',
        "自制积木“{name}”在这里没有定义，不起作用。",
        "Define it in this sprite, or copy its definition from the other sprite.",
        "请在这个角色里定义它，或从别的角色复制定义。",
    ),
    "unreachable": (
        "The blocks under this one never run: it ends the script or goes on for ever.",
        "这块积木会结束脚本或永远重复，它下面的积木不会运行。",
        "Put them above it, or take them away.",
        "请把下面的积木移到它前面，或删除。",
    ),
    "frozen-stage": (
        'The block "{name}" runs without screen refresh and loops for ever: the stage freezes.',
        "自制积木“{name}”设为“运行时不刷新屏幕”，里面却有无限循环，舞台会卡住。",
        "Take the loop out, or switch the screen refresh on for the block.",
        "请把循环移出，或让这块积木运行时刷新屏幕。",
    ),
    "server-block": (
        "The blocks of “{en}” ask a server abroad: they do nothing without a network, and nothing where "
        "that server cannot be reached.",
        "“{zh}”积木要访问国外的服务器：没有网络或无法访问该服务器时不起作用。",
        "For speech, record a sound; for a translation, write it into a list.",
        "朗读可改为录音，翻译可把译文写进列表。",
    ),
    "too-many": (
        "There are more findings; only the first {limit} are told.",
        "问题太多，只列出前 {limit} 条。",
        "Mend these first, then check again.",
        "请先改正这些，再重新检查。",
    ),
}
"""What Scratch loads and gets silently wrong."""

CLASS: dict[str, tuple[str, str, str, str]] = {
    "dead-script": (
        "This script has no hat block on top, so it never runs by itself.",
        "这段脚本最上面没有事件积木，自己不会运行。",
        "Put a block such as “when flag clicked” on top, or take the blocks away.",
        "请在最上面接一块“当绿旗被点击”之类的积木，或删掉它。",
    ),
    "empty-script": (
        "This hat block has nothing under it.",
        "这块事件积木下面什么也没有。",
        "Put under it what shall happen, or take it away.",
        "请在下面接上要做的事，或删掉它。",
    ),
    "no-start": (
        "Nothing starts this project: no script waits for the flag, a key or a click.",
        "作品没有开头：没有脚本等待绿旗、按键或点击。",
        "Begin a script with “when flag clicked”.",
        "请用“当绿旗被点击”作为一段脚本的开头。",
    ),
    "message-never-received": (
        'The message "{name}" is broadcast, and nobody receives it.',
        "广播了消息“{name}”，但没有角色接收它。",
        "Add a script that begins with “when I receive”, or take the broadcast away.",
        "请添加以“当接收到”开头的脚本，或删掉这条广播。",
    ),
    "message-never-sent": (
        'This script waits for the message "{name}", which nobody broadcasts.',
        "这段脚本等待消息“{name}”，但没有人广播它。",
        "Broadcast it where it shall happen, or take the script away.",
        "请在需要的地方广播它，或删掉这段脚本。",
    ),
    "busy-forever": (
        "This “forever” does the same thing thirty times a second, with no wait in it.",
        "这个“重复执行”里没有等待，每秒会把同样的事做约三十次。",
        "Put a “wait” or a condition into it.",
        "请在里面加上“等待”或判断条件。",
    ),
    "variable-never-set": (
        'The variable "{name}" is used and never set, so it stays {value!r}.',
        "变量“{name}”被用到，却从未设定，它一直是 {value!r}。",
        "Set it before it is used, or take it away.",
        "请在使用前设定它，或删掉它。",
    ),
    "list-never-filled": (
        'The list "{name}" is read and nothing ever gets into it.',
        "列表“{name}”被读取，却从来没有加入内容。",
        "Add items to it, or take it away.",
        "请往里面加入内容，或删掉它。",
    ),
    "block-never-called": (
        'The block "{name}" is defined and never used.',
        "自制积木“{name}”定义了却没有使用。",
        "Use it in a script, or take its definition away.",
        "请在脚本里使用它，或删掉定义。",
    ),
    "no-start-state": (
        "{en} changes while the project runs, and is not put back when the flag is clicked: the second "
        "game begins as the first one ended.",
        "运行时改变了{zh}，点绿旗时却没有恢复：第二次玩会从上次结束的样子开始。",
        "Set it at the beginning of the script under “when flag clicked”.",
        "请在“当绿旗被点击”脚本的开头设定它。",
    ),
    "default-name": (
        'The sprite is still called "{name}", which does not tell what it is.',
        "角色还叫“{name}”，看不出它是什么。",
        "Give it a name that says what it is.",
        "请给它起一个能说明身份的名字。",
    ),
    "unused-answer": (
        "The project asks, and never uses the answer.",
        "作品提出了问题，却没有用到“回答”。",
        "Use the block “answer” in what follows.",
        "请在后面的脚本里使用“回答”积木。",
    ),
    "answer-without-question": (
        "The block “answer” is used, and nothing is ever asked.",
        "用到了“回答”积木，却从来没有“询问”。",
        "Ask first with “ask and wait”.",
        "请先用“询问并等待”提问。",
    ),
}
"""What works, and what a teacher would speak about."""

KINDS = {
    **{code: (ERROR, *words) for code, words in REFUSED.items()},
    **{code: (WARNING, *words) for code, words in WRONG.items()},
    **{code: (HINT, *words) for code, words in CLASS.items()},
}
"""Every code: how grave it is, and its words."""

MOST_FINDINGS = 300


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a project that its author should know.

    Parameters
    ----------
    code
        Short name of the kind of finding, such as ``wrong-parent``.
    severity
        ``error``: Scratch would hang, crash or fetch something, so the project is refused;
        ``warning``: it loads and is silently wrong; ``hint``: it works, and could be better.
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

    @property
    def page(self) -> str:
        """Where the site of edukit explains it."""
        return f"guide/scratch-findings.html#finding-{self.code}"

    def message(self, language: str) -> str:
        """Return what is the matter, in a language."""
        return self.message_zh if language == "zh_CN" else self.message_en

    def mend(self, language: str) -> str:
        """Return what to do about it, in a language."""
        return self.mend_zh if language == "zh_CN" else self.mend_en

    def place(self, language: str) -> str:
        """Return where it is, in a language; nothing for the project as a whole."""
        chinese = language == "zh_CN"
        places = []
        if self.target is not None:
            # Where a sprite's name comes from a file it may hold anything, line breaks too.
            name = " ".join(self.target.split())
            stage = "舞台" if chinese else "the stage"
            named = f"角色“{name}”" if chinese else f'"{name}"'
            places.append(stage if name == "Stage" else named)
        if self.script is not None:
            places.append(f"第 {self.script} 段脚本" if chinese else f"script {self.script}")
        if self.block is not None and self.severity == ERROR:
            places.append(f"积木 {self.block}" if chinese else f"block {self.block}")
        return ("，" if chinese else ", ").join(places)

    def text(self, language: str) -> str:
        """Return place, matter and mend as one line of text."""
        place = self.place(language)
        if language == "zh_CN":
            return (f"{place}：" if place else "") + self.message_zh + self.mend_zh
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
        self.script: int | None = None

    def refusal(self, code: str, at: str | None = None, **values: object) -> ScratchError:
        """Return the error to raise; ``at`` is the id of a block, ``values`` go into the words."""
        return ScratchError(self.path, self._finding(code, at, values))

    def damage(self, what: str, at: str | None = None) -> ScratchError:
        """Return the error for JSON that says what Scratch never writes."""
        return self.refusal("damaged-json", at, what=what)

    def unknown_opcode(self, opcode: str, at: str | None = None) -> ScratchError:
        """Return the error for a block that is not in the table, with what is."""
        families = sorted({name.partition("_")[0] for name in opcodes() if "_" in name})
        allowed = ", ".join(f"{family}_…" for family in families)
        return self.refusal("unknown-opcode", at, opcode=opcode, allowed=allowed)

    def note(self, code: str, at: str | None = None, **values: object) -> None:
        """Remember something that does not end the reading."""
        # A file may have a fault in each of 100,000 blocks; nobody reads that many messages.
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(self._finding(code, at, values))
        elif len(self.findings) == MOST_FINDINGS:
            self.target = self.script = None
            self.findings.append(self._finding("too-many", None, {"limit": MOST_FINDINGS}))

    def _finding(self, code: str, at: str | None, values: dict[str, object]) -> Finding:
        # What stands in a file may be as long as it likes; a message may not.
        short = {key: _short(value) for key, value in values.items()}
        severity, *words = KINDS[code]
        told = [one.format(**short) for one in words]
        block = None if at is None else str(_short(at))
        return Finding(code, severity, self.target, self.script, block, *told)


def _short(value: object) -> object:
    if isinstance(value, str):
        value = " ".join(value.split())
        return f"{value[:80]}…" if len(value) > 80 else value
    return value
