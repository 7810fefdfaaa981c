"""`cinder_crawl`: seed 002's contract, as a client sees it."""

from typing import Any

import pytest

from tests.services.cinder.fakes import Crawls
from tests.support import CallHarness, override, services
from webquarry.models.crawl import CrawlRequest
from webquarry.tools.cinder_crawl import cinder_crawl

pytestmark = pytest.mark.anyio
URL = "https://owls.test/"


def desk(crawls: Crawls) -> CallHarness:
    return CallHarness((cinder_crawl,), services=override(services(), crawling=crawls))


async def test_a_crawl_is_begun_and_its_id_comes_back() -> None:
    result = await desk(Crawls()).call("cinder_crawl", {"url": URL})

    assert result.structured == {
        "crawlId": "job1",
        "url": URL,
        "status": "queued",
        "pagesFound": 0,
        "pagesCrawled": 0,
        "createdAt": "2023-11-14T22:13:20Z",
    }


async def test_the_payload_of_the_contract_is_accepted() -> None:
    crawls = Crawls()
    payload: dict[str, Any] = {
        "url": URL,
        "render": False,
        "maxDepth": 2,
        "maxPages": 100,
        "includePatterns": [],
        "excludePatterns": [],
    }

    await desk(crawls).call("cinder_crawl", payload)

    assert crawls.started == [CrawlRequest.model_validate({"url": URL, "formats": ()})]


async def test_every_wish_reaches_the_engine() -> None:
    crawls = Crawls()

    await desk(crawls).call(
        "cinder_crawl",
        {
            "url": URL,
            "render": True,
            "maxDepth": 3,
            "maxPages": 7,
            "includePatterns": ["/blog.*"],
            "excludePatterns": [".*logout.*"],
            "sitemap": True,
            "formats": ["markdown", "links", "markdown"],
            "webhook": "https://hooks.test/1",
        },
    )

    assert crawls.started == [
        CrawlRequest.model_validate(
            {
                "url": URL,
                "render": True,
                "max_depth": 3,
                "max_pages": 7,
                "include": ("/blog.*",),
                "exclude": (".*logout.*",),
                "sitemap": True,
                "formats": ("markdown", "links"),
                "webhook": "https://hooks.test/1",
            }
        )
    ]


@pytest.mark.parametrize(
    ("arguments", "depth"),
    [({}, 2), ({"query": "renew"}, 10), ({"query": "renew", "maxDepth": 2}, 2)],
)
async def test_a_query_looks_further_unless_the_depth_is_given(
    arguments: dict[str, Any], depth: int
) -> None:
    crawls = Crawls()

    await desk(crawls).call("cinder_crawl", {"url": URL, **arguments})

    (started,) = crawls.started
    assert (started.query, started.max_depth) == (arguments.get("query"), depth)


async def test_waiting_tells_progress_and_returns_the_end() -> None:
    crawls = Crawls(
        {"state": "running", "pagesCrawled": 1, "pagesFound": 5},
        {"state": "running", "pagesCrawled": 4, "pagesFound": 9},
        {"state": "completed", "pagesCrawled": 9},
    )
    told: list[tuple[float, float | None, str | None]] = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    result = await desk(crawls).call("cinder_crawl", {"url": URL, "wait": True}, report=report)

    assert result.structured
    assert (result.structured["status"], result.structured["pagesCrawled"]) == ("completed", 9)
    assert told == [
        (0, 100, "queued: 0 pages; 0 URLs found"),
        (1, 100, "running: 1 page; 5 URLs found"),
        (4, 100, "running: 4 pages; 9 URLs found"),
        (9, 100, "completed: 9 pages; 9 URLs found"),
    ]


async def test_waiting_ends_before_the_call_does(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio
    from collections.abc import AsyncIterator

    from webquarry.models.caller import Caller
    from webquarry.models.crawl import CrawlJob

    class Endless(Crawls):
        async def watch(self, job_id: str, caller: Caller) -> AsyncIterator[CrawlJob]:
            yield self.become(job_id, "running", pagesCrawled=2)
            await asyncio.Event().wait()

    monkeypatch.setattr("webquarry.calls.job_tasks.WAIT_SECONDS", 0.01)
    result = await desk(Endless()).call("cinder_crawl", {"url": URL, "wait": True})

    assert result.structured
    assert result.structured["status"] == "running"
    assert result.meta == {"waited": 0.01}


async def test_the_same_key_is_the_same_crawl_and_another_request_is_refused() -> None:
    at = desk(Crawls())
    asked = {"url": URL, "idempotencyKey": "k1"}

    first, again = [await at.call("cinder_crawl", asked) for _ in range(2)]
    other = await at.call("cinder_crawl", {**asked, "maxPages": 3})

    assert first.structured == again.structured
    assert other.problem
    assert other.problem.block["kind"] == "validation"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "url: is required"),
        ({"url": URL, "query": "x" * 501}, "query: "),
        ({"url": URL, "maxDepth": 0}, "maxDepth: "),
        ({"url": URL, "maxPages": 0}, "maxPages: "),
        ({"url": URL, "maxPages": 10**30}, "maxPages: "),
        ({"url": URL, "formats": ["pdf"]}, "formats.0: "),
        ({"url": URL, "includePatterns": [""]}, "includePatterns.0: "),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    result = await desk(Crawls()).call("cinder_crawl", arguments)

    assert result.problem
    assert words in result.problem.message


def test_arguments_and_defaults_are_those_of_the_contract_and_a_few_more() -> None:
    listed = cinder_crawl.definition()
    properties = listed["inputSchema"]["properties"]

    assert {name: schema.get("default") for name, schema in properties.items()} == {
        "url": None, "query": None, "render": False, "maxDepth": 2, "maxPages": 100,
        "includePatterns": None,
        "excludePatterns": None, "sitemap": False, "formats": None, "wait": False, "webhook": None,
        "includePaths": None, "excludePaths": None, "subdomains": False, "externalLinks": False,
        "sitemapOnly": False, "locale": None, "mobile": False, "steps": None,
    }  # fmt: skip
    assert set(listed["outputSchema"]["properties"]) == {
        "crawlId", "url", "status", "pagesFound", "pagesCrawled", "createdAt", "error"
    }  # fmt: skip
