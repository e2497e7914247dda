"""Text that a program has read in another encoding than it was written in."""

import re

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3007\U00020000-\U0003ffff"
CJK = f"{HAN}\u3040-\u30ff\uac00-\ud7af"

_ASIAN = f"[{CJK}\u3000-\u30ff\uff00-\uffef]"
_MISREAD = re.compile(f"[\u0080-\u00ffŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]{{3,}}|{_ASIAN}{{3,}}")


def misread(text: str) -> str:
    """Return what was meant by signs that a wrong encoding has made of Chinese in UTF-8; empty without any.

    Examples
    --------
    >>> misread("\u6d63\u72b2\u30bd"), misread("你好吗")
    ('你好', '')
    """
    for found in _MISREAD.finditer(text):
        try:
            if re.match(_ASIAN, found[0]):
                data = found[0].encode("gb18030")
            else:
                data = b"".join(map(_byte, found[0]))
        except UnicodeEncodeError:
            continue
        # The run may end within a character.
        for cut in range(3):
            meant = _decoded(data[: len(data) - cut])
            enough = 1 if found[0] == text else 2
            if len(re.findall(f"[{HAN}]", meant)) >= enough and re.fullmatch(f"(?:{_ASIAN}|[!-~])+", meant):
                return meant
    return ""


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _byte(sign: str) -> bytes:
    # Windows leaves five bytes without a sign; Latin-1 has one for them.
    return sign.encode("cp1252" if sign > "\u00ff" else "latin-1")
