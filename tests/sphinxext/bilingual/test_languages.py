import pytest

from edukit.sphinxext.bilingual.languages import (
    Language,
    UnknownLanguageError,
    html_attributes,
    normalise,
    own_name,
    sphinx_languages,
)

KNOWN = sphinx_languages()


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("zh_CN", "zh_CN"),
        ("zh-cn", "zh_CN"),
        ("zh-CN", "zh_CN"),
        ("zh_cn", "zh_CN"),
        ("ZH_CN", "zh_CN"),
        ("zh", "zh_CN"),
        ("zh_Hans", "zh_CN"),
        ("zh-Hans", "zh_CN"),
        ("zh-Hans-CN", "zh_CN"),
        ("zh_Hans_SG", "zh_CN"),
        ("zh-tw", "zh_TW"),
        ("zh_Hant", "zh_TW"),
        ("zh-Hant-HK", "zh_HK"),
        ("en", "en"),
        ("en-us", "en"),
        ("pt-br", "pt_BR"),
        ("de-CH", "de"),
        (" fr ", "fr"),
    ],
)
def test_every_usual_way_to_write_a_language_is_understood(written: str, code: str) -> None:
    assert normalise(written, KNOWN) == code


@pytest.mark.parametrize("written", ["", "  ", "xx", "klingon", "zh-", "zh_XX_CN_foo", "中文", None, 3])
def test_what_nobody_knows_is_refused(written: object) -> None:
    with pytest.raises(UnknownLanguageError, match="is not known"):
        normalise(written, KNOWN)


def test_a_near_miss_is_named() -> None:
    with pytest.raises(UnknownLanguageError, match=r"Did you mean .*zh_CN"):
        normalise("zh_CM_", KNOWN)


def test_a_language_of_the_project_alone_is_known() -> None:
    assert normalise("cy-gb", KNOWN | {"cy_GB"}) == "cy_GB"


def test_tags_and_folders() -> None:
    assert (Language("zh_CN", "中文").tag, Language("zh_CN", "中文").folder) == ("zh-CN", "zh-cn")
    assert Language("sr@latin", "").tag == "sr-Latn"


@pytest.mark.parametrize(
    ("code", "attributes"),
    [
        ("zh_CN", {"lang": "zh-CN", "dir": "ltr"}),
        ("ar", {"lang": "ar", "dir": "rtl"}),
        ("he", {"lang": "he", "dir": "rtl"}),
        ("fa_IR", {"lang": "fa-IR", "dir": "rtl"}),
        ("sr@latin", {"lang": "sr-Latn", "dir": "ltr"}),
        ("xx", {"lang": "xx", "dir": "ltr"}),
    ],
)
def test_what_html_says_of_a_language(code: str, attributes: dict[str, str]) -> None:
    assert html_attributes(code) == attributes


def test_names_are_the_readers_own_and_differ() -> None:
    assert own_name("zh_CN", ["en", "zh_CN"]) == "中文"
    names = {own_name(code, ["zh_CN", "zh_TW"]) for code in ("zh_CN", "zh_TW")}
    assert len(names) == 2
    assert "中文" not in names
