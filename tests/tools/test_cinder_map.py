"""`cinder_map`: what a client sees."""

import pytest

from tests.services.cinder.fakes import Crawls
from tests.support import CallHarness, override, services
from webquarry.models.crawl import MappedUrl
from webquarry.tools.cinder_map import cinder_map

pytestmark = pytest.mark.anyio
URL = "https://owls.test/"


def desk(crawls: Crawls) -> CallHarness:
    crawls.mapped = (
        MappedUrl(url=f"{URL}1", found=("sitemap",), last_modified="2026-01"),
        MappedUrl(url=f"{URL}2", found=("link",), title="Two"),
        MappedUrl(url=f"{URL}3", found=("link",)),
    )
    return CallHarness((cinder_map,), services=override(services(), crawling=crawls))


async def test_the_urls_of_a_site_are_listed_with_what_is_known() -> None:
    crawls = Crawls()

    result = await desk(crawls).call("cinder_map", {"url": URL, "search": "owl"})

    assert result.structured == {
        "url": URL,
        "urls": [
            {"url": f"{URL}1", "lastModified": "2026-01"},
            {"url": f"{URL}2", "title": "Two"},
            {"url": f"{URL}3"},
        ],
        "hasMore": False,
    }
    assert crawls.asked == [(URL, 201, "owl")]


@pytest.mark.parametrize("limit", [2, 3])
async def test_what_is_left_out_is_told(limit: int) -> None:
    result = await desk(Crawls()).call("cinder_map", {"url": URL, "limit": limit})

    assert result.structured
    told = len(result.structured["urls"]), result.structured["hasMore"]
    assert told == (limit, limit < 3)


@pytest.mark.parametrize("arguments", [{}, {"url": URL, "limit": 0}, {"url": URL, "limit": 9999}])
async def test_wrong_arguments_are_refused(arguments: dict[str, object]) -> None:
    result = await desk(Crawls()).call("cinder_map", arguments)

    assert result.problem
    assert result.problem.block["kind"] == "validation"
