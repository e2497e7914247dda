import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.lyrics import Line, pronounce
from edukit.lyrics.english import LINKS, ipa, misspelt, sounds_of


def said(text):
    return {one.text: one for one in pronounce(Line(text))}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("garden", "ˈɡɑːrdən"),
        ("again", "əˈɡen"),
        ("mystery", "ˈmɪstəri"),
        ("window", "ˈwɪndoʊ"),
        ("extra", "ˈekstrə"),
        ("fireflies", "ˈfaɪərˌflaɪz"),
        ("hear", "hɪr"),
        ("bird", "bɜːrd"),
        ("sing", "sɪŋ"),
        ("don’t", "doʊnt"),
        ("singin'", "ˈsɪŋɪn"),
        ("lantern's", "ˈlæntərnz"),
        ("moth's", "mɔːθs"),
        ("rose's", "ˈroʊzɪz"),
        ("trees'", "triːz"),
        ("that'll", "ˈðætəl"),
    ],
)
def test_words_in_signs(word, expected):
    sounds = sounds_of(word)
    assert sounds is not None
    assert ipa(sounds) == expected


def test_each_word_has_all_that_a_page_shows():
    (word,) = pronounce(Line("Lanterns!"))
    assert (word.text, word.ipa, word.stress) == ("Lanterns", "ˈlæntərnz", (1, 0))
    assert (word.lemma, word.weak, word.links) == ("lantern", False, None)
    assert word.level in {"A1", "A2", "B1", "B2", "C1", "C2"}
    assert said("garden")["garden"].level == "A1"


def test_stress_is_that_of_each_syllable():
    assert said("again fireflies in")["again"].stress == (0, 1)
    assert said("again fireflies in")["fireflies"].stress == (1, 0, 2)
    assert said("in")["in"].stress == (1,)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("look at me", "at", "ət"),
        ("what are you looking at?", "at", "æt"),
        ("look at, look", "at", "æt"),
        ("the song", "the", "ðə"),
        ("the end", "the", "ði"),
        ("to sing", "to", "tə"),
        ("to open", "to", "tu"),
        ("we want to", "to", "tuː"),
        ("you and me", "and", "ənd"),
        ("I can sing", "can", "kən"),
        ("Yes I can", "can", "kæn"),
        ("they have gone", "have", "həv"),
        ("they have wings", "have", "hæv"),
        ("I know that you sing", "that", "ðət"),
        ("that song", "that", "ðæt"),
        ("there is a moon", "there", "ðər"),
        ("over there we sing", "there", "ðer"),
        ("for us all", "us", "əs"),
    ],
)
def test_weak_forms_in_running_text(text, word, expected):
    found = said(text)[word]
    strong = sounds_of(word)
    assert found.ipa == expected
    assert found.weak == (expected != ipa(strong))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("turn it", "consonant-vowel"),
        ("far away", "r"),
        ("never ends", "r"),
        ("see it", "j"),
        ("my eyes", "j"),
        ("go on", "w"),
        ("blue ice", "w"),
        ("big garden", "same"),
        ("want to", "same"),
        ("don’t you", "tʃ"),
        ("did you", "dʒ"),
        ("miss you", "ʃ"),
        ("as you", "ʒ"),
        ("turn, it", None),
        ("turn – it", None),
        ("one flower", None),
        ("the use", None),
        ("sofa in", None),
    ],
)
def test_linking(text, expected):
    assert pronounce(Line(text))[0].links == expected
    assert expected is None or expected in LINKS


def test_what_is_not_in_the_dictionary_is_said():
    word = said("the brillig moon")["brillig"]
    assert (word.ipa, word.stress, word.level, word.lemma) == (None, (), None, "brillig")
    assert pronounce(Line("the brillig moon"))[0].links is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("‘Hello,’ she sang", ["Hello", "she", "sang"]),
        ("'Hello' 'cause 'til o’clock", ["Hello", "'cause", "'til", "o’clock"]),
        ("singin’ dancin' cats'", ["singin’", "dancin'", "cats"]),
        ("oh-oh snow-white", ["oh", "oh", "snow", "white"]),
        ("你好 hello 3", ["hello"]),
        ("", []),
    ],
)
def test_words_and_their_apostrophes(text, expected):
    assert [one.text for one in pronounce(Line(text))] == expected


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("sung", "sing"),
        ("singing", "sing"),
        ("they’re", "they"),
        ("can’t", "can"),
        ("me", "me"),
        ("I’m", "I"),
    ],
)
def test_lemmas(word, lemma):
    assert pronounce(Line(word))[0].lemma == lemma


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=30) | st.text("aein'’ thSdoy,-", max_size=30))
def test_any_text_has_its_words_in_order(text):
    at = 0
    for word in pronounce(Line(text)):
        at = text.index(word.text, at) + len(word.text)
        # A word without a vowel, such as "sh", has no syllable to be stressed.
        assert word.ipa is not None or word.stress == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Teh moon", [(1, "Teh", "the")]),
        ("We recieve it", [(4, "recieve", "receive")]),
        ("We are wating", [(8, "wating", "waiting")]),
        ("the green gras", [(11, "gras", "grass")]),
        ("Beatrice sings, and we’re gonna sing o’er the sea", []),
        ("xqzvb", [(1, "xqzvb", "")]),
        ("Oooh la la, yeaaah, mmm", []),
        ("We call Lihua and Xiaoyu", []),
        ("moonlit fireflies’ lullabies aren’t singin’", []),
    ],
)
def test_spelling(text, expected):
    assert list(misspelt(text)) == expected
