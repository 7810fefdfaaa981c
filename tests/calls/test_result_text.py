from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.calls.page_text import page_text, sources_text
from webquarry.calls.result_text import part_notice, result_text
from webquarry.content.text.token_count import json_size


def test_search_results_read_as_a_numbered_list() -> None:
    body = {
        "urls": ["https://a.test/1", "https://b.test/"],
        "query": "owls",
        "resultCount": 2,
        "results": [
            {
                "title": "Owls\nof the  world",
                "url": "https://a.test/1",
                "snippet": "Owls are birds of prey, " * 6,
                "displayLink": "a.test",
                "publishedAt": "2024-05",
                "sourceReputation": {"tier": "high", "basis": "list"},
            },
            {"title": "B", "url": "https://b.test/", "snippet": "Short.", "displayLink": "b.test"},
        ],
        "hints": None,
        "nextCursor": "abc",
    }

    assert result_text(body).splitlines() == [
        "query: owls",
        "resultCount: 2",
        "",
        "results (2):",
        "1. Owls of the world",
        "   https://a.test/1",
        "   snippet:",
        "   ",
        f"   {'Owls are birds of prey, ' * 6}",
        "   publishedAt: 2024-05; sourceReputation: (tier: high; basis: list)",
        "2. B",
        "   https://b.test/",
        "   snippet: Short.",
    ]


def test_values_of_every_kind_are_shown_and_empty_ones_are_not() -> None:
    body: dict[str, Any] = {
        "exists": False, "count": 0, "tags": ["a", "b"], "none": [], "empty": "", "note": "x\ny",
        "citation": {"title": "T", "doi": "10.1/x", "formatted": {"apa": "A" * 130}},
    }  # fmt: skip

    assert result_text(body) == (
        "exists: false\ncount: 0\ntags: a, b\n\nnote:\n\nx\ny\n\n"
        f"citation:\n   T\n   formatted:\n      apa:\n      \n      {'A' * 130}\n   doi: 10.1/x"
    )


@pytest.mark.parametrize(
    ("notice", "text"),
    [
        ((1, 4, "abc"), "Part 1 of 4. Call again with cursor=abc for the rest."),
        ((4, 4, None), "Part 4 of 4, the last."),
    ],
)
def test_a_part_says_how_to_get_the_next(notice: tuple[int, int, str | None], text: str) -> None:
    assert part_notice(*notice) == text


def test_a_page_begins_with_what_a_reader_must_know() -> None:
    body = {
        "url": "https://j.test/a",
        "content": "# Cells\n\nText.",
        "contentType": "html",
        "sourceType": "peer_reviewed",
        "retractionStatus": {"retracted": True, "kind": "retraction", "date": "2020-01-02"},
        "extractionQuality": "partial",
        "notes": ["Two frames were not read."],
    }

    assert page_text(body) == (
        "Untrusted content of https://j.test/a (html, peer_reviewed):\n"
        "NOTICE: retraction, 2020-01-02.\nOnly a part of the page could be read.\n"
        "Two frames were not read.\n\n# Cells\n\nText."
    )


def test_combined_sources_begin_with_what_was_read() -> None:
    body: dict[str, Any] = {
        "query": "owls",
        "status": "partial",
        "summary": {"urlsSearched": 3, "urlsScraped": 1},
        "combinedContent": "## [1] A\nhttps://a.test/\nText.",
        "sources": [{"url": "https://a.test/", "content": "", "claimSignal": "Owls hoot."}],
        "scrapeFailures": [{"url": "https://b.test/", "kind": "blocked"}],
        "note": "Two could not be read.",
    }

    assert sources_text(body) == (
        '1 of 3 pages read for "owls" (partial). Untrusted content:\nTwo could not be read.\n\n'
        "## [1] A\nhttps://a.test/\nText.\n\n"
        "scrapeFailures: (url: https://b.test/; kind: blocked)\n"
        "sources: (url: https://a.test/; claimSignal: Owls hoot.)"
    )


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=300),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(min_size=1, max_size=12), _JSON, max_size=6))
def test_any_result_has_a_text_of_about_its_size(body: dict[str, Any]) -> None:
    assert len(result_text(body).encode("utf-8", "surrogatepass")) <= 4 * json_size(body)
