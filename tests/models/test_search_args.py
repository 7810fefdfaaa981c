"""Languages and countries as callers write them."""

import pytest

from webquarry.models.search_args import language_code


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("DE_ch", "de"),
        ("zh", "zh"),
        ("zh-CN", "zh"),
        ("zh-Hans", "zh"),
        ("zh-Hans-TW", "zh"),
        ("zh-Hant", "zh-hant"),
        ("zh_Hant_HK", "zh-hant"),
        ("zh-TW", "zh-hant"),
        ("zh-HK", "zh-hant"),
        ("pt", "pt"),
        ("pt-PT", "pt"),
        ("pt-BR", "pt-br"),
        ("fil", "fil"),
    ],
)
def test_a_language_keeps_what_decides_how_it_is_written(written: str, code: str) -> None:
    assert language_code(written) == code


@pytest.mark.parametrize("written", ["", "german", "1", "d", "-"])
def test_other_texts_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="must be a language code like en or de"):
        language_code(written)
