"""Text features: the fast implementations agree with the plain ones."""

import struct

import pytest

from webquarry.content.main_content.feature_table import FEATURE_GROUPS
from webquarry.content.main_content.text_features import text_features
from webquarry.content.main_content.vocabulary import DATE, has_date

_DATED = (
    "2026-11-16", "in 1999.", "3.4.2020", "03/04/20", "at 12:30 sharp", "5 may", "5. dec", "12mar",
    "may 5", "january 13,", "sept. 2", "jan.. 2", "two days ago", "3 minutes ago", "day agony",
    "12 of 13", "721601", "xjan 13", "_jan 13", "1jan 13", "jan 2019", "jan 2019-", "1:234", "12.5",
    "version 3.4.20.1", "on the 5th of may", "about may", "13", "29.02.", "5 mär 2020", "2020年",
)  # fmt: skip


@pytest.mark.parametrize("text", _DATED)
def test_a_date_is_seen_where_the_pattern_sees_one(text: str) -> None:
    assert has_date(text) is (DATE.search(text) is not None)


def _features(text: str, size: int) -> tuple[dict[str, float], frozenset[str]]:
    [(packed, words)] = text_features([text], [size])
    names = FEATURE_GROUPS["text"]
    return dict(zip(names, struct.unpack(f"{len(names)}f", packed), strict=True)), words


def test_the_features_of_an_ascii_text_are_counted() -> None:
    features, words = _features("By Ann, 5 May 2026: cookies for $3?", 35)

    assert features == {
        "ends_sentence": 1,
        "word_length": 4.375,
        "capital_share": pytest.approx(3 / 35),
        "digit_share": pytest.approx(6 / 35),
        "commas": 1,
        "full_stops": 0,
        "question_marks": 1,
        "ends_with_colon": 0,
        "boilerplate_words": 1,
        "has_date": 1,
        "is_byline": 1,
        "has_money": 1,
        "has_pipe": 0,
        "starts_with_capital": 1,
        "starts_with_letter": 1,
    }
    assert words == {"by", "ann", "5", "may", "2026", "cookies", "for", "3"}


@pytest.mark.parametrize(
    "text",
    [
        "By Ann, 5 May 2026: cookies for $3?",
        "Share | Print",
        "721601",
        "...",
        "Words and words. " * 20,
        "Words and words. " * 50,
        "12 June: " + "by nobody " * 30,
    ],
)
def test_one_non_ascii_letter_changes_no_other_feature(text: str) -> None:
    ascii_features, ascii_words = _features(text, len(text))
    features, words = _features(f"{text} ж", len(text) + 2)  # read by regular expressions

    # features of the last character, and shares of the text
    for name in ("ends_sentence", "ends_with_colon", "word_length", "capital_share", "digit_share"):
        del ascii_features[name], features[name]
    assert features == ascii_features
    assert words - {"ж"} == ascii_words
