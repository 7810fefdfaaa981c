"""Notices about works in words."""

import pytest

from webquarry.models.reading import RetractionStatus
from webquarry.services.trust.notice_text import notice_sentence


@pytest.mark.parametrize(
    ("notice", "expected"),
    [
        (RetractionStatus(retracted=True, kind="retraction"), "The work was retracted."),
        (
            RetractionStatus(
                retracted=True, kind="retraction", date="2023-05-01", noticeDoi="10.1000/n"
            ),
            "The work was retracted on 2023-05-01. Notice: https://doi.org/10.1000/n",
        ),
        (
            RetractionStatus(retracted=False, kind="correction", date="2023-05"),
            "A correction of the work was published in 2023-05.",
        ),
        (
            RetractionStatus(retracted=False, kind="expression_of_concern"),
            "The journal published an expression of concern about the work.",
        ),
    ],
)
def test_a_notice_says_what_happened_when_and_where(
    notice: RetractionStatus, expected: str
) -> None:
    assert notice_sentence(notice) == expected
