"""The adapter against recorded answers of real instances, checked by another way of reading."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.replay import StillClock
from webquarry.models.search import ImageQuery, WebQuery
from webquarry.net.client.headers import Headers
from webquarry.net.upstream.http_port import Request, Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.searxng import Searxng
from webquarry.searxng.open_pool import open_pool
from webquarry.searxng.query_values import SearxngQuery

pytestmark = pytest.mark.anyio
FIXTURES = Path(__file__).parents[2].parent / "shared" / "fixtures" / "searxng"
FILES = sorted(FIXTURES.glob("*.json"))
MOST = 50

if not FILES:
    pytest.skip("there are no recorded answers of SearXNG", allow_module_level=True)


class Recorded:
    """Answers the first page with a file and every other with nothing."""

    def __init__(self, path: Path) -> None:
        self._content = path.read_bytes()

    async def send(self, request: Request) -> Response:
        first = "pageno" not in request.target
        return Response(
            status=200,
            headers=Headers.of({"content-type": "application/json"}),
            content=self._content if first else b'{"results": []}',
            url=request.target,
        )


def whole(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def rows(path: Path) -> list[dict[str, Any]]:
    return whole(path)["results"]


def squeezed(text: str | None) -> str:
    return " ".join((text or "").split())


def opened(path: Path) -> Searxng:
    clock = StillClock().clock()
    return Searxng(Upstreams(Recorded(path), clock=clock), {"SEARXNG_URL": "https://s.example"})


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
async def test_titles_addresses_and_snippets_are_those_of_the_body(path: Path) -> None:
    found = await opened(path).search_web(WebQuery(text="x", count=MOST))

    told = {row["url"]: row for row in rows(path)}
    assert found
    assert len(found) == min(MOST, len(told))
    for result in found:
        row = told[result.url]
        assert result.title == squeezed(row["title"])
        assert result.snippet == squeezed(row["content"])
        assert (result.published is None) == (row["publishedDate"] is None)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
async def test_order_scores_and_engines_are_those_of_the_body(path: Path) -> None:
    pool = open_pool(
        Recorded(path), {"SEARXNG_URL": "https://s.example"}, clock=StillClock().clock()
    )

    found = await pool.search(SearxngQuery(text="x", count=MOST))

    body = whole(path)
    expected = list({row["url"]: row for row in reversed(body["results"])}.items())[::-1]
    assert [hit.url for hit in found.hits] == [url for url, _ in expected][:MOST]
    assert [hit.score for hit in found.hits] == [row["score"] for _, row in expected][:MOST]
    assert [set(hit.engines) for hit in found.hits] == [set(row["engines"]) for _, row in expected][
        :MOST
    ]
    assert [list(row) for row in found.unresponsive] == body["unresponsive_engines"]


@pytest.mark.parametrize("path", [p for p in FILES if "images" in p.stem], ids=lambda p: p.stem)
async def test_pictures_are_those_of_the_body(path: Path) -> None:
    found = await opened(path).search_images(ImageQuery(text="x", count=MOST))

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
