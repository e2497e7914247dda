"""SVG pictures from outside: refuse what would reach out of them or run.

Scratch draws a costume by putting it into the page, so a picture that names another address makes the
computer of a child ask there, and one with a script runs it.
"""

import re
from xml.parsers import expat

_FORBIDDEN = frozenset(
    {
        *("script", "foreignobject", "iframe", "embed", "object", "audio", "video", "handler"),
        *("listener", "img", "picture", "link", "base", "form", "frame", "html", "body"),
    }
)
_ADDRESSES = frozenset({"href", "src", "srcset", "poster", "formaction", "ping"})
_ENCODINGS = re.compile(r"utf-?8|us-ascii|iso-8859-\d+|windows-125\d", re.IGNORECASE)
_MARKUP = re.compile(rb"<\s*(!doctype|html|head|body|script|svg|iframe|img|\?xml)\b", re.IGNORECASE)
_INLINE = re.compile(r"\s*(#|data:image/(png|jpeg|gif|webp|bmp)[;,]|$)", re.IGNORECASE)
_URL = re.compile(r"url\((?!\s*['\"]?\s*(?:#|data:))", re.IGNORECASE)
_MAX_DEPTH = 200
_MAX_ELEMENTS = 100_000


class UnsafePictureError(ValueError):
    """The picture is not SVG, or holds something that reaches outside; the text says what."""

    def __init__(self, english: str, chinese: str) -> None:
        super().__init__(english)
        self.english = english
        self.chinese = chinese


def _css(text: str) -> None:
    # An escape can spell any of the words below; no drawing needs one.
    plain = text.lower()
    if "\\" in text or "@import" in plain or "image-set(" in plain or "src(" in plain or _URL.search(text):
        raise UnsafePictureError(
            "its style refers to something outside the picture",
            "样式引用了图片以外的内容",
        )


def check_svg(data: bytes) -> tuple[float, float] | None:
    """Check that a picture is SVG and keeps to itself.

    Parameters
    ----------
    data
        The file's content.

    Returns
    -------
    tuple or None
        Width and height in pixels, from ``width`` and ``height`` or else from ``viewBox``; None where
        it says neither.

    Raises
    ------
    UnsafePictureError
        If it is not well formed, refers to anything outside, holds a script, an event handler or
        entities of its own.
    """
    # Without name spaces: old pictures use prefixes that they never declare, and Scratch takes them.
    parser = expat.ParserCreate()
    size: list[tuple[float, float] | None] = []
    styles: list[str] = []
    open_elements: list[str] = []
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        local = name.rpartition(":")[2].lower()
        open_elements.append(local)
        if count > _MAX_ELEMENTS:
            raise UnsafePictureError("it has too many elements", "元素过多")
        if len(open_elements) == 1:
            if local != "svg":
                raise UnsafePictureError(f"its outermost element is <{local}>", f"最外层元素是 <{local}>")
            size.append(_size(attributes))
        if len(open_elements) > _MAX_DEPTH:
            raise UnsafePictureError("its elements are nested too deeply", "元素嵌套过深")
        if local in _FORBIDDEN:
            raise UnsafePictureError(f"it holds a <{local}> element", f"含有 <{local}> 元素")
        for key, value in attributes.items():
            plain = key.rpartition(":")[2].lower()
            if plain.startswith("on"):
                raise UnsafePictureError(f"it has the event handler {plain}", f"含有事件处理 {plain}")
            if plain in _ADDRESSES and not _INLINE.match(value):
                raise UnsafePictureError(
                    f"it refers to {value[:60]!r}, outside the picture",
                    f"引用了图片以外的 {value[:60]!r}",
                )
            if key.lower() == "xml:base":
                raise UnsafePictureError("it sets a base address", "设置了基准地址")
            if plain == "attributename" and value.rpartition(":")[2].lower() in ("href", "src"):
                raise UnsafePictureError("it animates a reference", "含有会改变引用的动画")
            if plain == "style" or "(" in value:
                _css(value)

    def end(name: str) -> None:
        open_elements.pop()
        if name.rpartition(":")[2].lower() == "style":
            _css("".join(styles))
            styles.clear()

    def text(content: str) -> None:
        if "style" in open_elements:
            styles.append(content)

    def entity(*_: object) -> None:
        raise UnsafePictureError("it declares entities", "声明了实体")

    def instruction(target: str, _: str) -> None:
        raise UnsafePictureError(f"it has the instruction <?{target}?>", f"含有处理指令 <?{target}?>")

    def declaration(version: str, encoding: str | None, standalone: int) -> None:
        # Scratch reads every picture as UTF-8, whatever it says; what is checked has to be the same.
        if encoding and not _ENCODINGS.fullmatch(encoding):
            raise UnsafePictureError(f"its encoding is {encoding[:40]}", f"编码是 {encoding[:40]}")

    parser.XmlDeclHandler = declaration
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = entity
    parser.ProcessingInstructionHandler = instruction
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UnsafePictureError(
            f"it is not well-formed SVG ({error})", f"不是合格的 SVG（{error}）"
        ) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, UnsafePictureError):
            raise
        raise UnsafePictureError("its encoding is unknown", "编码无法识别") from None
    return size[0]


def refuse_markup(data: bytes) -> None:
    """Refuse a page or a drawing that goes by the name of a photo or a sound.

    Raises
    ------
    UnsafePictureError
        If it begins like HTML or XML.
    """
    if _MARKUP.search(data[:1024]):
        raise UnsafePictureError("it is a web page or markup", "它其实是网页或标记文本")


def _size(attributes: dict[str, str]) -> tuple[float, float] | None:
    number = re.compile(r"\s*([0-9]*\.?[0-9]+)(px)?\s*$")
    width = number.match(attributes.get("width", ""))
    height = number.match(attributes.get("height", ""))
    if width and height:
        return float(width[1]), float(height[1])
    box = re.split(r"[\s,]+", attributes.get("viewBox", "").strip())
    if len(box) == 4 and all(number.match(one) for one in box[2:]):
        return float(box[2]), float(box[3])
    return None
