"""What the call history says about a call."""

from typing import Any

import pytest

from webquarry.calls.call_summary import call_subject, check_verdict


@pytest.mark.parametrize(
    ("arguments", "subject"),
    [
        ({"num_results": 3, "query": " owls "}, "owls"),
        ({"url": "https://example.org/"}, "https://example.org/"),
        ({"urls": ["https://example.org/a", "https://example.org/b"]}, "https://example.org/a"),
        ({"query": "", "paper": "10.1000/owl"}, "10.1000/owl"),
        ({"query": 7, "bibliography": "@article{a}"}, ""),
        ({"query": "x" * 2000}, "x" * 1000),
    ],
)
def test_the_subject_is_the_most_telling_argument(arguments: dict[str, Any], subject: str) -> None:
    assert call_subject(arguments) == subject


def test_a_verdict_keeps_the_status_and_the_retraction() -> None:
    body = {"verificationStatus": "confirmed", "retractionStatus": {"retracted": True}}

    assert check_verdict(body) == {"status": "confirmed", "retracted": True}
    assert check_verdict({"entries": [], "summary": {"total": 0}}) == {"summary": {"total": 0}}
    assert check_verdict({"results": []}) is None
    assert check_verdict(None) is None
