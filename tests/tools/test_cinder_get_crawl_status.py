"""`cinder_get_crawl_status`: seed 002's contract, as a client sees it."""

from typing import Any

import pytest

from tests.services.cinder.fakes import Crawls
from tests.support import ALICE, BOB, CallHarness, override, services
from webquarry.models.crawl import CrawlRequest
from webquarry.tools.cinder_get_crawl_status import cinder_get_crawl_status

pytestmark = pytest.mark.anyio
NAME = "cinder_get_crawl_status"


async def begun(crawls: Crawls, **wishes: Any) -> CallHarness:
    request = {"url": "https://owls.test/", "formats": (), **wishes}
    await crawls.start(CrawlRequest.model_validate(request), ALICE)
    return CallHarness((cinder_get_crawl_status,), services=override(services(), crawling=crawls))


async def status(at: CallHarness, **arguments: Any) -> dict[str, Any]:
    result = await at.call(NAME, {"id": "job1", **arguments})
    assert result.structured, result
    return result.structured


async def test_a_finished_crawl_has_the_shape_of_the_contract() -> None:
    crawls = Crawls(pages=3)
    at = await begun(crawls)
    crawls.become("job1", "completed", pagesCrawled=3, pagesFound=5, errors=1)

    assert await status(at) == {
        "crawlId": "job1",
        "status": "completed",
        "pagesFound": 5,
        "pagesCrawled": 3,
        "progress": 100.0,
        "pages": [
            {"url": "https://owls.test/0", "statusCode": 200, "contentLength": 100},
            {
                "url": "https://owls.test/1",
                "title": "Page 1",
                "statusCode": 200,
                "contentLength": 101,
            },
            {
                "url": "https://owls.test/2",
                "title": "Page 2",
                "statusCode": 200,
                "contentLength": 102,
            },
        ],
        "completedAt": "2023-11-14T22:14:20Z",
        "errors": 1,
    }


async def test_batches_follow_each_other_to_the_last_page() -> None:
    crawls = Crawls(pages=5)
    at = await begun(crawls)
    crawls.become("job1", "completed", pagesCrawled=5)
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        found = await status(at, offset=offset, limit=2)
        seen += [page["url"] for page in found["pages"]]
        offset = found.get("nextOffset")

    assert seen == [f"https://owls.test/{n}" for n in range(5)]


async def test_a_crawl_under_way_always_has_a_next_offset() -> None:
    crawls = Crawls(pages=2)
    at = await begun(crawls)
    crawls.become("job1", "running", pagesCrawled=2)

    found = await status(at)

    assert (found["status"], found["nextOffset"], found["progress"]) == ("running", 2, 2.0)
    assert "completedAt" not in found


async def test_progress_never_goes_back_though_more_is_found() -> None:
    crawls = Crawls()
    at = await begun(crawls, max_pages=10)
    told: list[float] = []
    for crawled, found in ((0, 1), (1, 2), (2, 500), (9, 900), (10, 900)):
        crawls.become("job1", "running", pagesCrawled=crawled, pagesFound=found)
        told.append((await status(at))["progress"])
    crawls.become("job1", "completed", pagesCrawled=10)
    told.append((await status(at))["progress"])

    assert told == [0.0, 10.0, 20.0, 90.0, 99.0, 100.0]


async def test_pages_carry_the_content_the_crawl_was_asked_for() -> None:
    crawls = Crawls(pages=2)
    at = await begun(crawls, formats=("markdown", "links"))

    found = await status(at, offset=1)

    assert found["pages"][0]["content"] == {
        "markdown": "# Page 1",
        "links": ["https://owls.test/1"],
    }


async def test_a_crawl_can_be_ended_and_stays_ended() -> None:
    at = await begun(Crawls())

    ended = await status(at, cancel=True)
    again = await status(at, cancel=True)

    assert ended["status"] == "cancelled"
    assert again == ended


async def test_nobody_sees_the_crawls_of_others() -> None:
    at = await begun(Crawls())

    for arguments in ({"id": "job1"}, {"id": "job1", "cancel": True}, {"id": "nope"}):
        result = await at.call(NAME, arguments, caller=BOB)
        assert result.problem
        assert result.problem.block["kind"] == "not_found"
    assert (await status(at))["status"] == "queued"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "id: is required"),
        ({"id": ""}, "id: "),
        ({"id": "job1", "offset": -1}, "offset: "),
        ({"id": "job1", "offset": 10**30}, "offset: "),
        ({"id": "job1", "limit": 0}, "limit: "),
        ({"id": "job1", "limit": 101}, "limit: "),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    result = await (await begun(Crawls())).call(NAME, arguments)

    assert result.problem
    assert words in result.problem.message


def test_arguments_and_defaults_are_those_of_the_contract() -> None:
    listed = cinder_get_crawl_status.definition()
    properties = listed["inputSchema"]["properties"]

    assert {name: schema.get("default") for name, schema in properties.items()} == {
        "id": None, "offset": 0, "limit": 50, "cancel": False
    }  # fmt: skip
    assert (properties["limit"]["minimum"], properties["limit"]["maximum"]) == (1, 100)
    assert set(listed["outputSchema"]["properties"]) == {
        "crawlId", "status", "pagesFound", "pagesCrawled", "progress", "pages", "nextOffset",
        "completedAt", "error", "errors", "skipped",
    }  # fmt: skip
