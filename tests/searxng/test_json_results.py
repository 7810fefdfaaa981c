import json
from typing import Any

import pytest

from tests.searxng.fakes import body
from webquarry.errors import PayloadError
from webquarry.net.client.response import FetchedResponse
from webquarry.searxng.json_results import read_json
from webquarry.searxng.query_values import Hit, InstancePage

NOW = 1_700_000_000.0


def read(data: Any) -> InstancePage:
    return read_json(body(data), name="https://a.example", now=NOW)


def test_a_result_keeps_what_the_instance_says() -> None:
    page = read(
        {
            "query": "owls",
            "number_of_results": 8450,
            "results": [
                {
                    "title": "Owls &amp; <b>others</b>",
                    "url": "https://example.org/owls",
                    "content": " All about\nowls ",
                    "score": 2.5,
                    "engine": "duckduckgo",
                    "engines": ["google", "duckduckgo"],
                    "publishedDate": "2024-05-17T08:30:00",
                    "img_src": "https://example.org/owl.png",
                    "thumbnail_src": "https://example.org/small.png",
                    "source": "Example",
                    "resolution": "1882\u00d71264",
                    "filesize": "20 KB",
                    "parsed_url": ["https", "example.org", "/owls", "", "", ""],
                }
            ],
            "unresponsive_engines": [["bing", "timeout"], ["qwant", "Suspended", "CAPTCHA"]],
        }
    )

    assert page == InstancePage(
        hits=(
            Hit(
                title="Owls & others",
                url="https://example.org/owls",
                description="All about owls",
                score=2.5,
                engines=("duckduckgo", "google"),
                published="2024-05-17T08:30:00Z",
                image="https://example.org/owl.png",
                thumbnail="https://example.org/small.png",
                source="Example",
                width=1882,
                height=1264,
                size="20 KB",
            ),
        ),
        total=8450,
        unresponsive=(("bing", "timeout"), ("qwant", "Suspended CAPTCHA")),
    )
    assert page.hits[0].engine == "duckduckgo"


def test_nulls_and_missing_fields_are_fine() -> None:
    nothing = dict.fromkeys(
        ("title", "content", "score", "engine", "engines", "publishedDate", "pubdate", "img_src",
         "thumbnail", "thumbnail_src", "source", "resolution", "filesize")
    )  # fmt: skip
    page = read(
        {
            "results": [{"url": "https://example.org/"} | nothing],
            "number_of_results": None,
            "unresponsive_engines": None,
        }
    )

    assert page == InstancePage(
        hits=(Hit(title="https://example.org/", url="https://example.org/"),)
    )


def test_results_that_cannot_be_opened_are_counted_not_returned() -> None:
    urls = ["magnet:?xt=urn:btih:1", "", None, "javascript:alert(1)", "https://example.org/"]
    page = read({"results": [{"title": "t", "url": url} for url in urls]})

    assert [hit.url for hit in page.hits] == ["https://example.org/"]
    assert page.unusable == 4


def test_the_moment_is_read_where_searx_writes_it() -> None:
    row = {"url": "https://e.org/", "pubdate": "2024-05-17 08:30:00+0200", "publishedDate": "May"}

    assert read({"results": [row]}).hits[0].published == "2024-05-17T06:30:00Z"


def test_an_unreadable_date_is_dropped() -> None:
    row = {"url": "https://e.org/", "publishedDate": "one day in spring"}

    assert read({"results": [row]}).hits[0].published is None


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"[]", b"{}", b'{"results": 1}', b"{", b"<html></html>", b'{"error": "x"}',
     json.dumps({"results": [{"url": ["x"]}]}).encode()],
)  # fmt: skip
def test_anything_else_is_not_an_answer(content: bytes) -> None:
    with pytest.raises(PayloadError, match="Unexpected response"):
        read_json(FetchedResponse(status=200, content=content), name="https://a.example", now=NOW)
