"""Titles of stored results."""

import json
from typing import Any

import pytest

from webquarry.server.console.artifact_title import artifact_title

PAGE = {"url": "https://example.org/", "metadata": {"title": "Owls"}, "content": "# Other"}


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (PAGE, "Owls"),
        ({"for": "x", "body": PAGE}, "Owls"),
        ({"query": "barn  owls", "sources": []}, "barn owls"),
        ({"sessionId": "s", "document": "# Report\n\nText"}, "Report"),
        ({"crawlId": "c", "pages": [{"title": "A"}, {"title": "B"}, {}]}, "A and 2 more"),
        ({"count": 3}, ""),
        ([], ""),
        ("text", ""),
    ],
)
def test_the_title_of_a_json_result_is_found(body: Any, title: str) -> None:
    assert artifact_title("application/json", json.dumps(body).encode()) == title


@pytest.mark.parametrize(
    ("mime", "body", "title"),
    [
        ("text/markdown", b"Intro\n\n## A heading\n", "A heading"),
        ("text/plain", b"\n first line \n", "first line"),
        ("application/json", b'{"title": "cut', ""),
        ("application/pdf", b"%PDF-1.7", ""),
        ("text/plain", b"", ""),
    ],
)
def test_other_results_have_their_first_heading_or_line(mime: str, body: bytes, title: str) -> None:
    assert artifact_title(mime, body) == title
