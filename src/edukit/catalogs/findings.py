"""What can be found in a translation: each kind has a code, and says in both languages what to do."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding: what is wrong, and how it is mended, in English and in Chinese."""

    en: str
    zh: str
    mend_en: str
    mend_zh: str


KINDS = {
    "untranslated": Kind(
        "there is no translation",
        "没有译文",
        "translate it",
        "翻译这一条",
    ),
    "fuzzy": Kind(
        "the source has changed since this was translated, so the page shows the source",
        "原文在翻译之后改过，网页上显示的是原文",
        "compare it with the source, mend it, then remove the word fuzzy",
        "对照原文修改，然后删去 fuzzy 一词",
    ),
    "same": Kind(
        "the translation is the source, or still in its language: {found}",
        "译文与原文相同，或仍是原文的语言：{found}",
        "translate it; a name that stays as it is goes into same in [tool.edukit.translate]",
        "翻译出来；不译的名称写进 [tool.edukit.translate] 的 same",
    ),
    "twice": Kind(
        "this text stands in the catalog already, on line {line}",
        "这段原文在翻译文件里已经有了，在第 {line} 行",
        "keep one of the two, or let an update do it, which keeps the other translation in a comment",
        "只留一条；运行 edukit translate update 也会合并，另一条译文留在注释里",
    ),
    "placeholder": Kind(
        "the placeholders differ: {found}",
        "占位符不一致：{found}",
        "take each over as it is, for the program fills it in",
        "原样照抄每一个占位符，程序会把它换成内容",
    ),
    "substitution": Kind(
        "the substitutions differ: {found}",
        "替换标记不一致：{found}",
        "take each over as it is",
        "原样照抄",
    ),
    "role": Kind(
        "the roles differ: {found}",
        "角色标记不一致：{found}",
        "use the same roles as the source",
        "使用与原文相同的角色标记",
    ),
    "target": Kind(
        "what is referred to differs: {found}",
        "引用的目标不一致：{found}",
        "keep the target and translate what is shown, as in {term}`译文 <source>`",
        "目标照抄，只翻译显示的文字，例如 {term}`译文 <source>`",
    ),
    "footnote": Kind(
        "the footnotes differ: {found}",
        "脚注不一致：{found}",
        "keep the names of footnotes as they are",
        "脚注的名字照抄",
    ),
    "math": Kind(
        "a formula differs: {found}",
        "公式不一致：{found}",
        r"copy the formula; only words inside \text{} are translated",
        r"公式照抄，只翻译 \text{} 里的文字",
    ),
    "code": Kind(
        "code differs: {found}",
        "代码不一致：{found}",
        "copy code as it is, with its backticks",
        "代码连同反引号照抄",
    ),
    "link": Kind(
        "the addresses differ: {found}",
        "网址不一致：{found}",
        "keep the address and the markup around it, and translate what is shown",
        "网址和它两边的标记照抄，只翻译显示的文字",
    ),
    "image": Kind(
        "the pictures differ: {found}",
        "图片不一致：{found}",
        "keep the file of the picture and translate its description",
        "图片文件照抄，只翻译描述",
    ),
    "html": Kind(
        "the HTML differs: {found}",
        "HTML 标记不一致：{found}",
        "keep the tags as they are",
        "标签照抄",
    ),
    "number": Kind(
        "a number of the source is missing: {found}",
        "缺少原文中的数：{found}",
        "write the same number, with its sign",
        "写上同样的数，不要丢了负号",
    ),
    "bracket": Kind(
        "brackets do not match: {found}",
        "括号不配对：{found}",
        "close each bracket with its own partner",
        "每个括号都要有与它配对的另一半",
    ),
    "quotation": Kind(
        "quotation marks do not match: {found}",
        "引号不配对：{found}",
        "close each quotation",
        "引号要成对",
    ),
    "width": Kind(
        "a mark of the wrong width: {found}",
        "标点的宽度不对：{found}",
        "use the marks of the language: ，。；：！？（） beside Chinese",
        "中文旁边用全角标点：，。；：！？（）",
    ),
    "space": Kind(
        "the spaces are not as agreed: {found}",
        "空格不合约定：{found}",
        "{rule}",
        "{rule_zh}",
    ),
    "term": Kind(
        "“{term}” is not translated as agreed",
        "“{term}”的译法不合约定",
        "write {found}, as the glossary has it",
        "按术语表写作{found}",
    ),
    "avoid": Kind(
        "“{found}” is not to be used for “{term}”",
        "“{term}”不译作“{found}”",
        "write {agreed}, as the glossary has it",
        "按术语表写作{agreed}",
    ),
    "script": Kind(
        "characters of the other script: {found}",
        "混入了另一种字体的汉字：{found}",
        "write them in the script of this catalog{mend}",
        "改用本目录的字体{mend}",
    ),
    "emphasis": Kind(
        "the markup takes no effect here, and readers see it: {found}",
        "这里的标记不起作用，读者会看到它：{found}",
        "close what is open, and put punctuation outside the stars, as in **词**。; in reST put \\ and a "
        "blank beside the markup",
        "标记要成对，标点放到星号外面，如 **词**。；reST 中在标记旁写反斜杠加空格",
    ),
    "doubled": Kind(
        "a word or a mark stands twice: {found}",
        "词或标点重复：{found}",
        "leave one out",
        "删去一个",
    ),
    "garbled": Kind(
        "a sign that cannot be seen, or that a wrong encoding has left: {found}",
        "有看不见的字符，或编码出错留下的乱码：{found}",
        "delete it and type the words anew",
        "删去，重新输入这些字",
    ),
    "edge": Kind(
        "the translation does not begin or end as the source does: {found}",
        "译文的开头或结尾与原文不同：{found}",
        "keep the blanks, line ends and the last mark of the source",
        "保留原文首尾的空白、换行和末尾的标点",
    ),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was found in a translation.

    Parameters
    ----------
    code
        The kind, one of `KINDS`.
    language, page
        The language of the catalog and the page that it is for.
    source
        File and line of the page, or its file; empty where it is not known.
    path, line
        File and line of the catalog.
    message, translation
        The texts.
    message_en, message_zh, mend_en, mend_zh
        What is wrong and what to do, in two languages.
    """

    code: str
    language: str
    page: str
    source: str
    path: Path
    line: int
    message: str
    translation: str
    message_en: str
    message_zh: str
    mend_en: str
    mend_zh: str


def described(code: str, **values: str) -> tuple[str, str, str, str]:
    """Return what is wrong and what to do, in English and in Chinese, with values filled in."""
    kind = KINDS[code]

    def filled(text: str) -> str:
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    return filled(kind.en), filled(kind.zh), filled(kind.mend_en), filled(kind.mend_zh)
