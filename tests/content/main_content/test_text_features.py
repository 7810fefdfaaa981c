"""The quick ways of reading a text say what the plain ones do."""

import struct

import pytest

from webquarry.content.main_content.text_features import SIGNS, signs_of
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


def test_the_signs_of_a_plain_text_are_counted() -> None:
    packed, said = signs_of("By Ann, 5 May 2026: cookies for $3?", 35)

    signs = struct.unpack(f"{SIGNS}f", packed)
    assert signs == (
        1, 4.375, *(pytest.approx(part / 35) for part in (3, 6)), 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1,
    )  # fmt: skip
    assert said == {"by", "ann", "5", "may", "2026", "cookies", "for", "3"}


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
def test_one_foreign_letter_changes_no_other_sign(text: str) -> None:
    plain, said = signs_of(text, len(text))
    other, others = signs_of(f"{text} ж", len(text) + 2)  # read by patterns

    signs, besides = struct.unpack(f"{SIGNS}f", plain), struct.unpack(f"{SIGNS}f", other)
    # not what the last letter tells, nor what is a share of the text
    same = (4, 5, 6, 8, 9, 10, 11, 12, 13, 14)
    assert [signs[place] for place in same] == [besides[place] for place in same]
    assert others - {"ж"} == said
