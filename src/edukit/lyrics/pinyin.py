"""The syllables of Mandarin as pinyin writes them, and the marks of their tones."""

import functools
import unicodedata

# Every syllable of the standard language, by its initial; the interjections without a vowel are left
# out, because they would let too much that is not pinyin pass for it.
_SYLLABLES = """
a ai an ang ao e ei en eng er o ou
ba bai ban bang bao bei ben beng bi bian biao bie bin bing bo bu
ca cai can cang cao ce cen ceng ci cong cou cu cuan cui cun cuo
cha chai chan chang chao che chen cheng chi chong chou chu chua chuai chuan chuang chui chun chuo
da dai dan dang dao de dei den deng di dia dian diao die ding diu dong dou du duan dui dun duo
fa fan fang fei fen feng fo fou fu
ga gai gan gang gao ge gei gen geng gong gou gu gua guai guan guang gui gun guo
ha hai han hang hao he hei hen heng hong hou hu hua huai huan huang hui hun huo
ji jia jian jiang jiao jie jin jing jiong jiu ju juan jue jun
ka kai kan kang kao ke kei ken keng kong kou ku kua kuai kuan kuang kui kun kuo
la lai lan lang lao le lei leng li lia lian liang liao lie lin ling liu lo long lou lu luan lun luo
lü lüe
ma mai man mang mao me mei men meng mi mian miao mie min ming miu mo mou mu
na nai nan nang nao ne nei nen neng ni nian niang niao nie nin ning niu nong nou nu nuan nun nuo
nü nüe
pa pai pan pang pao pei pen peng pi pian piao pie pin ping po pou pu
qi qia qian qiang qiao qie qin qing qiong qiu qu quan que qun
ran rang rao re ren reng ri rong rou ru rua ruan rui run ruo
sa sai san sang sao se sen seng si song sou su suan sui sun suo
sha shai shan shang shao she shei shen sheng shi shou shu shua shuai shuan shuang shui shun shuo
ta tai tan tang tao te tei teng ti tian tiao tie ting tong tou tu tuan tui tun tuo
wa wai wan wang wei wen weng wo wu
xi xia xian xiang xiao xie xin xing xiong xiu xu xuan xue xun
ya yan yang yao ye yi yin ying yo yong you yu yuan yue yun
za zai zan zang zao ze zei zen zeng zi zong zou zu zuan zui zun zuo
zha zhai zhan zhang zhao zhe zhei zhen zheng zhi zhong zhou zhu zhua zhuai zhuan zhuang zhui zhun zhuo
"""
SYLLABLES = frozenset(_SYLLABLES.split())

LONGEST = 8
"""Characters of the longest typed syllable: ``zhuang`` with a tone number, and one for an erhua r."""

_MARKS = {1: "\u0304", 2: "\u0301", 3: "\u030c", 4: "\u0300"}
# Many keyboards offer the breve where the caron is meant; the two look alike in most fonts.
_TONE_OF_MARK = {mark: tone for tone, mark in _MARKS.items()} | {"\u0306": 3}
_UMLAUT = "\u0308"
# School books print a and g in their handwritten shapes, which have code points of their own.
_LETTERS = str.maketrans({"v": "ü", "ɑ": "a", "ɡ": "g"})
_TYPED_WITHOUT_UMLAUT = {"nue": "nüe", "lue": "lüe"}


def with_mark(syllable: str, tone: int) -> str:
    """Return a syllable without tone (``"lüe"``) with the mark of a tone on the right vowel.

    Examples
    --------
    >>> [with_mark("xue", 2), with_mark("dou", 1), with_mark("gui", 4), with_mark("ma", 5)]
    ['xué', 'dōu', 'guì', 'ma']
    """
    if tone not in _MARKS:
        return syllable
    at = _marked_vowel(syllable)
    marked = syllable[: at + 1] + _MARKS[tone] + syllable[at + 1 :]
    return unicodedata.normalize("NFC", marked)


@functools.lru_cache(maxsize=8192)
def spell(typed: str) -> tuple[str, int | None] | None:
    """Take one typed syllable apart.

    Parameters
    ----------
    typed
        A syllable with a mark, a number or no tone, in any case; v stands for ü.

    Returns
    -------
    tuple or None
        The syllable without tone in lower case, and the tone: 1 to 4, 5 where a number says so, None
        where none was typed. None if this is not a syllable of Mandarin, or its mark stands on the
        wrong vowel.

    Examples
    --------
    >>> spell("NǙ"), spell("nv3"), spell("xué"), spell("xúe"), spell("bang"), spell("sing")
    (('nü', 3), ('nü', 3), ('xue', 2), None, ('bang', None), None)
    """
    tone: int | None = None
    marked_at: int | None = None
    letters: list[str] = []
    for character in unicodedata.normalize("NFD", typed.lower()):
        if character in _TONE_OF_MARK:
            if tone is not None or not letters:
                return None
            tone, marked_at = _TONE_OF_MARK[character], len(letters) - 1
        elif character == _UMLAUT and letters and letters[-1] == "u":
            letters[-1] = "ü"
        else:
            letters.append(character)
    if letters and letters[-1] in "012345":
        if tone is not None:
            return None
        tone = int(letters.pop()) or 5

    plain = "".join(letters).translate(_LETTERS)
    plain = _TYPED_WITHOUT_UMLAUT.get(plain, plain)
    if plain[:1] in ("j", "q", "x", "y"):
        plain = plain.replace("ü", "u")
    if plain not in SYLLABLES:
        return None
    if marked_at is not None and marked_at != _marked_vowel(plain):
        return None
    return plain, tone


def _marked_vowel(syllable: str) -> int:
    """Return the index of the vowel that carries the mark: a, e, the o of ou, or else the last one."""
    for vowel in ("a", "e", "ou"):
        if vowel in syllable:
            return syllable.index(vowel)
    return max(at for at, letter in enumerate(syllable) if letter in "iouü")
