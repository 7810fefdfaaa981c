"""The SearXNG adapter against recorded responses of real instances."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.replay import FakeClock
from webquarry.models.search import ImageQuery, WebQuery
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.searxng import Searxng
from webquarry.searxng.open_pool import open_pool
from webquarry.searxng.query_values import SearxngQuery

pytestmark = pytest.mark.anyio
FIXTURES = Path(__file__).parents[2].parent / "shared" / "fixtures" / "searxng"
FILES = sorted(FIXTURES.glob("*.json"))
MAX_RESULTS = 50

if not FILES:
    pytest.skip("there are no recorded responses of SearXNG", allow_module_level=True)


class RecordedHttp:
    """Responds with a file to the first page, and without results to the others."""

    def __init__(self, path: Path) -> None:
        self._content = path.read_bytes()

    async def send(self, request: ApiRequest) -> FetchedResponse:
        first = "pageno" not in request.full_url
        return FetchedResponse(
            status=200,
            headers=Headers([("content-type", "application/json")]),
            content=self._content if first else b'{"results": []}',
            url=request.full_url,
        )


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def rows(path: Path) -> list[dict[str, Any]]:
    return load(path)["results"]


def normalize_space(text: str | None) -> str:
    return " ".join((text or "").split())


def searxng_with(path: Path) -> Searxng:
    clock = FakeClock().clock()
    return Searxng(Upstreams(RecordedHttp(path), clock=clock), {"SEARXNG_URL": "https://s.example"})


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
async def test_titles_urls_and_snippets_match_the_response(path: Path) -> None:
    found = await searxng_with(path).search_web(WebQuery(text="x", count=MAX_RESULTS))

    told = {row["url"]: row for row in rows(path)}
    assert found
    assert len(found) == min(MAX_RESULTS, len(told))
    for result in found:
        row = told[result.url]
        assert result.title == normalize_space(row["title"])
        assert result.snippet == normalize_space(row["content"])
        assert (result.published is None) == (row["publishedDate"] is None)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
async def test_order_scores_and_engines_match_the_response(path: Path) -> None:
    pool = open_pool(
        RecordedHttp(path), {"SEARXNG_URL": "https://s.example"}, clock=FakeClock().clock()
    )

    found = await pool.search(SearxngQuery(text="x", count=MAX_RESULTS))

    body = load(path)
    ranked = sorted(body["results"], key=lambda row: -row["score"])
    expected = list({row["url"]: row for row in reversed(ranked)}.items())[::-1]
    assert [hit.url for hit in found.hits] == [url for url, _ in expected][:MAX_RESULTS]
    scores = [hit.score for hit in found.hits]
    assert (scores[0], scores) == (1.0, sorted(scores, reverse=True))
    assert all(0 < score <= 1 for score in scores)
    assert [set(hit.engines) for hit in found.hits] == [set(row["engines"]) for _, row in expected][
        :MAX_RESULTS
    ]
    assert [list(row) for row in found.unresponsive] == body["unresponsive_engines"]


@pytest.mark.parametrize("path", [p for p in FILES if "images" in p.stem], ids=lambda p: p.stem)
async def test_images_match_the_response(path: Path) -> None:
    found = await searxng_with(path).search_images(ImageQuery(text="x", count=MAX_RESULTS))

    told = {row["img_src"]: row for row in rows(path) if row["img_src"]}
    assert len(found) == len(told)
    for picture in found:
        row = told[picture.link]
        assert picture.contextLink == row["url"]
        assert picture.displayLink == str(row["parsed_url"][1])
        assert picture.thumbnailLink == (row.get("thumbnail_src") or row["thumbnail"] or None)
        if row.get("resolution"):
            wide, high = row["resolution"].replace("\u00d7", "x").split("x")
            assert (picture.width, picture.height) == (int(wide), int(high))
